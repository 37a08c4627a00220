"""`skolemate solve`: the answer by search or by formula; exits 10 WIN, 20 NO_WIN, 30 UNKNOWN."""

from __future__ import annotations

import argparse
from functools import partial

from skolemate.cli.answers import add_asking, ask_and_report
from skolemate.cli.methods import add_methods, use_programs
from skolemate.cli.question import add_symmetry, count

EXAMPLES = (
    "skolemate solve 'hein(9)'",
    "skolemate solve 'hein(9)' -d 7 --strategy hein9.jsonl",
    "skolemate solve 'hein(9)' -e et -p bloqqer+caqe",
    "skolemate solve 'harary(shape=fatty, width=4, height=4)' -e cover/pairing",
    "skolemate solve puzzle.pg --all-moves --verify --timeout 60",
)
ENGINES = ("auto", "search", "qbf", "both")


def configure(parser: argparse.ArgumentParser) -> None:
    add_asking(parser)
    add_methods(parser, ENGINES, unless="-e, -p, --symmetry or --split", alternating=True)
    add_symmetry(parser)
    parser.add_argument(
        "--verify", action="store_true", help="ask by formula, too, or by two, and compare"
    )
    parser.add_argument(
        "--split",
        type=count,
        metavar="N",
        help="divide the question by its first N plies, and ask the parts side by side",
    )
    parser.add_argument(
        "--all-moves", action="store_true", help="find every first move that wins within the depth"
    )
    parser.add_argument(
        "--jobs",
        type=count,
        metavar="N",
        help="how much at a time: threads, encodings, pipelines, parts, questions for --strategy",
    )


def run(arguments: argparse.Namespace) -> int:
    from skolemate.api import solve

    use_programs(arguments)
    chosen = partial(
        solve,
        engine=arguments.engine,
        verify=arguments.verify,
        encoding=arguments.encoding,
        pipeline=arguments.pipeline,
        symmetry=arguments.symmetry,
        split=arguments.split,
        all_moves=arguments.all_moves,
        jobs=arguments.jobs,
    )
    return ask_and_report(arguments, chosen)
