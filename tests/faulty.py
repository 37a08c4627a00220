"""The engine while allocations fail at random, against the oracle: `make check-faults`.

Each run asks one question of a new engine, in one to three threads: a random one, or one that takes
a little longer. It may get no answer, for want of memory or by an accident; it may not get a wrong
one. Without faults the same engine then answers.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator

from sanitized import use_engine_from

# Games with their critical depths, which take several threads some milliseconds.
LONGER = {
    "harary(shape=tippy, width=4, height=4)": 9,
    "hex(size=4)": 9,
    "hein(10)": 13,
    "connect(k=3, width=5, height=5)": 9,
    "domineering(width=6, height=4)": 12,
    "breakthrough(width=2, height=6)": 15,
}


def main() -> None:
    folder, runs = sys.argv[1], int(sys.argv[2])
    use_engine_from(folder)
    from differential import KINDS, expected, random_questions
    from skolemate.games import Player
    from skolemate.games.family import build
    from skolemate.games.game import Question
    from skolemate.limits import Budget, OutOfBudget
    from skolemate.search import _engine, engine
    from skolemate.search.engine import Engine

    fail = _engine.fail  # type: ignore[attr-defined]  # in this build only
    engine.QUICK = 1  # so that all threads are started
    seed = random.SystemRandom().randrange(2**32)
    rng, became, failures = random.Random(seed), Counter[str](), [0, 0]
    print(f"seed {seed}, {runs} runs", flush=True)

    def questions() -> Iterator[tuple[Question, bool]]:
        longer = {build(name): depth for name, depth in LONGER.items()}
        for question in random_questions(rng, list(KINDS)):
            if question.game.breaker is not question.player:
                yield question, expected(question)
            game, depth = rng.choice(list(longer.items()))
            off = rng.choice([0, 1, 2])
            yield Question(game, Player.BLACK, depth - off), not off

    for question, truth in questions():
        game = question.game
        depth = min(question.depth, game.horizon or question.depth)
        asked = Engine(game, question.player, table_bytes=1 << 16, threads=rng.choice([1, 2, 3]))
        elsewhere = rng.random() < 0.4  # or the thread that asks would always be the first to fail
        fail(rng.randrange(2**63), rng.choice([3, 10, 30, 100, 300]), elsewhere)
        try:
            found = asked.ask(game.start, depth, Budget())
            assert found.won is truth, question
            became["answered"] += 1
            for owner in Player:
                asked.links(game.start, owner, game.board.size)
        except OutOfBudget as out:
            became[out.reason.value] += 1
        for place, count in enumerate(fail(0, 0, False)):
            failures[place] += count
        assert asked.ask(game.start, depth, Budget()).won is truth, f"after faults: {question}"
        if sum(became.values()) >= runs:
            break
    told = ", ".join(f"{count} {what}" for what, count in sorted(became.items()))
    print(f"{told}; {failures[0]} faults in the thread that asked, {failures[1]} in others;")
    print("no answer was wrong, and every engine answered afterwards")


if __name__ == "__main__":
    main()
