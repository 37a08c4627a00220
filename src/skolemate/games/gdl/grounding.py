"""The ground instances of a description's rules: semi-naive evaluation.

What never changes is evaluated once and folded away. Of the rest it is computed which atoms may
ever hold: every fact that some rule may make true, every move that may be legal, whatever is
negated. Each instance of a rule is found when the last atom of its body is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from skolemate.errors import UserError
from skolemate.games.gdl.description import (
    DISTINCT,
    Atom,
    Description,
    Literal,
    Rule,
    Term,
    relation,
    variables,
    written,
)
from skolemate.limits import breathe

MOST_ATOMS = 100_000
MOST_STEPS = 5_000_000  # of matching, for rules that are applied together
DEEPEST = 30  # functions within functions

PLAYED = ("next", "legal", "goal", "terminal")  # listed even where they never change

Bindings = Mapping[str, Term]
Body = tuple[Literal, ...]


class TooLarge(UserError):
    """A description with more atoms or rules than can be listed; `place` is the rule's."""

    def __init__(self, message: str, place: tuple[int, int]) -> None:
        super().__init__(message)
        self.place = place


@dataclass(frozen=True, eq=False)
class Grounding:
    """Everything that may happen in a game. Bodies contain only what changes in the game."""

    roles: tuple[Term, ...]
    start: frozenset[Term]
    facts: tuple[Term, ...]
    moves: tuple[tuple[Term, Term], ...]  # role and move
    rules: Mapping[Atom, Iterable[Body]]


def ground(description: Description) -> Grounding:
    """All instances of the rules that may ever apply."""
    needed = _needed(description)
    changing = description.depending_on("true", "does") | set(PLAYED)
    known = Atoms()
    for component in description.components:
        if needed.issuperset(component) and not changing.intersection(component):
            rules = [rule for name in component for rule in description.by_relation.get(name, ())]
            Saturation(known, rules, frozenset()).run()
    rules = [rule for rule in description.rules if rule.relation in needed & changing]
    playing = Saturation(known, rules, frozenset(changing))
    start = [atom[1] for atom in known.of("init")]
    playing.run(("true", fact) for fact in start)
    return Grounding(
        roles=tuple(atom[1] for atom in known.of("role")),
        start=frozenset(start),
        facts=tuple(atom[1] for atom in known.of("true")),
        moves=tuple((atom[1], atom[2]) for atom in known.of("does")),
        rules=playing.instances,
    )


def _needed(description: Description) -> set[str]:
    """The relations on which the game depends: not `base`, `input` and what is only for them."""
    needed = {"role", "init", *PLAYED}
    for component in reversed(description.components):
        if needed.intersection(component):
            needed.update(component)
            for name in component:
                for rule in description.by_relation.get(name, ()):
                    needed.update(literal.relation for literal in rule.body)
    return needed


# --- atoms ----------------------------------------------------------------------------------------


def substituted(term: Term, bindings: Bindings) -> Term:
    if isinstance(term, tuple):
        return tuple([substituted(part, bindings) for part in term])
    return bindings.get(term, term) if term.startswith("?") else term


def _atom(atom: Atom, bindings: Bindings) -> Atom:
    return tuple([substituted(part, bindings) for part in atom])


def matched(pattern: Term, term: Term, bindings: dict[str, Term]) -> bool:
    """Whether a ground term is an instance of a pattern; adds to the bindings."""
    if isinstance(pattern, tuple):
        return (
            isinstance(term, tuple)
            and len(term) == len(pattern)
            and all(matched(p, t, bindings) for p, t in zip(pattern, term, strict=True))
        )
    if pattern.startswith("?"):
        return bindings.setdefault(pattern, term) == term
    return pattern == term


Spot = tuple[int, ...]


def _words(term: Term, spot: Spot = ()) -> Iterator[tuple[Spot, str]]:
    """The constants in a term, each with its place."""
    if isinstance(term, tuple):
        for number, part in enumerate(term):
            yield from _words(part, (*spot, number))
    elif not term.startswith("?"):
        yield spot, term


