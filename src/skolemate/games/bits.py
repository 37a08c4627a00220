"""Sets of cells as the bits of one integer: bit i is cell i."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

__all__ = ["cells_of", "mask_of"]


def mask_of(cells: Iterable[int]) -> int:
    """
    >>> mask_of([0, 3])
    9
    """
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def cells_of(mask: int) -> Iterator[int]:
    """
    >>> list(cells_of(9))
    [0, 3]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
