"""The evaluator that judges the encodings is judged itself: by truth tables and by DepQBF."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from evaluator import depqbf, evaluate, outer_solutions
from formulas import by_table, clauses, prefix, random_formula
from skolemate.formula import Formula


def test_the_evaluator_agrees_with_the_truth_table() -> None:
    rng = random.Random(1)
    answers = Counter[bool]()
    for _ in range(1500):
        formula = random_formula(rng)
        answer = by_table(formula)
        assert evaluate(formula) is answer, (prefix(formula), clauses(formula))
        answers[answer] += 1
    assert min(answers.values()) > 400


def test_the_evaluator_agrees_with_depqbf() -> None:
    rng = random.Random(2)
    answers = Counter[bool]()
    while sum(answers.values()) < 250:
        formula = random_formula(rng)
        if formula.constant is None:
            answer = depqbf(formula)
            assert evaluate(formula) is answer, (prefix(formula), clauses(formula))
            answers[answer] += 1
    assert min(answers.values()) > 50


def test_outer_solutions_are_the_assignments_that_leave_a_true_formula() -> None:
    rng = random.Random(3)
    several = 0
    for _ in range(500):
        formula = random_formula(rng)
        solutions = list(outer_solutions(formula))
        assert len(set(solutions)) == len(solutions)
        assert bool(solutions) is by_table(formula)
        if prefix(formula)[0][0] == "a":
            assert set(solutions) <= {frozenset()}
            continue
        outer = prefix(formula)[0][1]
        for number in range(2 ** len(outer)):
            choice = frozenset(v if number >> i & 1 else -v for i, v in enumerate(outer))
            assert (choice in solutions) is by_table(formula, choice)
        several += len(solutions) > 1
    assert several > 100


def test_depqbf_never_answers_by_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = Formula.of([("e", [1])], [[1]])
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RuntimeError, match="apt-get install -y depqbf"):
        depqbf(formula)
    assert depqbf(Formula.of([("e", [1])], [])) is True
    assert depqbf(Formula.of([("a", [1])], [[1]])) is False


def test_a_program_that_contradicts_its_exit_code_is_no_answer(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "depqbf"
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    for script in ["echo UNSAT; exit 10", "echo SAT; exit 0", "exit 20", "echo SAT; exit 20"]:
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        with pytest.raises(RuntimeError, match="no answer"):
            depqbf(Formula.of([("e", [1])], [[1]]))
