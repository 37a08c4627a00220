"""Formulas: building, naming, counting, and the passes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from evaluator import evaluate
from formulas import by_table, clauses, prefix, random_formula
from skolemate.formula import FALSE, TRUE, Builder, Formula, Legend, constants
from skolemate.formula.passes import compacted, reduced_universally, tidied

PASSES: dict[str, Callable[[Formula], Formula]] = {
    "tidied": tidied,
    "reduced_universally": reduced_universally,
    "compacted": lambda formula: compacted(formula).formula,
}


# Building


def test_a_family_is_broadcast_over_its_parts() -> None:
    builder = Builder()
    go = builder.exists("go")
    x = builder.exists("x", ["a", "b"])
    y = builder.exists("y", ["a", "b"], ["1", "2", "3"])
    builder.add(-go, x[:, None], -y)
    expected = [[-1, 2, -4], [-1, 2, -5], [-1, 2, -6], [-1, 3, -7], [-1, 3, -8], [-1, 3, -9]]
    assert clauses(builder.formula()) == expected


def test_a_part_in_brackets_gives_all_its_literals() -> None:
    builder = Builder()
    x = builder.exists("x", ["a", "b"])
    y = builder.exists("y", ["a", "b"], ["1", "2", "3"])
    builder.add(-x, [y])
    builder.add([-x])
    assert clauses(builder.formula()) == [[-1, 3, 4, 5], [-2, 6, 7, 8], [-1, -2]]


def test_constants_satisfy_their_clause_or_leave_it() -> None:
    builder = Builder()
    x = builder.exists("x", ["a", "b", "c"])
    some = np.array([TRUE, FALSE, x[0]], np.int32)
    builder.add(some, x)
    builder.add(-some, x)
    assert clauses(builder.formula()) == [[2], [1, 3], [1], [-1, 3]]
    builder.add(constants(FALSE, 2))
    assert builder.formula().constant is False
    assert clauses(builder.formula())[-2:] == [[], []]


def test_nothing_stated_is_true() -> None:
    builder = Builder()
    none = builder.exists("none", [])
    builder.add(none, -none)
    formula = builder.formula()
    assert formula.constant is True
    assert formula.prefix == ()
    assert formula.outermost is None
    assert formula.maximal_variable == 0


def test_neighbouring_blocks_under_one_quantifier_are_one() -> None:
    builder = Builder()
    builder.exists("x", ["a"])
    builder.exists("y", ["a"])
    builder.forall("none", [])
    builder.exists("z", ["a"])
    builder.forall("u", ["a", "b"])
    assert prefix(builder.formula()) == [("e", [1, 2, 3]), ("a", [4, 5])]


def test_every_variable_has_a_name_and_every_name_its_variable() -> None:
    legend = Legend()
    legend.allocate("won")
    legend.allocate("empty", [])
    board = legend.allocate("board", ["black", "white"], ["a1", "b1", "c1"])
    assert legend.name(int(board[1, 2])) == "board(white, c1)"
    assert legend.count == 7
    names = dict(legend.names())
    assert list(names) == list(range(1, 8))
    assert len(set(names.values())) == 7
    for variable, name in names.items():
        assert legend.name(variable) == name


def test_sizes_count_what_is_there() -> None:
    formula = Formula.of([("e", [1, 5]), ("a", [2]), ("e", [3])], [[1, 2], [-5, 2, 3], [3], [1]])
    assert formula.sizes.as_json() == {
        "blocks": 3,
        "universals": 1,
        "existentials": 3,
        "variables": 4,
        "clauses": 4,
        "literals": 7,
        "gates": None,
        "clauses_by_length": {"1": 2, "2": 1, "3": 1},
    }


# Passes


@pytest.mark.parametrize("name", PASSES)
def test_passes_keep_the_truth_value(name: str) -> None:
    rng = random.Random(4)
    answers = Counter[tuple[bool, bool]]()
    for _ in range(700):
        formula = random_formula(rng)
        before = by_table(formula)
        result = PASSES[name](formula)
        assert evaluate(result) is before, (prefix(formula), clauses(formula))
        assert all(one != other for (one, _), (other, _) in pairwise(prefix(result)))
        answers[before, clauses(result) != clauses(formula)] += 1
    assert min(answers[True, True], answers[False, True]) > 60


def test_a_tidy_formula_has_no_repetition() -> None:
    formula = Formula.of([("e", [1, 2, 3])], [[1, 2, 1], [2, -1, 1], [3, -1], [], [-2, -2]])
    assert clauses(tidied(formula)) == [[1, 2], [3, -1], [], [-2]]
    tidy = tidied(formula)
    assert tidied(tidy) is tidy


def test_a_universal_tautology_survives_reduction() -> None:
    assert reduced_universally(Formula.of([("a", [1])], [[1, -1]])).constant is True


def test_reduction_drops_the_innermost_universal_literals() -> None:
    formula = Formula.of(
        [("a", [1]), ("e", [2]), ("a", [3]), ("e", [4]), ("a", [5])],
        [[1, 2, 3, 4, 5], [1, 2, 3, 5], [1, 3], [2, -5], []],
    )
    innermost = reduced_universally(formula)
    assert clauses(innermost) == [[1, 2, 3, 4], [1, 2, 3], [1, 3], [2], []]
    assert prefix(innermost) == prefix(formula)[:-1]


def test_compact_numbers_lead_back() -> None:
    formula = Formula.of([("e", [7, 3]), ("a", [10]), ("e", [1])], [[7, -10, 1], [-3, 10]])
    small = compacted(formula)
    assert prefix(small.formula) == [("e", [1, 2]), ("a", [3]), ("e", [4])]
    assert clauses(small.formula) == [[1, -3, 4], [-2, 3]]
    assert small.originals.tolist() == [0, 7, 3, 10, 1]
    with pytest.raises(ValueError, match="variable 5 is free"):
        compacted(Formula.of([("e", [1])], [[1, 5]]))
