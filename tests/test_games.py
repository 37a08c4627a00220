"""What holds for every game, whatever its rules."""

from __future__ import annotations

import hashlib
import random
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path

import pytest

import skolemate
from samples import SMALL, random_graph_game, random_hypergraph_game, random_position
from skolemate.api import VIEWS
from skolemate.errors import IllegalMove, MissingView, UserError
from skolemate.games import (
    Board,
    Connection,
    Cube,
    Game,
    Graph,
    Grid,
    HexGrid,
    Player,
    Position,
    PositionalGame,
    Sets,
)
from skolemate.games.bddl import BddlGame
from skolemate.games.family import FAMILIES, build
from skolemate.games.game import Question, kept, turns
from skolemate.games.goals import hex_goals
from skolemate.games.symmetry import move_mask, orbits
from skolemate.limits import Budget, Limit, OutOfBudget
from skolemate.loading import load
from skolemate.render import svg, text
from skolemate.search.reference import Reference

EXAMPLES = [example for family in FAMILIES for example in family.examples]


def some_positions(game: Game, number: int, seed: int = 0) -> list[Position]:
    rng = random.Random(f"{game} {seed}")
    return [random_position(game, rng) for _ in range(number)]


def test_small_games_cover_every_family() -> None:
    used = {name.partition("(")[0] for name in SMALL}
    assert used == {family.name for family in FAMILIES}


@pytest.mark.parametrize("name", [*EXAMPLES, *SMALL])
class TestEveryGame:
    def test_its_string_builds_it_again(self, name: str) -> None:
        game = build(name)
        assert build(str(game)) == game
        assert str(build(str(game))) == str(game)
        assert load(str(game)) == game

    def test_positions_have_strings_and_games_can_start_there(self, name: str) -> None:
        game = build(name)
        rng = random.Random(name)
        moves: list[int] = []
        position, numbers = game.start, game.move_numbers()
        while position.moves() and len(moves) < 7:
            moves.append(rng.choice(position.moves()))
            assert position.to_move is not None
            *left, taken = game.move_cells(moves[-1], position.to_move)
            numbers = {cell: n for cell, n in numbers.items() if cell not in left}
            numbers[taken] = len(game.played) + len(moves)
            position = position.play(moves[-1])
        later = game.after(moves)
        assert later.start[1:] == position[1:]
        assert build(str(later)) == later
        assert later.move_numbers() == numbers

    def test_moves_are_exactly_what_can_be_played(self, name: str) -> None:
        game = build(name)
        for position in some_positions(game, 5):
            legal = set(position.moves())
            for move in range(-1, max(legal, default=0) + game.board.size + 1):
                if move in legal:
                    after = position.play(move)
                    if isinstance(game, PositionalGame):
                        assert after.occupied == position.occupied | 1 << move
                else:
                    with pytest.raises(IllegalMove):
                        position.play(move)

    def test_play_never_mutates(self, name: str) -> None:
        game = build(name)
        for position in some_positions(game, 5):
            before = tuple(position)
            for move in position.moves():
                assert position.play(move) != position
            assert tuple(position) == before

    def test_a_game_is_over_when_won_or_out_of_turns(self, name: str) -> None:
        game = build(name)
        for position in some_positions(game, 20):
            over = position.winner is not None or position.to_move is None
            assert not over or not position.moves()
            assert over or position.moves() or isinstance(game, BddlGame)
            shown = game.winning_cells(position)
            if position.winner is not None and position.winner is not game.breaker:
                assert shown
                loser = position.winner.opponent
                owned = position.stones(loser if game.misere else position.winner)
                # Crosses of Notakto are nobody's.
                assert shown & (position.occupied if "notakto" in name else owned) == shown
            else:
                assert not shown

    def test_moves_have_names(self, name: str) -> None:
        game = build(name)
        for position in some_positions(game, 3):
            for move in position.moves():
                assert position.to_move is not None
                for written in (game.move_name(move), game.short_name(move, position.to_move)):
                    assert game.parse_move(written, position.to_move) == move
                    assert game.parse_move(written.upper(), position.to_move) == move

    def test_pictures_are_well_formed(self, name: str) -> None:
        game = build(name)
        for position in some_positions(game, 3):
            picture = ET.fromstring(svg(position))
            assert picture.tag.endswith("svg")
            drawn = text(position)
            assert drawn.count("X") >= position.black.bit_count()
            assert drawn.count("O") >= position.white.bit_count()

    def test_views_agree_with_the_rules(self, name: str) -> None:
        game = build(name)
        views = game.grounded()
        for position in some_positions(game, 20):
            assert grounded_moves(game, position) == set(position.moves())
            for goal, stones in [
                (views.goals[Player.BLACK], position.black),
                (views.goals[Player.WHITE], position.white),
            ]:
                if isinstance(goal, Connection) and game.board.size <= 25:
                    assert Sets.of(goal.paths()).met(stones) == goal.met(stones)
        start = game.start
        assert (views.black, views.white, views.to_move) == start[1:]
        assert views.horizon == game.horizon
        assert views.schedule is None or views.horizon == len(views.schedule)
        if game.offers("hypergraph"):
            listed_sets = game.hypergraph()
            assert (listed_sets.black, listed_sets.white) == (views.black, views.white)
            assert listed_sets.schedule == views.schedule
            assert listed_sets.first_moves == views.first_moves
            for goal, sets in [
                (views.goals[Player.BLACK], listed_sets.black_sets),
                (views.goals[Player.WHITE], listed_sets.white_sets),
            ]:
                assert (goal is None) == (sets is None)
                if isinstance(goal, Sets):
                    assert goal.sets == sets
        try:
            shape = game.shape()
        except MissingView:
            pass
        else:
            listed = game.hypergraph().black_sets
            assert listed == tuple(sorted(shape.shape.placements(shape.board)))

    def test_what_a_game_says_of_its_views_is_what_they_are(self, name: str) -> None:
        game = build(name)
        for view in VIEWS:
            reason = game.lacks(view)
            assert game.offers(view) is (reason is None)
            if reason is None:
                getattr(game, view)()
                continue
            with pytest.raises(MissingView) as missing:
                getattr(game, view)()
            assert missing.value.reason == reason
        rules = game.grounded()
        assert (game.turns_ahead, game.first_cells) == (rules.schedule, rules.first_moves)

    def test_swapping_colours_twice_changes_nothing(self, name: str) -> None:
        game = build(name)
        assert game.swapped() != game
        assert game.swapped().swapped() == game
        assert Question(game, Player.BLACK, 3).normalised().game is game


