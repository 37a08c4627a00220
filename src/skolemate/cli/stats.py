"""`skolemate stats`: the sizes of a question in the encodings that can state it."""

from __future__ import annotations

import argparse

from skolemate.cli.common import add_json, print_json, print_table
from skolemate.cli.question import add_question, add_symmetry, question_of

HEADINGS = ("blocks", "universals", "existentials", "clauses", "literals", "gates")

EXAMPLES = (
    "skolemate stats 'hein(9)' -d 7",
    "skolemate stats 'hein(9)' -d 7 -e et,ea --json",
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_question(parser)
    parser.add_argument("-e", "--encodings", metavar="A,B", help="default: all that support it")
    add_symmetry(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.api import stats

    chosen = arguments.encodings.split(",") if arguments.encodings else None
    listed = stats(**question_of(arguments), encoding=chosen, symmetry=arguments.symmetry)
    if arguments.json:
        print_json(listed)
    else:
        rows = [(s["encoding"], *(_cell(s[heading]) for heading in HEADINGS)) for s in listed]
        print_table(("encoding", *HEADINGS), rows)
    return 0


def _cell(number: int | None) -> str:
    """A number in the table; clausal encodings have no gates."""
    return "" if number is None else str(number)
