"""The reference pages of the documentation site, written when it is built (see mkdocs.yml).

Everything here comes from the registries, the command line, the exports and the guides, so that a
new game, encoding, solver, suite, command or function is in the reference by itself.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

import skolemate
from skolemate.ask.qbf import default_pipeline
from skolemate.campaigns.suite import find_suite, shipped_suites
from skolemate.cli import COMMANDS, main
from skolemate.cli.bench import ACTIONS
from skolemate.encodings import ENCODINGS
from skolemate.games.family import FAMILIES, SETUP, build
from skolemate.games.goals import SHAPES
from skolemate.render import board
from skolemate.solvers.program import PROGRAMS

__all__ = ["EXPLAINED", "imported", "on_files", "pages"]

EXPLAINED = {  # which page explains which encodings
    "corrective": ("cor", "cor+"),
    "threats": ("threat",),
    "cheating": ("gr", "dys"),
    "cover": ("cover",),
    "pairing": ("pairing", "pairing-strong"),
    "explicit": ("ea", "en", "et", "mustplay"),
    "lifted-boards": ("la", "ln", "li"),
    "stateless": ("sa", "sn", "si"),
    "grids": ("lifted",),
    "grounded": ("gb", "gd", "ground", "reserves"),
    "networks": ("net",),
}


def on_files(files, config):  # type: ignore[no-untyped-def]  # called by MkDocs
    """Add the pages that are made, and their pictures."""
    from mkdocs.structure.files import File

    for path, content in pages().items():
        files.append(File.generated(config, path, content=content))
    return files


def pages() -> dict[str, str]:
    """The generated files by their paths in the site."""
    made = {
        "games": _games(),
        "encodings": _encodings(),
        "solvers": _solvers(),
        "suites": _suites(),
        "commands": _commands(),
        "python": _python(),
    }
    written = {f"reference/{name}.md": "\n".join(lines) + "\n" for name, lines in made.items()}
    for family in FAMILIES:
        written[f"reference/games/{family.name}.svg"] = board(build(family.examples[0]))
    return written


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for row in (headings, ["---"] * len(headings), *rows):
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
    yield ""


def _code(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _games() -> Iterator[str]:
    yield "# Games\n"
    yield "A game is a name with parameters in parentheses. Every game also has the parameters"
    yield f"{_code(SETUP)}. A polyomino is one of {_code(SHAPES)},"
    yield "a drawing (`XX./.XX`), or a list of cells as pairs xy (`00101121`).\n"
    for family in FAMILIES:
        yield f"## {family.name}\n\n{family.summary}\n"
        if family.parameters:
            rows = [
                (f"`{p.name}`", p.kind_name, "must be given" if p.required else p.format(p.default))
                for p in family.parameters
            ]
            yield from _table(("parameter", "value", "default"), rows)
        yield f"Examples: {_code(family.examples)}. The first looks like this:\n"
        yield f"![{family.examples[0]}](games/{family.name}.svg)\n"


def _encodings() -> Iterator[str]:
    yield "# Encodings\n"
    page_of = {name: page for page, names in EXPLAINED.items() for name in names}
    for entry in ENCODINGS:
        yield f"## {entry.name}\n\n{entry.summary}\n"
        yield f"- Needs these views of a game: {', '.join(entry.views)}."
        yield f"- If the formula is true, it proves {entry.meaning.proof(True).value}."
        yield f"- If the formula is false, it proves {entry.meaning.proof(False).value}."
        yield f"- Default pipeline: `{default_pipeline(entry.name)}`."
        yield f"- Paper: {entry.paper}."
        if entry.name in page_of:
            yield f"- [Explained](../encodings/{page_of[entry.name]}.md)."
        yield ""


def _solvers() -> Iterator[str]:
    yield "# Solvers and preprocessors\n"
    yield "`skolemate solvers` lists which of them are installed and work.\n"
    rows = [
        (
            f"`{program.name}`",
            program.title,
            "preprocessor" if program.preprocesses else "solver",
            ", ".join(program.formats),
            program.licence,
            program.install,
            f"`{program.variable}`",
        )
        for program in PROGRAMS
    ]
    yield from _table(
        (
            "program",
            "title",
            "kind",
            "reads",
            "licence",
            "how to install it",
            "variable with its path",
        ),
        rows,
    )


def _suites() -> Iterator[str]:
    yield "# Suites\n\nThe suites that come with `skolemate bench run`.\n"
    suites = [(find_suite(name), find_suite(name, quick=True)) for name in shipped_suites()]
    rows = [
        (f"`{full.name}`", full.title, full.source, str(len(full.jobs)), str(len(quick.jobs)))
        for full, quick in suites
    ]
    yield from _table(("suite", "title", "published as", "rows", "with --quick"), rows)
    for suite, _ in suites:
        if suite.about:
            yield f"**{suite.name}.** {suite.about}\n"


def _commands() -> Iterator[str]:
    yield "# Commands\n"
    yield f"```text\n{_help()}```\n"
    for name in COMMANDS:
        yield f"## {name}\n\n```text\n{_help(name)}```\n"
        for action in ACTIONS if name == "bench" else ():
            yield f"### {name} {action}\n\n```text\n{_help(name, action)}```\n"


def _help(*command: str) -> str:
    """What a command says about itself."""
    said = io.StringIO()
    with (
        contextlib.redirect_stdout(said),
        contextlib.suppress(SystemExit),
        mock.patch.dict(os.environ, COLUMNS="96"),
    ):
        main([*command, "--help"])
    return said.getvalue()


def _python() -> Iterator[str]:
    yield "# Python\n\nThe functions and classes of `import skolemate`.\n"
    names = (name for name in skolemate.__all__ if name != "__version__")
    exported = [getattr(skolemate, name) for name in names]
    yield from _described(exported)
    yield "# For your own games, encodings and solvers\n\nOther names that the guides import.\n"
    yield from _described(target for target in imported() if target not in exported)


def _described(targets: Iterable[Any]) -> Iterator[str]:
    for target in sorted(targets, key=lambda t: (t.__name__[0].isupper(), t.__name__)):
        yield f"::: {target.__module__}.{target.__qualname__}\n"


def imported() -> set[Any]:
    """The functions and classes of ours that the pages import, or name in full."""
    found = set()
    for page in (Path(__file__).parent.parent / "docs").rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        for module, names in re.findall(r"^from (skolemate[\w.]*) import (.*)$", text, re.M):
            found |= {getattr(import_module(module), name) for name in names.split(", ")}
        for module, name in re.findall(r"`(skolemate\.[\w.]+)\.([A-Z]\w+)`", text):
            found.add(getattr(import_module(module), name))
    return found
