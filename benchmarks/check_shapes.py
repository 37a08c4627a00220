"""The 96 games of 5x5, 48 shapes of two to six cells on board and torus, settled and certified.

Run by `make check-shapes`: the engine answers, a strategy is extracted and checked, two games at a
time. Each gets 15 minutes (or `--seconds`) for the answer and as many for the strategy; what has no
certificate then is listed with what is known. With `--larger` it is the shapes of up to five cells
on 6x6 and 7x7, as Maker-Maker and as Maker-Breaker games.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import product

from certified import nodes_of

import skolemate
from skolemate import Verdict
from skolemate.games.goals import fitting, polyominoes
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


def asked(larger: bool) -> Iterator[str]:
    """The games; on the torus first, since its longest ones must not come last."""
    if larger:
        shapes = [shape for cells in range(2, 6) for shape in polyominoes(cells)]
        for side, shape, weak in product((6, 7), shapes, ("", ", maker_breaker=true")):
            yield f"harary(shape={shape}, width={side}, height={side}{weak})"
    else:
        for torus, shape in product((", torus=true", ""), fitting(4, range(2, 7))):
            yield f"harary(shape={shape}, width=5, height=5{torus})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--larger", action="store_true")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    begun = time.monotonic()
    with ProcessPoolExecutor(2) as pool:
        games = {pool.submit(settle, g, options.seconds): g for g in asked(options.larger)}
        for done in as_completed(games):
            word, told, took = done.result()
            counts[word] += 1
            print(f"{word:9} {took:6.1f} s  {games[done]}: {told}", flush=True)
    print(f"{dict(counts)} of {len(games)} games, {time.monotonic() - begun:.0f} s in all")


if __name__ == "__main__":
    main()
