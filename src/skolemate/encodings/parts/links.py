"""Virtual connections between the borders, found without search, and the cells that cut them.

Points are open cells, groups of own stones, and the two borders. A *full* link joins two points
even if the opponent moves first; a *semi* link needs one more move by its owner. The *carrier* is
the set of open cells that a link needs, its two points not included: none between neighbours.

- AND rule: two full links that meet in a point and have disjoint carriers make a full link if the
  point is a stone of the owner's, and a semi link if it is an open cell, on which he moves.
- OR rule: semi links between the same points whose carriers have no cell in common make a full
  link: wherever the opponent intrudes, one of them is left.

A *chain* goes from border to border over some open cells, by full links with disjoint carriers. If
its owner has stones on all these cells but one, and the opponent has none on that one or in a
carrier, the owner wins if it is his move: he takes it, and all links are full.

Not all virtual connections are found: lists are short, and the work is limited.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

from skolemate.games.goals import Connection
from skolemate.games.symmetry import cells_of
from skolemate.limits import breathe

MOST_CELLS = 8  # of a carrier
MOST_LINKS, MOST_SEMIS = 6, 12  # between two points
MOST_TRIED = 200_000  # pairs of links: some tenths of a second
START, END = -1, -2  # the borders as points; others are cells


@dataclass(frozen=True)
class Obligation:
    """If the owner has these stones, and it is his move, the opponent needs one of these cells."""

    stones: int
    cells: int

    def weaker(self, other: Obligation) -> bool:
        """Whether it follows from another one."""
        stronger = other.stones & ~self.stones == 0
        return stronger and other.cells & ~(self.cells | self.stones) == 0


def obligations(goal: Connection, own: int, enemy: int) -> list[Obligation]:
    """What the opponent must prevent, from chains over one cell or two.

    >>> row = Connection.of([[1], [0, 2], [1]], start=0b001, end=0b100)
    >>> obligations(row, own=0b101, enemy=0)
    [Obligation(stones=0, cells=2)]
    """
    links = _Links(goal, own, enemy)
    found = {Obligation(0, cells) for cells in links.full[START, END]}
    for cells, carrier in links.chains():
        for missing in cells:
            others = sum(1 << cell for cell in cells if cell != missing)
            found.add(Obligation(others, carrier | 1 << missing))
    strongest: list[Obligation] = []
    for one in sorted(found, key=lambda o: (o.stones.bit_count(), o.cells.bit_count(), o.cells)):
        if not any(one.weaker(other) for other in strongest):
            strongest.append(one)
    return strongest


class _Links:
    """All links between two points: lists of carriers as masks, none within another."""

    def __init__(self, goal: Connection, own: int, enemy: int) -> None:
        size = len(goal.neighbours)
        self.open = ~(own | enemy) & ((1 << size) - 1)
        self.near = _points(goal, own, self.open)
        self.full: dict[tuple[int, int], list[int]] = defaultdict(list)
        self.semi: dict[tuple[int, int], list[int]] = defaultdict(list)
        self.fresh: deque[tuple[int, int, int]] = deque()
        for one, other in combinations(self.near, 2):
            if self._hits(self.near[one], other) or self._hits(self.near[other], one):
                self._add_full(one, other, 0)
        tried = 0
        while self.fresh and tried < MOST_TRIED:
            breathe()
            one, other, carrier = self.fresh.popleft()
            if carrier in self.full[_pair(one, other)]:  # else a smaller one has replaced it
                tried += self._join(one, other, carrier) + self._join(other, one, carrier)

    def chains(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """The cells of chains over one cell or two, with all carriers."""
        cells = [point for point in self.near if self._hits(self.open, point)]
        ends = [cell for cell in cells if self.full[_pair(END, cell)]]
        for first in cells:
            for begin in self.full[_pair(START, first)]:
                breathe()
                for last in ends:
                    middle = [0] if first == last else self.full[_pair(first, last)]
                    for between, end in product(middle, self.full[_pair(END, last)]):
                        used = begin | between | end
                        disjoint = used.bit_count() == sum(
                            part.bit_count() for part in (begin, between, end)
                        )
                        if disjoint and not used & (1 << first | 1 << last):
                            yield ((first,) if first == last else (first, last)), used

    def _hits(self, cells: int, point: int) -> bool:
        """Whether a point is an open cell among these."""
        return point >= 0 and bool(cells & self.open & 1 << point)

    def _join(self, end: int, middle: int, carrier: int) -> int:
        """Apply the AND rule to a new link and all others from its middle; returns their number."""
        if middle < 0:
            return 0  # a border is an end
        tried, is_open = 0, self._hits(self.open, middle)
        for other in self.near:
            if other in (end, middle) or self._hits(carrier, other):
                continue
            for onward in tuple(self.full.get(_pair(middle, other), ())):
                tried += 1
                if onward & carrier or self._hits(onward, end):
                    continue
                if is_open:
                    self._add_semi(end, other, carrier | onward | 1 << middle)
                else:
                    self._add_full(end, other, carrier | onward)
        return tried

    def _add_full(self, one: int, other: int, carrier: int) -> None:
        known = self.full[_pair(one, other)]
        if _add(known, carrier, MOST_LINKS):
            self.fresh.append((one, other, carrier))

    def _add_semi(self, one: int, other: int, carrier: int) -> None:
        pair = _pair(one, other)
        if not any(full & ~carrier == 0 for full in self.full[pair]):
            known = tuple(self.semi[pair])
            if _add(self.semi[pair], carrier, MOST_SEMIS):
                self._unite(one, other, carrier, carrier, known, more=3)

    def _unite(
        self, one: int, other: int, common: int, united: int, known: tuple[int, ...], more: int
    ) -> None:
        """Apply the OR rule to some semi links, united so far, and more of the known ones."""
        for place, semi in enumerate(known, 1):
            left = common & semi
            if not left:
                self._add_full(one, other, united | semi)
            elif left != common and more:
                self._unite(one, other, left, united | semi, known[place:], more - 1)


def _add(known: list[int], carrier: int, most: int) -> bool:
    """Add a carrier to a list unless it is too large, contains another one, or the list is full."""
    if carrier.bit_count() > MOST_CELLS or any(other & ~carrier == 0 for other in known):
        return False
    known[:] = [other for other in known if carrier & ~other]
    if len(known) >= most:
        return False
    known.append(carrier)
    return True


def _pair(one: int, other: int) -> tuple[int, int]:
    """Two points in one order: START before END, and both before any cell."""
    return (one, other) if (one < 0, -one) > (other < 0, -other) else (other, one)


def _points(goal: Connection, own: int, is_open: int) -> dict[int, int]:
    """All points with the open cells beside them. A group has the number of one of its stones."""
    points: dict[int, int] = {}
    left = own
    for point, border in ((START, goal.start), (END, goal.end)):
        group = _group(goal, border & own, own)
        left &= ~group
        points[point] = (border | _around(goal, group)) & is_open
    while left:
        group = _group(goal, left & -left, own)
        points[(left & -left).bit_length() - 1] = _around(goal, group) & is_open
        left &= ~group
    for cell in cells_of(is_open):
        points[cell] = goal.neighbours[cell] & is_open
    return points


def _group(goal: Connection, stones: int, own: int) -> int:
    """The own stones that are connected to some of them."""
    grown = stones | _around(goal, stones) & own
    return stones if grown == stones else _group(goal, grown, own)


def _around(goal: Connection, cells: int) -> int:
    around = 0
    for cell in cells_of(cells):
        around |= goal.neighbours[cell]
    return around
