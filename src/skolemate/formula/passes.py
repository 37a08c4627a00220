"""Passes: stateless functions from formula to formula, applied only where somebody asks.

Every pass keeps the truth value; each says in a sentence why. All but `compacted` keep the
numbering of the variables, and with it the legend.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skolemate.formula.formula import Block, Formula, Literals, Quantifier, merged

__all__ = [
    "Compacted",
    "Propagated",
    "compacted",
    "fully_reduced",
    "propagated",
    "reduced_universally",
    "tidied",
    "without_unused",
]

Numbers = npt.NDArray[np.int64]
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

    Sound: whoever plays ∀ chooses last there, and falsifies all these literals of a clause at
    once; a clause with u and ¬u, where this fails, is left out first.
    """
    prefix = formula.prefix
    if not prefix or prefix[-1].quantifier is Quantifier.EXISTS:
        return formula
    formula = tidied(formula)
    innermost = _members(formula, prefix[-1].variables)[np.abs(formula.literals)]
    return _without_literals(formula, innermost, prefix[:-1])


def fully_reduced(formula: Formula) -> Formula:
    """Every clause without the universal literals inside all of its existential literals.

    Sound: when such literals are chosen, all existential literals of the clause are decided, so
    ∀ can set all of them false if that makes the clause false, and gains nothing otherwise.
    """
    formula = tidied(formula)
    levels, universal = _levels(formula), _universal(formula)
    variables = np.abs(formula.literals)
    innermost = np.full(formula.clause_count, -1, np.int64)  # the level of ∃ in each clause
    existential_level = np.where(universal[variables], -1, levels[variables])
    _reduce(np.maximum, existential_level, formula, innermost)
    reducible = universal[variables] & (
        levels[variables] > np.repeat(innermost, np.diff(formula.offsets))
    )
    prefix = formula.prefix
    if prefix and prefix[-1].quantifier is Quantifier.FORALL:
        prefix = prefix[:-1]
    return _without_literals(formula, reducible, prefix)


def without_unused(formula: Formula) -> Formula:
    """The prefix without variables that occur in no clause; blocks that meet are joined.

    Sound: the value of such a variable decides nothing, whoever chooses it.
    """
    used = _members(formula, np.abs(formula.literals))
    return Formula(
        merged(Block(block.quantifier, _chosen(block, used)) for block in formula.prefix),
        formula.literals,
        formula.offsets,
        formula.legend,
    )


@dataclass(frozen=True, eq=False)
class Compacted:
    """A formula over the variables 1..n, and what they were called before."""

    formula: Formula
    originals: Literals  # originals[v] is the former number of variable v; originals[0] is 0

    def original(self, literals: Literals) -> Literals:
        """Literals of the compact formula in the numbering of the original one."""
        return np.asarray(np.sign(literals) * self.originals[np.abs(literals)], np.int32)


def compacted(formula: Formula) -> Compacted:
    """The variables renumbered 1..n in the order of the prefix. The names stay behind.

    Sound: a formula means the same whatever its bound variables are called.

    >>> small = compacted(Formula.of([("e", [7]), ("a", [3])], [[-7, 3]]))
    >>> small.formula.literals.tolist(), small.original(small.formula.literals).tolist()
    ([-1, 2], [-7, 3])
    """
    originals = np.concatenate([np.zeros(1, np.int32), *(b.variables for b in formula.prefix)])
    number = np.zeros(_top(formula) + 1, np.int32)
    number[originals] = np.arange(len(originals), dtype=np.int32)
    variables = np.abs(formula.literals)
    if not number[variables].all():
        free = int(variables[number[variables] == 0][0])
        raise ValueError(f"variable {free} is free; quantify it first")
    prefix = tuple(Block(block.quantifier, number[block.variables]) for block in formula.prefix)
    literals = np.sign(formula.literals) * number[variables]
    return Compacted(Formula(prefix, literals, formula.offsets), originals)


@dataclass(frozen=True, eq=False)
class Propagated:
    """What is left of a formula once the values that its unit clauses force are filled in."""

    formula: Formula
    fixed: Literals  # the existential literals that had to be true, by variable


def propagated(formula: Formula) -> Propagated:
    """Fill in unit clauses, as universal reduction leaves them, until there are none.

    Fixed variables leave the prefix. A clause that cannot be satisfied any more, such as a
    universal unit, makes the whole formula the constant false: one empty clause, no prefix.

    Sound: a unit clause is satisfied by one value of its variable only, so every winning choice
    of ∃ takes this value; a universal unit is falsified by ∀.

    >>> result = propagated(Formula.of([("e", [1, 2]), ("a", [3])], [[1, 3], [-1, 2]]))
    >>> result.fixed.tolist(), result.formula.clause_count
    ([1, 2], 0)
    """
    formula = fully_reduced(formula)
    wave = _Waves(formula)
    if not wave.settle():
        falsity = Formula((), np.zeros(0, np.int32), np.zeros(2, np.int64), formula.legend)
        return Propagated(falsity, np.zeros(0, np.int32))
    fixed = np.flatnonzero(wave.value).astype(np.int32)
    free = wave.value == 0
    prefix = merged(Block(block.quantifier, _chosen(block, free)) for block in formula.prefix)
    rest = _selected(formula, free[np.abs(formula.literals)], ~wave.satisfied, prefix)
    return Propagated(fully_reduced(rest), fixed * wave.value[fixed])


