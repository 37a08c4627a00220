"""The engine compared with the oracle."""

from __future__ import annotations

import random
from collections.abc import Sequence

from differential import expected
from skolemate.ask.search import links_of
from skolemate.games import Game, Player
from skolemate.games.game import Question
from skolemate.limits import Budget
from skolemate.search.engine import METHODS, Engine
from skolemate.search.reference import Reference
from skolemate.strategies import Claim
from skolemate.strategies.nodes import virtual_connection


def compare_with_oracle(
    question: Question, rng: random.Random, without: Sequence[str] | None = None
) -> bool:
    """The oracle's answer: the engine's, too, without these methods (default: some by chance)."""
    game, player, horizon = question.game, question.player, question.game.horizon
    options = {
        "table_bytes": rng.choice([1_000, 1 << 16, 1 << 22]),
        "threads": rng.choice([1, 1, 2]),
        "without": rng.sample(METHODS, rng.choice([0, 0, 1, 1, 2, 5]))
        if without is None
        else without,
    }
    depth = question.depth if horizon is None else min(question.depth, horizon)
    engine = Engine(game, player, **options)  # type: ignore[arg-type]
    found = engine.ask(game.start, depth, Budget())
    told = f"{question} {options}"
    truth = expected(question)
    assert found.won is truth, told
    if found.for_ever and horizon is not None:
        assert not Reference(player).wins(game.start, horizon), told
    if found.move is not None and game.start.to_move is player and found.won:
        after = game.start.play(found.move)
        assert Reference(player).wins(after, depth - 1), told
    for owner in Player:
        links_hold(game, owner, engine)
    return truth


def links_hold(game: Game, owner: Player, engine: Engine) -> None:
    """Where the engine links a player's borders, that player wins by then."""
    path, position = Claim(game, owner, game.horizon or 0, True).path, game.start
    if path is None or position.to_move is not owner.opponent:
        return
    links = links_of(engine.links(position, owner, game.board.size))
    if links:
        own, enemy = position.stones(owner), position.stones(owner.opponent)
        held = virtual_connection(path, own, enemy, links, every_way=True)
        assert held is not None
        assert held.full
        assert Reference(owner).wins(position, held.carrier.bit_count())
