"""A strategy as a page that anybody can open: play against it, and check it in the browser."""

import hashlib
import json
import os
import re
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from os import fspath
from pathlib import Path

from skolemate.errors import UserError, printable, reason
from skolemate.games import Game, Position
from skolemate.output import File, amount, write_bytes
from skolemate.render import svg
from skolemate.strategies import Report, check_file
from skolemate.strategies.claim import canonical

PAGE, FILE = "index.html", "strategy.jsonl"  # what a folder contains
STYLE, SCRIPTS = "page.css", ("rules.js", "checker.js", "play.js")  # what a page consists of
# A strategy with more bytes is not put into its page, which would take seconds to open. The page
# checks and plays it when the reader has chosen the file.
LARGEST = 2_000_000


def publish(
    strategy: File, folder: File, *, title: str | None = None, game: File | Game | None = None
) -> Path:
    """Write a page about a strategy into a folder, with the strategy's file; returns the page.

    The page needs no server and nothing from elsewhere: all data and scripts are inside. The
    strategy must hold.

    - `strategy`: the file.
    - `folder`: where to write; it is made if it is missing.
    - `title`: the page's heading; by default the claim in words.
    - `game`: the game that the strategy must be for; by default the one that the file names.
    """
    path = fspath(strategy)
    if path == "-":
        raise UserError("a page is made from a file, not from the standard input")
    report = check_file(path, game)
    if not report.holds:
        raise UserError(f"{printable(path)} does not hold: {report.failure}")
    return write_page(report, Path(path).read_bytes(), folder, title=title)


def write_page(
    report: Report,
    strategy: bytes,
    folder: File,
    *,
    title: str | None = None,
    above: str | None = None,
) -> Path:
    """Write a page about a strategy that was checked.

    - `above`: the folder of a site, as seen from the page. It has an index and, by `write_parts`,
      what all pages share; they link to these instead of having them inside.
    """
    claim = report.claim
    sentence = claim.sentence(report.every_depth)
    sha256 = hashlib.sha256(strategy).hexdigest()
    embedded = strategy.decode() if len(strategy) <= LARGEST else None
    data = json.dumps(
        {"rules": canonical(claim.game), "strategy": embedded, "sha256": sha256},
        separators=(",", ":"),
    )
    start = claim.game.start
    page = filled(
        "page.html",
        {
            "TITLE": escape(title or sentence),
            "SUBTITLE": "" if title is None else f"{escape(sentence)}. ",
            "CLAIM": escape(sentence),
            "SHA256": sha256,
            "NODES": escape(amount(report.nodes, "node")),
            "BOARD": svg(Position(claim.game, 0, 0, start.to_move)),
            "STYLE": _style(above),
            "SCRIPTS": "\n".join(_script(name, above) for name in SCRIPTS),
            "ABOVE": "" if above is None else f'<p><a href="{above}/{PAGE}">All games</a></p>\n',
            # "<" could end the script that holds the data.
            "DATA": data.replace("<", "\\u003c"),
        },
    )
    write_into(folder, {FILE: strategy, PAGE: page.encode()})
    return Path(fspath(folder)) / PAGE


def write_parts(folder: File, *more: str) -> None:
    """Write what the pages of a site share, and more scripts for its index."""
    write_into(folder, {name: _text(name).encode() for name in (STYLE, *SCRIPTS, *more)})


def filled(template: str, parts: Mapping[str, str]) -> str:
    """A template of this folder with its parts, which are marked by @NAME@."""
    # In one pass, so that nothing is replaced inside what was put in.
    return re.sub("@([A-Z0-9]+)@", lambda mark: parts[mark[1]], _text(template))


def write_into(folder: File, contents: Mapping[str, bytes]) -> None:
    """Write files into a folder, which is made if it is missing."""
    home = fspath(folder)
    try:
        os.makedirs(home, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot write {printable(home)}: {reason(error)}") from None
    for name, content in contents.items():
        write_bytes(os.path.join(home, name), content)


def _style(above: str | None) -> str:
    if above is None:
        return f"<style>\n{_text(STYLE)}</style>"
    return f'<link rel="stylesheet" href="{above}/{STYLE}">'


def _script(name: str, above: str | None) -> str:
    if above is None:
        return f"<script>\n{_text(name)}</script>"
    return f'<script src="{above}/{name}"></script>'


def _text(name: str) -> str:
    return files("skolemate.publishing").joinpath(name).read_text(encoding="utf-8")
