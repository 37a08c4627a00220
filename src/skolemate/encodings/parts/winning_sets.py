"""Goals as listed sets: Black owns one of them in the end, White owns none."""

from __future__ import annotations

import numpy as np

from skolemate.encodings.parts.set_problem import SetProblem
from skolemate.formula import TRUE, Builder, Literals

__all__ = ["black_owns_a_set", "rows_of", "white_owns_no_set"]


def black_owns_a_set(builder: Builder, problem: SetProblem, black: Literals) -> Literals:
    """Some win(e) holds, and win(e) means that all cells of e are black. Returns win."""
    sets = problem.black_sets
    win = builder.exists("win", [f"set{number}" for number in range(len(sets))])
    owners, codes = problem.members(sets)
    builder.add([win])
    builder.add(-win[owners], black[codes])
    return win


def white_owns_no_set(builder: Builder, problem: SetProblem, white: Literals) -> None:
    if problem.white_sets:
        builder.add([-rows_of(white, problem.table(problem.white_sets, len(white)), TRUE)])


def rows_of(
    board: Literals, table: np.ndarray[tuple[int, int], np.dtype[np.int64]], filling: np.int32
) -> Literals:
    """The literals of each set, rows filled up with a constant."""
    return np.append(board, np.int32(filling))[table]
