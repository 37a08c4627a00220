"""Double threats and pairings of winning sets, found before a formula is built."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

from skolemate.games import cells_of, mask_of
from skolemate.games.goals import minimal
from skolemate.limits import breathe

# --- double threats -------------------------------------------------------------------------------


MOST_DOUBLES = 1000  # if there are more, the rules about them are left out: such clauses say little
MOST_SEEN = 20 * MOST_DOUBLES  # pairs of sets and of their last cells that are looked at


@dataclass(frozen=True)
class DoubleThreat:
    """Stones with which two sets lack one open cell each. One of `shared`, which are in both, is
    placed last: without any other stone, there is a threat already.
    """

    stones: tuple[int, ...]
    open: tuple[int, int]
    shared: tuple[int, ...]


def double_threats(sets: Sequence[tuple[int, ...]], most: int) -> list[DoubleThreat] | None:
    """The double threats of at most so many stones that contain no other; None if too many.

    >>> double_threats([(0, 1, 2), (1, 2, 3), (3, 4, 5)], 2)
    [DoubleThreat(stones=(1, 2), open=(0, 3), shared=(1, 2))]
    """
    shared: dict[tuple[int, int], dict[int, int]] = defaultdict(dict)
    seen = 0
    for one, other in combinations(map(mask_of, sets), 2):
        breathe()
        if not one & other or (one | other).bit_count() - 2 > most:
            continue
        for last in product(cells_of(one & ~other), cells_of(other & ~one)):
            stones = (one | other) & ~mask_of(last)
            shared[min(last), max(last)][stones] = one & other  # of any two such sets
            seen += 1
        if seen > MOST_SEEN:
            return None
    found = [
        DoubleThreat(tuple(cells_of(stones)), last, tuple(cells_of(shared[last][stones])))
        for last in sorted(shared)
        for stones in minimal(shared[last])
    ]
    return found if len(found) <= MOST_DOUBLES else None


# --- pairings -------------------------------------------------------------------------------------


Pairs = tuple[tuple[int, int], ...]

EFFORT = 200_000  # sets that are looked at to find the pairings of a question: some 0.1 s


@dataclass(frozen=True)
class Pairing:
    """Disjoint pairs, of which every set without a certain stone contains one."""

    stone: int | None  # None: there is one in every set
    pairs: Pairs


class Pairings:
    """Searches for pairings of some sets, with limited effort. To miss one is no error."""

    def __init__(self, sets: Sequence[tuple[int, ...]], cells: int) -> None:
        self._sets, self._cells, self._effort = list(map(mask_of, sets)), cells, EFFORT

    def all(self) -> list[Pairing]:
        """One of all sets; if there is none, for every stone one that avoids each other cell.

        >>> Pairings([(0, 1, 2), (2, 3), (3, 4)], 5).all()[:2]
        [Pairing(stone=2, pairs=((3, 4),)), Pairing(stone=3, pairs=((1, 2),))]
        """
        whole = self._search(self._sets, 0)
        if whole is not None:
            return [Pairing(None, whole)]
        found: dict[Pairing, None] = {}
        for stone in range(self._cells):
            left = [winning for winning in self._sets if not winning >> stone & 1]
            for avoided in range(self._cells):
                pairs = self._search(left, 1 << avoided)
                if pairs is not None:
                    found[Pairing(stone, tuple(sorted(pairs)))] = None
        return list(found)

    def _search(self, sets: Sequence[int], used: int) -> Pairs | None:
        """Pairs of cells that are not used, one in each of the sets."""
        if not sets:
            return ()
        self._effort -= len(sets)
        if self._effort < 0:
            return None
        breathe()
        fewest = min(sets, key=lambda winning: (winning & ~used).bit_count())
        for pair in combinations(cells_of(fewest & ~used), 2):
            both = mask_of(pair)
            rest = self._search([s for s in sets if s & both != both], used | both)
            if rest is not None:
                return ((pair[0], pair[1]), *rest)
        return None
