"""`skolemate show`: a position as text, as a picture, or as data."""

from __future__ import annotations

import argparse

from skolemate.cli.common import add_game, add_json, game_of, print_json


def configure(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--svg", metavar="FILE", help="save the picture; - for standard output")
    add_json(instead)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.api import describe
    from skolemate.games.bits import cells_of
    from skolemate.output import write_text
    from skolemate.render import status, svg, text

    game = game_of(arguments)
    start = game.start
    last = game.played[-1] if game.played else None
    won = list(cells_of(game.winning_cells(start)))
    if arguments.svg is not None:
        numbers = game.move_numbers()
        picture = svg(start, last=last, highlights=won, numbers=numbers)
        write_text(arguments.svg, picture + "\n")
    elif arguments.json:
        print_json(describe(game))
    else:
        print(f"{game}: {status(start)}\n")
        print(text(start, last=last, highlights=won))
    return 0
