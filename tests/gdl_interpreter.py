"""GDL read and played straight from the definitions, to compare with.

It shares no code with what it tests: its own reader, no grounding, no network. Every rule becomes a
function of Python, with a loop for each relation in its body; a relation is all atoms for which a
rule holds. Relations that depend on themselves are repeated until nothing changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

Term = Any  # a word, or a tuple of terms
Path = tuple[int, ...]  # to a term inside a term
State = frozenset[Term]
Moves = dict[str, Term]


# --- reading --------------------------------------------------------------------------------------


def read(text: str) -> list[Term]:
    words = re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text))
    stack: list[list[Term]] = [[]]
    for word in words:
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(tuple(done))
        else:
            stack[-1].append(word)
    return stack[0]


def atom(term: Term) -> tuple[Term, ...]:
    """A relation, also if it is written as a word."""
    return (term,) if isinstance(term, str) else term


def variables(term: Term) -> set[str]:
    if isinstance(term, str):
        return {term} if term.startswith("?") else set()
    return set[str]().union(*map(variables, term))


def alternatives(body: Iterable[Term]) -> Iterator[list[Term]]:
    """The bodies without `or` and `and`, of which one must hold."""
    ways: list[list[list[Term]]] = []
    for part in map(atom, body):
        if part[0] == "or":
            ways.append([way for choice in part[1:] for way in alternatives([choice])])
        elif part[0] == "and":
            ways.append(list(alternatives(part[1:])))
        else:
            ways.append([[part]])
    for chosen in product(*ways):
        yield [part for way in chosen for part in way]


def ordered(body: list[Term]) -> list[Term]:
    """The same body; tests after what gives their variables values, few new ones at a time."""
    rest, bound, found = list(body), set[str](), list[Term]()

    def cost(part: Term) -> tuple[bool, int]:
        new = len(variables(part) - bound)
        return new > 0 and part[0] in ("not", "distinct"), new

    while rest:
        first = min(rest, key=cost)
        rest.remove(first)
        found.append(first)
        bound |= variables(first)
    return found


# --- rules as functions ---------------------------------------------------------------------------


class Relation:
    """The atoms of a relation, and lists of those that have the same terms at some paths."""

    def __init__(self, atoms: Iterable[Term] = ()) -> None:
        self.atoms: dict[Term, None] = {}
        self.lists: dict[Paths, dict[Term, list[Term]]] = {}
        for each in atoms:
            self.add(each)

    def add(self, new: Term) -> None:
        if new not in self.atoms:
            self.atoms[new] = None
            for paths, lists in self.lists.items():
                self._sort(new, paths, lists)

    def like(self, paths: Paths) -> dict[Term, list[Term]]:
        """The atoms by their terms at some paths."""
        if paths not in self.lists:
            lists = self.lists[paths] = {}
            for each in self.atoms:
                self._sort(each, paths, lists)
        return self.lists[paths]

    @staticmethod
    def _sort(new: Term, paths: Paths, lists: dict[Term, list[Term]]) -> None:
        given, lengths = paths
        if all(isinstance(at(new, p), tuple) and len(at(new, p)) == n for p, n in lengths):
            lists.setdefault(tuple(at(new, path) for path in given), []).append(new)


# Where terms are given, and where there are tuples of which length.
Paths = tuple[tuple[Path, ...], tuple[tuple[Path, int], ...]]


def at(term: Term, path: Path) -> Term:
    for place in path:
        if isinstance(term, str) or place >= len(term):
            return None
        term = term[place]
    return term


Rule = Callable[[Callable[[str], Relation]], Iterator[Term]]


def compiled(head: Term, body: list[Term]) -> Rule:
    """A function that yields the head for every way in which the body holds.

    `(<= (u ?x) (succ ?x ?y) (not (v ?y)))` becomes

        def rule(relation):
            for a0 in relation('succ').like(paths0).get((), ()):
                v0 = a0[1]
                v1 = a0[2]
                if ('v', v1) not in relation('v').atoms:
                    yield ('u', v0)
    """
    names: dict[str, str] = {}
    given: dict[str, object] = {}
    lines = ["def rule(relation):"]
    depth = 1

    def value(term: Term) -> str:
        if isinstance(term, str):
            return names[term] if term.startswith("?") else repr(term)
        return f"({''.join(f'{value(part)}, ' for part in term)})"

    def state(line: str) -> None:
        nonlocal depth
        lines.append(" " * depth + line)
        depth += line.endswith(":")

    for number, part in enumerate(ordered(body)):
        negated = part[0] == "not"
        pattern = atom(part[1]) if negated else part
        if pattern[0] == "distinct":
            state(f"if {value(pattern[1])} {'==' if negated else '!='} {value(pattern[2])}:")
        elif variables(pattern) <= names.keys():
            sign = "not in" if negated else "in"
            state(f"if {value(pattern)} {sign} relation({pattern[0]!r}).atoms:")
        else:
            assert not negated, f"a variable without a value in {part}"
            known: list[tuple[Path, str]] = []
            lengths: list[tuple[Path, int]] = []
            new: list[tuple[str, Path]] = []
            for path, term in inside(pattern, ()):
                if isinstance(term, tuple):
                    lengths.append((path, len(term)))
                elif variables(term) <= names.keys():
                    known.append((path, value(term)))
                else:
                    new.append((term, path))
            given[f"paths{number}"] = (tuple(path for path, _ in known), tuple(lengths))
            key = "".join(f"{name}, " for _, name in known)
            found = f"relation({pattern[0]!r}).like(paths{number}).get(({key}), ())"
            state(f"for a{number} in {found}:")
            for variable, path in new:
                place = f"a{number}" + "".join(f"[{n}]" for n in path)
                if variable in names:  # twice in one pattern
                    state(f"if {names[variable]} == {place}:")
                else:
                    names[variable] = f"v{len(names)}"
                    state(f"{names[variable]} = {place}")
    state(f"yield {value(head)}")
    exec("\n".join(lines), given)
    rule: Rule = given["rule"]  # type: ignore[assignment]
    return rule


def inside(term: Term, path: Path) -> Iterator[tuple[Path, Term]]:
    """A term and all terms inside it, with their paths."""
    yield path, term
    if isinstance(term, tuple):
        for number, part in enumerate(term):
            yield from inside(part, (*path, number))


# --- what follows ---------------------------------------------------------------------------------


class World:
    """What follows from the rules, from a state too, or from a state and a joint move.

    What needs less than is given here is known by `parent`, where less is given.
    """

    def __init__(self, rules: Interpreter, parent: World | None, given: dict[str, Relation]):
        self.rules, self.parent = rules, parent
        self.level: int = 0 if parent is None else parent.level + 1
        self.known = dict(given)
        self.whole = set(given)  # relations of which all atoms are known
        self.asking: list[str] = []

    def relation(self, name: str) -> Relation:
        if name in self.whole:
            return self.known[name]
        if self.parent is not None and self.rules.level(name) < self.level:
            return self.parent.relation(name)
        found = self.known.setdefault(name, Relation())
        if name in self.asking:  # what is known so far, and again later
            return found
        self.asking.append(name)
        reached = self.rules.reached.get(name, set())
        while True:
            before = len(found.atoms)
            for rule in self.rules.rules.get(name, ()):
                for new in list(rule(self.relation)):
                    found.add(new)
            if name not in reached or len(found.atoms) == before:
                break
        self.asking.pop()
        if reached.isdisjoint(self.asking):
            self.whole.add(name)
        return found


class Interpreter:
    """The rules of a text, and what follows from them in a state."""

    def __init__(self, text: str) -> None:
        self.rules: dict[str, list[Rule]] = {}
        needs: dict[str, set[str]] = {}
        for item in read(text):
            head, body = (item[1], item[2:]) if item[0] == "<=" else (item, ())
            head = atom(head)
            for way in alternatives(body):
                self.rules.setdefault(head[0], []).append(compiled(head, way))
                names = {atom(part[1])[0] if part[0] == "not" else part[0] for part in way}
                needs.setdefault(head[0], set()).update(names)
        self.reached = {name: closed(needs, name) for name in needs}
        self.always = World(self, None, {})
        self.here = self._in(frozenset())
        self.roles = [role for _, role in self.always.relation("role").atoms]

    def level(self, name: str) -> int:
        """What a relation needs: 0 the rules alone, 1 the state, 2 the moves, too."""
        needed = self.reached.get(name, set()) | {name}
        return 2 if "does" in needed else int("true" in needed)

    def _in(self, state: State) -> World:
        self.state = state
        return World(self, self.always, {"true": Relation(("true", fact) for fact in state)})

    def _world(self, state: State) -> World:
        if self.state != state:
            self.here = self._in(state)
        return self.here

    def start(self) -> State:
        return frozenset(fact for _, fact in self.always.relation("init").atoms)

    def legal(self, state: State) -> dict[str, list[Term]]:
        found: dict[str, list[Term]] = {role: [] for role in self.roles}
        for _, role, move in self._world(state).relation("legal").atoms:
            found[role].append(move)
        return found

    def next(self, state: State, does: Moves) -> State:
        made = Relation(("does", role, move) for role, move in does.items())
        world = World(self, self._world(state), {"does": made})
        return frozenset(fact for _, fact in world.relation("next").atoms)

    def is_terminal(self, state: State) -> bool:
        return bool(self._world(state).relation("terminal").atoms)

    def goals(self, state: State) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {role: set() for role in self.roles}
        for _, role, value in self._world(state).relation("goal").atoms:
            found[role].add(int(value))
        return found


def closed(needs: dict[str, set[str]], name: str) -> set[str]:
    """What a relation needs, directly or through others."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        fresh = needs.get(waiting.pop(), set()) - found
        found |= fresh
        waiting += fresh
    return found
