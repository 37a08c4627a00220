"""Random games by seed: the same everywhere, legal, and not over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from skolemate.errors import UserError
from skolemate.formats import write_game
from skolemate.games import PositionalGame, Sets
from skolemate.games.chance import Chance
from skolemate.games.family import build
from skolemate.loading import load


def test_the_same_seed_gives_the_same_game_on_every_python() -> None:
    """Names with seeds are cited, so what they mean must never change."""
    assert Chance(7).below(1000) == 323
    hexagons = build("hex(size=4, random_moves=5, seed=3)")
    assert str(hexagons) == "hex(size=4, moves=a4 c3 d3 b3 d2)"
    pawns = build("breakthrough(width=3, height=4, random_moves=3, seed=2)")
    right = "right-diagonal(2,3) right-diagonal(2,2) right-diagonal(1,3)"
    assert str(pawns) == f"breakthrough(width=3, height=4, moves={right})"
    game = build("random_hypergraph(cells=5, sets=3, size=2, seed=1)")
    assert isinstance(game, PositionalGame)
    assert isinstance(game.black_goal, Sets)
    assert [game.board.named(mask) for mask in game.black_goal.sets] == [
        *("a1 c1", "c1 d1", "a1 e1")
    ]
    assert build("random_harary(cells=4, width=4, height=4, seed=1)") == build(
        "harary(shape=skinny, width=4, height=4)"
    )


@pytest.mark.parametrize(
    "rules", ["hex(size=4{})", "connect(k=3, width=4, height=3{})", "konane(width=4, height=4{})"]
)
def test_random_moves_leave_something_to_play(rules: str) -> None:
    seen = set()
    for seed in range(20):
        game = build(rules.format(f", random_moves=4, seed={seed}"))
        assert len(game.played) == 4
        assert game.start.moves()
        assert build(str(game)) == game  # the name has the moves, and needs no seed
        seen.add(game.played)
    assert len(seen) > 5


def test_random_moves_come_after_those_that_are_given() -> None:
    game = build("tictactoe(moves=b2, random_moves=2, seed=5)")
    assert str(game).startswith("tictactoe(moves=b2 ")
    assert len(game.played) == 3


def test_files_take_random_moves_too(tmp_path: Path) -> None:
    file = f"{tmp_path}/three.pg"
    write_game(build("tictactoe"), file)
    assert len(load(f"{file}(random_moves=4, seed=9)").played) == 4


def test_random_sets_are_different_and_of_one_size() -> None:
    every = build("random_hypergraph(cells=6, sets=20, size=3, seed=4)")
    assert isinstance(every, PositionalGame)
    assert isinstance(every.black_goal, Sets)
    assert len(every.black_goal.sets) == 20  # all that there are
    assert {mask.bit_count() for mask in every.black_goal.sets} == {3}
    games = {build(f"random_hypergraph(seed={seed})") for seed in range(20)}
    assert len(games) == 20
    moved = build("random_hypergraph(cells=6, sets=5, size=2, seed=3, random_moves=2)")
    assert len(moved.played) == 2


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hex(size=3, seed=1)", "seed goes with random_moves"),
        ("hex(size=3, random_moves=x)", "random_moves must be a whole number from 0 up, not 'x'"),
        ("tictactoe(random_moves=9)", "cannot go on after "),
        ("random_hypergraph(cells=4, sets=7, size=2)", "4 cells have 1 to 6 sets of size 2"),
        ("random_hypergraph(cells=4, sets=1, size=5)", "have 1 to 0 sets of size 5"),
        ("random_harary(cells=9)", "a polyomino has 1 to 7 cells here"),
        ("random_harary(cells=5, width=2, height=2)", "no polyomino of 5 cells fits onto 2x2"),
    ],
)
def test_mistakes_are_told(name: str, message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        build(name)
