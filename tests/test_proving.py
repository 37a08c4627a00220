"""Proofs in games where stones only help: the parts that find them, and who follows them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from following import extracted, holds_against_everything, searched
from samples import random_hypergraph_game, random_shape_game, random_weak_shape_game, sample
from skolemate.ask.search import Search
from skolemate.games import Move, Permutation, Player, Position
from skolemate.games.board import HexGrid
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.games.goals import hex_goals
from skolemate.games.symmetry import mask_of
from skolemate.limits import Budget
from skolemate.strategies import Strategy
from skolemate.strategies.extract import Chains, Extractor, Proved, extract
from skolemate.strategies.library import Library, Needs

BLACK, WHITE = Player.BLACK, Player.WHITE


@pytest.mark.parametrize("wins", [True, False])
def test_the_library_finds_what_fits(wins: bool) -> None:
    rng = random.Random(3)
    library, proofs = Library(8, wins), list[Needs]()
    found = missed = 0
    for _ in range(300):
        cells = mask_of(rng.sample(range(8), rng.randrange(1, 6)))
        proof = Needs(cells & rng.randrange(256), cells, rng.randrange(1, 9))
        assert library.add(proof) == len(proofs)
        proofs.append(proof)
        own = mask_of(rng.sample(range(8), rng.randrange(4)))
        enemy = (rng.randrange(256) | rng.randrange(256)) & ~own
        left = rng.randrange(1, 9)
        fits = [
            number
            for number, one in enumerate(proofs)
            if not one.cells & enemy
            and (one.stones & ~own).bit_count() <= 1
            and (one.plies <= left if wins else one.plies >= left)
        ]
        entry = library.find(own, enemy, left)
        assert (None if entry is None else entry.node) == max(fits, default=None)
        found, missed = found + bool(fits), missed + (not fits)
    assert min(found, missed) > 20


def test_chains_are_links_from_border_to_border() -> None:
    rng = random.Random(5)
    goals = hex_goals(HexGrid(5, 5))
    lengths = set()
    for _ in range(2000):
        cells = rng.sample(range(25), rng.randrange(2, 16))
        half = rng.randrange(1, len(cells))
        own, enemy = mask_of(cells[:half]), mask_of(cells[half:])
        goal, most = rng.choice(goals), rng.randrange(4)
        pairs = Chains(goal).find(own, enemy, most)
        if goal.met(own) or pairs is None:
            continue
        assert goal.met_by_pairs(own, pairs)
        taken = [cell for pair in pairs for cell in pair]
        assert len(set(taken)) == len(taken)
        assert not mask_of(taken) & (own | enemy)
        assert len(pairs) <= most
        lengths.add(len(pairs))
    assert lengths == {1, 2, 3}


@dataclass
class Forgetful(Strategy):
    """Asked about each position as if it were the first."""

    def move(self, position: Position) -> Move | None:
        return Strategy(self.claim, self.nodes, self.symmetries).move(position)


GAMES = [
    ("hein(9)", BLACK, 7),
    ("hein(9)", WHITE, 6),
    ("tictactoe", BLACK, 9),
    ("tictactoe", WHITE, 8),
    ("harary(shape=tippy, width=3, height=3, torus=true)", BLACK, 7),
    ("harary(shape=el, width=4, height=4)", BLACK, 5),
    ("hex(size=3)", WHITE, 9),
]


@pytest.mark.parametrize(("name", "player", "depth"), GAMES)
def test_a_position_out_of_the_blue_gets_a_reply(name: str, player: Player, depth: int) -> None:
    strategy = extracted(build(name), player, depth)
    assert any(node.replies or node.pairs is not None for node in strategy.nodes)
    met = holds_against_everything(strategy)
    forgetful = Forgetful(strategy.claim, strategy.nodes, strategy.symmetries)
    assert holds_against_everything(forgetful) >= met // 3


def test_few_nodes_stand_for_many_positions() -> None:
    strategy = extracted(build("hein(9)"), BLACK, 7)
    assert holds_against_everything(strategy) > 20 * strategy.size


def test_the_opponents_own_goal_is_heeded() -> None:
    """White, too, has sets; a proof that gave White too many cells would be refuted."""
    rng = random.Random(13)
    wins = 0
    while wins < sample(60):
        game = random_hypergraph_game(rng, rng.choice([6, 7]))
        if game.goal(WHITE) is None or game.goal(BLACK) is None:
            continue
        for depth in range(3, game.horizon + 1):
            strategy = extracted(game, BLACK, depth)
            if strategy.claim.monotone and strategy.claim.wins:
                assert strategy.check().holds
                holds_against_everything(strategy)
                wins += 1


LARGEST_PROOF = pytest.param(
    "harary(shape=skinny, width=5, height=5, torus=true)", marks=pytest.mark.slow
)
LARGER = [
    "hein(3)",
    "hein(16)",
    "harary(shape=skinny, width=5, height=5)",
    "harary(shape=000102031013, width=5, height=5, torus=true)",
    "mnk(m=5, n=4, k=4)",
]


@pytest.mark.parametrize("name", [LARGEST_PROOF, *LARGER])
def test_larger_games_get_short_proofs(name: str) -> None:
    """Extraction checks what it has found: a proof that needs too little does not pass."""
    strategy = searched(build(name), BLACK, build(name).horizon or 0, links=False)
    assert 0 < strategy.size < 6000


def test_random_positions_of_larger_games() -> None:
    rng = random.Random(17)
    tally: Counter[str] = Counter()
    while tally.total() < sample(40):
        shape, torus = rng.choice(["tippy", "knobby", "z", "y"]), rng.choice(["true", "false"])
        game = build(
            rng.choice(["hex(size=5)", f"harary(shape={shape}, width=5, height=5, torus={torus})"])
        )
        for _ in range(rng.randrange(6, 12)):
            if game.start.moves():
                game = game.after([rng.choice(game.start.moves())])
        depth = rng.choice([game.horizon or 0, rng.randrange(1, 9)])
        strategy = searched(game, rng.choice(list(Player)), depth, links=rng.random() < 0.5)
        tally[strategy.claim.verdict] += 1
    assert min(tally["WIN"], tally["NO_WIN"]) >= sample(8)


def test_whole_proofs_by_the_engine() -> None:
    """Wins against a player without a goal, and blocks: each is followed against everything."""
    rng = random.Random(23)
    tally: Counter[str] = Counter()
    while min(tally["WIN"], tally["NO_WIN"]) < sample(60):
        kinds = random_weak_shape_game, random_hypergraph_game, random_shape_game
        game = rng.choice(kinds)(rng)
        player, budget, search = rng.choice(list(Player)), Budget(), Search(jobs=1)
        answer = search(Question(game, player, game.horizon or 0))
        extractor = search.extractor(answer, budget)
        if extractor is None or not answer.claim.monotone:
            continue
        proofs = list[int]()

        def extract_and_count(
            position: Position,
            left: int,
            turns: Sequence[Permutation],
            extractor: Extractor = extractor,
            proofs: list[int] = proofs,
        ) -> Sequence[Proved]:
            proof = extractor(position, left, turns)
            proofs.append(len(proof))
            return proof

        evaluate = search.evaluator(answer, budget)
        strategy = extract(answer.claim, evaluate, reach=0, extractor=extract_and_count)
        holds_against_everything(strategy)
        if any(proofs):
            tally[answer.claim.verdict] += 1
