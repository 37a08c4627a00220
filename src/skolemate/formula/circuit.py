"""Quantified circuits: a prefix and a network of gates, kept flat in numpy arrays.

Variables are numbered 1..n in the order of the prefix, gates from n + 1 on, each behind the gates
that it reads. A literal is the number of a variable or gate, or its negation. The inputs of gate i
(counted from 0) are `inputs[offsets[i]:offsets[i + 1]]`. Gates are made by `CircuitBuilder`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from skolemate.formula import formula

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Circuit:
    """Prefix, gates and the literal that must be true: TRUE or FALSE if the circuit is decided.

    No gate has an input twice, an input and its negation, fewer than two inputs, or the inputs of
    another gate; the output depends on every gate. It is negative only if it is a variable's.
    """

    prefix: tuple[formula.Block, ...]
    conjunctive: Flags  # of each gate: whether it is an "and"; the others are "or"
    inputs: formula.Literals
    offsets: formula.Numbers
    output: int
    legend: formula.Legend = field(default_factory=formula.Legend)

    @property
    def variable_count(self) -> int:
        return sum(len(block.variables) for block in self.prefix)

    @property
    def gate_count(self) -> int:
        return len(self.conjunctive)

    @property
    def outermost(self) -> formula.Block | None:
        return self.prefix[0] if self.prefix else None

    @property
    def constant(self) -> bool | None:
        """The truth value where it can be read off."""
        return {int(formula.TRUE): True, int(formula.FALSE): False}.get(self.output)

    def gates_of(self, literals: formula.Literals) -> formula.Numbers:
        """The gates that literals stand for, counted from 0; negative numbers for variables."""
        return np.abs(literals).astype(np.int64) - (self.variable_count + 1)

    def inputs_of(self, gates: formula.Numbers) -> tuple[formula.Literals, formula.Numbers]:
        """The inputs of some gates, one gate after another, and how many each has."""
        starts, lengths = self.offsets[gates], np.diff(self.offsets)[gates]
        begins = np.cumsum(lengths) - lengths
        places = np.arange(lengths.sum()) + np.repeat(starts - begins, lengths)
        return self.inputs[places], lengths

    def used_by(self, literals: formula.Literals) -> Flags:
        """For each gate, whether these literals depend on it."""
        used = np.zeros(self.gate_count, bool)
        while len(literals):
            gates = np.unique(self.gates_of(literals))
            gates = gates[gates >= 0]
            fresh = gates[~used[gates]]
            used[fresh] = True
            literals, _ = self.inputs_of(fresh)
        return used


# --- building -------------------------------------------------------------------------------------
# Gates come in families over arrays of literals, as clauses do: `any_of(-before, after)` is one
# "or" for each pair, and a part in brackets contributes all literals along its last axis. The
# literals returned are used like variables. `add` states that the disjunctions of a family hold;
# the circuit's output is true if everything stated is.
#
#     equal = builder.all_of([builder.any_of(-x, y)], [builder.any_of(x, -y)])
#
# A disjunction is looked up as the negated conjunction of its negated inputs, so x ∨ y finds the
# gate ¬x ∧ ¬y. A row with x and ¬x is a constant; repeated inputs and constants leave their row; a
# row of one literal is that literal.


Keys = npt.NDArray[np.uint32]

FIRST_GATE = 2**29  # gates are numbered from here until all variables are known
# Keys are twice the variable, plus one for a negation: sorted, x and ¬x are neighbours, and
# constants come last.
TRUE_KEY = 2 * int(formula.TRUE)
FALSE_KEY = TRUE_KEY + 1


class _Gates(NamedTuple):
    """New gates of one kind and width, in the order of their numbers."""

    numbers: formula.Literals
    inputs: formula.Literals  # one row a gate
    conjunctive: bool


class CircuitBuilder(formula.PrefixBuilder):
    """Collects the blocks and the gates of one circuit.

    >>> builder = CircuitBuilder()
    >>> x, y = builder.exists("x", ["a", "b"])
    >>> int(builder.all_of(x, y) + builder.any_of(-y, -x))
    0
    >>> int(builder.any_of(x, formula.FALSE, x)), bool(builder.any_of(x, -x) == formula.TRUE)
    (1, True)
    """

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[bytes, int] = {}  # the sorted keys of a conjunction, and its literal
        self._next = FIRST_GATE
        self._gates: list[_Gates] = []
        self._stated: list[formula.Literals] = []

    @classmethod
    def over(cls, prefix: Sequence[formula.Block], legend: formula.Legend) -> CircuitBuilder:
        """A builder whose variables are quantified already; they are 1..n in this order."""
        builder = cls()
        builder._blocks, builder._legend = list(prefix), legend
        return builder

    def all_of(self, *parts: formula.Part) -> formula.Literals:
        """Literals for conjunctions, one for each row of the family."""
        return self._conjunction(formula.table_of(parts), conjunctive=True)

    def any_of(self, *parts: formula.Part) -> formula.Literals:
        """Literals for disjunctions, one for each row of the family."""
        return -self._conjunction(-formula.table_of(parts), conjunctive=False)

    def add(self, *parts: formula.Part) -> None:
        """State that all disjunctions of a family hold."""
        self._stated.append(self.any_of(*parts).reshape(-1))

    def _conjunction(self, table: formula.Literals, conjunctive: bool) -> formula.Literals:
        """The conjunctions of the rows. If not `conjunctive`, new gates are "or"s of negations."""
        keys = _sorted_keys(table.reshape(prod(table.shape[:-1]), table.shape[-1]))
        width = (keys < TRUE_KEY).sum(axis=1)
        opposite = (keys[:, 1:] ^ keys[:, :-1]) == 1
        false = opposite.any(axis=1) | (keys == FALSE_KEY).any(axis=1)
        result = np.full(len(keys), formula.TRUE, np.int32)
        result[false] = formula.FALSE
        single = (width == 1) & ~false
        result[single] = _literals(keys[single, 0]) if single.any() else 0
        proper = (width > 1) & ~false
        for length in np.unique(width[proper]).tolist():
            rows = proper & (width == length)
            result[rows] = self._looked_up(keys[rows, :length], conjunctive)
        return result.reshape(table.shape[:-1])

    def _looked_up(self, keys: Keys, conjunctive: bool) -> formula.Literals:
        """The literals of conjunctions; those that are new become gates."""
        count, width = keys.shape
        numbers = np.arange(self._next, self._next + count, dtype=np.int32)
        self._next += count  # numbers that are not used are left out in the end
        offered = numbers if conjunctive else -numbers
        rows = np.ascontiguousarray(keys).view(np.dtype((np.void, 4 * width))).reshape(-1)
        names: list[bytes] = rows.tolist()  # type: ignore[assignment]  # no tuples: no fields
        known = map(self._known.setdefault, names, offered.tolist())
        literals = np.fromiter(known, np.int32, count)
        new = literals == offered
        inputs = _literals(keys[new])
        self._gates.append(_Gates(numbers[new], inputs if conjunctive else -inputs, conjunctive))
        return literals

    def circuit(self, *more: formula.Literals) -> Circuit:
        """The circuit for everything stated so far and for some more literals."""
        stated = [*self._stated, np.array(more, np.int32)]
        output = self.all_of([np.concatenate(stated)])
        gates = self._gates
        count = sum(len(block.variables) for block in self._blocks)
        empty = np.zeros(0, np.int32)
        numbers = np.concatenate([empty, *(g.numbers for g in gates)])
        lengths = [np.full(len(g.numbers), g.inputs.shape[1]) for g in gates]
        inputs = np.concatenate([empty, *(g.inputs.reshape(-1) for g in gates)])
        whole = Circuit(
            formula.merged(self._blocks),
            np.concatenate([empty, *(np.full(len(g.numbers), g.conjunctive) for g in gates)]) > 0,
            _renumbered(inputs, numbers, count),
            formula.offsets_of(*lengths),
            int(_renumbered(output.reshape(1), numbers, count)[0]),
            self._legend,
        )
        return _positive(_without_unused(whole))


def _sorted_keys(table: formula.Literals) -> Keys:
    """The keys of each row in order, repetitions replaced by TRUE."""
    keys = np.abs(table).astype(np.uint32) * np.uint32(2) + (table < 0).astype(np.uint32)
    keys.sort(axis=1)
    again = keys[:, 1:] == keys[:, :-1]
    if again.any():
        keys[:, 1:][again & (keys[:, 1:] < TRUE_KEY)] = TRUE_KEY
        keys.sort(axis=1)
    return keys


def _literals(keys: Keys) -> formula.Literals:
    variables = (keys >> np.uint32(1)).astype(np.int32)
    return np.where(keys & np.uint32(1), -variables, variables)


def _renumbered(
    literals: formula.Literals, numbers: formula.Literals, variables: int
) -> formula.Literals:
    """Literals with the gates of these numbers counted from variables + 1 on."""
    magnitude = np.abs(literals)
    gate = (magnitude >= FIRST_GATE) & (magnitude != formula.TRUE)
    place = np.searchsorted(numbers, magnitude[gate]) + variables + 1
    renumbered = literals.copy()
    renumbered[gate] = np.sign(literals[gate]) * place
    return renumbered


def _without_unused(circuit: Circuit) -> Circuit:
    """The circuit without gates on which the output does not depend."""
    if circuit.constant is not None:
        kept = np.zeros(circuit.gate_count, bool)
    else:
        kept = circuit.used_by(np.array([circuit.output], np.int32))
    if kept.all():
        return circuit
    inputs, lengths = circuit.inputs_of(np.flatnonzero(kept))
    count = circuit.variable_count
    numbers = np.arange(count + len(kept) + 1, dtype=np.int32)
    numbers[count + 1 :] = count + np.cumsum(kept)
    renumbered = np.sign(inputs) * numbers[np.abs(inputs)]
    output = circuit.output
    if circuit.constant is None:
        output = int(np.sign(output) * numbers[abs(output)])
    return replace(
        circuit,
        conjunctive=circuit.conjunctive[kept],
        inputs=renumbered,
        offsets=formula.offsets_of(lengths),
        output=output,
    )


def _positive(circuit: Circuit) -> Circuit:
    """The circuit with a positive output if that is a gate, as some programs demand.

    No other gate reads the output's gate, so that it can be replaced by its negation.
    """
    if circuit.output > 0 or circuit.constant is not None or not circuit.gate_count:
        return circuit
    gate = int(circuit.gates_of(np.array([circuit.output], np.int32))[0])
    conjunctive, inputs = circuit.conjunctive.copy(), circuit.inputs.copy()
    conjunctive[gate] = not conjunctive[gate]
    inputs[circuit.offsets[gate] : circuit.offsets[gate + 1]] *= -1
    return replace(circuit, conjunctive=conjunctive, inputs=inputs, output=-circuit.output)


# --- binary numbers -------------------------------------------------------------------------------
# Vectors of literals, the lowest bit first along the last axis. All functions work on families: the
# axes before the last are broadcast against each other.


def equal(
    builder: CircuitBuilder, one: formula.Literals, other: formula.Literals
) -> formula.Literals:
    """Whether two vectors are the same number; the shorter is filled up with zeros."""
    width = max(one.shape[-1], other.shape[-1])
    one, other = _widened(one, width), _widened(other, width)
    return builder.all_of([builder.any_of(-one, other)], [builder.any_of(one, -other)])


def equal_to(builder: CircuitBuilder, vector: formula.Literals, number: int) -> formula.Literals:
    """Whether a vector is a given number."""
    bits = vector.shape[-1]
    if not 0 <= number < 1 << bits:
        return formula.constants(formula.FALSE, *vector.shape[:-1])
    signs = np.array([1 if number >> bit & 1 else -1 for bit in range(bits)], np.int32)
    return builder.all_of([vector * signs])


def less_than(builder: CircuitBuilder, vector: formula.Literals, bound: int) -> formula.Literals:
    """Whether a vector is less than a given number.

    From the lowest bit up: at a 1 of the bound a 0 makes it less, whatever is below; at a 0 of the
    bound a 1 makes it greater.
    """
    bits = vector.shape[-1]
    if bound >= 1 << bits:
        return formula.constants(formula.TRUE, *vector.shape[:-1])
    less = formula.constants(formula.FALSE, *vector.shape[:-1])
    for bit in range(bits if bound > 0 else 0):
        step = builder.any_of if bound >> bit & 1 else builder.all_of
        less = step(-vector[..., bit], less)
    return less


def plus(builder: CircuitBuilder, vector: formula.Literals, number: int) -> formula.Literals:
    """A vector plus a given number, as many bits: a carry out of the highest is lost."""
    carry = formula.constants(formula.FALSE, *vector.shape[:-1])
    result = []
    for bit in range(vector.shape[-1]):
        digit = vector[..., bit]
        differ = unequal_bits(builder, digit, carry)
        if number >> bit & 1:
            result.append(-differ)
            carry = builder.any_of(digit, carry)
        else:
            result.append(differ)
            carry = builder.all_of(digit, carry)
    return np.stack(result, axis=-1) if result else vector


def minus(builder: CircuitBuilder, vector: formula.Literals, number: int) -> formula.Literals:
    """A vector minus a given number, as many bits: the sum with the two's complement."""
    return plus(builder, vector, -number)


def unequal_bits(
    builder: CircuitBuilder, one: formula.Literals, other: formula.Literals
) -> formula.Literals:
    """Exclusive or, literal by literal."""
    return builder.all_of(builder.any_of(one, other), builder.any_of(-one, -other))


def _widened(vector: formula.Literals, width: int) -> formula.Literals:
    missing = width - vector.shape[-1]
    return np.concatenate(
        [vector, formula.constants(formula.FALSE, *vector.shape[:-1], missing)], axis=-1
    )
