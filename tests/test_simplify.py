"""The simplifier keeps the truth value and the solutions of the outermost block, rule by rule."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice, permutations, product
from threading import Event

import numpy as np
import pytest

import skolemate
from differential import ENOUGH, check_claim, claims_a_win, is_manageable, questions_for
from evaluator import depqbf, evaluate, outer_solutions
from formulas import clauses, dense_formula, prefix, random_formula
from samples import sample
from skolemate.encodings import ENCODINGS, encode
from skolemate.errors import UserError
from skolemate.formula import Formula, Quantifier
from skolemate.formula.simplify import RULES, simplified
from skolemate.games import Player
from skolemate.limits import Budget, Limit, OutOfBudget, Reason, watched
from skolemate.search.reference import Reference
from skolemate.solvers import PROGRAMS, Pipeline, Reduced, preprocess
from skolemate.solvers.pipeline import examine

CHOICES = {"all": RULES, "none": (), **{rule: (rule,) for rule in RULES}}


# --- each rule on the smallest formula that shows it --------------------------------------------


def after(blocks: str, rows: list[list[int]], *rules: str) -> list[list[int]]:
    """The clauses that are left; the prefix as in `e12 a3 e4`."""
    given = [(block[0], [int(digit) for digit in block[1:]]) for block in blocks.split()]
    return clauses(simplified(Formula.of(given, rows), rules).formula)


def test_without_rules_only_what_is_plain_is_done() -> None:
    assert after("e1 a2 e3", [[1, 3, -3], [-1, -1, 2, 3]]) == [[-1, 2, 3]]
    assert after("e1 a2 e3", [[1, 2], [-1, 2, 3], [2, -3, -1]]) == [[2, 3], [2, -3]]
    assert after("e1 a2", [[1, 2], [-1, -2]]) == [[]], "1 and ¬1 after universal reduction"
    assert after("a1 e2", [[1], [2]]) == [[]], "∀ falsifies it"


def test_pure_literals_are_chosen_by_their_owners() -> None:
    rows = [[1, 2, 3], [-3, 4, 1], [3, -4, 1], [2, 3, 4], [-3, -4]]
    assert after("e1 a2 e34", rows, "pure") == [[3, 4], [-3, -4]], "1 is true, 2 false"
    assert after("e1 a2 e34", rows) == rows


def test_subsumed_clauses_go_and_others_become_shorter() -> None:
    assert after("a1 e234", [[2, 3], [2, 3, 4], [2, 3], [-2, -3]], "subsumption") == [
        [2, 3],
        [-2, -3],
    ]
    assert after("a1 e234", [[2, 3], [-2, 3, 4], [-3, -4]], "subsumption") == [
        [2, 3],
        [3, 4],
        [-3, -4],
    ]
    assert after("a1 e23", [[1, 2], [-1, 2, 3], [-2, -3]], "subsumption") == [
        [1, 2],
        [2, 3],
        [-2, -3],
    ], "also where ∀ chooses what the clauses differ in"


def test_equivalent_literals_become_the_outermost_one() -> None:
    equal = [[-2, 3], [2, -3], [1, 3, 4], [-1, -3, -4]]
    assert after("a1 e2 a5 e34", equal, "equivalence") == [[1, 2, 4], [-1, -2, -4]]
    assert after("a1 e2", [[1, 2], [-1, -2]], "equivalence") == [], "2 is ¬1, chosen after it"
    assert after("a1 e2 a3 e4", [[1, 4], [-1, -4], [3, 4], [-3, -4]], "equivalence") == [[]]
    outer = [[-1, 2], [1, -2], [1, 3, 4], [2, -3, -4]]
    assert after("e12 a3 e4", outer, "equivalence") == outer, "both values are to be told"


def test_a_literal_is_not_equivalent_to_its_negation() -> None:
    for x, y, z in permutations([2, 3, 4]):
        rows = [[-x, y], [-y, -x], [x, z], [-z, x]]
        assert after("a1 e234", rows, "equivalence") == [[]]


def test_a_variable_is_eliminated_by_resolution() -> None:
    rows = [[1, 4], [2, -4], [-1, -2]]
    assert after("e12 a3 e4", rows, "elimination") == [[-1, -2], [2, 1]]
    assert after("e124", rows, "elimination") == rows, "its value is to be told"
    rows = [[1, 2], [-1, 4], [2, 7, -4]]
    assert after("e127 a3 e4", rows, "elimination") == [[1, 2], [2, 7, -1]]
    assert after("e127 a3 e4", rows, "elimination", "subsumption") == [[1, 2], [2, 7]]


def test_a_variable_is_eliminated_only_where_it_is_chosen_last() -> None:
    often = [[6, 2], [6, 7], [6, 8], [-6, 1], [-6, 8], [-6, 9]]  # 9 resolvents: too many
    one_side, both_sides = [[1, 4], [-4, 5, 6]], [[1, 4, 6], [-4, 5, 6]]
    blocks = "e12789 a3 e4 a5 e6"
    assert after(blocks, [*often, *one_side], "elimination") == [*often, [5, 6, 1]]
    rows = [*often, *both_sides]
    assert after(blocks, rows, "elimination") == rows, "6 is chosen after 4 in both clauses"
    assert after("e12789 a3 a5 e46", rows, "elimination") == [*often, [5, 1, 6]]


def test_a_clause_is_blocked_only_by_what_is_chosen_before() -> None:
    rows = [[3, 4, 5], [-3, -4, 5], [-5, 1]]
    assert after("e1 a4 e3 e5", rows, "blocked") == [], "∃ chooses 3 when it knows 4"
    assert after("e1 a2 e3 a4 e5", rows, "blocked") == rows
    assert after("e1 a2 e3 e4 e5", rows, "blocked") == [], "of a block any may come last"
    assert after("e1345", rows, "blocked") == rows, "their values are to be told"


# --- random formulas ----------------------------------------------------------------------------


def some_formulas(seed: str, number: int) -> Iterator[Formula]:
    rng = random.Random(seed)
    for turn in range(number):
        yield dense_formula(rng) if turn % 3 else random_formula(rng)


def told(formula: Formula) -> str:
    return f"{prefix(formula)} {clauses(formula)}"


def full_solutions(
    formula: Formula, simple: Formula, values: dict[int, bool]
) -> Iterator[set[int]]:
    """What the simplified formula tells about the outermost block, with anything for the rest."""
    assert formula.outermost is not None
    outer = formula.outermost.variables.tolist()
    settled = [v if value else -v for v, value in values.items()]
    assert {abs(literal) for literal in settled} <= set(outer)
    for solution in outer_solutions(simple):
        known = {abs(literal): literal for literal in (*solution, *settled)}
        assert len(known) == len(solution) + len(settled), "no value is told twice"
        free = [variable for variable in outer if variable not in known]
        chosen = {known[variable] for variable in outer if variable in known}
        for signs in product((1, -1), repeat=len(free)):
            yield chosen | {v * sign for v, sign in zip(free, signs, strict=True)}


@pytest.mark.parametrize("choice", CHOICES)
def test_truth_and_solutions_are_kept(choice: str) -> None:
    rules, smaller, open_ones, solutions = CHOICES[choice], 0, 0, 0
    for formula in some_formulas(choice, sample(4000)):
        simple = simplified(formula, rules)
        truth = evaluate(formula)
        assert evaluate(simple.formula) is truth, told(formula)
        smaller += simple.formula.clause_count < formula.clause_count
        open_ones += simple.formula.constant is None
        outermost = formula.outermost
        if truth and outermost and outermost.quantifier is Quantifier.EXISTS:
            winning = set(outer_solutions(formula))
            for solution in full_solutions(formula, simple.formula, simple.values):
                assert solution in winning, f"{told(formula)}: {solution}"
                solutions += 1
    assert smaller > sample(4000) / 4
    assert open_ones > sample(4000) / (50 if choice == "all" else 10)
    assert solutions > sample(4000) / 4


@pytest.mark.parametrize("choice", CHOICES)
def test_a_second_time_changes_nothing(choice: str) -> None:
    for formula in some_formulas(f"again {choice}", sample(2000)):
        once = simplified(formula, CHOICES[choice]).formula
        assert once.clause_count <= max(1, formula.clause_count), told(formula)
        again = simplified(once, CHOICES[choice])
        assert clauses(again.formula) == clauses(once), told(formula)
        assert (prefix(again.formula), again.values) == (prefix(once), {})


def test_a_larger_formula_keeps_its_truth() -> None:
    """Longer lists and more rounds than the small ones have, against DepQBF."""
    rng, truths = random.Random(5), []
    for _ in range(sample(80)):
        size = rng.randint(20, 60)
        blocks = [(rng.choice("eeea"), [variable]) for variable in range(1, size + 1)]
        lengths = [rng.choice([2, 3, 3, 4, 5]) for _ in range(int(rng.uniform(0.8, 1.8) * size))]
        rows = [[rng.choice([-1, 1]) * rng.randint(1, size) for _ in range(n)] for n in lengths]
        formula = Formula.of(blocks, rows)
        truths.append(depqbf(formula))
        assert depqbf(simplified(formula).formula) is truths[-1], told(formula)
    assert min(truths.count(True), truths.count(False)) > sample(80) / 10


def test_a_free_variable_is_told() -> None:
    for literal in (2, -3, 7):
        with pytest.raises(ValueError, match=f"^variable {abs(literal)} is free; quantify it"):
            simplified(Formula.of([("e", [1, 4])], [[1, literal]]))


# --- as a step of a pipeline --------------------------------------------------------------------


@pytest.mark.parametrize("encoding", [entry.name for entry in ENCODINGS])
def test_every_encoding_is_right_after_it(encoding: str) -> None:
    pipeline, asked, rng = Pipeline.parse("simplify+depqbf"), 0, random.Random(encoding)
    for question in islice(questions_for(encoding, rng), ENOUGH):
        encoded = encode(question, encoding, symmetry=rng.random() < 0.5)
        if encoded.formula.constant is not None or not is_manageable(encoded, 28):
            continue
        solved = pipeline.solve(encoded.formula)
        assert solved.truth is not None
        check_claim(encoded, solved.truth, question)
        start = encoded.question.game.start
        if solved.truth and claims_a_win(encoding) and encoded.question.has_first_moves:
            winning = Reference(Player.BLACK).winning_moves(start, encoded.question.depth)
            assert encoded.decode(solved.outer) in winning
        asked += 1
        if asked == sample(40):
            break
    assert asked == sample(40)


def large_formula(variables: int) -> Formula:
    """Random clauses over three blocks: much to look at, and little that can be done."""
    rng = np.random.default_rng(1)
    rows = rng.integers(1, variables + 1, (4 * variables, 3)) * rng.choice([-1, 1], (1, 3))
    third = variables // 3
    blocks = [range(1, third), range(third, 2 * third), range(2 * third, variables + 1)]
    return Formula.of(zip("eae", blocks, strict=True), rows.tolist())


def test_limits_and_cancelling_are_heeded() -> None:
    formula, cancel = large_formula(100_000), Event()
    with pytest.raises(OutOfBudget) as raised:
        simplified(formula, budget=Budget(Limit(seconds=0.0)))
    assert raised.value.reason is Reason.TIME
    step = preprocess(PROGRAMS["simplify"], Reduced(formula), Budget(Limit(seconds=0.0)))
    assert (step.reason, step.reduced.formula) == (Reason.TIME, formula)
    cancel.set()
    solved = Pipeline.parse("simplify+depqbf").solve(formula, Budget(cancel=cancel))
    assert (solved.truth, solved.reason) == (None, Reason.CANCELLED)


def test_it_stops_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter([None, OutOfBudget(Reason.CANCELLED)])  # the first is before the work begins

    class Short(Budget):
        def check(self) -> None:
            if error := next(looks):
                raise error

    stopped = Event()
    with pytest.raises(OutOfBudget):
        watched(stopped.wait, stopped.set, Short())

    def stopped_at_once(work: Callable[[], float], stop: Callable[[], None], _: Budget) -> float:
        stop()
        return work()

    assert simplified(Formula.of([("e", [1])], [[1], [-1]])).formula.constant is False
    monkeypatch.setattr("skolemate.formula.simplify.watched", stopped_at_once)
    unseen = simplified(Formula.of([("e", [1])], [[1], [-1]])).formula
    assert clauses(unseen) == [], "it has not even looked at them"


def test_too_little_memory_leaves_it_out() -> None:
    step = preprocess(
        PROGRAMS["simplify"], Reduced(large_formula(100_000)), Budget(Limit(memory=1 << 20))
    )
    assert (step.failure, step.reason) == ("it ran out of memory", Reason.MEMORY)


def test_it_is_listed_with_our_version_and_licence() -> None:
    examined = examine(PROGRAMS["simplify"])
    assert (examined.status, examined.program.licence) == ("works", "MIT")
    assert examined.version == skolemate.__version__


def test_without_a_compiler_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skolemate.solvers.program.find_spec", lambda name: None)
    assert examine(PROGRAMS["simplify"]).status == "missing"
    with pytest.raises(UserError) as raised:
        Pipeline.parse("simplify+depqbf").solve(Formula.of([("e", [1])], [[1]]))
    told = "simplify is not installed: install a C++ compiler, then Skolemate again"
    assert str(raised.value) == told


def test_it_has_no_other_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKOLEMATE_SIMPLIFY", "/opt/simplify")
    with pytest.raises(UserError) as raised:
        PROGRAMS["simplify"].find()
    told = "SKOLEMATE_SIMPLIFY: simplify is a part of Skolemate, not a program"
    assert str(raised.value) == told
