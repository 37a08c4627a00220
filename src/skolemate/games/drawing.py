"""Boards drawn in rows: `.` is an open cell, `X` and `O` are stones, `#` is a hole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from skolemate.errors import UserError, brief
from skolemate.games.board import Grid, HexGrid, Place, cell_name

OPEN, BLACK, WHITE, HOLE = ".", "X", "O", "#"
SYMBOLS = OPEN + BLACK + WHITE + HOLE


@dataclass(frozen=True)
class Drawing:
    """A drawn board with its stones.

    >>> drawing = Drawing.parse("x../.#/.o.")
    >>> print(drawing, drawing.grid(), drawing.named("O"))
    X../.##/.O. a 3x3 board with 2 holes b3
    """

    rows: tuple[str, ...]  # all of one length

    @classmethod
    def parse(cls, text: str) -> Drawing:
        """Rows with `/` or the end of a line between them; blanks do not count.

        Where a row is shorter than others, there are no cells.
        """
        lines = text.upper().strip("'\"").replace("\n", "/").split("/")
        rows = ["".join(line.split()) for line in lines]
        for row in rows:
            for symbol in row:
                if symbol not in SYMBOLS:
                    raise UserError(
                        f"{brief(symbol)} in the board {brief(text)} is neither an open cell (.), "
                        "a stone (X, O) nor a hole (#)"
                    )
        width = max(map(len, rows))
        if not any(set(row) - {HOLE} for row in rows):
            raise UserError(f"the board {brief(text)} has no cells")
        return cls(tuple(row.ljust(width, HOLE) for row in rows))

    def _places(self, symbol: str) -> Iterator[Place]:
        for y, row in enumerate(self.rows):
            yield from ((x, y) for x, drawn in enumerate(row) if drawn == symbol)

    def named(self, symbol: str) -> str:
        """The names of the cells that are drawn so."""
        return " ".join(cell_name(x, y) for x, y in self._places(symbol))

    def grid(self, torus: bool = False) -> Grid:
        """Its board, of squares."""
        return Grid(len(self.rows[0]), len(self.rows), torus, tuple(self._places(HOLE)))

    def hex_grid(self) -> HexGrid:
        """Its board, of hexagons: each row half a cell to the right of the one above."""
        return HexGrid(len(self.rows[0]), len(self.rows), tuple(self._places(HOLE)))

    def __str__(self) -> str:
        return "/".join(self.rows)
