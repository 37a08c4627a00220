"""Encodings: right (the oracle agrees), as small as the papers', and clear about their limits."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from differential import (
    CIRCUITS,
    ENOUGH,
    NAMED,
    Tally,
    ask,
    can_state,
    check_claim,
    check_first_moves,
    check_play,
    claims_a_win,
    compare,
    encodings_for,
    expected,
    is_manageable,
    questions_for,
    random_questions,
    searchable,
)
from evaluator import depqbf, evaluate
from samples import FULL, part, random_weak_shape_game, sample
from skolemate.encodings import ENCODINGS, Encoded, Meaning, encode
from skolemate.encodings.parts.problems import set_problem
from skolemate.errors import UserError
from skolemate.formats import read_game
from skolemate.formula.qdimacs import read_qdimacs, to_qdimacs
from skolemate.games import Graph, Player, PositionalGame, Sets
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.games.goals import minimal
from skolemate.games.symmetry import mask_of
from skolemate.solvers import Pipeline

BLACK = Player.BLACK


def by_depqbf(encoded: Encoded) -> bool | None:
    """None if the formula is too large for a test."""
    return depqbf(encoded.formula) if is_manageable(encoded) else None


def by_search(encoded: Encoded) -> bool | None:
    return evaluate(searchable(encoded)) if is_manageable(encoded, 20) else None


def by_qute(encoded: Encoded) -> bool | None:
    """Circuits as QCIR; the other encodings are compared through clauses often enough."""
    manageable = encoded.circuit is not None and is_manageable(encoded, 32)
    return Pipeline.parse("qute").solve(encoded.stated).truth if manageable else None


Solve = Callable[[Encoded], bool | None]
CASES: list[tuple[str, Solve]] = [
    *((entry.name, by_depqbf) for entry in ENCODINGS),
    *((entry.name, by_search) for entry in ENCODINGS if entry.name != "lifted"),  # too slow there
    *((name, by_qute) for name in CIRCUITS),
]
QUESTIONS = sample(160)  # that are compared for a solver and an encoding
# Moves of LIFTED are decoded in a test of its own, by a solver.
WINNING = [e.name for e in ENCODINGS if claims_a_win(e.name) and e.name != "lifted"]


# --- right -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("encoding", "solve"), CASES)
def test_random_questions_agree_with_the_oracle(encoding: str, solve: Solve) -> None:
    rng = random.Random(f"{encoding} {solve.__name__}")
    seen = {True: 0, False: 0}
    for question in islice(questions_for(encoding, rng), ENOUGH):
        encoded = encode(question, encoding, symmetry=rng.random() < 0.5)
        found = solve(encoded)
        if found is None:
            continue
        check_claim(encoded, found, question)
        if encoded.formula.constant is None and seen[found] < QUESTIONS:
            seen[found] += 1
        if min(seen.values()) >= QUESTIONS // 2 and sum(seen.values()) >= QUESTIONS:
            break
    assert min(seen.values()) >= QUESTIONS // 2


@pytest.mark.parametrize("name", NAMED)
def test_named_games_agree_at_every_depth(name: str) -> None:
    game = build(name)
    tally = Tally()
    for depth in range(8):
        for player in Player:
            question = Question(game, player, depth)
            encodings = part(encodings_for(question), depth)
            compare(question, depth % 2 == 0, depqbf, tally, encodings)
    assert tally.counts


def test_shapes_agree_with_the_oracle() -> None:
    rng, tally = random.Random(9), Tally()
    for _ in range(ENOUGH):
        game = random_weak_shape_game(rng)
        if game.start.winner is None:
            question = Question(game, BLACK, rng.randrange(1, 6))
            compare(question, rng.random() < 0.5, depqbf, tally, ["sn"])
        if min(tally.counts["sn", answer] for answer in (True, False)) >= QUESTIONS // 2:
            break
    assert min(tally.counts["sn", answer] for answer in (True, False)) >= QUESTIONS // 2


def test_a_game_that_is_over_stays_over() -> None:
    """Black must not stop the game for White's three stones and take it up again later."""
    black = [(0, 3), (1, 2, 3), (0, 3, 4), (1, 3, 5), (3, 6)]
    white = [(0, 2), (0, 1, 3), (0, 5)]
    game = PositionalGame(
        "irregular",
        Graph.of([f"v{i}" for i in range(7)]),
        Sets.of(map(mask_of, black)),
        Sets.of(map(mask_of, white)),
        tuple(BLACK if letter == "b" else Player.WHITE for letter in "bwwwbwb"),
    )
    question = Question(game, BLACK, 7)
    assert not expected(question)
    for encoding in ("cor", "cor+"):
        assert not depqbf(encode(question, encoding).formula)


