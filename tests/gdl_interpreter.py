"""GDL read and played straight from the definitions, to compare with: a naive recursive prover.

It shares no code with what it tests: its own reader, no grounding, no network. Relations that
depend on themselves are proved by iterating until nothing changes, for the whole state at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

Expression = Any  # a word, or a list of expressions


def read(text: str) -> list[Expression]:
    words = re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text))
    stack: list[list[Expression]] = [[]]
    for word in words:
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    return stack[0]


def resolved(term: Expression, bound: dict[str, Expression]) -> Expression:
    if isinstance(term, list):
        return [resolved(part, bound) for part in term]
    return bound.get(term, term)


def unified(pattern: Expression, term: Expression, bound: dict[str, Expression]) -> Any:
    """The bindings under which a pattern is a ground term; None if there are none."""
    if isinstance(pattern, str) and pattern.startswith("?"):
        if pattern not in bound:
            return bound | {pattern: term}
        pattern = bound[pattern]
    if isinstance(pattern, str) or isinstance(term, str):
        return bound if pattern == term else None
    if len(pattern) != len(term):
        return None
    for one, other in zip(pattern, term, strict=True):
        bound = unified(one, other, bound)
        if bound is None:
            return None
    return bound


class Interpreter:
    """The rules of a text, and what follows from them in a state."""

    def __init__(self, text: str) -> None:
        self.rules: dict[str, list[tuple[Expression, list[Expression]]]] = {}
        for item in read(text):
            head, body = (item[1], item[2:]) if item[0] == "<=" else (item, [])
            head = [head] if isinstance(head, str) else head
            self.rules.setdefault(head[0], []).append((head, ordered(body, set())))
        self.roles = [head[1] for head, _ in self.rules["role"]]
        self.reaches = {name: self._reached(name) for name in self.rules}
        self.fixed: dict[str, list[Expression]] = {}  # relations that never change

    def _reached(self, name: str) -> set[str]:
        found: set[str] = set()
        waiting = [name]
        while waiting:
            for _, body in self.rules.get(waiting.pop(), []):
                fresh = set(mentioned(body)) - found
                found |= fresh
                waiting += fresh
        return found

    def solutions(self, relation: str, state: State, does: Moves) -> list[Expression]:
        """All atoms of a relation that hold."""
        return World(self, state, does).all(relation)

    def start(self) -> State:
        return frozen(self.solutions("init", frozenset(), {}))

    def legal(self, state: State) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {role: [] for role in self.roles}
        for _, role, move in self.solutions("legal", state, {}):
            found[role].append(tupled(move))
        return found

    def next(self, state: State, does: Moves) -> State:
        return frozen(self.solutions("next", state, does))

    def is_terminal(self, state: State) -> bool:
        return bool(self.solutions("terminal", state, {}))

    def goals(self, state: State) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {role: set() for role in self.roles}
        for _, role, value in self.solutions("goal", state, {}):
            found[role].add(int(value))
        return found

    def joint_moves(self, state: State) -> Iterator[Moves]:
        legal = self.legal(state)
        for chosen in product(*legal.values()):
            yield dict(zip(legal, chosen, strict=True))


def mentioned(body: list[Expression]) -> Iterator[str]:
    """The relations in a body."""
    for part in body:
        name = part if isinstance(part, str) else part[0]
        if name in ("and", "or", "not"):
            yield from mentioned(part[1:])
        else:
            yield name


State = frozenset[Any]
Moves = dict[str, Any]


def tupled(term: Expression) -> Any:
    return tuple(map(tupled, term)) if isinstance(term, list) else term


def listed(term: Any) -> Expression:
    return list(map(listed, term)) if isinstance(term, tuple) else term


def frozen(atoms: list[Expression]) -> State:
    return frozenset(tupled(atom[1]) for atom in atoms)


class World:
    """One state and perhaps one joint move: everything that follows."""

    def __init__(self, rules: Interpreter, state: State, does: Moves) -> None:
        self.rules, self.reaches, self.fixed = rules.rules, rules.reaches, rules.fixed
        self.known: dict[str, list[Expression]] = {
            **self.fixed,
            "true": [["true", listed(fact)] for fact in state],
            "does": [["does", role, listed(move)] for role, move in does.items()],
        }
        self.whole = set(self.known)  # relations of which all atoms are known
        self.asking: list[str] = []

    def all(self, relation: str) -> list[Expression]:
        if relation in self.whole:
            return self.known[relation]
        found = self.known.setdefault(relation, [])
        if relation in self.asking:  # recursion: what is known so far, and again later
            return found
        self.asking.append(relation)
        while True:
            before = len(found)
            for head, body in self.rules.get(relation, []):
                for bound in list(self.proved(body, {})):
                    atom = resolved(head, bound)
                    if atom not in found:
                        found.append(atom)
            if len(found) == before:
                break
        self.asking.pop()
        reached = self.reaches.get(relation, set())
        if reached.isdisjoint(self.asking):
            self.whole.add(relation)
            if reached.isdisjoint(("true", "does")):
                self.fixed[relation] = found
        return found

    def proved(self, body: list[Expression], bound: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if not body:
            yield bound
            return
        first, *rest = body
        name = first if isinstance(first, str) else first[0]
        if name in ("or", "and"):
            for way in first[1:] if name == "or" else [first]:
                parts = way[1:] if way[0] == "and" else [way]
                yield from self.proved(ordered([*parts, *rest], set(bound)), bound)
        elif name == "distinct":
            if resolved(first[1], bound) != resolved(first[2], bound):
                yield from self.proved(rest, bound)
        elif name == "not":
            if not any(True for _ in self.proved([first[1]], bound)):
                yield from self.proved(rest, bound)
        else:
            pattern = [first] if isinstance(first, str) else first
            for atom in list(self.all(pattern[0])):
                extended = unified(pattern, atom, bound)
                if extended is not None:
                    yield from self.proved(rest, extended)


def ordered(body: list[Expression], bound: set[str]) -> list[Expression]:
    """The same body; what binds nothing after what binds its variables, few new ones at a time."""
    rest, found = list(body), list[Expression]()

    def new(part: Expression) -> tuple[bool, int]:
        count = len(unbound(part) - bound)
        return count > 0 and part[0] in ("not", "distinct", "or", "and"), count

    while rest:
        first = min(rest, key=new)
        rest.remove(first)
        found.append(first)
        bound = bound | unbound(first)
    return found


def unbound(term: Expression) -> set[str]:
    """The variables in a term."""
    if isinstance(term, list):
        return set[str]().union(*map(unbound, term))
    return {term} if term.startswith("?") else set()
