"""BDDL files, read and written: a domain and a problem, in one file or in two.

Every error names its place. A model in which players only claim open cells for sets of their own
is a positional game, and is read as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, NoReturn

from lark import Lark, Token, Tree, UnexpectedInput, UnexpectedToken
from lark.lark import PostLex

from skolemate.errors import UserError, brief, suggestion
from skolemate.formats.recognise import placement_game
from skolemate.formats.source import Place, Source
from skolemate.games import DEEPEST, Game, Grid, Player, cells_of
from skolemate.games.bddl import meaning
from skolemate.games.bddl import model as bddl
from skolemate.games.bddl.game import BddlGame

# --- sections -------------------------------------------------------------------------------------


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


# --- syntax ---------------------------------------------------------------------------------------


_WORD = re.compile(r"[#:?]?[\w-]+|[^\n]")
_PARENTHESIS_OR_COMMENT = re.compile(r"[()]|%[^\n]*")


class _Parentheses(PostLex):
    """Drops newlines inside parentheses. It has no state: threads share the parser."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        depth = 0
        for token in stream:
            if token.type == "LPAR":
                depth += 1
            elif token.type == "RPAR" and depth:
                depth -= 1
            if token.type != "_NL" or not depth:
                yield token


@cache
def _parser() -> Lark:
    grammar = files(__package__).joinpath("bddl.lark").read_text()
    return Lark(
        grammar,
        parser="lalr",
        postlex=_Parentheses(),
        maybe_placeholders=False,
        propagate_positions=True,
    )


# What the grammar's terminals look like, for messages.
_LOOKS = {
    "LPAR": "(",
    "RPAR": ")",
    "COMMA": ",",
    "NOT": "NOT(…)",
    "FALSE": "False",
    "NAME": "a name",
    "PREDICATE": "black(…), white(…) or open(…)",
    "INT": "a number",
    "PARAMETER": "?x or ?y",
    "SIGN": "+ or -",
    "EXTREME": "xmin, xmax, ymin or ymax",
    **dict.fromkeys(["BOARDSIZE", "INIT", "DEPTH", "BLACKTURN", "GOALS", "ACTIONS"], "a section"),
    "$END": "the end of the file",
}


def syntax_tree(source: Source) -> Tree[Token]:
    """The text as a tree of sections; raises an error with its place if the syntax is wrong."""
    try:
        return _parser().parse(source.text + "\n")
    except UnexpectedInput as error:
        raise _explained(source, error) from None


def _explained(source: Source, error: UnexpectedInput) -> UserError:
    """A syntax error as a message: what is there, and what was expected."""
    at = len(source.text)
    at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    if not at_end and error.pos_in_stream is not None:  # lark puts the end at the last token
        at = min(at, error.pos_in_stream)
    word = _WORD.match(source.text, at)
    here = word[0] if word else ""
    place = source.place(at)
    if here.startswith("#") and section_name(here) is None:
        message = f"unknown section {brief(here)}: {suggestion(here, SECTIONS)}"
        return source.error(message, place)
    expected = set(getattr(error, "accepts", None) or getattr(error, "expected", None) or ())
    expected |= getattr(error, "allowed", None) or set()
    looks = sorted(
        {_LOOKS.get(name, name.lower().replace("_", ":")) for name in expected - {"_NL"}}
    )
    if "_NL" in expected:
        looks.append("the end of the line")
    message = f"{brief(here)} cannot stand here"
    if not here:
        message = f"the {'line' if source.text[at:].strip() else 'file'} ends too early"
    message += f"; expected {' or '.join(looks)}" if looks else ""
    still_open = _open_parentheses(source.text[:at])
    if still_open and "RPAR" in expected:
        line, column = source.place(still_open[-1])
        message += f" (the parenthesis at {line}:{column} is still open)"
    before = [source.text[max(0, end - 100) : end] for end in (*still_open[-3:], at)]
    instead = _instead(before, here)
    message += f"; {instead}" if instead else ""
    return source.error(message, place)


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


