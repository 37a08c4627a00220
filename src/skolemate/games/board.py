"""Boards: cells with printable names, a neighbour relation, and a symmetry group.

Cells are numbered from 0, column by column, as in the published files (a1 a2 a3 b1 …).
A board knows nothing of rules: a game keeps those symmetries that keep its own rules.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import permutations, product

from skolemate.errors import UserError, brief
from skolemate.games.symmetry import CellMap, Permutation, automorphisms, cells_of, mask_of
from skolemate.limits import breathe
from skolemate.output import amount

# --- coordinates ----------------------------------------------------------------------------------
# In a cell's name the letter is the column and the number the row, row 1 at the top. After z comes
# aa, as in a spreadsheet. Inside the program columns and rows count from 0.


_CELL = re.compile(r"([a-z]{1,6})([1-9][0-9]{0,8})")


@cache
def column_name(column: int) -> str:
    """
    >>> [column_name(c) for c in (0, 25, 26, 701, 702)]
    ['a', 'z', 'aa', 'zz', 'aaa']
    """
    letters = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def column_letters(width: int) -> list[str]:
    """The names of the first columns, from left to right."""
    return [column_name(column) for column in range(width)]


def cell_name(column: int, row: int) -> str:
    """
    >>> cell_name(2, 0)
    'c1'
    """
    return f"{column_name(column)}{row + 1}"


def parse_cell(text: str) -> tuple[int, int] | None:
    """Column and row of a cell name, or None if this is not one.

    >>> parse_cell("aa10"), parse_cell("x"), parse_cell("a0")
    ((26, 9), None, None)
    """
    match = _CELL.fullmatch(text.lower())
    if not match:
        return None
    letters, row = match.groups()
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - ord("a") + 1
    return column - 1, int(row) - 1


def rectangle(names: Iterable[str]) -> tuple[int, int] | None:
    """Width and height if these are exactly the cells of a full board, else None.

    >>> rectangle(["a1", "a2", "b2", "b1"]), rectangle(["a1", "b2"])
    ((2, 2), None)
    """
    places = [parse_cell(name) for name in names]
    known = {place for place in places if place is not None}
    if not known or len(known) < len(places):
        return None
    width = 1 + max(column for column, _ in known)
    height = 1 + max(row for _, row in known)
    return (width, height) if width * height == len(known) else None


# --- boards ---------------------------------------------------------------------------------------


Place = tuple[int, int]  # column and row, from 0

MAXIMUM_CELLS = 10_000  # far beyond any solver; keeps a mistyped size from eating the memory
LARGEST_RENAMED_SIDE = 5  # larger cubes keep to the 48 symmetries of the solid
MAXIMUM_SHIFTED = 400  # cells; shifts of a larger torus are left out (each is eight permutations)
MAXIMUM_MOVED = 200  # cells; of a larger board there are too many motions
MAXIMUM_SYMMETRY_SEARCH = 100  # cells; of a larger graph no automorphisms are searched for


class Board(ABC):
    """What all boards share. `names` fixes the numbering of the cells.

    >>> print(Grid(3, 4), HexGrid(5, 5), Cube(4), Graph.of("pqr"), sep=", ")
    a 3x4 board, a 5x5 Hex board, a 4x4x4 cube, a board of 3 cells
    """

    def __str__(self) -> str:
        return f"a board of {self.size} cells"

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The printable name of every cell, in order."""

    @property
    @abstractmethod
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For every cell the cells next to it, in ascending order."""

    @property
    @abstractmethod
    def symmetries(self) -> tuple[Permutation, ...]:
        """The symmetry group of the bare board, identity included; of a huge one only a part."""

    @property
    def motions(self) -> tuple[CellMap, ...]:
        """Partial maps that take shapes to the same shapes elsewhere; symmetries are not listed."""
        return ()

    @property
    def size(self) -> int:
        return len(self.names)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: cell for cell, name in enumerate(self.names)}

    def cell(self, name: str) -> int:
        """The number of a cell given by name.

        >>> Grid(3, 3).cell("b1")
        3
        """
        cell = self._index.get(name, self._index.get(name.lower()))
        if cell is None:
            raise UserError(
                f"there is no cell {brief(name)} on this board; "
                f"its cells run from {self.names[0]} to {self.names[-1]}"
            )
        return cell

    def cells(self, names: str | Iterable[str]) -> int:
        """A set of cells as a mask; names as a list or in one string.

        >>> Grid(2, 2).cells("a1 b2")
        9
        """
        listed = names.split() if isinstance(names, str) else list(names)
        numbers = [self.cell(name) for name in listed]
        for name, number in zip(listed, numbers, strict=True):
            if numbers.count(number) > 1:
                raise UserError(f"cell {name} is given twice")
        return mask_of(numbers)

    def named(self, mask: int) -> str:
        """The names of a set of cells, as `cells` takes them.

        >>> Grid(2, 2).named(9)
        'a1 b2'
        """
        return " ".join(self.names[cell] for cell in cells_of(mask))


def _check_size(*sides: int) -> None:
    cells = 1
    for side in sides:
        if side < 1:
            raise UserError(f"a board needs at least one cell a side, not {side}")
        cells *= side
    if cells > MAXIMUM_CELLS:
        raise UserError(f"a board of {cells} cells is beyond the limit of {MAXIMUM_CELLS}")


class _Rectangle(Board):
    """What square, torus and hexagonal boards share: cells (x, y), numbered column by column.

    `holes` are places without a cell.
    """

    width: int
    height: int
    holes: tuple[Place, ...]

    @property
    def is_whole(self) -> bool:
        """Whether every place of the rectangle is a cell."""
        return not self.holes

    def _with_holes(self, words: str) -> str:
        """What the board is called, with the number of its holes."""
        return words if self.is_whole else f"{words} with {amount(len(self.holes), 'hole')}"

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(cell_name(x, y) for x, y in self.places)

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Column and row of every cell, counted from 0."""
        holes = set(self.holes)
        return tuple(p for p in product(range(self.width), range(self.height)) if p not in holes)

    @cached_property
    def _cells(self) -> dict[Place, int]:
        return {place: cell for cell, place in enumerate(self.places)}

    def at(self, x: int, y: int) -> int | None:
        """The cell in column x and row y, or None beyond the edge and in a hole."""
        return self._cells.get((x, y))

    def _around(self, offsets: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
        steps = list(offsets)
        rows = []
        for cell, (x, y) in enumerate(self.places):
            near = {self.at(x + dx, y + dy) for dx, dy in steps} - {None, cell}
            rows.append(tuple(sorted(c for c in near if c is not None)))
        return tuple(rows)

    def _images(
        self, maps: Iterable[Callable[[int, int], tuple[int, int]]]
    ) -> tuple[Permutation, ...]:
        """The distinct permutations of cells that these maps of coordinates give."""
        distinct: dict[Permutation, None] = {}
        cell_at = self._cells.get
        for move in maps:
            breathe()
            images = [cell_at(move(x, y)) for x, y in self.places]
            if None not in images:  # holes come to lie on holes
                distinct[tuple(cell for cell in images if cell is not None)] = None
        return tuple(distinct)


@dataclass(frozen=True)
class Grid(_Rectangle):
    """A board of squares; as a torus, opposite edges are joined.

    >>> board = Grid(3, 3)
    >>> [board.names[cell] for cell in board.neighbours[board.cell("a1")]]
    ['a2', 'b1']
    """

    width: int
    height: int
    torus: bool = False
    holes: tuple[Place, ...] = ()

    def __post_init__(self) -> None:
        _check_size(self.width, self.height)

    def __str__(self) -> str:
        kind = "torus" if self.torus else "board"
        return self._with_holes(f"a {self.width}x{self.height} {kind}")

    def at(self, x: int, y: int) -> int | None:
        return super().at(x % self.width, y % self.height) if self.torus else super().at(x, y)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        return self._around([(1, 0), (-1, 0), (0, 1), (0, -1)])

    @cached_property
    def symmetries(self) -> tuple[Permutation, ...]:
        shifts: Iterable[tuple[int, int]] = [(0, 0)]
        if self.torus and self.size <= MAXIMUM_SHIFTED:
            shifts = product(range(self.width), range(self.height))
        turns = [False, True] if self.width == self.height else [False]
        mirrors = [False, True]
        return self._images(
            partial(self._moved, *choice) for choice in product(shifts, turns, mirrors, mirrors)
        )

    @cached_property
    def motions(self) -> tuple[CellMap, ...]:
        if self.torus or self.size > MAXIMUM_MOVED:
            return ()
        side = max(self.width, self.height)
        square, steps, maps = Grid(side, side), range(1 - side, side), dict[CellMap, None]()
        for turn, dx, dy in product(square.symmetries, steps, steps):
            breathe()
            images = (square.places[turn[square.at(x, y) or 0]] for x, y in self.places)
            maps[tuple(self.at(x + dx, y + dy) for x, y in images)] = None
        return tuple(where for where in maps if None in where)

    def _moved(
        self, shift: tuple[int, int], turn: bool, mirror_x: bool, mirror_y: bool, x: int, y: int
    ) -> tuple[int, int]:
        if turn:
            x, y = y, x
        x = self.width - 1 - x if mirror_x else x
        y = self.height - 1 - y if mirror_y else y
        return (x + shift[0]) % self.width, (y + shift[1]) % self.height


@dataclass(frozen=True)
class HexGrid(_Rectangle):
    """A rhombus of hexagons: c2 touches b2, d2, c1, c3, d1 and b3.

    >>> board = HexGrid(4, 4)
    >>> [board.names[cell] for cell in board.neighbours[board.cell("c2")]]
    ['b2', 'b3', 'c1', 'c3', 'd1', 'd2']
    """

    width: int
    height: int
    holes: tuple[Place, ...] = ()

    def __post_init__(self) -> None:
        _check_size(self.width, self.height)

    def __str__(self) -> str:
        return self._with_holes(f"a {self.width}x{self.height} Hex board")

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        return self._around([(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)])

    @cached_property
    def symmetries(self) -> tuple[Permutation, ...]:
        last_x, last_y = self.width - 1, self.height - 1
        half_turn = [lambda x, y: (x, y), lambda x, y: (last_x - x, last_y - y)]
        mirrors = [lambda x, y: (y, x), lambda x, y: (last_x - y, last_y - x)]
        return self._images(half_turn + mirrors if self.width == self.height else half_turn)

    @property
    def sides(self) -> str:
        """Width and height as parameters of Hex.

        >>> HexGrid(5, 5).sides, HexGrid(5, 4).sides
        ('size=5', 'width=5, height=4')
        """
        if self.width == self.height:
            return f"size={self.width}"
        return f"width={self.width}, height={self.height}"

    def row(self, y: int) -> int:
        """All cells of a row, as a mask."""
        return mask_of(cell for cell, place in enumerate(self.places) if place[1] == y)

    def column(self, x: int) -> int:
        """All cells of a column, as a mask."""
        return mask_of(cell for cell, place in enumerate(self.places) if place[0] == x)


@dataclass(frozen=True)
class Cube(Board):
    """A cube of cells in layers: `a1.1` is the corner of the first layer.

    The symmetries are those that keep straight lines: besides the 48 of the solid cube, the
    inner cells of all lines may change places with the outer ones (192 in all at size 4).

    >>> len(Cube(4).symmetries)
    192
    """

    side: int

    def __post_init__(self) -> None:
        _check_size(self.side, self.side, self.side)

    def __str__(self) -> str:
        return f"a {self.side}x{self.side}x{self.side} cube"

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{cell_name(x, y)}.{z + 1}" for x, y, z in self.places)

    @cached_property
    def places(self) -> tuple[tuple[int, int, int], ...]:
        """Column, row and layer of every cell."""
        side = range(self.side)
        return tuple((x, y, z) for x, y, z in product(side, side, side))

    def at(self, x: int, y: int, z: int) -> int | None:
        """The cell at these coordinates, or None beyond the edge."""
        if all(0 <= c < self.side for c in (x, y, z)):
            return (x * self.side + y) * self.side + z
        return None

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        steps = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
        near = [
            [self.at(x + dx, y + dy, z + dz) for dx, dy, dz in steps] for x, y, z in self.places
        ]
        return tuple(tuple(sorted(c for c in row if c is not None)) for row in near)

    @cached_property
    def symmetries(self) -> tuple[Permutation, ...]:
        last = self.side - 1
        # Values along a line may be renamed in any way that respects "opposite end"; the number
        # of ways grows like a factorial, so that large cubes keep to the plain ones.
        values = tuple(range(self.side))
        renamings = [values, values[::-1]]
        if self.side <= LARGEST_RENAMED_SIDE:
            renamings = [
                rename
                for rename in permutations(values)
                if all(rename[last - v] == last - rename[v] for v in values)
            ]
        distinct: dict[Permutation, None] = {}
        for axes, rename, flips in product(
            permutations(range(3)), renamings, product([False, True], repeat=2)
        ):
            flip = (False, *flips)  # flipping all three is a renaming already
            image = []
            for place in self.places:
                turned = [rename[place[axis]] for axis in axes]
                moved = [last - v if f else v for v, f in zip(turned, flip, strict=True)]
                image.append((moved[0] * self.side + moved[1]) * self.side + moved[2])
            distinct[tuple(image)] = None
        return tuple(distinct)


@dataclass(frozen=True)
class Graph(Board):
    """Any cells and any neighbour relation, as files give them.

    >>> board = Graph.of(["p", "q", "r"], [("p", "q")])
    >>> board.neighbours
    ((1,), (0,), ())
    """

    cell_names: tuple[str, ...]
    adjacency: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, names: Iterable[str], edges: Iterable[tuple[str, str]] = ()) -> Graph:
        """A graph from the names of its cells and its edges."""
        cells = tuple(names)
        index = {name: cell for cell, name in enumerate(cells)}
        rows: list[set[int]] = [set() for _ in cells]
        for a, b in edges:
            rows[index[a]].add(index[b])
            rows[index[b]].add(index[a])
        return cls(cells, tuple(tuple(sorted(row)) for row in rows))

    @property
    def names(self) -> tuple[str, ...]:
        return self.cell_names

    @property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        return self.adjacency

    @cached_property
    def symmetries(self) -> tuple[Permutation, ...]:
        if self.size > MAXIMUM_SYMMETRY_SEARCH or not any(self.neighbours):
            return (tuple(range(self.size)),)
        return automorphisms(self.neighbours)


@dataclass(frozen=True)
class Facts(Board):
    """The facts of a description as cells: black if they hold, open if not."""

    facts: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return self.facts

    @property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        return ((),) * self.size

    @property
    def symmetries(self) -> tuple[Permutation, ...]:
        return (tuple(range(self.size)),)
