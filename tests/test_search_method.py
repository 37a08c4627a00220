"""The engine as a method: its answers are the oracle's, with moves, depths and strategies."""

from __future__ import annotations

import random
from os import cpu_count
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import skolemate
from following import holds_against_everything
from samples import SMALL, random_hypergraph_game, random_misere_game, random_shape_game
from skolemate import Verdict
from skolemate.ask import Progress, deepen
from skolemate.ask.how import How
from skolemate.ask.qbf import Qbf
from skolemate.ask.search import Search, settled_by_pairs
from skolemate.cli import main
from skolemate.errors import Disagreement, UserError
from skolemate.games import Player
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.limits import Budget, Limit, Reason
from skolemate.search.reference import Reference
from skolemate.strategies import Strategy


def depths(name: str) -> list[int]:
    horizon = build(name).horizon
    return list(range(min(5 if horizon is None else horizon, 4 if "connect6" in name else 7) + 1))


@pytest.mark.parametrize("name", SMALL)
def test_answers_and_first_moves_are_the_oracles(name: str) -> None:
    game = build(name)
    for player in Player:
        oracle, search = Reference(player), Search(all_moves=True)
        for depth in depths(name):
            answer = search(Question(game, player, depth))
            assert bool(answer) is oracle.wins(game.start, depth), (player, depth)
            assert answer.method == "search"
            if answer and answer.first_move_numbers is not None:
                assert answer.first_moves_complete
                assert list(answer.first_move_numbers) == oracle.winning_moves(game.start, depth)
            if answer.every_depth and game.horizon is not None and game.horizon < 10:
                assert not oracle.wins(game.start, game.horizon)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("player", ["black", "white"])
def test_strategies_come_with_the_answers(name: str, player: str, tmp_path: Path) -> None:
    file = str(tmp_path / "strategy.jsonl")
    for depth in depths(name)[-2:]:
        answer = skolemate.solve(name, depth, player, engine="search", strategy=file)
        strategy = Strategy.load(file)
        assert strategy.check().holds
        assert strategy.claim.wins is bool(answer)
        holds_against_everything(strategy)


def test_the_table_fits_into_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    tables: list[int] = []

    def engine(*_: object, table_bytes: int, threads: int) -> None:
        tables.append(table_bytes)

    monkeypatch.setattr("skolemate.ask.search.Engine", engine)
    for memory in (1 << 30, 100 << 40):
        Search().engine(build("tictactoe"), Player.BLACK, Limit(memory=memory))
    assert tables[0] == 1 << 29
    assert tables[1] < 50 << 40


def test_one_method_answers_for_all_positions_of_a_game() -> None:
    search, game = Search(), build("tictactoe")
    for move in game.start.moves():
        after = game.after([move])
        assert not search(Question(after, Player.WHITE, 8))
        for reply in after.start.moves():
            asked = Question(after.after([reply]), Player.BLACK, 7)
            assert bool(search(asked)) is Reference(Player.BLACK).wins(asked.game.start, 7)


def test_limits_are_kept() -> None:
    question = Question(build("harary(shape=snaky, width=8, height=8)"), Player.BLACK, 41)
    answer = Search()(question, Budget(Limit(0.2)))
    assert (answer.verdict, answer.reason) == (Verdict.UNKNOWN, Reason.TIME)
    assert answer.positions is not None
    assert answer.positions > 1000


def test_a_game_without_end_is_settled_by_the_opponents_win() -> None:
    """The answer must not depend on which of White's moves the engine looks at first."""
    for depth in ("auto", 10_000):
        answer = skolemate.solve("evader_pursuer", depth, timeout=60)
        assert answer.verdict is Verdict.NO_WIN
        assert answer.every_depth


def test_the_breakers_questions_are_remembered() -> None:
    search, game = Search(), build("mnk(m=3, n=3, k=3, maker_breaker=true)")
    asked = Question(game, Player.WHITE, 9)
    first, second = search(asked), search(asked)
    assert first.verdict is second.verdict is Verdict.NO_WIN
    assert second.positions == (first.positions or 0) + 1  # one look into the table


def test_no_more_threads_than_processors() -> None:
    engine = Search(jobs=100_000).engine(build("tictactoe"), Player.BLACK, Limit())
    assert engine.threads == (cpu_count() or 1)