def grounded_moves(game: Game, position: Position) -> set[int]:
    """The legal moves as an engine would find them in the grounded view."""
    views = game.grounded()
    for player in Player:
        goal = views.goals[player]
        if isinstance(goal, tuple):
            met = any(pattern.holds(position.black, position.white) for pattern in goal)
        else:
            met = goal is not None and goal.met(position.stones(player))
        if met:
            return set()
    mover = position.to_move
    played = (position.occupied ^ (views.black | views.white)).bit_count()
    if views.schedule is not None:
        if played == len(views.schedule):
            return set()
        mover = views.schedule[played]
        assert mover is position.to_move
    assert mover is not None
    found = set()
    for action in views.actions[mover]:
        if action.needs.holds(position.black, position.white):
            found.add(action.move)
            if action.move in position.moves():
                after = position.play(action.move)
                assert action.after(position.black, position.white) == (after.black, after.white)
    if played == 0 and views.first_moves is not None:
        found = {move for move in found if views.first_moves >> move & 1}
    return found


def test_views_begin_after_the_moves_played() -> None:
    game = build("tictactoe")
    assert isinstance(game, PositionalGame)
    later = replace(game, first_moves=game.board.cells("a1 b2")).after(game.parse_moves("b2 a1"))
    assert later.horizon == 7
    for view in (later.hypergraph(), later.grounded()):
        assert view.black == game.board.cells("b2")
        assert view.white == game.board.cells("a1")
        assert view.first_moves is None
        assert len(view.schedule or ()) == 7


# The methods that build something; all else that a game shows is there from the beginning.
BUILDING = [
    *((PositionalGame, made) for made in ("hypergraph", "grounded", "bddl", "swapped")),
    *((BddlGame, made) for made in ("grounded", "bddl", "swapped")),
]


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, int]]:
    """How often which game, by its identity, has built what."""
    counted, games = Counter[tuple[str, int]](), list[Game]()

    def counting(build: Callable[[Game], object]) -> Callable[[Game], object]:
        @wraps(build)
        def count(game: Game) -> object:
            games.append(game)  # so that its identity is nobody else's
            counted[build.__name__, id(game)] += 1
            return build(game)

        return count

    for kind, made in BUILDING:
        monkeypatch.setattr(kind, made, kept(counting(getattr(kind, made).__wrapped__)))
    return counted


