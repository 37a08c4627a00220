"""Quantified Boolean formulas in prenex conjunctive form, kept flat in numpy arrays.

A variable is a positive int32, a literal a variable or its negation. Clauses lie one after
another in `literals`; clause i is `literals[offsets[i]:offsets[i + 1]]`. Builders state whole
families of clauses over arrays of named variables.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from itertools import chain
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from skolemate.limits import breathe

# --- variables ------------------------------------------------------------------------------------
# Variables come in named groups: `board(black, c3, t5)` is one variable of an array. An encoder
# asks for a group by its name and labelled axes, and works with the array: no arithmetic on the
# numbers of variables. The legend gives every variable its name back.


@dataclass(frozen=True)
class Group:
    """Consecutive variables from `first` on, arranged along labelled axes."""

    name: str
    axes: tuple[tuple[str, ...], ...]
    first: int

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(axis) for axis in self.axes)

    @property
    def count(self) -> int:
        return prod(self.shape)

    def variables(self) -> npt.NDArray[np.int32]:
        numbers = np.arange(self.first, self.first + self.count, dtype=np.int32)
        return numbers.reshape(self.shape)

    def label(self, variable: int) -> str:
        place = np.unravel_index(variable - self.first, self.shape)
        labels = [axis[i] for axis, i in zip(self.axes, place, strict=True)]
        return f"{self.name}({', '.join(labels)})"


@dataclass
class Legend:
    """What the variables of a formula mean; grows while an encoder allocates them.

    >>> legend = Legend()
    >>> legend.allocate("board", ["black", "white"], ["a1", "b1"]).tolist()
    [[1, 2], [3, 4]]
    >>> legend.name(3)
    'board(white, a1)'
    """

    groups: list[Group] = field(default_factory=list)

    @property
    def count(self) -> int:
        last = self.groups[-1] if self.groups else None
        return last.first + last.count - 1 if last else 0

    def allocate(self, name: str, *axes: Sequence[str]) -> npt.NDArray[np.int32]:
        """New variables, one for each combination of labels."""
        group = Group(name, tuple(tuple(axis) for axis in axes), self.count + 1)
        if group.count:
            self.groups.append(group)
        return group.variables()

    def name(self, variable: int) -> str:
        """The name of a variable; its number if no encoder has named it."""
        place = bisect_right(self.groups, variable, key=lambda group: group.first) - 1
        if place < 0 or variable > self.count:
            return f"x{variable}"
        return self.groups[place].label(variable)

    def group_names(self, variables: npt.NDArray[np.int32]) -> list[str]:
        """The names of the groups to which some variables belong, each once."""
        firsts = np.array([group.first for group in self.groups], np.int32)
        places = np.unique(np.searchsorted(firsts, variables, side="right") - 1)
        return list(dict.fromkeys(self.groups[place].name for place in places.tolist()))

    def names(self) -> Iterator[tuple[int, str]]:
        """Every variable with its name, in order."""
        for group in self.groups:
            for variable in range(group.first, group.first + group.count):
                yield variable, group.label(variable)


# --- formulas -------------------------------------------------------------------------------------


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
        """A formula from plain lists, for tests and small formulas."""
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


# --- building -------------------------------------------------------------------------------------
# A family of clauses is stated at once, over arrays: the literals of clause i are the i-th entries
# of each part. Parts are broadcast against each other, so a single literal or a row serves a whole
# table. A part in brackets contributes all literals along its last axis:
#
#     builder.add(-before, after)              # one clause (¬before[i] ∨ after[i]) for each i
#     builder.add(-win, [cells])               # (¬win[i] ∨ cells[i, 0] ∨ cells[i, 1] ∨ …)
#
# Literals may be constants: a clause with TRUE is left out, and FALSE is removed from its clause.
# There is no other simplification of tables.


TRUE = np.int32(2**30)
FALSE = np.int32(-(2**30))  # the negation of TRUE, so that `-literals` negates constants too

Part = npt.NDArray[np.int32] | np.int32 | int | list[Literals]  # in brackets: along the last axis


def constants(value: np.int32, *shape: int) -> Literals:
    """An array of one constant, for an encoder that has no variables there."""
    return np.full(shape, value, np.int32)


def table_of(parts: Sequence[Part]) -> Literals:
    """The parts of a family side by side along the last axis; see the comment on building."""
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
        self._single: list[list[int]] = []
        self._gates: Counter[tuple[str, str]] = Counter()  # how many, by name and label

    def clause(self, *literals: int) -> None:
        """State one clause, for an encoder whose clauses form no tables.

        Literals may repeat; a clause with a literal and its negation is left out.
        """
        different = dict.fromkeys(literals)
        different.pop(int(FALSE), None)
        if TRUE not in different and not any(-literal in different for literal in different):
            self._single.append(list(different))

    def any_of(self, name: str, label: str, literals: Iterable[int]) -> int:
        """A literal that is true exactly if one of these is; a new variable if need be."""
        return self._gate(name, label, literals, 1)

    def all_of(self, name: str, label: str, literals: Iterable[int]) -> int:
        """A literal that is true exactly if all of these are; a new variable if need be."""
        return -self._gate(name, label, [-literal for literal in literals], -1)

    def _gate(self, name: str, label: str, literals: Iterable[int], sign: int) -> int:
        inputs = dict.fromkeys(literals)
        inputs.pop(int(FALSE), None)
        if TRUE in inputs or any(-literal in inputs for literal in inputs):
            return int(TRUE)
        if len(inputs) < 2:
            return next(iter(inputs), int(FALSE))
        self._gates[name, label] += 1
        gate = sign * int(self.exists(name, [label], [str(self._gates[name, label])]).item())
        for literal in inputs:
            self.clause(gate, -literal)
        self.clause(-gate, *inputs)
        return gate

    def add(self, *parts: Part) -> None:
        """State a family of clauses; see the comment on building."""
        table = table_of(parts)
        self._append(table.reshape(prod(table.shape[:-1]), table.shape[-1]))

    def _append(self, table: Literals) -> None:
        table = table[~(table == TRUE).any(axis=1)]
        kept = table != FALSE
        self._literals.append(table[kept])
        self._lengths.append(kept.sum(axis=1, dtype=np.int64))

    def formula(self) -> Formula:
        """The formula of all clauses stated so far."""
        single = np.fromiter(chain.from_iterable(self._single), np.int32)
        literals = np.concatenate([single, *self._literals])
        offsets = offsets_of(list(map(len, self._single)), *self._lengths)
        return Formula(merged(self._blocks), literals, offsets, self._legend)
