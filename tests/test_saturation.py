"""All that the checker can be brought to accept about small games is true: see saturation.py."""

from __future__ import annotations

import random

import pytest

from samples import sample
from saturation import GAMES, Saturation, saturate
from skolemate.formats import parse_pg
from skolemate.games import Player, Position
from skolemate.games.family import build
from skolemate.games.symmetry import mask_of
from skolemate.strategies import Claim
from skolemate.strategies.checker import Checker

# Black has a stone on x, has begun on f as the file demands, and White can take y.
RESTRICTED = """\
#times
t1 t2 t3
#blackturns
t1 t3
#blackinitials
x
#positions
x y f z
#firstmoves
f
#blackwins
x y
"""


@pytest.mark.parametrize("kind", GAMES)
def test_what_is_accepted_is_true(kind: str) -> None:
    rng, accepted = random.Random(kind), 0
    for _ in range(sample(8)):
        accepted += saturate(kind, rng, size=3).accepted.total()
    assert accepted


def test_every_kind_of_node_is_tried_and_accepted() -> None:
    games = ("Hex", "endless", "Maker-Maker")
    accepted = [saturate(kind, random.Random(1), 4).accepted for kind in games]
    kinds = {"symmetry", "turn", "move", "pairs", "replies", "links", "for ever"}
    kinds |= {"omitting", "blank", "blank, omitting"}
    assert {kind for counts in accepted for kind in counts} == kinds


class AsksTheGame(Checker):
    """As the checker once was: what is open on a board that cannot arise, the game was asked."""

    def open_cells(self, position: Position) -> int:
        return mask_of(position.moves())


def test_a_checker_that_asks_the_game_about_boards_that_cannot_arise_is_found_out() -> None:
    game = parse_pg(RESTRICTED)
    claim = Claim(game.after([game.board.cell("f")]), Player.BLACK, 2, True)
    for make, falsehoods in ((AsksTheGame, True), (Checker, False)):
        found = Saturation(claim, random.Random(0), make)
        found.run()
        assert any(found.falsehoods()) is falsehoods


class IgnoresRaces(Checker):
    """A checker for which the opponent's sets are never in the way."""

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        claim.races.dangers = lambda *_: ()  # type: ignore[union-attr,method-assign]


def test_a_checker_that_ignores_the_opponents_sets_is_found_out() -> None:
    game = build("mnk(m=4, n=1, k=2)")
    for make, falsehoods in ((IgnoresRaces, True), (Checker, False)):
        found = Saturation(Claim(game, Player.WHITE, 4, True), random.Random(0), make)
        found.run()
        assert any(found.falsehoods()) is falsehoods
        assert found.accepted["blank"]
