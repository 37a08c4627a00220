"""The engine against the oracle: all kinds of games, each method on and off, any table."""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice, product

import pytest

from differential import KINDS, random_questions
from samples import random_position, sample
from searching import compare_with_oracle
from skolemate.games import Game, Graph, HexGrid, Player, Position, PositionalGame, Sets
from skolemate.games.bddl import BddlGame, Model
from skolemate.games.family import build
from skolemate.games.game import turns
from skolemate.games.goals import hex_goals
from skolemate.games.symmetry import mask_of
from skolemate.limits import Budget, Limit, OutOfBudget
from skolemate.search.engine import METHODS, Engine
from skolemate.search.reference import Reference

SAMPLE = sample(300)  # questions of each kind

# Critical depths of published and exhaustively searched games; None: no win up to the horizon.
KNOWN = {
    "tictactoe": None,
    "mnk(m=5, n=5, k=4, maker_breaker=true)": 9,
    "mnk(m=6, n=5, k=4)": 11,
    "harary(shape=tippy, width=4, height=4)": 9,
    "harary(shape=n, width=5, height=5)": 11,
    "harary(shape=skinny, width=5, height=5)": None,
    "harary(shape=skinny, width=5, height=5, torus=true)": 13,
    "hex(size=5)": 13,
    "hein(15)": 15,
    "connect(k=3, width=5, height=5)": 9,
    "connect(k=4, width=4, height=4)": None,
    "domineering(width=6, height=4)": 12,
    "domineering(width=4, height=5)": None,
    "breakthrough(width=2, height=6)": 15,
}


def test_known_games() -> None:
    for name, depth in KNOWN.items():
        assert critical_depth(name) == depth, name


def test_rooms_without_a_door_are_solved_in_parts() -> None:
    walls = "d1 h1 d2 h2 d3 h3 a4 b4 c4 d4 e4 f4 g4 h4 i4 j4 k4 d5 h5 d6 h6 d7 h7"
    game = build(f"domineering(width=11, height=7, black={walls})")
    assert game.horizon is not None
    asked = []
    for without in ([], ["parts"]):
        engine = Engine(game, Player.BLACK, without=without)
        assert not engine.ask(game.start, game.horizon, Budget()).won
        asked.append(engine.visited)
    assert 4 * asked[0] < asked[1]


def critical_depth(name: str) -> int | None:
    game = build(name)
    engine = Engine(game, Player.BLACK)
    assert game.horizon is not None
    for depth in game.deciding_plies(Player.BLACK, game.horizon):
        found = engine.ask(game.start, depth, Budget())
        if found.won:
            return depth
        if found.for_ever:
            break
    return None


def test_breakthrough_at_full_depth() -> None:
    """By proof numbers, and depth-first; the second player wins on 4x4, the first on 2x6."""
    for width, height, winner in ((4, 4, Player.WHITE), (2, 6, Player.BLACK)):
        game = build(f"breakthrough(width={width}, height={height})")
        assert game.horizon is not None
        for player, without in product(Player, ([], ["proof_numbers"], ["races"])):
            found = Engine(game, player, without=without).ask(game.start, game.horizon, Budget())
            assert found.won is (player is winner)
            assert found.for_ever is not found.won


def test_hein_18_is_whites_though_black_begins() -> None:
    """Virtual connections tell it at sight; the old question was how soon Black wins."""
    game = build("hein(18)")
    refuted = Engine(game, Player.BLACK).ask(game.start, 42, Budget())
    assert (refuted.won, refuted.for_ever) == (False, True)
    white = Engine(game, Player.WHITE)
    assert white.ask(game.start, 20, Budget()).won
    rng, position = random.Random(18), game.start
    while position.winner is None:  # whatever Black does
        position = position.play(rng.choice(position.moves()))
        found = white.ask(position, len(position.moves()), Budget())
        assert found.won
        assert found.move is not None
        position = position.play(found.move)
    assert position.winner is Player.WHITE


@pytest.mark.parametrize("kind", KINDS)
def test_agrees_with_the_oracle(kind: str) -> None:
    compare(kind, random.Random(f"engine {kind}"), SAMPLE)