# --- reading --------------------------------------------------------------------------------------


SyntaxNode = Any  # a tree or a token of lark's: the grammar says which

OPTIONAL = ("#depth", "#blackturn")
CONTENTS = tuple(content.value for content in bddl.Content)
LARGEST_NUMBER = 999_999_999
TURNS = {"first": Player.BLACK, "second": Player.WHITE}  # who begins, by Black's turn


def parse_bddl(text: str, domain: str | None = None, file: str = "text.bddl") -> Game:
    """The game that a text describes; the domain may be a text of its own.

    >>> game = parse_bddl('''
    ... #blackactions
    ... :action right
    ... :parameters (?x,?y)
    ... :precondition (black(?x,?y) NOT(black(?x+1,?y)))
    ... :effect (open(?x,?y) black(?x+1,?y))
    ... #whiteactions
    ... #boardsize 3 1
    ... #init (black(1,1))
    ... #depth 3
    ... #blackgoals
    ... (black(xmax,?y))
    ... #whitegoals
    ... ''')
    >>> game.start.move_names()
    ['right(1,1)']
    """
    given = None if domain is None else Source.of("domain", domain)
    return read_bddl(Source.of(file, text), given)


def read_bddl(source: Source, domain: Source | None = None) -> Game:
    """The game that a source describes, or a problem and its domain; named after the first."""
    return _BddlFile.of(source, domain).game()


@dataclass(frozen=True)
class _BddlSection:
    """A section, with the source for the places of errors."""

    source: Source
    tree: SyntaxNode

    def wrong(self, node: SyntaxNode, message: str) -> NoReturn:
        raise self.source.error(message, _place(node))

    def number(self, tree: SyntaxNode) -> int:
        (digits,) = tree.children
        if len(digits) > len(str(LARGEST_NUMBER)):
            most = f"at most {LARGEST_NUMBER:,} is read"
            self.wrong(tree, f"{brief(str(digits))} is too large a number; {most}")
        return int(str(digits))

    def condition(self, tree: SyntaxNode, anchors: frozenset[bddl.Anchor]) -> bddl.Condition:
        """The condition in parentheses, or on a line."""
        parts = [self.part(self.unwrapped(item), anchors) for item in tree.children]
        held: dict[tuple[bddl.Coordinate, bddl.Coordinate], frozenset[bddl.Content]] = {}
        for part, item in zip(parts, tree.children, strict=True):
            possible = frozenset({part.content})
            possible = frozenset(bddl.Content) - possible if part.negated else possible
            held[part.x, part.y] = held.get((part.x, part.y), frozenset(bddl.Content)) & possible
            if not held[part.x, part.y]:
                message = f"{part} contradicts what is said of the same cell before"
                self.wrong(item, f"{message}; leave one out, or write an action for each")
        return bddl.Condition(tuple(parts))

    def unwrapped(self, item: SyntaxNode) -> SyntaxNode:
        """An item without the parentheses that may be around it, as in (NOT(open(?x,?y)))."""
        while item.data == "group":
            if len(item.children) != 1:
                instead = "for one of several write an action each, or goals on lines of their own"
                self.wrong(item, f"parentheses in a condition hold one sub-condition; {instead}")
            (item,) = item.children
        return item

    def part(self, item: SyntaxNode, anchors: frozenset[bddl.Anchor]) -> bddl.Subcondition:
        negated = item.data == "negation"
        name, x, y = (item.children[1] if negated else item).children
        if name.lower() not in CONTENTS:
            near = suggestion(str(name)[:40], CONTENTS)
            third = "a third kind of piece needs two cells, on a second board beside the first"
            self.wrong(name, f"unknown predicate {brief(str(name))}: {near}; {third}")
        content = bddl.Content(name.lower())
        place = self.coordinate(x, "x", anchors), self.coordinate(y, "y", anchors)
        return bddl.Subcondition(content, *place, negated)

    def coordinate(
        self, tree: SyntaxNode, axis: str, anchors: frozenset[bddl.Anchor]
    ) -> bddl.Coordinate:
        first = tree.children[0]
        if isinstance(first, Tree):
            coordinate = bddl.Coordinate(bddl.Anchor.NUMBER, self.number(first))
        elif first.type == "EXTREME":
            coordinate = bddl.Coordinate(bddl.Anchor(first[1:]))
        else:
            shift = self.number(tree.children[2]) if len(tree.children) > 1 else 0
            sign = -1 if shift and tree.children[1] == "-" else 1
            coordinate = bddl.Coordinate(bddl.Anchor.PARAMETER, sign * shift)
        if isinstance(first, Token) and axis not in first[:2]:
            wrong = f"{coordinate.written(first.strip('?')[0])} cannot be the {axis} of a cell"
            self.wrong(tree, f"{wrong}; write (?x,?y), with x first")
        if coordinate.anchor not in anchors:
            self.wrong(tree, f"{coordinate.written(axis)} cannot stand here: {_WHY_NOT[anchors]}")
        return coordinate


