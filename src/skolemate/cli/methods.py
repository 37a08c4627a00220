"""What the commands that solve share: search or formulas, which formulas, and whose solvers."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

__all__ = ["add_methods", "add_programs", "use_programs"]


def add_methods(
    parser: argparse.ArgumentParser,
    engines: Sequence[str],
    unless: str = "-e or -p",
    alternating: bool = False,
) -> None:
    """The choice of engines, encodings and pipelines; formulas are the default with `unless`.

    Encodings may be asked side by side everywhere, `alternating` ones in turn, too.
    """
    parser.add_argument(
        "--engine",
        choices=engines,
        default="auto",
        help=f"search natively or ask by formula (default: search unless {unless} is given), "
        "or both side by side",
    )
    parser.add_argument(
        "-e",
        "--encoding",
        metavar="ENCODING",
        help="as in cor+; side by side, as in cor+,gr"
        + ("; in turn, as in cover/pairing" if alternating else ""),
    )
    parser.add_argument(
        "-p",
        "--pipeline",
        metavar="PIPELINE",
        help="as in bloqqer+caqe; side by side, as in depqbf,caqe",
    )
    add_programs(parser)


def add_programs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--program",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="where a solver is, with options, or one of your own: 'my=/opt/my --flag {file}'",
    )


def use_programs(arguments: argparse.Namespace) -> None:
    """Make the user's own solvers known."""
    from skolemate.solvers.program import add_foreign

    for text in arguments.program:
        add_foreign(text)
