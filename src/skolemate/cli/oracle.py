"""`skolemate oracle`: the reference answer. Exit code 10 WIN, 20 NO_WIN, 30 UNKNOWN."""

from __future__ import annotations

import argparse

from skolemate.cli.answers import add_asking, interruptible, limits, report
from skolemate.cli.common import game_of


def configure(parser: argparse.ArgumentParser) -> None:
    add_asking(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.api import oracle

    game = game_of(arguments)
    with interruptible() as cancel:
        answer = oracle(game, **limits(arguments), cancel=cancel)
    return report(answer, arguments.json)
