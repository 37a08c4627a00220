"""Splitting: parts side by side make the oracle's answer, whatever is unknown, and end in order."""

from __future__ import annotations

import json
import multiprocessing
import random
from collections import Counter
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import count, islice
from pathlib import Path
from threading import Barrier, Event, Timer
from typing import Any

import pytest

import skolemate
from commands import check_interruption
from differential import KINDS, random_questions
from fake_solvers import HANG, Fakes
from skolemate import Verdict
from skolemate.ask import Answer, deepen
from skolemate.ask.qbf import Qbf
from skolemate.ask.search import reference
from skolemate.ask.splitting import Splitting
from skolemate.cli import main
from skolemate.errors import UserError
from skolemate.games import Player, Position
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.games.sensible import ranked
from skolemate.limits import Budget, Reason
from skolemate.search.reference import Reference
from skolemate.strategies.claim import packed, turned
from waiting import eventually

ELLY = "harary(shape=elly, width=4, height=4)"  # Black wins in 7


@dataclass
class Recording:
    """The oracle, and what it was asked."""

    asked: list[Question] = field(default_factory=list)

    def __call__(self, question: Question, *rest: Any, **options: Any) -> Answer:
        self.asked.append(question)
        return reference(question, *rest, **options)


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_random_questions_agree_with_the_oracle(plies: int) -> None:
    """All kinds of games, both players, every depth; with all winning first moves."""
    rng = random.Random(plies)
    seen: Counter[bool] = Counter()
    for question in islice(random_questions(rng, list(KINDS)), 300):
        game, player, depth = question.game, question.player, question.depth
        oracle = Reference(player)
        right = oracle.wins(game.start, depth)
        all_moves = rng.random() < 0.5
        answer = Splitting(reference, plies, rng.choice([1, 2, 3]), all_moves)(question)
        assert (answer.verdict is Verdict.WIN) is right, str(question)
        assert answer.verdict is not Verdict.UNKNOWN
        if answer.every_depth:
            assert not oracle.wins(game.start, depth + 6), str(question)
        winning = oracle.winning_moves(game.start, depth)
        if answer.first_move_numbers is not None:
            assert right
            assert set(answer.first_move_numbers) <= set(winning)
            if answer.first_moves_complete:
                assert list(answer.first_move_numbers) == winning
            assert answer.first_moves_complete or not all_moves
        elif right:
            assert game.start.winner or game.start.to_move is not player
        seen[right] += 1
    assert min(seen.values()) >= 50


def test_a_game_without_an_end_is_refuted_for_ever_by_its_parts() -> None:
    """What the parts know of every depth, the whole knows."""
    seen: Counter[bool] = Counter()
    for question in islice(random_questions(random.Random(5), ["bddl"]), 60):
        split, whole = Splitting(reference, 2, 1)(question), reference(question)
        if split.every_depth and question.game.horizon is None:
            assert not Reference(question.player).wins(question.game.start, question.depth + 6)
            seen[whole.every_depth] += 1
    assert sum(seen.values()) >= 3


def test_two_first_moves_are_tried_before_a_second_reply() -> None:
    """A reply that refutes a move makes all work on other replies to it vain."""
    pair, together = Barrier(2), list[Question]()

    def method(question: Question, *rest: Any, **options: Any) -> Answer:
        if len(together) < 2:
            together.append(question)
            pair.wait(60)
        return reference(question, *rest, **options)

    question = Question(build("tictactoe"), Player.BLACK, 9)
    assert Splitting(method, 2, 2)(question).verdict is Verdict.NO_WIN
    one, other = (asked.game.played[0] for asked in together)
    assert one != other


def test_sensible_first_moves_are_tried_first() -> None:
    recording = Recording()
    question = Question(build(ELLY), Player.BLACK, 7)
    Splitting(recording, 2, 1)(question)
    assert recording.asked[0].game.played[0] == next(ranked(question.game.start))


# --- what is unknown ----------------------------------------------------------------------------


