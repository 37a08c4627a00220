"""From circuits to clauses (Tseitin 1983): gates become variables of the innermost ∃ block.

What the output demands at once needs no variables: conjunctions are taken apart, and each
disjunction below them is a clause. Every other gate gets a variable and clauses that define it.

    >>> from skolemate.formula.circuit_builder import CircuitBuilder
    >>> builder = CircuitBuilder()
    >>> x, y, z = builder.exists("x", ["a", "b", "c"])
    >>> builder.add(builder.all_of(x, y), z)
    >>> formula = tseitin(builder.circuit())
    >>> [clause.tolist() for clause in formula.clauses()]
    [[3, 4], [1, -4], [2, -4], [-1, -2, 4]]
    >>> formula.legend.name(4)
    'gate(4)'
"""

from __future__ import annotations

import numpy as np

from skolemate.formula.circuit import Circuit
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

__all__ = ["tseitin"]

Clauses = tuple[Literals, Numbers]  # literals one clause after another, and the clauses' lengths


def tseitin(circuit: Circuit) -> Formula:
    """An equivalent formula. Variables keep their numbers; `gate(n)` is QCIR's gate n."""
    if circuit.constant is not None:
        return Formula.of([], [] if circuit.constant else [[]])
    demanded = _demanded(circuit)
    gates = np.flatnonzero(circuit.used_by(demanded[0]))
    stated = [demanded, _short(circuit, gates), _long(circuit, gates)]
    count = circuit.variable_count
    legend = Legend(list(circuit.legend.groups))
    variables = legend.allocate("gate", list(map(str, (gates + count + 1).tolist())))
    numbers = np.arange(count + circuit.gate_count + 1, dtype=np.int32)
    numbers[gates + count + 1] = variables
    literals = np.concatenate([literals for literals, _ in stated])
    return Formula(
        merged([*circuit.prefix, Block(Quantifier.EXISTS, variables)]),
        np.sign(literals) * numbers[np.abs(literals)],
        offsets_of(*(lengths for _, lengths in stated)),
        legend,
    )


def _demanded(circuit: Circuit) -> Clauses:
    """The clauses that must hold for the output to be true, over variables and gates."""
    literals: list[Literals] = []
    lengths: list[Numbers] = []
    demands = np.array([circuit.output], np.int32)
    seen = np.zeros(0, np.int32)
    while len(demands):
        seen = np.union1d(seen, demands)
        gates = circuit.gates_of(demands)
        single = demands[gates < 0]
        literals.append(single)
        lengths.append(np.ones(len(single), np.int64))
        demands, gates = demands[gates >= 0], gates[gates >= 0]
        conjunction = circuit.conjunctive[gates] == (demands > 0)
        parts, _ = _signed_inputs(circuit, demands[conjunction], gates[conjunction])
        clauses = _signed_inputs(circuit, demands[~conjunction], gates[~conjunction])
        literals.append(clauses[0])
        lengths.append(clauses[1])
        demands = np.setdiff1d(parts, seen)
    return np.concatenate(literals), np.concatenate(lengths)


def _signed_inputs(circuit: Circuit, literals: Literals, gates: Numbers) -> Clauses:
    """The inputs of literals' gates, negated where the literal is."""
    inputs, lengths = circuit.inputs_of(gates)
    return inputs * np.repeat(np.sign(literals), lengths), lengths


def _short(circuit: Circuit, gates: Numbers) -> Clauses:
    """A true conjunction makes every input true, a false disjunction every input false."""
    outputs, signs = _signed_outputs(circuit, gates)
    inputs, lengths = circuit.inputs_of(gates)
    each = np.repeat(signs, lengths)
    pairs = np.stack([each * inputs, -np.repeat(outputs, lengths)], axis=1)
    return pairs.reshape(-1), np.full(len(pairs), 2)


def _long(circuit: Circuit, gates: Numbers) -> Clauses:
    """True inputs make a conjunction true, false ones a disjunction false."""
    outputs, signs = _signed_outputs(circuit, gates)
    inputs, lengths = circuit.inputs_of(gates)
    literals = np.insert(-np.repeat(signs, lengths) * inputs, np.cumsum(lengths), outputs)
    return literals, lengths + 1


def _signed_outputs(circuit: Circuit, gates: Numbers) -> tuple[Literals, Literals]:
    """The gates' literals, negated for a disjunction, and their signs."""
    signs = np.where(circuit.conjunctive[gates], 1, -1).astype(np.int32)
    return signs * (gates + circuit.variable_count + 1).astype(np.int32), signs
