"""Explicit boards with a variable for each cell, and moves as binary codes of cells.

For COR, COR+, COVER and PAIRING, and for EA, EN and ET.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from skolemate.encodings.parts.problems import Problem, SetProblem
from skolemate.formula import FALSE, TRUE, Builder, Literals, constants

# --- codes ----------------------------------------------------------------------------------------
# The code of a cell is its number in ⌈lg N⌉ bits.


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
    """+1 where bit i of cell v is 1, else -1; one row for each cell."""
    numbers = np.arange(cells, dtype=np.int32)[:, None]
    bits = numbers >> np.arange(bits_needed(cells), dtype=np.int32) & 1
    return (2 * bits - 1).astype(np.int32)


def matching(bits: Literals, cells: int) -> Literals:
    """For every cell a row of literals that are all true iff the bits name the cell."""
    return _signs(cells) * bits


def unlike(bits: Literals, cells: int) -> Literals:
    """For every cell a row of literals of which one is true iff the bits do not name the cell."""
    return -matching(bits, cells)


# --- boards ---------------------------------------------------------------------------------------


def new_board(
    builder: Builder, problem: Problem, ply: int, name: str, *axes: Sequence[str]
) -> Literals:
    """A board after a ply, with variables for the cells on which a stone may lie by then."""
    board, allowed = constants(FALSE, len(problem.cells)), problem.allowed(ply)
    names = [problem.names[code] for code in allowed]
    board[allowed] = builder.exists(name, *axes, names, [f"t{ply}"]).reshape(-1)
    return board


def stone_is_forced(
    builder: Builder,
    problem: Problem,
    ply: int,
    bits: Literals,
    stones: Literals,
    *unless: Literals | np.int32,
) -> None:
    """The cell that the bits of a ply name has a stone, unless a literal of `unless` holds."""
    allowed = problem.allowed(ply)
    missed = unlike(bits, 1 << len(bits))[allowed]
    exceptions = [np.broadcast_to(part, stones.shape)[allowed] for part in unless]
    builder.add([missed], *exceptions, stones[allowed])


# --- goals ----------------------------------------------------------------------------------------


def owns_a_set(
    builder: Builder,
    sets: tuple[tuple[int, ...], ...],
    board: Literals,
    name: str = "win",
    unless: np.int32 = FALSE,
) -> Literals:
    """Some win(e) holds, and win(e) implies that the player owns all cells of e. Returns win."""
    win = builder.exists(name, [f"set{number}" for number in range(len(sets))])
    owners, codes = SetProblem.members(sets)
    builder.add(unless, [win])
    builder.add(-win[owners], board[codes])
    return win


def white_owns_no_set(builder: Builder, problem: SetProblem, white: Literals) -> None:
    if problem.white_sets:
        builder.add([-problem.rows(white, problem.white_sets, TRUE)])
