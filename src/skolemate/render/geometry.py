"""The geometry that pictures are drawn from: points, and a board as cells, edges and labels.

In pixels, y downwards. How each kind of board gets its geometry is told in `layout`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["PITCH", "Edge", "Label", "Layout", "Point", "Side"]

PITCH = 40.0  # the distance of neighbouring cells
LETTER_WIDTH = 8.0  # of a label's letter, on the generous side: fonts differ
LABEL_HEIGHT = 16.0


class Point(NamedTuple):
    x: float
    y: float


@dataclass(frozen=True)
class Label:
    """A text around the board; `side` says where it lies: -1 left of its point, 1 right of it."""

    at: Point
    words: str
    side: int = 0

    @property
    def span(self) -> tuple[float, float]:
        """How far the text reaches to the left and to the right, about."""
        width = LETTER_WIDTH * len(self.words)
        left = self.at.x - width * (1 - self.side) / 2
        return left, left + width


@dataclass(frozen=True)
class Edge:
    """A line between two cells, drawn towards a third point as a quadratic curve.

    With that point in the middle it is straight; elsewhere, it keeps off other cells.
    """

    start: Point
    end: Point
    towards: Point


@dataclass(frozen=True)
class Side:
    """One of the four sides of a Hex board."""

    outline: tuple[Point, ...]
    joins_rows: bool  # top or bottom, which belong to the player who joins first and last row


@dataclass(frozen=True)
class Layout:
    """A board as geometry. An empty outline means round cells."""

    centres: tuple[Point, ...]
    outline: tuple[Point, ...]  # of a cell, around its centre
    labels: tuple[Label, ...] = ()
    frames: tuple[tuple[Point, ...], ...] = ()  # the contours of whole boards
    ghosts: tuple[tuple[int, Point], ...] = ()  # cells shown once more beyond a joined edge
    edges: tuple[Edge, ...] = ()
    sides: tuple[Side, ...] = ()

    def around(self, centre: Point) -> tuple[Point, ...]:
        """The contour of a cell."""
        return tuple(Point(centre.x + p.x, centre.y + p.y) for p in self.outline)

    @property
    def extent(self) -> tuple[Point, Point]:
        """The upper left and the lower right corner of everything."""
        half = PITCH / 2
        corners = [point for side in self.sides for point in side.outline]
        for x, y in (*self.centres, *(centre for _, centre in self.ghosts)):
            corners += [Point(x - half, y - half), Point(x + half, y + half)]
        for label in self.labels:
            left, right = label.span
            corners.append(Point(left, label.at.y - LABEL_HEIGHT / 2))
            corners.append(Point(right, label.at.y + LABEL_HEIGHT / 2))
        xs, ys = [x for x, _ in corners] or [0.0], [y for _, y in corners] or [0.0]
        return Point(min(xs), min(ys)), Point(max(xs), max(ys))
