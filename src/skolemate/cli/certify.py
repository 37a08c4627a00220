"""`skolemate certify`: a strategy as a certificate of a formula; exit code 1 if it fails."""

from __future__ import annotations

import argparse

from skolemate.cli.common import add_json, print_json

EXIT_FAILS = 1


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("strategy", metavar="STRATEGY", help="a file, or - for standard input")
    parser.add_argument("-e", "--encoding", required=True, metavar="ENCODING", help="as in et")
    files = parser.add_mutually_exclusive_group()
    files.add_argument("-o", "--output", metavar="FILE", help="AIGER: .aag, .aig, or -")
    files.add_argument("--check", metavar="FILE", help="check this certificate, make none")
    parser.add_argument(
        "--game", metavar="GAME", help="the game, if the strategy's own name for it leads nowhere"
    )
    parser.add_argument("--domain", metavar="FILE", help="the domain of a BDDL problem")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.api import certify
    from skolemate.load import load

    game = None if arguments.game is None else load(arguments.game, arguments.domain)
    certified = certify(
        arguments.strategy,
        arguments.encoding,
        output=arguments.output,
        check=arguments.check,
        game=game,
    )
    if arguments.json and arguments.output != "-":
        print_json(certified.as_json())
    elif arguments.output != "-" or not certified.holds:
        print(certified)
    return 0 if certified.holds else EXIT_FAILS