@dataclass
class Forgetful:
    """The oracle, which has no answer for some classes of symmetric positions, always the same."""

    root: Question
    rate: int  # per cent

    def __post_init__(self) -> None:
        self.oracle = Reference(self.root.player)

    def __call__(self, question: Question, *rest: Any, **options: Any) -> Answer:
        game, player, depth = question.game, question.player, question.depth
        verdict = VERDICTS[self.judge(game.start._replace(game=self.root.game), depth)]
        reason = Reason.SOLVER_ERROR if verdict is Verdict.UNKNOWN else None
        return Answer(game, player, depth, verdict, "test", reason, "it said")

    def judge(self, position: Position, left: int) -> bool | None:
        images = [packed(turned(position, turn)) for turn in self.root.game.symmetries]
        if random.Random(min(images)).randrange(100) < self.rate:
            return None
        return self.oracle.wins(position, left)

    def value(self, position: Position, left: int, plies: int) -> bool | None:
        """Three-valued logic over all plies, nothing folded and nothing left out."""
        if left == 0 or not position.moves():
            return self.oracle.wins(position, left)
        if plies == 0:
            return self.judge(position, left)
        values = [self.value(position.play(m), left - 1, plies - 1) for m in position.moves()]
        enough = position.to_move is self.root.player
        if enough in values:
            return enough
        return None if None in values else not enough


VERDICTS = {True: Verdict.WIN, False: Verdict.NO_WIN, None: Verdict.UNKNOWN}


def test_unknown_parts_matter_only_if_they_matter() -> None:
    rng = random.Random(8)
    seen: Counter[Verdict] = Counter()
    for question in islice(random_questions(rng, list(KINDS)), 250):
        method, plies = Forgetful(question, rng.choice([10, 30, 70])), rng.choice([1, 2, 2, 3])
        answer = Splitting(method, plies, rng.choice([1, 2]), rng.random() < 0.3)(question)
        right = method.value(question.game.start, question.depth, plies)
        assert answer.verdict is VERDICTS[right], str(question)
        if answer.verdict is Verdict.UNKNOWN:
            assert (answer.reason, answer.detail) == (Reason.SOLVER_ERROR, "it said")
        seen[answer.verdict] += 1
    assert min(seen[verdict] for verdict in Verdict) >= 20


def test_a_one_sided_part_is_blamed_last() -> None:
    def one_sided(question: Question, *rest: Any, **options: Any) -> Answer:
        reason = Reason.MEMORY if question.game.played[0] == failing else Reason.ONE_SIDED
        return replace(reference(question), verdict=Verdict.UNKNOWN, reason=reason)

    question = Question(build("tictactoe"), Player.BLACK, 5)
    failing = -1
    assert Splitting(one_sided)(question).reason is Reason.ONE_SIDED
    failing = 4
    assert Splitting(one_sided)(question).reason is Reason.MEMORY


def test_winning_moves_that_could_not_be_asked_about_are_told() -> None:
    """The centre is unknown: what wins elsewhere stands, and is not said to be all."""

    def method(question: Question, *rest: Any, **options: Any) -> Answer:
        answer = reference(question, *rest, **options)
        if question.game.played[0] == 4:
            return replace(answer, verdict=Verdict.UNKNOWN, reason=Reason.MEMORY)
        return answer

    question = Question(build("harary(shape=el, width=3, height=3)"), Player.BLACK, 9)
    answer = Splitting(method, 1, all_moves=True)(question)
    assert (answer.verdict, answer.first_moves_complete) == (Verdict.WIN, False)
    assert answer.first_moves
    assert answer.detail == "not all first moves could be asked about: memory"
    assert Splitting(reference, 1, all_moves=True)(question).first_moves_complete


# --- what is asked ------------------------------------------------------------------------------