@pytest.mark.parametrize(
    ("name", "depth", "encoding"),
    [
        ("hein(9)", 7, "et"),
        ("hein(9)", 7, None),
        ("tictactoe", 7, "cor"),
        ("tictactoe", 7, None),
        ("breakthrough(width=2, height=4)", 5, "lifted"),
        ("breakthrough(width=2, height=4)", 5, None),
        ("connect(k=3, width=3, height=3)", 5, "gr"),
    ],
)
def test_an_answer_with_its_strategy_builds_every_view_once(
    builds: Counter[tuple[str, int]], name: str, depth: int, encoding: str | None, tmp_path: Path
) -> None:
    skolemate.solve(name, depth, encoding=encoding, strategy=str(tmp_path / "strategy.jsonl"))
    assert set(builds.values()) == {1}
    assert [view for view, _ in builds].count("grounded") == 1  # of the game asked about alone


def test_nothing_is_built_to_tell_what_a_game_offers(builds: Counter[tuple[str, int]]) -> None:
    for name in ("tictactoe", "hex(size=4)", "breakthrough(width=3, height=4)"):
        game = build(name)
        assert game.offers("grounded")
        assert game.offers("bddl")
        assert game.offers("hypergraph") is isinstance(game, PositionalGame)
    assert not builds


@pytest.mark.parametrize("name", SMALL)
def test_what_all_positions_of_a_game_share_is_built_once(name: str) -> None:
    game = build(name)
    later = game.after(game.start.moves()[:1])
    assert later.board is game.board
    for one, other in ((game, later), (game.swapped(), later.swapped())):
        for player in Player:
            assert one.grounded().actions[player] is other.grounded().actions[player]
            assert one.grounded().goals[player] is other.grounded().goals[player]
        if game.offers("columns"):
            assert one.columns() is other.columns()
        if game.offers("hypergraph"):
            assert one.hypergraph().black_sets is other.hypergraph().black_sets


def unlisted_hex() -> PositionalGame:
    """Hex with goals of its own, of which nobody has listed the paths."""
    game = build("hex(size=4)")
    assert isinstance(game, PositionalGame)
    black, white = (replace(goal) for goal in hex_goals(game.board))
    return replace(game, black_goal=black, white_goal=white)


def test_paths_are_listed_once_also_where_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("skolemate.games.goals.PATH_LIMIT", 10)
    game = unlisted_hex()
    reason = game.lacks("hypergraph")
    monkeypatch.setattr(Connection, "paths", None)  # nobody looks for them again
    assert reason is not None
    assert game.lacks("bddl") == game.after([0]).lacks("hypergraph") == reason


def test_a_view_that_was_broken_off_is_built_when_there_is_time() -> None:
    game = unlisted_hex()
    with Budget(Limit(seconds=0.0)).heeded(), pytest.raises(OutOfBudget):
        game.hypergraph()
    assert game.hypergraph().black_sets == tuple(game.connection().paths())


@pytest.mark.parametrize("name", ["gomoku", "qubic", "connect6", "mnk", "gttt", "harary"])
def test_maker_breaker_takes_whites_goal_away(name: str) -> None:
    assert build(f"{name}(maker_breaker=true)").goal(Player.WHITE) is None
    assert build(f"{name}(maker_breaker=false)").goal(Player.WHITE) is not None


def test_the_puzzles_are_as_published() -> None:
    """A guard against slips of the pen; test_published compares with the files themselves."""
    stones = [f"{number} {build(f'hein({number})').start[1:3]}" for number in range(2, 21)]
    stones.append(f"browne {build('browne').start[1:3]}")
    stones.append(f"mickey mouse {build('connect6(opening=mickey_mouse)').start[1:3]}")
    digest = hashlib.sha256("\n".join(stones).encode()).hexdigest()
    assert digest[:16] == "840c3a9a83cfab58"


@pytest.mark.parametrize("name", SMALL)
def test_symmetric_positions_have_equal_values(name: str) -> None:
    game = build(name)
    rng = random.Random(name)
    for position in some_positions(game, 8):
        permutation = rng.choice(game.symmetries)
        image = Position(
            game,
            move_mask(permutation, position.black),
            move_mask(permutation, position.white),
            position.to_move,
        )
        for player in Player:
            for depth in range(4):
                here = Reference(player).wins(position, depth)
                assert here == Reference(player).wins(image, depth)


