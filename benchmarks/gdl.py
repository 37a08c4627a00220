"""Our formulas of GDL games beside the published ones of gdl2qbf, same solver, in CPU seconds.

Each published question is stated from its description and solved by each pipeline; so is the
published formula GD as it was written. `preprocessed` is the published GD after Bloqqer, solved
by the pipeline's solver alone: what Bloqqer took is not counted there. `stating` is the time for
reading, grounding and encoding the description, without Python's start; theirs is not known.
One run at a time; the limit is in CPU seconds, and a miss is shown by it. All answers must agree.

usage: gdl.py DESCRIPTIONS FORMULAS [--seconds S] [--pipelines P ...] [PART_OF_A_NAME ...]

DESCRIPTIONS   the folder of the .gdl files (SinglePlayer/GameDescriptions in their repository)
FORMULAS       the folder with GD and bloq_GD (qbfgallary2026 there)
"""

from __future__ import annotations

import argparse
import resource
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import NamedTuple

from skolemate.ask.qbf import default_encoding
from skolemate.encodings import encode
from skolemate.formula.qdimacs import read_qdimacs
from skolemate.games import Player
from skolemate.games.game import Question
from skolemate.limits import Budget, Limit
from skolemate.loading import load
from skolemate.solvers import Pipeline

MEMORY = 4 << 30
PLAYER = "xplayer"  # asks in all of them

# A description, the number of steps, and the published formula if that has another name. There are
# none of number-tic-tac-toe, tic-tac-toe and traffic-3x3.
QUESTIONS = [
    ("break-through-2x5", 21, None),
    ("break-through-2x6", 29, None),
    ("break-through-3x4", 19, None),
    ("connect-3-4x4", 16, None),
    ("connect-3-5x5", 25, None),
    ("connect-4-4x4", 16, None),
    ("connect-4-5x4", 20, None),
    ("connect-4-5x5", 25, None),
    ("dots-and-boxes-2x2", 12, None),
    ("dots-and-boxes-2x3", 17, None),
    ("gttt-4x4-1-1-elly", 16, "gttt-4x4-1-1-elly-v2"),  # the same game
    ("gttt-4x4-2-2-elly-v2", 16, None),
    ("tic-tac-toe-3player-3x3", 9, None),
]

ANSWERS = {True: "win", False: "none", None: ""}


class Measured(NamedTuple):
    truth: bool | None
    seconds: float
    stating: float = 0.0
    encoding: str = ""

    def told(self) -> str:
        return f"{'' if self.truth is not None else '>'}{self.seconds:.2f}"


def _limit_cpu(seconds: float) -> None:
    """Let the kernel end whatever takes longer; programs inherit it."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, resource.RLIM_INFINITY))


def ours(file: Path, depth: int, pipeline: str) -> Measured:
    before = process_time()
    game = load(f"{file}(player={PLAYER})")
    question = Question(game, Player.BLACK, depth)
    name = default_encoding(question)
    formula = encode(question, name, symmetry=True).formula
    stating = process_time() - before
    solved = Pipeline.parse(pipeline).solve(formula, Budget(Limit(memory=MEMORY)))
    return Measured(solved.truth, solved.cpu_seconds, stating, name)


def theirs(file: Path, pipeline: str) -> Measured:
    formula = read_qdimacs(file.read_bytes(), file.name)
    solved = Pipeline.parse(pipeline).solve(formula, Budget(Limit(memory=MEMORY)))
    return Measured(solved.truth, solved.cpu_seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("descriptions", type=Path)
    parser.add_argument("formulas", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pipelines", nargs="+", default=["simplify+caqe"])
    chosen = parser.parse_intermixed_args()
    print("| question | pipeline | answer | encoding | stating | ours | GD | preprocessed |")
    print("|---|---|---|---|---|---|---|---|")
    with ProcessPoolExecutor(
        1, get_context("spawn"), _limit_cpu, (chosen.seconds,), max_tasks_per_child=1
    ) as fresh:
        for name, depth, published in QUESTIONS:
            if chosen.names and not any(part in name for part in chosen.names):
                continue
            formula = f"{published or name}-{depth}-{PLAYER}.qdimacs"
            description = chosen.descriptions / f"{name}.gdl"
            gd = chosen.formulas / "GD" / f"gd_{formula}"
            preprocessed = chosen.formulas / "bloq_GD" / f"gd_bloq_{formula}"
            for pipeline in chosen.pipelines:
                solver = pipeline.rpartition("+")[2]
                jobs = [
                    fresh.submit(ours, description, depth, pipeline),
                    fresh.submit(theirs, gd, pipeline),
                    fresh.submit(theirs, preprocessed, solver),
                ]
                found = [job.result() for job in jobs]
                truths = {measured.truth for measured in found} - {None}
                assert len(truths) <= 1, f"{name}: answers disagree"
                answer = ANSWERS[next(iter(truths), None)]
                times = " | ".join(measured.told() for measured in found)
                row = f"| {name}, {depth} | {pipeline} | {answer} | {found[0].encoding} "
                print(f"{row}| {found[0].stating:.2f} | {times} |", flush=True)


if __name__ == "__main__":
    main()
