"""Games in GDL, the Game Description Language, in prefix (KIF) or in infix notation.

Every error names its place. What is checked besides the syntax makes a description mean one thing
and end: variables are bound, relations are stratified and used as the language says (Love et al.
2008, §2 and 3), and recursion through functions is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from math import prod
from typing import NamedTuple, TypeVar

from skolemate.errors import brief, suggestion
from skolemate.formats.source import Place, Source
from skolemate.games.gdl.description import (
    DISTINCT,
    Atom,
    Description,
    Literal,
    Rule,
    Term,
    variables,
    written,
)
from skolemate.games.gdl.game import GdlGame
from skolemate.games.gdl.grounding import TooLarge

# --- expressions ----------------------------------------------------------------------------------


DEEPEST = 100  # parentheses within parentheses

_TOKEN = re.compile(r"[()]|[^\s();]+|;.*")


class Node(NamedTuple):
    """A word, or a list in parentheses, and where it begins."""

    place: Place
    content: str | list[Node]

    @property
    def word(self) -> str | None:
        return self.content if isinstance(self.content, str) else None

    @property
    def parts(self) -> list[Node]:
        """A list's parts; a word is a list of itself."""
        return [self] if isinstance(self.content, str) else self.content

    @property
    def operator(self) -> str:
        """The word that a list begins with, in lower case; empty if there is none."""
        return (self.parts[0].word or "").lower() if self.parts else ""


def expressions(source: Source) -> Iterator[Node]:
    """The expressions of a file, one after the other."""
    lists: list[Node] = []
    for number, line in enumerate(source.text.split("\n"), 1):
        for token in _TOKEN.finditer(line):
            place = Place(number, 1 + token.start())
            if token[0].startswith(";"):
                break
            if token[0] == "(":
                if len(lists) == DEEPEST:
                    raise source.error(f"more than {DEEPEST} parentheses are open here", place)
                lists.append(Node(place, []))
                continue
            if token[0] == ")":
                if not lists:
                    raise source.error("this parenthesis closes nothing", place)
                node = lists.pop()
                if not node.content:
                    raise source.error("there is nothing between these parentheses", node.place)
            else:
                node = Node(place, token[0])
            if lists:
                assert isinstance(lists[-1].content, list)
                lists[-1].content.append(node)
            elif node.word is not None:
                told = f"{brief(node.word)} stands alone; facts and rules are in parentheses"
                raise source.error(told, place)
            else:
                yield node
    if lists:
        raise source.error("this parenthesis is never closed", lists[-1].place)


# --- the infix dialect ----------------------------------------------------------------------------
# head(X) :- body(X) & ~other(X), without parentheses around rules: the same expressions. Words with
# a capital are variables, rules may end with a full stop, and `%` begins a comment.


_INFIX_TOKEN = re.compile(r":-|<=|[(),&|~.]|[^\s(),&|~.%;:]+|[%;].*|.")


