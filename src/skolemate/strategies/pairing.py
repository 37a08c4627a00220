"""Looking for a pairing: disjoint pairs of open cells that spoil every set of the asker's.

Whether there is one is a hard question in general; small games answer it at once, and a
search that takes too long finds none, which is always right.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from skolemate.games.bits import cells_of
from skolemate.games.game import Move, Position
from skolemate.games.goals import Connection, Sets
from skolemate.strategies.claim import Claim
from skolemate.strategies.nodes import Pairs

__all__ = ["Pairings"]

STEPS = 500  # pairs tried for one position
MOST_TRIED = 5  # moves after which pairs are looked for


class Pairings:
    """Finds pairings for the opponent of the one who asks, where they prove anything."""

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._goal = claim.game.goal(claim.player)

    def find(self, position: Position, left: int) -> Pairs | None:
        """Pairs that prove that there is no win within the plies left, if some are found."""
        threats = self._threats(position, left)
        if threats is None:
            goal, stones = self._goal, self._claim.stones_ahead(position, left)
            if self._claim.wins or goal is None or stones is None:
                return None
            owner, asker = self._claim.sides(position)
            return () if goal.within_reach(asker, owner, (), stones) is None else None
        if any(cells.bit_count() < 2 for cells in threats):
            return None
        return _Search(_minimal(threats)).pairs()

    def promising(self, position: Position, left: int) -> list[Move]:
        """The owner's moves after which it is worth looking for pairs: those that spoil most."""
        if isinstance(self._goal, Connection):
            return list(position.moves())  # it does not take long
        through = Counter[int]()
        for cells in self._threats(position, left) or ():
            through.update(cells_of(cells))
        return [move for move, _ in through.most_common(MOST_TRIED)]

    def _threats(self, position: Position, left: int) -> set[int] | None:
        """The open cells of each set that can be completed in time, where there are sets."""
        stones = None if self._claim.wins else self._claim.stones_ahead(position, left)
        if stones is None or not isinstance(self._goal, Sets):
            return None
        owner, asker = self._claim.sides(position)
        open_sets = {winning & ~asker for winning in self._goal.sets if not winning & owner}
        return {cells for cells in open_sets if cells.bit_count() <= stones}


def _minimal(sets: set[int]) -> list[int]:
    """The sets that contain no other."""
    found: list[int] = []
    for cells in sorted(sets, key=int.bit_count):
        if not any(cells & smaller == smaller for smaller in found):
            found.append(cells)
    return found


class _Search:
    """Backtracking: the set with the fewest pairs left is spoilt first."""

    def __init__(self, sets: list[int]) -> None:
        self._sets = sets
        self._steps = STEPS

    def pairs(self) -> Pairs | None:
        chosen = self._spoil(self._sets, 0)
        return None if chosen is None else tuple(sorted(chosen))

    def _spoil(self, sets: list[int], used: int) -> list[tuple[int, int]] | None:
        if not sets:
            return []
        tightest = min(sets, key=lambda cells: (cells & ~used).bit_count())
        pairs = [(1 << a | 1 << b, (a, b)) for a, b in combinations(cells_of(tightest & ~used), 2)]
        rest = {mask: [s for s in sets if s & mask != mask] for mask, _ in pairs}
        for mask, pair in sorted(pairs, key=lambda found: len(rest[found[0]])):
            self._steps -= 1
            if self._steps < 0:
                return None
            further = self._spoil(rest[mask], used | mask)
            if further is not None:
                return [pair, *further]
        return None
