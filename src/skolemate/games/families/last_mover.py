"""Games without goals: who cannot move loses."""

from __future__ import annotations

from itertools import product
from typing import Literal

from skolemate.errors import UserError
from skolemate.games.bddl.game import BddlGame
from skolemate.games.family import family
from skolemate.games.shipped import refuse_smaller, shipped

LONGEST_KONANE_SIDE = 10  # the shipped domain has jumps over up to four stones


@family("domineering", "domineering(width=6, height=6)", "domineering(width=3, height=4)")
def domineering(width: int = 6, height: int = 6) -> BddlGame:
    """Domineering: Black lays dominoes vertically, White horizontally."""
    return shipped("domineering", width, height)


@family("konane", "konane(width=6, height=6)", "konane(width=4, height=4, opening=corner)")
def konane(
    width: int = 6, height: int = 6, opening: Literal["centre", "corner"] = "centre"
) -> BddlGame:
    """Konane: jump over the opponent's stones; two neighbours are taken off at the opening."""
    refuse_smaller("konane", width, height, 2, 1)
    if max(width, height) > LONGEST_KONANE_SIDE:
        side = LONGEST_KONANE_SIDE
        raise UserError(f"konane is for boards of up to {side}x{side}, not {width}x{height}")
    # Black takes off a stone of his own, White the one to its right.
    pairs = [(x, y) for x, y in product(range(1, width), range(1, height + 1)) if (x + y) % 2 == 0]
    x, y = (1, 1)
    if opening == "centre":
        x, y = min(pairs, key=lambda at: (2 * at[0] - width) ** 2 + (2 * at[1] - height - 1) ** 2)
    cells = [
        cell
        for cell in product(range(1, width + 1), range(1, height + 1))
        if cell not in ((x, y), (x + 1, y))
    ]
    return shipped(
        "konane",
        width,
        height,
        black=[cell for cell in cells if sum(cell) % 2 == 0],
        white=[cell for cell in cells if sum(cell) % 2 == 1],
    )


@family("cross_purpose", "cross_purpose(width=5, height=5)")
def cross_purpose(width: int = 5, height: int = 5) -> BddlGame:
    """CrossPurpose: tip over stacks, Black vertically, White horizontally.

    The stacks, black stones, stand on the diagonal unless `black=` says where.
    """
    diagonal = [(i, i) for i in range(1, min(width, height) + 1)]
    return shipped("cross_purpose", width, height, black=diagonal)
