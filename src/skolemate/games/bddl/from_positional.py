"""Positional games as BDDL models: claim open cells, and own one of the listed sets.

Sets that are all the copies of one pattern on the board become one relative condition, so that a
model of Harary's games or of lines is as short as the paper's; the others are listed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from skolemate.errors import MissingView
from skolemate.games.bddl import model as bddl
from skolemate.games.board import Grid, HexGrid
from skolemate.games.game import Player, turns
from skolemate.games.symmetry import cells_of

if TYPE_CHECKING:
    from skolemate.games.positional import PositionalGame

Cell = tuple[int, int]


def occupy(player: Player) -> bddl.Action:
    """The only action of a positional game."""
    here = bddl.Coordinate(bddl.Anchor.PARAMETER), bddl.Coordinate(bddl.Anchor.PARAMETER)
    return bddl.Action(
        "occupy",
        bddl.Condition((bddl.Subcondition(bddl.Content.OPEN, *here),)),
        bddl.Condition((bddl.Subcondition(bddl.Content.of(player), *here),)),
    )


def lacks_model(game: PositionalGame) -> str | None:
    """Why a game has no model with all its winning sets; None if it has."""
    reason = game.lacks_sets() or _lacks_placement(game)
    if reason is not None:
        return reason
    for player in Player:
        if game.listed(player) == ():
            return f"{player} has no set to list"
    return None


def _lacks_placement(game: PositionalGame) -> str | None:
    """Why BDDL cannot say how stones are placed in a game; None if it can."""
    open_cells = game.board.size - game.start.occupied.bit_count()
    if game.first_cells is not None:
        return "BDDL cannot restrict the first move"
    if game.turns_ahead != turns(open_cells, first=game.start.to_move or Player.BLACK):
        return "BDDL's players alternate until the board is full"
    return None


def positional_model(game: PositionalGame) -> bddl.Model:
    """The model of a game from its start on, with all its winning sets."""
    reason = lacks_model(game)
    if reason is not None:
        raise MissingView(game, "bddl", reason)
    model = placement_model(game)
    black, white = (set_goals(model, game.colour(p), game.listed(p) or ()) for p in Player)
    return replace(model, goals=(black, white))


def placement_model(game: PositionalGame) -> bddl.Model:
    """Board, stones and moves of a game, without goals; boards that are no rectangle are a row."""
    start, reason = game.start, _lacks_placement(game)
    if reason is not None:
        raise MissingView(game, "bddl", reason)
    width, height = game.board.size, 1
    if isinstance(game.board, Grid | HexGrid) and game.board.is_whole:
        width, height = game.board.width, game.board.height
    return bddl.Model(
        width,
        height,
        ((occupy(Player.BLACK),), (occupy(Player.WHITE),)),
        ((), ()),
        start.black,
        start.white,
        start.to_move or Player.BLACK,
    )


def set_goals(
    model: bddl.Model,
    colour: Player,
    sets: Iterable[int],
    useful: Callable[[int], bool] = lambda winning: True,
) -> bddl.Goals:
    """Sets of stones of a colour as goals, all copies of a pattern as one; only `useful` ones."""
    copies: dict[tuple[Cell, ...], list[tuple[Cell, int]]] = defaultdict(list)
    for winning in sets:
        places = [divmod(cell, model.height) for cell in cells_of(winning)]
        left, top = min(x for x, _ in places), min(y for _, y in places)
        pattern = tuple((x - left, y - top) for x, y in places)
        copies[pattern].append(((left, top), winning))
    goals = []
    for pattern, placed in copies.items():
        width, height = (1 + max(side) for side in zip(*pattern, strict=True))
        kept = [corner for corner, winning in placed if useful(winning)]
        if kept and len(placed) == (model.width - width + 1) * (model.height - height + 1):
            goals.append(_condition(colour, bddl.Anchor.PARAMETER, pattern))
            continue
        for left, top in kept:
            cells = tuple((1 + left + x, 1 + top + y) for x, y in pattern)
            goals.append(_condition(colour, bddl.Anchor.NUMBER, cells))
    return tuple(goals)


def _condition(colour: Player, anchor: bddl.Anchor, cells: tuple[Cell, ...]) -> bddl.Condition:
    return bddl.Condition(
        tuple(
            bddl.Subcondition(
                bddl.Content.of(colour), bddl.Coordinate(anchor, x), bddl.Coordinate(anchor, y)
            )
            for x, y in cells
        )
    )
