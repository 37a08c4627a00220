"""Building formulas: quantify groups of variables, state families of clauses.

A family of clauses is stated once, over arrays: the literals of clause i are the i-th entries
of each part. Parts are broadcast against each other, so a single literal or a row serves a whole
table. A part in brackets contributes all literals along its last axis:

    builder.add(-before, after)              # one clause (¬before[i] ∨ after[i]) for each i
    builder.add(-win, [cells])               # (¬win[i] ∨ cells[i, 0] ∨ cells[i, 1] ∨ …)

Constants may stand among the literals: a clause with TRUE is left out, FALSE leaves its clause.
That is the only simplification made here.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
import numpy.typing as npt

from skolemate.formula.formula import (
    Block,
    Formula,
    Literals,
    Numbers,
    Quantifier,
    merged,
    offsets_of,
)
from skolemate.formula.variables import Legend
from skolemate.limits import breathe

__all__ = ["FALSE", "TRUE", "Builder", "Part", "PrefixBuilder", "constants", "table_of"]

TRUE = np.int32(2**30)
FALSE = np.int32(-(2**30))  # the negation of TRUE, so that `-literals` negates constants too

Part = npt.NDArray[np.int32] | np.int32 | int | list[Literals]  # in brackets: along the last axis


def constants(value: np.int32, *shape: int) -> Literals:
    """An array of one constant, where an encoder has no variable."""
    return np.full(shape, value, np.int32)


def table_of(parts: Sequence[Part]) -> Literals:
    """The parts of a family side by side along the last axis; see the module's docstring."""
    breathe()
    columns = [
        part[0] if isinstance(part, list) else np.asarray(part, np.int32)[..., None]
        for part in parts
    ]
    shape = np.broadcast_shapes(*(column.shape[:-1] for column in columns))
    return np.concatenate(
        [np.broadcast_to(column, (*shape, column.shape[-1])) for column in columns], axis=-1
    )


class PrefixBuilder:
    """Collects the blocks of a prefix, outermost first, and names their variables."""

    def __init__(self) -> None:
        self._legend = Legend()
        self._blocks: list[Block] = []

    def exists(self, name: str, *axes: Sequence[str]) -> Literals:
        """New variables in a block ∃ inside all blocks so far."""
        return self._quantified(Quantifier.EXISTS, name, axes)

    def forall(self, name: str, *axes: Sequence[str]) -> Literals:
        """New variables in a block ∀ inside all blocks so far."""
        return self._quantified(Quantifier.FORALL, name, axes)

    def _quantified(
        self, quantifier: Quantifier, name: str, axes: Sequence[Sequence[str]]
    ) -> Literals:
        variables = self._legend.allocate(name, *axes)
        self._blocks.append(Block(quantifier, variables.reshape(-1)))
        return variables


class Builder(PrefixBuilder):
    """Collects the blocks and the clauses of one formula.

    >>> builder = Builder()
    >>> x = builder.exists("x", ["a", "b"])
    >>> y = builder.forall("y", ["a", "b"])
    >>> builder.add(x, -y)
    >>> [clause.tolist() for clause in builder.formula().clauses()]
    [[1, -3], [2, -4]]
    """

    def __init__(self) -> None:
        super().__init__()
        self._literals: list[Literals] = []
        self._lengths: list[Numbers] = []

    def add(self, *parts: Part) -> None:
        """State a family of clauses; see the module's docstring."""
        table = table_of(parts)
        self._append(table.reshape(prod(table.shape[:-1]), table.shape[-1]))

    def _append(self, table: Literals) -> None:
        table = table[~(table == TRUE).any(axis=1)]
        kept = table != FALSE
        self._literals.append(table[kept])
        self._lengths.append(kept.sum(axis=1, dtype=np.int64))

    def formula(self) -> Formula:
        """What has been stated so far."""
        literals = np.concatenate([np.zeros(0, np.int32), *self._literals])
        return Formula(merged(self._blocks), literals, offsets_of(*self._lengths), self._legend)
