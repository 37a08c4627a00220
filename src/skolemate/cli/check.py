"""`skolemate check`: does a strategy prove what it claims? Exit code 0 if it does, 1 if not."""

from __future__ import annotations

import argparse

from skolemate.cli import EXIT_FAILURE
from skolemate.cli.common import add_json, add_strategy, print_json, strategys_game
from skolemate.output import amount

EXAMPLES = (
    "skolemate check hein9.jsonl",
    "skolemate check strategy.jsonl --game problem.bddl --domain domain.bddl",
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_strategy(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.render import text
    from skolemate.strategies import check_file

    game = strategys_game(arguments.game, arguments.domain)
    claim, report = check_file(arguments.strategy, game)
    if arguments.json:
        claimed = {
            "game": str(claim.game),
            "player": claim.player.value,
            "depth": claim.depth,
            "verdict": claim.verdict,
        }
        print_json(claimed | report.as_json())
    elif report.holds:
        print(f"{claim.sentence(report.every_depth)}.")
        print(f"The strategy holds; it has {amount(report.nodes, 'node')}.")
    else:
        print(f"The strategy does not hold: {report}.")
        if report.position is not None:
            print(f"\n{text(report.position)}")
    return 0 if report.holds else EXIT_FAILURE
