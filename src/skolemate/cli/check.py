"""`skolemate check`: does a strategy prove what it claims? Exit code 0 if it does, 1 if not."""

from __future__ import annotations

import argparse

from skolemate.cli import EXIT_FAILURE
from skolemate.cli.common import add_json, add_strategy, print_json, strategys_game

EXAMPLES = (
    "skolemate check hein9.jsonl",
    "skolemate check hein9.jsonl --game 'hein(9)' --expect 'WIN 7 black'",
    "skolemate check strategy.jsonl --game problem.bddl --domain domain.bddl",
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_strategy(parser)
    parser.add_argument(
        "--expect",
        metavar="CLAIM",
        help="fail unless it claims this: 'WIN 7 black', 'NO_WIN 5 white'",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.render import text
    from skolemate.strategies import check_file

    game = strategys_game(arguments.game, arguments.domain)
    report = check_file(arguments.strategy, game, arguments.expect)
    if arguments.json:
        print_json(report.as_json())
    elif report.holds:
        print(report)
    else:
        print(f"The strategy does not hold: {report}.\n{report.claim.provenance}")
        if report.position is not None:
            print(f"\n{text(report.position)}")
    return 0 if report.holds else EXIT_FAILURE
