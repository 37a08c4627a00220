"""`skolemate encode`: a question as a formula, in a file that describes itself."""

from __future__ import annotations

import argparse

from skolemate.cli.common import add_json, print_json
from skolemate.cli.question import add_question, add_symmetry, question_of

EXAMPLES = (
    "skolemate encode 'hein(9)' -d 7 -e et -o hein9.qdimacs",
    "skolemate encode tictactoe -d 5 -e cor+ --legend",
    "skolemate encode 'hein(9)' -d 7 -e ln -o hein9.qcir --json",
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_question(parser)
    parser.add_argument("-e", "--encoding", required=True, metavar="ENCODING", help="as in cor+")
    parser.add_argument("-o", "--output", metavar="FILE", help=".qdimacs or .qcir; default: stdout")
    add_symmetry(parser)
    parser.add_argument("--legend", action="store_true", help="name every variable in a comment")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.api import encode, write_formula

    encoded = encode(
        **question_of(arguments), encoding=arguments.encoding, symmetry=arguments.symmetry
    )
    to_stdout = arguments.output in (None, "-")
    if not to_stdout or not arguments.json:
        write_formula(encoded, "-" if to_stdout else arguments.output, legend=arguments.legend)
    if arguments.json:
        print_json(encoded.as_json())
    return 0
