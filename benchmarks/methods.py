"""What each method of the engine is worth: `make bench-methods`.

Each question is asked with all methods, and then without one of them at a time: with one thread, in
a process of its own, CPU seconds without Python's start. No answer may change. Shown are the
methods without which it takes at least TWICE as long, and how many times; the limit is ten times
the time of all methods, or LEAST seconds if that is more. Names of games choose some questions.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import process_time

from skolemate.games import Player
from skolemate.games.family import build
from skolemate.limits import Budget, Limit, OutOfBudget
from skolemate.search.engine import METHODS, Engine

TWICE = 2.0
LEAST = 10.0  # seconds
NOTICED = 0.005  # seconds; what takes less is not compared

QUESTIONS = [
    ("harary(shape=tippy, width=4, height=4)", (8, 9, 16)),
    ("harary(shape=skinny, width=5, height=5)", (25,)),
    ("harary(shape=u, width=5, height=5, torus=true)", (18, 19, 25)),
    ("harary(shape=t, width=5, height=5, torus=true)", (25,)),
    ("harary(shape=l, width=6, height=6)", (36,)),
    ("gttt(p=1, q=1, shape=knobby, width=4, height=4)", (16,)),
    ("mnk(m=5, n=5, k=4)", (25,)),
    ("mnk(m=7, n=7, k=5, maker_breaker=true)", (49,)),
    ("qubic(maker_breaker=true)", (64,)),
    ("hein(20)", (14, 15)),
    ("hein(3)", (16, 17)),
    ("hein(17)", (20, 21)),
    ("hex(size=5)", (12, 13, 25)),
    ("hex(size=6)", (36,)),
    ("hex(size=7)", (49,)),
    ("connect(k=4, width=4, height=4)", (16,)),
    ("connect(k=4, width=5, height=5)", (25,)),
    ("connect(k=4, width=6, height=5)", (30,)),
    ("domineering(width=6, height=6)", (17, 18, 36)),
    ("domineering(width=7, height=7)", (49,)),
    ("domineering(width=8, height=8)", (64,)),
    ("breakthrough(width=2, height=6)", (14, 15, 29)),
    ("breakthrough(width=4, height=5)", (37,)),
    ("konane(width=6, height=5)", (29,)),
    ("notakto(k=3, width=3, height=3)", (9,)),
    ("sim(n=5)", (10,)),
]


def ask(
    game: str, player: Player, depth: int, method: str, limit: float
) -> tuple[bool | None, float]:
    """Whether the player wins, without a method; None after so many seconds."""
    built = build(game)
    engine = Engine(built, player, without=[method] if method else [])
    before = process_time()
    try:
        won = engine.ask(built.start, depth, Budget(Limit(limit))).won
    except OutOfBudget:
        won = None
    return won, process_time() - before


def main() -> None:
    print("| question | asks | plies | answer | CPU s | slower without |")
    print("|---|---|---|---|---|---|")
    compared, missed = 0, []
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as fresh:
        for game, depths in QUESTIONS:
            if len(sys.argv) > 1 and not any(game.startswith(name) for name in sys.argv[1:]):
                continue
            for player in Player:
                if build(game).breaker is player:
                    continue  # asked as the Maker's question
                for depth in depths:
                    asked = (game, player, depth)
                    truth, seconds = fresh.submit(ask, *asked, "", 300.0).result()
                    assert truth is not None, asked
                    slower = []
                    for method in METHODS:
                        limit = max(10 * seconds, LEAST)
                        other, spent = fresh.submit(ask, *asked, method, limit).result()
                        assert other in {truth, None}, f"{asked} without {method}: {other}"
                        compared += other is truth
                        if other is None:
                            missed.append(f"{game} for {player}, {depth}, without {method}")
                        times = spent / max(seconds, NOTICED)
                        if times >= TWICE:
                            slower.append(f"{method} {'>' * (other is None)}{times:,.0f}")
                    answer = "win" if truth else "no win"
                    print(
                        f"| `{game}` | {player} | {depth} | {answer} | {seconds:.3f} "
                        f"| {', '.join(slower)} |",
                        flush=True,
                    )
    print(
        f"\n{compared} answers are the same without one method; not answered in time: {len(missed)}"
    )


if __name__ == "__main__":
    main()
