"""`skolemate oracle`: the reference answer. Exit code 10 WIN, 20 NO_WIN, 30 UNKNOWN."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from skolemate.cli.common import add_game, add_json, game_of, print_json
from skolemate.cli.question import add_player, plies, seconds

if TYPE_CHECKING:
    from skolemate.ask import Answer
    from skolemate.ask.method import Progress


def configure(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "-d",
        "--depth",
        type=_depth,
        metavar="DEPTH",
        help="plies, or auto for the least depth (default: the file's own depth, else auto)",
    )
    add_player(parser)
    parser.add_argument("--timeout", type=seconds, metavar="S", help="give up after S seconds")
    parser.add_argument("--max-depth", type=plies, metavar="D", help="with auto: go no deeper")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.api import oracle
    from skolemate.ask import Verdict

    answer = oracle(
        game_of(arguments),
        arguments.depth,
        arguments.player,
        timeout=arguments.timeout,
        max_depth=arguments.max_depth,
        progress=_report if sys.stderr.isatty() else None,
    )
    if arguments.json:
        print_json(answer.as_json())
    else:
        _print(answer)
    return {Verdict.WIN: 10, Verdict.NO_WIN: 20, Verdict.UNKNOWN: 30}[answer.verdict]


def _print(answer: Answer) -> None:
    from skolemate.render import text

    print(f"{answer}.")
    game = answer.game
    if answer.first_moves:
        names = ", ".join(game.move_name(move) for move in answer.first_moves)
        many = len(answer.first_moves) > 1
        print(f"Winning first move{'s' if many else ''}: {names}.")
    print()
    last = game.played[-1] if game.played else None
    cells = [cell for move in answer.first_moves or () for cell in game.move_cells(move)]
    print(text(game.start, last=last, highlights=cells))


def _report(progress: Progress) -> None:
    if progress.verdict is not None:
        print(
            f"depth {progress.depth}: {progress.verdict.value} ({progress.wall_seconds:.1f} s)",
            file=sys.stderr,
        )


def _depth(text: str) -> int | str:
    return text if text == "auto" else plies(text)
