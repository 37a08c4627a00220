"""`skolemate show`, `convert`, `publish`: games and strategies as text, pictures, files, pages."""

import argparse
import sys

import skolemate
from skolemate.cli import options
from skolemate.errors import UserError
from skolemate.output import amount

# --- show -----------------------------------------------------------------------------------------


SHOW_EXAMPLES = (
    "skolemate show 'hein(9)' --moves 'b2 b3'",
    "skolemate show 'connect6(size=9)' --svg board.svg",
    "skolemate show hein9.jsonl --plies 5",
    "skolemate show hein9.jsonl --html hein9.html",
)


def configure_show(parser: argparse.ArgumentParser) -> None:
    options.add_game(parser)
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--svg", metavar="FILE", help="save a picture; - for standard output")
    instead.add_argument("--dot", metavar="FILE", help="save a strategy's tree for Graphviz")
    instead.add_argument(
        "--html", metavar="FILE", help="save a strategy as a page on which you step through it"
    )
    options.add_json(instead)
    parser.add_argument(
        "--plies",
        type=options.plies,
        default=3,
        metavar="N",
        help="how many plies a strategy's tree shows (default: 3)",
    )
    parser.add_argument(
        "--width",
        type=options.count,
        default=12,
        metavar="N",
        help="how many moves are listed at each node of a strategy's tree (default: 12)",
    )
    parser.add_argument(
        "--game",
        dest="about",
        metavar="GAME",
        help="read a strategy's game from here instead of from the strategy file",
    )


def run_show(arguments: argparse.Namespace) -> int:
    from skolemate.games.family import built
    from skolemate.games.symmetry import cells_of
    from skolemate.output import write_text
    from skolemate.render import board, status
    from skolemate.strategies.lines import is_strategy

    if is_strategy(arguments.game) and built(arguments.game) is None:
        return show_strategy(arguments)
    if arguments.dot is not None or arguments.html is not None:
        raise UserError(
            "--dot and --html need a strategy; get one with: skolemate solve GAME --strategy FILE"
        )
    game = options.game_of(arguments)
    if arguments.svg is not None:
        write_text(arguments.svg, board(game) + "\n")
    elif arguments.json:
        options.print_json(skolemate.describe(game))
    else:
        start = game.start
        print(f"{game}: {status(start)}\n")
        won = cells_of(game.winning_cells(start))
        print(skolemate.text(start, last=game.last_move, highlights=won))
    remark = game.remark(0)
    if remark is not None:
        print(f"Note: {remark}.", file=sys.stderr)
    return 0


# --- a strategy -----------------------------------------------------------------------------------


def show_strategy(arguments: argparse.Namespace) -> int:
    from skolemate.output import write_text
    from skolemate.render import status
    from skolemate.strategies.tree import dot, grow, outline, page, tree_svg

    strategy = skolemate.Strategy.load(
        arguments.game, options.strategys_game(arguments.about, arguments.domain)
    )
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
        options.print_json(strategy.statistics())
    else:
        nodes = amount(strategy.size, "node")
        print(f"Claimed, not checked here: {strategy.claim.sentence(strategy.for_ever)}.")
        print(f"The strategy is {strategy.owner}'s; it has {nodes}.\n")
        if moves:
            print(f"{game.after(moves)}: {status(root.position)}")
        print(skolemate.text(root.position, last=moves[-1] if moves else None))
        print()
        for line in outline(root):
            print(line)
    return 0


# --- convert --------------------------------------------------------------------------------------


CONVERT_EXAMPLES = (
    "skolemate convert 'hein(9)' -o hein9.pg",
    "skolemate convert game.sgf -o game.json",
)


def configure_convert(parser: argparse.ArgumentParser) -> None:
    options.add_game(parser)
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="the file to write; - for standard output",
    )
    parser.add_argument(
        "--dialect",
        choices=("hypergraph", "board", "gex", "egf"),
        help="the dialect of a .pg file (default: chosen by the game)",
    )


def run_convert(arguments: argparse.Namespace) -> int:
    skolemate.write_game(options.game_of(arguments), arguments.output, arguments.dialect)
    return 0


# --- publish --------------------------------------------------------------------------------------


PUBLISH_EXAMPLES = (
    "skolemate publish hein9.jsonl -o hein9",
    'skolemate publish hein9.jsonl -o hein9 --title "Hein\'s ninth puzzle"',
)


def configure_publish(parser: argparse.ArgumentParser) -> None:
    options.add_strategy(parser)
    parser.add_argument(
        "-o", "--output", metavar="FOLDER", required=True, help="the folder to write"
    )
    parser.add_argument(
        "--title", metavar="TEXT", help="the heading of the page (default: the claim)"
    )


def run_publish(arguments: argparse.Namespace) -> int:
    game = options.strategys_game(arguments.game, arguments.domain)
    print(skolemate.publish(arguments.strategy, arguments.output, title=arguments.title, game=game))
    return 0
