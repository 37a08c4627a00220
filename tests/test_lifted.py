"""The lifted encoding of BDDL games against the oracle; its size on ladders."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest

from bddl_models import random_bddl_game
from differential import ENOUGH
from evaluator import depqbf
from samples import FULL, sample
from skolemate.encodings import Encoded, encode
from skolemate.games import Game, Player
from skolemate.games.bddl import BddlGame
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.limits import Budget, Limit
from skolemate.search.reference import Reference
from skolemate.solvers import Pipeline

QUESTIONS = sample(200)  # random ones


def ask(game: str | Game, depth: int, player: Player = Player.BLACK) -> Encoded:
    built = build(game) if isinstance(game, str) else game
    return encode(Question(built, player, depth), "lifted")


def test_random_games_agree_with_the_oracle() -> None:
    """Depths 0 to 6, both players' questions, either player to move first."""
    rng = random.Random(1)
    seen: Counter[bool] = Counter()
    depths: Counter[int] = Counter()
    others: Counter[str] = Counter()
    for _ in range(ENOUGH):
        game = random_bddl_game(rng)
        player, depth = rng.choice(list(Player)), rng.randint(0, 6)
        answer = Reference(player).wins(game.start, depth)
        if game.breaker is player or seen[answer] >= QUESTIONS * 3 // 5:
            continue
        encoded = ask(game, depth, player)
        constant = encoded.formula.constant
        found = depqbf(encoded.formula) if constant is None else constant
        assert found == answer, f"{player} at {depth}: {game.model}"
        if constant is None and rng.random() < 0.3:
            for pipeline, stated in (("caqe", encoded.formula), ("qute", encoded.stated)):
                told = Pipeline.parse(pipeline).solve(stated, Budget(Limit(2))).truth
                assert told in (answer, None), pipeline  # some formulas are hard for them
                others[pipeline] += told is not None
        seen[answer] += constant is None
        depths[depth] += constant is None
        if seen.total() == QUESTIONS:
            break
    assert seen.total() == QUESTIONS
    assert min(depths[depth] for depth in range(1, 7)) >= sample(5), depths
    assert min(others["caqe"], others["qute"]) >= sample(20), others


SHIPPED = {
    "connect(k=2, width=3, height=3)": 4,
    "connect(k=3, width=3, height=3, moves=b3 b2 a3 c3)": 5,
    "breakthrough(width=2, height=4)": 4,
    "breakthrough(width=2, height=4, black=a3 b4, white=a1 b2)": 5,
    "knightthrough(width=3, height=4)": 2,
    "knightthrough(width=2, height=4, black=a4 b3, white=b1 a2)": 3,
    "evader_pursuer(size=3, x=1, y=2)": 3,
    "evader_pursuer(size=3, x=2, y=2, dual=true)": 3,
    "domineering(width=3, height=3)": 5,
    "konane(width=3, height=2, opening=corner)": 3,
    "cross_purpose(width=4, height=4)": 4,
}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_games_agree_with_the_oracle(name: str) -> None:
    game = build(name)
    for depth in range(SHIPPED[name] + FULL):  # the deepest takes most of the time
        for player in Player:
            formula = ask(game, depth, player).formula
            found = depqbf(formula) if formula.constant is None else formula.constant
            assert found == Reference(player).wins(game.start, depth), f"{player} at {depth}"


@pytest.mark.parametrize(
    ("name", "depth"),
    [
        ("tictactoe(moves=a1 b1)", 5),
        ("tictactoe(maker_breaker=true, moves=b2)", 6),
        ("harary(shape=el, width=3, height=3)", 5),
        ("hex(size=3)", 5),
        ("hein(4)", 5),
        ("mnk(m=3, n=3, k=3, black=a1, white=b2 c3, first=white)", 4),
        ("qubic(size=2)", 3),
    ],
)
def test_positional_games_are_asked_through_their_models(name: str, depth: int) -> None:
    game = build(name)
    for player in Player:
        if game.breaker is not player:
            for within in (depth - 2, depth - 1, depth):
                formula = ask(game, within, player).formula
                found = depqbf(formula) if formula.constant is None else formula.constant
                assert found == Reference(player).wins(game.start, within)


