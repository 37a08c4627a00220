"""Every solver, encoding and pipeline against the oracle, through `solve` as users call it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import cycle, islice, product

import pytest

from differential import (
    CIRCUITS,
    ENOUGH,
    encodings_for,
    expected,
    is_manageable,
    questions_for,
    random_questions,
)
from samples import FULL, sample
from skolemate.api import oracle, solve
from skolemate.ask import Verdict
from skolemate.ask.qbf import VERDICTS, Qbf, default_encoding, default_pipeline
from skolemate.encodings import ENCODINGS, Meaning, encode
from skolemate.games import Player
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.limits import Reason
from skolemate.search.reference import Reference

GENERAL = ["gb", "gd"]  # whose formulas are large
PLAIN = [entry.name for entry in ENCODINGS if entry.name not in (*CIRCUITS, *GENERAL)]
SOLVERS = ("depqbf", "depqbf5", "caqe", "qute", "rareqs", "qfun")
OURS = "simplify+depqbf"
PIPELINES = [*SOLVERS, *(f"bloqqer+{solver}" for solver in SOLVERS), "bloqqer+bloqqer+caqe", OURS]
QUESTIONS = 10  # that need a solver, for an encoding and a pipeline
FOR_CIRCUITS = [*SOLVERS, "bloqqer+caqe", "bloqqer+qute", OURS]  # what comes behind is all the same
FOR_LIFTED = ["depqbf", "qute", OURS]  # the others take too long
FOR_GENERAL = ["depqbf", "caqe", "bloqqer+caqe", OURS]  # likewise


def pairs(encodings: Sequence[str], pipelines: Sequence[str]) -> list[tuple[str, str]]:
    """Each encoding with each pipeline; in `make test` each of them once at least."""
    if FULL:
        return list(product(encodings, pipelines))
    count = max(len(encodings), len(pipelines))
    return list(islice(zip(cycle(encodings), cycle(pipelines), strict=False), count))


@pytest.mark.parametrize(
    ("encoding", "pipeline"),
    [
        *pairs(PLAIN, PIPELINES),
        *pairs([name for name in CIRCUITS if name != "lifted"], FOR_CIRCUITS),
        *pairs(["lifted"], FOR_LIFTED),
        *pairs(GENERAL, FOR_GENERAL),
    ],
)
def test_solve_agrees_with_the_oracle(encoding: str, pipeline: str) -> None:
    rng = random.Random(f"{encoding} {pipeline}")
    meaning = ENCODINGS[encoding].meaning
    seen = {VERDICTS[meaning.proof(truth)]: 0 for truth in (True, False)}
    for question in islice(questions_for(encoding, rng), ENOUGH):
        known = Verdict.WIN if expected(question) else Verdict.NO_WIN
        if meaning is Meaning.EXACT and seen[known] >= QUESTIONS // 2:
            continue
        if not is_manageable(encode(question, encoding), 28):
            continue
        answer = solve(
            question.game,
            question.depth,
            question.player,
            encoding=encoding,
            pipeline=pipeline,
            timeout=60,
        )
        if answer.verdict is Verdict.UNKNOWN:
            assert answer.reason is Reason.ONE_SIDED, f"{encoding} {pipeline}: {question}"
        else:
            assert answer.verdict is known, f"{encoding} {pipeline}: {question}"
        if encode(question, encoding).formula.constant is None:  # a solver was needed
            seen[answer.verdict] += 1
        start = question.game.start
        if answer.verdict is Verdict.WIN and start.winner is None:
            if start.to_move is question.player:
                winning = Reference(question.player).winning_moves(start, question.depth)
                assert answer.first_move_numbers is not None
                assert set(answer.first_move_numbers) <= set(winning)
        if min(seen.values()) >= QUESTIONS // 2:
            break
    assert min(seen.values()) >= QUESTIONS // 2


def test_all_moves_are_all_winning_moves() -> None:
    rng = random.Random(3)
    compared = 0
    for question in islice(random_questions(rng), ENOUGH):
        start = question.game.start
        if not expected(question) or start.winner is not None:
            continue
        if start.to_move is not question.player or not encodings_for(question):
            continue
        answer = solve(
            question.game, question.depth, question.player, pipeline="depqbf", all_moves=True
        )
        winning = Reference(question.player).winning_moves(start, question.depth)
        assert answer.first_move_numbers == tuple(winning)
        assert answer.first_moves_complete
        compared += 1
        if compared == sample(40):
            break
    assert compared == sample(40)


def test_the_breakers_questions_are_answered_through_the_makers() -> None:
    rng = random.Random(4)
    seen = {True: 0, False: 0}
    for question in islice(random_questions(rng), 3000):
        game = question.game
        if game.goal(question.player) is None and min(seen.values()) < 10:
            answer = solve(game, question.depth, question.player, pipeline="depqbf")
            known = expected(question)
            assert bool(answer) == known, str(question)
            assert answer.first_moves is None
            assert (
                not answer.every_depth or Reference(question.player).wins(game.start, 99) is False
            )
            seen[known] += 1
    assert min(seen.values()) >= 10
    weak = "tictactoe(maker_breaker=true, black=a1, white=b2)"
    answer = solve(weak, player="white", engine="qbf")
    assert answer.critical_depth == oracle(weak, player="white").critical_depth


@pytest.mark.parametrize(
    ("name", "depth"),
    [
        ("hein(4)", 5),
        ("hein(9)", 7),
        ("hein(12)", 7),
        ("hein(7)", 9),
        ("tictactoe", None),
        ("harary(shape=elly, width=4, height=4)", 7),
        ("mnk(m=4, n=3, k=3)", 7),
    ],
)
def test_critical_depths(name: str, depth: int | None) -> None:
    answer = solve(name, "auto", engine="qbf")
    assert answer.critical_depth == depth
    assert answer.every_depth == (depth is None)
    if depth is not None:
        assert answer.refuted_depth == depth - 1


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("hex(size=3)", "mustplay"),
        ("tictactoe(maker_breaker=true)", "ea"),
        ("tictactoe", "threat"),
        ("gttt(p=2, maker_breaker=true)", "threat"),
    ],
)
def test_the_default_encoding_suits_the_game(name: str, encoding: str) -> None:
    for player in Player:
        question = Question(build(name), player, 5)
        if question.normalised().game.goal(Player.BLACK) is not None:
            assert default_encoding(question) == encoding
            assert encoding in encodings_for(question)


def test_a_plan_and_the_game_itself_have_pipelines_of_their_own() -> None:
    planned = solve("domineering(width=4, height=5)", 12, engine="qbf")
    assert (planned.encoding, planned.pipeline) == ("ground", "simplify+depqbf")
    planned = solve("domineering(width=5, height=6)", 14, engine="qbf")
    assert (planned.encoding, planned.pipeline) == ("reserves", "simplify+caqe")
    told = solve("domineering(width=5, height=6)", 14, engine="qbf", pipeline="depqbf")
    assert (told.encoding, told.pipeline) == ("reserves", "depqbf")


def test_the_default_pipeline_is_the_best_installed() -> None:
    assert (default_pipeline("mustplay"), default_pipeline("cor+")) == (
        "simplify+caqe",
        "simplify+depqbf",
    )
    assert solve("hein(4)", 5, engine="qbf").pipeline == "simplify+caqe"
    assert solve("tictactoe", 7, engine="qbf").pipeline == "simplify+depqbf"
    falling = Question(build("connect(k=3, width=3, height=3)"), Player.BLACK, 5)
    assert Qbf().name(falling) == "simplify+caqe on ground"
    assert solve("hein(4)", 3, engine="qbf").verdict is Verdict.NO_WIN
