"""Polyominoes: connected shapes of squares, free (turned and mirrored copies are the same)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from skolemate.errors import UserError, brief, suggestion
from skolemate.games.board import Grid
from skolemate.games.symmetry import mask_of

Place = tuple[int, int]

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
    >>> str(Shape.parse("01111020")), len(Shape.parse("tippy").orientations)
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
        """A shape by its name, or by its cells as pairs of digits xy (`00102030`)."""
        word = text.lower()
        if word in SHAPES:
            return cls.of(_places(SHAPES[word]))
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
        placements = set()
        for orientation in self.orientations:
            for x, y in board.places:
                cells = {board.at(x + dx, y + dy) for dx, dy in orientation}
                if None not in cells and len(cells) == len(self.cells):
                    placements.add(mask_of(cell for cell in cells if cell is not None))
        return placements

    def __len__(self) -> int:
        return len(self.cells)

    def __str__(self) -> str:
        return _names().get(self.cells) or "".join(f"{x}{y}" for x, y in self.cells)


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
