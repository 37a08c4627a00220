"""`skolemate show STRATEGY`: what a strategy does, as a tree, a drawing, a page or data."""

from __future__ import annotations

import argparse

from skolemate.cli.common import print_json, strategys_game
from skolemate.output import amount


def show_strategy(arguments: argparse.Namespace) -> int:
    from skolemate.output import write_text
    from skolemate.render import status, text
    from skolemate.strategies import Strategy
    from skolemate.strategies.outline import dot, outline, tree_svg
    from skolemate.strategies.page import page
    from skolemate.strategies.tree import grow

    strategy = Strategy.load(arguments.game, strategys_game(arguments.about, arguments.domain))
    game = strategy.game
    moves = game.parse_moves(arguments.moves) if arguments.moves else ()
    if arguments.html is not None:
        write_text(arguments.html, page(strategy, moves))
        return 0
    root = grow(strategy, moves, arguments.plies, arguments.width)
    if arguments.svg is not None:
        write_text(arguments.svg, tree_svg(root))
    elif arguments.dot is not None:
        write_text(arguments.dot, dot(root))
    elif arguments.json:
        print_json(strategy.statistics())
    else:
        nodes = amount(strategy.size, "node")
        print(f"Claimed, not checked here: {strategy.claim.sentence(strategy.for_ever)}.")
        print(f"The strategy is {strategy.owner}'s; it has {nodes}.\n")
        if moves:
            print(f"{game.after(moves)}: {status(root.position)}")
        print(text(root.position, last=moves[-1] if moves else None))
        print()
        for line in outline(root):
            print(line)
    return 0
