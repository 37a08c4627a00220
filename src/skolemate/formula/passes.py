"""Passes: stateless functions from formula to formula, applied only where somebody asks.

Every pass keeps the truth value; each says in a sentence why. All but `compacted` keep the
numbering of the variables, and with it the legend.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skolemate.formula.formula import (
    Block,
    Formula,
    Literals,
    Numbers,
    Quantifier,
    bound_variables,
    offsets_of,
)

__all__ = ["Compacted", "compacted", "reduced_universally", "tidied"]

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


@dataclass(frozen=True, eq=False)
class Compacted:
    """A formula over the variables 1..n, and what they were called before."""

    formula: Formula
    originals: Literals  # originals[v] is the former number of variable v; originals[0] is 0


def compacted(formula: Formula) -> Compacted:
    """The variables renumbered 1..n in the order of the prefix. The names stay behind.

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
