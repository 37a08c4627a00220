"""`skolemate encodings`: how a question can be stated, and where each way was published."""

from __future__ import annotations

import argparse

from skolemate.cli.common import add_json, print_json, print_table

EXAMPLES = (
    "skolemate encodings",
    "skolemate encodings cor+",
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="one encoding: its paper")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.encodings import ENCODINGS

    chosen = None if arguments.name is None else ENCODINGS[arguments.name]
    if arguments.json:
        print_json(chosen.as_json() if chosen else [entry.as_json() for entry in ENCODINGS])
    elif chosen:
        print(f"{chosen.name}: {chosen.summary}\n")
        print(f"Needs the views: {', '.join(chosen.views)}.")
        for word, truth in (("True", True), ("False", False)):
            print(f"{word} proves {chosen.meaning.proof(truth).value}.")
        print(f"Paper: {chosen.paper}.")
    else:
        rows = [(entry.name, entry.summary, ", ".join(entry.views)) for entry in ENCODINGS]
        print_table(("encoding", "what it is", "needs"), rows)
    return 0
