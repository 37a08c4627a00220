"""Simplification of formulas before they are solved; the native code is `src/engine/simplify.hpp`.

The outermost block is kept if it is ∃: a winning move can be read off the simplified formula. What
each rule does, and under which condition, is told in the native code.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from skolemate.formula.formula import Block, Formula, Quantifier, merged
from skolemate.limits import Budget, watched

MODULE = "skolemate.formula._simplify"  # is missing where no compiler was
# Besides universal reduction, unit clauses and clauses with x and ¬x, which are always dealt with.
RULES = ("pure", "subsumption", "equivalence", "elimination", "blocked")


@dataclass(frozen=True, eq=False)
class Simplified:
    """A formula, and the values of variables of the original's outermost ∃ block that are settled.

    A solution of its outermost block, together with these values, solves the original's outermost
    block; variables that have neither may have any value.
    """

    formula: Formula
    values: dict[int, bool]
    cpu_seconds: float


def simplified(
    formula: Formula, rules: Iterable[str] = RULES, budget: Budget | None = None
) -> Simplified:
    """An equivalent formula with no more clauses; the variables keep their numbers.

    Needs the compiled module. Raises OutOfBudget.

    >>> formula = Formula.of([("e", [1, 2]), ("a", [3]), ("e", [4])], [[1], [-1, 2, 4], [3, -4]])
    >>> simple = simplified(formula)
    >>> simple.formula.constant, simple.values
    (True, {1: True, 2: True})
    """
    from skolemate.formula._simplify import Simplifier

    prefix = [(b.quantifier is Quantifier.FORALL, b.variables) for b in formula.prefix]
    simplifier = Simplifier(prefix, list(rules))

    def work() -> float:
        simplifier.run(formula.literals, formula.offsets)
        return time.thread_time()  # of this work alone: the thread is its own

    cpu_seconds = watched(work, simplifier.stop, budget or Budget())
    literals, offsets = simplifier.clauses()
    used = np.zeros(formula.maximal_variable + 1, bool)
    used[np.abs(literals)] = True
    blocks = (Block(b.quantifier, b.variables[used[b.variables]]) for b in formula.prefix)
    values = {abs(literal): literal > 0 for literal in simplifier.settled().tolist()}
    simple = Formula(merged(blocks), literals, offsets, formula.legend)
    return Simplified(simple, values, cpu_seconds)
