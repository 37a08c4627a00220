"""RESERVES, the one-sided encoding for games in which moves only fill, against the oracle."""

import random
from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from bddl_models import random_packing_game
from differential import ENOUGH, check_claim, expected, questions_for
from samples import sample
from skolemate.api import solve
from skolemate.ask import Verdict
from skolemate.encodings import Unsupported, encode
from skolemate.games import Player
from skolemate.games.bddl import BddlGame
from skolemate.games.bddl.model import Anchor, Condition, Content, Coordinate, Subcondition
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.limits import Budget, Limit, Reason
from skolemate.solvers import Pipeline

QUESTIONS = sample(300)  # random ones, for each solver


def truth(question: Question, solver: str, symmetry: bool = False) -> bool | None:
    formula = encode(question, "reserves", symmetry=symmetry).formula
    if formula.constant is not None:
        return formula.constant
    return Pipeline.parse(solver).solve(formula, Budget(Limit(60))).truth


@pytest.mark.parametrize("solver", ["depqbf", "caqe"])
def test_a_true_formula_is_a_win(solver: str) -> None:
    """Random games of packing, half of the formulas without a win by the oracle."""
    rng = random.Random(solver)
    seen: Counter[tuple[bool, bool]] = Counter()
    for question in islice(questions_for("reserves", rng), ENOUGH):
        encoded, wins = encode(question, "reserves"), expected(question)
        if encoded.formula.constant is not None or seen[wins, True] + seen[wins, False] >= (
            QUESTIONS // 2
        ):
            continue
        told = truth(question, solver, symmetry=rng.random() < 0.5)
        assert told is not None
        check_claim(encoded, told, question)
        seen[wins, told] += 1
        if seen.total() == 2 * (QUESTIONS // 2):
            break
    assert seen.total() == 2 * (QUESTIONS // 2)
    assert seen[True, True] > seen[True, False]  # most wins are seen


@pytest.mark.parametrize(
    ("width", "height", "depth"), [(3, 3, 4), (3, 5, 8), (4, 4, 8), (5, 4, 10)]
)
def test_wins_at_domineering_by_a_plan(width: int, height: int, depth: int) -> None:
    game = build(f"domineering(width={width}, height={height})")
    assert truth(Question(game, Player.BLACK, depth), "caqe") is True
    assert truth(Question(game, Player.BLACK, depth - 1), "caqe") is False


def test_a_goal_that_fits_nowhere_changes_nothing() -> None:
    """The model has a goal, so the last ply may be Black's; but no set of cells meets it."""
    rng = random.Random(3)
    far = Coordinate(Anchor.PARAMETER, 9)
    goal = Condition((Subcondition(Content.WHITE, far, far),))
    for _ in range(50):
        game = BddlGame("packing", replace(random_packing_game(rng).model, goals=((), (goal,))))
        for depth in range(6):
            question = Question(game, Player.WHITE, depth)
            assert truth(question, "depqbf") in (False, expected(question)), question


def test_it_comes_first_by_default() -> None:
    """The first move is confirmed by the same plan after it."""
    answer = solve("domineering(width=4, height=6)", 12, engine="qbf")
    assert (answer.verdict, answer.encoding) == (Verdict.WIN, "reserves")
    assert answer.first_moves == ("vertical(2,1)",)


def test_what_it_does_not_see_is_left_to_ground() -> None:
    answer = solve("domineering(width=4, height=5)", 11, engine="qbf")
    assert (answer.verdict, answer.encoding) == (Verdict.NO_WIN, "ground")
    alone = solve("domineering(width=4, height=5)", 11, encoding="reserves")
    assert (alone.verdict, alone.reason) == (Verdict.UNKNOWN, Reason.ONE_SIDED)


@pytest.mark.parametrize(
    ("game", "why"),
    [("tictactoe", "moves only fill"), ("domineering(width=8, height=8)", "more than 12 moves")],
)
def test_other_games_are_refused(game: str, why: str) -> None:
    with pytest.raises(Unsupported, match=why):
        encode(Question(build(game), Player.BLACK, 40), "reserves")
