"""Quantified Boolean formulas in prenex conjunctive form, kept flat in numpy arrays.

A variable is a positive int32, a literal a variable or its negation. Clauses lie one after
another in `literals`; clause i is `literals[offsets[i]:offsets[i + 1]]`. Games are unknown here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from skolemate.formula.variables import Legend

__all__ = [
    "Block",
    "Formula",
    "Literals",
    "Numbers",
    "Quantifier",
    "Sizes",
    "bound_variables",
    "merged",
    "offsets_of",
]

Literals = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]  # of clauses or gates, offsets, lengths


class Quantifier(Enum):
    EXISTS = "e"
    FORALL = "a"


@dataclass(frozen=True, eq=False)
class Block:
    """Variables under one quantifier."""

    quantifier: Quantifier
    variables: Literals


@dataclass(frozen=True)
class Sizes:
    """How large a formula is, as the papers count it."""

    blocks: int
    universals: int
    existentials: int
    clauses: int
    literals: int
    by_length: dict[int, int] = field(hash=False)
    gates: int | None = None  # of the circuit that the clauses were made of

    @property
    def variables(self) -> int:
        return self.universals + self.existentials

    def as_json(self) -> dict[str, Any]:
        return {
            "blocks": self.blocks,
            "universals": self.universals,
            "existentials": self.existentials,
            "variables": self.variables,
            "clauses": self.clauses,
            "literals": self.literals,
            "gates": self.gates,
            "clauses_by_length": {str(length): n for length, n in self.by_length.items()},
        }


@dataclass(frozen=True, eq=False)
class Formula:
    """A prefix and clauses. No clause at all: true; an empty clause: false.

    >>> formula = Formula.of([("e", [1]), ("a", [2])], [[1, -2], [1, 2]])
    >>> formula.sizes.blocks, [clause.tolist() for clause in formula.clauses()]
    (2, [[1, -2], [1, 2]])
    """

    prefix: tuple[Block, ...]
    literals: Literals
    offsets: Numbers
    legend: Legend = field(default_factory=Legend)

    @classmethod
    def of(
        cls, prefix: Iterable[tuple[str, Iterable[int]]], clauses: Iterable[Iterable[int]]
    ) -> Formula:
        """A formula from plain lists, for tests and small things."""
        blocks = merged(
            Block(Quantifier(letter), np.fromiter(variables, np.int32))
            for letter, variables in prefix
        )
        rows = [list(clause) for clause in clauses]
        return cls(
            blocks,
            np.array([literal for row in rows for literal in row], np.int32),
            offsets_of([len(row) for row in rows]),
        )

    @property
    def clause_count(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def maximal_variable(self) -> int:
        tops = [int(block.variables.max()) for block in self.prefix]
        return max(tops, default=0)

    @property
    def constant(self) -> bool | None:
        """The truth value where it can be read off: no clause, or an empty one."""
        if self.clause_count == 0:
            return True
        return False if (np.diff(self.offsets) == 0).any() else None

    @property
    def outermost(self) -> Block | None:
        return self.prefix[0] if self.prefix else None

    def clauses(self) -> Iterator[Literals]:
        for start, end in zip(self.offsets[:-1], self.offsets[1:], strict=True):
            yield self.literals[start:end]

    @property
    def sizes(self) -> Sizes:
        counts = dict.fromkeys(Quantifier, 0)
        for block in self.prefix:
            counts[block.quantifier] += len(block.variables)
        lengths, times = np.unique(np.diff(self.offsets), return_counts=True)
        return Sizes(
            blocks=len(self.prefix),
            universals=counts[Quantifier.FORALL],
            existentials=counts[Quantifier.EXISTS],
            clauses=self.clause_count,
            literals=len(self.literals),
            by_length=dict(zip(lengths.tolist(), times.tolist(), strict=True)),
        )


def offsets_of(*lengths: npt.ArrayLike) -> Numbers:
    """Where each row begins if rows of these lengths lie one after another, and the end.

    >>> offsets_of([2, 1], [3]).tolist()
    [0, 2, 3, 6]
    """
    return np.cumsum(np.concatenate([[0], *(np.asarray(part, np.int64) for part in lengths)]))


def bound_variables(prefix: Iterable[Block]) -> Literals:
    """The variables of some blocks, in order."""
    return np.concatenate([np.zeros(0, np.int32), *(block.variables for block in prefix)])


def merged(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Blocks without empty ones, neighbours under the same quantifier joined."""
    joined: list[Block] = []
    for block in blocks:
        if not len(block.variables):
            continue
        if joined and joined[-1].quantifier is block.quantifier:
            variables = np.concatenate([joined[-1].variables, block.variables])
            joined[-1] = Block(block.quantifier, variables)
        else:
            joined.append(block)
    return tuple(joined)
