"""What the commands that play share: how the computer finds its moves, and for how long."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from skolemate.cli.methods import add_methods
from skolemate.cli.question import plies, seconds, size

if TYPE_CHECKING:
    from skolemate.ask.method import Method
    from skolemate.play.thinker import Thinker

__all__ = ["add_thinking", "method_of", "thinker_of"]

SECONDS_A_MOVE = 10.0
ENGINES = ("auto", "search", "qbf", "both", "reference")


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
    add_methods(parser, ENGINES)


def thinker_of(arguments: argparse.Namespace, depth: int | None = None) -> Thinker:
    """The computer's mind; `depth` counts where none is given."""
    from skolemate.limits import Limit
    from skolemate.play.thinker import Thinker

    chosen = depth if arguments.depth is None else arguments.depth
    limit = Limit(arguments.timeout, arguments.memory)
    return Thinker(method_of(arguments), limit, chosen)


def method_of(arguments: argparse.Namespace, all_moves: bool = False) -> Method:
    from skolemate.ask.portfolio import formulas, side_by_side
    from skolemate.ask.reference import reference
    from skolemate.ask.search import Search
    from skolemate.errors import UserError
    from skolemate.play.method import Automatic

    # Wrong names and missing programs are told now, and not in the middle of a game.
    members = formulas(arguments.encoding, arguments.pipeline, all_moves)
    for member in members:
        member.require()
    named = arguments.encoding is not None or arguments.pipeline is not None
    if named and arguments.engine in ("search", "reference"):
        raise UserError(
            f"--engine {arguments.engine} asks without formulas: leave out encoding and pipeline"
        )
    if arguments.engine == "reference":
        return reference
    if arguments.engine == "search":
        return Search(all_moves)
    if arguments.engine == "qbf":
        return side_by_side(members)
    if arguments.engine == "both":
        return side_by_side((Search(all_moves, jobs=1), *members))
    return Automatic(members, Search(all_moves))
