"""Trying solvers on formulas with known answers, and minimising one on which a solver is wrong.

A formula is decided by the definition of ∃ and ∀ if it is small, else by another solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle
from random import Random
from typing import Any

from skolemate.errors import UserError
from skolemate.formula import Formula, Quantifier
from skolemate.formula.formula import bound_variables
from skolemate.formula.qdimacs import to_qdimacs
from skolemate.limits import Budget, Limit
from skolemate.solvers.pipeline import Pipeline, Reduced, preprocess
from skolemate.solvers.program import PROGRAMS, Program

Clauses = list[list[int]]
Prefix = list[tuple[str, list[int]]]

SECONDS = 10.0  # for one formula
MINIMISING = 60.0  # seconds in all
SMALL = 16  # variables that the definition can be applied to
EACH = 20  # small formulas of each answer
LONG = 2000  # variables of the long formulas
REFEREES = ("depqbf", "caqe", "rareqs", "qute")


# --- formulas with a known answer -----------------------------------------------------------------


def truth_of(formula: Formula) -> bool:
    """The truth value by the definition: one value is enough for ∃, ∀ needs both.

    >>> truth_of(Formula.of([("a", [1]), ("e", [2])], [[1, 2], [-1, -2]]))
    True
    >>> truth_of(Formula.of([("e", [2]), ("a", [1])], [[1, 2], [-1, -2]]))
    False
    """
    order = [(block.quantifier, v) for block in formula.prefix for v in block.variables.tolist()]

    def holds(place: int, clauses: Clauses) -> bool:
        if not clauses or [] in clauses:
            return not clauses
        quantifier, variable = order[place]
        sides = (
            holds(place + 1, [[x for x in c if x != -value] for c in clauses if value not in c])
            for value in (variable, -variable)
        )
        return any(sides) if quantifier is Quantifier.EXISTS else all(sides)

    return holds(0, [clause.tolist() for clause in formula.clauses()])


def known_formulas() -> Iterator[tuple[Formula, bool]]:
    """Formulas, true and false in turn, that no program may skip; the last two are long."""
    random, wanted = Random(0), cycle((True, False))
    truth, found = next(wanted), 0
    while found < 2 * EACH:
        formula = _random_formula(random)
        if Reduced.of(formula).truth is None and truth_of(formula) is truth:
            yield formula, truth
            truth, found = next(wanted), found + 1
    # ∀u ∃x with u = x1 = x2 = …; the false one also wants the last x to be true.
    chain = [[sign * x, -sign * (x + 1)] for x in range(1, LONG) for sign in (1, -1)]
    prefix = [("a", [1]), ("e", list(range(2, LONG + 1)))]
    yield Formula.of(prefix, chain), True
    yield Formula.of(prefix, [*chain, [LONG]]), False


def _random_formula(random: Random) -> Formula:
    names = random.sample(range(1, random.choice((20, 1000))), 8)
    prefix: Prefix = []
    quantifier = random.choice("ea")
    while names:
        size = random.randint(1, 3)
        block, names = names[:size], names[size:]
        prefix.append((quantifier, block))
        quantifier = "a" if quantifier == "e" else "e"
    variables = [v for _, block in prefix for v in block]
    clauses = [
        [random.choice((v, -v)) for v in random.sample(variables, random.randint(2, 4))]
        for _ in range(random.randint(8, 20))
    ]
    return Formula.of(prefix, clauses)


# --- trying ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trial:
    """How a program did: the number of right answers, and its first wrong one, minimised."""

    program: Program
    right: int
    asked: int
    trouble: str | None = None
    formula: Formula | None = None

    @property
    def status(self) -> str:
        return "right" if self.trouble is None else "fails" if self.formula is None else "WRONG"

    @property
    def text(self) -> str | None:
        """The formula as QDIMACS."""
        return None if self.formula is None else to_qdimacs(self.formula)

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.program.name,
            "status": self.status,
            "right": self.right,
            "asked": self.asked,
            "detail": self.trouble,
            "formula": self.text,
        }


def tried(program: Program) -> Trial:
    """Try a program on the known formulas, up to its first wrong answer."""
    formulas = list(known_formulas())
    right, trouble = 0, None
    for formula, truth in formulas:
        try:
            answer, message = _answer(program, formula)
        except (UserError, OSError) as error:
            answer, message = None, str(error)
        if answer is None:
            trouble = trouble or message
        elif answer is truth:
            right += 1
        else:
            said = f"it says {answer} of a formula that is {truth}".lower()
            small = minimised(formula, lambda f: contradicts(f, _answer(program, f)[0], program))
            return Trial(program, right, len(formulas), said, small)
    return Trial(program, right, len(formulas), trouble)


def _answer(program: Program, formula: Formula) -> tuple[bool | None, str]:
    """A program's answer, or why there is none; of a preprocessor the truth of what it leaves."""
    budget = Budget(Limit(SECONDS))
    if program.preprocesses:
        step = preprocess(program, Reduced.of(formula), budget)
        left = None if step.failure else judged(step.reduced.formula, program)
        return left, step.failure or "the formula that it writes is too large to check"
    solved = Pipeline((), program).solve(formula, budget)
    return solved.truth, solved.message or (solved.reason.value if solved.reason else "no answer")


