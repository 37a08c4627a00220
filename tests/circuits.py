"""Small circuits to test with: at random, and by truth table."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt

from skolemate.formula import FALSE, TRUE, Circuit, CircuitBuilder, Quantifier

Truth = npt.NDArray[np.bool_]


class Table:
    """The values of literals under all assignments of n variables, one entry an assignment."""

    def __init__(self, variables: int) -> None:
        self.index = np.indices((2,) * variables).astype(bool)
        self.gates: dict[int, Truth] = {}

    def value(self, literal: int) -> Truth:
        number = abs(literal)
        if number == TRUE:
            truth: Truth = np.ones(self.index.shape[1:], bool)
        else:
            truth = self.index[number - 1] if number <= len(self.index) else self.gates[number]
        return truth if literal > 0 else ~truth

    def gate(self, conjunctive: bool, inputs: list[int]) -> Truth:
        fold = np.logical_and if conjunctive else np.logical_or
        truth: Truth = np.full(self.index.shape[1:], conjunctive)
        for literal in inputs:
            truth = fold(truth, self.value(literal))
        return truth


def inputs(circuit: Circuit) -> list[list[int]]:
    bounds = zip(circuit.offsets[:-1], circuit.offsets[1:], strict=True)
    return [circuit.inputs[start:end].tolist() for start, end in bounds]


def output_table(circuit: Circuit) -> Truth:
    """The output under all assignments."""
    table = Table(circuit.variable_count)
    first = circuit.variable_count + 1
    for number, (kind, row) in enumerate(
        zip(circuit.conjunctive, inputs(circuit), strict=True), first
    ):
        table.gates[number] = table.gate(bool(kind), row)
    return table.value(circuit.output)


def quantified(circuit: Circuit, truth: Truth) -> bool:
    """What the prefix makes of a table."""
    for block in reversed(circuit.prefix):
        fold = np.logical_or if block.quantifier is Quantifier.EXISTS else np.logical_and
        for _ in block.variables:
            truth = fold.reduce(truth, axis=-1)
    return bool(truth)


def random_circuit(rng: random.Random) -> tuple[Circuit, Truth]:
    """A small circuit with anything that may occur, and the table it was meant to have."""
    builder = CircuitBuilder()
    count = rng.randint(1, 6)
    variables = [
        int(rng.choice([builder.exists, builder.forall])("x", [str(number)])[0])
        for number in range(count)
    ]
    table = Table(count)
    pool = [*variables, *variables, int(TRUE), int(FALSE)]
    values = {literal: table.value(literal) for literal in pool}

    def some() -> list[int]:
        width = rng.choice([0, 1, 2, 2, 2, 3, 3, 4])
        return [rng.choice([-1, 1]) * rng.choice(pool) for _ in range(width)]

    def folded(conjunctive: bool, row: list[int]) -> Truth:
        truth: Truth = np.full(table.index.shape[1:], conjunctive)
        for literal in row:
            value = values[abs(literal)] if literal > 0 else ~values[abs(literal)]
            truth = truth & value if conjunctive else truth | value
        return truth

    for _ in range(rng.randrange(12)):
        conjunctive, row = rng.random() < 0.5, some()
        join = builder.all_of if conjunctive else builder.any_of
        gate = int(join([np.array(row, np.int32)]))
        truth = folded(conjunctive, row)
        pool += [abs(gate)] * 3
        values.setdefault(abs(gate), truth if gate > 0 else ~truth)
    meant: Truth = np.ones(table.index.shape[1:], bool)
    for _ in range(rng.randint(1, 3)):
        row = some()
        builder.add([np.array(row, np.int32)])
        meant = meant & folded(False, row)
    return builder.circuit(), meant