@pytest.mark.parametrize("encoding", WINNING)
def test_decoded_first_moves_win(encoding: str) -> None:
    rng = random.Random(encoding)
    checked = 0
    for question in islice(questions_for(encoding, rng), ENOUGH):
        if expected(question):
            encoded = encode(question, encoding, symmetry=rng.random() < 0.5)
            if encoded.formula.constant is None and is_manageable(encoded, 20):
                checked += check_first_moves(encoded)
        if checked >= sample(300):
            break
    assert checked >= sample(300)


@pytest.mark.parametrize("encoding", WINNING)
def test_decoded_games_are_won(encoding: str) -> None:
    rng = random.Random(encoding)
    played = 0
    for question in islice(questions_for(encoding, rng), ENOUGH):
        if expected(question):
            encoded = encode(question, encoding)
            played += is_manageable(encoded) and check_play(encoded, rng)
        if played >= sample(60):
            break
    assert played >= sample(60)


def test_a_first_move_is_told_without_the_boards_variables() -> None:
    encoded = ask("hein(9)", 7, "et")
    bits = [v for v, name in encoded.formula.legend.names() if name.startswith("move(t1, ")]
    cells = [
        name[6:-1].split(", ")[0]
        for _, name in encoded.formula.legend.names()
        if name.startswith("reach(")
    ]
    code = cells.index("b2")
    told = encoded.decode({bit: bool(code >> i & 1) for i, bit in enumerate(bits)})
    assert told == encoded.question.game.board.cell("b2")
    assert encoded.decode({}) in encoded.question.game.start.moves()
    half = {bit: bool(code >> i & 1) for i, bit in enumerate(bits[:-1])}
    assert encoded.decode(half) in encoded.question.game.start.moves()


def test_published_tic_tac_toes(published: Path) -> None:
    """24 of the 84 games on 3x3 are true."""
    files = sorted((published / "pg" / "gttt-3x3").glob("*.pg"))
    for encoding in ("cor+", "cor") if FULL else ("cor+",):
        answers = [
            depqbf(encode(Question(read_game(str(file)), BLACK, 9), encoding).formula)
            for file in files
        ]
        assert (len(answers), sum(answers)) == (84, 24)


def test_published_puzzles(published: Path) -> None:
    """Every dialect and exact encoding at depths up to 7: no win at d - 2, a win at d."""
    files = seen = 0
    for folder in ("hex-hein", "hex-hein-board", "hex-hein-gex", "hex-hein-egf"):
        for file in sorted((published / "pg" / folder).glob("*.pg")):
            game = read_game(str(file))
            depth = game.depth
            assert depth is not None
            if depth > 7 or game.board.size > 25:
                continue
            critical = depth in (5, 7) and f"-{depth:02}" in file.name
            wins = critical and not (published / "pg" / folder / _deeper(file.name)).exists()
            stated = encodings_for(Question(game, BLACK, depth))
            exact = [name for name in stated if ENCODINGS[name].meaning is Meaning.EXACT]
            files += 1
            for encoding in part(exact, files):
                encoded = encode(Question(game, BLACK, depth), encoding, symmetry=True)
                if is_manageable(encoded, 32):
                    assert depqbf(encoded.formula) == wins, (file.name, encoding)
                    seen += 1
    assert seen > sample(200)


def _deeper(name: str) -> str:
    """The file of the same puzzle, two plies deeper."""
    stem, depth = name[:-5], int(name[-5:-3])
    return f"{stem}{depth + 2:02}.pg"


def test_contraction_lists_the_same_sets_as_folding_all_paths() -> None:
    rng = random.Random(7)
    lengths = set()
    for question in islice(random_questions(rng), ENOUGH):
        game = question.game
        if not game.offers("connection") or question.player is Player.WHITE:
            continue
        problem = set_problem(question, symmetry=False)
        start = game.start
        if isinstance(problem, bool):
            continue
        limit = problem.schedule.count(BLACK)
        folded = minimal(
            path & ~start.black for path in game.connection().paths() if not path & start.white
        )
        expected_sets = [path for path in folded if path.bit_count() <= limit]
        cells = problem.cells
        assert [mask_of(cells[c] for c in codes) for codes in problem.black_sets] == expected_sets
        lengths |= {len(codes) for codes in problem.black_sets}
        if len(lengths) >= 3 and rng.random() < 1 / sample(100):
            break
    assert len(lengths) >= 3