def test_verification(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = skolemate.solve("hein(4)", verify=True)
    assert (answer.method, answer.critical_depth, answer.encoding) == ("search", 5, "mustplay")
    none = skolemate.solve("tictactoe(moves=b2 a1)", verify=True)
    assert none.every_depth
    assert none.pipeline == "simplify+depqbf"
    endless = skolemate.solve("evader_pursuer(size=4, x=1, y=2)", 2, verify=True)
    assert (endless.every_depth, endless.detail) == (True, "verified within 2 plies")
    monkeypatch.setattr("skolemate.api.Search", lambda *options, **kept: _liar)
    with pytest.raises(Disagreement, match=r"search says WIN, simplify.* on mustplay the contrary"):
        skolemate.solve("hein(4)", 3, verify=True)


def _liar(question: Question, *rest: object) -> skolemate.Answer:
    return skolemate.Answer(
        question.game, question.player, question.depth, Verdict.WIN, method="search"
    )


def test_never_is_verified_up_to_the_horizon(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Recording(Qbf):
        def __call__(self, question: Question, *rest: Any) -> skolemate.Answer:
            asked.append(question.depth)
            return super().__call__(question, *rest)

    monkeypatch.setattr("skolemate.api.Qbf", Recording)
    answer = skolemate.solve("harary(shape=fatty, width=3, height=3)", 7, verify=True)
    assert (answer.every_depth, asked) == (True, [9])


def test_formulas_and_search_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "hein(4)", "--engine", "search", "-e", "et"]) == 2
    assert "leave out encoding, pipeline, symmetry" in capsys.readouterr().err
    assert main(["solve", "hein(4)", "-e", "et", "--verify"]) == 2
    assert "leave out verify" in capsys.readouterr().err


def test_without_the_compiled_module_formulas_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skolemate.search.engine.find_spec", lambda name: None)
    assert skolemate.solve("hein(4)", 5).method == "qbf"
    with pytest.raises(UserError, match=r"install a C\+\+ compiler"):
        skolemate.solve("hein(4)", 5, engine="search")


def test_who_wins_in_the_end_is_known_before_the_least_depth() -> None:
    """No win at any depth ends deepening; a win is told where its least depth is out of reach."""
    game = build("harary(shape=snaky, width=6, height=6)")
    answer = deepen(Search(jobs=1), game, Player.BLACK)
    assert answer.verdict is Verdict.NO_WIN
    assert answer.every_depth
    assert answer.positions is not None
    assert answer.positions < 10_000
    cancel = Event()

    def stop(progress: Progress) -> None:
        if progress.depth == 19:  # less is decided at sight
            cancel.set()

    budget = Budget(cancel=cancel, progress=stop)
    answer = deepen(Search(jobs=1), build("hex(size=7)"), Player.BLACK, budget=budget)
    assert (answer.verdict, answer.depth, answer.critical_depth) == (Verdict.WIN, 49, None)
    assert answer.refuted_depth == 18
    assert answer.detail == "the least depth is between 19 and 49"


# --- pairs on boards that the engine refuses ------------------------------------------------------


def test_what_pairs_settle_is_a_draw_by_the_oracle() -> None:
    rng = random.Random(8)
    settled = 0
    for _ in range(400):
        make = rng.choice((random_hypergraph_game, random_misere_game, random_shape_game))
        game = make(rng)
        if game.horizon is None or game.horizon > 9 or not settled_by_pairs(game):
            continue
        settled += 1
        for player in Player:
            if game.breaker is not player:
                assert not Reference(player).wins(game.start, game.horizon), game
    assert settled > 40


@pytest.mark.parametrize("kind", ["", ", maker_breaker=true"])
def test_a_board_that_the_engine_cannot_hold_is_settled_by_pairs(kind: str, tmp_path: Path) -> None:
    file = str(tmp_path / "strategy.jsonl")
    name = f"cube(n=8, d=3{kind})"
    answer = skolemate.solve(name, strategy=file)
    assert (answer.verdict, answer.every_depth) == (Verdict.NO_WIN, True)
    assert skolemate.check(file, name, claim="NO_WIN 512 black").holds
    assert Strategy.load(file).size == 1


def test_a_large_board_without_pairs_is_left_to_formulas() -> None:
    game = build("mnk(m=20, n=20, k=3)")
    assert not settled_by_pairs(game)
    assert How.parse().decided(game).engine == "qbf"
    with pytest.raises(UserError, match="384 cells"):
        Search()(Question(game, Player.BLACK, 5))
