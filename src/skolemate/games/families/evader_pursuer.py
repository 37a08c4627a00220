"""Evader and Pursuer: reach the corner before the pursuer does, or catches you."""

from __future__ import annotations

from skolemate.errors import UserError
from skolemate.games.bddl.game import BddlGame
from skolemate.games.family import family
from skolemate.games.shipped import refuse_smaller, shipped


@family("evader_pursuer", "evader_pursuer(size=8, x=2, y=3)", "evader_pursuer(size=4, x=1, y=2)")
def evader_pursuer(size: int = 8, x: int = 2, y: int = 3, dual: bool = False) -> BddlGame:
    """Evader and Pursuer: Black goes for the corner a1, White starts at (x,y) and hunts.

    In the dual game Black is the pursuer, and moves second.
    """
    refuse_smaller("evader_pursuer", size, size, 2, 2)
    if not (1 <= x <= size and 1 <= y <= size) or (x, y) in ((1, 1), (size, 1)):
        raise UserError(
            f"the pursuer cannot start at ({x},{y}): take any cell except a1 and the evader's"
        )
    game = shipped(
        "evader_pursuer",
        size,
        size,
        black=[(size, 1)],
        white=[(x, y)],
        black_goals=["(black(xmin,ymin))"],
        white_goals=["(white(xmin,ymin))"],
    )
    return game.swapped() if dual else game
