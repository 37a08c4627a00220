"""Patterns: what must be on the board, as masks."""

from __future__ import annotations

from dataclasses import astuple, dataclass

from skolemate.games.symmetry import Permutation, move_mask

__all__ = ["Pattern", "Patterns"]


@dataclass(frozen=True)
class Pattern:
    """Cells that must be black, white, taken; not black, not white (open: neither).

    >>> Pattern(black=0b01, no_black=0b10, no_white=0b10).holds(black=0b01, white=0b00)
    True
    """

    black: int = 0
    white: int = 0
    occupied: int = 0
    no_black: int = 0
    no_white: int = 0

    @classmethod
    def open(cls, cells: int) -> Pattern:
        return cls(no_black=cells, no_white=cells)

    def holds(self, black: int, white: int) -> bool:
        return (
            black & self.black == self.black
            and white & self.white == self.white
            and (black | white) & self.occupied == self.occupied
            and not black & self.no_black
            and not white & self.no_white
        )

    def mapped(self, permutation: Permutation) -> Pattern:
        return Pattern(*(move_mask(permutation, mask) for mask in astuple(self)))


Patterns = tuple[Pattern, ...]  # any of these