class Atoms:
    """A set of ground atoms, found by the constants in them."""

    def __init__(self) -> None:
        self._all: dict[Atom, None] = {}
        self._by_word: dict[tuple[Spot, str], list[Atom]] = defaultdict(list)

    def __contains__(self, atom: Atom) -> bool:
        return atom in self._all

    def __len__(self) -> int:
        return len(self._all)

    def add(self, atom: Atom) -> None:
        self._all[atom] = None
        for key in _words(atom):
            self._by_word[key].append(atom)

    def of(self, name: str) -> list[Atom]:
        return self._by_word.get(((0,), name), [])

    def candidates(self, pattern: Atom) -> list[Atom]:
        """Atoms among which are all instances of a pattern: the shortest list there is."""
        return min((self._by_word.get(key, []) for key in _words(pattern)), key=len)


# --- saturation -----------------------------------------------------------------------------------


class Saturation:
    """Applies rules until nothing new follows.

    `changing` are relations whose atoms may hold or not: their negations hold nothing up, and
    they are kept in the bodies of instances.
    """

    def __init__(self, known: Atoms, rules: Sequence[Rule], changing: frozenset[str]) -> None:
        self.known, self.rules, self.changing = known, rules, changing
        self.instances: dict[Atom, dict[Body, None]] = {}
        self._steps = 0
        self._agenda: dict[Atom, None] = {}

    def run(self, given: Iterable[Atom] = ()) -> None:
        uses: dict[str, list[tuple[Rule, int]]] = defaultdict(list)
        for rule in self.rules:
            for place, literal in enumerate(rule.body):
                if literal.binds:
                    uses[literal.relation].append((rule, place))
            self._apply(rule, list(rule.body), {})
        self._agenda.update(dict.fromkeys(given))
        while self._agenda:
            atom = next(iter(self._agenda))
            del self._agenda[atom]
            self.known.add(atom)
            for rule, place in uses[relation(atom)]:
                bindings: dict[str, Term] = {}
                if matched(rule.body[place].atom, atom, bindings):
                    self._apply(rule, [*rule.body[:place], *rule.body[place + 1 :]], bindings)

    def _apply(self, rule: Rule, rest: list[Literal], bindings: dict[str, Term]) -> None:
        """Find all instances of a rule under some bindings; `rest` is not yet looked at."""
        breathe()
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise TooLarge("this rule has too many instances; bind fewer variables", rule.place)
        waiting = []
        for literal in rest:
            if literal.binds or any(v not in bindings for v in variables(literal.atom)):
                waiting.append(literal)
            elif not self._possible(literal, bindings):
                return
        if not waiting:
            self._found(rule, bindings)
            return
        binding = [literal for literal in waiting if literal.binds]
        listed = [self.known.candidates(_atom(literal.atom, bindings)) for literal in binding]
        place = min(range(len(binding)), key=lambda number: len(listed[number]))
        chosen = binding[place]
        waiting = [literal for literal in waiting if literal is not chosen]
        for atom in listed[place]:
            extended = dict(bindings)
            if matched(chosen.atom, atom, extended):
                self._apply(rule, waiting, extended)

    def _possible(self, literal: Literal, bindings: Bindings) -> bool:
        """Whether a literal that binds nothing may hold."""
        atom = _atom(literal.atom, bindings)
        if literal.relation == DISTINCT:
            return (atom[1] != atom[2]) is not literal.negated
        return literal.relation in self.changing or atom not in self.known

    def _found(self, rule: Rule, bindings: Bindings) -> None:
        head = _atom(rule.head, bindings)
        body = tuple(
            Literal(_atom(literal.atom, bindings), literal.negated)
            for literal in rule.body
            if literal.relation in self.changing
        )
        bodies = self.instances.setdefault(head, {})
        if body in bodies:
            return
        bodies[body] = None
        follows = [head]
        if head[0] == "next":
            follows.append(("true", head[1]))
        elif head[0] == "legal":
            follows.append(("does", *head[1:]))
        self._agenda.update(dict.fromkeys(atom for atom in follows if atom not in self.known))
        if len(self.known) + len(self._agenda) > MOST_ATOMS:
            told = f"more than {MOST_ATOMS:,} atoms may hold, here of {rule.relation}"
            raise TooLarge(told, rule.place)
        if _depth(head) > DEEPEST:
            raise TooLarge(f"terms grow without end: {written(head)[:60]}…", rule.place)


def _depth(term: Term) -> int:
    return 1 + max(map(_depth, term)) if isinstance(term, tuple) else 0
