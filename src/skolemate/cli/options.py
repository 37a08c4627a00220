"""Options and helpers that several commands share."""

from __future__ import annotations

import argparse
import json
import re
import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING, Any

import skolemate

if TYPE_CHECKING:
    from skolemate.games import Game


# --- games, JSON, tables --------------------------------------------------------------------------


GAME_HELP = (
    "a game string such as 'hex(size=4)', a file (.pg, .sgf, .bddl, .gdl, .json), a HexWorld "
    "link, or - for standard input"
)


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument(
        "--moves", default="", metavar="MOVES", help="play these moves first, such as 'c3 b2'"
    )
    parser.add_argument(
        "--domain", metavar="FILE", help="the file with the domain, if GAME is a BDDL problem"
    )


def add_json(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def game_of(arguments: argparse.Namespace) -> Game:
    game = skolemate.load(arguments.game, arguments.domain)
    if getattr(arguments, "goal", None) is not None:
        game = game.asked_for(arguments.goal)
    return game.after(game.parse_moves(arguments.moves)) if arguments.moves else game


def add_strategy(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "strategy", metavar="STRATEGY", help="a strategy file, or - for standard input"
    )
    parser.add_argument(
        "--game", metavar="GAME", help="read the game from here instead of from the strategy file"
    )
    parser.add_argument(
        "--domain", metavar="FILE", help="the file with the domain, if GAME is a BDDL problem"
    )


def strategys_game(game: str | None, domain: str | None) -> Game | None:
    """The game that is given besides a strategy's file, if any."""
    if game is not None:
        return skolemate.load(game, domain)
    if domain is not None:
        raise skolemate.UserError("--domain needs --game: name the problem file as well")
    return None


def print_json(data: Any) -> None:
    print(json.dumps(data, indent=2))


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table as wide as the terminal; without a terminal, up to 200 characters."""
    import sys

    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(*headings, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*map(escape, row))  # brackets are not markup
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 200)
    lines = console.render_lines(table, pad=False)
    for line in lines:
        print("".join(segment.text for segment in line).rstrip())


# --- questions and limits -------------------------------------------------------------------------


def add_player(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--player",
        default="black",
        help="the player who shall win: black, white, or a role of a GDL game (default: black)",
    )
    parser.add_argument(
        "--goal",
        metavar="VALUE",
        help="in GDL games: a goal value of VALUE or more is a win (default: 100)",
    )


def add_question(parser: argparse.ArgumentParser) -> None:
    """A game, a depth and a player: one question."""
    add_game(parser)
    parser.add_argument(
        "-d",
        "--depth",
        type=plies,
        metavar="DEPTH",
        help="number of plies (default: as many as the file states)",
    )
    add_player(parser)


def add_symmetry(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--symmetry",
        action="store_true",
        help="keep only one of several symmetric first moves in the formula (default: keep all, as "
        "in the papers)",
    )


def add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--timeout", type=seconds, metavar="S", help="stop after S seconds")
    parser.add_argument("--memory", type=size, metavar="SIZE", help="memory limit, such as 4G")


def question_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The arguments of the functions that take a question."""
    game = game_of(arguments)
    if arguments.depth is None and game.remaining_depth is None:
        raise skolemate.UserError(f"{game} states no depth: give one, as in -d 7")
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
    from skolemate.limits import size_of

    try:
        return size_of(text)
    except skolemate.UserError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


# --- engines, encodings, pipelines, programs ------------------------------------------------------


def add_methods(
    parser: argparse.ArgumentParser,
    engines: Sequence[str],
    unless: str = "-e or -p",
    alternating: bool = False,
) -> None:
    """Options for engines, encodings and pipelines; those in `unless` make formulas the default.

    Several encodings may always run in parallel; with `alternating` two may also take turns.
    """
    parser.add_argument(
        "--engine",
        choices=engines,
        default="auto",
        help="search: the search engine; qbf: formulas; both: in parallel"
        + ("; reference: the slow oracle" if "reference" in engines else "")
        + f" (default: qbf if {unless} is given, else search)",
    )
    parser.add_argument(
        "-e",
        "--encoding",
        metavar="ENCODING",
        help="an encoding, such as cor+; several in parallel: cor+,gr"
        + ("; in turn: cover/pairing" if alternating else ""),
    )
    parser.add_argument(
        "-p",
        "--pipeline",
        metavar="PIPELINE",
        help="solver with preprocessors, such as bloqqer+caqe; several in parallel: depqbf,caqe",
    )
    add_programs(parser)


def add_jobs(parser: argparse._ActionsContainer, default: str = "all cores") -> None:
    parser.add_argument(
        "--jobs", type=count, metavar="N", help=f"number of workers (default: {default})"
    )


def add_programs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--program",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="add a solver of your own, or run a known one by another command: "
        "'my=/opt/my --flag {file}'",
    )


def use_programs(arguments: argparse.Namespace) -> None:
    """Register the user's own solvers."""
    from skolemate.solvers.program import add_foreign

    for text in arguments.program:
        add_foreign(text)


# --- Ctrl-C ---------------------------------------------------------------------------------------


@contextmanager
def interruptible() -> Iterator[Event]:
    """Ctrl-C ends the work, not the program, which still prints what is proved. Twice ends all.

    The same holds for SIGTERM, so that temporary files are removed.
    """
    cancel = Event()

    def stop(number: int, frame: object) -> None:
        if cancel.is_set():
            raise KeyboardInterrupt
        cancel.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield cancel
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def interrupting() -> Iterator[Event]:
    """As `interruptible`, but after the work has been stopped properly the program ends, too."""
    with interruptible() as cancel:
        yield cancel
    if cancel.is_set():
        raise KeyboardInterrupt
