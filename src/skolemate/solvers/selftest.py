"""Is a program installed, and does it work? It is tried on a true and on a false formula."""

import shlex
from dataclasses import dataclass
from typing import Any

from skolemate.errors import UserError
from skolemate.formula import Formula
from skolemate.limits import Limit, Reason
from skolemate.solvers.pipeline import Pipeline, Reduced, preprocess
from skolemate.solvers.program import Program

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
    limit = Limit(SECONDS)
    if program.preprocesses:
        step = preprocess(program, Reduced(formula), limit)
        return step.reduced.truth, step.reason, step.failure
    solved = Pipeline((), program).solve(formula, limit)
    if solved.truth is None:
        reason = solved.reason.value if solved.reason else "no answer"
        return None, solved.reason, solved.message or reason
    return solved.truth, None, None
