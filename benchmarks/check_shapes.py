"""The 96 games of 5x5, 48 shapes of two to six cells on board and torus, settled and certified.

Run by `make check-shapes`: the engine answers, a strategy is extracted and checked. A game gets 120
seconds for each of the two (or the first argument); what has no certificate then is listed with
what is known.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter

import skolemate
from skolemate import Verdict
from skolemate.games.polyomino import polyominoes
from skolemate.strategies.extract import Unfinished

MEMORY = 4 << 30
SHAPES = [s for cells in range(2, 7) for s in polyominoes(cells) if s.extent[1] <= 4]


def settle(game: str, seconds: float, path: str) -> tuple[str, str]:
    """What is known about a game, and whether it is certified."""
    answer = skolemate.solve(game, "auto", engine="search", timeout=seconds, memory=MEMORY)
    if answer.verdict is Verdict.UNKNOWN:
        return f"no win within {answer.refuted_depth}", "open"
    told = f"win in {answer.depth}" if answer.verdict is Verdict.WIN else "no win at any depth"
    try:
        skolemate.solve(game, answer.depth, engine="search", timeout=seconds, strategy=path)
    except Unfinished as unfinished:
        return f"{told}, {unfinished}", "settled"
    report = skolemate.check(path)
    assert report.holds, (game, report)
    return f"{told}, {report.nodes:,} nodes", "certified"


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 120.0
    counts: Counter[str] = Counter()
    begun = time.monotonic()
    for board in "", ", torus=true":
        for shape in SHAPES:
            since = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                game = f"harary(shape={shape}, width=5, height=5{board})"
                told, word = settle(game, seconds, f"{folder}/strategy.jsonl")
            counts[word] += 1
            name = f"{shape}{' torus' if board else ''}"
            print(f"{word:9} {name:19} {time.monotonic() - since:6.1f} s  {told}", flush=True)
    print(f"{dict(counts)} of {2 * len(SHAPES)} games, {time.monotonic() - begun:.0f} s in all")


if __name__ == "__main__":
    main()
