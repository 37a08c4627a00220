"""Passes: pure functions from formula to formula, and between formulas and circuits.

Every pass keeps the truth value; its docstring says why. All but `compacted` keep the numbers of
the variables, and with them the legend.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skolemate.formula.circuit import Circuit, CircuitBuilder
from skolemate.formula.formula import (
    Block,
    Formula,
    Legend,
    Literals,
    Numbers,
    Quantifier,
    bound_variables,
    merged,
    offsets_of,
)

Flags = npt.NDArray[np.bool_]


def tidied(formula: Formula) -> Formula:
    """Every clause with each of its literals once, and without the clauses that have x and ¬x.

    A formula that is tidy already is returned as it is.

    Sound: x ∨ x is x, and a clause with x and ¬x is satisfied by every assignment.
    """
    clause_of = _clause_of(formula)
    keys = clause_of * (_top(formula) + 1) + np.abs(formula.literals)  # a variable in a clause
    if not _has_repetition(keys):
        return formula
    order = np.argsort(keys, kind="stable")
    again = np.diff(keys[order]) == 0
    opposite = again & (np.diff(np.sign(formula.literals[order])) != 0)
    kept = np.ones(len(keys), bool)
    kept[order[1:][again]] = False
    clauses_kept = np.ones(formula.clause_count, bool)
    clauses_kept[clause_of[order[1:][opposite]]] = False
    return _selected(formula, kept, clauses_kept, formula.prefix)


def reduced_universally(formula: Formula) -> Formula:
    """The formula without an innermost ∀ block.

    Sound: ∀ chooses last there and can falsify all these literals of a clause at once. Clauses
    with u and ¬u, where that fails, are left out first.
    """
    prefix = formula.prefix
    if not prefix or prefix[-1].quantifier is Quantifier.EXISTS:
        return formula
    formula = tidied(formula)
    innermost = _members(formula, prefix[-1].variables)[np.abs(formula.literals)]
    return _without_literals(formula, innermost, prefix[:-1])


@dataclass(frozen=True, eq=False)
class Compacted:
    """A formula over the variables 1..n, and their former numbers."""

    formula: Formula
    originals: Literals  # originals[v] is the former number of variable v; originals[0] is 0


def compacted(formula: Formula) -> Compacted:
    """The variables renumbered 1..n in the order of the prefix, without their names.

    Sound: a formula means the same whatever its bound variables are called.

    >>> small = compacted(Formula.of([("e", [7]), ("a", [3])], [[-7, 3]]))
    >>> small.formula.literals.tolist(), small.originals.tolist()
    ([-1, 2], [0, 7, 3])
    """
    originals = np.append(np.int32(0), bound_variables(formula.prefix))
    number = np.zeros(_top(formula) + 1, np.int32)
    number[originals] = np.arange(len(originals), dtype=np.int32)
    variables = np.abs(formula.literals)
    if not number[variables].all():
        free = int(variables[number[variables] == 0][0])
        raise ValueError(f"variable {free} is free; quantify it first")
    prefix = tuple(Block(block.quantifier, number[block.variables]) for block in formula.prefix)
    literals = np.sign(formula.literals) * number[variables]
    return Compacted(Formula(prefix, literals, formula.offsets), originals)


def _top(formula: Formula) -> int:
    """The largest variable, quantified or not."""
    return max(formula.maximal_variable, int(np.abs(formula.literals).max(initial=0)))


def _members(formula: Formula, variables: Literals) -> Flags:
    flags = np.zeros(_top(formula) + 1, bool)
    flags[variables] = True
    return flags


def _clause_of(formula: Formula) -> Numbers:
    """Of each literal, the number of its clause."""
    return np.repeat(np.arange(formula.clause_count), np.diff(formula.offsets))


def _has_repetition(keys: npt.NDArray[np.integer]) -> bool:
    return bool((np.diff(np.sort(keys)) == 0).any())


def _selected(
    formula: Formula, literals_kept: Flags, clauses_kept: Flags, prefix: tuple[Block, ...]
) -> Formula:
    """Only some literals of only some clauses, under a new prefix."""
    literals_kept = literals_kept & np.repeat(clauses_kept, np.diff(formula.offsets))
    before = offsets_of(literals_kept)
    lengths = np.diff(before[formula.offsets])[clauses_kept]
    return Formula(prefix, formula.literals[literals_kept], offsets_of(lengths), formula.legend)


def _without_literals(formula: Formula, dropped: Flags, prefix: tuple[Block, ...]) -> Formula:
    return _selected(formula, ~dropped, np.ones(formula.clause_count, bool), prefix)


# --- from a circuit to clauses --------------------------------------------------------------------
# Tseitin (1983): gates become variables of the innermost ∃ block. The gates at the top need none:
# conjunctions are split, and each disjunction below them is a clause. Every other gate gets a
# variable and clauses that define it.


Clauses = tuple[Literals, Numbers]  # literals one clause after another, and the clauses' lengths


def tseitin(circuit: Circuit) -> Formula:
    """An equivalent formula. Variables keep their numbers; `gate(n)` is QCIR's gate n.

    >>> from skolemate.formula.circuit import CircuitBuilder
    >>> builder = CircuitBuilder()
    >>> x, y, z = builder.exists("x", ["a", "b", "c"])
    >>> builder.add(builder.all_of(x, y), z)
    >>> formula = tseitin(builder.circuit())
    >>> [clause.tolist() for clause in formula.clauses()]
    [[3, 4], [1, -4], [2, -4], [-1, -2, 4]]
    >>> formula.legend.name(4)
    'gate(4)'
    """
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


# --- from clauses to a circuit --------------------------------------------------------------------
# For programs that read circuits only.


def as_circuit(formula: Formula) -> Circuit:
    """The clauses as gates over the same variables, which must be 1..n in the prefix's order.

    >>> circuit = as_circuit(Formula.of([("e", [1, 2])], [[1, 2], [-1, 2]]))
    >>> circuit.gate_count, circuit.output
    (3, 5)
    """
    numbers = bound_variables(formula.prefix)
    if not np.array_equal(numbers, np.arange(1, len(numbers) + 1)):
        raise ValueError("the variables are not numbered in the order of the prefix; compact them")
    builder = CircuitBuilder.over(formula.prefix, formula.legend)
    lengths = np.diff(formula.offsets)
    for length in np.unique(lengths).tolist():
        starts = formula.offsets[:-1][lengths == length]
        builder.add([formula.literals[starts[:, None] + np.arange(length)]])
    return builder.circuit()
