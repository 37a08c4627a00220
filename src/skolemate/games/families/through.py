"""Games of getting through: the first piece on the opponent's last row wins."""

from __future__ import annotations

from itertools import product

from skolemate.games.bddl.game import BddlGame
from skolemate.games.family import family
from skolemate.games.shipped import refuse_smaller, shipped


@family("breakthrough", "breakthrough(width=3, height=5)", "breakthrough(width=2, height=4)")
def breakthrough(width: int = 6, height: int = 6) -> BddlGame:
    """Breakthrough: pawns that capture diagonally; reach the last row."""
    return _through("breakthrough", width, height)


@family("knightthrough", "knightthrough(width=3, height=4)")
def knightthrough(width: int = 6, height: int = 6) -> BddlGame:
    """KnightThrough: knights; reach the last row."""
    return _through("knightthrough", width, height)


def _through(name: str, width: int, height: int) -> BddlGame:
    refuse_smaller(name, width, height, 1, 4)
    columns = range(1, width + 1)
    return shipped(
        name,
        width,
        height,
        black=product(columns, (height - 1, height)),
        white=product(columns, (1, 2)),
        black_goals=["(black(?x,ymin))"],
        white_goals=["(white(?x,ymax))"],
    )
