"""The last plies of a game by trying them: cheaper than any question to a solver."""

from __future__ import annotations

from skolemate.games.game import Position
from skolemate.strategies.claim import Claim

__all__ = ["wins_within"]


def wins_within(claim: Claim, position: Position, left: int) -> bool:
    """Whether the one who asks wins within very few plies; nothing is remembered.

    >>> from skolemate.games.family import build
    >>> game = build("tictactoe(moves=a1 b1 a2 b2)")
    >>> claim = Claim(game, game.start.to_move, 1, True)
    >>> wins_within(claim, game.start, 1), wins_within(claim, game.start, 0)
    (True, False)
    """
    plies = claim.plies_by_rules(position)
    if plies is not None or left == 0:
        return plies is not None and plies <= left
    mine = position.to_move is claim.player
    for move in position.moves():
        if wins_within(claim, position.game.result(position, move), left - 1) is mine:
            return mine
    return not mine
