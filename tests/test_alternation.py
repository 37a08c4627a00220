"""Alternation: a win or a block, whichever is found first; in turn and side by side."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

import pytest

import skolemate
from commands import check_interruption
from differential import can_state, random_questions
from fake_solvers import HANG, SAY_TRUE, Fakes
from harary import CRITICAL
from samples import sample
from skolemate import Verdict
from skolemate.api import oracle, solve
from skolemate.ask import qbf
from skolemate.ask.deepening import combined
from skolemate.ask.method import Progress
from skolemate.cli import main
from skolemate.errors import Disagreement, UserError
from skolemate.games import Player
from skolemate.games.goals import Shape, fitting
from skolemate.limits import Reason

SHAPES = fitting(4, range(2, 7))
LONG = ("n", "skinny", "l", "y")  # minutes, or plans of hundreds of formulas
SAMPLE = [s for s in random.Random(6).sample(SHAPES, 16) if str(s) not in LONG]


def test_there_are_48_shapes_that_fit_into_4x4() -> None:
    assert len(SHAPES) == 48
    assert {str(shape) for shape in SHAPES} >= CRITICAL[5].keys() - {"elam"}


@pytest.mark.parametrize("shape", SAMPLE, ids=str)
def test_games_on_5x5_are_settled(shape: Shape) -> None:
    """A sample; `make check-alternation` settles all of them."""
    answer = solve(f"harary(shape={shape}, width=5, height=5)", encoding="cor+/pairing")
    critical = CRITICAL[5].get(str(shape))
    assert (answer.critical_depth, answer.every_depth) == (critical, critical is None)
    if critical is None:
        assert answer.blocking is not None
        assert answer.blocking.check().every_depth


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("encodings", ["cor+/pairing", "cor+/pairing-strong", "cover/pairing"])
def test_random_games_agree_with_the_oracle(encodings: str, jobs: int) -> None:
    rng = random.Random(encodings)
    seen = dict.fromkeys(Verdict, 0)
    for question in islice(random_questions(rng), 2000):
        game, player = question.game, question.player
        if not all(can_state(name, question) for name in encodings.split("/")):
            continue
        answer = solve(game, "auto", player, encoding=encodings, jobs=jobs)
        known = oracle(game, "auto", player)
        if answer.verdict is Verdict.UNKNOWN:
            assert answer.reason is Reason.ONE_SIDED
            assert encodings == "cover/pairing"
        else:
            assert answer.verdict is known.verdict, str(question)
            assert answer.every_depth is known.every_depth
        if answer.critical_depth is not None:
            assert answer.critical_depth == known.critical_depth
        seen[answer.verdict] += 1
        if min(seen[Verdict.WIN], seen[Verdict.NO_WIN]) >= sample(16):
            break
    assert min(seen[Verdict.WIN], seen[Verdict.NO_WIN]) >= sample(16)


def test_the_sides_take_turns_by_depth() -> None:
    told: list[Progress] = []
    solve("tictactoe", encoding="cor+/pairing", progress=told.append, max_depth=5)
    asked = [(p.depth, p.encoding) for p in told if p.verdict is None]
    assert asked == [
        *[(0, "cor+"), (0, "pairing"), (1, "cor+"), (2, "pairing")],
        *[(3, "cor+"), (4, "pairing"), (5, "cor+")],
    ]


def test_what_neither_side_settles_is_unknown() -> None:
    deeper = solve("tictactoe", encoding="cor+/pairing", max_depth=5)
    assert (deeper.verdict, deeper.reason) == (Verdict.UNKNOWN, Reason.DEPTH)
    assert deeper.refuted_depth == 5
    both_false = solve("tictactoe", encoding="cover/pairing")
    assert (both_false.verdict, both_false.reason) == (Verdict.UNKNOWN, Reason.ONE_SIDED)
    assert both_false.refuted_depth is None
    exhausted = solve("tictactoe", encoding="cor+/pairing")
    assert exhausted.every_depth  # by COR+, at the horizon
    assert exhausted.encoding == "cor+"


def test_the_second_player_is_blocked_too() -> None:
    answer = solve("harary(shape=el, width=3, height=2)", player="white", encoding="cor+/pairing")
    assert answer.every_depth
    assert answer.blocking is not None
    assert answer.blocking.check().every_depth
    assert answer.blocking.claim.player is Player.WHITE


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-e", "cor+/cover"], "write an encoding of a win, a slash and one of a block"),
        (["-e", "pairing/cor+"], "as in cover/pairing"),
        (["-e", "cor+/pairing/cover"], "as in cover/pairing"),
        (["-e", "cor+/"], "unknown encoding ''"),
        (["-e", "cor+/pairing", "-d", "5"], "need depth auto"),
        (["-e", "cor+", "--jobs", "2"], "jobs above 1 need several encodings"),
        (["-e", "cor+/pairing", "--verify"], "leave out verify"),
        (["-e", "cor+/pairing", "--engine", "search"], "leave out encoding, pipeline, symmetry"),
    ],
)
def test_wrong_calls(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["solve", "tictactoe", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_the_breaker_is_told_to_ask_for_the_maker() -> None:
    game = "mnk(m=4, n=4, k=3, maker_breaker=true)"
    with pytest.raises(UserError, match="ask for Black"):
        solve(game, player="white", encoding="cor+/pairing")
    assert solve(game, encoding="cor+/pairing").critical_depth == 5


def test_a_game_that_a_side_cannot_state_is_refused() -> None:
    with pytest.raises(UserError, match="White answers every stone of Black's"):
        solve("gttt(p=2)", encoding="cor+/pairing")


# --- side by side -------------------------------------------------------------------------------


ELLY = "harary(shape=elly, width=4, height=4)"  # Black wins in 7


def test_the_first_answer_ends_the_other_side(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PAIRING hangs. In turn, COR+ waits for it; side by side, it finds the win and ends it."""
    monkeypatch.setenv("SKOLEMATE_QESTO", fakes.shell(HANG))
    monkeypatch.setattr(
        qbf,
        "default_pipeline",
        lambda name, fills=False: "qesto" if name == "pairing" else "depqbf",
    )
    waiting = skolemate.solve(ELLY, encoding="cor+/pairing", timeout=2)
    assert (waiting.verdict, waiting.reason) == (Verdict.UNKNOWN, Reason.TIME)
    answer = skolemate.solve(ELLY, encoding="cor+/pairing", timeout=60, jobs=2)
    assert (answer.verdict, answer.critical_depth) == (Verdict.WIN, 7)


def test_limits_hold_for_both_sides(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKOLEMATE_QESTO", fakes.shell(HANG))
    answer = skolemate.solve(ELLY, encoding="cor+/pairing", pipeline="qesto", timeout=1, jobs=2)
    assert answer.reason is Reason.TIME


def test_a_contradiction_of_the_sides_is_told() -> None:
    """A win and a block in one game: somebody is wrong."""
    win = solve(ELLY, 7, encoding="cor+")
    block = replace(win, verdict=Verdict.NO_WIN, every_depth=True, encoding="pairing")
    with pytest.raises(Disagreement, match=r"cor\+ with .*: .* and pairing with .*: "):
        combined([win, block])


def test_a_block_that_is_not_told_is_not_shown(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKOLEMATE_QESTO", fakes.shell(SAY_TRUE))
    answer = skolemate.solve(ELLY, encoding="cor+/pairing", pipeline="qesto", timeout=60)
    assert answer.blocking is None
    assert answer.detail == "the plan of White is not shown: the solver prints no valid pairs"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interruption_leaves_nothing(fakes: Fakes, jobs: str) -> None:
    check_interruption(fakes, "solve", ELLY, "-e", "cor+/pairing", "--jobs", jobs)
