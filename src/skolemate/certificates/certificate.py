"""A certificate: who claims what, and a function for each variable of the one who claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from skolemate.certificates.aig import Aig
from skolemate.formula import Formula, Quantifier

__all__ = ["Certificate", "blocks_of", "graph_for", "variables_of"]


@dataclass(frozen=True, eq=False)
class Certificate:
    """Skolem functions if the formula is `true`, Herbrand functions if not.

    The inputs of the graph are the variables of the other quantifier. Variables are numbered as in
    the formula.
    """

    true: bool
    graph: Aig
    functions: Mapping[int, int]

    @property
    def size(self) -> int:
        """The number of gates on which some function depends."""
        used = self.graph.cone(self.functions.values())
        return sum(node >= self.graph.first_gate for node in used)


def variables_of(formula: Formula, quantifier: Quantifier) -> list[int]:
    """The variables under a quantifier, outermost first."""
    blocks = (block for block in formula.prefix if block.quantifier is quantifier)
    return [variable for block in blocks for variable in block.variables.tolist()]


def blocks_of(formula: Formula) -> dict[int, int]:
    """The number of the block of every variable."""
    return {
        variable: number
        for number, block in enumerate(formula.prefix)
        for variable in block.variables.tolist()
    }


def graph_for(formula: Formula, true: bool) -> Aig:
    """An empty graph over the variables that a certificate may read."""
    quantifier = Quantifier.FORALL if true else Quantifier.EXISTS
    return Aig(variables_of(formula, quantifier), blocks_of(formula))
