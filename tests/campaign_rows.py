"""Rows as if they had been run: no solver is needed to see what a report makes of them."""

from __future__ import annotations

import random
from dataclasses import replace

from skolemate.campaigns.row import Job, Row, RunResult
from skolemate.campaigns.suite import Suite, parse_suite

__all__ = ["SUITE", "pretended", "pretended_suite"]

SUITE = """
title = "Pretended <runs> & more"
source = "Nobody 2026, Table 1"
about = "Nothing was asked."
seconds = 100
scatter = [["cor+", "et"]]
[[runs]]
games = ["hex(size={n})"]
n = [2, 3, 4, 5]
depths = [3, 5, 7]
encodings = ["cor+", "et"]
pipelines = ["caqe", "depqbf"]
[[runs]]
task = "size"
games = ["hex(size=4)"]
depths = [7]
encodings = ["et"]
[[published]]
where = { task = "size" }
clauses = "=450"
[[published]]
head = ["game", "depth", "encoding", "pipeline", "wall_seconds"]
body = [["hex(size=3)", 5, "et", "caqe", "12.75"]]
[[totals]]
where = { encoding = "et", pipeline = "caqe" }
label = "ET caqe"
of = 12
solved = "=12"
seconds = "499"
"""


def pretended_suite(text: str = SUITE) -> Suite:
    return parse_suite("pretended", text)


def pretended(suite: Suite, seed: int = 1, **changes: str) -> list[Row]:
    """A row for every job of a suite, with made-up costs; `changes` sets statuses by game."""
    chance = random.Random(seed)
    return [
        Row(
            job,
            _run(job, chance, changes),
            "1.0",
            f"{job.pipeline} 1",
            "a machine",
            "2026-01-01T00:00:00+00:00",
        )
        for job in suite.jobs
    ]


def _run(job: Job, chance: random.Random, changes: dict[str, str]) -> RunResult:
    seconds = chance.uniform(0.01, 0.02) * 3 ** ((job.depth or 0) / 2)
    costs = RunResult("WIN", None, True, None, seconds, seconds, int(1e7 * seconds), 0.1)
    if job.task == "size":
        return replace(costs, status="DONE", truth=None, clauses=450, variables=164)
    status = changes.get(job.game.partition("(")[0], "WIN")
    return replace(costs, status=status, truth=True if status == "WIN" else None)
