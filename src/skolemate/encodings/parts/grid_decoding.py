"""From assignments back to moves and positions of BDDL games, told by the codes of actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from skolemate.encodings.parts.grid_statement import PlyVariables
from skolemate.errors import UserError
from skolemate.formula import Literals
from skolemate.games.bddl.game import BddlGame
from skolemate.games.game import Game, Move, Player, Position

__all__ = ["ActionCodes"]


@dataclass(frozen=True)
class ActionCodes:
    """A game and the variables that tell its plies."""

    game: Game
    height: int  # of the model's board, which need not be the game's
    turns: list[PlyVariables]

    def first_move(self, assignment: Mapping[int, bool]) -> Move | None:
        """Black's first move; any legal one if the assignment tells none."""
        start = self.game.start
        if start.to_move is not Player.BLACK:
            return None
        legal = start.moves()
        told = self._move(self.turns[0], assignment)
        if told in legal:
            return told
        return legal[0] if legal else None

    def play(self, assignment: Mapping[int, bool]) -> list[Position]:
        """The start and the positions after each ply, until one is illegal or the game over."""
        positions = [self.game.start]
        for turn in self.turns:
            move = self._move(turn, assignment)
            if move is None or move not in positions[-1].moves():
                break
            positions.append(positions[-1].play(move))
            if turn.player is Player.WHITE and _read(np.array([turn.stop]), assignment):
                break  # a false claim of White's: what comes now is arbitrary
        return positions

    def _move(self, turn: PlyVariables, assignment: Mapping[int, bool]) -> Move | None:
        number, x, y = (
            _read(bits, assignment) for bits in (turn.action, turn.place.x, turn.place.y)
        )
        return self.move(turn, number, x, y)

    def move(self, turn: PlyVariables, number: int, x: int, y: int) -> Move | None:
        """The move that an action at a place is; None if it is off the board."""
        if number >= len(turn.actions):
            return None
        if not isinstance(self.game, BddlGame):
            return x * self.height + y
        name = f"{turn.actions[number].name}({x + 1},{y + 1})"
        try:
            return self.game.parse_move(name, turn.player)
        except UserError:  # off the board
            return None


def _read(bits: Literals, assignment: Mapping[int, bool]) -> int:
    return sum(1 << place for place, bit in enumerate(bits.tolist()) if assignment.get(bit))
