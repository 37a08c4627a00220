"""`skolemate oracle`: the reference answer. Exit code 10 WIN, 20 NO_WIN, 30 UNKNOWN."""

from __future__ import annotations

import argparse

from skolemate.cli.answers import add_asking, ask_and_report

EXAMPLES = (
    "skolemate oracle 'hein(9)' -d 7",
    "skolemate oracle 'harary(shape=el, width=3, height=3)'",
    "skolemate oracle puzzle.pg --player white --json",
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_asking(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.api import oracle

    return ask_and_report(arguments, oracle)
