"""Solvers: programs that decide formulas, run as separate processes. They know no games."""

from skolemate.solvers.pipeline import Pipeline, Reduced, Solved, preprocess
from skolemate.solvers.program import PROGRAMS, Program

__all__ = ["PROGRAMS", "Pipeline", "Program", "Reduced", "Solved", "preprocess"]
