"""The oracle's parts, one by one, on games small enough for a second reading of the definitions."""

from __future__ import annotations

import random

import pytest

from samples import wins_by_definition
from skolemate.games import Player
from skolemate.games.family import build
from skolemate.search.reference import Reference

BLACK, WHITE = Player.BLACK, Player.WHITE
DEEP = range(20)
TINY = {
    "hex(size=2)": 4,
    "tictactoe(moves=b2 a1 a2)": 4,
    "tictactoe(moves=b2 a1 a2 c2 a3)": 5,
    "gttt(p=2, q=1, shape=el, width=2, height=2)": 4,
    "domineering(width=2, height=2)": 3,
    "domineering(width=3, height=2)": 5,
    "breakthrough(width=2, height=4)": 4,
    "evader_pursuer(size=3)": 4,
}


@pytest.mark.parametrize("player", Player)
@pytest.mark.parametrize("name", TINY)
def test_answers_are_those_of_the_definitions(name: str, player: Player) -> None:
    start, oracle = build(name).start, Reference(player)
    depths = list(range(TINY[name] + 1))
    random.Random(name).shuffle(depths)
    for depth in depths:
        truth = wins_by_definition(start, player, depth)
        assert oracle.wins(start, depth) is truth
        moves = oracle.winning_moves(start, depth)
        if start.to_move is player and depth:
            following = ((move, start.play(move)) for move in start.moves())
            assert moves == [m for m, p in following if wins_by_definition(p, player, depth - 1)]
        else:
            assert moves == []
    found = [depth for depth in sorted(depths) if wins_by_definition(start, player, depth)]
    assert oracle.critical_depth(start, sorted(depths)) == (found[0] if found else None)


def test_what_was_judged_is_not_judged_again() -> None:
    pulses: list[None] = []
    oracle, start = Reference(BLACK, lambda: pulses.append(None)), build("hex(size=2)").start
    assert oracle.wins(start, 3)
    judged = len(pulses)
    assert judged > 3
    assert oracle.wins(start, 3)
    assert oracle.wins(start, 4)  # a win within three plies is one within four
    assert len(pulses) == judged
    assert not oracle.wins(start, 2)
    refuted = len(pulses)
    assert refuted > judged
    assert not oracle.wins(start, 2)
    assert not oracle.wins(start, 1)  # none within two plies: none within one
    assert len(pulses) == refuted
    assert oracle.wins(start, 3)
    assert len(pulses) == refuted


def test_the_first_good_move_is_enough() -> None:
    """Black wins at once with the first of his moves: one position more is looked at."""
    pulses: list[None] = []
    oracle = Reference(BLACK, lambda: pulses.append(None))
    assert oracle.wins(build("tictactoe(moves=a2 b1 a3 b2)").start, 1)
    assert len(pulses) == 2


@pytest.mark.parametrize(
    ("name", "player"),
    [
        ("evader_pursuer(size=4, x=1, y=2)", BLACK),
        ("breakthrough(width=2, height=4)", BLACK),
        ("tictactoe(moves=b2 a1)", WHITE),
        ("domineering(width=2, height=2)", WHITE),
    ],
)
def test_that_there_is_never_a_win(name: str, player: Player) -> None:
    """It is seen sooner or later, when questions get deeper, as they do in `deepen`."""
    oracle, start = Reference(player), build(name).start
    assert any(not oracle.wins(start, depth) and oracle.never_wins(start, depth) for depth in DEEP)


def test_that_a_win_comes_later() -> None:
    for name, player, critical in (
        ("breakthrough(width=2, height=4)", WHITE, 8),
        ("hex(size=3)", BLACK, 5),
        ("domineering(width=2, height=2)", BLACK, 2),
    ):
        start = build(name).start
        for depth in range(critical):
            oracle = Reference(player)
            assert not oracle.wins(start, depth)
            assert not oracle.never_wins(start, depth)


def test_only_as_much_work_as_twice_the_work_before() -> None:
    """A fresh oracle has no work to compare with, and gives up at once; so it does later on."""
    drawn = build("tictactoe(moves=a1 b2 c3 a2 c2 c1 a3 b3 b1)").start
    assert not Reference(BLACK).never_wins(drawn, 0)
    pulses = 0

    def pulse() -> None:
        nonlocal pulses
        pulses += 1

    oracle = Reference(BLACK, pulse)
    start = build("tictactoe").start
    assert not oracle.wins(start, 2)  # 1 + 9 positions, and some twins
    before = pulses
    assert not oracle.never_wins(start, 2)
    assert 2 * before < pulses - before
    assert pulses < 4 * before + 100
