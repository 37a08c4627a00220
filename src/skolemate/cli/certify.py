"""`skolemate certify`: a strategy as a certificate of a formula; exit code 1 if it fails."""

from __future__ import annotations

import argparse

from skolemate.cli import EXIT_FAILURE
from skolemate.cli.common import add_json, add_strategy, print_json, strategys_game
from skolemate.cli.question import add_symmetry

EXAMPLES = (
    "skolemate certify hein9.jsonl -e et -o hein9.aag",
    "skolemate certify hein9.jsonl -e et --check hein9.aag",
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_strategy(parser)
    parser.add_argument("-e", "--encoding", required=True, metavar="ENCODING", help="as in et")
    add_symmetry(parser)
    files = parser.add_mutually_exclusive_group()
    files.add_argument("-o", "--output", metavar="FILE", help="AIGER: .aag, .aig, or -")
    files.add_argument("--check", metavar="FILE", help="check this certificate, make none")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.api import certify

    game = strategys_game(arguments.game, arguments.domain)
    certified = certify(
        arguments.strategy,
        arguments.encoding,
        output=arguments.output,
        check=arguments.check,
        game=game,
        symmetry=arguments.symmetry,
    )
    if arguments.json and arguments.output != "-":
        print_json(certified.as_json())
    elif arguments.output != "-" or not certified.holds:
        print(certified)
    return 0 if certified.holds else EXIT_FAILURE
