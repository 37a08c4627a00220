"""`.pg` files: what they mean, and what is written."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sample_files import HEAD, HEIN_BOARD, HEIN_EGF, HEIN_GEX, HEIN_SETS, SETS, named, paths
from skolemate.errors import UserError
from skolemate.formats import (
    DIALECTS,
    parse_pg,
    read_game,
    to_pg,
)
from skolemate.games import Connection, Graph, Grid, Player, PositionalGame, Sets, Shape
from skolemate.games.bits import mask_of
from skolemate.games.schedule import turns

BLACK, WHITE = Player.BLACK, Player.WHITE


def test_the_hypergraph_dialect() -> None:
    game = parse_pg(SETS)
    board = Grid(2, 2)
    assert game.board == board
    assert game.black_goal == Sets.of([board.cells("a1 a2"), board.cells("b1 b2")])
    assert (game.white_goal, game.depth, game.first_moves) == (None, 3, None)
    assert game.schedule == turns(4), "the turns go on to the last open cell"


def test_positions_in_another_order_are_the_same_board() -> None:
    shuffled = SETS.replace("a1 a2 b1 b2", "b2 a1 b1 a2 % comment\n% a line of comment\n")
    assert parse_pg(shuffled) == parse_pg(SETS)
    hein = HEIN_BOARD.replace("a1 a2 a3 b1 b2 b3 c1 c2 c3", "c3 b3 a3 c2 b2 a2 c1 b1 a1")
    assert parse_pg(hein) == parse_pg(HEIN_BOARD)


def test_other_names_are_a_graph_in_the_order_of_the_file() -> None:
    game = parse_pg(SETS.replace("a2", "z9"))
    assert game.board == Graph.of(["a1", "z9", "b1", "b2"])


def test_names_with_dots_need_not_make_up_a_cube() -> None:
    names = [f"p.{number}" for number in range(9950)]  # nearest to a cube that is too large
    assert parse_pg(f"{HEAD}{' '.join(names)}\n#blackwins\np.0 p.1\n").board.size == 9950


def test_line_ends_and_byte_order_mark_do_not_matter(tmp_path: Path) -> None:
    file = tmp_path / "windows.pg"
    file.write_bytes(b"\xef\xbb\xbf" + SETS.replace("\n", "\r\n").encode())
    assert read_game(str(file)) == parse_pg(SETS)


def test_time_labels_are_arbitrary_and_ordered_as_listed() -> None:
    text = SETS.replace("t1 t2 t3", "late early t6").replace("t1 t3", "early t6")
    assert parse_pg(text).schedule == (WHITE, BLACK, BLACK)


def test_first_moves_and_white_sets() -> None:
    game = parse_pg(SETS + "#firstmoves\na1 b1\n#whitewins\na1 b2\n")
    assert game.first_moves == game.board.cells("a1 b1")
    assert game.white_goal == Sets.of([game.board.cells("a1 b2")])


def test_an_empty_list_of_whites_sets_makes_him_the_breaker() -> None:
    assert parse_pg(SETS + "#whitewins\n") == parse_pg(SETS)
    assert parse_pg(SETS.replace("#blackwins", "#whitewins")).breaker is BLACK


def test_a_listed_polyomino_is_recognised() -> None:
    game = named("gttt(p=2, q=1, shape=el, width=3, height=3)")
    text = to_pg(game) + "#firstmoves\na1 a2 b2\n"
    read = parse_pg(text)
    assert read.first_moves == game.board.cells("a1 a2 b2")
    assert (read.polyomino, read.depth) == (Shape.parse("el"), 9)
    assert replace(read, first_moves=None, depth=None) == game


def test_a_torus_is_recognised_only_where_it_matters() -> None:
    torus = named("harary(shape=elly, width=4, height=4, torus=true)")
    assert replace(parse_pg(to_pg(torus)), depth=None) == torus
    # On 3x3 a row stays a row when it goes round: the plain board explains the same sets.
    flat = named("harary(shape=tic, width=3, height=3)")
    round_ = named("harary(shape=tic, width=3, height=3, torus=true)")
    assert parse_pg(to_pg(round_)) == parse_pg(to_pg(flat)) == replace(flat, depth=9)


def test_a_hex_board_gives_white_his_goal() -> None:
    assert replace(parse_pg(HEIN_BOARD), depth=None) == named("hein(4)")
    turned = HEIN_BOARD.replace("a1 b1 c1\n#end", "a1 a2 a3\n#end").replace("a3 b3 c3", "c1 c2 c3")
    game = parse_pg(turned)
    assert game.black_goal == named("hex(3)").white_goal
    assert game.white_goal == named("hex(3)").black_goal


def test_the_dialects_of_one_puzzle_agree() -> None:
    board, sets, gex, egf = map(parse_pg, (HEIN_BOARD, HEIN_SETS, HEIN_GEX, HEIN_EGF))
    assert gex == egf
    assert paths(board) == paths(sets) == paths(gex)
    assert parse_pg(to_pg(board, "hypergraph")) == sets
    for dialect in ("gex", "egf"):
        assert paths(parse_pg(to_pg(board, dialect))) == paths(gex)


@pytest.mark.parametrize(
    ("text", "dialect"),
    [(HEIN_BOARD, "board"), (HEIN_SETS, "hypergraph"), (HEIN_GEX, "gex"), (HEIN_EGF, "egf")],
    ids=DIALECTS,
)
def test_reading_what_was_written_gives_the_same_game(text: str, dialect: str) -> None:
    game = parse_pg(text)
    assert parse_pg(to_pg(game, dialect)) == game


LISTED = [
    "tictactoe",
    "mnk(m=4, n=3, k=3, maker_breaker=true)",
    "harary(shape=tippy, width=5, height=5)",
    "harary(shape=fatty, width=4, height=3, torus=true, maker_breaker=true)",
    "gttt(p=2, q=2, shape=elly, width=3, height=4)",
    "tictactoe(black=b2, white=a1, first=white)",
    "connect6(size=7)",
    "connect6(opening=mickey_mouse)",
    "qubic",
]
PATHS = ["hex(1)", "hex(3)", "hein(4)", "browne", "hex(size=3, first=white)"]


@pytest.mark.parametrize("name", LISTED + PATHS)
def test_named_games_survive_being_written(name: str) -> None:
    game = named(name)
    for player_view in (game, game.swapped()):
        assert parse_pg(to_pg(player_view)) == replace(player_view, depth=game.horizon)


@pytest.mark.parametrize("name", ["hex(3)", "hein(9)", "browne"])
@pytest.mark.parametrize("dialect", ["hypergraph", "gex", "egf"])
def test_a_dialect_that_loses_the_board_keeps_the_paths(name: str, dialect: str) -> None:
    game = named(name)
    once = parse_pg(to_pg(game, dialect))
    assert paths(once) == paths(game)
    assert once.schedule == game.schedule
    assert parse_pg(to_pg(once, dialect)) == once


def test_an_empty_hex_board_is_the_same_game_as_gex_and_egf() -> None:
    game = replace(named("hex(4)"), depth=5)
    assert parse_pg(to_pg(game, "gex")) == parse_pg(to_pg(game, "egf")) == game


def test_the_position_after_the_moves_is_written() -> None:
    game = named("tictactoe(moves=b2 a1)")
    read = parse_pg(to_pg(game))
    assert (read.black, read.white) == (game.start.black, game.start.white)
    assert (read.schedule, read.depth, read.played) == (game.schedule[2:], 7, ())


def test_the_depth_is_the_number_of_times() -> None:
    game = replace(named("gttt(p=2, q=1, shape=el, width=3, height=3)"), depth=4)
    assert "t1 t2 t3 t4\n" in to_pg(game)
    assert parse_pg(to_pg(game)) == game
    beyond = replace(game, depth=12)
    assert parse_pg(to_pg(beyond)) == beyond


def test_a_file_tells_its_game_and_draws_it() -> None:
    lines = to_pg(named("hein(4)")).splitlines()
    assert lines[0] == "% hein(4)"
    comments = [line for line in lines if line.startswith("%")]
    assert any("X" in line and "O" not in line for line in comments[1:])


def test_source_and_target_are_never_cells() -> None:
    goal = Connection.of([[1], [0]], 1, 2)
    game = PositionalGame("g", Graph.of(["S", "T"], [("S", "T")]), goal, None, turns(2), depth=2)
    assert "#source\nS_\n#target\nT_\n" in to_pg(game, "egf")
    assert parse_pg(to_pg(game, "egf")) == game


REFUSED = {
    "tic-tac-toe as egf": ("tictactoe", "egf", "Black's goal is not a path"),
    "tic-tac-toe as board": ("tictactoe", "board", "Black's goal is not a path"),
    "joined already": ("hex(size=2, black=a1 a2)", "gex", "Black is joined already"),
    "cut off": ("hex(size=2, white=a1 b1)", "hypergraph", "Black has no set to list"),
    "over": ("mnk(m=1, n=1, k=1, moves=a1)", "hypergraph", "no turn is left"),
    "unknown dialect": ("hex(3)", "bord", "did you mean board?"),
}


@pytest.mark.parametrize(("name", "dialect", "message"), REFUSED.values(), ids=REFUSED)
def test_what_a_dialect_cannot_say_is_refused(name: str, dialect: str, message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        to_pg(named(name), dialect)


def test_whites_own_goal_is_refused_where_there_is_no_place_for_it() -> None:
    game = replace(named("hex(3)"), white_goal=Sets.of([0b111]))
    for dialect in ("board", "gex", "egf"):
        with pytest.raises(UserError, match="no place for White's goal"):
            to_pg(game, dialect)
    assert parse_pg(to_pg(game)).white_goal == game.white_goal


def test_a_name_that_would_be_read_as_something_else_is_refused() -> None:
    game = PositionalGame("g", Graph.of(["a b", "50%"]), Sets.of([3]), None, turns(2))
    with pytest.raises(UserError, match="'a b' is no name for a cell"):
        to_pg(game)


@st.composite
def listed_games(draw: st.DrawFn) -> PositionalGame:
    size = draw(st.integers(1, 6))
    cells = st.integers(1, (1 << size) - 1)
    owners = [draw(st.sampled_from([None, None, BLACK, WHITE])) for _ in range(size)]
    black = mask_of(cell for cell in range(size) if owners[cell] is BLACK)
    white = mask_of(cell for cell in range(size) if owners[cell] is WHITE)
    open_cells = owners.count(None)
    assume(open_cells)
    goals = [
        Sets.of(draw(st.lists(cells, min_size=1, max_size=5))),
        draw(st.none() | st.lists(cells, min_size=1, max_size=5).map(Sets.of)),
    ]
    if draw(st.booleans()):
        goals.reverse()
    assume(not all(g and g.met(s) for g, s in zip(goals, (black, white), strict=True)))
    first = draw(st.none() | cells)
    allowed = None if first is None else first & ~(black | white)
    return PositionalGame(
        name="random",
        board=Graph.of(f"v{number}" for number in range(size)),
        black_goal=goals[0],
        white_goal=goals[1],
        schedule=tuple(draw(st.sampled_from([BLACK, WHITE])) for _ in range(open_cells)),
        black=black,
        white=white,
        first_moves=allowed or None,
        depth=open_cells,
    )


@given(listed_games())
def test_every_game_of_listed_sets_survives(game: PositionalGame) -> None:
    assert parse_pg(to_pg(game, "hypergraph")) == game


@st.composite
def path_games(draw: st.DrawFn) -> PositionalGame:
    size = draw(st.integers(2, 6))
    names = [f"v{number}" for number in range(size)]
    pairs = [(a, b) for a in names for b in names if a < b]
    board = Graph.of(names, draw(st.lists(st.sampled_from(pairs), max_size=10)))
    masks = st.integers(0, (1 << size) - 1)
    goal = Connection.of(board.neighbours, draw(masks), draw(masks))
    black = draw(masks)
    white = draw(masks) & ~black
    assume(black | white != (1 << size) - 1)
    open_cells = size - (black | white).bit_count()
    return PositionalGame(
        *("random", board, goal, None, turns(open_cells), black, white), depth=open_cells
    )


@given(path_games())
def test_every_game_of_paths_survives(game: PositionalGame) -> None:
    assert parse_pg(to_pg(game, "board")) == game
    if isinstance(game.black_goal, Connection) and not game.black_goal.met(game.black):
        gex, egf = parse_pg(to_pg(game, "gex")), parse_pg(to_pg(game, "egf"))
        assert gex == egf
        assert paths(gex) == paths(game)
        assert parse_pg(to_pg(gex, "gex")) == gex


IRREGULAR = """#times
t1 t2 t3 t4
#blackturns
t1 t3 t4
#positions
a1 a2 a3 b1 b2 b3 c1 c2 c3
#blackwins
a1 a2 a3 b1
"""


def test_turns_that_a_file_cannot_tell_are_refused() -> None:
    """After two moves `bb` is left of `bwbb`, which would be read as the turns of another game."""
    game = parse_pg(IRREGULAR)
    assert game.schedule == (BLACK, WHITE, BLACK, BLACK)
    assert parse_pg(to_pg(game)) == game
    later = game.after(game.parse_moves("c1 a1"))
    assert parse_pg(to_pg(later)).schedule == (BLACK, BLACK)
    two_stones = replace(named("gttt(p=2, q=2, shape=el, width=3, height=3)"), depth=3)
    with pytest.raises(UserError, match="the order of its turns does not show in the first 3"):
        to_pg(two_stones)
    told = replace(two_stones, depth=5)
    assert parse_pg(to_pg(told)) == told
