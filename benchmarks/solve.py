"""Which encoding with which pipeline? Solved counts and PAR2 over a fixed set: `make bench-solve`.

Every exact encoding that can state a question is tried with every pipeline listed here, all
in one run, under the same short limit. PAR2 is the mean of the seconds, a miss counting twice the
limit. Give a limit in seconds as the argument; 5 by default.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from skolemate.encodings import ENCODINGS, Meaning, encode
from skolemate.games import Player
from skolemate.games.game import Question
from skolemate.limits import Budget, Limit
from skolemate.loading import load
from skolemate.solvers import Pipeline

SOLVERS = ("depqbf", "caqe", "qute", "rareqs", "qfun")
PIPELINES = [*SOLVERS, *(f"bloqqer+{solver}" for solver in SOLVERS)]
MEMORY = 4 << 30

# Kind of question: (game, depths). Both answers, from easy to hard.
QUESTIONS = {
    "Hex": [
        ("hein(9)", (5, 7)),
        ("hein(7)", (7, 9)),
        ("hein(13)", (7, 9)),
        ("hein(14)", (7, 9)),
        ("browne", (7, 9)),
        ("hein(19)", (9, 11)),
        ("hein(8)", (9, 11)),
        ("hein(6)", (11, 13)),
        ("hein(10)", (11, 13)),
    ],
    "Maker-Breaker": [
        ("mnk(m=5, n=5, k=4, maker_breaker=true)", (7, 9)),
        ("harary(shape=knobby, width=5, height=5, maker_breaker=true)", (5, 7)),
        ("harary(shape=n, width=5, height=5, maker_breaker=true)", (9, 11)),
        ("harary(shape=tippy, width=4, height=4, maker_breaker=true)", (7, 9)),
    ],
    "Maker-Maker": [
        ("harary(shape=elly, width=4, height=4)", (5, 7)),
        ("harary(shape=tippy, width=4, height=4)", (7, 9)),
        ("harary(shape=knobby, width=5, height=5)", (5, 7)),
        ("harary(shape=n, width=5, height=5)", (9, 11)),
        ("gttt(p=2, q=1, shape=tippy, width=4, height=4)", (9, 13)),
        ("mnk(m=4, n=4, k=4)", (9, 11)),
    ],
}


class Run(NamedTuple):
    kind: str
    encoding: str
    pipeline: str
    question: Question


def runs() -> list[Run]:
    found = []
    for kind, games in QUESTIONS.items():
        for game, depths in games:
            for depth in depths:
                question = Question(load(game), Player.BLACK, depth)
                for encoding in ENCODINGS:
                    exact = encoding.meaning is Meaning.EXACT
                    if exact and encoding.refusal(question) is None:
                        found += [Run(kind, encoding.name, p, question) for p in PIPELINES]
    return found


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0

    def measure(run: Run) -> tuple[bool | None, float]:
        formula = encode(run.question, run.encoding, symmetry=True).formula
        solved = Pipeline.parse(run.pipeline).solve(formula, Budget(Limit(seconds, MEMORY)))
        missed = solved.truth is None
        return solved.truth, 2 * seconds if missed else solved.wall_seconds

    listed = runs()
    times: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    solved: dict[tuple[str, str, str], int] = defaultdict(int)
    truths: dict[Question, set[bool]] = defaultdict(set)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for run, (truth, taken) in zip(listed, pool.map(measure, listed), strict=True):
            key = run.kind, run.encoding, run.pipeline
            times[key].append(taken)
            if truth is not None:
                solved[key] += 1
                truths[run.question].add(truth)
    for question, said in truths.items():
        assert len(said) == 1, f"solvers disagree: {question}"
    for kind in QUESTIONS:
        encodings = sorted({encoding for k, encoding, _ in times if k == kind})
        number = len(times[kind, encodings[0], PIPELINES[0]])
        print(f"\n{kind}: {number} questions, {seconds:g} s each; solved, and PAR2 in seconds\n")
        print("| pipeline | " + " | ".join(encodings) + " |")
        print("|---|" + "---|" * len(encodings))
        for pipeline in PIPELINES:
            cells = []
            for encoding in encodings:
                measured = times[kind, encoding, pipeline]
                mean = sum(measured) / len(measured)
                cells.append(f"{solved[kind, encoding, pipeline]}, {mean:.2f}")
            print(f"| {pipeline} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