class Infix:
    """Reads expressions in the infix dialect."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = [
            Node(Place(number, 1 + token.start()), token[0])
            for number, line in enumerate(source.text.split("\n"), 1)
            for token in _INFIX_TOKEN.finditer(line)
            if not token[0].isspace() and token[0][0] not in "%;"
        ]
        self.tokens.append(Node(source.end, ""))
        self.at = 0
        self.open = 0  # parentheses

    def expressions(self) -> Iterator[Node]:
        while self._now:
            place = self.tokens[self.at].place
            head = self._term()
            if self._skips(":-", "<="):
                yield Node(place, [Node(place, "<="), head, *self._joined("&", self._literal)])
            else:
                yield head if isinstance(head.content, list) else Node(place, [head])
            self._skips(".")

    @property
    def _now(self) -> str:
        return self.tokens[self.at].word or ""

    def _skips(self, *words: str) -> bool:
        found = self._now in words
        self.at += found
        return found

    def _expect(self, word: str) -> None:
        if not self._skips(word):
            told = brief(self._now) if self._now else "the end"
            raise self.source.error(f"{word} is missing before {told}", self.tokens[self.at].place)

    def _joined(self, sign: str, read: Callable[[], Node]) -> list[Node]:
        found = [read()]
        while self._skips(sign):
            found.append(read())
        return found

    def _literal(self) -> Node:
        place = self.tokens[self.at].place
        if self._skips("~"):
            return Node(place, [Node(place, "not"), self._literal()])
        if self._skips("("):
            with self._inside():
                ways = self._joined("|", self._conjunction)
            return ways[0] if len(ways) == 1 else Node(place, [Node(place, "or"), *ways])
        return self._term()

    def _conjunction(self) -> Node:
        place = self.tokens[self.at].place
        parts = self._joined("&", self._literal)
        return parts[0] if len(parts) == 1 else Node(place, [Node(place, "and"), *parts])

    def _term(self) -> Node:
        word = self.tokens[self.at]
        if not self._now or self._now[0] in "():,&|~.-<":
            told = f"{brief(self._now)} cannot stand here" if self._now else "something is missing"
            raise self.source.error(told, word.place)
        self.at += 1
        name = word.word or ""
        if not self._skips("("):
            return Node(word.place, f"?{name}" if name[0].isupper() or name[0] == "_" else name)
        with self._inside():
            return Node(word.place, [word, *self._joined(",", self._term)])

    @contextmanager
    def _inside(self) -> Iterator[None]:
        if self.open == DEEPEST:
            place = self.tokens[self.at].place
            raise self.source.error(f"more than {DEEPEST} parentheses are open here", place)
        self.open += 1
        yield
        self._expect(")")
        self.open -= 1


def read_expressions(source: Source) -> Iterator[Node]:
    """The expressions of a file in either dialect: the prefix one begins with a parenthesis."""
    lines = (line.lstrip() for line in source.text.split("\n"))
    first = next((line for line in lines if line and line[0] not in ";%"), "(")
    return expressions(source) if first[0] == "(" else Infix(source).expressions()


# --- rules ----------------------------------------------------------------------------------------


ARITIES = {
    "role": 1,
    "init": 1,
    "true": 1,
    "does": 2,
    "next": 1,
    "legal": 2,
    "goal": 2,
    "terminal": 0,
    "base": 1,
    "input": 2,
    DISTINCT: 2,
}
CONNECTIVES = ("<=", "and", "or", "not")
ONLY_IN_BODIES = ("true", "does", DISTINCT)
ONLY_IN_HEADS = ("init", "next")
MOST_BODIES = 1000  # alternatives of one rule by `or`

Way = TypeVar("Way")


class Reader:
    """Turns expressions into rules; knows how many arguments each relation has."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.arities = dict(ARITIES)

    def description(self) -> Description:
        rules = [rule for node in read_expressions(self.source) for rule in self.rules(node)]
        return Description(tuple(dict.fromkeys(rules)))

    def rules(self, node: Node) -> Iterator[Rule]:
        """The rules that an expression stands for: one for each way to choose at every `or`."""
        head, body = node, list[Node]()
        if node.operator == "<=":
            if len(node.parts) < 2:
                raise self.source.error("this rule has no head", node.place)
            _, head, *body = node.parts
        atom = self.atom(head)
        if atom[0] in ONLY_IN_BODIES:
            raise self.source.error(f"{atom[0]} is predefined: no rule can define it", head.place)
        for literals in self._all([self.bodies(part) for part in body], node):
            yield Rule(atom, literals, head.place)

    def bodies(self, node: Node) -> list[tuple[Literal, ...]]:
        """The alternatives that part of a body stands for."""
        if node.operator == "<=":
            raise self.source.error("a rule cannot stand inside a rule", node.place)
        inside = node.parts[1:]
        if node.operator == "or":
            ways = [way for part in inside for way in self.bodies(part)]
            return self._few(ways, len(ways), node)
        if node.operator == "and":
            return self._all([self.bodies(part) for part in inside], node)
        negated = node.operator == "not"
        if negated:
            if len(inside) != 1 or inside[0].operator in CONNECTIVES:
                raise self.source.error("not takes one relation", node.place)
            node = inside[0]
        atom = self.atom(node)
        if atom[0] in ONLY_IN_HEADS:
            raise self.source.error(f"{atom[0]} cannot be used in a body", node.place)
        return [(Literal(atom, negated, node.place),)]

    def _all(self, parts: list[list[tuple[Literal, ...]]], node: Node) -> list[tuple[Literal, ...]]:
        """One alternative of each part, in every way."""
        self._few(parts, prod(map(len, parts)), node)
        return [sum(chosen, ()) for chosen in product(*parts)]

    def _few(self, ways: list[Way], count: int, node: Node) -> list[Way]:
        if count > MOST_BODIES:
            told = f"this stands for {count:,} rules, more than {MOST_BODIES:,}"
            raise self.source.error(f"{told}; give its parts names of their own", node.place)
        return ways

    def atom(self, node: Node) -> Atom:
        name, *arguments = node.parts
        if name.word is None:
            raise self.source.error("a relation's name is a word", name.place)
        if name.word.startswith("?"):
            raise self.source.error(f"{name.word} is a variable, not a relation", name.place)
        word = name.word
        if word.lower() in ARITIES or word.lower() in CONNECTIVES:
            word = word.lower()
        if word in CONNECTIVES:
            raise self.source.error(f"{word} cannot stand here", name.place)
        arity = self.arities.setdefault(word, len(arguments))
        if arity != len(arguments):
            told = f"{word} has {len(arguments)} arguments here"
            raise self.source.error(f"{told}, but {arity} elsewhere", node.place)
        return word, *map(self.term, arguments)

    def term(self, node: Node) -> Term:
        if node.word is None:
            name = node.parts[0].word
            if name is None or name.startswith("?"):
                raise self.source.error("a function's name is a word", node.parts[0].place)
            if len(node.parts) == 1:
                return name  # (noop) is noop
            return name, *map(self.term, node.parts[1:])
        if node.word == "?":
            raise self.source.error("this variable has no name", node.place)
        return node.word


