"""What literature and exhaustive search know about small boards, by the engine: `make check-known`.

Every row has the game, who asks, what is known and what the engine finds, with a strategy that the
checker accepts where that takes no more than a minute. A wrong row fails the run; what was not
answered in 15 minutes is shown and counted. Words in the games' names choose some rows.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from certified import nodes_of

import skolemate
from skolemate import Answer, Verdict
from skolemate.games.goals import fitting
from skolemate.strategies.extract import Unfinished

SECONDS, FOR_THE_STRATEGY = 900.0, 60.0
MEMORY = 6 << 30

# Harary's tic-tac-toe: critical depths of all shapes that win at all on the board of that side, or
# on its torus; strong and weak agree where nothing wraps around.
HARARY: dict[tuple[int, bool], dict[str, int]] = {
    (3, False): {"domino": 3, "el": 5, "tippy": 9},
    (3, True): {"domino": 3, "el": 5, "tippy": 7},
    (4, False): {"domino": 3, "el": 5, "tic": 5, "elly": 7, "tippy": 9},
    (5, False): {"domino": 3, "el": 5, "tic": 5, "elly": 7, "knobby": 7, "tippy": 7, "n": 11},
}
# Columns, rows, in a row: with Maker and Breaker, and with two makers.
MNK = {
    (3, 3, 3): (7, None), (4, 3, 3): (7, 7), (4, 4, 3): (5, 5), (5, 5, 3): (5, 5),
    (4, 4, 4): (None, None), (5, 4, 4): (None, None), (5, 5, 4): (9, None),
    (6, 4, 4): (None, None), (6, 5, 4): (9, 11),
}  # fmt: skip
HEX = {2: 3, 3: 5, 4: 9, 5: 13}
# Width and height: who wins (Tromp).
CONNECT_4 = {(4, 4): "", (5, 4): "", (6, 4): "white", (4, 5): "", (5, 5): "", (6, 5): ""}
CONNECT_3 = {(3, 3): None, (4, 3): 9, (5, 3): 9, (4, 4): 9, (5, 5): 9, (6, 6): 9}
# Rows 2 to 6 of Domineering, columns 2 to 6; the vertical player begins.
DOMINEERING = (
    (2, 2, None, 6, 6),
    (4, 4, None, None, None),
    (4, 6, 8, 10, 12),
    (None, 8, None, None, None),
    (6, 6, 12, 14, 18),
)
BREAKTHROUGH = {
    ("2x4", "black"): None, ("2x4", "white"): 8, ("2x5", "black"): None, ("2x5", "white"): 10,
    ("2x6", "black"): 15, ("2x6", "white"): None, ("3x4", "black"): None, ("3x4", "white"): 12,
    # Settled here; Shaik and van de Pol 2023 refute 11, 12, 9 and 10 plies.
    ("3x5", "black"): None, ("3x5", "white"): 18, ("3x6", "black"): 23, ("3x6", "white"): None,
    ("4x4", "black"): None, ("4x4", "white"): 14, ("4x5", "black"): None, ("4x5", "white"): 22,
}  # fmt: skip
EVADER_PURSUER = {
    "size=4, x=1, y=2": None, "size=4, x=2, y=3": 3, "size=8, x=3, y=4": 7,
    "size=8, x=2, y=3": None,  # settled here; they refute 11 plies
    "size=4, x=1, y=2, dual=true": 2, "size=4, x=2, y=3, dual=true": None,
    "size=8, x=2, y=3, dual=true": 6, "size=8, x=3, y=4, dual=true": None,
}  # fmt: skip


class Row(NamedTuple):
    game: str
    known: int | bool | None  # the critical depth; None for no win at all; True for some win
    player: str = "black"
    depth: int | None = None  # None: the critical depth is looked for


def rows() -> Iterator[Row]:
    for (side, torus), wins in HARARY.items():
        for shape, weak in product(fitting(min(side, 4), range(2, 7)), (False, True)):
            # `make check-shapes` has the strong games of 5x5.
            if not (torus and weak) and (weak or side < 5):
                options = f"width={side}, height={side}, torus={torus}, maker_breaker={weak}"
                yield Row(f"harary(shape={shape}, {options.lower()})", wins.get(str(shape)))
    for (m, n, k), (weakly, strongly) in MNK.items():
        yield Row(f"mnk(m={m}, n={n}, k={k}, maker_breaker=true)", weakly)
        yield Row(f"mnk(m={m}, n={n}, k={k})", strongly)
    for size, depth in HEX.items():
        yield Row(f"hex(size={size})", depth)
    for (width, height), winner in CONNECT_4.items():
        for player in ("black", "white"):
            game = f"connect(k=4, width={width}, height={height})"
            yield Row(game, True if winner == player else None, player, width * height)
    for (width, height), found_3 in CONNECT_3.items():
        yield Row(f"connect(k=3, width={width}, height={height})", found_3)
    for height, row in enumerate(DOMINEERING, 2):
        for width, depth_or_none in enumerate(row, 2):
            yield Row(f"domineering(width={width}, height={height})", depth_or_none)
    for size in (7, 8):  # Breuker, Uiterwijk and van den Herik 2000
        yield Row(f"domineering(width={size}, height={size})", True, depth=size * size + 1)
    for (size_, player), known in BREAKTHROUGH.items():
        width_, height_ = size_.split("x")
        yield Row(f"breakthrough(width={width_}, height={height_})", known, player)
    for player, won in (("black", None), ("white", True)):  # Saffidine, Jouandeau, Cazenave 2011
        yield Row("breakthrough(width=5, height=5)", won, player, depth=51)
    for start, known in EVADER_PURSUER.items():
        yield Row(f"evader_pursuer({start})", known)


def told(answer: Answer, row: Row) -> int | bool | str | None:
    """What was found, in the words of what is known."""
    if answer.verdict is Verdict.WIN:
        return answer.critical_depth if row.depth is None else True
    settled = answer.verdict is Verdict.NO_WIN and (answer.every_depth or row.depth is not None)
    return None if settled else f"no win within {answer.refuted_depth}"


def proved(answer: Answer) -> str:
    """The nodes of a checked strategy, if that is found in time."""
    try:
        return f"{nodes_of(answer, timeout=FOR_THE_STRATEGY, memory=MEMORY, fold=True):,}"
    except Unfinished:
        return "–"


def main() -> int:
    counts: Counter[str] = Counter()
    begun = time.monotonic()
    print(
        "| game | asked by | known | found | positions | s | nodes |\n|---|---|---|---|---|---|---|"
    )
    for row in rows():
        if sys.argv[1:] and not any(word in row.game for word in sys.argv[1:]):
            continue
        answer = skolemate.solve(
            row.game,
            "auto" if row.depth is None else row.depth,
            row.player,
            engine="search",
            timeout=SECONDS,
            memory=MEMORY,
        )
        found = told(answer, row)
        answered = not isinstance(found, str)
        counts["not answered" if not answered else "right" if found == row.known else "wrong"] += 1
        nodes = proved(answer) if answered else ""
        counts["certified"] += nodes not in ("", "–")
        print(
            f"| {row.game} | {row.player} | {row.known} | {found} | {answer.positions:,} "
            f"| {answer.wall_seconds:.2f} | {nodes} |",
            flush=True,
        )
    summary = ", ".join(f"{count} {word}" for word, count in counts.items())
    print(f"{summary}; {time.monotonic() - begun:.0f} s.")
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
