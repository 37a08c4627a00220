"""Is splitting worth it? Whole questions against the same ones split by their first plies.

Each question is asked by one encoding and one pipeline: as a whole, which keeps one core busy, and
with `--split N` on two cores, in turn, in this process. Two ratios are told, since a wall clock is
of little use where others work, too: that of the seconds on the wall, and the CPU seconds of the
whole over half of those of the parts, which is what two free cores would give if no part kept the
other core waiting. CPU seconds are those of this process and of all solvers, also of those that
were stopped. Medians over ROUNDS; a whole that is not answered within SECONDS gives a lower bound.

usage: split.py [ROUNDS] [PLIES] [SECONDS] [PART_OF_A_NAME]
"""

from __future__ import annotations

import os
import sys
import time
from statistics import geometric_mean, median
from typing import NamedTuple

from skolemate.ask import Answer, Verdict
from skolemate.ask.method import Method
from skolemate.ask.qbf import Qbf
from skolemate.ask.splitting import Splitting
from skolemate.games import Player
from skolemate.games.game import Question
from skolemate.limits import Budget, Limit
from skolemate.loading import load

JOBS, WIDTH = 2, 88

# Game, player, depth, encoding, pipeline: 30 seconds of CPU or more as a whole.
QUESTIONS = [
    ("hein(10)", "black", 13, "et", "depqbf"),
    ("hein(14)", "black", 9, "sn", "bloqqer+depqbf"),
    ("harary(shape=elly, width=5, height=5)", "black", 9, "cor", "depqbf"),
    ("hein(2)", "black", 13, "en", "caqe"),
    ("mnk(m=5, n=4, k=4)", "black", 11, "cor", "depqbf"),
    ("mnk(m=5, n=4, k=4)", "black", 13, "cor+", "depqbf"),
    ("breakthrough(width=2, height=5)", "white", 10, "lifted", "bloqqer+depqbf"),
]


class Cost(NamedTuple):
    wall: float
    cpu: float


def spent() -> Cost:
    return Cost(time.monotonic(), sum(os.times()[:4]))  # also of programs that have ended


def measured(method: Method, question: Question, seconds: float) -> tuple[Answer, Cost]:
    before = spent()
    answer = method(question, Budget(Limit(seconds)))
    after = spent()
    return answer, Cost(after.wall - before.wall, after.cpu - before.cpu)


def medians(costs: list[Cost]) -> Cost:
    return Cost(median(cost.wall for cost in costs), median(cost.cpu for cost in costs))


def main() -> None:
    defaults = (1, 2, 600)
    given = [int(text) for text in sys.argv[1:4]]
    rounds, plies, seconds = (*given, *defaults[len(given) :])
    wanted = sys.argv[4] if len(sys.argv) > 4 else ""
    columns = f"{'wall':>8}{'CPU':>8}"
    print(f"{'':{WIDTH}} {'':7} {'whole, s':>16} {f'--split {plies}, s':>16} {'times as fast':>16}")
    print(f"{'question':{WIDTH}} {'answer':7} {columns} {columns} {columns}", flush=True)
    ratios: list[Cost] = []
    for name, player, depth, encoding, pipeline in QUESTIONS:
        told = f"{name}, {player} in {depth}, {encoding}, {pipeline}"
        if wanted not in told:
            continue
        question = Question(load(name), Player(player), depth)
        whole = Qbf(encoding, pipeline, symmetry=True)
        split = Splitting(Qbf(encoding, pipeline, moves=False, symmetry=True), plies, JOBS)
        costs: dict[Method, list[Cost]] = {whole: [], split: []}
        answers: list[Answer] = []
        for _ in range(rounds):
            for method, listed in costs.items():
                answer, cost = measured(method, question, seconds)
                answers.append(answer)
                listed.append(cost)
        known = {answer.verdict for answer in answers} - {Verdict.UNKNOWN}
        assert len(known) == 1, f"{told}: {known or 'no answer'}"
        assert answers[-1].verdict is not Verdict.UNKNOWN, "no ratio without the answer of a split"
        bound = ">" if answers[0].verdict is Verdict.UNKNOWN else ""
        one, parts = map(medians, costs.values())
        ratio = Cost(one.wall / parts.wall, one.cpu / (parts.cpu / JOBS))
        ratios.append(ratio)
        row = f"{told:{WIDTH}} {known.pop().value:7} {one.wall:8.1f}{one.cpu:8.1f} "
        row += f"{parts.wall:8.1f}{parts.cpu:8.1f} "
        print(row + f"{f'{bound}{ratio.wall:.2f}':>8}{f'{bound}{ratio.cpu:.2f}':>8}", flush=True)
    if ratios:
        wall, cpu = geometric_mean(r.wall for r in ratios), geometric_mean(r.cpu for r in ratios)
        print(f"{'geometric mean':{WIDTH}} {'':7} {'':16} {'':16} {wall:8.2f}{cpu:8.2f}")


if __name__ == "__main__":
    main()
