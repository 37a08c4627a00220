"""COVER: a win whenever it is true, and at the same depth as COR+."""

from __future__ import annotations

from itertools import combinations

import pytest

from differential import ask, expected
from evaluator import depqbf
from harary import CRITICAL
from skolemate.api import solve
from skolemate.ask import Verdict
from skolemate.encodings import encode
from skolemate.games import Graph, Player, PositionalGame, Sets
from skolemate.games.game import Question, turns
from skolemate.games.goals import Shape, fitting
from skolemate.limits import Reason

DEEPEST = 9  # asked here; N on 5x5 belongs to `make check-alternation`
GAMES = [(side, shape) for side in (4, 5) for shape in fitting(side, range(1, 6))]


@pytest.mark.parametrize(("side", "shape"), GAMES, ids=str)
def test_it_finds_the_wins_of_cor_plus_at_the_same_depth(side: int, shape: Shape) -> None:
    game = f"harary(shape={shape}, width={side}, height={side})"
    critical = CRITICAL[side].get(str(shape))
    deepest = min(critical or 7, DEEPEST)
    for depth in range(1, deepest + 1, 2):
        for encoding in ("cor+", "cover"):
            truth = depqbf(ask(game, depth, encoding, symmetry=True).formula)
            assert truth is (depth == critical), f"{encoding} at {depth}"


@pytest.mark.parametrize(("shape", "depth"), [("tippy", 7), ("el", 5), ("elly", 7)])
def test_it_finds_wins_on_a_torus(shape: str, depth: int) -> None:
    game = f"harary(shape={shape}, width=4, height=4, torus=true)"
    for encoding in ("cor+", "cover"):
        for asked in (depth - 2, depth):
            truth = depqbf(ask(game, asked, encoding, symmetry=True).formula)
            assert truth is (asked == depth), f"{encoding} at {asked}"


def test_a_win_is_told_with_its_move_but_without_a_least_depth() -> None:
    answer = solve("harary(shape=elly, width=4, height=4)", encoding="cover", all_moves=True)
    assert (answer.verdict, answer.depth) == (Verdict.WIN, 7)
    assert answer.first_moves
    assert not answer.first_moves_complete
    assert answer.critical_depth is None
    assert answer.refuted_depth is None
    assert "not sooner" not in str(answer)


def test_a_false_cover_is_no_answer() -> None:
    answer = solve("harary(shape=elly, width=4, height=4)", 5, encoding="cover")
    assert (answer.verdict, answer.reason) == (Verdict.UNKNOWN, Reason.ONE_SIDED)
    assert solve("tictactoe", encoding="cover").reason is Reason.ONE_SIDED


@pytest.mark.parametrize(
    ("white_set", "wins"),
    [("fg", False), ("bf", False), ("bc", True), ("fgh", True), ("", True)],
)
def test_white_may_win_outside_the_cover(white_set: str, wins: bool) -> None:
    """Black needs a and two of b to e: too late if White completes his set with two stones."""
    board = Graph.of("abcdefgh")
    black_goal = Sets.of(board.cells(["a", *two]) for two in combinations("bcde", 2))
    white_goal = Sets.of([board.cells(list(white_set))]) if white_set else None
    game = PositionalGame("a and two more", board, black_goal, white_goal, turns(8))
    for start in (game, game.after([0])):
        question = Question(start, Player.BLACK, 5 - len(start.played))
        assert expected(question) is wins
        for symmetry in (False, True):
            assert depqbf(encode(question, "cover", symmetry=symmetry).formula) is wins
