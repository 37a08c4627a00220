"""COVER against COR+ on 5x5, as in Boucher and Villemaire 2025, Fig. 2: `make bench-cover`.

Each question (a shape on the board or the torus, an odd depth) is asked of both encodings with
the same pipeline, up to the first depth that neither settles within the limit or that is a win.
Printed is on which share of the questions COVER is faster, in CPU seconds, among those for which
at least one of the two needs longer than a threshold; a miss counts as the limit. Arguments: the
limit in wall-clock seconds (12 by default), and pipelines.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from skolemate.encodings import encode
from skolemate.games import Player
from skolemate.games.game import Question
from skolemate.games.goals import fitting
from skolemate.limits import Budget, Limit
from skolemate.loading import load
from skolemate.solvers import Pipeline

PIPELINES = ("depqbf", "caqe")
THRESHOLDS = (0.01, 0.1, 1.0, 10.0)
PUBLISHED = {0.01: (336, 547), 0.1: (248, 355), 1.0: (136, 183), 10.0: (74, 98)}
MEMORY = 4 << 30


class Pair(NamedTuple):
    """One question with one pipeline: seconds of both encodings; a miss is the limit."""

    cor_plus: float
    cover: float
    missed: int
    lost: bool  # COR+ finds a win that COVER refutes


def games() -> list[str]:
    shapes = fitting(4, range(2, 7))
    boards = ("false", "true")
    return [
        f"harary(shape={shape}, width=5, height=5, torus={torus})"
        for shape in shapes
        for torus in boards
    ]


def pairs(game: str, pipeline: str, seconds: float) -> Iterator[Pair]:
    loaded, solver = load(game), Pipeline.parse(pipeline)
    for depth in range(1, 26, 2):
        question = Question(loaded, Player.BLACK, depth)
        formulas = [encode(question, name, symmetry=True).formula for name in ("cor+", "cover")]
        if formulas[0].constant is not None:
            continue
        solved = [solver.solve(formula, Budget(Limit(seconds, MEMORY))) for formula in formulas]
        truths = [found.truth for found in solved]
        spent = [seconds if s.truth is None else s.cpu_seconds for s in solved]
        yield Pair(spent[0], spent[1], truths.count(None), truths == [True, False])
        if True in truths or truths == [None, None]:
            return


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 12.0
    pipelines = sys.argv[2:] or list(PIPELINES)
    work = [(game, pipeline) for pipeline in pipelines for game in games()]
    faster: Counter[tuple[str, float]] = Counter()
    total: Counter[tuple[str, float]] = Counter()
    lost = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = pool.map(lambda asked: list(pairs(asked[0], asked[1], seconds)), work)
        for done, ((game, pipeline), measured) in enumerate(zip(work, runs, strict=True), 1):
            for pair in measured:
                lost += pair.lost
                for limit in THRESHOLDS:
                    # Both missed: nobody is faster.
                    if pair.missed < 2 and max(pair.cor_plus, pair.cover) > limit:
                        for key in (pipeline, "all"):
                            total[key, limit] += 1
                            faster[key, limit] += pair.cover < pair.cor_plus
            so_far = ", ".join(_share(faster, total, "all"))
            print(f"{done}/{len(work)} {game} by {pipeline}: {so_far}", file=sys.stderr, flush=True)
    print(f"COVER faster than COR+ on 5x5, {seconds:g} s each; wins of COR+ that it misses: {lost}")
    print("| pipeline | " + " | ".join(f"over {limit:g} s" for limit in THRESHOLDS) + " |")
    print("|---|" + "---|" * len(THRESHOLDS))
    for name in [*pipelines, "all"]:
        print(f"| {name} | " + " | ".join(_share(faster, total, name)) + " |")
    told = " | ".join(f"{100 * a / b:.0f} % ({a}/{b})" for a, b in PUBLISHED.values())
    print(f"| published | {told} |")


def _share(
    faster: Counter[tuple[str, float]], total: Counter[tuple[str, float]], name: str
) -> list[str]:
    cells = []
    for limit in THRESHOLDS:
        a, b = faster[name, limit], total[name, limit]
        cells.append(f"{100 * a / b:.0f} % ({a}/{b})" if b else "-")
    return cells


if __name__ == "__main__":
    main()
