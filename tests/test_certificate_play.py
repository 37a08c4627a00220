"""Playing by a certificate: replies and boards are read off the formula, and the rules agree."""

from __future__ import annotations

import pytest

from following import extracted
from following_certificates import Follower, Game, strategy_of
from skolemate.certificates import certify
from skolemate.certificates.certify import encoded_for
from skolemate.games import Player
from skolemate.games.family import build

QUESTIONS = [
    ("hex(size=3)", 5, Player.BLACK, "et en ea cor+ cor la ln li sa sn si lifted"),
    ("hex(size=3, first=white)", 6, Player.BLACK, "et en ea cor+ cor"),
    ("hex(size=3)", 6, Player.WHITE, "et en ea cor+ cor"),
    ("harary(shape=el, width=3, height=3)", 5, Player.BLACK, "cor+ cor dys lifted"),
    ("tictactoe(moves=b2 a1)", 5, Player.BLACK, "cor+ cor"),
    ("gttt(p=2, q=1, shape=el, width=3, height=3)", 5, Player.BLACK, "cor+ cor dys"),
    ("connect(k=2, width=3, height=3)", 3, Player.BLACK, "gr lifted"),
    ("breakthrough(width=2, height=4)", 8, Player.WHITE, "lifted"),
]


def played_out(follower: Follower, game: Game) -> tuple[int, int]:
    """All games against the certificate: how many positions were met and boards compared."""
    claim = follower.claim
    compared = int(follower.compare(game))
    left = claim.depth - game.plies
    held = claim.held_by_rules(game.position, left)
    if held is not None:
        assert held, f"{claim} is lost here:\n{game.position}"
        return 1, compared
    if follower.is_mine(game):
        followers = [follower.reply(game)[1]]
    else:
        followers = [follower.opponent_plays(game, move) for move in game.position.moves()]
    results = [played_out(follower, after) for after in followers]
    return 1 + sum(n for n, _ in results), compared + sum(n for _, n in results)


@pytest.mark.parametrize(
    ("name", "depth", "player", "encoding"),
    [(n, d, p, e) for n, d, p, encodings in QUESTIONS for e in encodings.split()],
)
def test_every_game_is_won_and_every_board_agrees(
    name: str, depth: int, player: Player, encoding: str
) -> None:
    strategy = extracted(build(name), player, depth)
    encoded = encoded_for(strategy, encoding)
    follower = Follower(encoded, certify(strategy, encoded))
    positions, compared = played_out(follower, follower.begin())
    assert positions > depth
    # Without a win ∃ tells its board only before White's replies.
    assert compared > positions // (3 if strategy.claim.wins else 8)
    assert strategy_of(follower).check().holds
