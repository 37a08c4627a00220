"""Games in GDL: played as an interpreter from the definitions plays them, counted and answered."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from operator import and_
from pathlib import Path
from typing import Any

import pytest

from gdl_descriptions import (
    DESCRIPTIONS,
    random_boxes,
    random_description,
    random_gdl_game,
    random_points,
    random_token,
)
from gdl_interpreter import Interpreter, State
from samples import FULL, random_hypergraph_game, sample
from skolemate import Verdict, check, default_encoding, load, oracle, solve
from skolemate.encodings import encode
from skolemate.encodings.net import Counts
from skolemate.errors import UserError
from skolemate.formats import parse_game, write_game
from skolemate.formats.gdl_write import to_gdl
from skolemate.games import Game, Player, Position, PositionalGame, cells_of
from skolemate.games.family import build
from skolemate.games.game import Question, Stuck, turns
from skolemate.games.gdl.cells import ListedGame
from skolemate.games.gdl.game import GdlGame
from skolemate.games.gdl.positional import positional
from skolemate.games.gdl.sums import Step, decided_early, guessed, proved
from skolemate.games.gdl.symmetries import Symmetries
from skolemate.limits import Budget
from skolemate.search.engine import Engine
from skolemate.search.reference import Reference
from skolemate.solvers import Pipeline

PUBLISHED = [
    "break-through-2x5",
    "break-through-2x6",
    "break-through-3x4",
    "connect-3-4x4",
    "connect-3-5x5",
    "connect-4-4x4",
    "connect-4-5x4",
    "connect-4-5x5",
    "dots-and-boxes-2x2",
    "dots-and-boxes-2x3",
    "gttt-4x4-1-1-elly",
    "gttt-4x4-2-2-elly-v2",
    "number-tic-tac-toe",
    "tic-tac-toe",
    "tic-tac-toe-3player-3x3",
    "traffic-3x3",
]


def game_of(text: str) -> GdlGame:
    game = parse_game("game.gdl", text)
    assert isinstance(game, GdlGame)
    return game


# --- play -----------------------------------------------------------------------------------------


def written(term: Any) -> str:
    return term if isinstance(term, str) else f"{term[0]}({','.join(map(written, term[1:]))})"


class Follower:
    """Plays a game and the interpreter side by side, and compares them at every step."""

    def __init__(self, game: GdlGame, text: str) -> None:
        self.game, self.interpreter = game, Interpreter(text)
        self.ends = self.won = 0

    def play(self, rng: random.Random, most: int = 60) -> None:
        position, state = self.game.start, self.interpreter.start()
        for _ in range(most):
            if not self.same(position, state):
                self.ends += 1
                return
            moves = self.one_ply if self.game.network.sequential else self.ply_for_each
            following = moves(position, state, rng)
            if following is None:
                return
            position, state = following

    def same(self, position: Position, state: State) -> bool:
        """Whether the game goes on; all that is known of the state must agree."""
        facts = {self.game.board.names[cell] for cell in cells_of(position.occupied)}
        assert facts == {written(fact) for fact in state}
        goals, over = self.interpreter.goals(state), self.interpreter.is_terminal(state)
        won = {role for role, values in goals.items() if over and max(values, default=0) >= 100}
        expected = None
        if self.game.role in won:
            expected = Player.BLACK
        elif won:
            expected = Player.WHITE
        assert position.winner is expected
        self.won += expected is Player.BLACK
        if over:
            assert not position.moves()
        return bool(position.moves())

    def one_ply(
        self, position: Position, state: State, rng: random.Random
    ) -> tuple[Position, State]:
        legal = self.interpreter.legal(state)
        moves = {move: self.game.network.moves[move] for move in position.moves()}
        (mover,) = {role for role, _ in moves.values()}
        assert {term for _, term in moves.values()} == set(legal[str(mover)])
        assert (position.to_move is Player.BLACK) is (mover == self.game.role)
        move = rng.choice(list(moves))
        # Whatever the others do makes no difference.
        others = [{role: rng.choice(m) for role, m in legal.items() if m} for _ in range(2)]
        nexts = {
            self.interpreter.next(state, other | {str(mover): moves[move][1]}) for other in others
        }
        assert len(nexts) == 1
        return position.play(move), nexts.pop()

    def ply_for_each(
        self, position: Position, state: State, rng: random.Random
    ) -> tuple[Position, State] | None:
        legal = self.interpreter.legal(state)
        does: dict[str, Any] = {}
        roles = sorted(self.interpreter.roles, key=lambda role: role != self.game.role)
        for role in roles:
            moves = {move: self.game.network.moves[move] for move in position.moves()}
            assert {term for _, term in moves.values()} == set(legal[role])
            if not moves:  # a role without a move: nobody can go on
                return None
            assert {mover for mover, _ in moves.values()} == {role}
            move = rng.choice(list(moves))
            does[role] = moves[move][1]
            position = position.play(move)
        return position, self.interpreter.next(state, does)


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_a_small_game_is_played_as_the_definitions_say(name: str) -> None:
    rng = random.Random(name)
    for role in Interpreter(DESCRIPTIONS[name]).roles:
        game = game_of(DESCRIPTIONS[name]).asking(role)
        follower = Follower(game, DESCRIPTIONS[name])
        for _ in range(sample(20)):
            follower.play(rng)
        assert follower.ends


def test_random_games_are_played_as_the_definitions_say() -> None:
    rng = random.Random(30)
    ends = won = together = 0
    for _ in range(sample(300)):
        text = random_description(rng)
        game = game_of(text)
        game = game.asking(rng.choice(game.roles))
        follower = Follower(game, text)
        for _ in range(3):
            follower.play(rng, most=12)
        ends, won = ends + follower.ends, won + follower.won
        together += not game.network.sequential
    assert min(ends, won, together) > sample(30)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_game_is_played_as_the_definitions_say(name: str, published: Path) -> None:
    file = published / "gdl" / f"{name}.gdl"
    game = load(file)
    assert isinstance(game, GdlGame)
    assert game.network.sequential  # a step is a ply, as the published depths count
    follower = Follower(game, file.read_text())
    rng = random.Random(name)
    games = 1000 if FULL else 20
    for _ in range(games):
        follower.play(rng)
    assert follower.ends == games


# --- perft ----------------------------------------------------------------------------------------


@cache  # by transposition
def lines(position: Position, depth: int) -> tuple[int, int]:
    """How many lines of play there are up to a depth, and how many end with a winner."""
    moves = position.moves()
    if depth == 0 or not moves:
        # A description ends the game with the last capture, before the other finds no move.
        lost = not moves and position.game.stuck(position) is Stuck.LOSES
        return 1, int(lost or position.winner is not None)
    counts = [lines(position.play(move), depth - 1) for move in moves]
    return sum(c[0] for c in counts), sum(c[1] for c in counts)


def test_tic_tac_toe_has_as_many_lines_as_ours() -> None:
    assert lines(game_of(DESCRIPTIONS["tictactoe"]).start, 5) == lines(build("tictactoe").start, 5)


@pytest.mark.parametrize(
    ("name", "ours", "depth"),
    [
        ("tic-tac-toe", "tictactoe", 9 if FULL else 6),
        ("connect-3-4x4", "connect(k=3, width=4, height=4)", 7 if FULL else 5),
        ("connect-4-5x4", "connect(k=4, width=5, height=4)", 6 if FULL else 5),
        ("break-through-2x5", "breakthrough(width=2, height=5)", 8 if FULL else 6),
        ("break-through-3x4", "breakthrough(width=3, height=4)", 5 if FULL else 3),
        ("gttt-4x4-1-1-elly", "harary(shape=elly, width=4, height=4)", 3 if FULL else 2),
        ("gttt-4x4-2-2-elly-v2", "gttt(p=2, q=2, shape=elly, width=4, height=4)", 3 if FULL else 2),
    ],
)
def test_a_published_game_has_as_many_lines_as_ours(
    name: str, ours: str, depth: int, published: Path
) -> None:
    theirs = load(published / "gdl" / f"{name}.gdl")
    assert lines(theirs.start, depth) == lines(build(ours).start, depth)


# --- answers --------------------------------------------------------------------------------------

SWITCHES = ("table", "threats")


def test_the_engine_answers_as_the_oracle_does() -> None:
    rng = random.Random(31)
    count: Counter[object] = Counter()
    for _ in range(sample(1000)):
        game, player = random_gdl_game(rng), rng.choice(list(Player))
        without = [name for name in SWITCHES if rng.random() < 0.3]
        engine = Engine(game, player, table_bytes=1 << 16, without=without)
        oracle, start = Reference(player), game.start
        for depth in range(6):
            found, expected = engine.ask(start, depth, Budget()), oracle.wins(start, depth)
            assert found.won is expected
            count[expected] += 1
            if found.for_ever:
                assert not oracle.wins(start, depth + 4)
                count["for ever"] += 1
            if found.move is not None and expected and start.to_move is player:
                assert found.move in oracle.winning_moves(start, depth)
                count["moves"] += 1
    assert min(count[True], count[False], count["for ever"]) > sample(500)
    assert count["moves"] > sample(100)


def test_what_comes_too_early_by_counting_plies_is_false() -> None:
    """Whatever is played: in the formula `net` such a gate has no variable."""
    rng = random.Random(33)
    early = 0
    games = [*map(game_of, DESCRIPTIONS.values()), *(random_gdl_game(rng) for _ in range(200))]
    for game in games:
        net, position = game.propnet(), game.start
        counts = Counts(net, position.occupied & net.relevant)
        for _ in range(12):
            values = net.values(position.occupied)
            gates = range(net.first_gate, net.first_gate + net.settled)
            false = [gate for gate in gates if counts.too_early(gate)]
            assert not any(values[gate] for gate in false)
            early += len(false)
            if not position.moves():
                break
            move = rng.choice(position.moves())
            position = position.play(move)
            counts.note([move])
    assert early > 1000


def test_symmetry_changes_no_answer_of_a_network() -> None:
    """Moves that are alike are left out, and so are moves that twins exchange."""
    rng, count = random.Random(37), Counter[object]()
    pipelines = [Pipeline.parse(name) for name in ("depqbf", "caqe")]
    for _ in range(sample(300)):
        game = random_boxes(rng) if rng.random() < 0.7 else random_gdl_game(rng)
        question = Question(game, Player.BLACK, rng.randrange(2, 7))
        encoded = encode(question, "net", symmetry=True)
        truth = rng.choice(pipelines).solve(encoded.formula, Budget()).truth
        assert truth is Reference(Player.BLACK).wins(game.start, question.depth)
        count[truth] += encoded.formula.constant is None
        count["restricted"] += encoded.restricted
        count["twins"] += bool(Symmetries(game.propnet()).twins())
    assert min(count[True], count[False], count["restricted"], count["twins"]) > sample(60)


def test_moves_that_are_alike_lead_to_the_same_answer() -> None:
    rng, several = random.Random(38), 0
    for _ in range(sample(100)):
        game, start = (boxes := random_boxes(rng)), boxes.start
        for members in Symmetries(game.propnet()).classes(start.occupied, start.moves()):
            several += len(members) > 1
            for depth in range(5):
                answers = {
                    Reference(Player.BLACK).wins(start.play(move), depth) for move in members
                }
                assert len(answers) == 1
    assert several > sample(30)


def test_a_proved_sum_is_the_same_in_every_state() -> None:
    """Also if it was guessed from very few plays, so that many guesses are wrong."""
    rng, count = random.Random(39), Counter[str]()
    for _ in range(sample(200)):
        game = random_points(rng) if rng.random() < 0.7 else random_gdl_game(rng)
        net = game.propnet()
        steps = [Step.of(net, move) for move in range(len(net.owners))]
        guesses = guessed(net, steps, game.start.occupied, plays=rng.choice([1, 2, 80]))
        sums = proved(guesses, steps)
        count["refused"] += len(guesses) - len(sums)
        position = game.start
        for ply in range(100):
            for weights, total in sums:
                held = [w for term, w in weights.items() if term <= {*cells_of(position.occupied)}]
                assert sum(held) == total
                count["points"] += ply > 0 and len(set(weights.values())) > 1
            moves = position.moves()
            position = position.play(rng.choice(moves)) if moves else game.start
    assert min(count["refused"], count["points"]) > sample(200)


def test_points_decide_a_game_early_only_if_they_do() -> None:
    """White's last points, and the moves that get them, stand before his code."""
    rng, count = random.Random(40), Counter[object]()
    pipelines = [Pipeline.parse(name) for name in ("depqbf", "caqe")]
    for _ in range(sample(500)):
        game = random_points(rng)
        question = Question(game, rng.choice(list(Player)), rng.randrange(5, 8))
        encoded = encode(question, "net", symmetry=rng.random() < 0.5)
        truth = rng.choice(pipelines).solve(encoded.formula, Budget()).truth
        assert truth is Reference(question.player).wins(game.start, question.depth)
        asked = game if question.player is Player.BLACK else game.swapped()
        early = decided_early(asked.propnet(), asked.start.occupied).lost is not None
        count[early, truth] += encoded.formula.constant is None
    assert min(count[True, True], count[True, False], count[False, True]) > sample(20), count


