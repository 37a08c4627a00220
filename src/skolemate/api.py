"""The Python functions behind the commands: same names, same parameters."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Event
from typing import Any, Literal

from skolemate import encodings
from skolemate.ask import Answer, Limit, Question, deepen
from skolemate.ask.alternation import Alternation
from skolemate.ask.method import Method, Report
from skolemate.ask.qbf import Qbf
from skolemate.ask.reference import reference
from skolemate.encodings import Encoded
from skolemate.encodings.files import write_formula
from skolemate.errors import UserError
from skolemate.games.bits import cells_of
from skolemate.games.family import FAMILIES, Family
from skolemate.games.game import Game, Player
from skolemate.load import load
from skolemate.render import status

__all__ = ["describe", "encode", "games", "oracle", "solve", "stats", "write_formula"]

VIEWS = ("grounded", "hypergraph", "connection", "transversal", "shape", "bddl", "columns")

Depth = int | Literal["auto"] | None


def games() -> list[Family]:
    """All registered families of games."""
    return list(FAMILIES)


def oracle(
    game: str | Game,
    depth: Depth = None,
    player: str | Player = Player.BLACK,
    *,
    timeout: float | None = None,
    memory: int | None = None,
    max_depth: int | None = None,
    progress: Report | None = None,
    cancel: Event | None = None,
) -> Answer:
    """The reference answer: whether the player can force a win within `depth` plies.

    `"auto"` looks for the least such depth, up to `max_depth`. Without a depth, a file's own is
    taken, and else `"auto"`. `timeout` is in seconds, `memory` in bytes.

    >>> bool(oracle("hex(size=2)", 3)), oracle("hex(size=2)").critical_depth
    (True, 3)
    """
    limit = Limit(timeout, memory)
    return _ask(reference, load(game), depth, Player(player), max_depth, limit, progress, cancel)


def solve(
    game: str | Game,
    depth: Depth = None,
    player: str | Player = Player.BLACK,
    *,
    encoding: str | None = None,
    pipeline: str | None = None,
    all_moves: bool = False,
    jobs: int = 1,
    timeout: float | None = None,
    memory: int | None = None,
    max_depth: int | None = None,
    progress: Report | None = None,
    cancel: Event | None = None,
) -> Answer:
    """The answer by formula and QBF solver; parameters as for `oracle`.

    Without an encoding or a pipeline the measured best are taken. With `all_moves` every
    winning first move is found, otherwise one. Two encodings, as in `"cover/pairing"`, take turns
    to look for a win and for a block; with two `jobs` they do so side by side.

    >>> solve("harary(shape=fatty, width=3, height=3)", encoding="cor+/pairing").every_depth
    True
    """
    limit = Limit(timeout, memory)
    if encoding is not None and "/" in encoding:
        method_of_both = Alternation.parse(encoding, pipeline, all_moves)
        game = load(game)
        if depth != "auto" and (depth is not None or game.depth is not None):
            raise UserError("two encodings look for the depth themselves: ask with -d auto")
        return method_of_both(
            game, Player(player), max_depth, limit, progress, cancel, side_by_side=jobs > 1
        )
    if jobs != 1:
        raise UserError("more than one job needs two encodings, as in -e cover/pairing")
    method = Qbf(encoding, pipeline, all_moves)
    return _ask(method, load(game), depth, Player(player), max_depth, limit, progress, cancel)


def _ask(
    method: Method,
    game: Game,
    depth: Depth,
    player: Player,
    max_depth: int | None,
    limit: Limit,
    progress: Report | None,
    cancel: Event | None,
) -> Answer:
    if depth is None:
        depth = game.depth if game.depth is not None and max_depth is None else "auto"
    if depth == "auto":
        return deepen(method, game, player, max_depth, limit, progress, cancel)
    if max_depth is not None:
        raise UserError("a maximal depth goes with depth auto only")
    return method(Question(game, player, depth), limit, progress, cancel)


def encode(
    game: str | Game | Question,
    depth: int | None = None,
    player: str | Player = Player.BLACK,
    *,
    encoding: str,
    symmetry: bool = False,
) -> Encoded:
    """State a question as a formula; without a depth, a file's own is taken.

    >>> encode("hein(9)", 7, encoding="et").formula.sizes.blocks
    7
    """
    return encodings.encode(_question(game, depth, player), encoding, symmetry=symmetry)


def stats(
    game: str | Game | Question,
    depth: int | None = None,
    player: str | Player = Player.BLACK,
    *,
    encoding: Iterable[str] | None = None,
    symmetry: bool = False,
) -> list[dict[str, Any]]:
    """The sizes of a question in these encodings; by default in all that can state it."""
    question = _question(game, depth, player)
    names = [entry.name for entry in encodings.ENCODINGS] if encoding is None else list(encoding)
    listed, refusals = [], []
    for name in names:
        try:
            sizes = encodings.encode(question, name, symmetry=symmetry).sizes
        except encodings.Unsupported as unsupported:
            if encoding is not None:
                raise
            refusals.append(unsupported)
        else:
            listed.append({"encoding": name.strip().lower()} | sizes.as_json())
    if refusals and not listed:
        raise refusals[0]
    return listed


def _question(game: str | Game | Question, depth: int | None, player: str | Player) -> Question:
    if isinstance(game, Question):
        return game
    game = load(game)
    depth = game.depth if depth is None else depth
    if depth is None:
        raise UserError(f"{game} has no depth of its own: give one, as in -d 7")
    return Question(game, Player(player), depth)


def describe(game: str | Game) -> dict[str, Any]:
    """Everything `show --json` prints: the position, whose move, and what the game offers."""
    game = load(game)
    start = game.start

    def named(cells: Iterable[int]) -> list[str]:
        return [game.board.names[cell] for cell in cells]

    return {
        "game": str(game),
        "board": type(game.board).__name__.lower(),
        "cells": game.board.size,
        "black": named(cells_of(start.black)),
        "white": named(cells_of(start.white)),
        "to_move": start.to_move.value if start.to_move else None,
        "winner": start.winner.value if start.winner else None,
        "status": status(start),
        "horizon": game.horizon,
        "depth": game.depth,
        "moves": [game.move_name(move) for move in start.moves()],
        "played": [game.move_name(move) for move in game.played],
        "views": [view for view in VIEWS if game.offers(view)],
    }
