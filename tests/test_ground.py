"""GROUND, GB and GD against the oracle, and what GROUND takes for impossible at a ply."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import islice, product
from pathlib import Path

import pytest

from bddl_models import random_bddl_game, random_packing_game
from differential import ENOUGH, questions_for
from samples import FULL, sample
from skolemate import load
from skolemate.api import certify, check, prove, solve
from skolemate.ask import Verdict
from skolemate.encodings import Encoded, Unsupported, encode
from skolemate.encodings.parts.plies import BLACK, OPEN, WHITE, Ply, plies
from skolemate.games import Game, Player, Position
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.limits import Budget, Limit
from skolemate.search.reference import Reference
from skolemate.solvers import Pipeline

SOLVERS = ("depqbf", "caqe")
ENCODINGS = ("ground", "gb", "gd")
QUESTIONS = sample(300)  # random ones, for each solver


def ask(
    game: str | Game, depth: int, player: Player = Player.BLACK, encoding: str = "ground"
) -> Encoded:
    built = build(game) if isinstance(game, str) else game
    return encode(Question(built, player, depth), encoding)


def truth(encoded: Encoded, solver: str) -> bool | None:
    return Pipeline.parse(solver).solve(encoded.formula, Budget(Limit(60))).truth


@pytest.mark.parametrize(
    ("encoding", "solver"),
    [
        case
        for number, case in enumerate(product(ENCODINGS, SOLVERS))
        if FULL or number in (0, 1, 2, 5)
    ],
)
def test_random_games_agree_with_the_oracle(encoding: str, solver: str) -> None:
    """Depths 0 to 7, both players' questions, either player to move first."""
    rng = random.Random(solver)
    seen: Counter[bool] = Counter()
    for _ in range(ENOUGH):
        game = random_bddl_game(rng)
        player, depth = rng.choice(list(Player)), rng.randint(0, 7)
        answer = Reference(player).wins(game.start, depth)
        if game.breaker is player or seen[answer] >= QUESTIONS * 3 // 5:
            continue
        encoded = ask(game, depth, player, encoding)
        assert truth(encoded, solver) is answer, f"{player} at {depth}: {game.model}"
        seen[answer] += encoded.formula.constant is None
        if seen.total() == QUESTIONS:
            break
    assert seen.total() == QUESTIONS


@pytest.mark.parametrize("solver", SOLVERS)
def test_games_of_packing_agree_with_the_oracle(solver: str) -> None:
    """To their end, so that reserves count: random ones, and late positions of shipped ones."""
    rng = random.Random(solver)
    seen: Counter[bool] = Counter()
    for number in range(ENOUGH):
        game: Game = random_packing_game(rng)
        if number % 3 == 0:
            family = rng.choice(["domineering", "col", "snort"])
            size = f"width={rng.randint(3, 4)}, height={rng.randint(3, 4)}"
            game = build(f"{family}({size}, random_moves={rng.randint(0, 2)}, seed={number})")
        player = rng.choice(list(Player))
        depth = rng.randint(4, max(4, min(game.horizon or 0, 9)))
        answer = Reference(player).wins(game.start, depth)
        if seen[answer] >= QUESTIONS * 3 // 5:
            continue
        encoded = ask(game, depth, player)
        if "enough" not in {group.name for group in encoded.formula.legend.groups}:
            continue
        assert truth(encoded, solver) is answer, f"{player} at {depth}: {game}"
        seen[answer] += 1
        if seen.total() == QUESTIONS:
            break
    assert seen.total() == QUESTIONS


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_move_that_must_lose_loses_where_being_stuck_is_a_draw(
    solver: str, tmp_path: Path
) -> None:
    """Misère Connect-c from random positions, to its end; the wins are certified, too."""
    rng, seen = random.Random(solver), Counter[bool]()
    while min(seen[True], seen[False]) < sample(60):
        width, height = rng.choice([(3, 3), (3, 2), (2, 4), (4, 2), (4, 3), (5, 3), (4, 4)])
        k, first = rng.randint(2, min(4, max(width, height))), rng.choice(list(Player)).value
        game = build(f"connect(k={k}, width={width}, height={height}, misere=true, first={first})")
        for _ in range(width * height - rng.randint(3, 9)):
            following = [m for m in game.start.moves() if game.start.play(m).winner is None]
            if following:
                game = game.after([rng.choice(following)])
        player, left = rng.choice(list(Player)), game.board.size - game.start.occupied.bit_count()
        depth = rng.choice([left, rng.randint(0, left)])
        answer = Reference(player).wins(game.start, depth)
        if seen[answer] < sample(80):
            assert truth(ask(game, depth, player), solver) is answer, f"{player} at {depth}: {game}"
            strategy = tmp_path / "strategy.jsonl"
            prove(solve(game, depth, player.value), strategy)
            assert certify(strategy, "ground").holds, f"{player} at {depth}: {game}"
            seen[answer] += 1


