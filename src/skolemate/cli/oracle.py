"""`skolemate oracle`: the reference answer. Exit code 10 WIN, 20 NO_WIN, 30 UNKNOWN."""

from __future__ import annotations

import argparse

from skolemate.cli.answers import add_asking, ask_and_report


def configure(parser: argparse.ArgumentParser) -> None:
    add_asking(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.api import oracle

    return ask_and_report(arguments, oracle)
