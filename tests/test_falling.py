"""GROUND's rule for falling stones, to answer in pairs, against the oracle."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from differential import ENOUGH
from samples import sample
from skolemate import load
from skolemate.api import certify, prove, solve
from skolemate.ask import Verdict
from skolemate.encodings import encode
from skolemate.encodings.parts.falling import NO_PAIRS, Falling, falling
from skolemate.games import Game, Player, Position
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.limits import Budget, Limit
from skolemate.search.reference import Reference
from skolemate.solvers import Pipeline

QUESTIONS = sample(300)  # random ones, for each solver
SIZES = [(4, 4), (3, 4), (4, 3), (5, 3), (3, 5), (2, 5), (5, 2), (4, 2), (2, 3), (1, 5)]


def random_game(rng: random.Random, most: int = 10) -> Game:
    """Connect-c after random moves that win nothing, with at most so many open cells."""
    width, height = rng.choice(SIZES)
    k = rng.randint(2, min(4, max(width, height)))
    first = rng.choice(list(Player)).value
    game = build(f"connect(k={k}, width={width}, height={height}, first={first})")
    moves, position = [], game.start
    for _ in range(max(0, width * height - rng.randint(2, most))):
        following = [m for m in position.moves() if position.play(m).winner is None]
        if not following:
            break
        moves.append(rng.choice(following))
        position = position.play(moves[-1])
    return game.after(moves)


def open_cells(game: Game) -> int:
    return game.board.size - game.start.occupied.bit_count()


@pytest.mark.parametrize("solver", ["depqbf", "caqe"])
def test_random_games_agree_with_the_oracle(solver: str) -> None:
    """At every depth, both players' questions, either player to move first."""
    rng = random.Random(solver)
    seen: Counter[bool] = Counter()
    for _ in range(ENOUGH):
        game, player = random_game(rng), rng.choice(list(Player))
        depth = rng.choice([open_cells(game), rng.randint(0, open_cells(game))])
        encoded = encode(Question(game, player, depth), "ground")
        if "held" not in {group.name for group in encoded.formula.legend.groups}:
            continue
        answer = Reference(player).wins(game.start, depth)
        if seen[answer] >= QUESTIONS * 3 // 5:
            continue
        found = Pipeline.parse(solver).solve(encoded.formula, Budget(Limit(60))).truth
        assert found is answer, f"{player} at {depth}: {game}"
        seen[answer] += 1
        if seen.total() == QUESTIONS:
            break
    assert seen.total() == QUESTIONS


def test_who_answers_in_pairs_holds() -> None:
    """White, when Black is to move, is never beaten; Black, when White is, wins in time."""
    rng, seen = random.Random(1), Counter[tuple[Player, bool]]()
    classes = [(Player.BLACK, True), (Player.WHITE, True), (Player.WHITE, False)]
    while min(seen[held] for held in classes) < sample(80):
        (width, height), first = rng.choice(SIZES), rng.choice(list(Player)).value
        k = rng.randint(2, min(4, max(width, height)))
        game = build(f"connect(k={k}, width={width}, height={height}, first={first})")
        position, left = game.start, game.board.size
        falls = falling(Question(game, Player.BLACK, left))
        assert falls is not None
        for ply in range(1, left + 1):
            if left - ply < 8:
                _check_holding(falls, position, ply, left - ply + 1, seen)
            following = map(position.play, position.moves())
            going_on = [after for after in following if after.winner is None]
            if not going_on:
                break
            position = rng.choice(going_on)


def _check_holding(
    falls: Falling, position: Position, ply: int, left: int, seen: Counter[tuple[Player, bool]]
) -> None:
    assert position.to_move is not None
    holder = position.to_move.opponent
    for pairs in (NO_PAIRS, *falls.ways(ply)):
        if holder is Player.BLACK and pairs.top is None:
            continue
        if falls.holds(holder, [pairs], position.black, position.white):
            depth = left if holder is Player.WHITE else pairs.cells
            wins = Reference(Player.BLACK).wins(position, depth)
            assert wins is (holder is Player.BLACK), f"{pairs}: {position.game}\n{position}"
            seen[holder, pairs.top is not None] += 1


LATE = {
    "connect(k=3, width=3, height=4, moves=a4 a3 c4 b4 c3 a2 a1)": 4,
    "connect(k=4, width=4, height=4, first=white, moves=a4 d4 b4 b3 c4 b2 b1 c3)": 8,
}


@pytest.mark.parametrize("name", LATE)
def test_a_win_by_pairs_is_claimed_only_in_time(name: str) -> None:
    """White is to move, and Black gets the top at the last moment."""
    for missing in range(4):
        depth = LATE[name] - missing
        formula = encode(Question(build(name), Player.BLACK, depth), "ground").formula
        truth = Pipeline.parse("depqbf").solve(formula, Budget(Limit(60))).truth
        assert truth is Reference(Player.BLACK).wins(build(name).start, depth) is (missing == 0)


def test_strategies_are_certified_where_black_wins_by_pairs(tmp_path: Path) -> None:
    rng, seen = random.Random(2), Counter[bool]()
    while min(seen[True], seen[False]) < sample(40):
        game, player = random_game(rng), rng.choice(list(Player))
        answer = solve(game, open_cells(game), player.value)
        wins = answer.verdict is Verdict.WIN
        if seen[wins] < sample(60):
            strategy = tmp_path / "strategy.jsonl"
            prove(answer, strategy)
            assert certify(strategy, "ground").holds, f"{player}: {game}"
            seen[wins] += 1


@pytest.mark.parametrize(
    "name",
    [
        "connect(k=3, width=3, height=3, misere=true)",
        "connect(k=3, width=3, height=3, black=a1)",
        "breakthrough(width=2, height=4)",
        "domineering(width=3, height=3)",
        "tictactoe",
        "mnk(m=4, n=1, k=2)",
    ],
)
def test_it_is_for_falling_stones_only(name: str) -> None:
    assert falling(Question(build(name), Player.BLACK, 9)) is None


def test_published_games_of_falling_stones_are_recognised(published: Path) -> None:
    game = load(published / "gdl" / "connect-4-4x4.gdl").listing()
    falls = falling(Question(game, Player.BLACK, 16))
    assert falls is not None
    assert (len(falls.columns), len(falls.sets[Player.BLACK]), falls.open_cells) == (4, 10, 16)
