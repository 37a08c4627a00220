"""The published answers about positional games, asked again: `make check-papers`.

Every row has the source, the question, what was published and what `solve` finds within two
minutes. A wrong row fails the run; an unknown one is shown and counted.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import NamedTuple

import skolemate
from skolemate import Verdict

SECONDS = 120.0
MEMORY = 4 << 30

# Critical depths of the Hex puzzles (Mayer-Eichberger and Saffidine 2021, Table 7).
PUZZLES = {4: 5, 9: 7, 12: 7, 7: 9, 6: 13, 13: 9, 14: 9, 11: 11, 19: 11, 8: 11, 10: 13, 16: 13}
LATE_PUZZLES = {2: 13, 15: 15, 5: 13}

# Critical depths on 3x3, 4x4 and 5x5, None: no win (Gardner 1979; exhaustive search).
HARARY: dict[int, dict[str, int | None]] = {
    3: {"domino": 3, "el": 5, "tic": None, "elly": None, "knobby": None, "tippy": 9, "fatty": None},
    4: {"domino": 3, "el": 5, "tic": 5, "elly": 7, "tippy": 9},
    5: {"domino": 3, "el": 5, "tic": 5, "elly": 7, "knobby": 7, "tippy": 7, "n": 11},
}
MNK = {
    ("3,3,3", True): 7,
    ("3,3,3", False): None,
    ("4,3,3", True): 7,
    ("4,3,3", False): 7,
    ("4,4,3", True): 5,
    ("4,4,3", False): 5,
    ("5,5,3", False): 5,
    ("5,5,4", True): 9,
    ("6,5,4", True): 9,
}
GTTT_SHAPES = ("domino", "el", "tic", "elly", "fatty", "knobby", "tippy", "skinny")


class Row(NamedTuple):
    source: str
    game: str
    depth: int
    player: str
    expected: bool | None  # None: only the number of wins in a group is published


def rows() -> Iterator[Row]:
    for side, total in ((3, 9), (4, 16)):
        shapes = GTTT_SHAPES[: 7 if side == 3 else 8]
        for (p, q), shape, torus, player in product(
            [(1, 1), (2, 1), (2, 2)], shapes, ("false", "true"), ("black", "white")
        ):
            game = f"gttt(p={p}, q={q}, shape={shape}, width={side}, height={side}, torus={torus})"
            yield Row(f"GTTT {side}x{side}", game, total, player, None)
    for number, depth in (PUZZLES | LATE_PUZZLES).items():
        yield from critical("Hein", f"hein({number})", depth)
    yield from critical("Browne", "browne", 9)
    for number in (17, 3, 20):
        yield Row("Hein", f"hein({number})", 13, "black", False)
    for side, table in HARARY.items():
        for shape, found in table.items():
            game = f"harary(shape={shape}, width={side}, height={side})"
            yield from critical("Harary", game, found, horizon=side * side)
    for (sizes, weak), found in MNK.items():
        m, n, k = sizes.split(",")
        game = f"mnk(m={m}, n={n}, k={k}, maker_breaker={str(weak).lower()})"
        yield from critical("m,n,k", game, found, horizon=int(m) * int(n))
    # The paper's Z is most likely the pentomino N: N wins in 11, Z on no board (Gardner 1979).
    small = "width=5, height=5, maker_breaker=true"
    for shape, found in HARARY[5].items():
        yield from critical("Shaik et al. §6", f"harary(shape={shape}, {small})", found)
    for shape in ("skinny", "fatty"):
        yield Row("Shaik et al. §6", f"harary(shape={shape}, {small})", 11, "black", False)
    yield Row("Gardner", f"harary(shape=z, {small})", 11, "black", False)


def critical(source: str, game: str, depth: int | None, horizon: int = 0) -> Iterator[Row]:
    """A win at the critical depth and none two plies before; or none at all."""
    if depth is None:
        yield Row(source, game, horizon, "black", False)
        return
    yield Row(source, game, depth - 2, "black", False)
    yield Row(source, game, depth, "black", True)


def ask(row: Row) -> bool | None:
    answer = skolemate.solve(
        row.game, row.depth, row.player, engine="qbf", timeout=SECONDS, memory=MEMORY
    )
    return None if answer.verdict is Verdict.UNKNOWN else bool(answer)


def main() -> int:
    words = {True: "win", False: "no win", None: "-"}
    counts: Counter[str] = Counter()
    groups: dict[str, Counter[bool | None]] = {}
    listed = list(rows())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for row, found in zip(listed, pool.map(ask, listed), strict=True):
            status = "unknown" if found is None else "right"
            if row.expected is None:
                groups.setdefault(row.source, Counter())[found] += 1
            elif found is not None and found != row.expected:
                status = "WRONG"
            counts[status] += 1
            question = f"{row.game}, {row.player}, d={row.depth}"
            print(
                f"{status:8} {row.source:16} {question:78} "
                f"expected {words[row.expected]:7} found {words[found]}",
                flush=True,
            )
    published = {"GTTT 3x3": (24, 60), "GTTT 4x4": (34, 62)}
    for name, (wins, losses) in published.items():
        found_counts = groups[name]
        unknown = found_counts[None]
        right = found_counts[True] <= wins <= found_counts[True] + unknown
        counts["right" if right else "WRONG"] += 1
        print(
            f"{'right' if right else 'WRONG':8} {name}: published {wins} wins, {losses} not; "
            f"found {found_counts[True]}, {found_counts[False]}, {unknown} unknown"
        )
    print(", ".join(f"{number} {status}" for status, number in sorted(counts.items())))
    return 1 if counts["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
