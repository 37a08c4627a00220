"""Hein's puzzles and Browne's, with critical depth and checked strategy: `make check-hein`.

Every puzzle is a process of its own, on one core. The engine's seconds are those by the clock for
the answer alone; those of the whole command are of CPU, with Python's start and the strategy. Names
choose some puzzles.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from typing import Any

from skolemate import Strategy, check

PUZZLES = (*(f"hein({number})" for number in range(2, 21)), "browne")
MOST = 10.0  # seconds, the median


def solved(game: str, file: str) -> tuple[dict[str, Any], float]:
    """The answer, and the seconds of CPU that it took with its strategy."""
    command = [sys.executable, "-m", "skolemate", "solve", game, "--jobs", "1", "--json"]
    before = os.times()
    said = subprocess.run(
        [*command, "--strategy", file], stdout=subprocess.PIPE, text=True, check=False
    ).stdout
    after = os.times()
    spent = after.children_user + after.children_system
    return json.loads(said), spent - before.children_user - before.children_system


def main() -> int:
    print("| puzzle | answer | first move | positions | engine, s | whole command, s | nodes |")
    print("|---|---|---|---|---|---|---|")
    spent, right = list[float](), True
    for game in sys.argv[1:] or PUZZLES:
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "strategy")
            answer, seconds = solved(game, file)
            holds, nodes = check(file).holds, Strategy.load(file).size
        told = f"win in {answer['depth']}" if answer["verdict"] == "WIN" else "no win at any depth"
        settled = answer["verdict"] == "WIN" or answer["every_depth"]
        right = right and holds and settled
        spent.append(seconds)
        print(
            f"| {game} | {told if settled else answer['verdict']} "
            f"| {' '.join(answer['first_moves'] or ())} | {answer['positions']:,} "
            f"| {answer['wall_seconds']:.2f} | {seconds:.1f} "
            f"| {nodes:,}{'' if holds else ', which do not hold'} |",
            flush=True,
        )
    median = statistics.median(spent)
    print(f"Median: {median:.1f} s of CPU; all strategies hold: {right}.")
    return 0 if right and median < MOST else 1


if __name__ == "__main__":
    sys.exit(main())
