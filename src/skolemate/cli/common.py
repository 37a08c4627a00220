"""What several commands share: games and strategies as arguments, JSON output, tables."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skolemate.games import Game

__all__ = [
    "add_game",
    "add_json",
    "add_strategy",
    "game_of",
    "print_json",
    "print_table",
    "strategys_game",
]

GAME_HELP = "a game, as in 'hex(size=4)', a file (.pg, .sgf, .bddl, .json), or -: standard input"


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument("--moves", default="", metavar="MOVES", help="moves to play first: 'c3 b2'")
    parser.add_argument("--domain", metavar="FILE", help="the domain of a BDDL problem")


def add_json(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def game_of(arguments: argparse.Namespace) -> Game:
    from skolemate.loading import load

    game = load(arguments.game, arguments.domain)
    return game.after(game.parse_moves(arguments.moves)) if arguments.moves else game


def add_strategy(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("strategy", metavar="STRATEGY", help="a file, or - for standard input")
    parser.add_argument(
        "--game", metavar="GAME", help="the game that the strategy must be for, read from here"
    )
    parser.add_argument("--domain", metavar="FILE", help="the domain of a BDDL problem")


def strategys_game(game: str | None, domain: str | None) -> Game | None:
    """The game that is named beside a strategy's file, if one is."""
    from skolemate.errors import UserError
    from skolemate.loading import load

    if game is not None:
        return load(game, domain)
    if domain is not None:
        raise UserError("--domain goes with --game: name the problem, too")
    return None


def print_json(data: Any) -> None:
    print(json.dumps(data, indent=2))


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table as wide as the terminal; where there is none, of up to 200 columns."""
    import sys

    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(*headings, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*map(escape, row))  # brackets are meant as they stand
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 200)
    lines = console.render_lines(table, pad=False)
    for line in lines:
        print("".join(segment.text for segment in line).rstrip())
