"""Looking for a chain: groups of own stones, each joined to the next by a pair of open cells.

Whoever answers within the pairs gets from border to border. A search that takes too long finds
none, which is always right.
"""

from __future__ import annotations

from itertools import combinations, islice

from skolemate.games.bits import cells_of, flood
from skolemate.games.goals import Connection
from skolemate.strategies.nodes import Pairs

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
        return search.chain(self._goal.beside(self._goal.start, own), 0, 0, most)


class _Search:
    """Depth first, from one border to the other, through each group once."""

    def __init__(self, goal: Connection, own: int, open_cells: int) -> None:
        self._far, self._end = goal.beside(goal.end, own) & open_cells, goal.end
        self._steps = STEPS
        self._groups: list[tuple[int, int]] = []  # stones, and the open cells around them
        own &= ~flood(goal.neighbours, goal.start, own)
        while own:
            group = flood(goal.neighbours, own & -own, own)
            self._groups.append((group, goal.around(group) & open_cells))
            own &= ~group

    def chain(self, near: int, entered: int, used: int, most: int) -> Pairs | None:
        """A way to the end from what has these cells nearby."""
        self._steps -= 1
        if self._steps < 0 or most < 1:
            return None
        for pair in combinations(cells_of(near & self._far & ~used), 2):
            return (pair,)
        for number, (group, around) in enumerate(self._groups):
            if entered >> number & 1 or group & self._end:
                continue
            for a, b in islice(combinations(cells_of(near & around & ~used), 2), CHOICES):
                now = used | 1 << a | 1 << b
                rest = self.chain(around, entered | 1 << number, now, most - 1)
                if rest is not None:
                    return ((a, b), *rest)
        return None
