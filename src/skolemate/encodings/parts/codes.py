"""Moves in binary: a cell's code is its number, spread over ⌈lg N⌉ bits."""

from __future__ import annotations

from functools import cache

import numpy as np

from skolemate.formula import Literals

__all__ = ["bit_labels", "bits_needed", "matching", "unlike"]


def bits_needed(cells: int) -> int:
    """⌈lg N⌉.

    >>> [bits_needed(n) for n in (0, 1, 2, 3, 4, 5)]
    [0, 0, 1, 2, 2, 3]
    """
    return max(cells - 1, 0).bit_length()


def bit_labels(cells: int) -> list[str]:
    return [f"bit{i}" for i in range(bits_needed(cells))]


@cache
def _signs(cells: int) -> Literals:
    """+1 where bit i of cell v is 1, else -1; one row a cell."""
    numbers = np.arange(cells, dtype=np.int32)[:, None]
    bits = numbers >> np.arange(bits_needed(cells), dtype=np.int32) & 1
    return (2 * bits - 1).astype(np.int32)


def matching(bits: Literals, cells: int) -> Literals:
    """For every cell the literals that are all true iff the bits name it."""
    return _signs(cells) * bits


def unlike(bits: Literals, cells: int) -> Literals:
    """For every cell the literals of which one is true iff the bits do not name it."""
    return -matching(bits, cells)
