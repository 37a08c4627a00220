"""Preprocessors: a formula made smaller, and how its outermost block relates to the original."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from skolemate.errors import FileError
from skolemate.formula import Formula
from skolemate.formula.passes import reduced_universally, tidied
from skolemate.formula.qdimacs_read import read_qdimacs
from skolemate.limits import Limit, Reason
from skolemate.solvers.files import formula_file
from skolemate.solvers.process import Outcome, run
from skolemate.solvers.program import OUT, Program
from skolemate.solvers.reading import read_answer, read_assignment

__all__ = ["Reduced", "Step", "preprocess"]

OUTPUT_LIMIT = 1 << 30  # bytes: a preprocessor writes a whole formula


@dataclass(frozen=True)
class Reduced:
    """What is left of a formula, and the values of outermost variables found on the way.

    `keeps_outer`: a solution of the outermost block, together with `values`, is one of the
    original's.
    """

    formula: Formula
    values: Mapping[int, bool] = field(default_factory=dict)
    keeps_outer: bool = True

    @classmethod
    def of(cls, formula: Formula) -> Reduced:
        """A formula as programs like it: clauses without repetitions, no ∀ innermost."""
        return cls(reduced_universally(tidied(formula)))

    @property
    def truth(self) -> bool | None:
        return self.formula.constant


@dataclass(frozen=True)
class Step:
    """One preprocessor's work: the formula afterwards, unchanged if it failed."""

    reduced: Reduced
    failure: str | None = None
    reason: Reason | None = None
    cpu_seconds: float = 0.0
    peak_bytes: int = 0


def preprocess(
    program: Program, reduced: Reduced, limit: Limit, cancel: Event | None = None
) -> Step:
    """Run a preprocessor; on any failure go on with what there was."""
    with formula_file(reduced.formula) as source:
        target = Path(source).with_name("reduced.qdimacs")
        if program.worker is not None:
            outermost = reduced.formula.outermost
            variables = [] if outermost is None else map(str, outermost.variables.tolist())
            worker = [sys.executable, "-I", program.worker, program.require()]
            command = [*worker, source, str(target), *variables]
        else:
            called = program.command(program.require(), source, outer=False)
            command = [word.replace(OUT, str(target)) for word in called]
        outcome = run(command, limit, cancel, OUTPUT_LIMIT)
        written = target.read_bytes() if target.exists() else outcome.stdout.encode()
        values = {} if program.worker is None else read_assignment(outcome.stdout)
    formula = _result(outcome, written)
    costs = outcome.cpu_seconds, outcome.peak_bytes
    if formula is None:
        return Step(reduced, _complaint(outcome), outcome.stopped, *costs)
    keeps = reduced.keeps_outer and program.keeps_outer
    return Step(Reduced(formula, {**reduced.values, **values}, keeps), None, None, *costs)


def _result(outcome: Outcome, written: bytes) -> Formula | None:
    """The formula that a preprocessor has made; None if it has not done its work."""
    if not outcome.ended:
        return None
    formula = _read(written)
    told = {read_answer(outcome.stdout), None if formula is None else formula.constant} - {None}
    if outcome.code in (10, 20):
        truth = outcome.code == 10
        return Formula.of([], [] if truth else [[]]) if told == {truth} else None
    return formula if outcome.code == 0 and len(told) < 2 else None


def _read(written: bytes) -> Formula | None:
    """A formula, if it is there to its end: half a formula says something else."""
    promised = re.search(rb"^p\s+cnf\s+\d+\s+(\d+)\s", written, re.MULTILINE)
    try:
        formula = read_qdimacs(written, "reduced.qdimacs", tolerant=True)
    except FileError:
        return None
    counted = promised is not None and int(promised[1]) == formula.clause_count
    ended = written.rstrip().endswith((b" 0", b"\n0"))
    return reduced_universally(formula) if counted and ended else None


def _complaint(outcome: Outcome) -> str:
    if outcome.stopped is not None:
        return {Reason.MEMORY: "it ran out of memory"}.get(outcome.stopped, outcome.stopped.value)
    if outcome.code == 0 and outcome.failure is None:
        return "it has written no whole formula"
    return outcome.complaint()
