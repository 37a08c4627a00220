"""The 96 games of 5x5, 48 shapes of two to six cells on board and torus, settled and certified.

Run by `make check-shapes`: the engine answers, a strategy is extracted and checked, two games at a
time. Each gets 15 minutes (or as many seconds as the first argument says) for the answer and as
many for the strategy; what has no certificate then is listed with what is known.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import product

from certified import nodes_of

import skolemate
from skolemate import Verdict
from skolemate.games.goals import fitting
from skolemate.strategies.extract import Unfinished

SECONDS = 900.0
MEMORY = 3 << 30  # of each game; there are two at a time


def settle(game: str, seconds: float) -> tuple[str, str, float]:
    """Whether a game is certified, what is known about it, and how long that took."""
    begun = time.monotonic()
    word, told = _settled(game, seconds)
    return word, told, time.monotonic() - begun


def _settled(game: str, seconds: float) -> tuple[str, str]:
    answer = skolemate.solve(game, "auto", engine="search", timeout=seconds, memory=MEMORY, jobs=1)
    if answer.verdict is Verdict.UNKNOWN:
        return "open", f"no win within {answer.refuted_depth}"
    told = f"win in {answer.depth}" if answer.verdict is Verdict.WIN else "no win at any depth"
    try:
        nodes = nodes_of(answer, timeout=seconds, memory=MEMORY, jobs=1)
    except Unfinished as unfinished:
        return "settled", f"{told}, {unfinished}"
    return "certified", f"{told}, {nodes:,} nodes"


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    counts: Counter[str] = Counter()
    begun = time.monotonic()
    with ProcessPoolExecutor(2) as pool:
        games = {}
        # The torus first: its longest games must not come last.
        for board, shape in product([", torus=true", ""], fitting(4, range(2, 7))):
            game = f"harary(shape={shape}, width=5, height=5{board})"
            games[pool.submit(settle, game, seconds)] = f"{shape}{' torus' if board else ''}"
        for done in as_completed(games):
            word, told, took = done.result()
            counts[word] += 1
            print(f"{word:9} {games[done]:19} {took:6.1f} s  {told}", flush=True)
    print(f"{dict(counts)} of {len(games)} games, {time.monotonic() - begun:.0f} s in all")


if __name__ == "__main__":
    main()
