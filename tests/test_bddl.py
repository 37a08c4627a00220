"""BDDL as games: the definitions against grounding, Definition 9, horizons, conversions."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from bddl_models import random_bddl_game, random_model
from samples import FULL, random_position, sample
from skolemate.errors import MissingView, UserError
from skolemate.formats import to_bddl
from skolemate.formats.bddl import parse_bddl
from skolemate.games import Game, Player, Position, PositionalGame, Stuck
from skolemate.games.bddl import BddlGame, Model, meaning
from skolemate.games.bddl.analysis import violation
from skolemate.games.bddl.model import Anchor, Content
from skolemate.games.family import build
from skolemate.games.goals import Sets
from skolemate.search.reference import Reference

CONTENTS = list(Content)


def grounded_moves(game: BddlGame, position: Position) -> dict[int, tuple[int, int]]:
    """Moves and what they lead to, by masks."""
    assert position.to_move is not None
    return {
        action.move: action.after(position.black, position.white)
        for action in game.grounded().actions[position.to_move]
        if action.needs.holds(position.black, position.white)
    }


def test_the_definitions_and_the_masks_play_the_same_games() -> None:
    rng = random.Random(1)
    seen: Counter[str] = Counter()
    for _ in range(sample(400)):
        game = random_bddl_game(rng)
        goals = game.grounded().goals
        position = game.start
        for _ in range(8):
            mover = position.to_move
            assert mover is not None
            for player in (mover.opponent, mover):  # the goals of who has just moved count first
                patterns = goals[player]
                if patterns is None:
                    assert game.breaker is player
                    won = position.winner is player
                    assert not won or position.occupied.bit_count() == game.board.size
                else:
                    assert isinstance(patterns, tuple)
                    won = any(p.holds(position.black, position.white) for p in patterns)
                    assert won == (position.winner is player)
                seen["won"] += won
                if won:
                    break
            if position.winner is not None:
                break
            expected = {move: position.play(move)[1:3] for move in game.legal_moves(position)}
            assert grounded_moves(game, position) == expected
            seen["stuck" if not expected else "moves"] += 1
            if not expected:
                break
            position = position.play(rng.choice(list(expected)))
    assert min(seen.values()) > sample(50), seen


def test_any_state_has_the_same_moves_by_definition_and_by_mask() -> None:
    """States that play never reaches, and models that are not sane."""
    rng = random.Random(2)
    for _ in range(sample(1000)):
        model = random_model(rng)
        game = BddlGame("random", replace(model, goals=((), ())))
        stones = [rng.choice(".bw") for _ in range(game.board.size)]
        black, white = (
            sum(1 << c for c, stone in enumerate(stones) if stone == colour) for colour in "bw"
        )
        for mover in Player:
            position = Position(game, black, white, mover)
            expected = {m: game.result(position, m)[1:3] for m in game.legal_moves(position)}
            assert grounded_moves(game, position) == expected


def test_random_models_use_every_construct() -> None:
    rng = random.Random(3)
    seen: Counter[object] = Counter()
    answers: Counter[tuple[Player, bool]] = Counter()
    for _ in range(300):
        game = random_bddl_game(rng)
        model = game.model
        actions = [action for side in model.actions for action in side]
        parts = [("before", part) for action in actions for part in action.precondition.parts]
        parts += [("effect", part) for action in actions for part in action.effect.parts]
        parts += [("goal", part) for side in model.goals for g in side for part in g.parts]
        for where, part in parts:
            seen[where, part.content] += 1
            seen[where, "not"] += part.negated
            for coordinate in (part.x, part.y):
                seen[where, coordinate.anchor] += 1
                seen[where, "shift", coordinate.number < 0, coordinate.number > 0] += 1
        seen["second"] += model.first is Player.WHITE
        seen["no goals"] += not any(model.goals)
        seen["one goal"] += sum(bool(goals) for goals in model.goals) == 1
        seen["no actions"] += not all(model.actions)
        seen["ignored"] += any(not a.all.depends_on(axis) for a in actions for axis in "xy")
        seen["horizon", game.horizon is None] += 1
        for player in Player:
            answers[player, Reference(player).wins(game.start, rng.randint(1, 6))] += 1
    never = {("effect", "not"), ("before", Anchor.NUMBER), ("effect", Anchor.NUMBER)}
    assert {key for key, count in seen.items() if not count} <= never
    assert all(seen[where, c] for where in ("before", "effect", "goal") for c in Content)
    assert all(seen[key] for key in (("goal", Anchor.NUMBER), ("goal", "not"), ("before", "not")))
    assert min(answers.values()) > 60, answers


def states(model: Model) -> list[list[Content]]:
    return [list(state) for state in product(CONTENTS, repeat=model.width * model.height)]


def sane(model: Model) -> bool:
    """Definition 9 without its first line, over all states there are."""
    for mover in Player:
        goals = model.goals_of(mover.opponent)
        for state in states(model):
            if meaning.won_at(model, state, goals) is not None:
                continue
            for action in model.actions_of(mover):
                for i, j in meaning.instances(model, action):
                    if meaning.holds(model, state, action.precondition, i, j):
                        after = meaning.after(model, state, action, i, j)
                        if meaning.won_at(model, after, goals) is not None:
                            return False
    return True


def test_sanity_is_found_out_exactly() -> None:
    rng = random.Random(4)
    found: Counter[bool] = Counter()
    while sum(found.values()) < 400:
        model = random_model(rng, foreign=0.5)
        if model.width * model.height > 4:
            continue
        expected = sane(model)
        broken = violation(model)
        assert (broken is None) == expected
        found[expected] += 1
        if broken is not None and broken.before is not None:
            goals = model.goals_of(broken.mover.opponent)
            state = [broken.before.get(c, Content.OPEN) for c in range(model.width * model.height)]
            i, j = broken.x, broken.y
            assert meaning.won_at(model, state, goals) is None
            assert meaning.holds(model, state, broken.action.precondition, i, j)
            after = meaning.after(model, state, broken.action, i, j)
            assert meaning.won_at(model, after, goals) is not None
    assert min(found.values()) > 80, found


def test_no_play_is_longer_than_the_horizon() -> None:
    rng = random.Random(5)
    bounded = 0
    names = ["breakthrough(2,5)", "konane(4,4)", "cross_purpose(4,5)", "domineering(3,4)"]
    named = [build(name) for name in [*names, "connect(3,3,3)"]]
    for number in range(sample(600)):
        game: Game = random_bddl_game(rng)
        if number % 6 == 0:
            game = rng.choice(named)
        horizon = game.horizon
        position, plies = game.start, 0
        while position.winner is None and (moves := game.legal_moves(position)) and plies < 60:
            position, plies = position.play(rng.choice(moves)), plies + 1
        if horizon is not None:
            stuck = position.winner is None and game.stuck(position) is Stuck.LOSES
            assert plies + stuck <= horizon
            bounded += 1
    assert bounded > sample(200)


def test_horizons_are_as_small_as_they_should_be() -> None:
    """4mn - 10m + 1 for Breakthrough, as in the paper; one ply more for finding no move."""
    expected = {
        "breakthrough(width=2, height=4)": 13,
        "breakthrough(width=3, height=5)": 31,
        "breakthrough(width=3, height=5, moves=b4-b3 a2-a3)": 29,
        "domineering(width=4, height=4)": 9,
        "domineering(width=4, height=4, moves=a1-a2)": 8,
        "connect(k=3, width=3, height=3)": 9,
        "connect(k=3, width=3, height=3, moves=a3 a2)": 7,
        "konane(width=4, height=4)": 15,
        "cross_purpose(width=5, height=5)": 6,
    }
    assert {name: build(name).horizon for name in expected} == expected
    assert build("knightthrough").horizon is build("evader_pursuer").horizon is None


PLACE = "(open(?x,?y))"
DRAWS = {
    "single stones for a goal": (PLACE, "(black(?x,?y))", "(black(1,1))", True),
    "no goal": (PLACE, "(black(?x,?y))", "", False),
    "two stones": ("(open(?x,?y))", "(black(?x,?y) black(xmax,?y))", "(black(1,1))", False),
    "onto what is not open": ("(NOT(open(?x,?y)))", "(black(?x,?y))", "(black(1,1))", False),
    "onto another cell": (PLACE, "(black(?x+1,?y))", "(black(2,1))", False),
    "a stone of the other colour": (PLACE, "(white(?x,?y))", "(black(1,1))", False),
    "a stone goes": (PLACE, "(open(?x,?y))", "(black(1,1))", False),
}


@pytest.mark.parametrize(("needs", "makes", "goal", "draws"), DRAWS.values(), ids=DRAWS.keys())
def test_a_full_board_is_a_draw_only_where_stones_are_placed_for_a_goal(
    needs: str, makes: str, goal: str, draws: bool
) -> None:
    text = (
        f"#blackactions\n:action a\n:parameters (?x,?y)\n:precondition {needs}\n:effect {makes}\n"
        "#whiteactions\n:action b\n:parameters (?x,?y)\n"
        ":precondition (open(?x,?y) black(xmin,?y))\n"
        f":effect (white(?x,?y))\n#boardsize 3 1\n#init\n#blackgoals\n{goal}\n#whitegoals\n"
    )
    game = parse_bddl(text.replace("(black(1,1))", "(black(1,1) black(3,1))"))
    assert isinstance(game, BddlGame)
    full = Position(game, 0b001, 0b110, Player.BLACK)
    assert game.stuck(full) is (Stuck.DRAW if draws else Stuck.LOSES)
    # White may only move once Black has a stone in the first column: stuck with room left.
    assert game.stuck(Position(game, 0b100, 0b000, Player.WHITE)) is Stuck.LOSES
    assert game.breaker is full.winner is None


def test_the_same_game_has_the_same_breaker_however_it_is_written() -> None:
    occupy = ":parameters (?x,?y)\n:precondition (open(?x,?y))\n:effect (black(?x,?y))\n"
    text = (
        f"#blackactions\n:action occupy\n{occupy}"
        f"#whiteactions\n:action occupy\n{occupy.replace('black', 'white')}"
        "#boardsize 2 2\n#init\n#blackgoals\n(black(1,1) black(2,2) black(1,2))\n#whitegoals\n"
    )
    game = parse_bddl(text)
    twice = parse_bddl(text.replace("#white", f":action again\n{occupy}#white", 1))
    by_definition = BddlGame("", game.bddl())
    assert isinstance(game, PositionalGame)
    assert twice == game
    for found in (game, by_definition):
        assert Reference(Player.WHITE).critical_depth(found.start, range(6)) == 4
    falling = build("connect(k=2, width=1, height=2)").bddl()
    weak = BddlGame("", replace(falling, goals=(falling.goals[0], ())))
    assert weak.breaker is Player.WHITE
    assert Reference(Player.WHITE).critical_depth(weak.start, range(4)) == 2


def test_every_depth_that_decides_is_asked_about() -> None:
    rng = random.Random(11)
    changes = 0
    for _ in range(sample(250)):
        game: Game = random_bddl_game(rng)
        for _ in range(rng.randrange(4)):
            if game.start.moves():
                game = game.after([rng.choice(game.start.moves())])
        for player in Player:
            reference = Reference(player)
            for depth in range(1, 7):
                if reference.wins(game.start, depth) != reference.wins(game.start, depth - 1):
                    assert depth in list(game.deciding_plies(player, 6))
                    changes += 1
    assert changes > sample(50)


def test_nothing_is_decided_beyond_the_horizon() -> None:
    rng = random.Random(6)
    found: Counter[bool] = Counter()
    for _ in range(sample(200)):
        game = random_bddl_game(rng)
        if game.horizon is not None:
            for player in Player:
                last = Reference(player).wins(game.start, game.horizon)
                assert Reference(player).wins(game.start, game.horizon + 3) == last
                found[last] += 1
    assert min(found.values()) > sample(20), found


def test_holding_out_for_ever_is_told_only_when_it_is_so() -> None:
    rng = random.Random(7)
    found: Counter[bool] = Counter()
    for _ in range(sample(300)):
        game = random_bddl_game(rng)
        if game.board.size > 6:
            continue
        for player in Player:
            depth = rng.randrange(5)
            reference = Reference(player)
            if not reference.wins(game.start, depth):
                never = reference.never_wins(game.start, depth)
                found[never] += 1
                if never:
                    assert not Reference(player).wins(game.start, depth + 12)
    assert min(found.values()) > sample(20), found


def test_swapping_colours_swaps_the_answers() -> None:
    rng = random.Random(8)
    for _ in range(100):
        game = random_bddl_game(rng)
        depth = rng.randint(0, 5)
        for player in Player:
            swapped = Reference(player.opponent).wins(game.swapped().start, depth)
            assert Reference(player).wins(game.start, depth) == swapped
        assert [game.swapped().move_name(m) for m in game.swapped().start.moves()] == [
            game.move_name(m) for m in game.start.moves()
        ]


# --- reading and writing -----------------------------------------------------------------------


def test_random_models_survive_being_written() -> None:
    rng = random.Random(9)
    kinds: Counter[type] = Counter()
    for _ in range(sample(400)):
        game = random_bddl_game(rng)
        try:
            again = parse_bddl(to_bddl(game))
        except UserError as error:  # the reader is stricter
            kinds[UserError] += 1
            if "no goal fits" not in str(error):
                raise
            continue
        kinds[type(again)] += 1
        if isinstance(again, BddlGame):
            assert again.model == game.model
            assert again.depth == game.horizon
    assert kinds[BddlGame] > sample(200), kinds


@pytest.mark.parametrize(
    "name",
    [
        "tictactoe",
        "tictactoe(maker_breaker=true, moves=b2 a1 c3)",
        "mnk(m=4, n=3, k=3, black=a1, white=b2, first=white)",
        "harary(shape=tippy, width=4, height=4)",
        "harary(shape=knobby, width=4, height=3, torus=true)",
        "harary(shape=el, width=3, height=3, maker_breaker=true)",
        "gomoku(size=7)",
    ],
)
def test_positional_games_become_bddl_and_back(name: str) -> None:
    game = build(name)
    again = parse_bddl(to_bddl(game))
    assert isinstance(game, PositionalGame)
    assert isinstance(again, PositionalGame)
    for view in ("hypergraph", "grounded"):
        assert getattr(again, view)() == getattr(game, view)()
    assert (again.board, again.polyomino, again.depth) == (
        game.board,
        game.polyomino,
        game.horizon,
    )


@pytest.mark.parametrize(
    "name",
    [
        "hex(size=3)",
        "hein(4)",
        "qubic(size=2)",
        "tictactoe",
        "mnk(m=4, n=3, k=3, moves=b2)",
        "harary(shape=el, width=3, height=3, maker_breaker=true)",
    ],
)
def test_models_of_positional_games_have_the_same_answers(name: str) -> None:
    """The definitions of BDDL against the rules of positional games, for who has a goal."""
    game = build(name)
    by_definition = BddlGame("model", game.bddl())
    assert by_definition.horizon == game.horizon
    for player in Player:
        if game.breaker is player:
            continue
        for depth in range(min(game.horizon or 0, 6) + 1):
            assert Reference(player).wins(game.start, depth) == Reference(player).wins(
                by_definition.start, depth
            )


def test_models_of_positional_games_are_short() -> None:
    def goals(name: str) -> int:
        return len(build(name).bddl().goals[0])

    assert goals("gomoku") == 4
    assert goals("harary(shape=tippy, width=9, height=9)") == 4
    assert goals("harary(shape=tippy, width=5, height=5, torus=true)") < 4 * 9


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("gttt(p=2, q=1)", "alternate"),
        ("hex(size=11)", "more than 100000 paths"),
    ],
)
def test_what_bddl_cannot_say(name: str, reason: str) -> None:
    with pytest.raises(MissingView, match=reason):
        build(name).bddl()


@pytest.mark.parametrize(
    "name",
    ["tictactoe(moves=a1 b1 a2 b2 a3)", "breakthrough(width=2, height=4, black=a1, white=b3)"],
)
def test_a_game_that_is_won_has_a_model_but_no_file(name: str) -> None:
    assert build(name).bddl()
    with pytest.raises(UserError, match="cannot be written in BDDL: Black has won already"):
        to_bddl(build(name))


def test_neither_a_bound_first_move_nor_a_goal_without_sets_can_be_said() -> None:
    game = build("tictactoe")
    assert isinstance(game, PositionalGame)
    with pytest.raises(MissingView, match="restrict the first move"):
        replace(game, first_moves=1).bddl()
    with pytest.raises(MissingView, match="White has no set"):
        replace(game, white_goal=Sets(())).bddl()


# --- moves -------------------------------------------------------------------------------------


def test_moves_are_named_as_in_the_paper_and_in_short() -> None:
    game = build("breakthrough(width=3, height=5)")
    move = game.parse_move("forward(2,4)", Player.BLACK)
    assert game.move_name(move) == "forward(2,4)"
    assert move == game.parse_move("b4-b3", Player.BLACK)
    assert move == game.parse_move("b4-b5", Player.WHITE)
    assert move == game.parse_move("Forward( 2 , 4 )", Player.WHITE)
    assert game.short_name(move, Player.BLACK) == "b4-b3"
    assert game.short_name(move, Player.WHITE) == "b4-b5"
    assert [game.board.names[c] for c in game.move_cells(move, Player.BLACK)] == ["b4", "b3"]


def test_an_ignored_parameter_has_one_move() -> None:
    game = build("connect(k=2, width=3, height=3)")
    assert len(game.start.moves()) == 3
    first = game.parse_move("occupyBottom(2,1)", Player.BLACK)
    assert game.parse_move("occupyBottom(2,3)", Player.WHITE) == first
    assert game.short_name(first, Player.BLACK) == "b3"


def test_moves_with_the_same_cells_keep_their_long_names() -> None:
    step = ":parameters (?x,?y)\n:precondition (black(?x,?y))\n:effect (open(?x,?y) black(?x+1,?y))"
    game = parse_bddl(
        f"#blackactions\n:action walk\n{step}\n:action run\n{step}\n#whiteactions\n"
        "#boardsize 2 1\n#init (black(1,1))\n#blackgoals\n#whitegoals\n"
    )
    names = [game.short_name(move, Player.BLACK) for move in game.start.moves()]
    assert names == ["walk(1,1)", "run(1,1)"]
    with pytest.raises(UserError, match=r"write it as walk\(1,1\)$"):
        game.parse_moves("a1-b1")


def test_numbers_go_with_the_pieces() -> None:
    game = build("breakthrough(width=3, height=5, moves=b4-b3 c2-c3 b3-a2)")
    named = {game.board.names[cell]: number for cell, number in game.move_numbers().items()}
    assert named == {"c3": 2, "a2": 3}


def test_konane_opens_with_two_neighbours() -> None:
    largest = 7 if FULL else 4
    for width in range(2, largest + 1):
        for height in range(1, largest + 1):
            for opening in ("centre", "corner"):
                start = build(f"konane({width}, {height}, opening={opening})").start
                assert width * height - start.occupied.bit_count() == 2
                assert abs(start.black.bit_count() - start.white.bit_count()) <= 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("forward(2,3)", r"forward\(2,3\) needs b3 to be black"),
        ("forward(2,5)", r"forward\(2,5\) needs b4 to be open"),
        ("left-diagonal(2,5)", r"left-diagonal\(2,5\) needs a4 to be not black"),
        ("forward(2,1)", r"Black has no such move as forward\(2,1\)"),
        ("forward(9,9)", r"\(9,9\) is not on the board"),
        ("sidestep(2,4)", "Black has no action 'sidestep': choose one of forward"),
        ("b4", r"'b4' is no move of Black's; write it as forward\(1,2\) or a2-a1"),
        ("b4-b3 c2-c3 b3-b2", r"move 3, 'b3-b2': forward\(2,3\) needs b2 to be open"),
    ],
)
def test_wrong_moves_say_why(text: str, reason: str) -> None:
    with pytest.raises(UserError, match=reason):
        build("breakthrough(width=3, height=5)").parse_moves(text)


def test_stones_of_a_position_replace_those_of_the_start() -> None:
    game = build("breakthrough(width=3, height=5, black=b2, white=a1 c1, first=white)")
    assert (game.start.black, game.start.white) == (
        game.board.cells("b2"),
        game.board.cells("a1 c1"),
    )
    assert game.start.to_move is Player.WHITE
    kept = build("breakthrough(width=3, height=5, first=white)")
    assert kept.start[1:3] == build("breakthrough(width=3, height=5)").start[1:3]
    with pytest.raises(UserError, match="both players have a stone on b2"):
        build("breakthrough(width=3, height=5, black=b2, white=b2)")
    with pytest.raises(UserError, match="both players have already won"):
        build("breakthrough(width=3, height=5, black=b1, white=b5)")


def test_games_know_their_symmetries() -> None:
    rng = random.Random(10)
    sizes: Counter[int] = Counter()
    for _ in range(60):
        game = random_bddl_game(rng)
        position = random_position(game, rng)
        sizes[len(game.symmetries)] += 1
        for permutation in game.symmetries:
            black, white = (
                sum(1 << permutation[c] for c in range(game.board.size) if mask >> c & 1)
                for mask in position[1:3]
            )
            image = Position(game, black, white, position.to_move)
            for player in Player:
                assert Reference(player).wins(position, 3) == Reference(player).wins(image, 3)
    assert len(sizes) > 1


def test_falling_stones_are_recognised() -> None:
    view = build("connect(k=3, width=4, height=3)").columns()
    mnk = build("mnk(m=4, n=3, k=3)").hypergraph()
    assert (view.black_sets, view.white_sets) == (mnk.black_sets, mnk.white_sets)
    game = build("connect(k=3, width=4, height=3, moves=b3 b2)")
    assert [
        game.short_name(view.moves[game.board.cell(c)], Player.BLACK) for c in ("b1", "c3")
    ] == [
        "b1",
        "c3",
    ]
    for other in ("domineering", "breakthrough", "tictactoe"):
        with pytest.raises(MissingView, match="stones do not fall"):
            build(other).columns()
    restricted = game.bddl()
    on_top, bottom = restricted.actions[0]
    for actions in ((on_top,), (bottom,), (on_top, replace(bottom, effect=on_top.effect))):
        with pytest.raises(MissingView):
            BddlGame("", replace(restricted, actions=(actions, restricted.actions[1]))).columns()
