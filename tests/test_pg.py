"""`.pg` files: what they mean, and what is written."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import skolemate
from sample_files import (
    GRAPH,
    HEAD,
    HEIN_BOARD,
    HEIN_EGF,
    HEIN_GEX,
    HEIN_SETS,
    SETS,
    named,
    paths,
)
from skolemate.ask import Answer, Verdict
from skolemate.cli import main
from skolemate.errors import UserError
from skolemate.formats import (
    DIALECTS,
    parse_pg,
    read_game,
    to_pg,
    write_game,
)
from skolemate.games import Connection, Graph, Grid, Player, PositionalGame, Sets, Shape
from skolemate.games.game import turns
from skolemate.games.symmetry import mask_of

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


def test_without_turns_the_players_alternate() -> None:
    timed = parse_pg(SETS.replace("#blackturns\nt1 t3\n", ""))
    assert timed == parse_pg(SETS)
    free = parse_pg(SETS[SETS.index("#positions") :])
    assert (free.schedule, free.depth, free.remark(9)) == (turns(4), None, None)
    assert free == replace(parse_pg(SETS), depth=None)
    cut = GRAPH[GRAPH.index("#positions") :] + "#distances\np 1 1\nq 1 1\nr 1 1\n"
    with pytest.raises(UserError, match="section #times is missing"):
        parse_pg(cut)  # cells were left out for a depth


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


# --- turns beyond those stated -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "seven"),
    [
        ("b", "bwbwbwb"),
        ("w", "wbwbwbw"),
        ("bw", "bwbwbwb"),
        ("bww", None),
        ("bb", None),
        ("bbww", None),
        ("bwwb", "bwwbbww"),
        ("bbbwb", "bbbwbwb"),
        ("bwbb", None),
        ("bwwbw", None),
    ],
)
def test_turns_go_on_where_those_stated_tell_how(stated: str, seven: str | None) -> None:
    times = " ".join(f"t{ply}" for ply in range(len(stated)))
    black = " ".join(f"t{ply}" for ply, turn in enumerate(stated) if turn == "b")
    cells = "a1 a2 b1 b2 c1 c2 d1"
    game = parse_pg(
        f"#times\n{times}\n#blackturns\n{black}\n#positions\n{cells}\n#blackwins\n{cells}\n"
    )
    assert "".join(player.value[0] for player in game.schedule) == (seven or stated)
    assert game.last_stated == (len(stated) if seven is None else None)


ONE_TURN = """#times
t1
#blackturns
t1
#positions
a1 a2 a3 b1 b2 b3
#blackwins
a1 b1
a1 b2
"""


def test_a_question_beyond_the_turns_stated_is_answered_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "one.pg"
    file.write_text(ONE_TURN)
    for command in ("solve", "oracle"):
        assert main([command, str(file)]) == 20
        told = capsys.readouterr()
        assert "cannot force a win within 1 ply." in told.out
        assert "Note" not in told.err
        assert main([command, str(file), "-d", "3"]) == 10
        told = capsys.readouterr()
        note = "the file states 1 ply; from then on each player in turn places one stone"
        assert told.err == f"Note: {note}.\n"
        assert main([command, str(file), "-d", "3", "--json"]) == 10
        assert json.loads(capsys.readouterr().out)["detail"] == note


def test_a_no_at_any_depth_says_on_which_turns_it_rests() -> None:
    blocked = parse_pg(ONE_TURN + "#whiteinitials\na1\n")
    answer = skolemate.oracle(blocked, "auto")
    assert str(answer).endswith("Black cannot force a win at any depth")
    assert "from then on each player in turn places one stone" in (answer.note or "")


@pytest.mark.parametrize("ask", [skolemate.oracle, skolemate.solve])
def test_where_only_the_list_of_turns_ends_no_more_is_said(ask: Callable[..., Answer]) -> None:
    """The Breaker has won when the turns are over; whether the Maker could later is not known."""
    game = parse_pg(IRREGULAR)
    for depth in (None, 4, "auto"):
        answer = ask(game, depth)
        assert str(answer).endswith("Black cannot force a win within 4 plies")
        assert not answer.as_json()["every_depth"]
        assert answer.note == "the file states 4 plies, and the game ends there"
        assert ask(game, depth, WHITE).verdict is Verdict.WIN
    with pytest.raises(UserError, match="is valid for 4 plies only"):
        ask(game, 5)
    later = game.after(game.parse_moves("c1 a1"))
    assert str(ask(later, 2)).endswith("cannot force a win within 2 plies")
    with pytest.raises(UserError, match="is valid for 2 plies only"):
        ask(later, 3)


def test_a_checked_strategy_does_not_reach_beyond_the_turns_stated(tmp_path: Path) -> None:
    file = tmp_path / "block.jsonl"
    game = parse_pg(IRREGULAR)
    skolemate.solve(game, strategy=str(file))
    report = skolemate.check(str(file), game)
    assert (report.holds, report.every_depth) == (True, False)


# --- what is left of a Hex board ---------------------------------------------------------------


@pytest.mark.parametrize("dialect", ["gex", "egf"])
@pytest.mark.parametrize(
    "name", ["hein(4)", "hein(9)", "hein(20)", "browne", "hex(size=3, black=c1, white=a3 b3)"]
)
def test_a_graph_is_read_as_the_position_it_is_left_of(name: str, dialect: str) -> None:
    for game in (named(name), named(name).swapped()):
        read = parse_pg(to_pg(game, dialect))
        assert read.board == game.board
        assert {read.black_goal, read.white_goal} == {game.black_goal, game.white_goal}
        assert read.start.occupied == game.start.occupied
        assert read.offers("transversal")


def test_the_last_row_and_column_may_be_full_of_stones() -> None:
    game = named("hex(size=4, black=a4 d2, white=b4 c4 d4 d1 d3)")
    read = parse_pg(to_pg(game, "gex"))
    assert read.offers("transversal")
    assert paths(read) == paths(game)


@given(st.integers(2, 4), st.data())
def test_on_the_position_found_one_player_gets_connected_and_never_both(
    side: int, data: st.DataObject
) -> None:
    colours = data.draw(st.lists(st.sampled_from("...bw"), min_size=side**2, max_size=side**2))
    black, white = (mask_of(c for c, x in enumerate(colours) if x == own) for own in "bw")
    game = named(f"hex({side})")
    assume(colours.count(".") in range(2, 9))
    assume(game.black_goal is not None and not game.black_goal.met(black))
    game = replace(game, black=black, white=white)
    read = parse_pg(to_pg(game, "gex"))
    assume(read.white_goal is not None)  # hardly ever: see the next test
    named_cells = [game.board.names[cell] for cell, x in enumerate(colours) if x == "."]
    assert read.board.cells(" ".join(named_cells)) == ~read.start.occupied & (
        (1 << read.board.size) - 1
    )
    for number in range(1 << len(named_cells)):
        mine = " ".join(n for place, n in enumerate(named_cells) if number >> place & 1)
        rest = " ".join(n for place, n in enumerate(named_cells) if not number >> place & 1)
        assert game.black_goal is not None
        assert read.black_goal is not None
        assert read.white_goal is not None
        wins = game.black_goal.met(black | game.board.cells(mine))
        assert read.black_goal.met(read.black | read.board.cells(mine)) is wins
        assert read.white_goal.met(read.white | read.board.cells(rest)) is not wins


def test_nearly_every_position_is_found() -> None:
    rng, found, tried = random.Random(3), 0, 0
    game = named("hex(5)")
    while tried < 60:
        colours = [rng.choice("...bw") for _ in range(25)]
        black, white = (mask_of(c for c, x in enumerate(colours) if x == own) for own in "bw")
        if game.black_goal and not game.black_goal.met(black) and black | white:
            tried += 1
            placed = replace(game, black=black, white=white)
            found += parse_pg(to_pg(placed, "egf")).offers("transversal")
    assert found == tried


OTHERS = {
    "a graph that is no board": GRAPH,
    "one edge more": HEIN_GEX.replace("a2 b2 a3\n", "a2 b2 a3 b3\n").replace(
        "b3 b2\n", "b3 b2 a2\n"
    ),
    "one edge less": HEIN_GEX.replace("a2 b2 a3\n", "a2 b2\n").replace("a3 a2 b2\n", "a3 b2\n"),
    "other names": HEIN_EGF.replace("a2", "x"),
    "another border": HEIN_EGF.replace("T b3", "T c1"),
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_other_graphs_stay_graphs(text: str) -> None:
    game = parse_pg(text)
    assert isinstance(game.board, Graph)
    assert game.breaker is WHITE


# --- more dialects -----------------------------------------------------------------------------

DISTANCES = """#distances
% how far from the end, how far from the start
a2 1 0
a3 0 na
#unreachablepairs
c1 a3
"""


def test_what_follows_from_a_graph_is_skipped_but_binds_it_to_its_depth() -> None:
    """R-Gex: cells are left out that are too far away for the depth of the file."""
    game = parse_pg(HEIN_GEX + DISTANCES)
    assert replace(game, schedule=turns(5)) == parse_pg(HEIN_GEX)
    assert (game.depth, game.last_stated) == (3, 3)
    assert not skolemate.oracle(game, 1).every_depth
    with pytest.raises(UserError, match="is valid for 3 plies only"):
        skolemate.oracle(game, 5)
    with pytest.raises(UserError, match="'c7' is not declared"):
        parse_pg(HEIN_GEX + DISTANCES.replace("c1", "c7"))
    with pytest.raises(UserError, match="#distances goes with a path"):
        parse_pg(SETS + "#distances\na1 1 0\n")


EMPTY = {
    "egf": "#edges\n#source\nS\n#target\nT\n",
    "gex": "#neighbours\n#startboarder\n#endboarder\n",
}


@pytest.mark.parametrize("empty", EMPTY.values(), ids=EMPTY)
def test_a_graph_without_cells_is_decided(empty: str) -> None:
    game = parse_pg(f"{HEAD}{empty}")
    for answer in (
        skolemate.oracle(game),
        skolemate.solve(game),
        skolemate.solve(game, engine="qbf"),
    ):
        assert str(answer).endswith("Black cannot force a win within 3 plies")
    with pytest.raises(UserError, match="is valid for 3 plies only"):
        skolemate.oracle(game, 5)


SHAPES = """#version
1.0
#times
t1
#blackturns
t1
#positions
a1 a2 a3 b1 b2 b3 c1 c2 c3
#neighbours
%cell, up, side
a1 a2 b1
a2 a3 b2
a3 na b3
b1 b2 c1
b2 b3 c2
b3 na c3
c1 c2 na
c2 c3 na
c3 na na
#blackgoal
side(p1,p2) up(p0,p1)
side(p2,p1) up(p0,p1)
up(p0,p1) side(p0,p2)
side(p2,p0) up(p0,p1)
"""


def test_shapes_by_steps_from_cell_to_cell() -> None:
    game = parse_pg(SHAPES)
    shape = named("harary(shape=el, width=3, height=3, maker_breaker=true)")
    assert replace(game, depth=None) == shape
    assert skolemate.oracle(game).critical_depth is None
    assert skolemate.oracle(game, "auto").critical_depth == skolemate.oracle(shape).critical_depth


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1.0", "2.0", "version '2.0' is not known; 1.0 is"),
        (
            "a1 a2 b1\n",
            "a1 a2 b1 b2\n",
            "a row of neighbours is a cell, its neighbours up and side",
        ),
        ("c1 c2 na\n", "c1 b2 na\n", "the neighbour of 'b2' is given twice (-up)"),
        ("side(p1,p2) up(p0,p1)", "down(p0,p1)", "is no step such as up(p0,p1)"),
        ("side(p1,p2) up(p0,p1)", "side(p1,p2) up(p3,p4)", "does not hang together"),
        (SHAPES[SHAPES.index("side(") :], "", "no shape that fits"),
        ("#blackgoal", "#startboarder\na1\n#blackgoal", "state two kinds of goals"),
        ("#blackgoal", "#blackwins\na1\n#blackgoal", "state two kinds of goals"),
    ],
)
def test_wrong_shapes_are_refused(old: str, new: str, message: str) -> None:
    assert old in SHAPES
    with pytest.raises(UserError, match=re.escape(message)):
        parse_pg(SHAPES.replace(old, new))


EVERY_DIALECT = {
    "hypergraph": HEIN_SETS,
    "board": HEIN_BOARD,
    "gex": HEIN_GEX,
    "egf": HEIN_EGF,
    "r-gex": HEIN_GEX + DISTANCES,
    "shapes": SHAPES,
    "bare graph": GRAPH,
    "irregular": IRREGULAR,
}


@pytest.mark.parametrize("text", EVERY_DIALECT.values(), ids=EVERY_DIALECT)
def test_search_and_oracle_agree_on_every_dialect(text: str) -> None:
    game = parse_pg(text)
    for player in Player:
        for depth in range(min(5, game.depth or 0) + 1):
            expected = skolemate.oracle(game, depth, player)
            assert skolemate.solve(game, depth, player).verdict is expected.verdict
        least = skolemate.oracle(game, "auto", player).critical_depth
        assert skolemate.solve(game, "auto", player).critical_depth == least


def test_a_hex_file_is_a_side_and_stones(tmp_path: Path) -> None:
    file = tmp_path / "four.hex"
    file.write_text("% Hein's fourth\n3\nw[b1] b[a1]\nw[C2]\n")
    assert read_game(str(file)) == named("hein(4)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: a .hex file begins with the side"),
        ("b[a1]", "1:1: a .hex file begins with the side"),
        ("3\nb[a1] x[a2]", "2:7: 'x[a2]' is no stone on this board"),
        ("3\nb[d1]", "2:1: 'b[d1]' is no stone on this board"),
        ("3\nb[a1]\nw[a1]", "3:1: 'w[a1]': the cell has a stone already"),
    ],
)
def test_wrong_hex_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "wrong.hex"
    file.write_text(text)
    with pytest.raises(UserError, match=re.escape(message)):
        read_game(str(file))
    with pytest.raises(UserError, match="files cannot be written"):
        write_game(named("hein(4)"), str(file))
