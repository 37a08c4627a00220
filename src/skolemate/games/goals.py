"""Goals (what a player must own to have won), and polyominoes.

`Sets` lists the winning sets; `Connection` says "a path between two borders" without ever
listing one. Both answer the same questions about a set of stones.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import groupby

from skolemate.errors import UserError, brief, suggestion
from skolemate.games.board import Board, Grid, HexGrid, Place
from skolemate.games.symmetry import Permutation, cells_of, flood, mask_of, move_mask
from skolemate.limits import breathe

PATH_LIMIT = 100_000  # winning paths that are listed at most
STEP_LIMIT = 2_000_000  # steps of the search for them
TOO_MANY_PATHS = f"it has more than {PATH_LIMIT} paths, or too long a search for them"


class TooManyPaths(Exception):
    """A goal of connection has too many paths to list them."""

    def __init__(self) -> None:
        super().__init__(TOO_MANY_PATHS)


@dataclass(frozen=True)
class Sets:
    """Winning sets, as masks: sorted, none twice."""

    sets: tuple[int, ...]

    @classmethod
    def of(cls, sets: Iterable[int]) -> Sets:
        return cls(tuple(sorted(set(sets))))

    @property
    def listed(self) -> tuple[int, ...]:
        """All winning sets, under the name that `Connection` has for its paths."""
        return self.sets

    def met(self, stones: int) -> bool:
        """Whether these stones contain a winning set."""
        by_first = self._by_first_cell
        for cell in cells_of(stones):
            for winning in by_first.get(cell, ()):
                if stones & winning == winning:
                    return True
        return False

    @cached_property
    def _by_first_cell(self) -> dict[int, list[int]]:
        by_cell: dict[int, list[int]] = {}
        for winning in self.sets:
            by_cell.setdefault((winning & -winning).bit_length() - 1, []).append(winning)
        return by_cell

    def by_one(self, stones: int) -> int:
        """The cells on which one more stone completes a winning set."""
        completing = 0
        for winning in self.sets:
            missing = winning & ~stones
            if not missing & (missing - 1):
                completing |= missing
        return completing

    def witness(self, stones: int) -> int | None:
        """A smallest winning set among these stones, to be shown."""
        complete = [winning for winning in self.sets if stones & winning == winning]
        return min(complete, key=int.bit_count, default=None)

    def without(self, pairs: Iterable[tuple[int, int]]) -> Sets:
        """The winning sets for a player who gets at most one cell of each pair."""
        left = self.sets
        for a, b in pairs:
            pair = 1 << a | 1 << b
            left = tuple([winning for winning in left if winning & pair != pair])
        return Sets(left)

    def within_reach(
        self, own: int, enemy: int, pairs: Sequence[tuple[int, int]], stones: float
    ) -> int | None:
        """A winning set that `stones` more stones could complete and that contains no pair."""
        for winning in self.without(pairs).sets if pairs else self.sets:
            if not winning & enemy and (winning & ~own).bit_count() <= stones:
                return winning
        return None

    def mapped(self, permutation: Permutation) -> Sets:
        return Sets.of(move_mask(permutation, winning) for winning in self.sets)


def minimal(sets: Iterable[int]) -> list[int]:
    """The sets that contain no other, in order.

    >>> minimal([0b111, 0b011, 0b100])
    [3, 4]
    """
    kept = Sets(())
    for _, alike in groupby(sorted(set(sets), key=int.bit_count), key=int.bit_count):
        found = list(kept.sets)
        for cells in alike:  # none of which contains another
            breathe()
            if not kept.met(cells):
                found.append(cells)
        kept = Sets.of(found)
    return list(kept.sets)


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
        return bool(flood(self.neighbours, self.start, stones) & self.end)

    def around(self, stones: int) -> int:
        """The cells beside some stones, and perhaps some of these."""
        beside = 0
        for cell in cells_of(stones):
            beside |= self.neighbours[cell]
        return beside

    def beside(self, border: int, stones: int) -> int:
        """The cells on a border, or beside stones that are joined to it."""
        return border | self.around(flood(self.neighbours, border, stones))

    def by_one(self, stones: int) -> int:
        """The cells on which one more stone joins the borders."""
        return self.beside(self.start, stones) & self.beside(self.end, stones) & ~stones

    def met_by_pairs(self, stones: int, pairs: Iterable[tuple[int, int]]) -> bool:
        """Whether these stones join the borders with one cell of each pair, whichever it is.

        >>> goal = Connection.of([[2], [2], [0, 1]], start=0b011, end=0b100)
        >>> goal.met_by_pairs(0b100, [(0, 1)]), goal.met_by_pairs(0b100, [])
        (True, False)
        """
        near, far = (self.beside(border, stones) for border in (self.start, self.end))
        at_end, rest = flood(self.neighbours, self.end, stones), list(pairs)
        links = [(0, 0)]
        while links:
            links = [(a, b) for a, b in rest if near >> a & near >> b & 1]
            for a, b in links:
                rest.remove((a, b))
                one, other = (flood(self.neighbours, self.neighbours[c], stones) for c in (a, b))
                if far >> a & far >> b & 1 or one & other & at_end:
                    return True
                near |= self.around(one & other)
        return self.met(stones)

    def within_reach(
        self, own: int, enemy: int, pairs: Sequence[tuple[int, int]], stones: float
    ) -> int | None:
        """A path that `stones` more stones could complete, if there is one; it must not need both
        cells of a pair, as far as the paths can be listed.

        >>> goal = Connection.of([[1], [0, 2], [1]], start=0b001, end=0b100)
        >>> goal.within_reach(0b010, 0, (), 2), goal.within_reach(0b010, 0, (), 1)
        (7, None)
        >>> goal.within_reach(0, 0, [(0, 1)], 3)
        """
        if pairs and self.listed is not None:
            return Sets(self.listed).within_reach(own, enemy, pairs, stones)
        joined, needed = flood(self.neighbours, self.start, own), 0
        while not joined & self.end:
            near = self.start | self.around(joined)
            grown, needed = joined | near & ~enemy, needed + 1
            if grown == joined or needed > stones:
                return None
            joined = flood(self.neighbours, grown, grown | own)
        return joined

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
        """The same goal on the open cells alone, with the stones contracted.

        The neighbours of a connected group of own stones become neighbours of each other, or
        part of the border that the group touches; the enemy's cells are cut out. Cells keep
        their numbers; those with a stone have no neighbours any more. The goal must not be met
        already.
        """
        if self.met(own):
            raise ValueError("the borders are joined already")
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
            group = flood(self.neighbours, stones & -stones, stones)
            yield group
            stones &= ~group

    def distances(self, border: int) -> dict[int, int]:
        """How many cells a shortest path from a border to each cell has, both ends included."""
        lengths: dict[int, int] = {}
        fresh = seen = border
        length = 1
        while fresh:
            near = 0
            for cell in cells_of(fresh):
                lengths[cell] = length
                near |= self.neighbours[cell]
            fresh = near & ~seen
            seen |= fresh
            length += 1
        return lengths

    def paths(self, longest: int | None = None) -> list[int]:
        """All minimal winning sets, up to a size: paths in which no cell can be left out.

        Only the first cell is on the start border, only the last on the end border, and two
        cells touch only if they follow each other. Raises TooManyPaths beyond the limits above.
        """
        left = self.distances(self.end)
        reachable = mask_of(left)
        paths: list[int] = []
        # A path so far: its last cell, its cells, the neighbours of all cells before the last
        # (which may not be touched again), and how many cells may still follow.
        room = len(self.neighbours) if longest is None else longest
        growing = [(first, 1 << first, 0, room) for first in cells_of(self.start & reachable)]
        steps = 0
        while growing:
            cell, path, closed, room = growing.pop()
            steps += 1
            breathe()
            if left[cell] > room:
                continue
            if self.end >> cell & 1:
                paths.append(path)
            else:
                near = self.neighbours[cell] & ~closed & ~path
                growing += [
                    (step, path | 1 << step, closed | near, room - 1)
                    for step in cells_of(near & reachable & ~self.start)
                ]
            if len(paths) > PATH_LIMIT or steps > STEP_LIMIT:
                raise TooManyPaths
        return sorted(paths)

    @cached_property
    def listed(self) -> tuple[int, ...] | None:
        """All paths, if they are not too many."""
        try:
            return tuple(self.paths())
        except TooManyPaths:
            return None


Goal = Sets | Connection


@lru_cache(maxsize=4)
def hex_goals(board: HexGrid) -> tuple[Connection, Connection]:
    """Black joins the first row to the last, White the first column to the last."""
    return (
        Connection.of(board.neighbours, board.row(0), board.row(board.height - 1)),
        Connection.of(board.neighbours, board.column(0), board.column(board.width - 1)),
    )


def closed_neighbourhoods(board: Board) -> Sets:
    """Every cell with those beside it: who owns one has a cell that the other does not dominate."""
    return Sets.of(mask_of((cell, *beside)) for cell, beside in enumerate(board.neighbours))


# --- polyominoes ----------------------------------------------------------------------------------
# Connected shapes of squares, free: turned and mirrored copies are the same.


# Harary's names up to four cells, letters for the pentominoes; cells as xy pairs of digits.
SHAPES = {
    "elam": "00",
    "domino": "0010",
    "el": "000111",
    "tic": "001020",
    "elly": "00011020",
    "fatty": "00011011",
    "knobby": "00101120",
    "skinny": "00102030",
    "tippy": "00101121",
    "f": "1020011112",
    "i": "0010203040",
    "l": "0001020313",
    "n": "0010202131",
    "p": "0010011102",
    "t": "0010201112",
    "u": "0020011121",
    "v": "0001021222",
    "w": "0001111222",
    "x": "1001112112",
    "y": "0010203011",
    "z": "0010111222",
    "snaky": "001020303141",
}


@dataclass(frozen=True)
class Shape:
    """A free polyomino, held in its canonical orientation.

    >>> Shape.parse("Tippy") == Shape.parse("01111020")
    True
    >>> str(Shape.parse("XX./.XX")), len(Shape.parse("tippy").orientations)
    ('tippy', 4)
    """

    cells: tuple[Place, ...]

    @classmethod
    def of(cls, cells: Iterable[Place]) -> Shape:
        listed = sorted(cells)
        if len(set(listed)) < len(listed):
            raise UserError("a shape has a cell twice")
        if not _connected(set(listed)):
            raise UserError("the cells of a shape must hang together by their edges")
        return cls(min(_orientations(listed)))

    @classmethod
    def parse(cls, text: str) -> Shape:
        """A shape by its name, as a drawing (`XX./.XX`), or by pairs of digits xy (`00102030`)."""
        word = text.lower().strip("'\"")
        if word in SHAPES:
            return cls.of(_places(SHAPES[word]))
        if re.fullmatch(r"[x./]*x[x./]*", word):
            rows = word.split("/")
            if max(len(rows), *map(len, rows)) > 10:  # its name has one digit for a coordinate
                raise UserError(f"the drawing {brief(text)} is larger than 10x10")
            return cls.of(
                (x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == "x"
            )
        if re.fullmatch(r"([0-9][0-9])+", word):
            return cls.of(_places(word))
        if word.isdigit():
            raise UserError(f"shape {brief(text)}: cells are pairs of digits xy, as in 001020")
        raise UserError(f"unknown shape {brief(text)}: {suggestion(word, SHAPES)}")

    @cached_property
    def orientations(self) -> tuple[tuple[Place, ...], ...]:
        """All turned and mirrored copies, each pushed into the corner."""
        return tuple(sorted(_orientations(self.cells)))

    def placements(self, board: Grid) -> set[int]:
        """Every way to lay it onto the board, as masks; on a torus it may cross the edges."""
        return set(self._laid(board))

    def fits(self, board: Grid) -> bool:
        """Whether there is one."""
        return any(self._laid(board))

    def _laid(self, board: Grid) -> Iterator[int]:
        for orientation in self.orientations:
            for x, y in board.places:
                cells = {board.at(x + dx, y + dy) for dx, dy in orientation}
                if None not in cells and len(cells) == len(self.cells):
                    yield mask_of(cell for cell in cells if cell is not None)

    def __len__(self) -> int:
        return len(self.cells)

    def __str__(self) -> str:
        return _names().get(self.cells) or "".join(f"{x}{y}" for x, y in self.cells)


@dataclass(frozen=True)
class Shapes:
    """One polyomino or several, of which a player builds any.

    >>> print(Shapes.parse("EL tic el"))
    tic el
    """

    shapes: tuple[Shape, ...]

    @classmethod
    def of(cls, shapes: Iterable[Shape]) -> Shapes:
        return cls(tuple(sorted(set(shapes), key=lambda shape: (len(shape), shape.cells))))

    @classmethod
    def parse(cls, text: str) -> Shapes:
        """Shapes as `Shape.parse` reads them, with blanks between them."""
        return cls.of(map(Shape.parse, text.strip("'\"").split()))

    @property
    def single(self) -> Shape | None:
        """The only shape, if it is one."""
        return self.shapes[0] if len(self.shapes) == 1 else None

    def placements(self, board: Grid) -> Sets:
        """Every way to lay one of them onto the board."""
        return Sets.of(mask for shape in self.shapes for mask in shape.placements(board))

    def __str__(self) -> str:
        return " ".join(map(str, self.shapes))


def polyominoes(cells: int) -> list[Shape]:
    """All free polyominoes of a size, in a fixed order.

    >>> [len(polyominoes(n)) for n in range(1, 7)]
    [1, 1, 2, 5, 12, 35]
    """
    if cells == 1:
        return [Shape.of([(0, 0)])]
    grown = {
        Shape.of([*smaller.cells, extra])
        for smaller in polyominoes(cells - 1)
        for extra in _border(set(smaller.cells))
    }
    return sorted(grown, key=lambda shape: shape.cells)


def fitting(side: int, sizes: Iterable[int]) -> list[Shape]:
    """All free polyominoes of these sizes that fit into a square.

    >>> [str(shape) for shape in fitting(2, range(1, 5))]
    ['elam', 'domino', 'el', 'fatty']
    """
    return [
        shape
        for cells in sizes
        for shape in polyominoes(cells)
        if max(max(place) for place in shape.cells) < side
    ]


def _places(digits: str) -> list[Place]:
    return [(int(digits[i]), int(digits[i + 1])) for i in range(0, len(digits), 2)]


@cache
def _names() -> dict[tuple[Place, ...], str]:
    return {Shape.parse(name).cells: name for name in SHAPES}


def _orientations(cells: Iterable[Place]) -> set[tuple[Place, ...]]:
    orientations = set()
    turned = list(cells)
    for _ in range(4):
        turned = [(-y, x) for x, y in turned]
        for copy in (turned, [(-x, y) for x, y in turned]):
            left, top = min(x for x, _ in copy), min(y for _, y in copy)
            orientations.add(tuple(sorted((x - left, y - top) for x, y in copy)))
    return orientations


def _border(cells: set[Place]) -> Iterator[Place]:
    for x, y in cells:
        for place in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if place not in cells:
                yield place


def _connected(cells: set[Place]) -> bool:
    reached = {min(cells)}
    while True:
        fresh = cells.intersection(_border(reached))
        if not fresh:
            return reached == cells
        reached |= fresh
