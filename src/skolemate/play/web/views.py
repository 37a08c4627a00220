"""What the page is shown of games: the collection, a position with everything about it, a tree."""

from __future__ import annotations

from math import isqrt
from typing import Any

from skolemate.api import describe
from skolemate.errors import UserError
from skolemate.formats import is_hex, natural_suffix
from skolemate.games.bits import cells_of
from skolemate.games.families.hex import HEIN
from skolemate.games.family import FAMILIES, SETUP, split_name
from skolemate.games.game import Game, Move, Player, with_argument
from skolemate.games.positional import PositionalGame
from skolemate.output import finite
from skolemate.play.match import Match
from skolemate.play.threats import threats
from skolemate.play.web.shelf import Shelf
from skolemate.render import svg
from skolemate.strategies.tree import Branch

__all__ = ["collection", "edited", "formats", "named", "position", "tree"]

PUZZLES = [f"hein({number})" for number in HEIN] + ["browne"]


def collection() -> dict[str, Any]:
    """Everything that can be picked by its picture, and how its parameters are called."""
    examples = [example for family in FAMILIES for example in family.examples]
    return {
        "puzzles": PUZZLES,
        "games": [example for example in examples if example not in PUZZLES],
        "families": [family.as_json() for family in FAMILIES],
    }


def position(shelf: Shelf, game: Game) -> dict[str, Any]:
    """What `describe` says, and all that is needed to draw the position and to play on."""
    match, start = Match.of(game), game.start
    mover = start.to_move or Player.BLACK
    names = game.board.names

    won = game.winning_cells(start)
    return describe(game, views=False) | {
        "title": shelf.title(game),
        "base": str(game.rewound()),
        "line": _line(game),
        "over": match.over,
        "winner": match.winner.value if match.winner else None,
        "choices": [named(game, move, mover) for move in start.moves()],
        "won": [names[cell] for cell in cells_of(won)],
        "threats": {
            player.value: sorted(
                {names[game.move_cells(move, player)[-1]] for move in threats(start, player)}
            )
            for player in Player
        },
        "formats": formats(game),
        "svg": svg(start, last=game.last_move, highlights=cells_of(won), style=False),
    }


def named(game: Game, move: Move, player: Player) -> dict[str, Any]:
    """A move by its name, as people write it, and by the cells that it is made on."""
    return {
        "move": game.move_name(move),
        "short": game.short_name(move, player),
        "cells": [game.board.names[cell] for cell in game.move_cells(move, player)],
    }


def formats(game: Game) -> list[str]:
    """The kinds of files in which a game is naturally written down."""
    natural = natural_suffix(game).removeprefix(".")
    return [natural, *(["sgf"] if is_hex(game) else []), "json"]


def _line(game: Game) -> list[dict[str, Any]]:
    """The moves played so far, as people write them, and whose they were."""
    line, position = [], game.origin
    for move in game.played:
        mover = position.to_move
        assert mover is not None, "moves were checked when they were played"
        line.append({"move": game.move_name(move), "short": game.short_name(move, mover)})
        line[-1]["player"] = mover.value
        position = position.play(move)
    return line


def edited(shelf: Shelf, text: str, black: list[str], white: list[str], first: str) -> Game:
    """The game with these stones instead of its own, and this player to begin.

    A Hex puzzle becomes Hex. The stones of other placement games can only be added to.
    """
    bare = _bare(shelf, text)
    origin, board = bare.origin, bare.board
    stones = {Player.BLACK: board.cells(black), Player.WHITE: board.cells(white)}
    if isinstance(bare, PositionalGame):
        for player, mask in stones.items():
            if origin.stones(player) & ~mask:
                raise UserError(f"the stones of {bare} itself stay where they are")
            stones[player] = mask & ~origin.stones(player)
    name = bare.name
    for player, mask in stones.items():
        if mask:
            name = with_argument(name, f"{player.value}={board.named(mask)}")
    if origin.to_move is not None and origin.to_move.value != first:
        name = with_argument(name, f"first={first}")
    return shelf.game(name)


def _bare(shelf: Shelf, text: str) -> Game:
    """The game without anything that was set up in it."""
    game = shelf.game(text).rewound()
    if is_hex(game):
        return shelf.game(f"hex(size={isqrt(game.board.size)})")
    name, arguments = split_name(game.name)
    own = [f"{key}={value}" if key else value for key, value in arguments if key not in SETUP]
    return shelf.game(f"{name}({', '.join(own)})" if own else name)


def tree(branch: Branch) -> dict[str, Any]:
    """A tree of replies as plain data."""
    return {
        "move": None if branch.move is None else branch.position.game.move_name(branch.move),
        "short": branch.name,
        "mover": branch.mover.value if branch.mover else None,
        "left": finite(branch.left),
        "note": branch.note,
        "hidden": branch.hidden,
        "branches": [tree(above) for above in branch.branches],
    }
