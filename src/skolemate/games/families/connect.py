"""Connect-c: lines of stones that fall to the bottom."""

from __future__ import annotations

from skolemate.errors import UserError
from skolemate.games.bddl.game import BddlGame
from skolemate.games.family import family
from skolemate.games.shipped import shipped

STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))


@family("connect", "connect(k=4, width=7, height=6)", "connect(k=3, width=4, height=4)")
def connect(k: int = 4, width: int = 7, height: int = 6) -> BddlGame:
    """Connect-k: k in a row, stones fall to the bottom."""
    if not 1 <= k <= max(width, height):
        raise UserError(f"a line of {k} does not fit onto a {width}x{height} board")
    return shipped(
        "connect",
        width,
        height,
        black_goals=_lines("black", k),
        white_goals=_lines("white", k),
    )


def _lines(colour: str, k: int) -> list[str]:
    lines = []
    for dx, dy in STEPS:
        cells = [f"{colour}({_shifted('x', i * dx)},{_shifted('y', i * dy)})" for i in range(k)]
        lines.append(f"({' '.join(cells)})")
    return lines


def _shifted(axis: str, by: int) -> str:
    return f"?{axis}{by:+d}" if by else f"?{axis}"
