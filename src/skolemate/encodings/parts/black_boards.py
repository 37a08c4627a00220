"""Explicit boards after Black's moves only (Shaik et al. 2023, §3.1), for EA, EN and ET.

The prefix is ∃M^1 P^1 ∀M^2 ∃M^3 P^3 …: codes of moves, and boards P = (b, w) at Black's plies.
Numbers in parentheses are the paper's. White's code on a taken cell, or on none, does nothing.
"""

from __future__ import annotations

from skolemate.encodings.parts.codes import bit_labels, matching
from skolemate.encodings.parts.decoding import Boards
from skolemate.encodings.parts.explicit_boards import new_board, stone_is_forced
from skolemate.encodings.parts.problem import Problem
from skolemate.formula import FALSE, Builder, Literals, constants
from skolemate.games.game import Player

__all__ = ["black_boards"]


def black_boards(builder: Builder, problem: Problem, boards: Boards) -> Literals:
    """State the game up to Black's last ply; returns the black stones on the final board."""
    count = len(problem.cells)
    black, white = constants(FALSE, count), constants(FALSE, count)
    reply: Literals | None = None  # the bits of White's code since the last board
    for ply, player in enumerate(problem.schedule, 1):
        if player is Player.WHITE:
            reply = builder.forall("move", [f"t{ply}"], bit_labels(count))[0]
            boards.note_code(reply, ply)
            continue
        bits = builder.exists("move", [f"t{ply}"], bit_labels(count))[0]
        now_black = new_board(builder, problem, ply, "black")
        now_white = builder.exists("white", problem.names, [f"t{ply}"])[:, 0]
        builder.add(-white, now_white)  # (2)
        if reply is not None:
            stone_is_forced(builder, problem, ply - 1, reply, now_white, black)  # (3)
        builder.add(-now_white, -now_black)  # (4)
        builder.add(matching(bits, count), black[:, None], -now_black[:, None])  # (5), (6)
        black, white = now_black, now_white
        boards.note_board(Player.BLACK, black, ply, bits)
    return black
