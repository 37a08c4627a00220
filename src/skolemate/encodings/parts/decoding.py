"""From assignments back to moves and positions, for encodings with boards of variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from skolemate.encodings.parts.problem import Problem
from skolemate.formula import Literals
from skolemate.formula.builder import FALSE, TRUE
from skolemate.games.bits import mask_of
from skolemate.games.game import Move, Player, Position

__all__ = ["Boards"]


@dataclass
class Boards:
    """Which literals tell the game, noted down ply by ply by an encoder.

    Black's stones are told by the board. White's are told by his codes where the board may
    show more of them than he placed, which never helps Black and so is never forbidden.
    """

    problem: Problem
    _turns: list[tuple[Player, Literals, bool, int]] = field(default_factory=list)
    first_bits: Literals | None = None

    def note_board(self, player: Player, board: Literals, ply: int) -> None:
        """After this ply the player owns exactly these cells."""
        self._turns.append((player, board, False, ply))

    def note_code(self, bits: Literals, ply: int) -> None:
        """At this ply White places a stone where the bits say, if he can."""
        self._turns.append((Player.WHITE, bits, True, ply))

    def first_move(self, assignment: Mapping[int, bool]) -> Move | None:
        """Black's first move, told by the change of the board.

        Solvers may leave the board's variables out; then the bits tell, as far as they can.
        """
        player, board, _, _ = self._turns[0]
        if player is Player.WHITE:
            return None
        claimed = _codes(board, assignment)
        if not claimed and self.first_bits is not None:
            if all(int(bit) in assignment for bit in self.first_bits):
                claimed = self._coded(self.first_bits, assignment)
        return self.problem.first_move(claimed)

    def play(self, assignment: Mapping[int, bool]) -> list[Position]:
        """The start and the position after every ply or turn noted, up to the end of the game."""
        stones = dict.fromkeys(Player, 0)
        positions = [self.problem.position(0, 0, 0)]
        for player, literals, is_code, ply in self._turns:
            if is_code:
                allowed = self.problem.allowed(ply)
                codes = [c for c in self._coded(literals, assignment) if c in allowed]
            else:
                codes = _codes(literals, assignment)
            stones[player] |= mask_of(codes) & ~stones[player.opponent]
            black, white = stones[Player.BLACK], stones[Player.WHITE]
            positions.append(self.problem.position(black, white, ply))
            goal = positions[-1].game.goal(player)
            if goal is not None and goal.met(positions[-1].stones(player)):
                break
        return positions

    def _coded(self, bits: Literals, assignment: Mapping[int, bool]) -> list[int]:
        """The code that bits spell, if it is a cell's."""
        code = sum(_value(bit, assignment) << i for i, bit in enumerate(bits))
        return [code] if code < len(self.problem.cells) else []


def _codes(board: Literals, assignment: Mapping[int, bool]) -> list[int]:
    return [code for code, literal in enumerate(board) if _value(literal, assignment)]


def _value(literal: np.int32, assignment: Mapping[int, bool]) -> bool:
    if literal in (TRUE, FALSE):
        return bool(literal == TRUE)
    return bool(assignment.get(abs(int(literal)), literal < 0) == (literal > 0))