def test_places_decide_a_game_early_only_if_they_do() -> None:
    """Also from positions in which Black has lost, or if he cannot win at all."""
    rng, count = random.Random(41), Counter[object]()
    pipelines = [Pipeline.parse(name) for name in ("depqbf", "caqe")]
    for _ in range(sample(500)):
        game = random_token(rng)
        question = Question(game, Player.BLACK, rng.randrange(1, 7))
        encoded = encode(question, "net", symmetry=rng.random() < 0.5)
        truth = rng.choice(pipelines).solve(encoded.formula, Budget()).truth
        assert truth is Reference(Player.BLACK).wins(game.start, question.depth)
        early = decided_early(game.propnet(), game.start.occupied).lost is not None
        count[early, truth] += 1
    assert min(count[True, False], count[False, True]) > sample(60), count


ANSWERS = {
    "tictactoe": ("x", None),
    "again": ("first", 5),
    "pennies": ("even", None),
    "chase": ("left", 6),
    "path": ("a", 1),
    "lamps": ("player", 1),
    "pass": ("p", None),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_small_games_have_the_answer_that_a_person_finds(name: str) -> None:
    role, plies = ANSWERS[name]
    game = game_of(DESCRIPTIONS[name])
    for ask in (solve, oracle)[: 1 if name == "tictactoe" and not FULL else 2]:
        answer = ask(game, player=role)
        assert answer.critical_depth == plies
        assert answer.every_depth is (plies is None)


def test_a_strategy_is_found_saved_and_checked(tmp_path: Path) -> None:
    file = tmp_path / "again.gdl"
    file.write_text(DESCRIPTIONS["again"])
    for role in ("first", "second"):
        strategy = str(tmp_path / f"{role}.jsonl")
        answer = solve(f"{file}(player={role})", player=role, strategy=strategy)
        report = check(strategy, game=f"{file}(player={role})")
        assert report.holds
        assert report.claim.wins is (answer.verdict is Verdict.WIN) is (role == "first")


@pytest.mark.parametrize(
    ("name", "role", "depth", "wins"),
    [
        ("tic-tac-toe", "xplayer", 9, False),
        ("tic-tac-toe", "oplayer", 9, False),
        ("break-through-2x5", "xplayer", 21, False),
        ("break-through-2x6", "xplayer", 29, True),
        ("connect-3-4x4", "xplayer", 16, True),
        ("connect-4-4x4", "xplayer", 16, False),
        ("dots-and-boxes-2x2", "xplayer", 12, True),
        ("tic-tac-toe-3player-3x3", "xplayer", 9, True),
    ],
)
def test_a_published_game_has_the_published_answer(
    name: str, role: str, depth: int, wins: bool, published: Path
) -> None:
    answer = solve(published / "gdl" / f"{name}.gdl", player=role, depth=depth)
    assert answer.verdict is (Verdict.WIN if wins else Verdict.NO_WIN)


# --- rules as a list ------------------------------------------------------------------------------


def same_by_list(game: GdlGame, rng: random.Random, most: int = 60) -> int:
    """Play a game and the same game by its list side by side; how many positions were compared."""
    cells = game.listing()
    assert isinstance(cells, ListedGame)
    position, other, compared = game.start, cells.start, 0
    schedule, timed = cells.turns_ahead, cells.timed
    assert timed is not None
    for ply in range(most):
        assert position.winner is other.winner
        made = [cells.rules.moves[case] for case in other.moves()]
        assert sorted(made) == sorted(position.moves())
        assert cells.rules.stones(position.occupied) == (other.black, other.white)
        contents = cells.rules.contents(other.black, other.white)
        assert all(map(and_, contents, timed.contents(ply)))
        compared += 1
        if not made:
            break
        assert position.to_move is other.to_move
        assert schedule is None or position.to_move is schedule[ply]
        case = rng.choice(other.moves())
        position, other = position.play(cells.rules.moves[case]), other.play(case)
    return compared


def test_a_random_game_and_its_list_are_the_same() -> None:
    rng = random.Random(32)
    compared = none = 0
    for _ in range(sample(600)):
        game = random_gdl_game(rng)
        game = game.swapped() if rng.random() < 0.3 else game
        if not game.offers("listing"):
            none += 1
            continue
        for _ in range(4):
            compared += same_by_list(game, rng, most=12)
    assert min(compared, none) > sample(100)


LISTED = {
    "break-through-2x5": 16,
    "break-through-2x6": 20,
    "break-through-3x4": 21,
    "connect-3-4x4": 16,
    "connect-3-5x5": 25,
    "connect-4-4x4": 16,
    "connect-4-5x4": 20,
    "connect-4-5x5": 25,
    "gttt-4x4-1-1-elly": 16,
    "gttt-4x4-2-2-elly-v2": 16,
    "number-tic-tac-toe": 45,
    "tic-tac-toe": 9,
    "traffic-3x3": 27,
}


@pytest.mark.parametrize("name", LISTED)
def test_a_published_game_and_its_list_are_the_same(name: str, published: Path) -> None:
    game = load(published / "gdl" / f"{name}.gdl")
    assert isinstance(game, GdlGame)
    rng = random.Random(name)
    for _ in range(1000 if FULL else 5):
        same_by_list(game, rng)
    assert len(game.listing().grounded().actions[Player.BLACK]) == LISTED[name]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("dots-and-boxes-2x3", "a move has too many cases"),
        ("tic-tac-toe-3player-3x3", "a goal has too many cases"),
    ],
)
def test_not_every_game_has_a_list(name: str, reason: str, published: Path) -> None:
    assert load(published / "gdl" / f"{name}.gdl").lacks("listing") == reason


