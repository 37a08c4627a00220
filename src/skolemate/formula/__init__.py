"""Quantified formulas: variables, prefix, clauses, passes, files. Games are unknown here."""

from skolemate.formula.builder import FALSE, TRUE, Builder, constants
from skolemate.formula.formula import Block, Formula, Literals, Quantifier, Sizes
from skolemate.formula.variables import Legend

__all__ = [
    "FALSE",
    "TRUE",
    "Block",
    "Builder",
    "Formula",
    "Legend",
    "Literals",
    "Quantifier",
    "Sizes",
    "constants",
]
