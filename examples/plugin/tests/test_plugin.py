"""What the plug-in adds is found, and agrees with the oracle."""

import skolemate
from skolemate.games.game import Player
from skolemate_example.brute import holds, read

LAST_STONE = "corners(maker_breaker=true, moves=a1 b1 a2 b2 c2 c1 b3 c3)"


def test_the_games() -> None:
    assert skolemate.solve("corners").critical_depth == skolemate.oracle("corners").critical_depth
    assert skolemate.solve("race").critical_depth == 5
    assert skolemate.load("race").start.to_move is Player.BLACK


def test_the_encoding() -> None:
    assert bool(skolemate.solve(LAST_STONE, 1, encoding="one")) is True
    assert bool(skolemate.oracle(LAST_STONE, 1)) is True


def test_the_solver() -> None:
    assert holds(*read("p cnf 2 2\na 1 0\ne 2 0\n1 2 0\n-1 -2 0\n")) is True
    assert holds(*read("p cnf 2 2\ne 2 0\na 1 0\n1 2 0\n-1 -2 0\n")) is False
    for depth in (1, 3):
        answer = skolemate.solve("hex(size=2)", depth, encoding="et", pipeline="brute")
        assert bool(answer) is bool(skolemate.oracle("hex(size=2)", depth))