IN_DOMAIN = frozenset({bddl.Anchor.PARAMETER, bddl.Anchor.FIRST, bddl.Anchor.LAST})
IN_START = frozenset({bddl.Anchor.NUMBER})
ANYWHERE = frozenset(bddl.Anchor)
_WHY_NOT = {
    IN_DOMAIN: "a domain does not know the board; write ?x, xmin or xmax, ?y, ymin or ymax",
    IN_START: "the start gives each cell by two numbers",
}


def _place(node: SyntaxNode) -> Place:
    at = node if isinstance(node, Token) else node.meta
    return Place(at.line or 1, at.column or 1)


@dataclass(frozen=True)
class _BddlFile:
    """The sections of a problem and its domain, by the names of the paper."""

    source: Source
    sections: Mapping[str, _BddlSection]

    @classmethod
    def of(cls, source: Source, domain: Source | None) -> _BddlFile:
        sections: dict[str, _BddlSection] = {}
        origins = [source] if domain is None else [source, domain]
        for section in (_BddlSection(o, tree) for o in origins for tree in syntax_tree(o).children):
            heading = section.tree.children[0]
            name = section_name(heading)
            assert name is not None, "the grammar knows the sections"
            if name in sections:
                section.wrong(heading, f"section {heading} is given twice; leave one out")
            sections[name] = section
        for name in SECTIONS:
            if name not in sections and name not in OPTIONAL:
                raise source.error(_missing(name, sections), source.end)
        return cls(source, sections)

    def game(self) -> Game:
        model = self.model
        self._check_goals_fit()
        self._check_start()
        depth = self._depth()
        try:
            return placement_game(model, depth) or BddlGame(self.source.file, model, depth=depth)
        except UserError as error:  # each part is right by itself, but they do not fit together
            raise self.source.error(str(error), self.source.end) from None

    @cached_property
    def model(self) -> bddl.Model:
        width, height = self._size()
        black, white = self._start(width, height)
        return bddl.Model(
            width,
            height,
            (self._actions(ACTIONS[0]), self._actions(ACTIONS[1])),
            (self._goals(GOALS[0], width, height), self._goals(GOALS[1], width, height)),
            black,
            white,
            self._first(),
        )

    def _size(self) -> tuple[int, int]:
        section = self.sections["#boardsize"]
        _, *numbers = section.tree.children
        width, height = (section.number(number) for number in numbers)
        try:
            Grid(width, height)
        except UserError as error:
            section.wrong(numbers[0], f"{error}; write columns and rows, as in 8 8")
        return width, height

    def _depth(self) -> int | None:
        if "#depth" not in self.sections:
            return None
        section = self.sections["#depth"]
        number = section.tree.children[1]
        depth = section.number(number)
        if depth > DEEPEST:
            beyond = f"a depth of {depth} plies is beyond the limit of {DEEPEST:,}"
            section.wrong(number, f"{beyond}; leave #depth out for any depth")
        return depth

    def _first(self) -> Player:
        if "#blackturn" not in self.sections:
            return Player.BLACK
        section = self.sections["#blackturn"]
        word = section.tree.children[1]
        if word.lower() not in TURNS:
            message = f"Black moves first or second, not {brief(str(word))}"
            section.wrong(word, f"{message}; write #blackturn second if White begins")
        return TURNS[word.lower()]

    def _start(self, width: int, height: int) -> tuple[int, int]:
        section = self.sections["#init"]
        masks = dict.fromkeys(bddl.Content, 0)
        _, *items = section.tree.children
        if len(items) == 1 and items[0].data == "group":
            items = items[0].children
        for item in map(section.unwrapped, items):
            part = section.part(item, IN_START)
            if part.negated:
                message = "the start says what is on a cell, not what is not"
                section.wrong(item, f"{message}; cells that are not listed are open")
            self._check_inside(section, item, part, width, height)
            bit = 1 << (part.x.number - 1) * height + part.y.number - 1
            if sum(masks.values()) & bit:
                cell = f"cell ({part.x.number},{part.y.number})"
                section.wrong(item, f"{cell} is given twice; it holds one stone: leave one out")
            masks[part.content] |= bit
        return masks[bddl.Content.BLACK], masks[bddl.Content.WHITE]

    def _check_inside(
        self,
        section: _BddlSection,
        item: SyntaxNode,
        part: bddl.Subcondition,
        width: int,
        height: int,
    ) -> None:
        for coordinate, last in ((part.x, width), (part.y, height)):
            if coordinate.anchor is bddl.Anchor.NUMBER and not 1 <= coordinate.number <= last:
                size = f"{width}x{height}"
                message = f"{part} lies off the {size} board; #boardsize has columns, then rows"
                section.wrong(item, message)

    def _actions(self, name: str) -> tuple[bddl.Action, ...]:
        section = self.sections[name]
        actions: dict[str, bddl.Action] = {}
        for tree in section.tree.children[1:]:
            word, parameters, precondition, effect = tree.children
            if [str(parameter) for parameter in parameters.children] != ["?x", "?y"]:
                message = "the parameters of an action are (?x,?y); for other cells shift these"
                section.wrong(parameters, f"{message}, as in ?x+1, in an action for each shift")
            if word.lower() in {known.lower() for known in actions}:
                message = f"action {word} is given twice; moves are called by it"
                section.wrong(word, f"{message}: choose another name")
            for item in effect.children:
                if section.unwrapped(item).data == "negation":
                    message = "an effect says what a cell becomes; NOT leaves that open"
                    section.wrong(item, f"{message}; write an action for each content")
            if not effect.children:
                section.wrong(effect, f"action {word} has no effect; say what it changes")
            actions[word] = bddl.Action(
                str(word),
                section.condition(precondition, IN_DOMAIN),
                section.condition(effect, IN_DOMAIN),
            )
        return tuple(actions.values())

    def _goals(self, name: str, width: int, height: int) -> bddl.Goals:
        section = self.sections[name]
        goals = []
        for tree in self._goal_trees(section):
            goal = section.condition(tree, ANYWHERE)
            if not goal.parts:
                section.wrong(tree, "an empty goal always holds; write False, or nothing, for none")
            for item, part in zip(tree.children, goal.parts, strict=True):
                self._check_inside(section, item, part, width, height)
            goals.append(goal)
        return tuple(goals)

    def _goal_trees(self, section: _BddlSection) -> Iterator[SyntaxNode]:
        """The conditions, with or without parentheses around them."""
        for line in section.tree.children[1:]:
            items = [item for item in line.children if isinstance(item, Tree)]
            groups = [item for item in items if item.data == "group"]
            if len(items) == 1 and groups:
                yield groups[0]
            elif len(groups) > 1 and len(groups) == len(items):
                section.wrong(groups[1], "a goal ends with its line; write the next one below")
            elif items:
                yield line

    def _check_goals_fit(self) -> None:
        for name, player in zip(GOALS, Player, strict=True):
            goals = self.model.goals_of(player)
            if goals and not any(any(meaning.indices(self.model, goal)) for goal in goals):
                size = f"{self.model.width}x{self.model.height}"
                section = self.sections[name]
                message = f"no goal fits the {size} board; write False for a player without a goal"
                section.wrong(next(self._goal_trees(section)), message)

    def _check_start(self) -> None:
        """The first line of Definition 9, with the goal's place."""
        model = self.model
        state = meaning.state_of(model, model.black, model.white)
        for name, player in zip(GOALS, Player, strict=True):
            goals = model.goals_of(player)
            won = meaning.won_at(model, state, goals)
            section = self.sections[name]
            trees = list(self._goal_trees(section))
            if won is not None:
                message = f"{player} has won at the start: this goal holds; change #init or it"
                section.wrong(trees[goals.index(won[0])], message)