# --- files and limits --------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMED)
def test_formulas_are_canonical(name: str) -> None:
    """The strict reader accepts them: no free variable, tautology or repeated literal."""
    for depth in (3, 5):
        question = Question(build(name), BLACK, depth)
        for encoding in encodings_for(question):
            formula = encode(question, encoding, symmetry=True).formula
            if formula.constant is None:
                again = read_qdimacs(to_qdimacs(formula))
                assert again.literals.tolist() == formula.literals.tolist()
                assert again.offsets.tolist() == formula.offsets.tolist()


def test_every_variable_has_a_name_of_its_own() -> None:
    for encoding in encodings_for(Question(build("hein(9)"), BLACK, 7)):
        legend = ask("hein(9)", 7, encoding).formula.legend
        names = [name for _, name in legend.names()]
        assert len(set(names)) == len(names) == legend.count


@pytest.mark.parametrize(
    ("name", "player", "encoding", "message"),
    [
        ("tictactoe", "black", "ea", "Maker-Breaker games, and White has a goal of his own; use"),
        ("tictactoe", "black", "en", "it needs the connection view: Black's goal is not a path"),
        ("gttt(p=2, maker_breaker=true)", "black", "ea", "alternate stone by stone; use cor or"),
        ("hein(4)", "black", "dis", "unknown encoding 'dis': did you mean dys?"),
        ("hein(4)", "black", "dys", "it needs the shape view: its goal is not one polyomino; use"),
        ("gttt(p=3, width=19, height=19)", "black", "dys", "all ways to place a stone too many"),
        ("gttt(p=2)", "black", "cover", "alternate stone by stone; use cor or cor+"),
        ("hein(4)", "black", "cover", "first stone on an empty board, or just after it; use cor"),
        ("tictactoe(maker_breaker=true)", "black", "pairing-strong", "pairing says the same"),
        ("gttt(p=2)", "black", "pairing", "White answers every stone of Black's; no encoding"),
        ("tictactoe(maker_breaker=true)", "white", "cor+", "White is the Breaker of"),
    ],
)
def test_what_cannot_be_encoded_is_refused(
    name: str, player: str, encoding: str, message: str
) -> None:
    with pytest.raises(UserError, match=message.replace("(", r"\(")):
        encode(Question(build(name), Player(player), 5), encoding)


def test_symmetry_restricts_the_first_move() -> None:
    for encoding in ("cor+", "ea"):
        whole = ask("tictactoe(maker_breaker=true)", 5, encoding)
        folded = ask("tictactoe(maker_breaker=true)", 5, encoding, symmetry=True)
        assert folded.formula.sizes.existentials == whole.formula.sizes.existentials - 6
        assert folded.restricted
        assert not whole.restricted
    bound = ask("tictactoe(maker_breaker=true, moves=b2 a1)", 5, "ea", symmetry=True)
    assert bound.restricted  # a1 leaves the mirror at the long diagonal
    assert not ask("hein(9)", 7, "et", symmetry=True).restricted


@pytest.mark.parametrize("encoding", [entry.name for entry in ENCODINGS])
def test_an_encoding_states_a_circuit_or_clauses(encoding: str) -> None:
    questions = islice(questions_for(encoding, random.Random(1)), ENOUGH)
    stated = (encode(question, encoding) for question in questions)
    circuit = next(e.circuit for e in stated if e.formula.constant is None)
    assert (circuit is not None) is (encoding in CIRCUITS), "see CIRCUITS in differential.py"


def test_random_questions_have_symmetries_often_enough() -> None:
    rng = random.Random(8)
    restricted = 0
    for question in islice(random_questions(rng), sample(4000)):
        if can_state("cor+", question):
            restricted += encode(question, "cor+", symmetry=True).restricted
    assert restricted >= sample(100)


def test_paths_are_listed_only_as_far_as_the_depth_needs() -> None:
    assert ask("hex(size=11)", 1, "ea").formula.constant is False
    stones = "black=e1 e2 e3 e4 e5 e6 e7, white=a1 b1 c1 a2 b2 c2 a3"
    assert ask(f"hex(size=9, {stones})", 5, "cor+").formula.sizes.blocks == 5
    others = "en or et or ground or li or ln or mustplay or si or sn"
    with pytest.raises(UserError, match=rf"100000 paths.*; use {others}$"):
        ask("hex(size=9)", 61, "ea")


def test_nobody_moves_for_white() -> None:
    game = build("tictactoe(moves=a1 b1 a2)")
    for depth in (0, 1, 2, 5):
        encoded = encode(Question(game, BLACK, depth), "cor+")
        assert encoded.decode({}) is None


def test_decided_questions_need_no_solver() -> None:
    assert ask("tictactoe(moves=a1 b1 a2 b2 a3)", 1, "cor+").formula.constant is True
    assert ask("tictactoe", 4, "cor+").formula.constant is False  # two stones make no line
    assert ask("hex(size=5)", 7, "et").formula.constant is False
