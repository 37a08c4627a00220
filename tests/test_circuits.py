"""Circuits: gates are folded and kept once, arithmetic is right, clauses mean the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from circuits import inputs, output_table, quantified, random_circuit
from evaluator import evaluate
from formulas import by_table, clauses, prefix, random_formula
from samples import sample
from skolemate.formula import FALSE, TRUE, Circuit, CircuitBuilder, Formula, Literals
from skolemate.formula.circuit import equal, equal_to, less_than, minus, plus, unequal_bits
from skolemate.formula.passes import as_circuit, compacted, tseitin


def variables(count: int) -> tuple[CircuitBuilder, Literals]:
    builder = CircuitBuilder()
    return builder, builder.exists("x", [str(number) for number in range(count)])


# Gates


def test_a_family_of_gates_is_broadcast_over_its_parts() -> None:
    builder, x = variables(4)
    gates = builder.all_of(x[:2, None], x[None, 2:])
    assert gates.shape == (2, 2)
    builder.add([gates.reshape(-1)])
    circuit = builder.circuit()
    assert inputs(circuit) == [[1, 3], [1, 4], [2, 3], [2, 4], [5, 6, 7, 8]]
    assert circuit.conjunctive.tolist() == [True, True, True, True, False]
    assert circuit.output == 9


def test_equal_gates_are_one() -> None:
    builder, (x, y, z) = variables(3)
    gate = builder.all_of(x, y)
    assert gate == builder.all_of(y, x) == builder.all_of(x, y, x) == builder.all_of(x, TRUE, y)
    assert -gate == builder.any_of(-x, -y)
    assert gate != builder.any_of(x, y)
    assert gate != builder.all_of(x, y, z)
    twice = builder.all_of(np.array([x, y, x]), np.array([z, z, z]))
    assert twice[0] == twice[2] != twice[1]


@pytest.mark.parametrize(
    ("row", "conjunction", "disjunction"),
    [
        ([], TRUE, FALSE),
        ([1], 1, 1),
        ([-2, -2, -2], -2, -2),
        ([1, 2, -1], FALSE, TRUE),
        ([1, TRUE], 1, TRUE),
        ([TRUE, TRUE], TRUE, TRUE),
        ([FALSE, 2, 2], FALSE, 2),
        ([FALSE, TRUE], FALSE, TRUE),
    ],
)
def test_what_is_no_gate(row: list[int], conjunction: int, disjunction: int) -> None:
    builder, _ = variables(2)
    literals = np.array(row, np.int32)
    assert builder.all_of([literals]) == conjunction
    assert builder.any_of([literals]) == disjunction
    builder.add(1, 2)
    assert builder.circuit().gate_count == 1


def test_variables_may_come_between_gates() -> None:
    builder = CircuitBuilder()
    x = builder.exists("x", ["a", "b"])
    gate = builder.all_of([x])
    u = builder.forall("u", ["a"])
    builder.add(gate, u[0])
    circuit = builder.circuit()
    assert inputs(circuit) == [[1, 2], [3, 4]]
    assert [block.variables.tolist() for block in circuit.prefix] == [[1, 2], [3]]


def test_gates_without_use_go() -> None:
    builder, (x, y, z) = variables(3)
    unused = builder.all_of(x, z)
    builder.any_of(unused, y)
    builder.add(builder.all_of(x, y), TRUE)
    assert builder.circuit().constant is True
    builder.add(x, builder.all_of(y, z))
    assert inputs(builder.circuit()) == [[2, 3], [1, 4]]
    builder.add(FALSE)
    circuit = builder.circuit()
    assert (circuit.constant, circuit.gate_count) == (False, 0)


def is_proper(circuit: Circuit) -> bool:
    rows = inputs(circuit)
    first = circuit.variable_count + 1
    named = {
        frozenset(row if kind else [-literal for literal in row])
        for row, kind in zip(rows, circuit.conjunctive, strict=True)
    }
    return len(named) == len(rows) and all(
        len({abs(literal) for literal in row}) == len(row) >= 2
        and all(abs(literal) < number for literal in row)
        for number, row in enumerate(rows, first)
    )


def test_random_circuits_are_what_they_were_meant_to_be() -> None:
    rng = random.Random(1)
    seen: Counter[bool | None] = Counter()
    for _ in range(sample(1500)):
        circuit, meant = random_circuit(rng)
        assert is_proper(circuit)
        assert np.array_equal(output_table(circuit), meant)
        seen[circuit.constant] += 1
    assert min(seen[None], seen[True], seen[False]) > sample(50)


# Numbers in binary


def unary(
    operation: Callable[[CircuitBuilder, Literals, int], Literals], bits: int, number: int
) -> list[int]:
    """The results for all values of a vector, each found by fixing the vector's bits."""
    results = []
    for value in range(1 << bits):
        fixed = np.array([TRUE if value >> bit & 1 else FALSE for bit in range(bits)], np.int32)
        found = np.atleast_1d(operation(CircuitBuilder(), fixed, number))
        assert set(found.tolist()) <= {TRUE, FALSE}
        results.append(sum(1 << bit for bit, literal in enumerate(found) if literal == TRUE))
    return results


