"""`skolemate show`: a position as text, as a picture, or as data; or a strategy as a tree."""

from __future__ import annotations

import argparse

from skolemate.cli.common import add_game, add_json, game_of, print_json
from skolemate.cli.question import count, plies
from skolemate.errors import UserError

EXAMPLES = (
    "skolemate show 'hein(9)' --moves 'b2 b3'",
    "skolemate show 'connect6(size=9)' --svg board.svg",
    "skolemate show hein9.jsonl --plies 5",
    "skolemate show hein9.jsonl --html hein9.html",
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--svg", metavar="FILE", help="save the picture; - for standard output")
    instead.add_argument("--dot", metavar="FILE", help="of a strategy: save the tree for Graphviz")
    instead.add_argument(
        "--html", metavar="FILE", help="of a strategy: save a page to step through"
    )
    add_json(instead)
    parser.add_argument("--plies", type=plies, default=3, help="of a strategy: how deep (3)")
    parser.add_argument(
        "--width", type=count, default=12, help="of a strategy: how many moves (12)"
    )
    parser.add_argument(
        "--game", dest="about", metavar="GAME", help="of a strategy whose game is not found by name"
    )


def run(arguments: argparse.Namespace) -> int:
    from skolemate.api import describe
    from skolemate.cli.show_strategy import show_strategy
    from skolemate.games.bits import cells_of
    from skolemate.games.family import built
    from skolemate.output import write_text
    from skolemate.render import board, status, text
    from skolemate.strategies.lines import is_strategy

    if is_strategy(arguments.game) and built(arguments.game) is None:
        return show_strategy(arguments)
    if arguments.dot is not None or arguments.html is not None:
        raise UserError(
            "only a strategy has a tree to save; get one with: skolemate solve GAME --strategy FILE"
        )
    game = game_of(arguments)
    if arguments.svg is not None:
        write_text(arguments.svg, board(game) + "\n")
    elif arguments.json:
        print_json(describe(game))
    else:
        start = game.start
        print(f"{game}: {status(start)}\n")
        won = cells_of(game.winning_cells(start))
        print(text(start, last=game.last_move, highlights=won))
    return 0