def compare(kind: str, rng: random.Random, count: int) -> Counter[bool]:
    """Ask about random games, with random methods switched off, until both answers are frequent."""
    answers: Counter[bool] = Counter()
    for question in islice(random_questions(rng, [kind]), 20 * count):
        if question.game.breaker is question.player:
            continue  # asked as the Maker's question
        answers[compare_with_oracle(question, rng)] += 1
        if answers.total() >= count and min(answers[True], answers[False]) > count / 20:
            break
    assert min(answers[True], answers[False]) > count / 20
    return answers


def test_sets_on_larger_boards() -> None:
    """Listed sets of two to five cells, at every depth and in any position of one game."""
    rng, answers = random.Random("larger"), Counter[tuple[bool, bool]]()
    while answers.total() < 30 * SAMPLE or min(answers.values()) <= SAMPLE:
        game, player = larger_game_of_sets(rng), Player.BLACK
        options = {
            "table_bytes": rng.choice([1_000, 1 << 16, 1 << 22]),
            "without": [
                *rng.sample(METHODS, rng.choice([0, 0, 0, 1, 2])),
                *rng.choice([[], ["depth_first"]]),  # races by proof numbers alone
            ],
        }
        engine, oracle = Engine(game, player, **options), Reference(player)  # type: ignore[arg-type]
        for _ in range(20):
            position = random_position(game, rng)
            full = len(position.moves())
            left = rng.choice([full, rng.randint(0, full)])
            won = agreed(engine, oracle, player, position, left, f"{position} {left} {options}")
            answers[won, left == full] += 1
    assert len(answers) == 4


def agreed(
    engine: Engine, oracle: Reference, player: Player, position: Position, left: int, told: str
) -> bool:
    """Whether the player wins, as engine and oracle say; also what else the engine has said."""
    found = engine.ask(position, left, Budget())
    assert found.won is oracle.wins(position, left), told
    if found.for_ever:
        full = position.game.board.size - position.occupied.bit_count()
        assert not oracle.wins(position, full), told
    if found.move is not None and position.to_move is player and found.won:
        assert oracle.wins(position.play(found.move), left - 1), told
    return found.won


def larger_game_of_sets(rng: random.Random) -> Game:
    """Random sets on nine cells, some with stones; Maker-Maker or Maker-Breaker."""
    names = [f"v{i}" for i in range(9)]

    def sets() -> Sets:
        size = rng.choice([2, 3, 3, 4])
        masks = (
            mask_of(rng.sample(range(9), size + rng.randint(0, 1)))
            for _ in range(rng.randint(3, 15))
        )
        return Sets.of(masks)

    black_goal = sets()
    white_goal = rng.choice([None, black_goal, sets()])
    schedule = turns(9, first=rng.choice(list(Player)))
    return PositionalGame("random", Graph.of(names, []), black_goal, white_goal, schedule)


def test_qubic_is_won_by_proof_numbers() -> None:
    """Depth-first search does not answer these within many times as many positions."""
    for moves in ("a1.1 b1.2 d1.1 c1.4", "a1.1 b1.2 b2.2 c1.1"):
        game = build(f"qubic(moves={moves})")
        engine = Engine(game, Player.BLACK, without=["depth_first"])
        found = engine.try_to(game.start, 60, Budget(), 100_000)
        assert found is not None
        assert found.won


def test_a_full_board_is_nobodys_win() -> None:
    """The last stone is White's, and Black's set lacks it."""
    game = build("gttt(p=1, q=1, shape=el, width=2, height=2, moves=b1 a1)")
    for without in (["time"], ["time", "depth_first"]):
        assert not Engine(game, Player.BLACK, without=without).ask(game.start, 2, Budget()).won


def test_seven_by_seven_is_too_small_for_five_in_a_row() -> None:
    """A block for every depth (Hsu and others 2020), also where White's own lines do not count."""
    for rules in ("", ", maker_breaker=true"):
        game = build(f"mnk(m=7, n=7, k=5{rules})")
        found = Engine(game, Player.BLACK).ask(game.start, 49, Budget())
        assert (found.won, found.for_ever) == (False, True)


