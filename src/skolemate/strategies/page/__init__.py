"""A strategy as one HTML page that a reader steps through: no network, all data inside."""

import json
from collections.abc import Callable
from html import escape
from importlib.resources import files
from typing import Any

from skolemate.errors import UserError
from skolemate.games.game import Move, Position
from skolemate.games.symmetry import cells_of
from skolemate.output import finite
from skolemate.render import status, svg
from skolemate.strategies.strategy import Strategy
from skolemate.strategies.tree import followers, linked, note, reached

__all__ = ["page"]

LARGEST = 30_000  # positions in a page; browsers stay quick
ALL_SHOWN = 1_000  # up to so many positions, the page also plays out links


def page(strategy: Strategy, moves: tuple[Move, ...] = ()) -> str:
    """The page, from the position after some moves on.

    The board is the same picture as everywhere; the page's script only sets the stones.
    """
    game, claim = strategy.game, strategy.claim
    start, left = reached(strategy, moves)
    empty = svg(Position(game, 0, 0, start.to_move))
    linked_somewhere = any(node.links for node in strategy.nodes)
    most = ALL_SHOWN if linked_somewhere else LARGEST
    positions = _positions(strategy, start, left, most, note)
    if not positions and linked_somewhere:
        positions = _positions(strategy, start, left, LARGEST, _note_or_link)
    data = {
        "owner": str(strategy.owner),
        "opponent": str(strategy.owner.opponent),
        "cells": game.board.names,
        "positions": positions,
    }
    if not positions:
        raise UserError(
            f"a page holds {LARGEST} positions, and this strategy has more; "
            "start later in the game, with --moves"
        )
    # "<" could end the script that holds the data.
    embedded = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    template = files("skolemate.strategies.page").joinpath("page.html").read_text(encoding="utf-8")
    parts = {
        "@TITLE@": escape(claim.sentence(strategy.for_ever)),
        "@BOARD@": empty,
        "@DATA@": embedded,
    }
    for mark, text in parts.items():
        template = template.replace(mark, text)
    return template


def _note_or_link(strategy: Strategy, position: Position, left: float) -> str | None:
    return note(strategy, position, left) or linked(strategy, position)


def _positions(
    strategy: Strategy,
    start: Position,
    left: float,
    most: int,
    ends: Callable[[Strategy, Position, float], str | None],
) -> list[dict[str, Any]]:
    """Every position that can arise, in the order met: stones, status, and the positions after it.

    An empty list if there are more than `most`.
    """
    names = strategy.game.board.names
    numbers = {(start, left): 0}
    listed: list[dict[str, Any]] = []
    waiting = [(start, left)]
    while len(listed) < len(waiting):
        position, left = waiting[len(listed)]
        ending = ends(strategy, position, left)
        following: list[list[object]] = []
        for move in () if ending is not None else followers(strategy, position):
            after = position.play(move), left - 1
            if after not in numbers:
                numbers[after] = len(numbers)
                waiting.append(after)
            assert position.to_move is not None, "somebody moves"
            cells = strategy.game.move_cells(move, position.to_move)
            name = strategy.game.short_name(move, position.to_move)
            following.append([name, numbers[after], [names[cell] for cell in cells]])
        if len(numbers) > most:
            return []
        stones = (
            "X" if position.black >> c & 1 else "O" if position.white >> c & 1 else "."
            for c in range(len(names))
        )
        pairs = enumerate(strategy.pairs(position) or (), 1)
        marks = [[names[cell], place] for place, pair in pairs for cell in pair]
        marks += [[names[cell], "•"] for cell in cells_of(strategy.carrier(position) or 0)]
        listed.append(
            {
                "at": "".join(stones),
                "says": ending or status(position),
                "own": position.to_move is strategy.owner,
                "left": finite(left),
                "next": following,
                "marks": marks if ending is not None else [],
            }
        )
    return listed
