"""Options of the commands that ask a question: depth, player, limits."""

from __future__ import annotations

import argparse
import re
from typing import Any

from skolemate.cli.common import add_game, game_of

__all__ = [
    "add_player",
    "add_question",
    "add_symmetry",
    "count",
    "plies",
    "plies_or_auto",
    "question_of",
    "seconds",
    "size",
]


def add_player(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--player", choices=("black", "white"), default="black", help="who asks")


def add_question(parser: argparse.ArgumentParser) -> None:
    """A game, a depth and a player: one question."""
    add_game(parser)
    parser.add_argument(
        "-d", "--depth", type=plies, metavar="DEPTH", help="plies (default: the file's own depth)"
    )
    add_player(parser)


def add_symmetry(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--symmetry",
        action="store_true",
        help="a formula with one first move of each symmetric class (default: the paper's formula)",
    )


def question_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The arguments of the functions that take a question."""
    game = game_of(arguments)
    return {"game": game, "depth": arguments.depth, "player": arguments.player}


def plies(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number of plies")
    return int(text)


def plies_or_auto(text: str) -> int | str:
    return text if text == "auto" else plies(text)


def count(text: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,8}", text):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number from 1 up")
    return int(text)


def seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number of seconds")
    return number


def size(text: str) -> int:
    from skolemate.errors import UserError
    from skolemate.limits import size_of

    try:
        return size_of(text)
    except UserError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
