"""The oracle against the literature, and against a second reading of the definitions."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from threading import Event

import pytest

from harary import CRITICAL
from samples import (
    SMALL,
    random_graph_game,
    random_hypergraph_game,
    random_position,
    sample,
    wins_by_definition,
)
from skolemate.api import oracle
from skolemate.ask import Verdict, deepen
from skolemate.ask.search import reference
from skolemate.errors import UserError
from skolemate.formats import read_game
from skolemate.games import Game, Grid, Player, Position, Shape, Stuck
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.limits import Budget, Limit, Reason
from skolemate.search.reference import Reference

# Shapes by the side of the board, as far as the oracle gets.
HARARY = {3: "domino el tic elly knobby fatty tippy", 4: "domino el tic elly", 5: "domino el tic"}
TORUS = {"domino": 3, "el": 5, "tippy": 7}  # critical depths on the torus of 3x3

# Critical depths; None = no win on the full board.
NAMED = {
    "mnk(m=3, n=3, k=3, maker_breaker=true)": 7,
    "mnk(m=3, n=3, k=3)": None,
    "mnk(m=4, n=3, k=3, maker_breaker=true)": 7,
    "mnk(m=4, n=3, k=3)": 7,
    "mnk(m=4, n=4, k=3, maker_breaker=true)": 5,
    "mnk(m=4, n=4, k=3)": 5,
    "mnk(m=5, n=5, k=3)": 5,
    "hex(size=2)": 3,
    "hex(size=3)": 5,
    "hein(4)": 5,
    "hein(9)": 7,
    "hein(12)": 7,
    "hein(7)": 9,
    "qubic(size=2)": 3,
}


def harary_games() -> list[tuple[str, int | None]]:
    flat = [(side, shape) for side, shapes in HARARY.items() for shape in shapes.split()]
    return [
        *((f"harary(shape={s}, width={n}, height={n})", CRITICAL[n].get(s)) for n, s in flat),
        *(
            (f"harary(shape={s}, width=3, height=3, torus=true)", TORUS.get(s))
            for s in HARARY[3].split()
        ),
    ]


@pytest.mark.parametrize(("name", "depth"), [*harary_games(), *NAMED.items()])
def test_critical_depths_of_the_literature(name: str, depth: int | None) -> None:
    answer = oracle(name)
    assert answer.critical_depth == depth
    if depth is None:
        assert answer.verdict is Verdict.NO_WIN
        assert answer.every_depth
    else:
        assert answer.verdict is Verdict.WIN
        assert answer.refuted_depth == depth - 1
        assert answer.first_moves


# Games in which pieces move, or that nobody need win (Shaik and van de Pol 2023,
# Table 2; Tromp for Connect).
MOVING: dict[tuple[str, str], int | None] = {
    **{(f"connect(k=2, width={n}, height={n})", "black"): 3 for n in range(2, 7)},
    ("connect(k=3, width=3, height=3)", "black"): None,
    ("connect(k=3, width=3, height=5)", "black"): None,
    ("connect(k=3, width=4, height=3)", "black"): 9,
    ("connect(k=3, width=5, height=3)", "black"): 9,
    ("connect(k=3, width=4, height=4)", "black"): 9,
    ("breakthrough(width=2, height=4)", "black"): None,
    ("breakthrough(width=2, height=4)", "white"): 8,
    ("breakthrough(width=2, height=5)", "black"): None,
    ("breakthrough(width=2, height=5)", "white"): 10,
    ("breakthrough(width=2, height=6)", "black"): 15,
    ("breakthrough(width=3, height=4)", "white"): 12,
    ("knightthrough(width=3, height=4)", "black"): 1,
    ("evader_pursuer(size=4, x=1, y=2)", "black"): None,
    ("evader_pursuer(size=4, x=2, y=3)", "black"): 3,
    ("evader_pursuer(size=8, x=3, y=4)", "black"): 7,
    ("evader_pursuer(size=4, x=1, y=2, dual=true)", "black"): 2,
    ("evader_pursuer(size=4, x=2, y=3, dual=true)", "black"): None,
    ("evader_pursuer(size=8, x=2, y=3, dual=true)", "black"): 6,
    ("evader_pursuer(size=4, x=1, y=2)", "white"): 2,
}
# Dominoes placed when the vertical player, who begins, wins; 0: she loses. Rows, then columns.
DOMINEERING = {
    2: {2: 1, 3: 1, 4: 0, 5: 5, 6: 5},
    3: {2: 3, 3: 3, 4: 0, 5: 0, 6: 0},
    4: {2: 3, 3: 5, 4: 7, 5: 9},
    5: {2: 0, 3: 7, 4: 0},
    6: {2: 5, 3: 5},
}


def moving_games() -> list[tuple[str, str, int | None]]:
    listed = [(name, player, depth) for (name, player), depth in MOVING.items()]
    for rows, row in DOMINEERING.items():
        for columns, dominoes in row.items():
            # The ply at which the loser finds no room counts too.
            depth = dominoes + 1 if dominoes else None
            listed.append((f"domineering(width={columns}, height={rows})", "black", depth))
    return listed


@pytest.mark.parametrize(("name", "player", "depth"), moving_games())
def test_games_of_the_literature_in_which_pieces_move(
    name: str, player: str, depth: int | None
) -> None:
    answer = oracle(name, player=player)
    assert answer.critical_depth == depth
    assert answer.verdict is (Verdict.NO_WIN if depth is None else Verdict.WIN)
    assert answer.every_depth == (depth is None)


@pytest.mark.parametrize("shape", HARARY[3].split())
def test_strong_and_weak_agree_on_3x3(shape: str) -> None:
    strong = f"harary(shape={shape}, width=3, height=3)"
    weak = f"harary(shape={shape}, width=3, height=3, maker_breaker=true)"
    assert oracle(strong).critical_depth == oracle(weak).critical_depth


# The 84 games on 3x3 of Diptarama, Yoshinaka and Shinohara (2016), Table 2.
GTTT_SHAPES = ("domino", "el", "tic", "elly", "fatty", "knobby", "tippy")
GTTT_WINS = 24


def test_gttt_3x3_has_24_true_of_84() -> None:
    verdicts = []
    for (p, q), shape, torus, player in product(
        [(1, 1), (2, 1), (2, 2)], GTTT_SHAPES, ("false", "true"), Player
    ):
        name = f"gttt(p={p}, q={q}, shape={shape}, width=3, height=3, torus={torus})"
        verdicts.append(bool(oracle(name, 9, player)))
    assert len(verdicts) == 84
    assert sum(verdicts) == GTTT_WINS


def test_published_gttt_3x3_files_agree_with_named_games(published: Path) -> None:
    files = sorted((published / "pg" / "gttt-3x3").glob("*.pg"))
    verdicts = []
    for file in files:
        _, p, q, digits, _, *rest = file.stem.split("_")
        torus = "true" if "torus" in rest else "false"
        shape = Shape.parse(digits)
        named = f"gttt(p={p}, q={q}, shape={shape}, width=3, height=3, torus={torus})"
        # In the _w files the players are renamed: their Black is our White.
        player = Player.WHITE if rest[-1] == "w" else Player.BLACK
        answer = reference(Question(read_game(str(file)), Player.BLACK, 9))
        assert answer.verdict == oracle(named, 9, player).verdict, file.name
        verdicts.append(bool(answer))
    assert (len(verdicts), sum(verdicts)) == (84, GTTT_WINS)


def test_published_hex_puzzles_agree_in_every_dialect(published: Path) -> None:
    for folder in ("hex-hein", "hex-hein-board", "hex-hein-gex", "hex-hein-egf"):
        for number, board, critical in [("04", "3x3", 5), ("09", "4x4", 7), ("12", "4x4", 7)]:
            for depth in (critical - 2, critical):
                file = published / "pg" / folder / f"hein_{number}_{board}-{depth:02}.pg"
                answer = oracle(str(file))
                assert answer.depth == depth
                assert bool(answer) == (depth == critical), file.name


def test_memory_changes_no_answer() -> None:
    rng = random.Random(1)
    seen = {True: 0, False: 0}
    for number in range(sample(400)):
        game = random_hypergraph_game(rng, 5) if number % 3 else random_graph_game(rng, 5)
        position = random_position(game, rng)
        for player in Player:
            shared = Reference(player)
            depths = list(range(6))
            rng.shuffle(depths)
            for depth in depths:
                expected = wins_by_definition(position, player, depth)
                assert shared.wins(position, depth) == expected
                seen[expected] += 1
    assert min(seen.values()) > sample(800)


def test_first_moves_are_exactly_the_winning_ones() -> None:
    wins = 0
    for name in SMALL:
        game = build(name)
        answer = oracle(game, player=game.start.to_move or Player.BLACK, max_depth=5)
        if answer.verdict is not Verdict.WIN:
            assert answer.first_moves is None
            continue
        wins += 1
        assert answer.first_moves_complete
        assert answer.first_move_numbers is not None
        for move in game.start.moves():
            won = Reference(answer.player).wins(game.start.play(move), answer.depth - 1)
            assert won == (move in answer.first_move_numbers)
        assert answer.first_moves == tuple(answer.as_json()["first_moves"])
        assert game.parse_moves((answer.first_moves or ())[:1]) == answer.first_move_numbers[:1]
    assert wins >= 8


def test_an_answer_in_a_session_reads_like_a_sentence() -> None:
    answer = oracle("hex(size=3)", max_depth=5)
    assert answer.first_moves is not None
    assert answer.game.start.play(answer.first_moves[0]).to_move is Player.WHITE
    assert repr(answer) == "<Answer: hex(size=3): Black wins within 5 plies, and not sooner>"


@pytest.mark.parametrize("name", SMALL)
def test_whites_question_is_blacks_with_colours_exchanged(name: str) -> None:
    game = build(name)
    for depth in range(5):
        asked = Question(game, Player.WHITE, depth)
        assert bool(reference(asked)) == bool(reference(asked.normalised()))


def test_maker_or_breaker_wins() -> None:
    rng = random.Random(2)
    winners = {True: 0, False: 0}
    for number in range(200):
        game = random_hypergraph_game(rng) if number % 2 else random_graph_game(rng)
        if game.breaker is not None:
            maker_wins = bool(oracle(game, "auto", game.breaker.opponent))
            assert maker_wins != bool(oracle(game, "auto", game.breaker))
            winners[maker_wins] += 1
    assert min(winners.values()) >= 20


def test_a_won_position_is_won_within_no_plies() -> None:
    answer = oracle("tictactoe(moves=a1 b1 a2 b2 a3)", 0)
    assert answer.verdict is Verdict.WIN
    assert answer.first_moves is None
    assert str(answer).endswith("Black has won already")
    assert oracle("tictactoe(moves=a1 b1 a2 b2 a3)", player="white").every_depth


def test_depth_beyond_the_horizon_is_no_different() -> None:
    assert oracle("tictactoe", 100).every_depth
    assert not oracle("tictactoe", 8).every_depth


def test_unknown_is_never_merged_with_no() -> None:
    answer = oracle("hex(size=5)", timeout=0.05)
    assert (answer.verdict, answer.reason) == (Verdict.UNKNOWN, Reason.TIME)
    assert answer.refuted_depth is not None
    with pytest.raises(ValueError, match="not known"):
        bool(answer)


def test_deepening_stops_at_the_maximal_depth() -> None:
    answer = oracle("hex(size=4)", max_depth=4)
    assert (answer.verdict, answer.reason, answer.refuted_depth) == (
        Verdict.UNKNOWN,
        Reason.DEPTH,
        4,
    )


def test_cancelled_search_says_so() -> None:
    cancel = Event()
    cancel.set()
    answer = deepen(reference, build("hex(size=4)"), Player.BLACK, budget=Budget(cancel=cancel))
    assert answer.reason is Reason.CANCELLED


def test_memory_limit_gives_unknown() -> None:
    question = Question(build("hex(size=5)"), Player.BLACK, 9)
    answer = reference(question, Budget(Limit(memory=1)))
    assert answer.reason is Reason.MEMORY


def test_memory_that_a_former_question_used_does_not_count() -> None:
    used = b"x" * (300 << 20)
    del used
    budget = Budget(Limit(memory=Budget().peak_bytes - (100 << 20)))
    budget.check()


def test_progress_is_told_depth_by_depth() -> None:
    told: list[tuple[int, Verdict | None]] = []
    oracle("hein(4)", progress=lambda p: told.append((p.depth, p.verdict)))
    assert [entry for entry in told if entry[1] is not None] == [
        (0, Verdict.NO_WIN),
        (1, Verdict.NO_WIN),
        (3, Verdict.NO_WIN),
        (5, Verdict.WIN),
    ]


def test_wrong_depths_and_players_are_refused() -> None:
    for depth in (-1, 2.5, "7"):
        with pytest.raises(UserError, match="a depth is a number of plies"):
            oracle("tictactoe", depth)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="black or white, not 'red'"):
        oracle("tictactoe", 3, "red")
    assert oracle("tictactoe", 3, "Black").player is Player.BLACK


def test_long_games_do_not_exhaust_the_stack() -> None:
    answer = oracle("gomoku(size=25)", 600, timeout=1)
    assert answer.reason is Reason.TIME


@dataclass(frozen=True, eq=False)
class Countdown(Game):
    """A heap from which one or two cells are taken; who cannot move loses."""

    name: str
    board: Grid
    played: tuple[int, ...] = ()
    depth: int | None = None

    @property
    def _content(self) -> tuple[object, ...]:
        return self.board, self.played

    @property
    def origin(self) -> Position:
        return Position(self, 0, 0, Player.BLACK)

    def legal_moves(self, position: Position) -> list[int]:
        left = self.board.size - position.black.bit_count()
        return [taken for taken in (1, 2) if taken <= left]

    def result(self, position: Position, move: int) -> Position:
        assert position.to_move is not None
        black = (1 << position.black.bit_count() + move) - 1
        return Position(self, black, 0, position.to_move.opponent)

    def winner(self, position: Position) -> None:
        return None

    def stuck(self, position: Position) -> Stuck:
        return Stuck.LOSES

    horizon = None
    symmetries = ()

    def move_name(self, move: int) -> str:
        return str(move)

    def parse_move(self, text: str, player: Player) -> int:
        return int(text)

    def move_cells(self, move: int, player: Player) -> tuple[int, ...]:
        return ()

    def winning_cells(self, position: Position) -> int:
        return 0

    def swapped(self) -> Countdown:
        return self


@pytest.mark.parametrize(("heap", "depth"), [(1, 2), (2, 2), (3, None), (4, 4), (5, 4), (6, None)])
def test_who_cannot_move_loses_a_ply_later(heap: int, depth: int | None) -> None:
    """Black wins unless the heap is a multiple of three; finding no move is a ply."""
    start = Countdown("countdown", Grid(heap, 1)).start
    assert Reference(Player.BLACK).critical_depth(start, range(heap + 3)) == depth
    white = Reference(Player.WHITE).critical_depth(start, range(heap + 3))
    assert (white is None) == (depth is not None)


def test_a_game_without_horizon_is_searched_until_nothing_changes() -> None:
    for heap, depth in ((4, 4), (3, None), (6, None)):
        game = Countdown("countdown", Grid(heap, 1))
        for player in Player:
            answer = oracle(game, player=player)
            wins = (player is Player.BLACK) == (depth is not None)
            assert answer.verdict is (Verdict.WIN if wins else Verdict.NO_WIN)
            assert answer.every_depth is not wins
    assert oracle(Countdown("countdown", Grid(4, 1)), max_depth=3).verdict is Verdict.UNKNOWN


def test_a_depth_beyond_reason_is_refused() -> None:
    with pytest.raises(UserError, match="up to 10,000, not 999999999"):
        oracle("tictactoe", 999_999_999)


def test_no_move_left_is_a_loss_even_beyond_the_depth_asked_for() -> None:
    """White is stuck at once: not won within no ply, but not lost for ever either."""
    answer = oracle(Countdown("countdown", Grid(2, 1), played=(2,)), 0)
    assert answer.verdict is Verdict.NO_WIN
    assert not answer.every_depth
