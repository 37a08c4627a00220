"""From assignments back to moves and positions, told by boards of variables or by codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from skolemate.encodings.parts.problem import Problem
from skolemate.formula import FALSE, TRUE, Literals, constants
from skolemate.games.bits import mask_of
from skolemate.games.game import Move, Player, Position

__all__ = ["Boards"]


class _Told(NamedTuple):
    """A ply or turn: the literals of the player's board or, with `where`, of the code's bits."""

    player: Player
    ply: int
    literals: Literals
    where: Literals | None


@dataclass
class Boards:
    """Which literals tell the game, noted down ply by ply by an encoder.

    The stones of the existential player (Black, as a rule) are told by the board where there is
    one. The other's are told by his codes where the board may show more of them than he placed,
    which never helps the existential player and so is never forbidden.
    """

    problem: Problem
    existential: Player = Player.BLACK
    _turns: list[_Told] = field(default_factory=list)
    first_bits: Literals | None = None

    def note_board(self, player: Player, board: Literals, ply: int) -> None:
        """After this ply the player owns exactly these cells."""
        self._turns.append(_Told(player, ply, board, None))

    def note_code(
        self,
        bits: Literals,
        ply: int,
        where: Literals | None = None,
        player: Player | None = None,
    ) -> None:
        """At this ply a player, by default the universal one, places a stone where the bits say.

        `where` tells for each cell whether a stone may come there; by default it may.
        """
        if where is None:
            where = constants(TRUE, len(self.problem.cells))
        self._turns.append(_Told(player or self.existential.opponent, ply, bits, where))

    def first_move(self, assignment: Mapping[int, bool]) -> Move | None:
        """The existential player's first move, told by its code or by the change of the board.

        Solvers may leave the board's variables out; then the bits tell, as far as they can.
        """
        if self.problem.question.game.start.to_move is not self.existential:
            return None
        told = self._turns[0] if self._turns else None
        if told is not None and told.where is not None:
            return self.problem.first_move(self._coded(told.literals, assignment))
        claimed = _codes(told.literals, assignment) if told is not None else []
        if not claimed and self.first_bits is not None:
            if all(int(bit) in assignment for bit in self.first_bits):
                claimed = self._coded(self.first_bits, assignment)
        return self.problem.first_move(claimed)

    def play(self, assignment: Mapping[int, bool]) -> list[Position]:
        """The start and the position after every ply or turn noted, up to the end of the game."""
        stones = dict.fromkeys(Player, 0)
        positions = [self.problem.position(0, 0, 0)]
        for player, ply, literals, where in self._turns:
            if where is not None:
                allowed = set(self.problem.allowed(ply)) & set(_codes(where, assignment))
                codes = [c for c in self._coded(literals, assignment) if c in allowed]
            else:
                codes = _codes(literals, assignment)
            stones[player] |= mask_of(codes) & ~stones[player.opponent]
            black, white = stones[Player.BLACK], stones[Player.WHITE]
            positions.append(self.problem.position(black, white, ply))
            if positions[-1].winner is not None:
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
