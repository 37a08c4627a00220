"""Quantified formulas: variables, prefix, clauses, circuits, files. Games are unknown here."""

from skolemate.formula.builder import FALSE, TRUE, Builder, constants
from skolemate.formula.circuit import Circuit
from skolemate.formula.circuit_builder import CircuitBuilder
from skolemate.formula.formula import Block, Formula, Literals, Quantifier, Sizes
from skolemate.formula.variables import Legend

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
    "Quantifier",
    "Sizes",
    "constants",
]
