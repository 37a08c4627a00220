"""The engine over a ladder of games, beside the best pipeline of formulas: `make bench-engine`.

Every question is a process of its own, one after the other: seconds and memory are that
process's, Python's start not counted. `--limit S` is for the engine, `--formula S` for the
formula, which is asked the same question at the depth that the engine has found. Names of games
choose some rungs of the ladder.
"""

from __future__ import annotations

import argparse
import json
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
    ("connect(k=4, width=4, height=4)", "16"),
    ("connect(k=4, width=5, height=5)", "25"),
    ("connect(k=4, width=6, height=5)", "30"),
    ("domineering(width=4, height=4)", PLAIN),
    ("domineering(width=6, height=6)", "37"),
    ("domineering(width=7, height=7)", "50"),
    ("domineering(width=8, height=8)", "65"),
    ("breakthrough(width=2, height=6)", PLAIN),
    ("breakthrough(width=4, height=5)", PLAIN),
    ("breakthrough(width=5, height=5)", PLAIN),
    ("qubic", "21"),
)


def ask(game: str, depth: str, *options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "skolemate", "solve", game, "-d", depth, "--json", *options]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout
    answer: dict[str, Any] = json.loads(said)
    return answer


def rows(names: list[str], limit: str, formula: str) -> Iterator[str]:
    for game, depth in LADDER:
        if names and not any(game.startswith(name) for name in names):
            continue
        found = ask(game, depth, "--engine", "search", "--timeout", limit)
        seconds, positions = found["wall_seconds"], found["positions"]
        told = found["verdict"].replace("NO_WIN", "none")
        if found["verdict"] == "UNKNOWN":
            told = f"> {found['refuted_depth']}" if depth == PLAIN else "?"
        elif found["verdict"] == "WIN":
            told = f"win in {found['depth']}"
        row = (
            f"| {game} | {told} | {positions:,} | {seconds:.3f} "
            f"| {positions / max(seconds, 1e-3) / 1e6:.2f} | {found['peak_bytes'] >> 20} "
        )
        beside = "| | | |"
        if found["verdict"] != "UNKNOWN" and float(formula):
            again = ask(game, str(found["depth"]), "--engine", "qbf", "--timeout", formula)
            answered = again["verdict"] == found["verdict"]
            assert answered or again["verdict"] == "UNKNOWN", (game, found, again)
            spent = f"{again['wall_seconds']:.2f}" if answered else f"> {formula}"
            ratio = f"{again['wall_seconds'] / max(seconds, 1e-4):,.0f}"
            by = f"{again['pipeline']} on {again['encoding']}"
            beside = f"| {by} | {spent} | {ratio if answered else ''} |"
        yield row + beside


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", default="300")
    parser.add_argument("--formula", default="60")
    arguments = parser.parse_args()
    print("| game | answer | positions | s | M/s | MB | formula | s | ratio |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in rows(arguments.names, arguments.limit, arguments.formula):
        print(row, flush=True)


if __name__ == "__main__":
    main()
