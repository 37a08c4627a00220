"""`skolemate games`: what can be played, and with which parameters."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from skolemate.cli.common import add_json, print_json, print_table

if TYPE_CHECKING:
    from skolemate.games.family import Family, Parameter


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="one game: its parameters")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from skolemate.games.family import FAMILIES

    if arguments.name is None:
        if arguments.json:
            print_json([_as_json(family) for family in FAMILIES])
        else:
            rows = [(family.name, family.summary, family.examples[0]) for family in FAMILIES]
            print_table(("game", "what it is", "for example"), rows)
    elif arguments.json:
        print_json(_as_json(FAMILIES[arguments.name.lower()]))
    else:
        _describe(FAMILIES[arguments.name.lower()])
    return 0


def _describe(family: Family) -> None:
    from skolemate.games.family import SETUP

    print(f"{family.name}: {family.summary}\n")
    if family.parameters:
        rows = [(p.name, _kind(p), _default(p) or "must be given") for p in family.parameters]
        print_table(("parameter", "value", "default"), rows)
        print()
    print(f"Also, as for every game: {', '.join(SETUP)}.")
    print("For example: " + "; ".join(family.examples))


def _kind(parameter: Parameter) -> str:
    names = {int: "whole number", bool: "true or false", str: "word"}
    return names.get(parameter.kind, parameter.kind.__name__.lower())


def _default(parameter: Parameter) -> str | None:
    return None if parameter.required else parameter.format(parameter.default)


def _as_json(family: Family) -> dict[str, Any]:
    return {
        "name": family.name,
        "summary": family.summary,
        "parameters": [
            {"name": p.name, "kind": _kind(p), "default": _default(p)} for p in family.parameters
        ],
        "examples": list(family.examples),
    }