def test_symmetric_parts_are_asked_once() -> None:
    """Tic-tac-toe has 3 first moves and 12 replies up to symmetry, and 72 without."""
    recording = Recording()
    question = Question(build("tictactoe"), Player.BLACK, 9)
    answer = Splitting(recording, 2, 1, all_moves=True)(question)
    assert answer.verdict is Verdict.NO_WIN
    assert len(recording.asked) <= 12
    played = [asked.game.played for asked in recording.asked]
    assert len({moves[0] for moves in played}) == 3


def test_nothing_is_asked_once_it_is_decided() -> None:
    """The middle of a line of 3 wins for Black against all 5 replies up to symmetry, or fewer."""
    recording = Recording()
    question = Question(build("tictactoe(maker_breaker=true)"), Player.BLACK, 9)
    answer = Splitting(recording, 1, 1)(question)
    assert answer.verdict is Verdict.WIN
    assert len(recording.asked) == 1  # the first move that is tried wins
    everything = Recording()
    Splitting(everything, 1, 1, all_moves=True)(question)
    assert len(everything.asked) == 3


def test_decided_games_are_not_asked_about() -> None:
    recording = Recording()
    for name, depth in (("tictactoe", 0), ("tictactoe(moves=a1 b1 a2 b2 a3)", 5)):
        question = Question(build(name), Player.BLACK, depth)
        assert Splitting(recording)(question).verdict is reference(question).verdict
    assert recording.asked == []


def test_deepening_goes_through_a_split() -> None:
    answer = deepen(Splitting(reference), build("hex(size=3)"), Player.BLACK)
    assert answer.critical_depth == deepen(reference, build("hex(size=3)"), Player.BLACK).depth


def test_what_was_found_out_serves_further_on_in_the_game() -> None:
    recording, game = Recording(), build("hein(9)")
    splitting = Splitting(recording, 2)
    (move,) = splitting(Question(game, Player.BLACK, 7)).first_move_numbers or ()
    asked = len(recording.asked)
    later, whole = splitting.divided(5, recording), game.after([move])
    assert later(Question(whole, Player.BLACK, 6))  # all its parts were asked about before
    assert len(recording.asked) == asked
    part = whole.after([whole.start.moves()[0]])
    assert later(Question(part, Player.BLACK, 5))
    assert len(recording.asked) == asked + 1


def test_other_questions_about_the_same_stones_have_other_answers() -> None:
    """What is remembered belongs to a game and a player."""
    splitting = Splitting(reference, 2)
    for name in ("harary(shape=el, width=3, height=3)", "harary(shape=fatty, width=3, height=3)"):
        for player in Player:
            question = Question(build(name), player, 6)
            assert splitting(question).verdict is reference(question).verdict


def test_a_split_by_no_ply_is_refused() -> None:
    with pytest.raises(UserError, match="by one ply or more, not by 0"):
        Splitting(reference, 0)


# --- executors ----------------------------------------------------------------------------------


def test_an_executor_stays_open() -> None:
    with ThreadPoolExecutor(2) as pool:
        for question in islice(random_questions(random.Random(9)), 15):
            answer = Splitting(reference, 2, 2, executor=pool)(question)
            assert answer.verdict is reference(question).verdict, str(question)
        assert pool.submit(int, "7").result() == 7


def processes() -> Executor:
    return ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))


def test_other_processes_answer_too() -> None:
    with processes() as pool:
        for question in islice(random_questions(random.Random(9)), 15):
            answer = Splitting(reference, 2, 2, executor=pool)(question)
            assert answer.verdict is reference(question).verdict, str(question)


