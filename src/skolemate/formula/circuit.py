"""Quantified circuits: a prefix and a network of gates, kept flat in numpy arrays.

Variables are numbered 1..n in the order of the prefix, gates from n + 1 on, each behind the gates
that it reads. A literal is the number of a variable or gate, or its negation. The inputs of gate i
(counted from 0) are `inputs[offsets[i]:offsets[i + 1]]`. Gates are made by `CircuitBuilder`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from skolemate.formula.builder import FALSE, TRUE
from skolemate.formula.formula import Block, Literals, Numbers
from skolemate.formula.variables import Legend

__all__ = ["Circuit"]

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Circuit:
    """Prefix, gates and the literal that must be true: TRUE or FALSE if the circuit is decided.

    No gate has an input twice, an input and its negation, fewer than two inputs, or the inputs of
    another gate; none is there in vain. The output is negative only if it is a variable's.
    """

    prefix: tuple[Block, ...]
    conjunctive: Flags  # of each gate: whether it is an "and"; the others are "or"
    inputs: Literals
    offsets: Numbers
    output: int
    legend: Legend = field(default_factory=Legend)

    @property
    def variable_count(self) -> int:
        return sum(len(block.variables) for block in self.prefix)

    @property
    def gate_count(self) -> int:
        return len(self.conjunctive)

    @property
    def outermost(self) -> Block | None:
        return self.prefix[0] if self.prefix else None

    @property
    def constant(self) -> bool | None:
        """The truth value where it can be read off."""
        return {int(TRUE): True, int(FALSE): False}.get(self.output)

    def gates_of(self, literals: Literals) -> Numbers:
        """The gates that literals stand for, counted from 0; negative numbers for variables."""
        return np.abs(literals).astype(np.int64) - (self.variable_count + 1)

    def inputs_of(self, gates: Numbers) -> tuple[Literals, Numbers]:
        """The inputs of some gates, one gate after another, and how many each has."""
        starts, lengths = self.offsets[gates], np.diff(self.offsets)[gates]
        begins = np.cumsum(lengths) - lengths
        places = np.arange(lengths.sum()) + np.repeat(starts - begins, lengths)
        return self.inputs[places], lengths

    def used_by(self, literals: Literals) -> Flags:
        """Of each gate, whether these literals depend on it; found wave by wave."""
        used = np.zeros(self.gate_count, bool)
        while len(literals):
            gates = np.unique(self.gates_of(literals))
            gates = gates[gates >= 0]
            fresh = gates[~used[gates]]
            used[fresh] = True
            literals, _ = self.inputs_of(fresh)
        return used
