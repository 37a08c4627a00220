"""Pipelines: any number of preprocessors, then a solver, named in this order: `bloqqer+caqe`.

A circuit reaches a solver that reads QCIR as it is, unless a preprocessor comes first; all others
get clauses. A solver that reads only QCIR gets clauses as a circuit.

Whatever a preprocessor does, the result is about the original formula's outermost variables.
An answer counts only if exit code and text agree; everything else is an error that keeps the
program's output. A preprocessor that fails is skipped, with a note, and is not named in the answer.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from skolemate.errors import FileError, UserError, brief
from skolemate.formula import Circuit, Formula, Quantifier
from skolemate.formula.passes import as_circuit, compacted, reduced_universally, tidied, tseitin
from skolemate.formula.qcir import write_qcir
from skolemate.formula.qdimacs import read_qdimacs, write_qdimacs
from skolemate.formula.simplify import simplified
from skolemate.limits import Budget, Limit, OutOfBudget, Reason
from skolemate.output import temporary_folder
from skolemate.solvers.process import Outcome, run
from skolemate.solvers.program import OUT, PROGRAMS, Program, read_answer, read_assignment

# --- files ----------------------------------------------------------------------------------------


@contextmanager
def formula_file(stated: Formula | Circuit) -> Iterator[str]:
    """A temporary file with a formula or circuit, in a folder of its own."""
    suffix = "qcir" if isinstance(stated, Circuit) else "qdimacs"
    with temporary_folder() as folder:
        path = Path(folder, f"formula.{suffix}")
        with open(path, "w", encoding="ascii", newline="\n") as stream:
            if isinstance(stated, Circuit):
                write_qcir(stated, stream)
            else:
                write_qdimacs(stated, stream)
        yield os.fspath(path)


# --- preprocessing --------------------------------------------------------------------------------


OUTPUT_LIMIT = 1 << 30  # bytes: a preprocessor writes a whole formula


@dataclass(frozen=True)
class Reduced:
    """A formula after preprocessing, and the values of outermost variables that are settled.

    `keeps_outer`: a solution of its outermost block, together with `values`, solves the
    original's outermost block.
    """

    formula: Formula
    values: Mapping[int, bool] = field(default_factory=dict)
    keeps_outer: bool = True

    @classmethod
    def of(cls, formula: Formula) -> Reduced:
        """A formula as programs expect it: clauses without repetitions, no innermost ∀ block."""
        return cls(reduced_universally(tidied(formula)))

    @property
    def truth(self) -> bool | None:
        return self.formula.constant


@dataclass(frozen=True)
class Step:
    """The result of one preprocessor: the formula afterwards, unchanged if it failed."""

    reduced: Reduced
    failure: str | None = None
    reason: Reason | None = None
    cpu_seconds: float = 0.0
    peak_bytes: int = 0


def preprocess(program: Program, reduced: Reduced, budget: Budget | None = None) -> Step:
    """Run a preprocessor; after any failure the formula is the one from before."""
    if program.module is not None:
        return _simplify(reduced, Budget.within(budget))
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
        outcome = run(command, budget, OUTPUT_LIMIT)
        written = target.read_bytes() if target.exists() else outcome.stdout.encode()
        values = {} if program.worker is None else read_assignment(outcome.stdout)
    formula = _result(outcome, written)
    costs = outcome.cpu_seconds, outcome.peak_bytes
    if formula is None:
        return Step(reduced, _complaint(outcome), outcome.stopped, *costs)
    keeps = reduced.keeps_outer and program.keeps_outer
    return Step(Reduced(formula, {**reduced.values, **values}, keeps), None, None, *costs)


def preprocess_by(names: str, formula: Formula, budget: Budget | None = None) -> Step:
    """Run a chain of preprocessors, as in `qratpre+bloqqer`, up to the first that fails."""
    chain = [PROGRAMS[name] for name in names.split("+")]
    for program in chain:
        if not program.preprocesses:
            raise UserError(f"{program.name} is a solver: only preprocessors write a formula")
        program.require()
    budget = Budget.within(budget)
    step = Step(Reduced.of(formula))
    for program in chain:
        if step.reduced.truth is not None:
            break
        cpu, peak = step.cpu_seconds, step.peak_bytes
        step = preprocess(program, step.reduced, budget)
        failure = step.failure and f"{program.name}: {step.failure}"
        peak = max(peak, step.peak_bytes)
        step = replace(step, failure=failure, cpu_seconds=cpu + step.cpu_seconds, peak_bytes=peak)
        if failure:
            break
    return step


def _simplify(reduced: Reduced, budget: Budget) -> Step:
    try:
        simple = simplified(reduced.formula, budget=budget)
    except OutOfBudget as out:
        return Step(reduced, _stopped(out.reason), out.reason)
    except MemoryError:
        return Step(reduced, _stopped(Reason.MEMORY), Reason.MEMORY)
    values = {**reduced.values, **simple.values}
    after = Reduced(simple.formula, values, reduced.keeps_outer)
    return Step(after, cpu_seconds=simple.cpu_seconds)


def _result(outcome: Outcome, written: bytes) -> Formula | None:
    """The formula that a preprocessor has made; None if it has failed."""
    if not outcome.ended:
        return None
    formula = _read(written)
    answers = {read_answer(outcome.stdout), None if formula is None else formula.constant} - {None}
    if outcome.code in (10, 20):
        truth = outcome.code == 10
        return Formula.of([], [] if truth else [[]]) if answers == {truth} else None
    return formula if outcome.code == 0 and len(answers) < 2 else None


def _read(written: bytes) -> Formula | None:
    """The formula in a preprocessor's output; None if it is broken or cut off.

    A formula that is cut off has fewer clauses than its header promises, and another truth value.
    """
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
        return _stopped(outcome.stopped)
    if outcome.code == 0 and outcome.failure is None:
        return "it did not write a complete formula"
    return outcome.complaint()


def _stopped(reason: Reason) -> str:
    return "it ran out of memory" if reason is Reason.MEMORY else reason.value


# --- pipelines ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Solved:
    """The truth value of a formula, if it is known, with values of its outermost ∃ block.

    A variable without a value is free, or the programs did not print its value.
    """

    truth: bool | None
    by: str = ""  # the programs that decided it; empty if the formula needs none
    outer: Mapping[int, bool] = field(default_factory=dict)
    reason: Reason | None = None
    message: str = ""
    notes: tuple[str, ...] = ()
    outcome: Outcome | None = None  # of the solver: the evidence, if something went wrong
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0

    def as_json(self) -> dict[str, Any]:
        return {
            "truth": self.truth,
            "by": self.by or None,
            "outer": [v if value else -v for v, value in sorted(self.outer.items())],
            "reason": self.reason and self.reason.value,
            "detail": self.message or "; ".join(self.notes) or None,
            "wall_seconds": self.wall_seconds,
            "cpu_seconds": self.cpu_seconds,
            "peak_bytes": self.peak_bytes or None,
        }


@dataclass(frozen=True)
class Pipeline:
    """Preprocessors and a solver, in the order in which they run."""

    preprocessors: tuple[Program, ...]
    solver: Program

    @classmethod
    def parse(cls, text: str) -> Pipeline:
        """
        >>> str(Pipeline.parse("bloqqer+caqe"))
        'bloqqer+caqe'
        """
        *before, last = [PROGRAMS[name] for name in text.split("+")]
        for program in before:
            if not program.preprocesses:
                raise UserError(f"in {brief(text)} {program.name} must come last: it is a solver")
        if last.preprocesses:
            raise UserError(f"{brief(text)} ends with a preprocessor; add a solver: {text}+depqbf")
        return cls(tuple(before), last)

    def __str__(self) -> str:
        return "+".join(program.name for program in (*self.preprocessors, self.solver))

    def require(self) -> None:
        """Raise an error that names the first program that is not installed."""
        for program in (*self.preprocessors, self.solver):
            program.require()

    @property
    def takes_circuits(self) -> bool:
        """Whether a circuit reaches the solver as it is: preprocessors read clauses."""
        return not self.preprocessors and "qcir" in self.solver.formats

    def solve(self, stated: Formula | Circuit, budget: Budget | None = None) -> Solved:
        """Decide a formula or circuit within limits."""
        self.require()
        budget = Budget.within(budget)
        if isinstance(stated, Circuit) and self.takes_circuits and stated.constant is None:
            solved = self._run_solver(stated, budget)
        else:
            formula = tseitin(stated) if isinstance(stated, Circuit) else stated
            solved = self._solve(Reduced.of(formula), budget)
        outermost = stated.outermost
        outer: dict[int, bool] = {}
        if solved.truth and outermost and outermost.quantifier is Quantifier.EXISTS:
            variables = set(outermost.variables.tolist())
            outer = {v: value for v, value in solved.outer.items() if v in variables}
        return replace(solved, outer=outer, wall_seconds=budget.wall_seconds)

    def _solve(self, reduced: Reduced, budget: Budget) -> Solved:
        notes: list[str] = []
        names: list[str] = []
        cpu, peak = 0.0, 0
        for program in self.preprocessors:
            if reduced.truth is not None:
                break
            step = preprocess(program, reduced, budget)
            cpu, peak = cpu + step.cpu_seconds, max(peak, step.peak_bytes)
            if step.reason in (Reason.TIME, Reason.CANCELLED):
                return Solved(None, reason=step.reason, cpu_seconds=cpu, peak_bytes=peak)
            if step.failure is None:
                names.append(program.name)
            else:
                notes.append(f"{program.name} was left out: {step.failure}")
            reduced = step.reduced
        if reduced.truth is None:
            solved = self._run_on_clauses(reduced.formula, budget)
            names.append(solved.by)
            cpu, peak = cpu + solved.cpu_seconds, max(peak, solved.peak_bytes)
        else:
            solved = Solved(reduced.truth)
        outer = {**solved.outer, **reduced.values} if reduced.keeps_outer else {}
        return replace(
            solved,
            by="+".join(names),
            outer=outer,
            notes=tuple(notes),
            cpu_seconds=cpu,
            peak_bytes=peak,
        )

    def _run_on_clauses(self, formula: Formula, budget: Budget) -> Solved:
        if "qdimacs" in self.solver.formats:
            return self._run_solver(formula, budget)
        compact = compacted(formula)  # a preprocessor may have left gaps in the numbering
        solved = self._run_solver(as_circuit(compact.formula), budget)
        names = compact.originals
        outer = {int(names[v]): value for v, value in solved.outer.items() if v < len(names)}
        return replace(solved, outer=outer)

    def _run_solver(self, stated: Formula | Circuit, budget: Budget) -> Solved:
        path = self.solver.require()
        with formula_file(stated) as file:
            command = self.solver.command(path, file, outer=True)
            outcome = run(command, budget)
        solved = Solved(
            None,
            by=self.solver.name,
            outcome=outcome,
            cpu_seconds=outcome.cpu_seconds,
            peak_bytes=outcome.peak_bytes,
        )
        codes = self.solver.exit_codes
        answer = read_answer(outcome.stdout, codes[0] == codes[1], self.solver.answers)
        if outcome.ended and answer is not None and outcome.code == codes[0 if answer else 1]:
            return replace(solved, truth=answer, outer=read_assignment(outcome.stdout))
        if outcome.stopped is not None:
            return replace(solved, reason=outcome.stopped)
        complaint = outcome.complaint()
        if outcome.ended and outcome.code in codes:
            words = {True: "the formula is true", False: "it is false", None: "nothing clear"}
            complaint = f"its exit code is {outcome.code}, but its text says: {words[answer]}"
        return replace(
            solved, reason=Reason.SOLVER_ERROR, message=f"{self.solver.name} failed: {complaint}"
        )


# --- self-test ------------------------------------------------------------------------------------
# Is a program installed, and does it work? It is tried on a true and on a false formula.


# ∃x ∀y ∃z with z = x ∨ y and x ∨ z; the false one also wants z = y.
PREFIX = [("e", [1]), ("a", [2]), ("e", [3])]
CLAUSES = [[1, 3], [-1, 3], [-2, 3], [1, 2, -3]]
TRUE = Formula.of(PREFIX, CLAUSES)
FALSE = Formula.of(PREFIX, [*CLAUSES, [2, -3]])
SECONDS = 10.0


@dataclass(frozen=True)
class Examined:
    """A program, where it is, and whether it works: `works`, `broken` or `missing`."""

    program: Program
    path: str | None
    version: str | None
    status: str
    detail: str | None

    @property
    def remark(self) -> str:
        """A short remark for the list of programs: what is wrong, or what to do."""
        if self.status == "works":
            return f"{self.program.title}; {self.program.licence}"
        return self.detail or ""

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.program.name,
            "title": self.program.title,
            "kind": "preprocessor" if self.program.preprocesses else "solver",
            "status": self.status,
            "version": self.version,
            "path": self.path,
            "options": shlex.join(self.program.options) or None,
            "formats": list(self.program.formats),
            "licence": self.program.licence,
            "install": self.program.install or None,
            "detail": self.detail,
        }


def examine(program: Program) -> Examined:
    """Find a program, ask its version, and try it. Never raises, whatever the program does."""
    path, version = program.find(), None
    if path is None:
        return Examined(program, None, None, "missing", program.remedy)
    try:
        version = program.version(path)
        trouble = _trouble(program)
    except (UserError, OSError) as error:
        trouble = str(error)
    return Examined(program, path, version, "broken" if trouble else "works", trouble)


def _trouble(program: Program) -> str | None:
    """What is wrong with a program; None if it passes."""
    for formula, truth in ((TRUE, True), (FALSE, False)):
        answer, reason, failure = _tried(program, formula)
        if reason is Reason.TIME:
            return f"it did not end within {SECONDS:g} seconds"
        if failure is not None:
            return failure
        if answer not in (None, truth):
            return f"it says {answer} of a formula that is {truth}".lower()
    return None


def _tried(program: Program, formula: Formula) -> tuple[bool | None, Reason | None, str | None]:
    """A program's answer for a formula, why it was stopped, and what went wrong."""
    budget = Budget(Limit(SECONDS))
    if program.preprocesses:
        step = preprocess(program, Reduced(formula), budget)
        return step.reduced.truth, step.reason, step.failure
    solved = Pipeline((), program).solve(formula, budget)
    if solved.truth is None:
        reason = solved.reason.value if solved.reason else "no answer"
        return None, solved.reason, solved.message or reason
    return solved.truth, None, None
