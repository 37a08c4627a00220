"""Checking answers: solvers compared with the engine, and evidence against a wrong solver."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from skolemate.campaigns.job import perform_here, stated_by
from skolemate.campaigns.row import VERDICTS, Job, Row, contradicting
from skolemate.errors import UserError
from skolemate.formula.qdimacs import to_qdimacs
from skolemate.limits import Budget, Limit
from skolemate.output import write_text
from skolemate.solvers import Pipeline
from skolemate.solvers.trial import SECONDS as SOLVING
from skolemate.solvers.trial import contradicts, minimised

SECONDS = 1.0  # for the engine's answer to one question
MEMORY = 512 << 20  # bytes
ENGINE = "engine"  # the key of its answer among what is known about a row


@dataclass
class Checker:
    """Asks the engine once about each question to which no answer is known."""

    _known: dict[Any, dict[str, str]] = field(default_factory=dict)

    def __call__(self, row: Row) -> Row:
        """The row, with the engine's answer among what is known about it."""
        job = row.job
        if (
            row.category != "unchecked"
            or job.method != "qbf"
            or job.task not in ("solve", "settle")
        ):
            return row
        asked = job.task, job.question, job.depth
        if asked not in self._known:
            self._known[asked] = _engines_answer(job)
        return replace(row, job=replace(job, known={**self._known[asked], **job.known}))


def _engines_answer(job: Job) -> dict[str, str]:
    asked = replace(job, method="search", encoding=None, pipeline=None, symmetry=False)
    try:
        run = perform_here(asked, Budget(Limit(SECONDS, MEMORY)))
    except (UserError, MemoryError):  # there is no engine, or it cannot play this game
        return {}
    known = {ENGINE: run.status} if run.status in VERDICTS else {}
    if known and run.critical_depth is not None:
        known["critical_depth"] = f"={run.critical_depth}"
    return known


# --- evidence -------------------------------------------------------------------------------------


def evidence(rows: Iterable[Row], folder: str) -> list[str]:
    """Name the programs that are wrong, each with a minimised formula in a file in the folder."""
    rows = list(rows)
    suspects = [row for row in rows if row.category == "wrong" and row.run.status in VERDICTS]
    suspects += [row for pair in contradicting(rows) for row in pair]
    told: dict[str, str] = {}
    for row in suspects:
        if row.job.pipeline and row.job.task != "settle" and row.job.pipeline not in told:
            words = _evidence(row.job, row.job.pipeline, folder)
            if words:
                told[row.job.pipeline] = words
    return list(dict.fromkeys(told.values()))


def _evidence(job: Job, names: str, folder: str) -> str | None:
    """What is wrong with a pipeline: with its solver alone, if that is enough to show it."""
    try:
        formula = stated_by(job)
    except UserError:
        return None  # the file is gone
    whole = Pipeline.parse(names)
    for pipeline in dict.fromkeys((Pipeline((), whole.solver), whole)):
        programs = (*pipeline.preprocessors, pipeline.solver)

        def is_wrong(
            candidate: Any, pipeline: Pipeline = pipeline, programs: Any = programs
        ) -> bool:
            answer = pipeline.solve(candidate, Budget(Limit(SOLVING))).truth
            return contradicts(candidate, answer, *programs)

        if is_wrong(formula):
            small = minimised(formula, is_wrong)
            truth = pipeline.solve(small, Budget(Limit(SOLVING))).truth
            Path(folder).mkdir(parents=True, exist_ok=True)
            file = str(Path(folder, f"{re.sub(r'[^a-z0-9_+]', '-', str(pipeline))}.qdimacs"))
            comment = f"{pipeline} says {truth} of this formula, which is {not truth}".lower()
            write_text(file, to_qdimacs(small, [comment, f"found by {job}"]))
            return f"{pipeline} is wrong: {file} is a formula to report"
    return None
