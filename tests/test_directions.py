"""The one-way import direction of the rooms, read from the source: no room knows what uses it.

A module belongs to the longest name in ROOMS that begins its own. Imports inside functions and
for type checkers count like all others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import skolemate

ROOT = Path(skolemate.__file__).parent

# Every room, and the rooms that it may know beside itself. A room is a file, or a folder.
WORDS = "errors registry limits output"  # what everybody may say
RULES = f"{WORDS} games"
DESCRIBED = f"{RULES} games.families formats render loading"
ASKED = f"{DESCRIBED} strategies"
STATED = f"{ASKED} formula encodings"
ANSWERED = f"{STATED} solvers search ask"
ROOMS = {
    "errors": "",
    "registry": "errors",
    "limits": "errors",
    "output": "errors",
    "games": WORDS,
    "formula": WORDS,
    "render": RULES,
    "formats": RULES,
    "games.families": f"{RULES} formats",  # shipped models are read like a user's
    "loading": f"{RULES} formats",
    "strategies": f"{RULES} render formats loading",  # checked by the rules alone
    "publishing": f"{RULES} render strategies",
    "solvers": f"{WORDS} formula",
    "search": RULES,
    "encodings": f"{RULES} strategies formula",
    "ask": f"{STATED} solvers search",
    "certificates": f"{STATED} solvers",
    "api": f"{ANSWERED} certificates",
    "play": f"{ASKED} encodings solvers api",  # the registries, and the door
    "campaigns": f"{ANSWERED} publishing",
    "cli": f"{ASKED} encodings solvers api publishing play campaigns",
    "__main__": "cli",
}

# A position prints and draws itself; who never does so never loads the pictures.
EXCEPTIONS = {("games.game", "render")}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(ROOT.rglob("*.py")):
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        yield name.removesuffix(".__init__"), ast.parse(file.read_text(encoding="utf-8"))


def imports(module: ast.Module) -> Iterator[str]:
    """The modules of ours that one imports, without the name of the package."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written in full"
            # What is imported may itself be a module; if not, its name does no harm.
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            package, _, inner = name.partition(".")
            if package == "skolemate" and inner:
                # What the package itself exports is the door.
                yield "api" if inner in skolemate.__all__ else inner


def room_of(module: str) -> str:
    parts = module.split(".")
    prefixes = [".".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return next((prefix for prefix in prefixes if prefix in ROOMS), "unknown")


@cache
def edges() -> list[tuple[str, str]]:
    """Which module imports what."""
    return [
        (name, imported)
        for name, module in modules()
        if name != "__init__"  # the package, which loads by name when asked
        for imported in imports(module)
    ]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_knows_only_what_is_below(room: str) -> None:
    known = {room, *ROOMS[room].split()}
    strangers = [
        f"{module} imports {imported}"
        for module, imported in edges()
        if room_of(module) == room
        and room_of(imported) not in known
        and (module, room_of(imported)) not in EXCEPTIONS
    ]
    assert not strangers


def test_the_table_has_no_circle() -> None:
    order = list(ROOMS)
    for room, known in ROOMS.items():
        assert all(order.index(below) < order.index(room) for below in known.split()), room


def test_every_module_has_a_room_and_every_exception_a_use() -> None:
    assert {room_of(name) for name, _ in modules() if name != "__init__"} == set(ROOMS)
    assert {(module, room_of(imported)) for module, imported in edges()} >= EXCEPTIONS


RULES_ALONE = ("errors", "games", "output", "strategies")


def test_the_checker_needs_the_rules_alone() -> None:
    files = {name for name, _ in modules()}
    met, waiting = set(), ["strategies.checker"]
    while waiting:
        here = waiting.pop()
        met.add(here)
        for module, imported in edges():
            if module == here:
                assert room_of(imported) in ("errors", "games", "output", "strategies"), (
                    here,
                    imported,
                )
                file = imported.rpartition(".")[0]  # what is imported from it is not a module
                if room_of(file) == "strategies" and file in files - met:
                    waiting.append(file)
    trusted, judged = ("checker", "claim", "nodes", "races"), ("cards",)  # judged by the checker
    assert met == {f"strategies.{name}" for name in (*trusted, *judged)}
