"""Listed winning sets and a witness (Shaik et al. 2023, Definition 5): for LA and SA."""

from __future__ import annotations

import numpy as np

from skolemate.encodings.parts.codes import bit_labels, matching
from skolemate.encodings.parts.set_problem import SetProblem
from skolemate.formula import TRUE, CircuitBuilder, Literals

__all__ = ["witness_set"]


def witness_set(builder: CircuitBuilder, problem: SetProblem) -> Literals:
    """Quantify a witness and state that it is a winning set. Returns its cells, one row a cell.

    As many cells as the largest set has: for smaller sets the others are free, and may repeat one.
    """
    cells, sets = len(problem.cells), problem.black_sets
    table = problem.table(sets, cells)
    labels = [f"cell{number}" for number in range(table.shape[1])]
    witness = builder.exists("witness", labels, bit_labels(cells))
    named = np.stack([builder.all_of([matching(bits, cells)]) for bits in witness], axis=1)
    named = np.append(named, np.full((1, len(witness)), TRUE), axis=0)  # what no cell stands for
    builder.add([builder.all_of([named[table, np.arange(len(witness))]])])
    return witness
