"""Clauses as a circuit: a conjunction of disjunctions, for programs that read circuits only."""

from __future__ import annotations

import numpy as np

from skolemate.formula.circuit import Circuit
from skolemate.formula.circuit_builder import CircuitBuilder
from skolemate.formula.formula import Formula, bound_variables

__all__ = ["as_circuit"]


def as_circuit(formula: Formula) -> Circuit:
    """The clauses as gates over the same variables, which must be 1..n in the prefix's order.

    >>> circuit = as_circuit(Formula.of([("e", [1, 2])], [[1, 2], [-1, 2]]))
    >>> circuit.gate_count, circuit.output
    (3, 5)
    """
    numbers = bound_variables(formula.prefix)
    if not np.array_equal(numbers, np.arange(1, len(numbers) + 1)):
        raise ValueError("the variables are not numbered in the order of the prefix; compact them")
    builder = CircuitBuilder.over(formula.prefix, formula.legend)
    lengths = np.diff(formula.offsets)
    for length in np.unique(lengths).tolist():
        starts = formula.offsets[:-1][lengths == length]
        builder.add([formula.literals[starts[:, None] + np.arange(length)]])
    return builder.circuit()