def test_other_processes_hear_that_they_are_not_needed(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKOLEMATE_QESTO", fakes.shell(HANG))
    cancel = Event()
    with processes() as pool:
        split = Splitting(Qbf("cor+", "qesto"), 2, 2, executor=pool)
        started = pool.submit(int, "7")
        assert started.result() == 7
        Timer(1, cancel.set).start()
        answer = split(Question(build(ELLY), Player.BLACK, 7), Budget(cancel=cancel))
        assert answer.reason is Reason.CANCELLED
        assert not fakes.processes()


# --- with solvers -------------------------------------------------------------------------------


@pytest.mark.parametrize("pipeline", ["depqbf", "caqe"])
def test_solvers_agree_with_the_oracle(pipeline: str) -> None:
    seen: Counter[Verdict] = Counter()
    for question in islice(random_questions(random.Random(pipeline), list(KINDS)), 12):
        answer = Splitting(Qbf(None, pipeline), 2, 2)(question)
        assert answer.verdict is reference(question).verdict, str(question)
        seen[answer.verdict] += 1
    assert min(seen[Verdict.WIN], seen[Verdict.NO_WIN]) >= 2


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "hein(9)", "-d", "7", "--split", "2", "--all-moves", "--json"]) == 10
    told = json.loads(capsys.readouterr().out)
    assert (told["method"], told["encoding"]) == ("split", "mustplay")
    assert (told["first_moves"], told["first_moves_complete"]) == (["b2"], True)
    assert main(["solve", "hein(9)", "-d", "5", "--split", "1", "-p", "depqbf,caqe"]) == 20
    assert main(["solve", "tictactoe", "--split", "1", "--max-depth", "4"]) == 30


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--split", "0"], "not a number from 1 up"),
        (
            ["--split", "2", "--engine", "search"],
            "leave out encoding, pipeline, symmetry and split",
        ),
        (["--split", "2", "--engine", "both"], "split works with formulas only"),
        (["--split", "2", "-e", "cover/pairing"], "cannot be split, or run with others"),
    ],
)
def test_wrong_calls(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    try:
        code = main(["solve", "tictactoe", *arguments])
    except SystemExit as end:
        code = end.code  # type: ignore[assignment]
    assert code == 2
    assert message in capsys.readouterr().err


def test_a_split_answer_has_a_strategy(tmp_path: Path) -> None:
    file = str(tmp_path / "strategy.jsonl")
    answer = skolemate.solve(ELLY, 7, split=1, jobs=2, strategy=file)
    assert answer.verdict is Verdict.WIN
    assert skolemate.check(file).holds


# --- the end of it ------------------------------------------------------------------------------


def test_cancelled_at_random_moments_nothing_is_left(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some parts hang, some are answered; a sound answer may come first."""
    script = 'case $(cksum < "$1") in [1-4]*) echo "s cnf 0"; exit 20;; esac; $REST 1000'
    monkeypatch.setenv("SKOLEMATE_QESTO", fakes.shell(script))
    rng = random.Random(1)
    for _ in range(15):
        cancel = Event()
        timer = Timer(rng.uniform(0, 0.4), cancel.set)
        timer.start()
        method = Splitting(Qbf("cor+", "qesto"), 2, rng.choice([1, 2, 4]))
        answer = method(Question(build(ELLY), Player.BLACK, 5), Budget(cancel=cancel))
        assert answer.reason in (None, Reason.CANCELLED)
        assert not fakes.processes(), "a process is left"
        timer.cancel()


def test_time_runs_out(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKOLEMATE_QESTO", fakes.shell(HANG))
    answer = skolemate.solve(ELLY, 7, split=2, encoding="cor+", pipeline="qesto", timeout=0.5)
    assert answer.reason is Reason.TIME


def test_an_error_in_a_part_ends_all(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKOLEMATE_QESTO", fakes.shell(HANG))
    hanging, asked = Qbf("cor+", "qesto"), count(1)

    def method(question: Question, *rest: Any, **options: Any) -> Answer:
        if next(asked) == 4:
            assert eventually(fakes.resting)
            raise RuntimeError("a mistake")
        return hanging(question, *rest, **options)

    with pytest.raises(RuntimeError, match="a mistake"):
        Splitting(method, 2, 4)(Question(build(ELLY), Player.BLACK, 7))
    assert not fakes.processes()


def test_an_interruption_leaves_nothing(fakes: Fakes) -> None:
    check_interruption(fakes, "solve", ELLY, "-d", "7", "-e", "cor+", "--split", "2")