# --- our games in GDL -----------------------------------------------------------------------------

OURS = [
    "tictactoe",
    "tictactoe(moves=b2 a1)",
    "connect(k=3, width=3, height=3)",
    "breakthrough(width=2, height=5)",
    "domineering(width=3, height=3)",
    "gttt(p=2, q=2, shape=tic, width=3, height=3)",
    "harary(shape=el, width=3, height=3, maker_breaker=true)",
]


@pytest.mark.parametrize("name", OURS)
def test_a_game_written_in_gdl_is_the_same(name: str) -> None:
    ours = build(name)
    theirs = game_of(to_gdl(ours))
    assert lines(theirs.start, 4)[0] == lines(ours.start, 4)[0]
    for player in Player:
        oracle = Reference(player)
        for depth in range(6):
            assert oracle.wins(theirs.start, depth) is oracle.wins(ours.start, depth)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("hex(size=3)", "its goal is a path"),
        ("tictactoe(misere=true)", "who completes a goal loses"),
    ],
)
def test_what_gdl_cannot_say_is_refused(name: str, reason: str) -> None:
    with pytest.raises(UserError, match=reason):
        to_gdl(build(name))


# --- and back -------------------------------------------------------------------------------------

PLACING = [
    "tictactoe",
    "tictactoe(moves=b2 a1)",
    "harary(shape=el, width=3, height=3)",
    "mnk(m=3, n=3, k=3, black=a1, white=b2 c3, first=white)",
    "random_hypergraph(cells=6, sets=7, size=3, seed=2)",
]


