"""The games that come as BDDL models: domains in `models/`, problems made to measure.

They go through the same reader as a user's files.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from skolemate.errors import UserError
from skolemate.games.bddl.game import BddlGame
from skolemate.games.board import Grid

__all__ = ["Cell", "refuse_smaller", "shipped"]

Cell = tuple[int, int]  # column and row, from 1


def shipped(
    domain: str,
    width: int,
    height: int,
    *,
    black: Iterable[Cell] = (),
    white: Iterable[Cell] = (),
    black_goals: Iterable[str] = (),
    white_goals: Iterable[str] = (),
) -> BddlGame:
    """The game of a domain on a board, with stones at the start and the players' goals."""
    # Here, because formats know games: only the shipped games know formats too.
    from skolemate.formats.bddl import parse_bddl

    Grid(width, height)  # a wrong size is the caller's mistake, not one of the text below
    stones = [f"black({x},{y})" for x, y in black] + [f"white({x},{y})" for x, y in white]
    problem = [
        *("#boardsize", f"{width} {height}"),
        *("#init", f"({' '.join(stones)})"),
        *("#blackgoals", *black_goals),
        *("#whitegoals", *white_goals),
    ]
    rules = files("skolemate.games").joinpath("models", f"{domain}.bddl").read_text()
    game = parse_bddl("\n".join(problem), rules)
    assert isinstance(game, BddlGame), "positional games are not made here"
    return game


def refuse_smaller(name: str, width: int, height: int, least_width: int, least_height: int) -> None:
    """Refuse a board on which a game makes no sense."""
    if width < least_width or height < least_height:
        raise UserError(f"{name} needs a board of at least {least_width}x{least_height}")
