"""Small formulas to test with: as plain lists, at random, by truth table."""

from __future__ import annotations

import random

import numpy as np

from skolemate.formula import Block, Formula
from skolemate.formula.formula import merged


def clauses(formula: Formula) -> list[list[int]]:
    return [clause.tolist() for clause in formula.clauses()]


def prefix(formula: Formula) -> list[tuple[str, list[int]]]:
    return [(block.quantifier.value, block.variables.tolist()) for block in formula.prefix]


def without_unused(formula: Formula) -> Formula:
    """The prefix without variables that occur in no clause: their values decide nothing."""
    used = np.unique(np.abs(formula.literals))
    blocks = [
        Block(block.quantifier, block.variables[np.isin(block.variables, used)])
        for block in formula.prefix
    ]
    return Formula(merged(blocks), formula.literals, formula.offsets, formula.legend)


def random_formula(rng: random.Random) -> Formula:
    """A small formula with anything that may occur: gaps in the numbering, units, an innermost
    ∀, repeated literals, tautologies, unused variables, sometimes no clause or an empty one."""
    variables = rng.sample(range(1, 15), rng.randint(1, 8))
    blocks = [(rng.choice("eea"), [variable]) for variable in variables]
    lengths = rng.choices([1, 2, 3, 4, 5], [1, 3, 4, 3, 2], k=rng.randint(0, 12))
    if rng.random() < 0.02:
        lengths.append(0)
    rows = [[rng.choice([-1, 1]) * rng.choice(variables) for _ in range(n)] for n in lengths]
    return Formula.of(blocks, rows)


def dense_formula(rng: random.Random) -> Formula:
    """A formula that is not decided at once: short clauses, most variables in both signs."""
    variables = rng.sample(range(1, 13), rng.randint(5, 10))
    universal = rng.choice([0.15, 0.3, 0.5])
    blocks = [("a" if rng.random() < universal else "e", [variable]) for variable in variables]
    lengths = [rng.choice([2, 3, 3, 4]) for _ in range(rng.randint(4, 3 * len(variables)))]
    rows = [[rng.choice([-1, 1]) * v for v in rng.sample(variables, n)] for n in lengths]
    return Formula.of(blocks, rows)


def by_table(formula: Formula, fixed: frozenset[int] = frozenset()) -> bool:
    """The truth value from the table of all assignments, one axis a variable."""
    order = [
        (block.quantifier.value, int(variable))
        for block in formula.prefix
        for variable in block.variables
    ]
    axis = {variable: place for place, (_, variable) in enumerate(order)}
    index = np.indices((2,) * len(order)).astype(bool)
    truth = np.ones((2,) * len(order), bool)
    for clause in [*clauses(formula), *([literal] for literal in fixed)]:
        satisfied = np.zeros_like(truth)
        for literal in clause:
            satisfied |= index[axis[abs(literal)]] == (literal > 0)
        truth &= satisfied
    for quantifier, _ in reversed(order):
        fold = np.logical_or if quantifier == "e" else np.logical_and
        truth = fold.reduce(truth, axis=-1)
    return bool(truth)
