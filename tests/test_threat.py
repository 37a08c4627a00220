"""THREAT: each of its rules against the oracle, and what it knows in time."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from itertools import product
from pathlib import Path

import pytest

from differential import ENOUGH, POSITIONAL, expected, random_questions
from evaluator import caqe, depqbf
from samples import FULL, random_schedule, sample
from skolemate.api import certify, check, solve
from skolemate.ask import Verdict
from skolemate.encodings import ENCODINGS, encode
from skolemate.encodings.parts.problems import SetProblem, set_problem, symmetric_replies
from skolemate.encodings.parts.threats import Pairings
from skolemate.encodings.threat import Switches, stated
from skolemate.formula import Formula, Quantifier
from skolemate.games import Graph, Player, PositionalGame, mask_of
from skolemate.games.family import build
from skolemate.games.game import Question, turns
from skolemate.games.goals import Sets

WITHOUT = [field.name for field in fields(Switches)]
QUESTIONS = sample(300)


CASES = list(product([None, *WITHOUT], [depqbf, caqe]))  # in `make test` each rule once


@pytest.mark.parametrize(("without", "solve_formula"), CASES if FULL else CASES[::4] + CASES[3::4])
def test_every_rule_agrees_with_the_oracle(
    without: str | None, solve_formula: Callable[[Formula], bool | None]
) -> None:
    """With all rules and without each of them; half of the questions restricted by symmetry."""
    switches = replace(Switches(), **({without: False} if without else {}))
    rng = random.Random(f"{without} {solve_formula}")
    seen: Counter[bool] = Counter()
    for _, question in zip(range(ENOUGH), random_questions(rng, POSITIONAL), strict=False):
        asked = question.normalised()
        if asked.game.breaker is Player.BLACK:
            continue
        problem = set_problem(asked, symmetry=rng.random() < 0.5)
        if isinstance(problem, bool):
            continue
        formula = stated(ENCODINGS["threat"], problem, switches).formula
        answer = expected(question)
        if formula.constant is not None:
            assert formula.constant is answer, str(question)
        elif seen[answer] < QUESTIONS * 3 // 5:
            assert solve_formula(formula) is answer, str(question)
            seen[answer] += 1
        if seen.total() >= QUESTIONS:
            break
    assert seen.total() >= QUESTIONS
    assert min(seen.values()) > QUESTIONS // 4


def crowded_game(rng: random.Random) -> PositionalGame:
    """Many sets on few cells; on a cycle there are symmetries. Mostly the players alternate."""
    cells, first = rng.choice([6, 7, 7, 8]), rng.choice(list(Player))
    names = [f"v{i}" for i in range(cells)]
    symmetric = rng.random() < 0.4
    cycle = [(names[i], names[(i + 1) % cells]) for i in range(cells)]
    sizes = rng.choice([[3], [3, 3, 4], [2, 3], [2, 3, 3, 4], [4, 5]])

    def sets() -> Sets:
        some = rng.randrange(2, 4) if symmetric else rng.randrange(3, 15)
        found = [rng.sample(range(cells), rng.choice(sizes)) for _ in range(some)]
        turned = range(cells) if symmetric else [0]
        return Sets.of({mask_of((v + turn) % cells for v in s) for s in found for turn in turned})

    black, white = sets(), rng.choice([None, sets()])
    board = Graph.of(names, cycle if symmetric else [])
    stones = rng.choice([0, 0, 1])
    masks = [mask_of(rng.sample(range(cells), stones)) for _ in Player]
    schedule = turns(cells - 2 * stones, first=first)
    if rng.random() < 0.25:
        schedule = random_schedule(rng, len(schedule))
    masks[1] &= ~masks[0]
    game = PositionalGame("crowded", board, black, white, schedule, masks[0], masks[1])
    bound = rng.getrandbits(cells) & ~game.start.occupied
    return replace(game, first_moves=bound) if bound and rng.random() < 0.3 else game


def crowded_problems(rng: random.Random) -> Iterator[tuple[Question, SetProblem]]:
    """Open questions about such games for Black, half of them restricted by symmetry."""
    while True:
        game = crowded_game(rng)
        question = Question(game, Player.BLACK, rng.randrange(3, 9)).normalised()
        problem = set_problem(question, symmetry=rng.random() < 0.5)
        if not isinstance(problem, bool):
            yield question, problem


NEW = ["doubles", "expanded", "making", "pairs"]


@pytest.mark.parametrize(
    ("rule", "solve_formula"),
    list(product(NEW, [depqbf, caqe])) if FULL else list(zip(NEW, [depqbf, caqe] * 2, strict=True)),
)
def test_rules_about_what_comes_agree_with_the_oracle(
    rule: str, solve_formula: Callable[[Formula], bool | None]
) -> None:
    """Where the rule makes a difference to the formula; the other rules are on or off at random."""
    rng = random.Random(f"{rule} {solve_formula}")
    seen: Counter[bool] = Counter()
    for _, (question, problem) in zip(range(ENOUGH), crowded_problems(rng), strict=False):
        others = {field: rng.random() < 0.7 for field in WITHOUT}
        if rule in ("doubles", "expanded"):
            others["forced"] = True
        by_rule = [
            stated(ENCODINGS["threat"], problem, Switches(**{**others, rule: on})).formula
            for on in (False, True)
        ]
        if by_rule[0].sizes == by_rule[1].sizes:
            continue
        answer = expected(question)
        if seen[answer] >= QUESTIONS * 3 // 5:
            continue
        truth = by_rule[1].constant
        if truth is None:
            truth = solve_formula(by_rule[1])
        assert truth is answer, str(question)
        seen[answer] += 1
        if seen.total() >= QUESTIONS:
            break
    assert seen.total() >= QUESTIONS
    assert min(seen.values()) > QUESTIONS // 4


def test_pairings_of_polyominoes() -> None:
    """White needs no stone against a square on 4x4, and one in the middle against knobby."""
    fatty = build("harary(shape=fatty, width=4, height=4)")
    knobby = build("harary(shape=knobby, width=4, height=4)")
    alone = {
        str(game): {pairing.stone for pairing in Pairings(problem.black_sets, 16).all()}
        for game in (fatty, knobby)
        for problem in [set_problem(Question(game, Player.BLACK, 16), symmetry=False)]
        if not isinstance(problem, bool)
    }
    assert alone == {str(fatty): {None}, str(knobby): {5, 6, 9, 10}}


def test_the_last_two_turns_need_no_variables() -> None:
    """So there are two blocks fewer than in COR+, and one stone a turn fewer to be placed."""
    question = Question(build("harary(shape=tippy, width=4, height=4)"), Player.BLACK, 9)
    blocks = {name: len(encode(question, name).formula.prefix) for name in ("cor+", "threat")}
    assert blocks == {"cor+": 9, "threat": 7}


def test_several_stones_a_turn_are_stated_to_the_last_turn() -> None:
    game = build("gttt(p=2, q=1, shape=el, width=3, height=3)")
    formula = encode(Question(game, Player.BLACK, 5), "threat").formula
    universal = [b for b in formula.prefix if b.quantifier is Quantifier.FORALL]
    assert [len(block.variables) for block in universal] == [8]


def test_after_the_centre_one_answer_in_a_class_is_enough() -> None:
    """A corner and a side of tic-tac-toe stand for all eight other cells."""
    question = Question(build("tictactoe"), Player.BLACK, 9)
    problem = set_problem(question, symmetry=True)
    assert not isinstance(problem, bool)
    names = problem.names
    assert {names[code] for code in problem.first or ()} == {"a1", "a2", "b2"}
    replies = symmetric_replies(problem)
    left_out = {names[code] for code, first in replies.items() if names.index("b2") in first}
    assert set(names) - left_out == {"a1", "a2", "b2"}
    plain = set_problem(question, symmetry=False)
    assert not isinstance(plain, bool)
    assert not symmetric_replies(plain)


def test_a_restriction_of_the_rules_may_forbid_the_answer_to_a_threat() -> None:
    """White cannot parry with a stone that the first move must not be."""
    game = build("mnk(m=4, n=1, k=3, black=a1 b1, first=white)")
    assert isinstance(game, PositionalGame)
    bound = replace(game, first_moves=1 << game.board.names.index("d1"))
    assert solve(bound, 2, encoding="threat").verdict is Verdict.WIN
    assert solve(game, 2, encoding="threat").verdict is Verdict.NO_WIN


def test_a_restriction_of_the_rules_may_make_white_pass() -> None:
    """Then Black still needs a double threat."""
    for black, verdict in (("a1", Verdict.NO_WIN), ("b1", Verdict.WIN)):
        game = build(f"mnk(m=6, n=1, k=3, black={black}, first=white)")
        assert isinstance(game, PositionalGame)
        bound = replace(game, first_moves=1 << game.board.names.index("f1"))
        assert solve(bound, 4, encoding="threat").verdict is verdict


def test_a_restriction_of_the_rules_may_forbid_a_double_threat() -> None:
    """A stone on the first cell makes one; the last cell is in no set."""
    sets = Sets.of({0b11, 0b101, 0b1110, 0b10110, 0b11010, 0b11100})
    game = PositionalGame("star", Graph.of([*"abcdef"], []), sets, None, turns(6))
    assert solve(game, 5, encoding="threat").verdict is Verdict.WIN
    bound = replace(game, first_moves=1 << 5)
    assert solve(bound, 5, encoding="threat").verdict is Verdict.NO_WIN


def test_a_win_in_one_is_the_first_move() -> None:
    answer = solve("tictactoe(moves=a1 b1 a2 b2)", 1, encoding="threat")
    assert answer.first_moves == ("a3",)


@pytest.mark.parametrize(
    ("game", "depth", "wins"),
    [
        ("harary(shape=elly, width=4, height=4)", 7, True),
        ("harary(shape=tippy, width=4, height=4)", 7, False),
        ("harary(shape=el, width=3, height=3)", 9, True),
        ("harary(shape=fatty, width=3, height=3)", 9, False),
        ("gttt(p=2, q=2, shape=el, width=3, height=3)", 6, True),
        ("hein(9)", 7, True),
    ],
)
def test_strategies_and_certificates(tmp_path: Path, game: str, depth: int, wins: bool) -> None:
    strategy = tmp_path / "strategy.jsonl"
    answer = solve(game, depth, encoding="threat", strategy=strategy)
    assert (answer.verdict is Verdict.WIN) is wins
    assert check(strategy).holds
    proved = certify(strategy, "threat")
    assert proved.certificate.true is wins