def judged(formula: Formula, *suspects: Program) -> bool | None:
    """The truth of a formula, by its definition or by a solver that is not suspected."""
    reduced = Reduced.of(formula)
    if reduced.truth is not None:
        return reduced.truth
    if len(bound_variables(reduced.formula.prefix)) <= SMALL:
        return truth_of(reduced.formula)
    for name in REFEREES:
        referee = PROGRAMS[name]
        if referee not in suspects and referee.find() is not None:
            return Pipeline((), referee).solve(formula, Budget(Limit(SECONDS))).truth
    return None


def contradicts(formula: Formula, answer: bool | None, *suspects: Program) -> bool:
    """Whether an answer is wrong for sure."""
    return answer is not None and judged(formula, *suspects) is (not answer)


# --- minimising -----------------------------------------------------------------------------------
# Delta debugging (Zeller and Hildebrandt 2002): leave out ever smaller parts for as long as the
# answer stays wrong. First clauses, then variables, then single literals.


def minimised(
    formula: Formula, is_wrong: Callable[[Formula], bool], seconds: float = MINIMISING
) -> Formula:
    """A smaller formula on which a solver is still wrong; the formula itself if there is none."""
    budget = Budget(Limit(seconds))
    prefix = [(block.quantifier.value, block.variables.tolist()) for block in formula.prefix]
    clauses = [clause.tolist() for clause in formula.clauses()]

    def fails(candidate: Clauses) -> bool:
        return budget.exceeded is None and is_wrong(_over(prefix, candidate))

    before = None
    while clauses != before and budget.exceeded is None:
        before = clauses
        clauses = _fewest(clauses, fails)
        for variable in sorted({abs(x) for clause in clauses for x in clause}):
            without = [[x for x in clause if abs(x) != variable] for clause in clauses]
            if fails(without):
                clauses = without
        for place, clause in enumerate(clauses):
            for literal in clause:
                shorter = [x for x in clauses[place] if x != literal]
                candidate = [*clauses[:place], shorter, *clauses[place + 1 :]]
                if fails(candidate):
                    clauses = candidate
    return formula if before is None else _over(prefix, clauses)


def _fewest(clauses: Clauses, fails: Callable[[Clauses], bool]) -> Clauses:
    """The clauses without parts that are not needed: halves first, single clauses last."""
    size = len(clauses) // 2
    while size:
        start = 0
        while start < len(clauses):
            rest = clauses[:start] + clauses[start + size :]
            if fails(rest):
                clauses = rest
            else:
                start += size
        size //= 2
    return clauses


def _over(prefix: Prefix, clauses: Clauses) -> Formula:
    """Clauses under the part of a prefix that they use."""
    used = {abs(x) for clause in clauses for x in clause}
    blocks = [(quantifier, [v for v in block if v in used]) for quantifier, block in prefix]
    return Formula.of([(quantifier, block) for quantifier, block in blocks if block], clauses)
