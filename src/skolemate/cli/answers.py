"""What the commands that answer share: arguments, progress, printing, exit codes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from skolemate.cli import EXIT_FAILURE, EXIT_INTERRUPTED
from skolemate.cli.common import add_game, add_json, game_of, print_json
from skolemate.cli.interrupts import interruptible
from skolemate.cli.question import add_player, plies, plies_or_auto, seconds, size
from skolemate.output import amount

if TYPE_CHECKING:
    from skolemate.ask import Answer
    from skolemate.ask.method import Progress
    from skolemate.strategies import Blocking

__all__ = ["add_asking", "ask_and_report"]


def add_asking(parser: argparse.ArgumentParser) -> None:
    """A game, a depth or auto, a player, and limits."""
    add_game(parser)
    parser.add_argument(
        "-d",
        "--depth",
        type=plies_or_auto,
        metavar="DEPTH",
        help="plies, or auto for the least depth (default: the file's own depth, else auto)",
    )
    add_player(parser)
    parser.add_argument("--timeout", type=seconds, metavar="S", help="give up after S seconds")
    parser.add_argument("--memory", type=size, metavar="SIZE", help="use no more, as in 4G")
    parser.add_argument("--max-depth", type=plies, metavar="D", help="with auto: go no deeper")
    parser.add_argument("--strategy", metavar="FILE", help="save a checked strategy that proves it")
    parser.add_argument("--fold", action="store_true", help="symmetric positions share a node")
    add_json(parser)


def _asked(arguments: argparse.Namespace) -> dict[str, Any]:
    """The arguments that all asking functions take."""
    return {
        "depth": arguments.depth,
        "player": arguments.player,
        "timeout": arguments.timeout,
        "memory": arguments.memory,
        "max_depth": arguments.max_depth,
        "strategy": arguments.strategy,
        "fold": arguments.fold,
        "progress": _show_progress if sys.stderr.isatty() else None,
    }


def _show_progress(progress: Progress) -> None:
    if progress.nodes is not None:
        told = f"strategy: {amount(progress.nodes, 'node')} ({progress.wall_seconds:.0f} s)"
        print(f"\r{told}", end="", file=sys.stderr, flush=True)
    elif progress.verdict is not None:
        by = f", {progress.encoding}" if progress.encoding else ""
        print(
            f"depth {progress.depth}{by}: {progress.verdict.value} ({progress.wall_seconds:.1f} s)",
            file=sys.stderr,
            flush=True,
        )


def ask_and_report(arguments: argparse.Namespace, ask: Callable[..., Answer]) -> int:
    """Ask, print the answer and what became of the strategy; the exit code that goes with it."""
    from skolemate.api import Unproved
    from skolemate.limits import Budget, Limit

    budget, unproved = Budget(Limit(arguments.timeout, arguments.memory)), None
    with budget.heeded():
        game = game_of(arguments)
    with interruptible() as cancel:
        try:
            asked = _asked(arguments) | {"timeout": budget.remaining().seconds}
            answer = ask(game, **asked, cancel=cancel)
        except Unproved as stopped:
            answer, unproved = stopped.answer, stopped
    if arguments.strategy is not None and sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)  # the count of nodes has served
    code = _report(answer, arguments.json)
    if unproved is None:
        return code
    why = f": {unproved.detail}" if unproved.detail else ""
    print(f"skolemate: {unproved}{why}; the same command goes on from there", file=sys.stderr)
    return EXIT_INTERRUPTED if cancel.is_set() else EXIT_FAILURE


def _report(answer: Answer, as_json: bool) -> int:
    """Print an answer; the exit code that goes with it."""
    from skolemate.ask import Reason, Verdict

    if as_json:
        print_json(answer.as_json())
    else:
        _print(answer)
    if answer.reason is Reason.CANCELLED:
        return EXIT_INTERRUPTED
    return {Verdict.WIN: 10, Verdict.NO_WIN: 20, Verdict.UNKNOWN: 30}[answer.verdict]


def _print(answer: Answer) -> None:
    from skolemate.ask import Verdict
    from skolemate.render import move_names, text

    print(f"{answer}.")
    game = answer.game
    if answer.first_moves:
        names = ", ".join(move_names(game, move, answer.player) for move in answer.first_moves)
        print(f"{answer.first_moves_title}: {names}.{_later(answer)}")
    if answer.blocking is not None:
        print(_blocking(answer.blocking))
    if answer.verdict is not Verdict.UNKNOWN and (answer.encoding or answer.positions):
        print(_answered_by(answer))
    if answer.note:
        print(f"Note: {answer.note}.", file=sys.stderr)
    print()
    moves = answer.first_moves or ()
    cells = [cell for move in moves for cell in game.move_cells(move, answer.player)]
    print(text(game.start, last=game.last_move, highlights=cells))


def _later(answer: Answer) -> str:
    """How to find the moves that win only later, where all that win so soon are told."""
    horizon, moves = answer.game.horizon, answer.first_moves or ()
    if not answer.first_moves_complete or horizon is None or answer.depth >= horizon:
        return ""
    others = len(moves) < len(answer.game.start.moves())
    return f" Others may win later: -d {horizon} finds them." if others else ""


def _answered_by(answer: Answer) -> str:
    if answer.positions is None:
        return f"Answered by {answer.source}."
    verified = f"; verified by {answer.source}" if answer.encoding else ""
    return f"Answered by search, {amount(answer.positions, 'position')}{verified}."


def _blocking(blocking: Blocking) -> str:
    """How a player is blocked, in a line; the whole plan is in the JSON."""
    name, opponent = blocking.game.move_name, blocking.player.opponent
    if blocking.pairs is not None:
        pairs = ", ".join(f"{name(a)}-{name(b)}" for a, b in blocking.pairs)
        return f"{opponent} answers in pairs: {pairs}." if pairs else f"{opponent} need not answer."
    answers = [
        name(answer) if move is None else f"{name(move)} with {name(answer)}"
        for move, answer in blocking.answers().items()
    ]
    listed = ", ".join(answers)
    if None in blocking.answers():
        return f"{opponent} begins with {listed}; --json tells how it goes on, up to pairs."
    return f"{opponent} answers {listed}; --json tells how it goes on, up to pairs."
