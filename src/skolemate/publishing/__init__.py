"""A strategy as a page that anybody can open: play against it, and check it in the browser."""

import hashlib
import json
import os
import re
from html import escape
from importlib.resources import files
from os import fspath
from pathlib import Path

from skolemate.errors import UserError, printable, reason
from skolemate.games import Game, Position
from skolemate.output import File, amount
from skolemate.render import svg
from skolemate.strategies import check_file
from skolemate.strategies.claim import canonical

PAGE, FILE = "index.html", "strategy.jsonl"  # what a folder contains


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
    content = Path(path).read_bytes()
    claim = report.claim
    sentence = claim.sentence(report.every_depth)
    sha256 = hashlib.sha256(content).hexdigest()
    data = {"rules": canonical(claim.game), "strategy": content.decode(), "sha256": sha256}
    # "<" could end the script that holds the data.
    embedded = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    start = claim.game.start
    parts = {
        "@TITLE@": escape(title or sentence),
        "@CLAIM@": escape(sentence),
        "@SHA256@": sha256,
        "@NODES@": escape(amount(report.nodes, "node")),
        "@BOARD@": svg(Position(claim.game, 0, 0, start.to_move)),
        "@CHECKER@": _text("checker.js"),
        "@PLAY@": _text("play.js"),
        "@DATA@": embedded,
    }
    # In one pass, so that nothing is replaced inside what was put in.
    page = re.sub("@[A-Z0-9]+@", lambda mark: parts[mark[0]], _text("page.html"))
    try:
        home = Path(fspath(folder))
        os.makedirs(home, exist_ok=True)
        (home / FILE).write_bytes(content)
        (home / PAGE).write_text(page, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError(f"cannot write {printable(fspath(folder))}: {reason(error)}") from None
    return home / PAGE


def _text(name: str) -> str:
    return files("skolemate.publishing").joinpath(name).read_text(encoding="utf-8")