def same_game(one: Game, other: Game, depth: int) -> None:
    assert lines(one.start, depth) == lines(other.start, depth)
    for player in Player:
        oracle = Reference(player)
        for plies in range(depth + 1):
            assert oracle.wins(one.start, plies) is oracle.wins(other.start, plies)


@pytest.mark.parametrize("name", PLACING)
def test_our_game_in_gdl_comes_back_as_it_was(name: str, tmp_path: Path) -> None:
    ours, file = build(name), tmp_path / "back.pg"
    theirs = game_of(to_gdl(ours))
    back = positional(theirs)
    # Stones that stand from the start on are left out: of a set only the rest is to be filled.
    open_cells = ~ours.start.occupied & ((1 << ours.board.size) - 1)
    assert set(ours.board.named(open_cells).split()) <= set(back.board.names)
    write_game(theirs, file)
    for game in (back, load(file)):
        same_game(ours, game, 5)


def test_random_games_of_sets_come_back_as_they_were() -> None:
    rng = random.Random(33)
    refused = same = 0
    for _ in range(sample(200)):
        ours = random_hypergraph_game(rng, 5)
        if rng.random() < 0.8:
            ours = replace(ours, schedule=turns(5, first=rng.choice(list(Player))))
        if ours.start.winner is not None or not ours.start.moves():
            continue
        theirs = game_of(to_gdl(ours))
        try:
            back = positional(theirs)
        except UserError:
            refused += 1
            continue
        same_game(ours, back, 5)
        same += 1
    assert min(refused, same) > sample(20)


