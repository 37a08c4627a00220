"""A portfolio: the first sound answer is the oracle's and ends the rest; others do not count."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from threading import Event, Timer
from typing import Any

import pytest

import skolemate
from commands import check_interruption
from differential import KINDS, random_questions
from fake_solvers import HANG, SAY_FALSE, Fakes
from skolemate import Verdict
from skolemate.ask import Answer
from skolemate.ask.how import How, Portfolio
from skolemate.ask.method import Method
from skolemate.ask.qbf import Qbf
from skolemate.ask.search import Search, reference
from skolemate.cli import main
from skolemate.encodings import Unsupported
from skolemate.errors import Disagreement, UserError
from skolemate.games import Player
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.limits import Budget, Reason

ELLY = "harary(shape=elly, width=4, height=4)"  # Black wins in 7
QUESTION = Question(build(ELLY), Player.BLACK, 7)


@dataclass(frozen=True)
class Says:
    """A member that says something at once."""

    verdict: Verdict
    reason: Reason | None = None

    def __call__(self, question: Question, *rest: Any, **options: Any) -> Answer:
        game, player, depth = question.game, question.player, question.depth
        return Answer(game, player, depth, self.verdict, "test", self.reason, cpu_seconds=1.0)


WIN, NO_WIN = Says(Verdict.WIN), Says(Verdict.NO_WIN)
ONE_SIDED = Says(Verdict.UNKNOWN, Reason.ONE_SIDED)
FAILED = Says(Verdict.UNKNOWN, Reason.SOLVER_ERROR)


def test_random_questions_agree_with_the_oracle() -> None:
    """Engine and formulas, one-sided ones among them; some cannot state the question."""
    formulas = How.parse("auto", "cor+,cover,pairing", "depqbf,caqe").formulas
    members: tuple[Method, ...] = (Search(jobs=1), *formulas)
    chosen = random.Random(3)
    seen: Counter[Verdict] = Counter()
    for question in islice(random_questions(random.Random(4), list(KINDS)), 40):
        some = tuple(chosen.sample(members, 3))
        try:
            answer = Portfolio(some)(question)
        except UserError:
            continue  # none of the three can state it
        if answer.verdict is Verdict.UNKNOWN:
            assert answer.reason is Reason.ONE_SIDED
        else:
            assert answer.verdict is reference(question).verdict, str(question)
        seen[answer.verdict] += 1
    assert min(seen[Verdict.WIN], seen[Verdict.NO_WIN]) >= 5


def test_what_proves_nothing_ends_nobody() -> None:
    assert Portfolio((ONE_SIDED, FAILED, WIN), jobs=1)(QUESTION).verdict is Verdict.WIN
    assert Portfolio((ONE_SIDED, FAILED))(QUESTION).reason is Reason.SOLVER_ERROR
    assert Portfolio((ONE_SIDED, ONE_SIDED))(QUESTION).reason is Reason.ONE_SIDED


def test_the_costs_are_those_of_all() -> None:
    assert Portfolio((FAILED, WIN), jobs=1)(QUESTION).cpu_seconds == 2


def test_a_contradiction_stops_everything() -> None:
    with pytest.raises(Disagreement, match=r"test says WIN, test says NO_WIN: can Black force"):
        Portfolio((WIN, NO_WIN), jobs=1, agreeing=2)(QUESTION)


def test_two_must_agree_if_that_is_wanted() -> None:
    both = Portfolio((WIN, FAILED, WIN), jobs=1, agreeing=2)(QUESTION)
    assert (both.verdict, both.detail) == (Verdict.WIN, "test agrees")
    alone = Portfolio((WIN, FAILED), jobs=1, agreeing=2)(QUESTION)
    assert (alone.verdict, alone.reason) == (Verdict.UNKNOWN, Reason.SOLVER_ERROR)
    assert alone.detail == "only test says WIN"


def test_those_that_cannot_state_a_question_are_left_out() -> None:
    able, unable = Qbf("cor+", "depqbf"), Qbf("et", "depqbf")
    assert Portfolio((unable, able))(QUESTION).encoding == "cor+"
    with pytest.raises(Unsupported, match="et cannot encode"):
        Portfolio((unable,))(QUESTION)


def test_the_first_answer_ends_the_rest(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKOLEMATE_QESTO", fakes.shell(HANG))
    answer = skolemate.solve(ELLY, 7, encoding="cor+", pipeline="qesto,depqbf", timeout=60)
    assert (answer.verdict, answer.pipeline) == (Verdict.WIN, "depqbf")
    assert not fakes.processes()


def test_a_wrong_solver_is_found_by_another(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKOLEMATE_QESTO", fakes.shell(SAY_FALSE))
    with pytest.raises(Disagreement, match=r"qesto on cor\+ says NO_WIN"):
        skolemate.solve(ELLY, 7, encoding="cor+", pipeline="qesto,depqbf", verify=True)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["solve", "hein(9)", "-d", "7", "-p", "depqbf,caqe", "-e", "et,en"]
    assert main([*arguments, "--verify", "--json"]) == 10
    told = json.loads(capsys.readouterr().out)
    assert told["first_moves"] == ["b2"]
    assert told["detail"].endswith(" agrees")
    assert main(["solve", "hein(9)", "-d", "5", "--engine", "both"]) == 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-p", "depqbf,depqbf"], "'depqbf' is named twice"),
        (["-p", "depqbf,"], "unknown"),
        (["-e", "cor+/pairing,gr"], "cannot be split, or run with others"),
        (["-p", "depqbf", "--verify"], "name two pipelines, as in depqbf,caqe"),
    ],
)
def test_wrong_calls(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["solve", "tictactoe", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_cancelled_at_random_moments_nothing_is_left(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKOLEMATE_QESTO", fakes.shell(HANG))
    monkeypatch.setenv("SKOLEMATE_GHOSTQ", fakes.shell(HANG, "other"))
    rng = random.Random(2)
    for _ in range(15):
        cancel = Event()
        timer = Timer(rng.uniform(0, 0.3), cancel.set)
        timer.start()
        formulas = How.parse("auto", "cor+,gr", "qesto,ghostq").formulas
        answer = Portfolio(formulas)(QUESTION, Budget(cancel=cancel))
        assert answer.reason is Reason.CANCELLED
        assert not fakes.processes(), "a process is left"


def test_an_interruption_leaves_nothing(fakes: Fakes) -> None:
    check_interruption(fakes, "solve", ELLY, "-d", "7", "-e", "cor+,gr")