def _missing(name: str, sections: Mapping[str, _BddlSection]) -> str:
    if not any(action in sections for action in ACTIONS):
        return "no actions: name the domain too, with --domain FILE, or put both into one file"
    if all(section in ACTIONS for section in sections):
        return "this is a domain: name the problem, and this file with --domain"
    return f"section {name} is missing; add it"


# --- writing --------------------------------------------------------------------------------------
# In the paper's form, domain and problem in one file. As in `.pg` files, the position is written
# from which questions are asked, not the moves before.


def to_bddl(game: Game) -> str:
    """The text of a `.bddl` file.

    >>> from skolemate.games.family import build
    >>> text = to_bddl(build("harary(shape=domino, width=2, height=2, moves=a1)"))
    >>> print(text[text.index("#boardsize"):], end="")
    #boardsize
    2 2
    #blackturn
    second
    #init
    (black(1,1))
    #depth
    3
    #blackgoals
    (black(?x,?y) black(?x,?y+1))
    (black(?x,?y) black(?x+1,?y))
    #whitegoals
    (white(?x,?y) white(?x,?y+1))
    (white(?x,?y) white(?x+1,?y))
    """
    model = game.bddl()
    if game.start.winner is not None:  # Definition 9 would make a reader refuse it
        raise UserError(f"{game} cannot be written in BDDL: {game.start.winner} has won already")
    depth = game.horizon if game.remaining_depth is None else game.remaining_depth
    remarks = [*str(game).splitlines(), "", *str(game.start).splitlines(), ""]
    lines = [f"% {line}".rstrip() for line in remarks]
    for player in Player:
        lines.append(f"#{player.value}actions")
        for action in model.actions_of(player):
            lines += _action(action)
    lines += ["#boardsize", f"{model.width} {model.height}"]
    if model.first is Player.WHITE:
        lines += ["#blackturn", "second"]
    lines += ["#init", _start(model)]
    if depth is not None and depth <= DEEPEST:
        lines += ["#depth", str(depth)]
    for player in Player:
        lines.append(f"#{player.value}goals")
        lines += map(str, model.goals_of(player))
    return "\n".join(lines) + "\n"


def _action(action: bddl.Action) -> list[str]:
    conditions: list[tuple[str, bddl.Condition]] = [
        (":precondition", action.precondition),
        (":effect", action.effect),
    ]
    return [
        f":action {action.name}",
        ":parameters (?x,?y)",
        *(f"{name} {condition}" for name, condition in conditions),
    ]


def _start(model: bddl.Model) -> str:
    stones = [
        f"{player.value}({x + 1},{y + 1})"
        for player, mask in ((Player.BLACK, model.black), (Player.WHITE, model.white))
        for x, y in (divmod(cell, model.height) for cell in cells_of(mask))
    ]
    return f"({' '.join(stones)})"
