"""Pipelines: any number of preprocessors, then a solver, written as they run: `bloqqer+caqe`.

A circuit reaches a solver that reads QCIR as it is, unless a preprocessor comes first; all others
get clauses. A solver that reads only QCIR gets clauses as a circuit.

Whatever a preprocessor does, the outcome is over the original formula's outermost variables.
An answer is believed only if the exit code and the text agree; everything else is an error that
keeps what the program said. A preprocessor that fails is left out, with a note, and is not named
among those that have answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from threading import Event

from skolemate.errors import UserError, brief
from skolemate.formula import Circuit, Formula, Quantifier
from skolemate.formula.clausal import as_circuit
from skolemate.formula.passes import compacted
from skolemate.formula.tseitin import tseitin
from skolemate.limits import Budget, Limit, Reason
from skolemate.solvers.files import formula_file
from skolemate.solvers.preprocess import Reduced, preprocess
from skolemate.solvers.process import Outcome, run
from skolemate.solvers.program import PROGRAMS, Program
from skolemate.solvers.reading import read_answer, read_assignment

__all__ = ["Pipeline", "Solved"]


@dataclass(frozen=True)
class Solved:
    """The truth of a formula, if it was found, with values of its outermost ∃ block.

    A variable without a value is free, or the programs did not tell it.
    """

    truth: bool | None
    by: str = ""  # the programs that have led to it; none if the formula needs none
    outer: Mapping[int, bool] = field(default_factory=dict)
    reason: Reason | None = None
    message: str = ""
    notes: tuple[str, ...] = ()
    outcome: Outcome | None = None  # of the solver: the evidence, if something went wrong
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0


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
        """Raise an error that names the first program that is not there."""
        for program in (*self.preprocessors, self.solver):
            program.require()

    @property
    def takes_circuits(self) -> bool:
        """Whether a circuit reaches the solver as it is: preprocessors read clauses."""
        return not self.preprocessors and "qcir" in self.solver.formats

    def solve(
        self, stated: Formula | Circuit, limit: Limit | None = None, cancel: Event | None = None
    ) -> Solved:
        """Decide a formula or circuit within limits."""
        self.require()
        budget = Budget(limit or Limit(), cancel)
        if isinstance(stated, Circuit) and self.takes_circuits and stated.constant is None:
            found = self._run_solver(stated, budget)
        else:
            formula = tseitin(stated) if isinstance(stated, Circuit) else stated
            found = self._solve(Reduced.of(formula), budget)
        outermost = stated.outermost
        outer: dict[int, bool] = {}
        if found.truth and outermost and outermost.quantifier is Quantifier.EXISTS:
            variables = set(outermost.variables.tolist())
            outer = {v: value for v, value in found.outer.items() if v in variables}
        return replace(found, outer=outer, wall_seconds=budget.wall_seconds)

    def _solve(self, reduced: Reduced, budget: Budget) -> Solved:
        notes: list[str] = []
        names: list[str] = []
        cpu, peak = 0.0, 0
        for program in self.preprocessors:
            if reduced.truth is not None:
                break
            step = preprocess(program, reduced, budget.remaining(), budget.cancel)
            cpu, peak = cpu + step.cpu_seconds, max(peak, step.peak_bytes)
            if step.reason in (Reason.TIME, Reason.CANCELLED):
                return Solved(None, reason=step.reason, cpu_seconds=cpu, peak_bytes=peak)
            if step.failure is None:
                names.append(program.name)
            else:
                notes.append(f"{program.name} was left out: {step.failure}")
            reduced = step.reduced
        if reduced.truth is None:
            found = self._run_on_clauses(reduced.formula, budget)
            names.append(found.by)
            cpu, peak = cpu + found.cpu_seconds, max(peak, found.peak_bytes)
        else:
            found = Solved(reduced.truth)
        outer = {**found.outer, **reduced.values} if reduced.keeps_outer else {}
        return replace(
            found,
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
        found = self._run_solver(as_circuit(compact.formula), budget)
        names = compact.originals
        outer = {int(names[v]): value for v, value in found.outer.items() if v < len(names)}
        return replace(found, outer=outer)

    def _run_solver(self, stated: Formula | Circuit, budget: Budget) -> Solved:
        path = self.solver.require()
        with formula_file(stated) as file:
            command = self.solver.command(path, file, outer=True)
            outcome = run(command, budget.remaining(), budget.cancel)
        solved = Solved(
            None,
            by=self.solver.name,
            outcome=outcome,
            cpu_seconds=outcome.cpu_seconds,
            peak_bytes=outcome.peak_bytes,
        )
        codes = self.solver.exit_codes
        said = read_answer(outcome.stdout, alone=codes[0] == codes[1])
        if outcome.ended and said is not None and outcome.code == codes[0 if said else 1]:
            return replace(solved, truth=said, outer=read_assignment(outcome.stdout))
        if outcome.stopped is not None:
            return replace(solved, reason=outcome.stopped)
        told = outcome.complaint()
        if outcome.ended and outcome.code in codes:
            words = {True: "the formula is true", False: "it is false", None: "nothing clear"}
            told = f"its exit code is {outcome.code}, but its text says: {words[said]}"
        return replace(
            solved, reason=Reason.SOLVER_ERROR, message=f"{self.solver.name} failed: {told}"
        )
