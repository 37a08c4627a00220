"""Looking for a chain: groups of own stones, each joined to the next by a pair of open cells.

Whoever answers within the pairs gets from border to border. A search that takes too long finds
none, which is always right.
"""

from __future__ import annotations

from itertools import combinations, islice

from skolemate.games.bits import cells_of, flood
from skolemate.games.goals import Connection
from skolemate.strategies.lines import Pairs

__all__ = ["Chains"]

STEPS = 300  # groups entered for one position
CHOICES = 3  # pairs tried between the same two groups


class Chains:
    """Finds chains of at most so many pairs for one player's goal."""

    def __init__(self, goal: Connection) -> None:
        self._goal = goal
        self._everything = (1 << len(goal.neighbours)) - 1

    def find(self, own: int, enemy: int, most: int) -> Pairs | None:
        """Pairs that join the borders together with the stones, if some are found."""
        search = _Search(self._goal, own, self._everything & ~(own | enemy))
        return search.chain(self._goal.start, 0, 0, most)


class _Search:
    """Depth first, from one border to the other, through each group once."""

    def __init__(self, goal: Connection, own: int, open_cells: int) -> None:
        self._goal, self._open, self._steps = goal, open_cells, STEPS
        self._groups: list[tuple[int, int]] = []  # stones, and the open cells around them
        while own:
            group = flood(goal.neighbours, own & -own, own)
            around = 0
            for cell in cells_of(group):
                around |= goal.neighbours[cell]
            self._groups.append((group, around & open_cells))
            own &= ~group

    def chain(self, near: int, entered: int, used: int, most: int) -> Pairs | None:
        """A way to the end from what has these cells nearby."""
        self._steps -= 1
        if self._steps < 0:
            return None
        ends = near & self._goal.end & self._open & ~used
        if most > 0 and ends.bit_count() > 1:
            return (_pair(ends),)
        for number, (group, around) in enumerate(self._groups):
            if entered >> number & 1:
                continue
            now = entered | 1 << number
            if near & group:  # only a border touches
                rest = self._through(group, around, now, used, most)
                if rest is not None:
                    return rest
            for a, b in islice(combinations(cells_of(near & around & ~used), 2), CHOICES):
                if most > 0:
                    rest = self._through(group, around, now, used | 1 << a | 1 << b, most - 1)
                    if rest is not None:
                        return ((a, b), *rest)
        return None

    def _through(self, group: int, around: int, entered: int, used: int, most: int) -> Pairs | None:
        return () if group & self._goal.end else self.chain(around, entered, used, most)


def _pair(cells: int) -> tuple[int, int]:
    one, other = islice(cells_of(cells), 2)
    return one, other
