"""Quantified formulas: variables, prefix, clauses, circuits, files. Nothing here knows of games."""

from skolemate.formula.circuit import Circuit, CircuitBuilder, equal, less_than
from skolemate.formula.formula import (
    FALSE,
    TRUE,
    Block,
    Builder,
    Formula,
    Legend,
    Literals,
    Part,
    Quantifier,
    Sizes,
    constants,
)

__all__ = [
    "FALSE",
    "TRUE",
    "Block",
    "Builder",
    "Circuit",
    "CircuitBuilder",
    "Formula",
    "Legend",
    "Literals",
    "Part",
    "Quantifier",
    "Sizes",
    "constants",
    "equal",
    "less_than",
]