@pytest.mark.parametrize("name", [*SMALL, "hex(size=4)", "mnk(m=5, n=5, k=4)", "qubic"])
def test_symmetries_are_a_group_that_keeps_the_goals(name: str) -> None:
    game = build(name)
    group = set(game.symmetries)
    assert tuple(range(game.board.size)) in group
    some = random.Random(name).sample(sorted(group), min(12, len(group)))
    for a in some:
        for b in some:
            assert tuple(a[i] for i in b) in group
    for goal in (game.goal(player) for player in Player):
        assert goal is None or all(goal.mapped(p) == goal for p in some)


def test_orbits_of_first_moves() -> None:
    def count(name: str) -> int:
        game = build(name)
        return len(orbits(game.board.size, game.symmetries))

    assert count("tictactoe") == 3
    assert count("mnk(m=5, n=4, k=4)") == 6
    assert count("hex(size=4)") == 8  # only the half turn keeps both players' borders
    assert count("qubic") == 2  # 16 cells on seven lines, 48 on four
    assert count("harary(shape=elly, width=5, height=5, torus=true)") == 1


def test_winning_sets_have_the_known_numbers() -> None:
    def count(name: str) -> int:
        return len(build(name).hypergraph().black_sets or ())

    assert count("tictactoe") == 8
    assert count("gomoku") == 572
    assert count("qubic") == 76
    assert count("connect6") == 924
    assert count("harary(shape=snaky, width=9, height=9)") == 320
    assert count("harary(shape=skinny, width=4, height=4, torus=true)") == 8


def test_view_that_is_missing_says_why() -> None:
    with pytest.raises(MissingView, match=r"tictactoe has no connection view: Black's goal"):
        build("tictactoe").connection()
    with pytest.raises(MissingView, match="hypergraph view: it has more than 100000 paths"):
        build("hex(size=11)").hypergraph()
    with pytest.raises(MissingView, match="no shape view"):
        build("hex(size=3)").shape()
    hex_board = build("hex(size=3)")
    assert isinstance(hex_board, PositionalGame)
    with pytest.raises(MissingView, match="no transversal view"):
        replace(hex_board, white_goal=None).transversal()


def test_exactly_one_player_is_connected_on_a_full_hex_board() -> None:
    game = build("hex(size=4)")
    black, white = game.connection(), game.transversal()
    rng = random.Random(4)
    winners = set()
    for _ in range(300):
        stones = rng.getrandbits(16)
        assert black.met(stones) != white.met(~stones & 0xFFFF)
        winners.add(black.met(stones))
    assert winners == {True, False}


def test_contracting_stones_keeps_the_goal() -> None:
    """A set of open cells joins the borders after contraction iff it did with the stones."""
    rng = random.Random(5)
    answers = set()
    for number in range(600):
        game = random_graph_game(rng, 7) if number % 2 else build("hex(size=3)")
        goal = game.connection()
        size = game.board.size
        own = rng.getrandbits(size) & rng.getrandbits(size)
        enemy = rng.getrandbits(size) & rng.getrandbits(size) & ~own
        if goal.met(own):
            continue  # already won: nothing is left to contract
        left = goal.contracted(own, enemy)
        for _ in range(10):
            more = rng.getrandbits(size) & ~own & ~enemy
            assert left.met(more) == goal.met(own | more)
            answers.add(left.met(more))
    assert answers == {True, False}


def test_random_games_have_the_same_moves_in_the_grounded_view() -> None:
    rng = random.Random(6)
    for number in range(300):
        game = random_hypergraph_game(rng) if number % 2 else random_graph_game(rng)
        position = random_position(game, rng)
        assert grounded_moves(game, position) == set(position.moves())


def test_stones_and_first_player_can_be_set() -> None:
    game = build("hex(size=3, black=a1, white=b2, first=white)")
    assert game.start.to_move is Player.WHITE
    assert game.horizon == 7
    assert game.parse_moves("c1, c2 c3") == tuple(game.board.cell(c) for c in ("c1", "c2", "c3"))


@pytest.mark.parametrize("name", SMALL)
def test_moves_can_be_given_by_name(name: str) -> None:
    game = build(name)
    moves = list(game.start.moves()[-1:])
    moves += game.after(moves).start.moves()[:1]
    names = [game.move_name(move) for move in moves]
    expected = game.after(moves)
    assert game.after(" ".join(names)) == game.after(names) == expected
    assert game.after([*moves[:1], *names[1:]]) == expected
    position = game.start
    for move in names:
        position = position.play(move)
    assert position[1:] == expected.start[1:]


