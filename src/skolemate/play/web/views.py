"""Data for the page: the collection of games, a position, an edited game, a tree of a strategy."""

from contextlib import suppress
from functools import cache
from itertools import chain, pairwise
from typing import Any

from skolemate import describe
from skolemate.errors import UserError
from skolemate.formats import is_hex, natural_suffix
from skolemate.games import (
    Game,
    HexGrid,
    Move,
    Player,
    PositionalGame,
    Sets,
    cells_of,
    with_argument,
)
from skolemate.games.chance import random_moves
from skolemate.games.families.placing import HEIN
from skolemate.games.family import FAMILIES, build, split_name
from skolemate.output import finite
from skolemate.play.match import Match, threats
from skolemate.play.web import words
from skolemate.play.web.runs import Storage
from skolemate.render import svg
from skolemate.strategies.tree import Branch

MOST_MOVES_SHOWN = 10  # on the card of a game
MOST_SETS = 3000  # that the page can show
LOST = "hein(18)"  # as published, with Black to move, it is White's
PUZZLES = [name for name in (f"hein({number})" for number in HEIN) if name != LOST] + ["browne"]


@cache
def collection() -> dict[str, Any]:
    """Puzzles, example games and families, from which the page offers a choice."""
    examples = [example for family in FAMILIES for example in family.examples]
    games = [*(example for example in examples if example not in PUZZLES), LOST]
    built = {name: build(name) for name in [*PUZZLES, *games]}
    return {
        "puzzles": PUZZLES,
        "games": games,
        "titles": {name: words.title(game) for name, game in built.items()},
        "kinds": {name: words.kind(game) for name, game in built.items()},
        "pictures": {name: _typical(name, built[name]) for name in games},
        "families": [family.as_json() for family in FAMILIES],
    }


def _typical(name: str, game: Game) -> str:
    """The game after some random moves, which show how it looks."""
    for moves in range(max(2, min(MOST_MOVES_SHOWN, game.board.size // 4)), 1, -1):
        with suppress(UserError):  # the game may end before
            return str(game.after(random_moves(game, moves, seed=1)))
    return name


def winning_sets(game: Game) -> dict[str, list[list[str]]]:
    """The winning sets that each player can complete, if they are listed and not too many."""
    goals = {player: game.completes(player) for player in Player}
    names = game.board.names
    return {
        player.value: [[names[cell] for cell in cells_of(cells)] for cells in goal.sets]
        if isinstance(goal, Sets) and len(goal.sets) <= MOST_SETS
        else []
        for player, goal in goals.items()
    }


def position(storage: Storage, game: Game) -> dict[str, Any]:
    """The data of `describe`, and what is needed to draw the position and to play on."""
    match, start = Match.of(game), game.start
    mover = start.to_move or Player.BLACK
    names = game.board.names

    won = game.winning_cells(start)
    return describe(game, views=False) | {
        "title": storage.title(game),
        "goal": words.goal(game),
        "shape": words.shape(game),
        "base": str(game.rewound()),
        "line": line(game),
        "over": match.over,
        "winner": match.winner.value if match.winner else None,
        "choices": [named(game, move, mover) for move in start.moves()],
        "columns": _columns(game),
        "won": [names[cell] for cell in cells_of(won)],
        "threats": {
            player.value: sorted(
                {
                    names[cells[-1]]
                    for move in threats(start, player)
                    if (cells := game.move_cells(move, player))
                }
            )
            for player in Player
        },
        "formats": formats(game),
        "svg": svg(start, last=game.last_move, highlights=cells_of(won), style=False),
    }


def _columns(game: Game) -> list[list[str]]:
    """The columns in which stones fall, each from the bottom to the top."""
    if not game.offers("columns"):
        return []
    board = game.columns().board
    names, height = board.names, board.height  # numbered column by column, from the top
    return [[*names[top : top + height]][::-1] for top in range(0, board.size, height)]


def named(game: Game, move: Move, player: Player) -> dict[str, Any]:
    """A move: its name, its short name, and its cells."""
    return {
        "move": game.move_name(move),
        "short": game.short_name(move, player),
        "cells": [game.board.names[cell] for cell in game.move_cells(move, player)],
    }


def formats(game: Game) -> list[str]:
    """The suffixes of the files in which a game can be saved."""
    natural = natural_suffix(game).removeprefix(".")
    return [natural, *(["sgf"] if is_hex(game) else []), "json"]


def line(game: Game) -> list[dict[str, Any]]:
    """The moves played so far in short form, with their players."""
    line, position = [], game.origin
    for move in game.played:
        mover = position.to_move
        assert mover is not None, "moves were checked when they were played"
        line.append({"move": game.move_name(move), "short": game.short_name(move, mover)})
        line[-1]["player"] = mover.value
        position = position.play(move)
    return line


def edited(storage: Storage, text: str, black: list[str], white: list[str], first: str) -> Game:
    """The game with these stones instead of its own, and this player to begin.

    A Hex puzzle becomes Hex. The stones of other placement games can only be added to.
    """
    bare = _bare(storage, text)
    origin, board = bare.origin, bare.board
    stones = {Player.BLACK: board.cells(black), Player.WHITE: board.cells(white)}
    if isinstance(bare, PositionalGame):
        for player, mask in stones.items():
            if origin.stones(player) & ~mask:
                raise UserError(f"the stones of {bare} itself cannot be changed")
            stones[player] = mask & ~origin.stones(player)
    name = bare.name
    for player, mask in stones.items():
        if mask:
            name = with_argument(name, f"{player.value}={board.named(mask)}")
    if origin.to_move is not None and origin.to_move.value != first:
        name = with_argument(name, f"first={first}")
    game = storage.game(name)
    taken = {*black, *white}
    for lower, upper in chain.from_iterable(map(pairwise, _columns(game))):
        if upper in taken and lower not in taken:
            raise UserError(f"stones fall: the cell under {upper} is empty")
    return game


def _bare(storage: Storage, text: str) -> Game:
    """The game without stones that were set up and without moves."""
    game = storage.game(text).rewound()
    if is_hex(game) and isinstance(game.board, HexGrid):
        return storage.game(f"hex({game.board.sides})")
    name, arguments = split_name(game.name)
    given = FAMILIES[name].own(arguments) if name in FAMILIES else []
    own = [f"{key}={value}" if key else value for key, value in given]
    return storage.game(f"{name}({', '.join(own)})" if own else name)


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
