"""Passes: stateless functions from formula to formula, applied only where somebody asks."""

from __future__ import annotations

import numpy as np

from skolemate.formula.formula import Formula, Quantifier

__all__ = ["reduced_universally"]


def reduced_universally(formula: Formula) -> Formula:
    """The formula without an innermost ∀ block: its variables can only falsify a clause."""
    prefix = formula.prefix
    if not prefix or prefix[-1].quantifier is Quantifier.EXISTS:
        return formula
    kept = ~np.isin(np.abs(formula.literals), prefix[-1].variables)
    before = np.concatenate([[0], np.cumsum(kept, dtype=np.int64)])
    return Formula(prefix[:-1], formula.literals[kept], before[formula.offsets], formula.legend)
