"""Goals: what a player must own to have won.

`Sets` lists the winning sets; `Connection` says "a path between two borders" without ever
listing one. Both answer the same questions about a set of stones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from skolemate.games.bits import cells_of, mask_of
from skolemate.games.board import HexGrid
from skolemate.games.symmetry import Permutation, move_mask

__all__ = ["Connection", "Goal", "Sets", "hex_goals"]


@dataclass(frozen=True)
class Sets:
    """Winning sets, as masks: sorted, none twice."""

    sets: tuple[int, ...]

    @classmethod
    def of(cls, sets: Iterable[int]) -> Sets:
        return cls(tuple(sorted(set(sets))))

    def met(self, stones: int) -> bool:
        """Whether these stones contain a winning set."""
        return any(stones & winning == winning for winning in self.sets)

    def witness(self, stones: int) -> int | None:
        """A smallest winning set among these stones, to be shown."""
        complete = [winning for winning in self.sets if stones & winning == winning]
        return min(complete, key=int.bit_count, default=None)

    def mapped(self, permutation: Permutation) -> Sets:
        return Sets.of(move_mask(permutation, winning) for winning in self.sets)


@dataclass(frozen=True)
class Connection:
    """A path of own stones from one border to the other, in a graph.

    `neighbours` are masks; a cell may lie on both borders.

    >>> goal = Connection.of([[1], [0, 2], [1]], start=0b001, end=0b100)
    >>> goal.met(0b111), goal.met(0b101)
    (True, False)
    """

    neighbours: tuple[int, ...]
    start: int
    end: int

    @classmethod
    def of(cls, neighbours: Sequence[Sequence[int]], start: int, end: int) -> Connection:
        return cls(tuple(mask_of(row) for row in neighbours), start, end)

    def met(self, stones: int) -> bool:
        """Whether these stones join the borders."""
        fresh = reached = stones & self.start
        while fresh:
            if fresh & self.end:
                return True
            near = 0
            for cell in cells_of(fresh):
                near |= self.neighbours[cell]
            fresh = near & stones & ~reached
            reached |= fresh
        return False

    def witness(self, stones: int) -> int | None:
        """A shortest path among these stones, to be shown."""
        came_from: dict[int, int | None] = dict.fromkeys(cells_of(stones & self.start))
        queue = deque(came_from)
        while queue:
            cell = queue.popleft()
            if self.end >> cell & 1:
                path = 0
                step: int | None = cell
                while step is not None:
                    path |= 1 << step
                    step = came_from[step]
                return path
            for near in cells_of(self.neighbours[cell] & stones):
                if near not in came_from:
                    came_from[near] = cell
                    queue.append(near)
        return None

    def mapped(self, permutation: Permutation) -> Connection:
        moved = [0] * len(self.neighbours)
        for cell, row in enumerate(self.neighbours):
            moved[permutation[cell]] = move_mask(permutation, row)
        borders = [move_mask(permutation, border) for border in (self.start, self.end)]
        # A path has no direction: borders that only changed places are the same goal.
        if borders == [self.end, self.start]:
            borders.reverse()
        return Connection(tuple(moved), *borders)

    def contracted(self, own: int, enemy: int) -> Connection:
        """The same goal with the stones gone: what is left to do on the open cells.

        The neighbours of a connected group of own stones become neighbours of each other, or
        part of the border that the group touches; the enemy's cells are cut out. Cells keep
        their numbers; those with a stone have no neighbours any more.
        """
        gone = own | enemy
        neighbours = [0 if gone >> c & 1 else row & ~gone for c, row in enumerate(self.neighbours)]
        start, end = self.start & ~gone, self.end & ~gone
        for group in self._groups(own):
            around = mask_of(c for c, row in enumerate(self.neighbours) if row & group) & ~gone
            for cell in cells_of(around):
                neighbours[cell] |= around & ~(1 << cell)
            start |= around if group & self.start else 0
            end |= around if group & self.end else 0
        return Connection(tuple(neighbours), start, end)

    def _groups(self, stones: int) -> Iterator[int]:
        """The connected groups of a set of stones."""
        while stones:
            group = fresh = stones & -stones
            while fresh:
                near = 0
                for cell in cells_of(fresh):
                    near |= self.neighbours[cell]
                fresh = near & stones & ~group
                group |= fresh
            yield group
            stones &= ~group

    def paths(self) -> Iterator[int]:
        """All minimal winning sets: paths in which no cell can be left out.

        Only the first cell is on the start border, only the last on the end border, and two
        cells touch only if they follow each other.
        """
        for first in cells_of(self.start):
            yield from self._grow(first, 1 << first, 0)

    def _grow(self, cell: int, path: int, closed: int) -> Iterator[int]:
        # `closed`: the neighbours of the cells before this one, which may not be touched again.
        if self.end >> cell & 1:
            yield path
            return
        near = self.neighbours[cell] & ~closed & ~path
        for step in cells_of(near & ~self.start):
            yield from self._grow(step, path | 1 << step, closed | near)


Goal = Sets | Connection


def hex_goals(board: HexGrid) -> tuple[Connection, Connection]:
    """Black joins the first row to the last, White the first column to the last."""
    return (
        Connection.of(board.neighbours, board.row(0), board.row(board.height - 1)),
        Connection.of(board.neighbours, board.column(0), board.column(board.width - 1)),
    )
