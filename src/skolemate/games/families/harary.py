"""Harary's achievement games: be the first to build a given polyomino.

Harary's tic-tac-toe is the case of one stone a turn; GTTT(p,q) lets the first player begin
with q stones, after which both place p stones a turn (Diptarama, Yoshinaka, Shinohara 2016).
"""

from __future__ import annotations

from skolemate.errors import UserError
from skolemate.games.board import Grid
from skolemate.games.family import family
from skolemate.games.goals import Sets
from skolemate.games.polyomino import Shape
from skolemate.games.positional import PositionalGame
from skolemate.games.schedule import turns

TIPPY = Shape.parse("tippy")


@family("harary", "harary(shape=tippy, width=5, height=5)", "harary(shape=elly, width=4, height=4)")
def harary(
    shape: Shape = TIPPY,
    width: int = 5,
    height: int = 5,
    torus: bool = False,
    maker_breaker: bool = False,
) -> PositionalGame:
    """Harary's tic-tac-toe: the first to build the polyomino wins."""
    return gttt(1, 1, shape, width, height, torus, maker_breaker)


@family("gttt", "gttt(p=2, q=1, shape=el, width=4, height=4)")
def gttt(
    p: int = 1,
    q: int = 1,
    shape: Shape = TIPPY,
    width: int = 4,
    height: int = 4,
    torus: bool = False,
    maker_breaker: bool = False,
) -> PositionalGame:
    """GTTT(p,q): Black begins with q stones, then both place p a turn."""
    if p < 1 or q < 1:
        raise UserError(f"p and q must be at least 1, not {p} and {q}")
    board = Grid(width, height, torus)
    sets = Sets.of(shape.placements(board))
    if not sets.sets:
        where = "torus" if torus else "board"
        raise UserError(f"the shape {shape} does not fit onto a {width}x{height} {where}")
    return PositionalGame.of_sets(board, sets, turns(board.size, p, q), maker_breaker, shape)
