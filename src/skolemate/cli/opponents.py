"""What the commands that play share: how the computer finds its moves, and for how long."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from skolemate.cli.answers import size
from skolemate.cli.question import plies, seconds

if TYPE_CHECKING:
    from skolemate.ask.method import Method
    from skolemate.play.thinker import Thinker

__all__ = ["add_thinking", "method_of", "thinker_of"]

SECONDS_A_MOVE = 10.0
METHODS = ("auto", "search", "qbf", "reference")


def add_thinking(parser: argparse.ArgumentParser) -> None:
    """Depth and limits for each move of the computer, and how it solves."""
    parser.add_argument(
        "-d", "--depth", type=plies, metavar="DEPTH", help="plies to look ahead, at most"
    )
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=SECONDS_A_MOVE,
        metavar="S",
        help=f"seconds for each move (default: {SECONDS_A_MOVE:g})",
    )
    parser.add_argument("--memory", type=size, metavar="SIZE", help="use no more, as in 4G")
    parser.add_argument(
        "--engine",
        choices=METHODS,
        default="auto",
        help="how to solve (default: search unless -e or -p is given)",
    )
    parser.add_argument("-e", "--encoding", metavar="ENCODING", help="of the formula, as in cor+")
    parser.add_argument("-p", "--pipeline", metavar="PIPELINE", help="as in bloqqer+caqe")
    parser.add_argument(
        "--program",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="where a solver is, or one of your own: 'my=/opt/my --flag {file}'",
    )


def thinker_of(arguments: argparse.Namespace, depth: int | None = None) -> Thinker:
    """The computer's mind; `depth` counts where none is given."""
    from skolemate.limits import Limit
    from skolemate.play.thinker import Thinker

    chosen = depth if arguments.depth is None else arguments.depth
    limit = Limit(arguments.timeout, arguments.memory)
    return Thinker(method_of(arguments), limit, chosen)


def method_of(arguments: argparse.Namespace, all_moves: bool = False) -> Method:
    from skolemate.ask.qbf import Qbf
    from skolemate.ask.reference import reference
    from skolemate.ask.search import Search
    from skolemate.encodings import ENCODINGS
    from skolemate.play.method import Automatic
    from skolemate.solvers import Pipeline
    from skolemate.solvers.program import add_foreign

    for text in arguments.program:
        add_foreign(text)
    # Wrong names are told now, and not in the middle of a game.
    if arguments.encoding is not None:
        ENCODINGS[arguments.encoding]
    if arguments.pipeline is not None:
        pipeline = Pipeline.parse(arguments.pipeline)
        for program in (*pipeline.preprocessors, pipeline.solver):
            program.require()
    if arguments.engine == "reference":
        return reference
    if arguments.engine == "search":
        return Search(all_moves)
    qbf = Qbf(arguments.encoding, arguments.pipeline, all_moves)
    return qbf if arguments.engine == "qbf" else Automatic(qbf, Search(all_moves))