SHIPPED = {
    "connect(k=3, width=4, height=4)": 9,
    "connect(k=3, width=3, height=3, moves=b3 b2 a3 c3)": 6,
    "breakthrough(width=2, height=5)": 10,
    "breakthrough(width=3, height=4)": 7,
    "knightthrough(width=3, height=5)": 5,
    "evader_pursuer(size=4, x=1, y=2)": 7,
    "evader_pursuer(size=4, x=2, y=3, dual=true)": 7,
    "domineering(width=4, height=4)": 8,
    "konane(width=4, height=4, opening=corner)": 6,
    "cross_purpose(width=4, height=4)": 5,
}


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_shipped_games_agree_with_the_oracle(encoding: str, name: str) -> None:
    game, depths = build(name), SHIPPED[name] if encoding == "ground" else 6
    for depth in range(depths + FULL):
        for player, solver in zip(Player, SOLVERS[:: (-1) ** depth], strict=True):
            answer = Reference(player).wins(game.start, depth)
            assert truth(ask(game, depth, player, encoding), solver) is answer, (
                f"{player} at {depth}"
            )


# --- what is possible -----------------------------------------------------------------------------


def follow(question: Question, stated: list[Ply], rng: random.Random) -> tuple[int, int]:
    """Play a random game: no content of a cell and no move was taken for impossible, and no two
    legal moves have one code. How many moves were looked at, and plies at which moves share codes.
    """
    position = question.game.start
    colours = any(contents & WHITE for ply in stated for contents in ply.before + ply.after)
    used = {cell for ply in stated for rule in ply.rules for cell in (*rule.needs, *rule.effect)}
    moves = shared = 0
    for ply in stated:
        legal = position.moves()
        if position.winner is not None or not legal:
            break
        assert all(
            content(position, cell, colours) & possible
            for cell, possible in enumerate(ply.before)
            if cell in used  # of a GDL game the clock is left out
        )
        listed = {rule.move: code for rule, code in zip(ply.rules, ply.codes, strict=True)}
        others = [move for move in legal if move not in listed]
        assert all(position.play(move).winner is ply.player for move in others)
        codes = [listed[move] for move in legal if move in listed]
        assert len(set(codes)) == len(codes), str(question)
        moves, shared = moves + len(legal), shared + (len(set(ply.codes)) < len(ply.codes))
        position = position.play(rng.choice(legal))
    return moves, shared


def test_nothing_that_happens_was_taken_for_impossible() -> None:
    rng = random.Random(1)
    moves = shared = by_list = 0
    for asked in islice(questions_for("ground", rng), sample(2000)):
        question = asked.normalised()
        if question.game.offers("listing"):
            question = replace(question, game=question.game.listing())
            by_list += 1
        found = follow(question, list(plies(question, symmetry=False)), rng)
        moves, shared = moves + found[0], shared + found[1]
    assert moves > sample(5000)
    assert min(shared, by_list) > sample(100)


@pytest.mark.parametrize(
    ("name", "depth"),
    [
        ("break-through-2x5", 21),
        ("break-through-3x4", 19),
        ("connect-4-4x4", 16),
        ("connect-3-5x5", 25),
        ("gttt-4x4-2-2-elly-v2", 16),
        ("tic-tac-toe", 9),
        ("traffic-3x3", 9),
    ],
)
def test_nothing_that_happens_in_a_published_game_was_taken_for_impossible(
    name: str, depth: int, published: Path
) -> None:
    game, rng = load(published / "gdl" / f"{name}.gdl"), random.Random(name)
    question = Question(game.listing(), Player.BLACK, depth)
    stated = list(plies(question, symmetry=False))
    for _ in range(1000 if FULL else 5):
        moves, _ = follow(question, stated, rng)
        assert moves