class _Waves:
    """Unit propagation in waves: all literals found in one wave are filled in at once.

    A clause needs no list of its open existential literals: their number and their sum will do,
    because the sum of one literal is the literal.
    """

    def __init__(self, formula: Formula) -> None:
        universal, levels = _universal(formula), _levels(formula)
        variables = np.abs(formula.literals)
        existential = ~universal[variables]
        self.levels = levels
        self.value = np.zeros(_top(formula) + 1, np.int32)  # 1 true, -1 false, 0 open
        self.satisfied = np.zeros(formula.clause_count, bool)
        self.open_count = np.zeros(formula.clause_count, np.int64)
        self.open_sum = np.zeros(formula.clause_count, np.int64)
        self.outermost_universal = np.full(formula.clause_count, len(formula.prefix), np.int64)
        universal_level = np.where(existential, len(formula.prefix), levels[variables])
        _reduce(np.add, existential.astype(np.int64), formula, self.open_count)
        _reduce(np.add, np.where(existential, formula.literals, 0), formula, self.open_sum)
        _reduce(np.minimum, universal_level, formula, self.outermost_universal)
        # The clauses of each literal, one literal after another.
        shifted = formula.literals.astype(np.int64) + _top(formula)
        self.clauses_by_literal = _clause_of(formula)[np.argsort(shifted, kind="stable")]
        counts = np.bincount(shifted, minlength=2 * _top(formula) + 1)
        self.starts = np.concatenate([[0], np.cumsum(counts)])

    def settle(self) -> bool:
        """Propagate to the end; False if some clause cannot be satisfied."""
        touched: Numbers = np.arange(len(self.satisfied))
        while True:
            touched = touched[~self.satisfied[touched]]
            if (self.open_count[touched] == 0).any():
                return False
            single = touched[self.open_count[touched] == 1]
            literals = self.open_sum[single]
            unit = self.levels[np.abs(literals)] < self.outermost_universal[single]
            found = np.unique(literals[unit])
            if not len(found):
                return True
            if _has_repetition(np.abs(found)):
                return False
            self.value[np.abs(found)] = np.sign(found)
            self.satisfied[self._occurrences(found)[0]] = True
            touched, falsified = self._occurrences(-found)
            np.subtract.at(self.open_count, touched, 1)
            np.subtract.at(self.open_sum, touched, falsified)

    def _occurrences(self, literals: Numbers) -> tuple[Numbers, Numbers]:
        """The clauses with these literals, each beside the literal that it has."""
        first = self.starts[literals + len(self.value) - 1]
        counts = self.starts[literals + len(self.value)] - first
        ends = np.cumsum(counts)
        places = np.arange(counts.sum()) + np.repeat(first - (ends - counts), counts)
        return self.clauses_by_literal[places], np.repeat(literals, counts)


def _top(formula: Formula) -> int:
    """The largest variable, quantified or not."""
    return max(formula.maximal_variable, int(np.abs(formula.literals).max(initial=0)))


def _members(formula: Formula, variables: Literals) -> Flags:
    flags = np.zeros(_top(formula) + 1, bool)
    flags[variables] = True
    return flags


def _chosen(block: Block, flags: Flags) -> Literals:
    return block.variables[flags[block.variables]]


def _universal(formula: Formula) -> Flags:
    """Of each variable, whether it is universal."""
    blocks = [b.variables for b in formula.prefix if b.quantifier is Quantifier.FORALL]
    return _members(formula, np.concatenate([np.zeros(0, np.int32), *blocks]))


def _levels(formula: Formula) -> Numbers:
    """Of each variable, the number of its block."""
    levels = np.full(_top(formula) + 1, -1, np.int64)
    for level, block in enumerate(formula.prefix):
        levels[block.variables] = level
    return levels


def _clause_of(formula: Formula) -> Numbers:
    """Of each literal, the number of its clause."""
    return np.repeat(np.arange(formula.clause_count), np.diff(formula.offsets))


def _has_repetition(keys: npt.NDArray[np.integer]) -> bool:
    return bool((np.diff(np.sort(keys)) == 0).any())


def _reduce(
    operation: np.ufunc, values: npt.NDArray[np.integer], formula: Formula, out: Numbers
) -> None:
    """Fold the values of the literals clause by clause; empty clauses keep what `out` has."""
    filled = np.diff(formula.offsets) > 0
    if filled.any():
        out[filled] = operation.reduceat(values, formula.offsets[:-1][filled])


def _selected(
    formula: Formula, literals_kept: Flags, clauses_kept: Flags, prefix: tuple[Block, ...]
) -> Formula:
    """Only some literals of only some clauses, under a new prefix."""
    literals_kept = literals_kept & np.repeat(clauses_kept, np.diff(formula.offsets))
    before = np.concatenate([[0], np.cumsum(literals_kept, dtype=np.int64)])
    lengths = np.diff(before[formula.offsets])[clauses_kept]
    offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    return Formula(prefix, formula.literals[literals_kept], offsets, formula.legend)


def _without_literals(formula: Formula, dropped: Flags, prefix: tuple[Block, ...]) -> Formula:
    return _selected(formula, ~dropped, np.ones(formula.clause_count, bool), prefix)
