"""Games in which completing a set loses, and Avoider-Enforcer games: all methods and the rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import inf
from pathlib import Path

import pytest

from differential import encodings_for, is_manageable, searchable
from evaluator import evaluate
from following import extracted, searched
from samples import random_hypergraph_game, random_misere_game, sample
from skolemate import certify, text, value
from skolemate.encodings import ENCODINGS, encode
from skolemate.errors import MissingView, UserError
from skolemate.formats import parse_pg, to_bddl, to_pg
from skolemate.formats.bddl import parse_bddl
from skolemate.games import Game, Player, Position, PositionalGame
from skolemate.games.bddl import BddlGame
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.games.sensible import ranked
from skolemate.limits import Budget
from skolemate.search.engine import METHODS, Engine, refusal
from skolemate.search.reference import Reference
from skolemate.strategies import Claim, Node, Strategy
from skolemate.strategies.checker import Checker
from skolemate.strategies.claim import NotProved
from skolemate.strategies.nodes import Reply

BLACK, WHITE = Player.BLACK, Player.WHITE


def soonest(game: PositionalGame, player: Player) -> float:
    """The plies within which a player wins, by the sets alone: no rule of the library is asked."""
    sets = {
        p: None if goal is None else [set(game.board.named(s).split()) for s in goal.listed or ()]
        for p, goal in ((BLACK, game.black_goal), (WHITE, game.white_goal))
    }

    def loses(p: Player, stones: frozenset[str]) -> bool:
        """Whether a player's stones contain a set of the opponent's."""
        return any(one <= stones for one in sets[p.opponent] or ())

    @cache
    def within(stones: tuple[frozenset[str], frozenset[str]], ply: int) -> float:
        held = dict(zip((BLACK, WHITE), stones, strict=True))
        for p in Player:
            if loses(p, held[p]):
                return 0 if p is not player else inf
        if ply == len(game.schedule):
            return 0 if sets[player] is None else inf
        mover, ends = game.schedule[ply], []
        for cell in set(game.board.names) - held[BLACK] - held[WHITE]:
            after = held | {mover: held[mover] | {cell}}
            ends.append(1 + within((after[BLACK], after[WHITE]), ply + 1))
        return min(ends) if mover is player else max(ends)

    start = (game.board.named(stones).split() for stones in (game.black, game.white))
    black, white = map(frozenset, start)
    return within((black, white), 0)


def test_the_oracle_agrees_with_a_brute_force_of_its_own() -> None:
    rng, seen = random.Random(1), Counter[float]()
    for _ in range(sample(400)):
        game, player = random_misere_game(rng, rng.choice([2, 3, 4, 5])), rng.choice(list(Player))
        plies = soonest(game, player)
        oracle = Reference(player)
        for depth in range(game.horizon + 1):
            assert oracle.wins(game.start, depth) is (depth >= plies)
        seen[plies] += 1
    assert min(seen[plies] for plies in (0, 1, 2, 3, inf)) > sample(4), seen


def test_engine_encodings_and_checker_agree_with_the_oracle() -> None:
    """Games that the engine and at least three encodings can answer, Avoider-Enforcer games too."""
    rng, seen, games = random.Random(2), Counter[tuple[str, bool]](), Counter[bool]()
    while games.total() < sample(1000):
        game, player = random_misere_game(rng, rng.choice([3, 4, 4, 5])), rng.choice(list(Player))
        question = Question(game, player, rng.randrange(game.horizon + 2))
        exact = encodings_for(question)
        if game.breaker is player or refusal(game) is not None or len(exact) < 3:
            continue
        wins = Reference(player).wins(game.start, question.depth)
        without = [method for method in METHODS if rng.random() < 0.3]
        found = Engine(game, player, without=without).ask(game.start, question.depth, Budget())
        assert found.won is wins, question
        if found.for_ever:
            assert soonest(game, player) == inf
        seen["engine", wins] += 1
        for name in exact:
            encoded = encode(question, name, symmetry=rng.random() < 0.5)
            if name != "lifted" or (
                is_manageable(encoded, 30) and encoded.formula.clause_count < 350
            ):
                assert evaluate(searchable(encoded)) is wins, f"{name}: {question}"
                seen[name, wins] += 1
        if game.start.winner is None and game.start.moves():
            strategy = searched(game, player, question.depth)
            assert strategy.claim.wins is wins
            assert strategy.check().holds
            contrary = replace(strategy.claim, wins=not wins)
            assert not Strategy(contrary, strategy.nodes, strategy.symmetries).check().holds
            seen["checker", wins] += 1
        games[game.breaker is not None] += 1
    names = {name for name, _ in seen}
    assert names == {"engine", "checker", "ground", "gb", "gd", "lifted"}
    assert min(*seen.values(), *games.values()) > sample(120), (seen, games)


@pytest.mark.parametrize("find", [extracted, searched])
def test_strategies_hold_and_neither_parts_of_them_nor_the_contrary(
    find: Callable[..., object],
) -> None:
    rng, seen = random.Random(3), Counter[bool]()
    while min(seen[True], seen[False]) < sample(60):
        game, player = random_misere_game(rng, 5), rng.choice(list(Player))
        if game.start.winner is not None or not game.start.moves():
            continue
        if find is searched and refusal(game) is not None:
            continue
        depth = rng.randrange(1, game.horizon + 1)
        wins = Reference(player).wins(game.start, depth)
        strategy = (
            extracted(game, player, depth, fold=rng.random() < 0.5)
            if find is extracted
            else searched(game, player, depth)
        )
        assert strategy.claim.wins is wins
        assert strategy.check().holds
        assert not strategy.claim.monotone
        assert all(not node.covers for node in strategy.nodes)
        contrary = Strategy(
            replace(strategy.claim, wins=not wins), strategy.nodes, strategy.symmetries
        )
        assert not contrary.check().holds
        missing = rng.randrange(len(strategy.nodes)) if strategy.nodes else None
        if missing is not None:
            rest = [node for place, node in enumerate(strategy.nodes) if place != missing]
            assert not Strategy(strategy.claim, rest, strategy.symmetries).check().holds
        seen[wins] += 1


def test_no_shortcut_is_accepted() -> None:
    """Pairs and replies that hold where completing wins prove nothing where it loses."""
    own, misere = build("mnk(m=3, n=2, k=3)"), build("mnk(m=3, n=2, k=3, misere=true)")
    for game, refusals in ((own, 0), (misere, 2)):
        threatening = game.board.cells("a1 a2 b1 b2")
        replies = tuple(Reply(game.board.cell(cell)) for cell in ("c1", "c2"))
        refused = []
        for wins, node in (
            (False, Node(Position(game, 0, 0, BLACK), 6, pairs=((0, 2), (1, 3)))),
            (True, Node(Position(game, threatening, 0, WHITE), 2, replies=replies)),
        ):
            try:
                Checker(Claim(game, BLACK, 6, wins)).node(node)
            except NotProved as reason:
                refused.append(reason)
        assert len(refused) == refusals, refused


ONE_SIDED = "who completes a set loses"


@pytest.mark.parametrize(
    "name", ["tictactoe(misere=true)", "harary(shape=el, width=3, height=3, misere=true)", "sim(4)"]
)
def test_views_that_rest_on_monotony_are_missing_with_the_reason(name: str) -> None:
    game = build(name)
    assert isinstance(game, PositionalGame)
    for view in (game.hypergraph, game.connection, game.transversal, game.shape):
        with pytest.raises(MissingView) as missing:
            view()
        if view in (game.hypergraph, game.shape):
            assert missing.value.reason == ONE_SIDED
    assert all(game.goal(player) is None for player in Player)
    able = [entry.name for entry in ENCODINGS if entry.refusal(Question(game, BLACK, 3)) is None]
    assert sorted(able) == ["gb", "gd", "ground", "lifted"]


def test_files_keep_that_completing_loses() -> None:
    rng, kinds = random.Random(4), Counter[type[Game]]()
    for _ in range(sample(200)):
        game = random_misere_game(rng, rng.choice([2, 4, 5]))
        try:
            written = to_pg(game)
        except UserError:
            continue  # no turn is left, or the turns do not show how they go on
        read = parse_pg(written)
        assert (read.misere, read.black_goal, read.white_goal) == (
            *(True, game.black_goal, game.white_goal),
        )
        if game.offers("bddl") and game.start.winner is None:
            model = parse_bddl(to_bddl(game))
            assert isinstance(model, PositionalGame)
            assert model.misere
            by_rules = BddlGame("model", game.bddl())
            assert by_rules.misere
            for player in Player:
                plies = soonest(game, player)
                for played in (model, by_rules):
                    assert Reference(player).wins(played.start, game.horizon) is (plies < inf)
        kinds[type(game)] += 1
    assert kinds.total() > sample(80)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("#misere\na1\n#blackwins\na1\n", "nothing belongs to #misere"),
        ("#misere\n#neighbours\na1\n#startboarder\na1\n#endboarder\na1\n", "#misere goes with"),
    ],
)
def test_wrong_files_are_refused(wrong: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        parse_pg("#times\nt1\n#blackturns\nt1\n#positions\na1\n" + wrong)


def test_words_tell_who_loses() -> None:
    both = text(build("tictactoe(misere=true)").start)
    assert "White wins when Black completes a set." in both
    assert "Black wins when White completes a set." in both
    one = text(build("tictactoe(misere=true, maker_breaker=true)").start)
    assert "Black wins when White completes a set." in one
    assert "White wins when" not in one


def test_a_lost_set_is_shown_and_a_losing_move_is_the_last_choice() -> None:
    game = build("tictactoe(misere=true, moves=a1 b1 a2 b2)")
    assert game.move_name(list(ranked(game.start))[-1]) == "a3"
    lost = game.after("a3")
    assert lost.start.winner is WHITE
    assert game.board.named(lost.winning_cells(lost.start)) == "a1 a2 a3"


def test_two_stones_a_turn_are_for_formulas() -> None:
    game = build("gttt(p=2, q=1, shape=el, width=3, height=2, misere=true)")
    refused = refusal(game)
    assert refused is not None
    assert "turns of one stone" in str(refused)
    assert isinstance(game, PositionalGame)
    found = value(game)
    assert (found.winner, found.plies) == (WHITE, soonest(game, WHITE))


def test_a_game_of_own_goals_is_another_game() -> None:
    game = random_hypergraph_game(random.Random(5), 4)
    assert replace(game, misere=False) == game
    assert build("tictactoe") != build("tictactoe(misere=true)")


def test_formulas_have_certificates(tmp_path: Path) -> None:
    """Of both answers; `lifted` refuses."""
    rng, seen = random.Random(6), Counter[tuple[str, bool]]()
    while len(seen) < 6 or min(seen.values()) < sample(20):
        game, player = random_misere_game(rng, rng.choice([3, 4])), rng.choice(list(Player))
        depth = rng.randrange(1, game.horizon + 1) if game.horizon else 0
        question = Question(game, player, depth)
        if not depth or game.start.winner or refusal(game) or len(encodings_for(question)) < 4:
            continue
        strategy = searched(game, player, depth)
        strategy.save(str(tmp_path / "strategy.jsonl"))
        for name in ("ground", "gb", "gd"):
            certified = certify(tmp_path / "strategy.jsonl", name, game=game)
            assert certified.holds, (name, question)
            seen[name, strategy.claim.wins] += 1
    with pytest.raises(UserError, match="lifted cannot be certified"):
        certify(tmp_path / "strategy.jsonl", "lifted", game=game)
