"""Threats: the moves by which a player would win at once, were it that player's turn."""

from __future__ import annotations

from skolemate.games.game import Move, Player, Position
from skolemate.games.goals import Sets

__all__ = ["threats"]


def threats(position: Position, player: Player) -> tuple[Move, ...]:
    """All winning moves of a player in a game that is not over.

    >>> from skolemate.games.family import build
    >>> game = build("tictactoe(moves=a1 b2 a2)")
    >>> [game.move_name(move) for move in threats(game.start, Player.BLACK)]
    ['a3']
    """
    game, goal = position.game, position.game.goal(player)
    if not position.moves() or game.breaker is player:
        return ()
    if isinstance(goal, Sets):  # the same as below, quicker
        mine, taken = position.stones(player), position.occupied
        missing = {line & ~mine for line in goal.sets if not line & taken & ~mine}
        return tuple(sorted(cell.bit_length() - 1 for cell in missing if cell.bit_count() == 1))
    turn = Position(game, position.black, position.white, player)
    return tuple(
        move for move in game.legal_moves(turn) if game.winner(game.result(turn, move)) is player
    )
