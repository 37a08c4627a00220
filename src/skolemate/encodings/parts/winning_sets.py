"""Goals as listed sets: a player owns one of them in the end, or White owns none."""

from __future__ import annotations

import numpy as np

from skolemate.encodings.parts.set_problem import SetProblem
from skolemate.formula import FALSE, TRUE, Builder, Literals

__all__ = ["owns_a_set", "white_owns_no_set"]


def owns_a_set(
    builder: Builder,
    sets: tuple[tuple[int, ...], ...],
    board: Literals,
    name: str = "win",
    unless: np.int32 = FALSE,
) -> Literals:
    """Some win(e) holds, and win(e) means that e lies on the player's board. Returns win."""
    win = builder.exists(name, [f"set{number}" for number in range(len(sets))])
    owners, codes = SetProblem.members(sets)
    builder.add(unless, [win])
    builder.add(-win[owners], board[codes])
    return win


def white_owns_no_set(builder: Builder, problem: SetProblem, white: Literals) -> None:
    if problem.white_sets:
        builder.add([-problem.rows(white, problem.white_sets, TRUE)])
