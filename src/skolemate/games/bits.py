"""Sets of cells as the bits of one integer: bit i is cell i."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from skolemate.limits import breathe

__all__ = ["cells_of", "flood", "mask_of"]


def mask_of(cells: Iterable[int]) -> int:
    """
    >>> mask_of([0, 3])
    9
    """
    breathe()  # here, because nearly all that takes long on a huge board comes by
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


def flood(neighbours: Sequence[int], start: int, within: int) -> int:
    """All cells of `within` that can be reached from `start` without leaving it.

    >>> flood([0b010, 0b101, 0b010], start=0b001, within=0b011)
    3
    """
    fresh = reached = start & within
    while fresh:
        breathe()
        near = 0
        for cell in cells_of(fresh):
            near |= neighbours[cell]
        fresh = near & within & ~reached
        reached |= fresh
    return reached
