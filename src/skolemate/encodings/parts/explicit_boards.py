"""Boards with a variable a cell: new ones, and stones that codes force onto them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from skolemate.encodings.parts.codes import unlike
from skolemate.encodings.parts.problem import Problem
from skolemate.formula import FALSE, Builder, Literals, constants

__all__ = ["new_board", "stone_is_forced"]


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
    """A stone lies on the cell that the bits of a ply name, unless something is so there."""
    allowed = problem.allowed(ply)
    missed = unlike(bits, 1 << len(bits))[allowed]
    exceptions = [np.broadcast_to(part, stones.shape)[allowed] for part in unless]
    builder.add([missed], *exceptions, stones[allowed])