def test_a_name_that_is_no_move_says_why() -> None:
    game = build("tictactoe")
    with pytest.raises(UserError, match="there is no cell 'd1' on this board"):
        game.start.play("d1")
    with pytest.raises(IllegalMove, match="b2 is taken"):
        game.start.play("b2").play("B2")
    with pytest.raises(IllegalMove, match="move 2, 'b2': b2 is taken"):
        game.after([4, "b2"])
    with pytest.raises(IllegalMove, match="move 2, '4': b2 is taken"):
        game.after(["b2", 4])


def test_a_game_without_a_name_says_what_it_is() -> None:
    def of_one_set(board: Board) -> PositionalGame:
        return PositionalGame.of_sets(board, Sets.of([1]), turns(board.size), True)

    boards = (Grid(3, 2), Grid(4, 4, torus=True), HexGrid(5, 5), Cube(3), Graph.of(["p", "q"]))
    assert [str(of_one_set(board)) for board in boards] == [
        "a positional game on a 3x2 board",
        "a positional game on a 4x4 torus",
        "a positional game on a 5x5 Hex board",
        "a positional game on a 3x3x3 cube",
        "a positional game on a board of 2 cells",
    ]
    after = of_one_set(Grid(3, 2)).after("b2 a1")
    assert str(after) == "a positional game on a 3x2 board, after b2 a1"
    race = build("breakthrough(width=2, height=4)").renamed("")
    assert str(race) == "a BDDL game on a 2x4 board"


def test_games_and_positions_are_short_to_look_at() -> None:
    game = build("tictactoe").after("b2 a1")
    assert repr(game) == "<PositionalGame: tictactoe(moves=b2 a1)>"
    assert repr(game.start.play("c3")) == (
        "<Position of tictactoe(moves=b2 a1): Black b2 c3, White a1, White to move>"
    )
    assert repr(build("mnk").start) == "<Position of mnk(m=3, n=3, k=3): Black to move>"
    full = build("breakthrough(width=50, height=50)").start
    assert len(repr(full)) < 200


def test_first_move_restriction_binds_the_first_ply_only() -> None:
    game = build("tictactoe")
    assert isinstance(game, PositionalGame)
    bound = replace(game, first_moves=game.board.cells("a1 b2"))
    assert [bound.move_name(m) for m in bound.start.moves()] == ["a1", "b2"]
    with pytest.raises(IllegalMove, match="a2 is not among the allowed first moves"):
        bound.start.play(bound.parse_move("a2", Player.BLACK))
    assert len(bound.start.play(bound.parse_move("a1", Player.BLACK)).moves()) == 8


def test_the_breaker_wins_a_full_board() -> None:
    game = build("tictactoe(maker_breaker=true, moves=a1 b2 c3 a2 c2 c1 a3 b3 b1)")
    assert game.start.winner is Player.WHITE
    drawn = build("tictactoe(moves=a1 b2 c3 a2 c2 c1 a3 b3 b1)")
    assert drawn.start.winner is None
    assert not drawn.start.moves()


def test_symmetries_respect_the_first_moves() -> None:
    game = build("tictactoe")
    assert isinstance(game, PositionalGame)
    bound = replace(game, first_moves=game.board.cells("a1"))
    assert len(bound.symmetries) == 2
    assert len(bound.after([game.board.cell("a1")]).symmetries) == 8


def test_families_check_what_they_are_given() -> None:
    assert FAMILIES["harary"](shape="el", width=3, height=3) == build("harary(el, 3, 3)")
    wrong: list[tuple[str, dict[str, object]]] = [
        ("hex", {"siz": 3}),
        ("hein", {}),
        ("mnk", {"k": "x"}),
        ("gttt", {"p": True}),
    ]
    for name, values in wrong:
        with pytest.raises(UserError):
            FAMILIES[name](**values)


def test_a_game_with_contradictions_is_refused() -> None:
    game = build("tictactoe")
    assert isinstance(game, PositionalGame)
    for change in ({"black": 1 << 9}, {"first_moves": 1 << 20}, {"black_goal": Sets.of([1 << 9])}):
        with pytest.raises(UserError, match="off the board"):
            replace(game, **change)
    with pytest.raises(UserError, match="no first move is allowed"):
        replace(game, first_moves=0)
    with pytest.raises(UserError, match="before any move is played"):
        game.after([0]).set_up("b2", "", None)
    with pytest.raises(UserError, match="both players have already won"):
        replace(game, black=game.board.cells("a1 a2 a3"), white=game.board.cells("b1 b2 b3"))
    with pytest.raises(UserError, match="neither player has a goal"):
        replace(game, black_goal=None, white_goal=None)
