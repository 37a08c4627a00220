"""`skolemate convert`: a game into a file; the format follows the suffix."""

from __future__ import annotations

import argparse

from skolemate.cli.common import add_game, game_of

EXAMPLES = (
    "skolemate convert 'hein(9)' -o hein9.pg",
    "skolemate convert game.sgf -o game.json",
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="- for stdout")
    parser.add_argument(
        "--dialect",
        choices=("hypergraph", "board", "gex", "egf"),
        help="which kind of .pg file (default: the one that suits the game)",
    )


def run(arguments: argparse.Namespace) -> int:
    from skolemate.formats import write_game

    write_game(game_of(arguments), arguments.output, arguments.dialect)
    return 0