@pytest.mark.parametrize("bits", range(5))
def test_arithmetic_with_constants(bits: int) -> None:
    values, size = range(1 << bits), 1 << bits
    for number in range(-3, size + 4):
        assert unary(less_than, bits, number) == [value < number for value in values]
        assert unary(equal_to, bits, number) == [value == number for value in values]
        assert unary(plus, bits, number) == [(value + number) % size for value in values]
        assert unary(minus, bits, number) == [(value - number) % size for value in values]


def test_arithmetic_on_variables() -> None:
    """The same on variables, looked at as a truth table."""
    for bits in (1, 2, 3):
        size = 1 << bits
        for number in range(size):
            builder, x = variables(bits)
            found = {
                "less": (less_than(builder, x, number), range(number)),
                "equal": (equal_to(builder, x, number), [number]),
                "sum": (equal_to(builder, plus(builder, x, number), 1), [(1 - number) % size]),
                "rest": (equal_to(builder, minus(builder, x, number), 1), [(1 + number) % size]),
            }
            for name, (literal, meant) in found.items():
                table = output_table(builder.circuit(literal))
                true = {sum(bit << i for i, bit in enumerate(p)) for p in np.argwhere(table)}
                assert true == set(meant), (name, bits, number)


@pytest.mark.parametrize(("wide", "narrow"), [(0, 0), (1, 1), (2, 2), (3, 3), (3, 1), (1, 3)])
def test_vectors_are_compared(wide: int, narrow: int) -> None:
    builder = CircuitBuilder()
    x = builder.exists("x", [str(number) for number in range(wide)])
    y = builder.exists("y", [str(number) for number in range(narrow)])
    builder.add(equal(builder, x, y))
    table = output_table(builder.circuit())
    for place in np.ndindex(table.shape):
        one = sum(bit << i for i, bit in enumerate(place[:wide]))
        other = sum(bit << i for i, bit in enumerate(place[wide:]))
        assert table[place] == (one == other)


def test_exclusive_or() -> None:
    builder, (x, y) = variables(2)
    builder.add(unequal_bits(builder, x, y))
    assert output_table(builder.circuit()).tolist() == [[False, True], [True, False]]


# Clauses


def test_clauses_of_a_circuit() -> None:
    builder = CircuitBuilder()
    x, y = builder.exists("x", ["a", "b"])
    (u,) = builder.forall("u", ["a"])
    builder.add(builder.any_of(x, y), builder.all_of(-x, u))
    builder.add(y)
    formula = tseitin(builder.circuit())
    assert prefix(formula) == [("e", [1, 2]), ("a", [3]), ("e", [4, 5])]
    assert clauses(formula) == [
        [2],
        [4, 5],
        *([-1, 4], [-2, 4], [-1, -5], [3, -5]),
        *([1, 2, -4], [1, -3, 5]),
    ]
    assert dict(formula.legend.names())[5] == "gate(5)"


def test_a_decided_circuit_has_no_variables() -> None:
    builder, (x, y) = variables(2)
    assert clauses(tseitin(builder.circuit())) == []
    builder.add(x, y)
    builder.add(FALSE)
    assert tseitin(builder.circuit()).constant is False


def test_random_circuits_become_equivalent_clauses() -> None:
    rng = random.Random(2)
    truths: Counter[bool] = Counter()
    for _ in range(sample(1500)):
        circuit, meant = random_circuit(rng)
        truth = quantified(circuit, meant)
        formula = tseitin(circuit)
        assert evaluate(formula) == truth
        if sum(len(block.variables) for block in formula.prefix) <= 14:
            assert by_table(formula) == truth
        truths[truth] += 1
    assert min(truths.values()) > sample(400)


def test_clauses_as_a_circuit() -> None:
    rng = random.Random(5)
    for _ in range(300):
        formula = compacted(random_formula(rng)).formula
        circuit = as_circuit(formula)
        assert quantified(circuit, output_table(circuit)) == by_table(formula)
    with pytest.raises(ValueError, match="compact them"):
        as_circuit(Formula.of([("e", [1, 3])], [[1, 3]]))
