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

State = tuple[np.int32, np.int32]  # literals: occupied, white


def black_in_the_end(
    builder: CircuitBuilder, moves: list[CodedMove], position: Literals
) -> np.int32:
    """State what happens to the cell, ply by ply; returns whether it is black in the end."""
    state: State = (FALSE, FALSE)
    for move, here in zip(moves, equal(builder, position, bits_of(moves)), strict=True):
        if move.ply == 1 and move.player is Player.WHITE:
            # M^0 in front of the paper's game: it determines S^1, which needs no variables.
            claimed = np.int32(builder.all_of(here, move.counts))
            state = (claimed, claimed)
            continue
        time = [f"t{move.ply}"]
        after = builder.exists("occupied", time)[0], builder.exists("white", time)[0]
        place = _black_stone if move.player is Player.BLACK else _white_stone
        changed = place(builder, here, state, after)
        for one, other in zip(state, after, strict=True):
            builder.add(changed, -one, other)
            builder.add(changed, one, -other)
        state = after
    occupied, white = state
    return np.int32(builder.all_of(occupied, -white))


def _black_stone(builder: CircuitBuilder, here: np.int32, before: State, after: State) -> np.int32:
    """Definition 6: the chosen cell was open and becomes black. Returns when anything changes."""
    for literal in (-before[0], after[0], -after[1]):
        builder.add(-here, literal)
    return here


def _white_stone(builder: CircuitBuilder, here: np.int32, before: State, after: State) -> np.int32:
    """Definition 7: the chosen cell, if it was open, becomes white."""
    placed = np.int32(builder.all_of(here, -before[0]))
    for literal in after:
        builder.add(-placed, literal)
    return placed


def witnesses_are_black(builder: CircuitBuilder, at_witness: Literals, black: np.int32) -> None:
    """Definition 5, G_sb: where P is one of the witnesses, it is black in the end."""
    builder.add(-builder.any_of([at_witness]), black)
