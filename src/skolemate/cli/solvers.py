"""`skolemate solvers`: what is installed, what works, and how to get the rest."""

from __future__ import annotations

import argparse

from skolemate.cli.common import add_json, print_json, print_table

EXAMPLES = (
    "skolemate solvers",
    "skolemate solvers caqe",
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="one solver or preprocessor")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.solvers import PROGRAMS
    from skolemate.solvers.selftest import examine

    chosen = None if arguments.name is None else PROGRAMS[arguments.name]
    found = [examine(program) for program in ([chosen] if chosen else PROGRAMS)]
    if arguments.json:
        listed = [entry.as_json() for entry in found]
        print_json(listed[0] if chosen else listed)
    elif chosen:
        for key, value in found[0].as_json().items():
            shown = ", ".join(value) if isinstance(value, list) else value
            print(f"{key + ':':10} {'-' if shown is None else shown}")
    else:
        rows = [
            (e.program.name, e.status, e.version or "", ", ".join(e.program.formats), e.remark)
            for e in found
        ]
        print_table(("program", "status", "version", "reads", "remark"), rows)
    return 0