# --- checks ---------------------------------------------------------------------------------------


Fault = tuple[str, tuple[int, int]]  # what is wrong, and its place


def faults(description: Description) -> Iterator[Fault]:
    """What is wrong with a description, the plainest faults first."""
    for name in ("role", "legal", "goal", "terminal"):
        if name not in description.by_relation:
            yield f"no rule or fact says what {name} is", (1, 1)
    yield from _undefined(description)
    for rule in description.rules:
        yield from _unsafe(rule)
    yield from _unstratified(description)
    yield from _endless(description)
    for given, names in (
        (("true", "does"), ("init", "role", "base", "input")),
        (("does",), ("legal", "goal", "terminal")),
    ):
        depending = description.depending_on(*given)
        for rule in (r for name in names for r in description.by_relation.get(name, ())):
            if any(literal.relation in depending for literal in rule.body):
                yield f"{rule.relation} depends on {' or '.join(given)}, and must not", rule.place
    yield from _values(description)


def _undefined(description: Description) -> Iterator[Fault]:
    given = {"true", "does", DISTINCT, *description.by_relation}
    roles = {rule.head[1] for rule in description.by_relation.get("role", ())}
    for rule in description.rules:
        for literal in rule.body:
            if literal.relation not in given and literal.relation not in ("base", "input"):
                near = suggestion(literal.relation, description.by_relation)
                yield f"nothing defines {brief(literal.relation)}: {near}", literal.place
        for atom, place in [(rule.head, rule.place), *((x.atom, x.place) for x in rule.body)]:
            if atom[0] in ("does", "legal", "goal", "input"):
                role = atom[1]
                if not any(variables(role)) and all(isinstance(r, str) for r in roles):
                    if roles and role not in roles:
                        yield f"{brief(written(role))} is no role", place


def _unsafe(rule: Rule) -> Iterator[Fault]:
    bound = {v for literal in rule.body if literal.binds for v in variables(literal.atom)}
    loose = [(rule.head, rule.place)]
    loose += [(literal.atom, literal.place) for literal in rule.body if not literal.binds]
    for atom, place in loose:
        for variable in variables(atom):
            if variable not in bound:
                where = "in the rule's body" if rule.body else "in a fact"
                yield f"nothing {where} gives {variable} a value", place


def _unstratified(description: Description) -> Iterator[Fault]:
    for component in description.components:
        for name in component:
            for rule in description.by_relation.get(name, ()):
                for literal in rule.body:
                    if literal.negated and literal.relation in component:
                        told = f"{name} depends on its own negation"
                        yield f"{told}, through not {written(literal.atom)}", literal.place


def _endless(description: Description) -> Iterator[Fault]:
    """Recursion that makes ever larger terms: the language's restriction, where it matters.

    An argument of the recursive part must be a constant, an argument of the head, or bound by
    something else. Without functions in the head there are finitely many atoms anyway.
    """
    for component in description.components:
        for rule in (r for name in component for r in description.by_relation.get(name, ())):
            arguments = rule.head[1:]
            if not any(isinstance(term, tuple) and any(variables(term)) for term in arguments):
                continue
            others = {
                argument
                for literal in rule.body
                if literal.binds and literal.relation not in component
                for argument in literal.atom[1:]
            }
            for literal in rule.body:
                if literal.relation in component and not literal.negated:
                    for argument in literal.atom[1:]:
                        if any(variables(argument)) and argument not in {*arguments, *others}:
                            told = f"{rule.relation} calls itself with ever larger terms"
                            yield f"{told}: nothing bounds {written(argument)}", literal.place


def _values(description: Description) -> Iterator[Fault]:
    for rule in description.by_relation["goal"]:
        value = written(rule.head[2])
        if not value.startswith("?") and not re.fullmatch("[0-9]|[1-9][0-9]|100", value):
            yield f"a goal is worth 0 to 100, not {brief(value)}", rule.place


# --- games ----------------------------------------------------------------------------------------


def parse_gdl(source: Source) -> Description:
    """The description in a text, checked."""
    description = Reader(source).description()
    for message, place in faults(description):
        raise source.error(message, Place(*place))
    return description


def read_gdl(source: Source) -> GdlGame:
    """The game that a text describes, asked about for its first role."""
    description = parse_gdl(source)
    try:
        return GdlGame.of(description)
    except TooLarge as fault:
        raise source.error(str(fault), Place(*fault.place)) from None
