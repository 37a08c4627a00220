"""Positional games as BDDL models: claim open cells, and own one of the listed sets.

Sets that are all the copies of one pattern on the board become one relative condition, so that a
model of Harary's games or of lines is as short as the paper's; the others are listed.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from skolemate.errors import MissingView
from skolemate.games.bddl.model import (
    Action,
    Anchor,
    Condition,
    Content,
    Coordinate,
    Goals,
    Model,
    Subcondition,
)
from skolemate.games.bits import cells_of
from skolemate.games.board import Grid, HexGrid
from skolemate.games.game import Player
from skolemate.games.schedule import turns

if TYPE_CHECKING:
    from skolemate.games.positional import PositionalGame

__all__ = ["occupy", "positional_model"]


def occupy(player: Player) -> Action:
    """The only action of a positional game."""
    here = Coordinate(Anchor.PARAMETER), Coordinate(Anchor.PARAMETER)
    return Action(
        "occupy",
        Condition((Subcondition(Content.OPEN, *here),)),
        Condition((Subcondition(Content.of(player), *here),)),
    )


def positional_model(game: PositionalGame) -> Model:
    """The model of a game from its start on; boards that are no rectangle become one row."""
    view, start = game.hypergraph(), game.start
    open_cells = game.board.size - start.occupied.bit_count()
    if view.first_moves is not None:
        raise MissingView(game, "bddl", "BDDL cannot restrict the first move")
    if view.schedule != turns(open_cells, first=start.to_move or Player.BLACK):
        raise MissingView(game, "bddl", "BDDL's players alternate until the board is full")
    if start.winner is not None:
        raise MissingView(game, "bddl", f"{start.winner} has won already")
    for player, sets in ((Player.BLACK, view.black_sets), (Player.WHITE, view.white_sets)):
        if sets == ():
            raise MissingView(game, "bddl", f"{player} has no set to list")
    width, height = game.board.size, 1
    if isinstance(game.board, Grid | HexGrid):
        width, height = game.board.width, game.board.height
    return Model(
        width,
        height,
        ((occupy(Player.BLACK),), (occupy(Player.WHITE),)),
        (
            _goals(Content.BLACK, view.black_sets or (), width, height),
            _goals(Content.WHITE, view.white_sets or (), width, height),
        ),
        start.black,
        start.white,
        start.to_move or Player.BLACK,
    )


def _goals(content: Content, sets: tuple[int, ...], width: int, height: int) -> Goals:
    copies: dict[tuple[tuple[int, int], ...], list[tuple[int, int]]] = defaultdict(list)
    for winning in sets:
        places = [divmod(cell, height) for cell in cells_of(winning)]
        left, top = min(x for x, _ in places), min(y for _, y in places)
        copies[tuple((x - left, y - top) for x, y in places)].append((left, top))
    goals = []
    for pattern, corners in copies.items():
        room = (width - max(x for x, _ in pattern)) * (height - max(y for _, y in pattern))
        if len(corners) == room:
            goals.append(_condition(content, Anchor.PARAMETER, pattern))
            continue
        for left, top in corners:
            cells = tuple((1 + left + x, 1 + top + y) for x, y in pattern)
            goals.append(_condition(content, Anchor.NUMBER, cells))
    return tuple(goals)


def _condition(content: Content, anchor: Anchor, cells: tuple[tuple[int, int], ...]) -> Condition:
    return Condition(
        tuple(Subcondition(content, Coordinate(anchor, x), Coordinate(anchor, y)) for x, y in cells)
    )
