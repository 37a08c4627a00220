"""`skolemate solve`, `oracle` and `value`: answers about games, and their exit codes.

`solve` and `oracle`: 10 WIN, 20 NO_WIN, 30 UNKNOWN.
`value`: 10 Black wins, 20 White wins, 0 a draw, 30 unknown.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

import skolemate
from skolemate.cli import EXIT_FAILURE, EXIT_INTERRUPTED, options
from skolemate.output import amount

if TYPE_CHECKING:
    from skolemate import Answer, Progress, Strategy, Value


Result = TypeVar("Result", "Answer", "Value")

# --- what all share -------------------------------------------------------------------------------


def add_asking(parser: argparse.ArgumentParser) -> None:
    """A game, a depth or auto, a player, limits, and a strategy."""
    options.add_game(parser)
    parser.add_argument(
        "-d",
        "--depth",
        type=options.plies_or_auto,
        metavar="DEPTH",
        help="number of plies, or auto to find the least depth of a win (default: the depth stated "
        "in the file; if there is none, find any win, then look some seconds for a shorter one)",
    )
    options.add_player(parser)
    _add_limits(parser, max_depth="with auto: the largest depth to try")
    parser.add_argument(
        "--strategy", metavar="FILE", help="save a strategy that proves the answer, and check it"
    )
    _add_printing(parser)


def _add_limits(parser: argparse.ArgumentParser, max_depth: str) -> None:
    options.add_limits(parser)
    parser.add_argument("--max-depth", type=options.plies, metavar="D", help=max_depth)


def _add_printing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fold", action="store_true", help="in the strategy, let symmetric positions share a node"
    )
    options.add_json(parser)


def _asked(arguments: argparse.Namespace) -> dict[str, Any]:
    """The arguments that all asking functions take."""
    return {
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
        whose = progress.encoding or progress.player
        by = f", {whose}" if whose else ""
        print(
            f"depth {progress.depth}{by}: {progress.verdict.value} ({progress.wall_seconds:.1f} s)",
            file=sys.stderr,
            flush=True,
        )


def ask_and_report(
    arguments: argparse.Namespace,
    ask: Callable[..., Result],
    show: Callable[[Result], None],
    code_of: Callable[[Result], int],
) -> int:
    """Ask, print the answer and the fate of the strategy; returns the exit code."""
    from skolemate.api import Unproved

    budget, unproved = skolemate.Budget(skolemate.Limit(arguments.timeout, arguments.memory)), None
    with budget.heeded():
        game = options.game_of(arguments)
    with options.interruptible() as cancel:
        try:
            asked = _asked(arguments) | {"timeout": budget.remaining().seconds}
            answer = ask(game, **asked, cancel=cancel)
        except Unproved as stopped:
            answer, unproved = cast("Result", stopped.answer), stopped
    if arguments.strategy is not None and sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)  # erases the count of nodes
    if arguments.json:
        options.print_json(answer.as_json())
    else:
        show(answer)
    code = EXIT_INTERRUPTED if answer.reason is skolemate.Reason.CANCELLED else code_of(answer)
    if unproved is None:
        return code
    why = f": {unproved.detail}" if unproved.detail else ""
    print(f"skolemate: {unproved}{why}; run the same command again to continue", file=sys.stderr)
    return EXIT_INTERRUPTED if cancel.is_set() else EXIT_FAILURE


def _code(answer: Answer) -> int:
    codes = {skolemate.Verdict.WIN: 10, skolemate.Verdict.NO_WIN: 20, skolemate.Verdict.UNKNOWN: 30}
    return codes[answer.verdict]


def _print_answer(answer: Answer) -> None:
    from skolemate.render import move_names

    print(f"{answer}.")
    game = answer.game
    if answer.first_move_numbers:
        names = ", ".join(
            move_names(game, move, answer.player) for move in answer.first_move_numbers
        )
        print(f"{answer.first_moves_title}: {names}.{_later(answer)}")
    if answer.blocking is not None:
        print(_blocking(answer.blocking))
    if answer.verdict is not skolemate.Verdict.UNKNOWN and (answer.encoding or answer.positions):
        print(_answered_by(answer))
    if answer.note:
        print(f"Note: {answer.note}.", file=sys.stderr)
    print()
    moves = answer.first_move_numbers or ()
    cells = [cell for move in moves for cell in game.move_cells(move, answer.player)]
    print(skolemate.text(game.start, last=game.last_move, highlights=cells))


def _later(answer: Answer) -> str:
    """How to find the moves that win only later, if all that win within the depth are listed."""
    horizon, moves = answer.game.horizon, answer.first_move_numbers or ()
    if not answer.first_moves_complete or horizon is None or answer.depth >= horizon:
        return ""
    others = len(moves) < len(answer.game.start.moves())
    return f" Others may win later: -d {horizon} finds them." if others else ""


def _answered_by(answer: Answer) -> str:
    if answer.positions is None:
        return f"Answered by {answer.source}."
    verified = f"; verified by {answer.source}" if answer.encoding else ""
    return f"Answered by search, {amount(answer.positions, 'position')}{verified}."


def _blocking(blocking: Strategy) -> str:
    """How a player is blocked, in a line; the whole strategy is in the JSON."""
    start, name, owner = blocking.game.start, blocking.game.move_name, blocking.owner
    node = blocking.node(start)
    if node is None or node.pairs == ():
        return f"{owner} need not answer."
    if node.pairs:
        pairs = ", ".join(f"{name(a)}-{name(b)}" for a, b in node.pairs)
        return f"{owner} answers in pairs: {pairs}."
    further = "--json prints the rest of the plan."
    if node.move is not None:
        return f"{owner} begins with {name(node.move)}; {further}"
    nodes = {move: blocking.node(start.play(move)) for move in start.moves()}
    answers = [
        f"{name(m)} with {name(n.move)}" for m, n in nodes.items() if n and n.move is not None
    ]
    return f"{owner} answers {', '.join(answers)}; {further}"


# --- solve ----------------------------------------------------------------------------------------


SOLVE_EXAMPLES = (
    "skolemate solve 'hein(9)'",
    "skolemate solve 'hein(9)' -d 7 --strategy hein9.jsonl",
    "skolemate solve 'hein(9)' -e et -p bloqqer+caqe",
    "skolemate solve 'harary(shape=fatty, width=4, height=4)' -e cover/pairing",
    "skolemate solve puzzle.pg --all-moves --verify --timeout 60",
)
SOLVE_ENGINES = ("auto", "search", "qbf", "both")


def configure_solve(parser: argparse.ArgumentParser) -> None:
    add_asking(parser)
    options.add_methods(
        parser, SOLVE_ENGINES, unless="-e, -p, --symmetry or --split", alternating=True
    )
    options.add_symmetry(parser)
    parser.add_argument(
        "--verify",
        action="store_true",
        help="ask a second time, by a formula or another solver, and compare the answers",
    )
    parser.add_argument(
        "--split",
        type=options.count,
        metavar="N",
        help="split the question by its first N plies, and solve the parts in parallel",
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="with --split: solve the parts on this Dask cluster, such as tcp://host:8786",
    )
    parser.add_argument(
        "--all-moves", action="store_true", help="find every first move that wins within the depth"
    )
    parser.add_argument(
        "--table",
        metavar="FILE",
        help="save what the search proves in this file, and use it the next time",
    )
    options.add_jobs(parser)


def run_solve(arguments: argparse.Namespace) -> int:
    options.use_programs(arguments)
    chosen = partial(
        skolemate.solve,
        depth=arguments.depth,
        player=arguments.player,
        engine=arguments.engine,
        verify=arguments.verify,
        encoding=arguments.encoding,
        pipeline=arguments.pipeline,
        symmetry=arguments.symmetry,
        split=arguments.split,
        cluster=arguments.cluster,
        all_moves=arguments.all_moves,
        jobs=arguments.jobs,
        table=arguments.table,
    )
    return ask_and_report(arguments, chosen, _print_answer, _code)


# --- oracle ---------------------------------------------------------------------------------------


ORACLE_EXAMPLES = (
    "skolemate oracle 'hein(9)' -d 7",
    "skolemate oracle 'harary(shape=el, width=3, height=3)'",
    "skolemate oracle puzzle.pg --player white --json",
)


def configure_oracle(parser: argparse.ArgumentParser) -> None:
    add_asking(parser)


def run_oracle(arguments: argparse.Namespace) -> int:
    asked = partial(skolemate.oracle, depth=arguments.depth, player=arguments.player)
    return ask_and_report(arguments, asked, _print_answer, _code)


# --- value ----------------------------------------------------------------------------------------


VALUE_EXAMPLES = (
    "skolemate value tictactoe",
    "skolemate value 'hein(9)' --all-moves",
    "skolemate value tictactoe --strategy ttt.jsonl",
    "skolemate value 'connect(k=4, width=5, height=4)' --timeout 60 --json",
)


def configure_value(parser: argparse.ArgumentParser) -> None:
    options.add_game(parser)
    parser.add_argument(
        "--all-moves", action="store_true", help="also print the value of every legal move"
    )
    options.add_methods(parser, (*SOLVE_ENGINES, "reference"))
    _add_limits(parser, max_depth="the largest depth to try")
    parser.add_argument(
        "--strategy",
        metavar="FILE",
        help="save two checked strategies that prove the value, one for each player: ttt.jsonl "
        "gives ttt-black.jsonl and ttt-white.jsonl",
    )
    _add_printing(parser)
    options.add_jobs(parser)


def run_value(arguments: argparse.Namespace) -> int:
    options.use_programs(arguments)
    asked = partial(
        skolemate.value,
        all_moves=arguments.all_moves,
        engine=arguments.engine,
        encoding=arguments.encoding,
        pipeline=arguments.pipeline,
        jobs=arguments.jobs,
    )
    return ask_and_report(arguments, asked, _print_value, _value_code)


def _value_code(value: Value) -> int:
    return {"black": 10, "white": 20, "draw": 0, "unknown": 30}[value.outcome.value]


def _print_value(value: Value) -> None:
    from skolemate.render import move_names

    print(f"{value}.")
    game, mover = value.game, value.game.start.to_move or skolemate.Player.BLACK
    told: dict[str, list[str]] = {}
    for move, after in value.ranked_moves():
        told.setdefault(after.for_player(mover, 1), []).append(move_names(game, move, mover))
    if value.moves is None and value.best_moves:
        told["a best move"] = [move_names(game, value.best_moves[0], mover)]
    for verdict, names in told.items():
        every = len(told) == 1 and value.outcome.value == "unknown"  # may be thousands
        print(f"{verdict.capitalize()}: {'every move' if every else ', '.join(names)}.")
    if value.note:
        print(f"Note: {value.note}.", file=sys.stderr)
    print()
    cells = [cell for move in value.best_moves for cell in game.move_cells(move, mover)]
    print(skolemate.text(game.start, last=game.last_move, highlights=cells))
