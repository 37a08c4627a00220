"""All 48 shapes of two to six cells that fit into 4x4, settled on the plain 5x5 board by formula.

Run by `make check-alternation`, some minutes: COVER and PAIRING side by side, one game after the
other. Wins must have the depth found by exhaustive search, blocks a plan that the checker accepts.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from check_papers import HARARY

import skolemate
from skolemate import Verdict
from skolemate.games.goals import fitting

SECONDS = 1800.0
MEMORY = 4 << 30


def main() -> int:
    encodings = sys.argv[1] if len(sys.argv) > 1 else "cover/pairing"
    shapes = fitting(4, range(2, 7))
    counts: Counter[str] = Counter()
    begun = time.monotonic()
    for shape in shapes:
        answer = skolemate.solve(
            f"harary(shape={shape}, width=5, height=5)",
            encoding=encodings,
            jobs=2,
            timeout=SECONDS,
            memory=MEMORY,
        )
        expected = HARARY[5].get(str(shape))
        if answer.verdict is Verdict.WIN:
            told, right = f"win in {answer.depth}", answer.depth == expected
        elif answer.every_depth and answer.blocking is not None:
            told = f"blocked, {answer.blocking.size} positions in the strategy"
            right = expected is None and answer.blocking.check().every_depth
        else:
            told, right = str(answer), False
        counts["right" if right else "WRONG"] += 1
        counts[answer.verdict.value] += 1
        word = "right" if right else "WRONG"
        print(f"{word:6} {shape!s:14} {answer.wall_seconds or 0:7.1f} s  {told}", flush=True)
    seconds = time.monotonic() - begun
    print(f"{dict(counts)} of {len(shapes)} games, {seconds:.0f} s in all")
    return 1 if counts["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
