"""The lifted board (Shaik et al. 2023, §3.2): one cell P, chosen by ∀, stands for all of them.

∃S^2 … S^{d+1} behind ∀P: after each ply o says whether P is occupied, w whether it is white. S^1 is
the empty board, without variables.
"""

from __future__ import annotations

import numpy as np

from skolemate.encodings.parts.coded_moves import CodedMove, bits_of
from skolemate.formula import FALSE, CircuitBuilder, Literals
from skolemate.formula.vectors import equal
from skolemate.games.game import Player

__all__ = ["black_in_the_end", "witnesses_are_black"]


def black_in_the_end(
    builder: CircuitBuilder, moves: list[CodedMove], position: Literals
) -> np.int32:
    """State what happens to the cell, ply by ply; returns whether it is black in the end."""
    chosen = equal(builder, position, bits_of(moves))
    start = FALSE
    if moves[0].ply == 1 and moves[0].player is Player.WHITE:
        # M^0 in front of the paper's game determines S^1, which needs no variables then either.
        start = np.int32(builder.all_of(chosen[0], moves[0].counts))
        moves, chosen = moves[1:], chosen[1:]
    times = [f"t{move.ply}" for move in moves]
    occupied, white = builder.exists("occupied", times), builder.exists("white", times)
    was_occupied, was_white = np.append(start, occupied[:-1]), np.append(start, white[:-1])
    black = np.array([move.player is Player.BLACK for move in moves])
    for literal in (-was_occupied, occupied, -white):  # Definition 6
        builder.add(-chosen[black], literal[black])
    changed = chosen.copy()
    changed[~black] = builder.all_of(chosen[~black], -was_occupied[~black])  # Definition 7
    for literal in (occupied, white):
        builder.add(-changed[~black], literal[~black])
    for before, after in ((was_occupied, occupied), (was_white, white)):
        builder.add(changed, -before, after)
        builder.add(changed, before, -after)
    return np.int32(builder.all_of(occupied[-1], -white[-1]))


def witnesses_are_black(builder: CircuitBuilder, at_witness: Literals, black: np.int32) -> None:
    """Definition 5, G_sb: where P is one of the witnesses, it is black in the end."""
    builder.add(-builder.any_of([at_witness]), black)