def test_random_games_of_sets_are_stated_by_threats() -> None:
    rng = random.Random(34)
    count: Counter[object] = Counter()
    pipelines = [Pipeline.parse(name) for name in ("depqbf", "caqe")]
    while count["asked"] < sample(300):
        ours = random_hypergraph_game(rng, rng.randrange(3, 7))
        first = rng.choice(list(Player))
        ours = replace(ours, schedule=turns(ours.board.size, first=first))
        if ours.start.winner is not None or not ours.start.moves():
            continue
        question = Question(game_of(to_gdl(ours)), rng.choice(list(Player)), rng.randrange(1, 7))
        if default_encoding(question) != "threat":
            continue
        reference, start = Reference(question.player), question.game.start
        expected = reference.wins(start, question.depth)
        encoded = encode(question, "threat", symmetry=rng.random() < 0.5)
        for pipeline in pipelines:
            solved = pipeline.solve(encoded.formula, Budget())
            assert solved.truth is expected, question
            if expected and question.has_first_moves:
                move = encoded.decode(solved.outer)
                assert move in reference.winning_moves(start, question.depth)
                count["moves"] += 1
        count.update(("asked", expected))
    assert min(count[True], count[False], count["moves"]) > sample(30), count


def test_a_game_with_stones_that_alternate_comes_back_as_bddl(tmp_path: Path) -> None:
    file = tmp_path / "back.bddl"
    write_game(game_of(DESCRIPTIONS["tictactoe"]), file)
    same_game(build("tictactoe"), load(file), 5)


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("tic-tac-toe", "tictactoe"),
        ("gttt-4x4-1-1-elly", "harary(shape=elly, width=4, height=4)"),
        ("gttt-4x4-2-2-elly-v2", "gttt(p=2, q=2, shape=elly, width=4, height=4)"),
    ],
)
def test_a_published_game_is_one_of_ours(name: str, ours: str, published: Path) -> None:
    theirs, game = load(published / "gdl" / f"{name}.gdl"), build(ours)
    assert isinstance(theirs, GdlGame)
    assert isinstance(game, PositionalGame)
    back = positional(theirs)
    found = [{back.board.named(cells) for cells in back.listed(player) or ()} for player in Player]
    expected = [{game.board.named(c) for c in game.listed(player) or ()} for player in Player]
    assert (found, back.schedule) == (expected, game.schedule)


@pytest.mark.parametrize(
    ("ours", "reason"),
    [
        ("connect(k=3, width=3, height=3)", "does more than place a stone on an open cell"),
        ("breakthrough(width=2, height=4)", "a move has too many cases"),
        ("domineering(width=3, height=3)", "a move has too many cases"),
        ("harary(shape=el, width=3, height=3, maker_breaker=true)", "a goal of the opponent's"),
    ],
)
def test_what_places_no_stones_is_refused_as_pg(ours: str, reason: str, tmp_path: Path) -> None:
    for suffix in ("pg", "bddl"):
        with pytest.raises(UserError, match=f"game of placing stones: .*{reason}"):
            write_game(game_of(to_gdl(build(ours))), tmp_path / f"back.{suffix}")
