"""Symmetries of a network: moves that are as good as others, and facts that can change places.

A symmetry permutes the facts, the moves of each player and the gates of a network. It keeps what is
legal, what holds next, and when Black has won. Facts on which winning does not depend are left out.
If a symmetry takes a state to itself and one move to another, then these are *alike*: if Black wins
after one of them, he wins within as many plies after the other. So one of them is enough, for both
players. *Twins* are two facts that a symmetry exchanges while it keeps all others. It takes every
state in which they are equal to itself. For example, the two edges at a corner in dots-and-boxes
are twins.

To find a symmetry, the variables of two copies of the network are coloured by the colours of those
that they are connected to, again and again, until the colours tell no more apart. The move in
question has a colour of its own from the start. If then every colour has one variable in each copy,
these pairs are a symmetry, since equal colours have equal connections. If a colour has several, one
of the first copy is chosen, and each in the second copy is tried for it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from skolemate.games.game import Move, Player
from skolemate.games.symmetry import cells_of
from skolemate.games.views import Propnet
from skolemate.limits import breathe

MOST_STEPS = 2_000_000  # connections that are looked at for an answer; then nothing more is found

Colours = dict[int, int]


class Twins(NamedTuple):
    """Two facts that a symmetry exchanges, and the moves that it takes to later ones."""

    facts: tuple[int, int]
    moves: dict[Move, Move]


class Connection(NamedTuple):
    """How a variable is connected to another one."""

    kind: str
    negated: bool
    user: bool  # whether the other one is its input
    other: int


class Symmetries:
    """What is found of a network's symmetries."""

    def __init__(self, net: Propnet) -> None:
        self._net, self._steps = net, 0
        won = net.won[Player.BLACK]
        self._facts = {2 + fact: net.next[fact] for fact in cells_of(net.relevant)}
        moves = dict(enumerate(net.legal, net.first_move))
        outputs = [won, *self._facts.values(), *moves.values()]
        used = {1, *self._facts, *moves}.union(*map(net.cone, outputs))
        self._connections: dict[int, list[Connection]] = {variable: [] for variable in used}
        self._connect("won", 1, won)
        for fact, literal in self._facts.items():
            self._connect("next", fact, literal)
        for move, literal in moves.items():
            self._connect("legal", move, literal)
        for gate in used:
            if gate >= net.first_gate:
                for literal in net.gates[gate - net.first_gate]:
                    self._connect("gate", gate, literal)

        def kind(variable: int) -> str:
            if variable in moves:
                return net.owners[variable - net.first_move].value
            return "fact" if variable in self._facts else "true" if variable == 1 else "gate"

        kinds = {variable: kind(variable) for variable in sorted(used)}
        numbers = {known: number for number, known in enumerate(dict.fromkeys(kinds.values()))}
        self._colours = self._settled({v: numbers[known] for v, known in kinds.items()})

    def _connect(self, kind: str, user: int, literal: int) -> None:
        used, negated = abs(literal), literal < 0
        self._connections[user].append(Connection(kind, negated, True, used))
        self._connections[used].append(Connection(kind, negated, False, user))

    def classes(self, state: int, moves: Iterable[Move]) -> list[list[Move]]:
        """Moves in a state, in classes of those that are alike as far as seen."""
        self._steps = 0
        true = {fact: -1 for fact in self._facts if state >> fact - 2 & 1}
        colours = self._settled({**self._colours, **true})
        classes: list[list[Move]] = []
        for move in moves:
            for members in classes:
                pair = (self._net.first_move + x for x in (members[0], move))
                if self._exists(colours, colours, *pair):
                    members.append(move)
                    break
            else:
                classes.append([move])
        return classes

    def twins(self) -> list[Twins]:
        """All twins, as far as seen."""
        self._steps, found = 0, []
        own = {fact: -number for number, fact in enumerate(self._facts, 1)}
        for one, other in combinations(self._facts, 2):
            if self._colours[one] != self._colours[other] or self._steps > MOST_STEPS:
                continue
            exchanged = {**own, one: own[other], other: own[one]}
            refined = self._refined({**self._colours, **own}, {**self._colours, **exchanged})
            if refined is not None and len(set(refined[0].values())) == len(refined[0]):
                image = {colour: variable for variable, colour in refined[1].items()}
                first = self._net.first_move
                moves = {
                    m: image[refined[0][first + m]] - first for m in range(len(self._net.owners))
                }
                later = {move: image for move, image in moves.items() if image > move}
                found.append(Twins((one - 2, other - 2), later))
        return found

    def _exists(self, one: Colours, other: Colours, variable: int, image: int) -> bool:
        """Whether a symmetry is found that keeps colours and takes a variable to its image."""
        if one[variable] != other[image] or self._steps > MOST_STEPS:
            return False
        refined = self._refined({**one, variable: -1}, {**other, image: -1})
        if refined is None:
            return False
        members: dict[int, list[int]] = defaultdict(list)
        for known, colour in refined[0].items():
            members[colour].append(known)
        several = [known for known in members.values() if len(known) > 1]
        if not several:
            return True
        chosen = min(several, key=len)[0]
        colour = refined[0][chosen]
        images = [known for known in refined[1] if refined[1][known] == colour]
        return any(self._exists(*refined, chosen, choice) for choice in images)

    def _settled(self, colours: Colours) -> Colours:
        """The colours, refined until connections tell no more apart."""
        refined = self._refined(colours, colours)
        assert refined is not None  # a copy is like itself
        return refined[0]

    def _refined(self, one: Colours, other: Colours) -> tuple[Colours, Colours] | None:
        """The same for two copies, with one meaning of colours; None if the copies differ."""
        count = 0
        while True:
            kinds = [self._kinds(one), self._kinds(other)]
            if Counter(kinds[0].values()) != Counter(kinds[1].values()):
                return None
            numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds[0].values()))}
            one, other = ({v: numbers[kind] for v, kind in copy.items()} for copy in kinds)
            if len(numbers) == count:
                return one, other
            count = len(numbers)

    def _kinds(self, colours: Colours) -> dict[int, tuple[object, ...]]:
        """What tells variables apart: their colour, and the colours to which they are connected."""
        breathe()
        kinds: dict[int, tuple[object, ...]] = {}
        for variable, connections in self._connections.items():
            near = sorted((*known[:-1], colours[known.other]) for known in connections)
            kinds[variable] = colours[variable], *near
            self._steps += len(near)
        return kinds
