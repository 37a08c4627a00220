"""Sums of points that no move changes, and games that these sums decide before the end.

Where players collect points, nobody says in the rules how many points there are: the network of
dots-and-boxes counts the boxes of each player by facts, and at the end compares the numbers. That
both numbers together are the number of full boxes is a *sum*: facts, or conjunctions of facts, with
weights that add up to the same in every state (place invariants of Petri nets are such sums). With
it one count is enough: Black has more than half of the boxes at the end exactly if White has fewer
than half of them. And White's count only grows. So Black has lost as soon as it is too large.

Sums are guessed and then proved. They are guessed from random plays: all sums that are the same in
every state seen are a vector space. The proof is by induction over the plies. For every move all
values of the facts that matter are looked at, as far as they contradict no sum before the move; if
a sum is not the same after the move, it is dropped, and the proof starts again with the others. So
a wrong guess costs time and is harmless.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from skolemate.games.game import Move, Player
from skolemate.games.gdl.network import FALSE, TRUE, Gates
from skolemate.games.symmetry import cells_of, mask_of
from skolemate.games.views import Propnet
from skolemate.limits import breathe

PLAYS = 80  # random ones, from which sums are guessed
LONGEST = 60  # plies of such a play
MOST_WORK = 1_500_000  # gates that are looked at for all moves, and in the random plays
MOST_FACTS = 20  # on which the outcome depends, besides those that are always needed for a win
MOST_TERMS = 150  # of all sums
MOST_ROWS = 1 << 15  # combinations of values that are looked at together
PRIME = (1 << 31) - 1
LARGEST_WEIGHT = 1000

Term = frozenset[int]  # facts that hold together
Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]


class Sum(NamedTuple):
    """The weights of the terms that hold add up to `total` in every state."""

    weights: dict[Term, int]
    total: int

    @property
    def group(self) -> tuple[int, ...]:
        """Facts of which exactly one holds, if the sum says this."""
        alone = all(len(term) == 1 for term in self.weights)
        if self.total != 1 or not alone or set(self.weights.values()) != {1}:
            return ()
        return tuple(sorted(fact for term in self.weights for fact in term))


class Decided(NamedTuple):
    """A network for the same question; `lost` is a fact after which Black cannot win any more."""

    net: Propnet
    lost: int | None = None


def decided_early(net: Propnet, start: int) -> Decided:
    """The network with a count that decides the game early, if there is one.

    In all states that can be reached the moves are the same, and Black has won in the same ones.
    The facts in which the count is too large become one. It stays, so that the network has the same
    answer also by itself; other facts may then differ.
    """
    needed, rest = _conjuncts(net, net.won[Player.BLACK])
    unknown = {fact for literal in rest for fact in _facts(net, literal)} - needed.keys()
    if not unknown or len(unknown) > MOST_FACTS or len(net.owners) * len(net.gates) > MOST_WORK:
        return Decided(net)
    steps = [Step.of(net, move) for move in range(len(net.owners))]
    sums = proved(guessed(net, steps, start), steps)
    rows = Rows.of(sums, unknown, needed)
    if rows is None:
        return Decided(net)
    gates = Gates(net.facts)
    copied = _copied(net, rest, gates, {2 + f: TRUE if v else FALSE for f, v in needed.items()})
    met = np.logical_and.reduce([rows.value(gates, literal) for literal in copied])
    possible = rows.possible(sums)
    for group in (known.group for known in sums):
        if not group or not {*group} <= rows.facts.keys() or not needed.keys().isdisjoint(group):
            continue
        won = {fact for fact in group if (met & possible & rows.facts[fact]).any()}
        if any((~met & possible & rows.facts[fact]).any() for fact in won):
            continue  # these facts do not decide
        lost = _without_way(group, won, sums, steps)
        if lost:
            others = [2 + fact for fact in group if fact not in won]
            # The first one stays: the one that holds at the start, if Black has lost there already.
            ordered = sorted(lost, key=lambda fact: (not start >> fact & 1, fact))
            return _with_count(net, needed, others, ordered)
    return Decided(net)


def _conjuncts(net: Propnet, literal: int) -> tuple[dict[int, bool], list[int]]:
    """What must hold for a literal: the values of facts, and other literals."""
    facts, others, waiting = dict[int, bool](), list[int](), [literal]
    while waiting:
        part = waiting.pop()
        if part >= net.first_gate:
            waiting += net.gates[part - net.first_gate]
        elif 1 < abs(part) < net.first_move:
            if facts.setdefault(abs(part) - 2, part > 0) is not (part > 0):
                others.append(FALSE)  # it must hold, and must not
        elif part != TRUE:
            others.append(part)
    return facts, others


def _facts(net: Propnet, literal: int) -> set[int]:
    return {variable - 2 for variable in net.cone(literal) if 1 < variable < net.first_move}


def _without_way(
    group: tuple[int, ...], won: set[int], sums: list[Sum], steps: list[Step]
) -> set[int]:
    """The facts of a group from which those that win cannot be reached."""
    before: dict[int, set[int]] = {fact: {fact} for fact in group}
    for step in steps:
        if not step.changed.isdisjoint(group):
            rows = step.rows(sums, group)
            if rows is None:
                return set()
            possible = rows.possible(sums)
            for later in group:
                after = rows.value(step.gates, step.next[later]) & possible
                before[later] |= {fact for fact in group if (after & rows.facts[fact]).any()}
    alive = set(won)
    while more := {fact for later in alive for fact in before[later]} - alive:
        alive |= more
    return set(group) - alive


def _with_count(
    net: Propnet, needed: Mapping[int, bool], others: list[int], lost: list[int]
) -> Decided:
    """The outcome by facts of a group: Black wins if none of the `others` holds in the end."""
    gates = list(net.gates)

    def all_of(literals: Iterable[int]) -> int:
        gates.append(tuple(literals))
        return net.first_gate + len(gates) - 1

    first = lost[0]
    ends = [2 + fact if value else -2 - fact for fact, value in needed.items()]
    won = {**net.won, Player.BLACK: all_of([*ends, *(-fact for fact in others)])}
    after = list(net.next)
    after[first] = -all_of([-2 - first, *(-net.next[fact] for fact in lost)])
    changed = replace(net, gates=tuple(gates), next=tuple(after), won=won)
    relevant, waiting = {first}, [*net.legal, won[Player.BLACK], after[first]]
    while waiting:
        found = _facts(changed, waiting.pop()) - relevant - set(lost)
        relevant |= found
        waiting += [after[fact] for fact in found]
    return Decided(replace(changed, relevant=mask_of(relevant)), 2 + first)


# --- moves ----------------------------------------------------------------------------------------


def _copied(
    net: Propnet, literals: Iterable[int], gates: Gates, known: Mapping[int, int]
) -> list[int]:
    """Literals of a network as functions of its facts; some variables are known."""
    found = dict(known)
    wanted = list(literals)
    for variable in sorted({v for literal in wanted for v in net.cone(literal)} - found.keys()):
        if variable < net.first_gate:
            found[variable] = variable
        else:
            inputs = net.gates[variable - net.first_gate]
            found[variable] = gates.all_of(_signed(found, x) for x in inputs)
    return [_signed(found, literal) for literal in wanted]


def _signed(known: Mapping[int, int], literal: int) -> int:
    return known[literal] if literal > 0 else -known[-literal]


@dataclass(frozen=True)
class Step:
    """What facts are after a move, as functions of facts before it; some of these are needed."""

    needed: dict[int, bool]
    gates: Gates
    next: dict[int, int]
    changed: set[int]

    @classmethod
    def of(cls, net: Propnet, move: Move) -> Step:
        breathe()
        needed, _ = _conjuncts(net, net.legal[move])
        gates, facts = Gates(net.facts), list(cells_of(net.relevant))
        known = {2 + fact: TRUE if value else FALSE for fact, value in needed.items()}
        made = {net.first_move + m: TRUE if m == move else FALSE for m in range(len(net.owners))}
        after = _copied(net, (net.next[f] for f in facts), gates, known | made)
        following = dict(zip(facts, after, strict=True))
        changed = {f for f, literal in following.items() if literal != known.get(2 + f, 2 + f)}
        if net.legal[move] == FALSE:  # it is never made
            changed = set()
        return cls(needed, gates, following, changed)

    def rows(self, sums: list[Sum], facts: Iterable[int]) -> Rows | None:
        """All values of what these facts depend on, and of themselves."""
        listed = list(facts)
        cone = self.gates.cone(self.next[fact] for fact in listed)
        inputs = {variable - 2 for variable in cone if 1 < variable < 2 + self.gates.inputs}
        return Rows.of(sums, inputs | set(listed), self.needed)


# --- values ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rows:
    """Combinations of values of some facts: of those of a group exactly one holds."""

    count: int
    facts: dict[int, Flags]
    groups: list[tuple[int, ...]]  # of all sums
    _values: dict[int, Flags] = field(default_factory=dict)

    @classmethod
    def of(cls, sums: list[Sum], facts: Iterable[int], given: Mapping[int, bool]) -> Rows | None:
        """All combinations; None if they are too many."""
        wanted = set(facts) - given.keys()
        groups = [known.group for known in sums if known.group]
        choices: list[tuple[int, ...]] = []
        for group in groups:
            if not wanted.isdisjoint(group) and given.keys().isdisjoint(group):
                choices.append(group)
                wanted -= set(group)
        sizes = [*map(len, choices), *(2 for _ in wanted)]
        if prod(sizes) > MOST_ROWS:
            return None
        count = prod(sizes)
        places = np.unravel_index(np.arange(count), sizes) if sizes else ()
        found = {fact: np.full(count, value) for fact, value in given.items()}
        for place, group in zip(places, choices, strict=False):
            found |= {fact: place == number for number, fact in enumerate(group)}
        for place, fact in zip(places[len(choices) :], sorted(wanted), strict=True):
            found[fact] = place == 1
        return cls(count, found, groups)

    def value(self, gates: Gates, literal: int) -> Flags:
        """The values of a function of these facts."""
        for variable in sorted(gates.cone([literal]) - self._values.keys()):
            gate = gates.gate(variable)
            if gate:
                signed = [self._values[abs(x)] ^ (x < 0) for x in gate]
                self._values[variable] = np.logical_and.reduce(signed)
            elif variable == TRUE:
                self._values[variable] = np.ones(self.count, bool)
            else:
                self._values[variable] = self.facts[variable - 2]
        return self._values[abs(literal)] ^ (literal < 0)

    def possible(self, sums: Iterable[Sum]) -> Flags:
        """Which combinations contradict no sum, whatever the other facts are."""
        found = np.ones(self.count, bool)
        for known in sums:
            least, most = self._bounds(known)
            found &= (least <= known.total) & (known.total <= most)
        return found

    def _bounds(self, known: Sum) -> tuple[Integers, Integers]:
        """The least and the largest value of a sum."""
        least, most = np.zeros((2, self.count), np.int64)
        weights = dict(known.weights)
        for group in self.groups:
            if self.facts.keys().isdisjoint(group):
                one = [weights.pop(frozenset([fact]), 0) for fact in group]
                least += min(one)
                most += max(one)
        for term, weight in weights.items():
            may_hold = np.ones(self.count, bool)
            for fact in term & self.facts.keys():
                may_hold = may_hold & self.facts[fact]
            holds = weight * may_hold
            open_ = not term <= self.facts.keys()
            least += np.minimum(holds, 0) if open_ else holds
            most += np.maximum(holds, 0) if open_ else holds
        return least, most


# --- sums -----------------------------------------------------------------------------------------


def proved(sums: list[Sum], steps: list[Step]) -> list[Sum]:
    """Those sums that no move changes, given that they all hold before it."""
    while True:
        kept = [known for known in sums if all(_kept(known, sums, step) for step in steps)]
        if len(kept) == len(sums):
            return sums
        sums = kept


def _kept(known: Sum, sums: list[Sum], step: Step) -> bool:
    """Whether a sum is the same after a move."""
    touched = [term for term in known.weights if not step.changed.isdisjoint(term)]
    if not touched:
        return True
    breathe()
    rows = step.rows(sums, frozenset[int]().union(*touched))
    if rows is None:
        return False
    change = np.zeros(rows.count, np.int64)
    for term in touched:
        before = np.logical_and.reduce([rows.facts[fact] for fact in term])
        after = np.logical_and.reduce([rows.value(step.gates, step.next[f]) for f in term])
        change += known.weights[term] * (after.astype(np.int64) - before)
    return not (change.astype(bool) & rows.possible(sums)).any()


def guessed(net: Propnet, steps: list[Step], start: int, plays: int = PLAYS) -> list[Sum]:
    """Sums that are the same in every state of some random plays."""
    terms = _terms(net, steps)
    if len(terms) > MOST_TERMS:
        return []
    masks = [0, *map(mask_of, terms)]  # what always holds comes first, for the total
    states = sorted(_seen(net, start, plays))
    seen = np.array([[state & mask == mask for mask in masks] for state in states], np.int64)
    found = []
    for vector in _null_space(seen):
        weights = {t: w for t, w in zip(terms, vector[1:].tolist(), strict=True) if w}
        if weights and max(map(abs, vector.tolist())) <= LARGEST_WEIGHT:
            found.append(Sum(weights, -int(vector[0])))
    return found


def _terms(net: Propnet, steps: list[Step]) -> list[Term]:
    """What may be counted: facts, and the facts together that hold after a move has its effect.

    The effect is a gate that needs facts and the move, as the last edge of a box is drawn.
    """
    facts = {*cells_of(net.relevant)}
    terms = dict.fromkeys(frozenset([fact]) for fact in sorted(facts))
    made = [frozenset(f for f in step.changed if step.next[f] == TRUE) for step in steps]
    for variable, gate in enumerate(net.gates, net.first_gate):
        needed = facts.intersection(x - 2 for x in gate)
        moves = [v for v in net.cone(variable) if net.first_move <= v < net.first_gate]
        if needed and len(moves) <= 2:
            terms |= dict.fromkeys(made[move - net.first_move] | needed for move in moves)
    return list(terms)


def _seen(net: Propnet, start: int, plays: int) -> set[int]:
    """States of random plays, in which each player in turn does well, as far as that is seen.

    Who moves again has often won something. In half of the plays one player likes this.
    """
    rng = random.Random(1)
    seen, work = set[int](), 0
    for play in range(plays):
        if work > MOST_WORK:
            break
        greedy = [None, Player.BLACK, None, Player.WHITE][play % 4]
        state, moves = start, _legal(net, net.values(start))
        for _ in range(LONGEST):
            seen.add(state & net.relevant)
            if not moves:
                break
            breathe()
            mover = net.owners[moves[0]]
            values = net.values(state)
            for move in rng.sample(moves, len(moves)):
                work += len(net.gates)
                state = net.after(values, move)
                after = _legal(net, net.values(state))
                again = bool(after) and net.owners[after[0]] is mover
                if greedy is None or again is (mover is greedy):
                    break
            moves = after
    return seen


def _legal(net: Propnet, values: list[bool]) -> list[Move]:
    return [move for move, literal in enumerate(net.legal) if values[literal]]


def _null_space(rows: Integers) -> list[Integers]:
    """Vectors that are orthogonal to all rows, one for every column that depends on earlier ones.

    It is computed modulo a prime; what comes out is a guess.
    """
    reduced = rows % PRIME
    pivots: list[int] = []
    for column in range(reduced.shape[1]):
        place = len(pivots)
        nonzero = np.flatnonzero(reduced[place:, column])
        if not len(nonzero):
            continue
        chosen = place + int(nonzero[0])
        reduced[[place, chosen]] = reduced[[chosen, place]]
        reduced[place] = reduced[place] * pow(int(reduced[place, column]), -1, PRIME) % PRIME
        factors = reduced[:, column].copy()
        factors[place] = 0
        touched = np.flatnonzero(factors)
        reduced[touched] = (reduced[touched] - factors[touched, None] * reduced[place]) % PRIME
        pivots.append(column)
    found = []
    for free in sorted(set(range(reduced.shape[1])) - set(pivots)):
        vector = np.zeros(reduced.shape[1], np.int64)
        vector[free] = 1
        vector[pivots] = -reduced[: len(pivots), free] % PRIME
        vector[vector > PRIME // 2] -= PRIME
        found.append(vector)
    return found
