"""Games that may never end: who never wins there, and the proof of it, which goes round in circles.

The truth is a least fixed point over all positions: `won_at_all` in saturation.py.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from math import inf
from pathlib import Path

import pytest

import skolemate
from bddl_models import random_bddl_game
from following import has_won
from gdl_descriptions import random_gdl_game
from saturation import reachable, won_at_all
from skolemate import Strategy, Verdict
from skolemate.formats.bddl import parse_bddl
from skolemate.games import Game, Player
from skolemate.strategies import Claim, Node, check
from skolemate.strategies.tree import page

BLACK, WHITE = Player.BLACK, Player.WHITE

# Both have a stone at their end, may wait, and win at the other end; whoever goes first is met.
WAIT = """\
#blackactions
:action wait
:parameters (?x,?y)
:precondition (black(?x,?y))
:effect (black(?x,?y))
:action go
:parameters (?x,?y)
:precondition (black(?x,?y) open(?x+1,?y))
:effect (open(?x,?y) black(?x+1,?y))
#whiteactions
:action wait
:parameters (?x,?y)
:precondition (white(?x,?y))
:effect (white(?x,?y))
:action go
:parameters (?x,?y)
:precondition (white(?x,?y) open(?x-1,?y))
:effect (open(?x,?y) white(?x-1,?y))
#boardsize
3 1
#init
(black(1,1) white(3,1))
#blackgoals
(black(xmax,?y))
#whitegoals
(white(xmin,?y))
"""
LANE = parse_bddl(WAIT)
WAITS, GOES = (LANE.parse_move(move, BLACK) for move in ("wait(1,1)", "go(1,1)"))
CLAIM = Claim(LANE, WHITE, 2, False)
NEAR = LANE.start.play(WAITS).play(LANE.parse_move("go(3,1)", WHITE))
CIRCLE = [
    Node(LANE.start, inf, WAITS),
    Node(LANE.start.play(WAITS), inf),
    Node(NEAR, inf, WAITS),
    Node(NEAR.play(WAITS), inf),
]


def test_nodes_without_a_limit_prove_each_other() -> None:
    report = check(CLAIM, CIRCLE)
    assert (report.holds, report.every_depth, report.nodes) == (True, True, 4)
    assert check(CLAIM, CIRCLE[::-1]).every_depth, "in any order"


@pytest.mark.parametrize("place", range(4))
def test_no_node_of_a_circle_can_be_spared(place: int) -> None:
    report = check(CLAIM, [node for node in CIRCLE if node is not CIRCLE[place]])
    assert not report.holds
    if place:
        assert report.reason == "no line proves that there is never a win here"
        assert report.position == CIRCLE[place].position


def test_a_limit_of_plies_proves_no_more_than_that() -> None:
    finite = [Node(LANE.start.play(WAITS), 1), Node(LANE.start, 2, WAITS)]
    report = check(CLAIM, finite)
    assert (report.holds, report.every_depth) == (True, False)
    # A node without a limit does not rest on one that has some.
    report = check(CLAIM, [finite[0], CIRCLE[0], *CIRCLE[2:]])
    assert report.reason == "no line proves that there is never a win here"


def test_only_a_defence_goes_on_for_ever() -> None:
    reason = "only a defence, move by move, needs no limit of plies"
    assert check(Claim(LANE, BLACK, 2, True), CIRCLE).reason == reason
    tic = skolemate.load("tictactoe")
    node = Node(tic.start, inf, pairs=())
    assert check(Claim(tic, BLACK, 9, False), [node]).reason == reason


def test_a_circle_with_a_lost_position_proves_nothing() -> None:
    """With a row of his own White is not stopped by one who waits."""
    game = parse_bddl(WAIT.replace("3 1\n", "3 2\n").replace("white(3,1)", "white(3,2)"))
    waits, goes = game.parse_move("wait(1,1)", BLACK), game.parse_move("go(3,2)", WHITE)
    after = game.start.play(waits)
    near = after.play(goes)
    nodes = [Node(position, inf, waits) for position in (game.start, near)]
    nodes += [Node(position, inf) for position in (after, near.play(waits))]
    report = check(Claim(game, WHITE, 2, False), nodes)
    assert (report.holds, report.position) == (False, near.play(waits))


@pytest.mark.parametrize("ask", [skolemate.solve, skolemate.oracle])
def test_at_any_depth_is_what_the_file_proves(
    ask: Callable[..., skolemate.Answer], tmp_path: Path
) -> None:
    model, file = tmp_path / "wait.bddl", tmp_path / "wait.jsonl"
    model.write_text(WAIT, encoding="utf-8")
    answer = ask(str(model), player="white", strategy=str(file))
    assert (answer.verdict, answer.every_depth) == (Verdict.NO_WIN, True)
    assert skolemate.check(str(file), str(model)).every_depth
    strategy = Strategy.load(str(file), str(model))
    assert strategy.for_ever
    assert strategy.statistics()["for_ever"] == strategy.size
    json.dumps(strategy.statistics(), allow_nan=False)
    assert '"left":null' in page(strategy)


def test_the_engine_says_never_where_the_oracle_does() -> None:
    for name in ("knightthrough(width=2, height=5)", "evader_pursuer(size=4, x=1, y=2)"):
        for ask in (skolemate.solve, skolemate.oracle):
            assert ask(name, timeout=60).every_depth, name


def never_left(strategy: Strategy) -> int:
    """Follow the strategy against every move until it comes back to where it was."""
    waiting, met = [strategy.game.start], {strategy.game.start}
    while waiting:
        position = waiting.pop()
        won = has_won(position, 1, strategy.claim.player)
        if won is not None:
            assert not won
            continue
        mine = position.to_move is strategy.owner
        for move in [strategy.move(position)] if mine else position.moves():
            assert move is not None
            after = position.play(move)
            if after not in met:
                met.add(after)
                waiting.append(after)
    return len(met)


def endless(rng: random.Random, kind: Callable[[random.Random], Game]) -> Game:
    while True:
        game = kind(rng)
        if game.horizon is None and len(reachable(game)) < 2000:
            return game


@pytest.mark.parametrize("kind", [random_bddl_game, random_gdl_game])
def test_never_is_true_and_is_proved(kind: Callable[[random.Random], Game], tmp_path: Path) -> None:
    rng, said = random.Random(6), {True: 0, False: 0}
    file = str(tmp_path / "strategy.jsonl")
    for _ in range(60):
        game, player = endless(rng, kind), rng.choice(list(Player))
        truth = game.start in won_at_all(game, player)
        answer = skolemate.solve(game, player=player, max_depth=30, jobs=1)
        if answer.verdict is Verdict.UNKNOWN:
            continue
        assert bool(answer) is truth, game
        said[truth] += 1
        if not truth:
            assert answer.every_depth
            again = skolemate.solve(game, player=player, max_depth=30, jobs=1, strategy=file)
            assert again.every_depth
            assert skolemate.check(file, game).every_depth
            assert never_left(Strategy.load(file, game))
    assert min(said.values()) > 10, said