def test_a_full_board_is_no_win() -> None:
    """An odd number of cells: taken literally, White would be stuck after the last stone."""
    game = build("connect(k=3, width=3, height=3, moves=a3 a2 a1 b3 b2 b1)")
    for depth in range(6):
        formula = ask(game, depth).formula
        found = depqbf(formula) if formula.constant is None else formula.constant
        assert found == Reference(Player.BLACK).wins(game.start, depth)


def test_decoded_first_moves_win() -> None:
    rng = random.Random(2)
    solver, checked = Pipeline.parse("depqbf"), 0
    for _ in range(ENOUGH):
        game = random_bddl_game(rng)
        depth = rng.randint(1, 5)
        player = game.start.to_move
        assert player is not None
        if game.breaker is player or not Reference(player).wins(game.start, depth):
            continue
        encoded = ask(game, depth, player)
        if encoded.formula.constant is not None:
            continue
        outer = solver.solve(encoded.formula).outer
        assert encoded.decode(outer or {}) in Reference(player).winning_moves(game.start, depth)
        checked += 1
        if checked == sample(60):
            break
    assert checked == sample(60)
    # A code that means nothing is replaced by a legal move.
    encoded = ask("breakthrough(width=2, height=4)", 3)
    assert encoded.decode({}) in encoded.question.game.start.moves()


def test_decoded_games_are_legal_and_end_with_black() -> None:
    game = build("breakthrough(width=2, height=4, black=a2, white=b2 b1)")
    encoded = ask(game, 1)
    outer = Pipeline.parse("depqbf").solve(encoded.formula).outer
    assert outer
    start, won = encoded.decode_play(outer)
    assert start == game.start
    assert won.winner is Player.BLACK


# --- size --------------------------------------------------------------------------------------


def test_size_grows_linearly_with_the_depth() -> None:
    for name in ("connect(k=4, width=6, height=6)", "breakthrough(width=4, height=5)"):
        sizes = [ask(name, depth).sizes for depth in (5, 9, 13, 17)]
        for field in ("variables", "clauses", "gates"):
            counts = [getattr(size, field) for size in sizes]
            steps = {after - before for before, after in pairwise(counts)}
            assert len(steps) == 1, (name, field, counts)


def test_size_grows_with_the_logarithm_of_the_board() -> None:
    """Eight times as wide: the same number of bits more each time the board doubles."""
    sizes = [ask(f"connect(k=4, width={n}, height={n})", 9).sizes for n in (8, 16, 32, 64)]
    for field in ("variables", "clauses", "gates"):
        counts = [getattr(size, field) for size in sizes]
        steps = [after - before for before, after in pairwise(counts)]
        assert max(steps) - min(steps) <= 0.1 * max(steps), (field, counts)
        assert counts[-1] < 2 * counts[0]


def test_prefix_is_the_papers() -> None:
    """Table 1, with numbers from 0: ⌈lg m⌉ bits a column where the paper has ⌈lg(m + 1)⌉."""
    circuit = ask("connect(k=4, width=7, height=6)", 5).circuit
    assert circuit is not None
    letters = "".join(block.quantifier.value for block in circuit.prefix)
    assert letters == "eaeae" + "aeae"
    move = 1 + 3 + 3 + 1  # action, column, row, stop
    flags = 1 + 2  # in bounds, and at most two preconditions
    black_goal, white_goal, failing = 3 + 3 + 2, 3 + 3 + 2, 2
    counts = [len(block.variables) for block in circuit.prefix]
    last = move - 1  # the last move needs no stop
    assert counts == [
        *(move, move, flags + move, move, flags + last + black_goal),
        *(white_goal, failing, 3 + 3, 2 * 5),
    ]


def test_a_game_of_its_own_needs_no_more_than_a_model() -> None:
    game = build("connect(k=3, width=4, height=4)")
    assert isinstance(game, BddlGame)
    assert ask(BddlGame("", game.bddl()), 5).sizes == ask(game, 5).sizes
