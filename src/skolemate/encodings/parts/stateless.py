"""No board at all (Shaik et al. 2023, §3.3): what matters is said of the codes alone."""

from __future__ import annotations

import numpy as np

from skolemate.encodings.parts.coded_moves import CodedMove, bits_of
from skolemate.formula import FALSE, CircuitBuilder, Literals
from skolemate.formula.builder import Part
from skolemate.formula.vectors import equal
from skolemate.games.game import Player

__all__ = ["are_black", "black_moves_are_fresh"]


def black_moves_are_fresh(builder: CircuitBuilder, moves: list[CodedMove]) -> None:
    """Black never plays where anybody has played before, unless that move did not count."""
    later, earlier = (
        np.array(
            [
                (number, before)
                for number, move in enumerate(moves)
                if move.player is Player.BLACK
                for before in range(number)
            ],
            np.int64,
        )
        .reshape(-1, 2)
        .T
    )
    codes = bits_of(moves)
    counts = np.array([move.counts for move in moves], np.int32)
    same = equal(builder, codes[later], codes[earlier])
    builder.add(-same, -counts[earlier])


def are_black(
    builder: CircuitBuilder, moves: list[CodedMove], cells: Literals, stones: Part = FALSE
) -> None:
    """Definition 8, G_wb: each of these cells is one of Black's moves, or an older stone of his."""
    codes = bits_of([move for move in moves if move.player is Player.BLACK])
    builder.add([equal(builder, cells[:, None], codes)], stones)
