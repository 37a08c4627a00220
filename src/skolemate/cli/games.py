"""`skolemate games`: what can be played, and with which parameters."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from skolemate.cli.common import add_json, print_json, print_table

if TYPE_CHECKING:
    from skolemate.games.family import Family, Parameter

EXAMPLES = (
    "skolemate games",
    "skolemate games harary",
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="one game: its parameters")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.games.family import FAMILIES

    if arguments.name is None:
        if arguments.json:
            print_json([family.as_json() for family in FAMILIES])
        else:
            rows = [(family.name, family.summary, family.examples[0]) for family in FAMILIES]
            print_table(("game", "what it is", "for example"), rows)
    elif arguments.json:
        print_json(FAMILIES[arguments.name].as_json())
    else:
        _describe(FAMILIES[arguments.name])
    return 0


def _describe(family: Family) -> None:
    from skolemate.games.family import SETUP
    from skolemate.games.polyomino import SHAPES, Shape

    print(f"{family.name}: {family.summary}\n")
    if family.parameters:
        rows = [(p.name, p.kind_name, _default(p) or "must be given") for p in family.parameters]
        print_table(("parameter", "value", "default"), rows)
        print()
    if any(p.kind is Shape for p in family.parameters):
        print(f"Polyominoes: {', '.join(SHAPES)}; any other by its cells, as pairs xy: 00101102.\n")
    print(f"Also, as for every game: {', '.join(SETUP)}.")
    print("For example: " + "; ".join(family.examples))


def _default(parameter: Parameter) -> str | None:
    return None if parameter.required else parameter.format(parameter.default)
