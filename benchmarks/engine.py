"""The engine over a ladder of games, beside an older one and formulas: `make bench-engine`.

Every question is a process of its own with one thread, one after the other: CPU seconds and memory
are that process's, Python's start not counted. `--limit S` is for the engine. If BEFORE names the
Python of another environment in which an older Skolemate is installed, its engine is asked the
same under the same limit. `--formula S` is for the best pipeline of formulas, which is asked at the
depth that the engine has found; 0 leaves it out. Names of games choose some rungs of the ladder.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

PLAIN = "auto"  # the critical depth

LADDER: tuple[tuple[str, str], ...] = (
    ("harary(shape=tippy, width=4, height=4)", PLAIN),
    ("harary(shape=skinny, width=4, height=4)", PLAIN),
    ("harary(shape=n, width=5, height=5)", PLAIN),
    ("harary(shape=skinny, width=5, height=5)", PLAIN),
    ("harary(shape=skinny, width=5, height=5, torus=true)", PLAIN),
    ("harary(shape=u, width=5, height=5, torus=true)", PLAIN),
    ("harary(shape=t, width=5, height=5, torus=true)", PLAIN),
    ("harary(shape=y, width=6, height=6)", PLAIN),
    ("harary(shape=skinny, width=6, height=6)", PLAIN),
    ("harary(shape=l, width=6, height=6)", PLAIN),
    ("hein(9)", PLAIN),
    ("hein(8)", PLAIN),
    ("hein(2)", PLAIN),
    ("hein(10)", PLAIN),
    ("hein(15)", PLAIN),
    ("hein(20)", PLAIN),
    ("hein(3)", PLAIN),
    ("hein(17)", PLAIN),
    ("hex(size=3)", PLAIN),
    ("hex(size=4)", PLAIN),
    ("hex(size=5)", PLAIN),
    ("hex(size=6)", "36"),
    ("hex(size=7)", "49"),
    ("connect(k=4, width=4, height=4)", "16"),
    ("connect(k=4, width=5, height=5)", "25"),
    ("connect(k=4, width=6, height=5)", "30"),
    ("connect(k=4, width=7, height=6)", "42"),
    ("domineering(width=4, height=4)", PLAIN),
    ("domineering(width=6, height=6)", "37"),
    ("domineering(width=7, height=7)", "50"),
    ("domineering(width=8, height=8)", "64"),
    ("breakthrough(width=2, height=6)", PLAIN),
    ("breakthrough(width=4, height=5)", PLAIN),
    ("breakthrough(width=5, height=5)", PLAIN),
    ("konane(width=6, height=5)", "29"),
    ("mnk(m=7, n=7, k=5, maker_breaker=true)", "49"),
)


def ask(game: str, depth: str, *options: str, python: str = sys.executable) -> dict[str, Any]:
    question = [game, "-d", depth, "--json", "--jobs", "1", *options]
    said = subprocess.run(
        [python, "-m", "skolemate", "solve", *question],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    ).stdout
    answer: dict[str, Any] = json.loads(said)
    return answer


def rows(names: list[str], limit: str, formula: str, before: str | None) -> Iterator[str]:
    for game, depth in LADDER:
        if names and not any(game.startswith(name) for name in names):
            continue
        found = ask(game, depth, "--engine", "search", "--timeout", limit)
        seconds, positions = found["cpu_seconds"], found["positions"]
        told = found["verdict"].replace("NO_WIN", "none").replace("UNKNOWN", "?")
        if found["verdict"] == "WIN":
            told = f"win in {found['depth']}"
        row = f"| `{game}` | {told} | {positions:,} | {seconds:.3f} | {found['peak_bytes'] >> 20} "
        if before is not None:
            options = ("--engine", "search", "--timeout", limit)
            old = ask(game, depth, *options, python=before)
            row += f"| {old['positions']:,} | {beside(old, found, seconds)} "
        if found["verdict"] != "UNKNOWN" and float(formula):
            again = ask(game, str(found["depth"]), "--engine", "qbf", "--timeout", formula)
            by = f"`{again['pipeline']}` on `{again['encoding']}`"
            row += f"| {by} | {beside(again, found, seconds)} "
        yield f"{row}|"


def beside(other: dict[str, Any], found: dict[str, Any], seconds: float) -> str:
    """The seconds of another answer to the same question, and how many times as fast ours was."""
    verdicts = {other["verdict"], found["verdict"]} - {"UNKNOWN"}
    assert len(verdicts) < 2, (found, other)
    spent, out = other["cpu_seconds"], ">" if other["verdict"] == "UNKNOWN" else ""
    return f"{out}{spent:.3f} | {out}{spent / max(seconds, 1e-3):,.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", default="300")
    parser.add_argument("--formula", default="60")
    arguments = parser.parse_args()
    before = os.environ.get("BEFORE")
    columns = ["game", "answer", "positions", "CPU s", "MB"]
    if before is not None:
        columns += ["positions before", "CPU s before", "times as fast"]
    if float(arguments.formula):
        columns += ["formula", "CPU s", "times as fast"]
    print(f"| {' | '.join(columns)} |")
    print("|---" * len(columns) + "|")
    for row in rows(arguments.names, arguments.limit, arguments.formula, before):
        print(row, flush=True)


if __name__ == "__main__":
    main()
