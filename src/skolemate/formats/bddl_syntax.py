"""The syntax of BDDL: from text to sections, conditions and cells, as trees with their places.

Domains and problems are those of Shaik and van de Pol (2023, Listings 1 to 3), and what files in
the wild do besides: headings in any case and in the singular, `%` comments, parentheses around
anything or left out, `False` for no goal. Lines matter only where one goal ends and another begins.

    section:    heading, then what belongs to it
    #boardsize  number number
    #init       item*
    #depth      number
    #blackturn  name
    …goals      item+ or False, each goal on a line of its own
    …actions    :action name :parameters (?x,?y) :precondition group :effect group, any number
    group:      ( item* )
    item:       group, cell, or NOT ( cell )
    cell:       predicate ( coordinate , coordinate )
    coordinate: number, or ?x or ?y with a shift, or xmin, xmax, ymin or ymax
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NoReturn

from skolemate.errors import brief, suggestion
from skolemate.formats.source import Source

ACTIONS = ("#blackactions", "#whiteactions")
GOALS = ("#blackgoals", "#whitegoals")
SECTIONS = ("#boardsize", "#init", "#depth", "#blackturn", *GOALS, *ACTIONS)

_KNOWN = {section.rstrip("s"): section for section in SECTIONS}


def section_name(heading: str) -> str | None:
    """The section (by its name in the paper) for a heading in any case, with or without plural s.

    >>> section_name("#BlackGoal"), section_name("#goal")
    ('#blackgoals', None)
    """
    return _KNOWN.get(heading.lower().rstrip("s"))


class Kind(Enum):
    """A kind of token: how messages call it, and what it looks like."""

    SECTION = "a section", r"#[A-Za-z]+"
    ACTION = ":action", r":action(?![A-Za-z])"
    PARAMETERS = ":parameters", r":parameters(?![A-Za-z])"
    PRECONDITION = ":precondition", r":precondition(?![A-Za-z])"
    EFFECT = ":effect", r":effect(?![A-Za-z])"
    OPEN = "(", r"\("
    CLOSE = ")", r"\)"
    COMMA = ",", ","
    NOT = "NOT(…)", r"(?i:NOT)(?![\w-])"
    FALSE = "False", r"(?i:False)(?![\w(-])"
    PREDICATE = "black(…), white(…) or open(…)", r"(?!(?i:NOT)(?!\w))[A-Za-z_]\w*"
    NAME = "a name", r"[A-Za-z0-9_][A-Za-z0-9_-]*"
    NUMBER = "a number", r"[0-9]+"
    PARAMETER = "?x or ?y", r"\?[xy](?!\w)"
    SIGN = "+ or -", r"[+-]"
    EXTREME = "xmin, xmax, ymin or ymax", r"[xy](?:min|max)(?![\w-])"
    END_OF_LINE = "the end of the line", r"\n|\Z"
    END = "the end of the file", r"\Z"

    def __init__(self, look: str, pattern: str) -> None:
        self.look, self.pattern = look, re.compile(pattern)


_BLANKS = re.compile(r"(?:[ \t]+|%[^\n]*)*")
_BLANKS_AND_LINES = re.compile(r"(?:[ \t\n]+|%[^\n]*)*")
_WORD = re.compile(r"[#:?]?[\w-]+|[^\n]")
_PARENTHESIS_OR_COMMENT = re.compile(r"[()]|%[^\n]*")


@dataclass(frozen=True)
class Token:
    """A piece of the text, and its offset."""

    kind: Kind
    text: str
    offset: int


@dataclass(frozen=True)
class Tree:
    """Trees and tokens that belong together, under the name of the rule that joins them."""

    rule: str
    children: Sequence[Tree]
    tokens: Sequence[Token]
    offset: int  # of the first token


@dataclass(frozen=True)
class Section:
    """A heading, its name in the paper, and what follows."""

    name: str
    heading: Token
    tokens: Sequence[Token] = ()
    trees: Sequence[Tree] = ()


def sections(source: Source) -> Iterator[Section]:
    """The sections one by one; raises an error with its place where the syntax is wrong."""
    reader = _Reader(source)
    while not reader.take(Kind.END):
        yield reader.section()


class _Reader:
    """Reads from left to right; holds what could have stood where it stopped, for messages."""

    def __init__(self, source: Source) -> None:
        self.source, self.text = source, source.text
        self.at = self.depth = 0
        self.tried: set[Kind] = set()

    # --- tokens ----------------------------------------------------------------------------------

    def take(self, *kinds: Kind, lines: bool = True) -> Token | None:
        """The next token if it is of one of these kinds.

        Without `lines` it must be on the same line, unless a parenthesis is open.
        """
        blanks = (_BLANKS_AND_LINES if lines or self.depth else _BLANKS).match(self.text, self.at)
        assert blanks is not None, "no blanks are blanks"
        if blanks.end() > self.at:
            self.at, self.tried = blanks.end(), set()
        for kind in kinds:
            found = kind.pattern.match(self.text, self.at)
            if found and (kind is not Kind.SECTION or section_name(found[0])):
                self.depth += (kind is Kind.OPEN) - (kind is Kind.CLOSE)
                self.at, self.tried = found.end(), set()
                return Token(kind, found[0], found.start())
        self.tried.update(kinds)
        return None

    def expect(self, *kinds: Kind, lines: bool = True) -> Token:
        return self.take(*kinds, lines=lines) or self.fail()

    def fail(self) -> NoReturn:
        """Raise an error: what is there, and what was expected."""
        word = _WORD.match(self.text, self.at)
        here = word[0] if word else ""
        place = self.source.place(self.at)
        if here.startswith("#") and section_name(here) is None:
            message = f"unknown section {brief(here)}: {suggestion(here, SECTIONS)}"
            raise self.source.error(message, place)
        message = f"{brief(here)} cannot stand here"
        if not here:
            message = f"the {'line' if self.text[self.at :].strip() else 'file'} ends too early"
        message += f"; expected {' or '.join(sorted(kind.look for kind in self.tried))}"
        still_open = _open_parentheses(self.text[: self.at])
        if still_open and Kind.CLOSE in self.tried:
            line, column = self.source.place(still_open[-1])
            message += f" (the parenthesis at {line}:{column} is still open)"
        before = [self.text[max(0, end - 100) : end] for end in (*still_open[-3:], self.at)]
        instead = _instead(before, here)
        message += f"; {instead}" if instead else ""
        raise self.source.error(message, place)

    # --- sections --------------------------------------------------------------------------------

    def section(self) -> Section:
        heading = self.expect(Kind.SECTION)
        name = section_name(heading.text)
        assert name is not None, "only known headings are taken"
        if name == "#boardsize":
            return Section(name, heading, [self.expect(Kind.NUMBER), self.expect(Kind.NUMBER)])
        if name == "#depth":
            return Section(name, heading, [self.expect(Kind.NUMBER)])
        if name == "#blackturn":
            return Section(name, heading, [self.expect(Kind.NAME)])
        rule = self.goal if name in GOALS else self.action if name in ACTIONS else self.item
        return Section(name, heading, trees=list(iter(rule, None)))

    def goal(self) -> Tree | None:
        """The items on a line; none for False."""
        never = self.take(Kind.FALSE)
        items = [] if never else list(iter(self.item_on_line, None))
        if not never and not items:
            return None
        self.expect(Kind.END_OF_LINE, lines=False)
        return Tree("goal", items, [], (never or items[0]).offset)

    def action(self) -> Tree | None:
        keyword = self.take(Kind.ACTION)
        if keyword is None:
            return None
        name = self.expect(Kind.NAME, lines=False)
        first = self.expect(Kind.PARAMETERS).offset
        order = Kind.OPEN, Kind.PARAMETER, Kind.COMMA, Kind.PARAMETER, Kind.CLOSE
        parameters = Tree("parameters", [], [self.expect(kind) for kind in order], first)
        conditions = []
        for kind in (Kind.PRECONDITION, Kind.EFFECT):
            self.expect(kind)
            conditions.append(self.item(Kind.OPEN) or self.fail())
        return Tree("action", [parameters, *conditions], [name], keyword.offset)

    # --- conditions ------------------------------------------------------------------------------

    def item_on_line(self) -> Tree | None:
        return self.item(lines=False)

    def item(self, *first: Kind, lines: bool = True) -> Tree | None:
        """A cell, a negation or a group, however deep; None if something else comes next.

        `first` are the kinds of its first token, if not all will do.
        """
        starts = Kind.OPEN, Kind.NOT, Kind.PREDICATE
        groups: list[tuple[int, list[Tree]]] = []  # those still open, with their offsets
        token = self.take(*(first or starts), lines=lines)
        while token is not None:
            if token.kind is Kind.OPEN:
                groups.append((token.offset, []))
            else:
                if token.kind is Kind.CLOSE:
                    offset, items = groups.pop()
                    item = Tree("group", items, [], offset)
                elif token.kind is Kind.NOT:
                    self.expect(Kind.OPEN, lines=False)
                    cell = self.cell(self.expect(Kind.PREDICATE))
                    self.expect(Kind.CLOSE)
                    item = Tree("negation", [cell], [], token.offset)
                else:
                    item = self.cell(token)
                if not groups:
                    return item
                groups[-1][1].append(item)
            token = self.expect(*starts, Kind.CLOSE)
        return None

    def cell(self, predicate: Token) -> Tree:
        self.expect(Kind.OPEN, lines=False)
        x = self.coordinate()
        self.expect(Kind.COMMA)
        y = self.coordinate()
        self.expect(Kind.CLOSE)
        return Tree("cell", [x, y], [predicate], predicate.offset)

    def coordinate(self) -> Tree:
        tokens = [self.expect(Kind.PARAMETER, Kind.NUMBER, Kind.EXTREME)]
        if tokens[0].kind is Kind.PARAMETER and (sign := self.take(Kind.SIGN)):
            tokens += [sign, self.expect(Kind.NUMBER)]
        return Tree("coordinate", [], tokens, tokens[0].offset)


# What people write first for a rule that has no words of its own in BDDL, and what to write.
_EACH = "write an action for each, or goals on lines of their own"
_INSTEAD = {
    "or": f"for one of several conditions {_EACH}",
    "xor": f"for one of several conditions {_EACH}",
    "and": "conditions that stand beside each other must all hold: leave the word out",
    "not": "NOT is about one cell; for NOT of several, write an action for each that fails",
    "forall": f"for many cells list them, or {_EACH}",
    "exists": f"for one of many cells {_EACH}",
    "when": "for an effect that depends on the position write an action for each case",
    "if": "for an effect that depends on the position write an action for each case",
}
_LAST_WORD = re.compile(r"(\w*)\s*\Z")


def _instead(before: list[str], here: str) -> str | None:
    """What to write instead of a rule that is no BDDL.

    It is told by the word here, by the last one before, or by one before a parenthesis that is
    still open: all texts end with such a word.
    """
    words = [here, *(word for text in before for word in _LAST_WORD.findall(text))]
    for word in map(str.lower, words):
        if word in _INSTEAD:
            return _INSTEAD[word]
    if here[:1] in ("?", "*", "/"):
        return "a cell is (?x,?y), or shifted as in ?x+1; for other cells write more actions"
    return None


def _open_parentheses(text: str) -> list[int]:
    """The offsets of the parentheses that a text opens and does not close.

    >>> _open_parentheses("(a (b) (c % )")
    [0, 7]
    """
    offsets: list[int] = []
    for sign in _PARENTHESIS_OR_COMMENT.finditer(text):
        if sign[0] == "(":
            offsets.append(sign.start())
        elif sign[0] == ")" and offsets:
            offsets.pop()
    return offsets