def test_hex_on_crowded_boards() -> None:
    """Within some plies, or at full depth by proof numbers; whatever is switched off."""
    rng, answers = random.Random("crowded"), Counter[tuple[bool, bool]]()
    while answers.total() < 4 * SAMPLE:
        game, player = crowded_hex_game(rng), rng.choice(list(Player))
        options = {
            "table_bytes": rng.choice([1_000, 1 << 16, 1 << 22]),
            "without": rng.sample(METHODS, rng.choice([0, 0, 1, 2])),
        }
        engine, oracle = Engine(game, player, **options), Reference(player)  # type: ignore[arg-type]
        position = game.start
        while position.winner is None:
            full = len(position.moves())
            left = rng.choice([full, rng.randint(0, full)])
            told = f"{position} {left} {player} {options}"
            answers[agreed(engine, oracle, player, position, left, told), left == full] += 1
            if foreseen := engine.foresee(position, full, Budget()):
                assert foreseen.won is oracle.wins(position, full), told
            position = position.play(rng.choice(position.moves()))
    assert min(answers.values()) > SAMPLE / 4


def crowded_hex_game(rng: random.Random) -> Game:
    """Stones anywhere on a board of any shape, with at most eleven cells open."""
    board = HexGrid(rng.randint(1, 6), rng.randint(2, 6))
    cells = rng.sample(range(board.size), board.size)[rng.randint(1, 11) :]
    middle = rng.choice([len(cells) // 2, (len(cells) + 1) // 2])
    black, white = (board.named(mask_of(part)) for part in (cells[:middle], cells[middle:]))
    game = PositionalGame("", board, *hex_goals(board), schedule=turns(board.size))
    return game.set_up(black, white, rng.choice(list(Player)))


def test_stones_that_fall() -> None:
    """Two players with different goals, at every depth, also where stones stand over open cells."""
    rng, answers = random.Random("falling"), Counter[tuple[bool, bool]]()
    while answers.total() < 8 * SAMPLE:
        game, player = random_game_of_columns(rng), rng.choice(list(Player))
        options = {
            "table_bytes": rng.choice([1_000, 1 << 16, 1 << 22]),
            "without": rng.sample(METHODS, rng.choice([0, 0, 1, 2])),
        }
        engine, oracle = Engine(game, player, **options), Reference(player)  # type: ignore[arg-type]
        for _ in range(20):
            position = random_position(game, rng)
            full = game.board.size - position.occupied.bit_count()
            if position.winner is not None or full > 9:
                continue
            left = rng.choice([full, rng.randint(0, full)])
            told = f"{position} {left} {player} {options}"
            answers[agreed(engine, oracle, player, position, left, told), left == full] += 1
    assert min(answers.values()) > SAMPLE / 2


def random_game_of_columns(rng: random.Random) -> Game:
    """Connect-3 or Connect-4 for each player, some cells filled before the game."""
    size = rng.choice(["width=4, height=3", "width=3, height=4", "width=4, height=4"])
    one, other = (build(f"connect(k={rng.choice([2, 3, 3, 4])}, {size})").bddl() for _ in Player)
    obstacles = [0, 0]
    for cell in rng.sample(range(12), rng.choice([0, 0, 1, 4])):
        obstacles[rng.randrange(2)] |= 1 << cell
    (black, white), goals = obstacles, (one.goals[0], other.goals[1])
    first = rng.choice(list(Player))
    return BddlGame("", Model(one.width, one.height, one.actions, goals, black, white, first))


def test_hex_openings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first moves that win on 5x5, as both searches say, and some of those on 7x7."""
    monkeypatch.setattr("skolemate.search.engine.QUICK", 1)  # so that all threads search
    game = build("hex(size=5)")
    for without, threads in (([], 1), ([], 3), (["proof_numbers"], 1)):
        engine = Engine(game, Player.BLACK, without=without, threads=threads)
        won = [engine.ask(game.start.play(cell), 24, Budget()).won for cell in range(25)]
        winning = [name for name, wins in zip(game.board.names, won, strict=True) if wins]
        assert " ".join(winning) == "a4 a5 b2 b3 b4 c2 c3 c4 d2 d3 d4 e1 e2"
    game = build("hex(size=7)")
    engine = Engine(game, Player.BLACK)
    for name, wins in {"d4": True, "f2": True, "a1": False, "c1": False}.items():
        cell = game.board.cell(name)
        assert engine.ask(game.start.play(cell), 48, Budget()).won is wins, name


def test_several_threads_may_ask_one_engine() -> None:
    game = build("harary(shape=tippy, width=4, height=4)")
    positions = [game.start.play(first).play(reply) for first in range(8) for reply in range(8, 16)]

    def asked(engine: Engine, position: Position) -> bool:
        return engine.ask(position, 7, Budget()).won

    expected = [asked(Engine(game, Player.BLACK, table_bytes=1 << 20), p) for p in positions]
    engine = Engine(game, Player.BLACK, without=["table"])  # so that each takes its time
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(partial(asked, engine), positions)) == expected


@pytest.mark.parametrize("name", ["mnk(m=4, n=3, k=3)", "breakthrough(width=2, height=6)"])
def test_threads_that_search_for_proof_numbers_agree(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In races for sets and of pieces; also about positions that one of the threads has met."""
    monkeypatch.setattr("skolemate.search.engine.QUICK", 1)  # so that all threads search
    start, seen = build(name).start, Counter[bool]()
    plies = start.game.horizon or 0
    after_one = [start.play(move) for move in start.moves()]
    after_two = [here.play(move) for here in after_one for move in here.moves()[:6]]
    for player in Player:
        alone, together = (
            Engine(start.game, player, threads=threads, without=["depth_first"])
            for threads in (1, 3)
        )
        for positions, left in ((after_two, plies - 2), (after_one, plies - 1), ([start], plies)):
            for position in positions:
                won = [engine.ask(position, left, Budget()).won for engine in (alone, together)]
                assert won[0] is won[1], position
                seen[won[0]] += 1
    assert min(seen[True], seen[False]) > 10


def test_a_table_that_grows_under_two_threads_forgets_little() -> None:
    """Its first buckets hold some thousand positions; what it had before it grew is found again."""
    game = build("connect(k=4, width=6, height=5)")
    engine = Engine(game, Player.BLACK, threads=2)
    assert not engine.ask(game.start, 30, Budget()).won
    searched = engine.visited
    assert searched > 200_000
    for move in game.start.moves():
        assert not engine.ask(game.start.play(move), 29, Budget()).won
    assert engine.visited - searched < searched / 100


def test_one_engine_answers_for_all_positions_and_depths() -> None:
    """What is remembered from one question is right for the next, whatever was asked before."""
    rng = random.Random(5)
    for _ in range(sample(60)):
        game = KINDS[rng.choice(list(KINDS))](rng)
        player = rng.choice(list(Player))
        if game.breaker is player or game.start.winner is not None:
            continue
        horizon = 4 if game.horizon is None else game.horizon
        engine, oracle = Engine(game, player, table_bytes=1 << 20), Reference(player)
        for _ in range(30):
            position, ply = game.start, 0
            while position.moves() and rng.random() < 0.6 and ply < horizon:
                position, ply = position.play(rng.choice(position.moves())), ply + 1
            left = rng.randrange(min(horizon - ply, 5) + 1)
            found = engine.ask(position, left, Budget())
            assert found.won is oracle.wins(position, left), (game, position, left)


def test_it_stops_when_told() -> None:
    game = build("harary(shape=snaky, width=8, height=8)")
    engine = Engine(game, Player.BLACK, threads=2)
    with pytest.raises(OutOfBudget):
        engine.ask(game.start, 41, Budget(Limit(0.3)))
    assert engine.visited > 1000


def test_boards_of_all_sizes() -> None:
    for size in (7, 10, 15, 19):  # one word, two, four, six
        game = build(f"mnk(m={size}, n={size}, k=3)")
        assert Engine(game, Player.BLACK).ask(game.start, 5, Budget()).won
        assert not Engine(game, Player.BLACK).ask(game.start, 3, Budget()).won
