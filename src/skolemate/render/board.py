"""A game at its start as SVG, with all that there is to see: for files and notebooks."""

from __future__ import annotations

from collections.abc import Iterable

from skolemate.games.bits import cells_of
from skolemate.games.game import Game, Move, Player
from skolemate.render.svg import svg

__all__ = ["board"]


def board(game: Game, moves: Iterable[Move] = (), mover: Player = Player.BLACK) -> str:
    """The moves played are numbered, the last one is ringed, and so on.

    Highlighted is what has won or, before that, where these moves of the mover go.

    >>> from skolemate.games.family import build
    >>> "Last move: b2. Highlighted: c3." in board(build("hex(size=3, moves=b2)"), [8])
    True
    """
    touched = [cell for move in moves for cell in game.move_cells(move, mover)]
    return svg(
        game.start,
        last=game.last_move,
        highlights=list(cells_of(game.winning_cells(game.start))) or touched,
        numbers=game.move_numbers(),
    )