def content(position: Position, cell: int, colours: bool) -> int:
    """What is on a cell; if no rule asks for colours, all stones are black."""
    if not position.occupied >> cell & 1:
        return OPEN
    return BLACK if position.black >> cell & 1 or not colours else WHITE


def test_stones_that_fall_are_coded_by_their_column() -> None:
    formula = ask("connect(k=4, width=4, height=4)", 16).formula
    assert formula.sizes.universals == 7 * 2  # White's plies but the last, four columns


def test_a_forced_reply_needs_no_code() -> None:
    """Black has two stones of a column, and White's one parry is on top of them."""
    question = Question(build("connect(k=3, width=3, height=4, moves=a4 b4 a3)"), Player.BLACK, 6)
    ply = next(plies(question, symmetry=False))
    assert [len(threat.parries) for threat in ply.threats] == [1]
    formula = encode(question, "ground").formula
    named = {name: variable for variable, name in formula.legend.names()}
    code = {variable for name, variable in named.items() if name.startswith("code(t1")}
    parry = named["move(t1, occupyOnTop(1,2))"]
    about = [set(map(abs, clause.tolist())) for clause in formula.clauses()]
    assert code
    assert not any(parry in variables and code & variables for variables in about)


def test_a_symmetric_first_move_is_stated_once() -> None:
    question = Question(build("domineering(width=4, height=4)"), Player.BLACK, 8)
    whole, part = (list(plies(question, symmetry)) for symmetry in (False, True))
    assert (len(whole[0].rules), len(part[0].rules)) == (12, 4)
    assert encode(question, "ground", symmetry=True).restricted


def test_a_win_at_once_is_decoded() -> None:
    encoded = ask("breakthrough(width=2, height=4, black=b2 a4, white=a1 a3)", 3)
    assert encoded.formula.constant is True
    move = encoded.decode({})
    assert move is not None
    assert encoded.question.game.start.play(move).winner is Player.BLACK


def test_a_huge_board_is_left_to_the_lifted_encoding() -> None:
    with pytest.raises(Unsupported, match=r"2500 cells has too many facts; use lifted$"):
        ask("knightthrough(width=50, height=50)", 3)


# --- through the door -----------------------------------------------------------------------------


def test_it_is_what_formulas_are_by_default_for_moving_pieces() -> None:
    answer = solve("breakthrough(width=2, height=5)", 21, engine="qbf")
    assert (answer.verdict, answer.encoding) == (Verdict.NO_WIN, "ground")
    answer = solve("connect(k=3, width=4, height=4)", 9, engine="qbf")
    assert (answer.verdict, answer.encoding) == (Verdict.WIN, "ground")


def test_a_short_win_is_found_in_a_deep_question() -> None:
    answer = solve("connect(k=3, width=6, height=6)", 36, engine="qbf")
    assert (answer.verdict, answer.depth) == (Verdict.WIN, 36)


def test_fewer_plies_first_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skolemate.ask.qbf.DEEP", 3)
    rng, seen = random.Random(5), Counter[bool]()
    while seen.total() < sample(60):
        game, depth = random_bddl_game(rng), rng.randint(3, 7)
        wins = Reference(Player.BLACK).wins(game.start, depth)
        if game.breaker is None and seen[wins] < sample(40):
            answer = solve(game, depth, engine="qbf", encoding=None)
            assert answer.verdict is (Verdict.WIN if wins else Verdict.NO_WIN), str(game.model)
            seen[wins] += answer.encoding == "ground"


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    ("name", "depth", "player"),
    [
        ("breakthrough(width=2, height=4)", 8, "white"),
        ("breakthrough(width=2, height=4)", 7, "black"),
        ("connect(k=3, width=4, height=3)", 9, "black"),
        ("domineering(width=3, height=4)", 8, "black"),
    ],
)
def test_strategies_by_formula_alone_are_checked_and_certified(
    tmp_path: Path, name: str, depth: int, player: str, encoding: str
) -> None:
    answer = solve(name, depth, player, engine="qbf")
    strategy = tmp_path / "strategy.jsonl"
    prove(answer, strategy, engine="qbf")
    assert check(strategy).holds
    assert certify(strategy, encoding).holds
