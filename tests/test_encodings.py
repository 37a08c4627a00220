"""Encodings: right (the oracle agrees), as small as the papers', and clear about their limits."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from differential import (
    NAMED,
    Tally,
    check_first_moves,
    check_play,
    compare,
    encodings_for,
    expected,
    random_questions,
)
from evaluator import depqbf, evaluate
from skolemate.ask import Question
from skolemate.encodings import ENCODINGS, Encoded, encode
from skolemate.encodings.parts.connection_problem import ConnectionProblem, connection_problem
from skolemate.encodings.parts.set_problem import minimal, set_problem
from skolemate.errors import UserError
from skolemate.formats import read_game
from skolemate.formula import Formula, Sizes
from skolemate.formula.qdimacs_read import read_qdimacs
from skolemate.formula.qdimacs_write import to_qdimacs
from skolemate.games import Graph, Player, PositionalGame, Sets
from skolemate.games.bits import mask_of
from skolemate.games.family import build

BLACK = Player.BLACK
SOLVERS: list[Callable[[Formula], bool]] = [depqbf, evaluate]
QUESTIONS = 160  # a run of `make test` compares about so many a solver and encoding
ENOUGH = 30_000  # questions to look at before giving up: no test may look for ever


def ask(name: str, depth: int, encoding: str, symmetry: bool = False) -> Encoded:
    return encode(Question(build(name), BLACK, depth), encoding, symmetry=symmetry)


# --- right -----------------------------------------------------------------------------------


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize("encoding", [entry.name for entry in ENCODINGS])
def test_random_questions_agree_with_the_oracle(
    encoding: str, solve: Callable[[Formula], bool]
) -> None:
    rng = random.Random(f"{encoding} {solve.__name__}")
    seen = {True: 0, False: 0}
    for question in islice(random_questions(rng), ENOUGH):
        if encoding not in encodings_for(question):
            continue
        answer = expected(question)
        formula = encode(question, encoding, symmetry=rng.random() < 0.5).formula
        assert solve(formula) == answer, f"{encoding}: {question}"
        if formula.constant is None and seen[answer] < QUESTIONS:
            seen[answer] += 1
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
            compare(question, symmetry=depth % 2 == 0, solve=depqbf, tally=tally)
    assert tally.counts


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


@pytest.mark.parametrize("encoding", [entry.name for entry in ENCODINGS])
def test_decoded_first_moves_win(encoding: str) -> None:
    rng = random.Random(encoding)
    checked = 0
    for question in islice(random_questions(rng), ENOUGH):
        if encoding in encodings_for(question) and expected(question):
            encoded = encode(question, encoding, symmetry=rng.random() < 0.5)
            checked += check_first_moves(encoded) if encoded.formula.constant is None else 0
        if checked >= 300:
            break
    assert checked >= 300


@pytest.mark.parametrize("encoding", [entry.name for entry in ENCODINGS])
def test_decoded_games_are_won(encoding: str) -> None:
    rng = random.Random(encoding)
    played = 0
    for question in islice(random_questions(rng), ENOUGH):
        if encoding in encodings_for(question) and expected(question):
            played += check_play(encode(question, encoding), rng)
        if played >= 60:
            break
    assert played >= 60


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
    for encoding in ("cor+", "cor"):
        answers = [
            depqbf(encode(Question(read_game(str(file)), BLACK, 9), encoding).formula)
            for file in sorted((published / "pg" / "gttt-3x3").glob("*.pg"))
        ]
        assert (len(answers), sum(answers)) == (84, 24)


def test_published_puzzles(published: Path) -> None:
    """Every dialect and encoding at depths up to 7: no win at d - 2, a win at d."""
    seen = 0
    for folder in ("hex-hein", "hex-hein-board", "hex-hein-gex", "hex-hein-egf"):
        for file in sorted((published / "pg" / folder).glob("*.pg")):
            game = read_game(str(file))
            depth = game.depth
            assert depth is not None
            if depth > 7 or game.board.size > 25:
                continue
            critical = depth in (5, 7) and f"-{depth:02}" in file.name
            wins = critical and not (published / "pg" / folder / _deeper(file.name)).exists()
            for encoding in encodings_for(Question(game, BLACK, depth)):
                formula = encode(Question(game, BLACK, depth), encoding, symmetry=True).formula
                assert depqbf(formula) == wins, (file.name, encoding)
                seen += 1
    assert seen > 50


def _deeper(name: str) -> str:
    """The file of the same puzzle, two plies deeper."""
    stem, depth = name[:-5], int(name[-5:-3])
    return f"{stem}{depth + 2:02}.pg"


# --- as small as the papers' -------------------------------------------------------------------


def lg(number: int) -> int:
    return (number - 1).bit_length()


def by_length(sizes: Sizes) -> tuple[int, int, int, int]:
    """Unit, binary, ternary and longer clauses."""
    count = sizes.by_length
    longer = sum(number for length, number in count.items() if length > 3)
    return count.get(1, 0), count.get(2, 0), count.get(3, 0), longer


HEX_SIZES = [("hex(size=4)", d) for d in (7, 9, 11, 15)] + [
    ("hex(size=5)", 9),
    ("hex(size=7)", 25),
    ("hex(size=11)", 45),
    ("hex(size=19)", 45),
    ("hex(size=19)", 91),
    ("hex(size=19)", 181),
    ("hex(size=19)", 361),
]


def board_part(depth: int, cells: int) -> tuple[int, int, int, int]:
    """Variables, binary, ternary, long clauses of the board (Shaik et al. 2023, Table 3)."""
    half = (depth - 1) // 2
    return (
        (depth + 1) * cells + depth * lg(cells),
        depth * cells + cells * lg(cells),
        half * cells * lg(cells),
        half * cells,
    )


@pytest.mark.parametrize(("name", "depth"), HEX_SIZES)
def test_et_has_the_published_size(name: str, depth: int) -> None:
    board = build(name).board
    sizes = ask(name, depth, "et").formula.sizes
    variables, binary, ternary, long = board_part(depth, board.size)
    border = round(board.size**0.5)
    edges = sum(len(near) for near in board.neighbours)  # ordered pairs
    assert sizes.blocks == depth
    assert sizes.variables == variables + board.size
    # With few cells a code is short, and "long" clauses may have three literals: compare sums.
    assert sizes.clauses == binary + border + ternary + edges + long + border
    if lg(board.size) > 2:
        expected_counts = (border, binary + border, ternary + edges, long)
        assert by_length(sizes) == expected_counts


@pytest.mark.parametrize(("name", "depth"), HEX_SIZES)
def test_en_has_the_published_size(name: str, depth: int) -> None:
    board = build(name).board
    sizes = ask(name, depth, "en").formula.sizes
    variables, binary, ternary, long = board_part(depth, board.size)
    inner, steps = board.size - round(board.size**0.5), (depth - 1) // 2
    assert sizes.variables == variables + (steps + 1) * board.size
    units, *others = by_length(sizes)
    assert units == inner  # (14), which the table does not count
    table = binary + (steps + 1) * board.size + ternary + long + 1 + inner * steps
    assert sum(others) == table
    # The published files hold (η − |Γe|)·ℓ clauses more than the paper's own table.
    published = {45: 122_266, 91: 245_937, 181: 487_902, 361: 971_832}
    if name == "hex(size=19)":
        assert published[depth] - table == inner * steps


@pytest.mark.parametrize(
    ("name", "depth"),
    [("tictactoe(maker_breaker=true)", 7), ("mnk(m=5, n=5, k=4, maker_breaker=true)", 11)]
    + [(f"harary(shape={s}, width=5, height=5, maker_breaker=true)", 13) for s in "lnyw"],
)
def test_ea_has_the_published_size(name: str, depth: int) -> None:
    game = build(name)
    sets = game.hypergraph().black_sets or ()
    sizes = ask(name, depth, "ea").formula.sizes
    variables, binary, ternary, long = board_part(depth, game.board.size)
    assert sizes.variables == variables + len(sets)
    members = sum(winning.bit_count() for winning in sets)
    assert by_length(sizes) == (0, binary + members, ternary, long + 1)


# Blocks, ∀, ∃, clauses, literals of Mayer-Eichberger and Saffidine 2021, Tables 3 and 6
# (thousands as printed there, so the bound is what they may stand for at most).
MILESTONES = {
    ("qubic", 63, False): (63, 186, 4_550, 25_050, 102_500),
    ("harary(shape=snaky, width=9, height=9)", 81, True): (81, 280, 7_550, 45_750, 188_500),
    ("gomoku", 225, True): (225, 896, 52_950, 360_500, 1_514_500),
    ("connect6(opening=mickey_mouse)", 356, False): (179, 1602, 130_500, 1_020_500, 3_070_500),
    ("harary(shape=tippy, width=5, height=5)", 25, True): (25, 60, 826, 3_950, 15_500),
}


@pytest.mark.parametrize("case", MILESTONES, ids=str)
def test_cor_plus_is_no_larger_than_published(case: tuple[str, int, bool]) -> None:
    name, depth, symmetry = case
    sizes = ask(name, depth, "cor+", symmetry).formula.sizes
    found = (sizes.blocks, sizes.universals, sizes.existentials, sizes.clauses, sizes.literals)
    bounds = MILESTONES[case]
    assert found[1] == bounds[1]
    assert all(ours <= theirs for ours, theirs in zip(found, bounds, strict=True)), found


def test_published_milestones_are_no_larger(published: Path) -> None:
    files = {
        "qubic_1_1_4x4x4": ("qubic", 63, False),
        "gttt_1_1_9x9_snaky": ("harary(shape=snaky, width=9, height=9)", 81, True),
        "gomoku_1_1_15x15_connect5": ("gomoku", 225, True),
        "mickey_mouse_1_2_19x19_connect6": ("connect6(opening=mickey_mouse)", 356, False),
    }
    for file, case in files.items():
        game = read_game(str(published / "pg" / "milestones" / f"{file}.pg"))
        assert game.depth is not None
        sizes = encode(Question(game, BLACK, game.depth), "cor+").formula.sizes
        found = (sizes.blocks, sizes.universals, sizes.existentials, sizes.clauses, sizes.literals)
        assert all(ours <= theirs for ours, theirs in zip(found, MILESTONES[case], strict=True))


@pytest.mark.parametrize("name", ["hein(9)", "hein(13)", "hein(15)", "browne"])
def test_sizes_follow_the_table_also_with_stones(name: str) -> None:
    depth = {"hein(9)": 7, "hein(13)": 9, "hein(15)": 15, "browne": 9}[name]
    question = Question(build(name), BLACK, depth)
    problem = connection_problem(question, symmetry=False)
    assert isinstance(problem, ConnectionProblem)
    assert len(problem.cells) < question.game.board.size
    variables, binary, ternary, long = board_part(depth, len(problem.cells))
    graph = problem.graph(problem.goal)
    en = ask(name, depth, "en").formula.sizes
    steps, inner = (depth - 1) // 2, len(problem.cells) - len(graph.end)
    assert en.variables == variables + (steps + 1) * len(problem.cells)
    board_clauses = binary + ternary + long
    path_clauses = (steps + 1) * len(problem.cells) + 1 + inner * (steps + 1)
    assert en.clauses == board_clauses + path_clauses


@pytest.mark.parametrize("shape", ["elly", "tippy", "knobby", "skinny", "l", "n", "y", "w"])
@pytest.mark.parametrize("side", [4, 5, 6])
def test_cor_plus_variables_follow_the_papers_formula(shape: str, side: int) -> None:
    """∃ = F + |T_B| lg N + N F + |E_B|, less the `time` before Black's turns and before all."""
    game = build(f"harary(shape={shape}, width={side}, height={side})")
    cells = set()
    for winning in game.hypergraph().black_sets or ():
        cells |= {c for c in range(game.board.size) if winning >> c & 1}
    n, f = len(cells), 2 * (side * side // 2) - 1
    sizes = ask(str(game), f, "cor+").formula.sizes
    black_turns, white_turns = (f + 1) // 2, f // 2
    sets = len(game.hypergraph().black_sets or ())
    assert sizes.existentials == white_turns + black_turns * lg(n) + n * f + sets
    assert sizes.existentials <= f + black_turns * lg(n) + n * f + sets
    assert sizes.universals == white_turns * lg(n)


def test_contraction_lists_the_same_sets_as_folding_all_paths() -> None:
    rng = random.Random(7)
    lengths = set()
    for question in random_questions(rng):
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
        if len(lengths) >= 3 and rng.random() < 0.01:
            break


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
        ("hein(4)", "black", "dys", "unknown encoding 'dys'"),
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


def test_random_questions_have_symmetries_often_enough() -> None:
    rng = random.Random(8)
    restricted = 0
    for question in islice(random_questions(rng), 3000):
        if "cor+" in encodings_for(question):
            restricted += encode(question, "cor+", symmetry=True).restricted
    assert restricted >= 100


def test_paths_are_listed_only_as_far_as_the_depth_needs() -> None:
    assert ask("hex(size=11)", 1, "ea").formula.constant is False
    stones = "black=e1 e2 e3 e4 e5 e6 e7, white=a1 b1 c1 a2 b2 c2 a3"
    assert ask(f"hex(size=9, {stones})", 5, "cor+").formula.sizes.blocks == 5
    with pytest.raises(UserError, match=r"more than 100000 paths.*; use .*en or et"):
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
