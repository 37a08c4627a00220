"""What is on the cells of a picture: stones, and the marks that a caller asks for.

The same for text and for SVG.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from skolemate.games.game import Move, Player, Position

__all__ = ["Marks", "owner_of"]


def owner_of(position: Position, cell: int) -> Player | None:
    """Whose stone is on a cell."""
    return next((player for player in Player if position.stones(player) >> cell & 1), None)


@dataclass(frozen=True)
class Marks:
    """What is marked: cells of the last move, highlighted ones, cells with a number, arrows."""

    last: frozenset[int]
    highlighted: frozenset[int]
    numbers: Mapping[int, int]
    arrows: tuple[tuple[int, int], ...]

    @classmethod
    def of(
        cls,
        position: Position,
        *,
        last: Move | None = None,
        highlights: Iterable[int] = (),
        numbers: Mapping[int, int] | None = None,
        arrows: Iterable[tuple[int, int]] = (),
    ) -> Marks:
        # Where it matters whose move it was, the players alternate.
        mover = position.to_move.opponent if position.to_move else Player.BLACK
        touched = () if last is None else position.game.move_cells(last, mover)
        marks = cls(frozenset(touched), frozenset(highlights), dict(numbers or {}), tuple(arrows))
        ends = [cell for arrow in marks.arrows for cell in arrow]
        size = position.game.board.size
        for cell in (*marks.last, *marks.highlighted, *marks.numbers, *ends):
            if not 0 <= cell < size:
                raise ValueError(f"cell {cell} is marked on a board of {size} cells")
        return marks
