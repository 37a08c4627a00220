"""Files of games: what they mean, what comes back when they are written, how errors read."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from skolemate.errors import FileError, UserError
from skolemate.formats import (
    DIALECTS,
    Record,
    parse_pg,
    parse_sgf,
    read_game,
    to_pg,
    to_sgf,
    write_game,
)
from skolemate.formats.sgf_syntax import escape
from skolemate.games import Connection, Graph, Grid, HexGrid, Player, PositionalGame, Sets, Shape
from skolemate.games.bits import cells_of, mask_of
from skolemate.games.family import build
from skolemate.games.schedule import turns

BLACK, WHITE = Player.BLACK, Player.WHITE

# --- small files -----------------------------------------------------------------------------

HEAD = "#times\nt1 t2 t3\n#blackturns\nt1 t3\n#positions\n"  # lines 1 to 5
SETS = HEAD + "a1 a2 b1 b2\n#blackwins\na1 a2\nb1 b2\n"
GRAPH = HEAD + "p q r\n#neighbours\np q\nq p r\nr q\n#startboarder\np\n#endboarder\nr\n"
EDGES = HEAD + "p q r\n#edges\nS p\np q\nq r\nr T\n#source\nS\n#target\nT\n"
RECORD = "(;FF[4]GM[11]SZ[3]\nAB[a1]AW[b2]PL[B]\n;B[c3]\n;W[c2])\n"

# Piet Hein's puzzle 4 in all four dialects.
HEIN_TIMES = "#times\nt1 t2 t3\n#blackturns\nt1 t3\n"
HEIN_STONES = "#blackinitials\na1\n#whiteinitials\nb1\nc2\n"
HEIN_BOARD = f"""%
{HEIN_STONES}{HEIN_TIMES}#positions
a1 a2 a3 b1 b2 b3 c1 c2 c3
#blackwins
#neighbours
%format: position followed by its neighbours separated by spaces
a1 b1 a2
a2 b2 a1 a3 b1
a3 b3 a2 b2
b1 a1 c1 b2 a2
b2 a2 c2 b1 b3 a3 c1
b3 a3 c3 b2 c2
c1 b1 c2 b2
c2 b2 c1 c3 b3
c3 b3 c2
#startboarder
a1 b1 c1
#endboarder
a3 b3 c3
"""
HEIN_SETS = f"""{HEIN_STONES}{HEIN_TIMES}#positions
a1 a2 a3 b1 b2 b3 c1 c2 c3
#blackwins
a1 a2 a3
a1 a2 b2 b3
c1 b2 a3
c1 b2 b3
"""
HEIN_GEX = f"""#blackinitials
#whiteinitials
{HEIN_TIMES}#positions
a2 a3 b2 b3 c1
#neighbours
a2 b2 a3
a3 a2 b2
b2 a2 b3 a3 c1
b3 b2
c1 b2
#startboarder
a2 c1
#endboarder
a3 b3
"""
HEIN_EGF = f"""{HEIN_TIMES}#positions
a2 a3 b2 b3 c1
#edges
a2 b2
a2 a3
a3 b2
b2 b3
b2 c1
S a2
S c1
T a3
T b3
#source
S
#target
T
"""


def positional(game: object) -> PositionalGame:
    assert isinstance(game, PositionalGame)
    return game


def named(text: str) -> PositionalGame:
    return positional(build(text))


def paths(game: PositionalGame) -> set[frozenset[str]]:
    """Black's minimal winning sets by name: own stones left out, sets with an enemy's dropped."""
    goal, names = game.black_goal, game.board.names
    listed = list(goal.paths()) if isinstance(goal, Connection) else list(goal.sets) if goal else []
    folded = {winning & ~game.black for winning in listed if not winning & game.white}
    least = {s for s in folded if not any(other != s and other & s == other for other in folded)}
    return {frozenset(names[cell] for cell in cells_of(s)) for s in least}


# --- what files mean -------------------------------------------------------------------------


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


def test_line_ends_and_byte_order_mark_do_not_matter(tmp_path: Path) -> None:
    file = tmp_path / "windows.pg"
    file.write_bytes(b"\xef\xbb\xbf" + SETS.replace("\n", "\r\n").encode())
    assert read_game(str(file)) == parse_pg(SETS)


def test_time_labels_are_arbitrary_and_ordered_as_listed() -> None:
    text = SETS.replace("t1 t2 t3", "late early t6").replace("t1 t3", "early t6")
    assert parse_pg(text).schedule == (WHITE, BLACK, BLACK, WHITE)


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


# --- the published files ---------------------------------------------------------------------

PUBLISHED = Path(__file__).resolve().parents[2] / "shared" / "data" / "pg"
FILES = sorted(PUBLISHED.glob("*/*.pg"))
needs_published = pytest.mark.skipif(
    not FILES, reason=f"the published .pg files are not there: {PUBLISHED}"
)
COUNTS = {
    "gttt-3x3": 84,
    "gttt-4x4": 96,
    "hex-hein": 14,
    "hex-hein-board": 40,
    "hex-hein-egf": 14,
    "hex-hein-gex": 14,
    "milestones": 4,
}
FOLDER_DIALECT = {"hex-hein-board": "board", "hex-hein-egf": "egf", "hex-hein-gex": "gex"}


def published(folder: str) -> Iterator[tuple[Path, PositionalGame]]:
    for file in FILES:
        if file.parent.name == folder:
            yield file, positional(read_game(str(file)))


@needs_published
@pytest.mark.parametrize("folder", COUNTS)
def test_published_files_survive_being_written(folder: str) -> None:
    games = list(published(folder))
    assert len(games) == COUNTS[folder]
    for file, game in games:
        assert game.name == file.name
        again = parse_pg(to_pg(game, FOLDER_DIALECT.get(folder, "hypergraph")))
        assert again == game, file.name


@needs_published
@pytest.mark.parametrize("folder", ["gttt-3x3", "gttt-4x4"])
def test_published_tic_tac_toes_are_the_named_games(folder: str) -> None:
    for file, game in published(folder):
        match = re.fullmatch(r"gttt_(\d)_(\d)_(\d+)_(\d)x(\d)(_torus)?_([bw])\.pg", file.name)
        assert match is not None
        p, q, digits, width, height, torus, colour = match.groups()
        shape = Shape.parse(digits)
        around = Grid(int(width), int(height), torus=True)
        flat = Grid(int(width), int(height))
        assert game.polyomino is not None
        # Where a torus gives the same sets as the board, the board is meant; and shapes that
        # have the same copies (Elly and Knobby on the 3x3 torus) cannot be told apart.
        wraps = torus and shape.placements(around) != shape.placements(flat)
        assert game.polyomino.placements(around) == shape.placements(around)
        expected = named(
            f"gttt(p={p}, q={q}, shape={game.polyomino}, width={width}, height={height}, "
            f"torus={'true' if wraps else 'false'})"
        )
        assert game.depth == expected.horizon
        unrestricted = replace(game, first_moves=None, depth=None)
        assert unrestricted == (expected if colour == "b" else expected.swapped()), file.name


@needs_published
def test_published_puzzles_are_the_named_games() -> None:
    for file, game in published("hex-hein-board"):
        match = re.match(r"hein_(\d+)", file.name)
        name = f"hein({int(match[1])})" if match else "browne"
        assert replace(game, depth=None) == named(name), file.name
        depth = re.search(r"(\d+)\.pg", file.name)
        assert depth is not None
        assert game.depth == int(depth[1])


@needs_published
def test_published_milestones_are_the_named_games() -> None:
    games = {file.name: game for file, game in published("milestones")}
    expected = {
        "gomoku_1_1_15x15_connect5.pg": "gomoku",
        "gttt_1_1_9x9_snaky.pg": "harary(shape=snaky, width=9, height=9)",
        "mickey_mouse_1_2_19x19_connect6.pg": "connect6(opening=mickey_mouse)",
    }
    for file, name in expected.items():
        assert replace(games[file], first_moves=None, depth=None) == named(name), file
    qubic, cube = games["qubic_1_1_4x4x4.pg"], named("qubic")
    assert (qubic.black_goal, qubic.schedule) == (cube.black_goal, cube.schedule)


@needs_published
def test_published_dialects_of_a_puzzle_agree() -> None:
    games = {(file.parent.name, file.name): game for d in COUNTS for file, game in published(d)}
    for (folder, name), sets in games.items():
        if folder == "hex-hein":
            board = games["hex-hein-board", name]
            gex, egf = games["hex-hein-gex", name], games["hex-hein-egf", name]
            # The sets listed are exactly the minimal paths that White's stones leave open.
            assert parse_pg(to_pg(board, "hypergraph")) == sets, name
            assert gex == egf, name
            assert paths(gex) == paths(board) == paths(sets), name
            # The published graphs leave out useless cells and edges along a border; ours not.
            assert paths(parse_pg(to_pg(board, "gex"))) == paths(gex), name
            assert parse_pg(to_pg(board, "gex")) == parse_pg(to_pg(board, "egf")), name


# --- writing ---------------------------------------------------------------------------------

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


# --- SGF -------------------------------------------------------------------------------------


def test_a_record_and_its_game() -> None:
    record = parse_sgf(RECORD)
    assert record == Record(3, ("a1",), ("b2",), BLACK, ((BLACK, "c3"), (WHITE, "c2")))
    assert record.game() == named("hex(size=3, black=a1, white=b2, moves=c3 c2)")
    assert str(record.game()) == "hex(size=3, black=a1, white=b2, moves=c3 c2)"


def test_values_are_read_as_the_standard_says() -> None:
    record = parse_sgf(
        "\n( ;  GM [11] SZ[3:3] KO[] GN[a \\] b \\\\ c\\\nd:e] XX[1] [2] AB[a1:b1][C3]\n"
        "; B [ B3 ] C[a comment; (with) \\] signs] ;W[c1](;B[c2];W[resign])(;B[a2] (;W[a3])))"
    )
    assert record.text("GN") == "a ] b \\ cd:e"
    assert record.text("PB") is None
    assert ("XX", ("1", "2")) in record.properties
    assert record.black == ("a1", "b1", "c3")
    assert [text for _, text in record.moves] == ["b3", "c1", "c2", "resign"]
    assert parse_sgf(record.to_sgf()) == record


def test_the_default_size_is_eleven() -> None:
    assert parse_sgf("(;GM[11])").game() == named("hex(11)")


def test_swapped_pieces_become_setup_stones() -> None:
    record = parse_sgf("(;FF[4]GM[11]SZ[4];B[a3];W[swap-pieces];B[b2];W[d1])")
    assert record.game() == named("hex(size=4, white=c1, moves=b2 d1)")
    assert parse_sgf(record.to_sgf()) == record


def test_swapped_sides_leave_the_stones() -> None:
    record = parse_sgf("(;FF[4]GM[11]SZ[4];B[a3];W[Swap-Sides];W[b2];B[d1])")
    assert record.game() == named("hex(size=4, moves=a3 b2 d1)")
    assert parse_sgf(record.to_sgf()) == record


def test_white_may_begin_and_black_may_swap() -> None:
    assert parse_sgf("(;GM[11]SZ[3];W[a1])").game() == named("hex(size=3, first=white, moves=a1)")
    swapped = parse_sgf("(;GM[11]SZ[3]PL[White];W[a2];B[swap-pieces];W[c3])")
    assert swapped.game() == named("hex(size=3, black=b1, first=white, moves=c3)")


@pytest.mark.parametrize("name", ["hex(3)", "hein(9)", "hex(size=3, first=white, moves=b2 a1)"])
def test_hex_survives_sgf(name: str) -> None:
    game = named(name)
    assert parse_sgf(to_sgf(game)).game() == game
    assert parse_sgf(to_sgf(game)).text("GN") == game.name


def test_only_hex_can_be_written_as_sgf() -> None:
    hexagons = named("hex(3)")
    for game, why in [
        (named("tictactoe"), "only Hex can"),
        (replace(hexagons, white_goal=None), "not those of Hex"),
        (hexagons.swapped(), "not those of Hex"),
        (replace(hexagons, schedule=turns(9, p=2)), "do not take turns"),
        (replace(hexagons, first_moves=1), "first moves are restricted"),
        (replace(hexagons, board=HexGrid(1, 9)), "not square"),
    ]:
        with pytest.raises(UserError, match=why):
            to_sgf(game)


@st.composite
def records(draw: st.DrawFn) -> Record:
    size = draw(st.integers(2, 4))
    cells = draw(st.permutations(HexGrid(size, size).names))
    stones = draw(st.integers(0, 3))
    first = draw(st.sampled_from([None, BLACK, WHITE]))
    mover = first or BLACK
    moves = [(mover, cells[stones])]
    if not stones:
        swap = draw(st.sampled_from([None, "swap-pieces", "swap-sides"]))
        moves += [(mover.opponent, swap)] if swap else []
        mover = mover if swap == "swap-pieces" else mover.opponent
    else:
        mover = mover.opponent
    if draw(st.booleans()):
        moves.append((mover, "resign"))
    plain = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]))
    properties = (("GN", (escape(draw(plain)),)), ("XX", ("a", escape(draw(plain)))))
    return Record(size, (), tuple(cells[:stones]), first, tuple(moves), properties)


@given(records())
def test_every_record_survives(record: Record) -> None:
    try:
        record.game()
    except UserError:
        assume(False)  # the setup stones have won already
    assert parse_sgf(record.to_sgf()) == record


def test_a_record_that_breaks_the_rules_is_refused() -> None:
    with pytest.raises(UserError, match="move 2: it is White's turn, not Black's"):
        Record(3, moves=((BLACK, "a1"), (BLACK, "a2"))).game()


# --- files and streams -----------------------------------------------------------------------


def test_the_suffix_tells_the_format(tmp_path: Path) -> None:
    game = named("hein(4)")
    for name in ("puzzle.pg", "puzzle.sgf", "Puzzle.SGF"):
        write_game(game, str(tmp_path / name))
        read = positional(read_game(str(tmp_path / name)))
        assert replace(read, depth=None) == game
        assert read.name == name
    write_game(game, str(tmp_path / "puzzle.pg"), "egf")
    assert "#edges" in (tmp_path / "puzzle.pg").read_text()


def test_the_content_tells_the_format_of_other_files(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("\n% a comment\n" + SETS)
    assert read_game(str(file)) == parse_pg(SETS)
    file.write_text("\n" + RECORD)
    assert read_game(str(file)) == parse_sgf(RECORD).game()
    file.write_text("Dear Sir,")
    with pytest.raises(UserError, match=r"no game in a known format; .* \.pg and \.sgf"):
        read_game(str(file))


def test_a_dash_is_standard_input_and_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SETS.encode())))
    game = read_game("-")
    assert game.name == "stdin"
    write_game(game, "-")
    assert capsys.readouterr().out == to_pg(game)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    for path, why in [("no.pg", "no such file"), ("", "is a directory"), ("a\0b.pg", "null byte")]:
        with pytest.raises(UserError, match=f"cannot read .*{why}"):
            read_game(f"{tmp_path}/{path}")
        if path != "no.pg":
            with pytest.raises(UserError, match=rf"cannot write .*{why}|known suffixes are \.pg"):
                write_game(parse_pg(SETS), f"{tmp_path}/{path}")
    with pytest.raises(UserError, match=r"known suffixes are \.pg and \.sgf"):
        write_game(parse_pg(SETS), str(tmp_path / "game.txt"))
    with pytest.raises(UserError, match="has no dialects"):
        write_game(parse_pg(SETS), str(tmp_path / "game.sgf"), "egf")
    assert not list(tmp_path.iterdir())


def test_bytes_that_are_not_text(tmp_path: Path) -> None:
    file = tmp_path / "latin1.pg"
    file.write_bytes(b"#times\r\nt\xc3\xa91 t\xe9\r\n")
    with pytest.raises(FileError, match="byte 0xe9 is not UTF-8") as caught:
        read_game(str(file))
    assert (caught.value.line, caught.value.column) == (2, 6)


NUMBERS = 6_500_000  # their digits and the blanks between them are 50 MB


@pytest.mark.parametrize("suffix", ["pg", "sgf", "txt"])
@pytest.mark.parametrize("separator", ["\n", " "], ids=["many lines", "one line"])
def test_fifty_megabytes_of_noise(tmp_path: Path, suffix: str, separator: str) -> None:
    file = tmp_path / f"noise.{suffix}"
    file.write_bytes(b"noise" + separator.encode() + b"zq% x%" * 8_500_000)
    with pytest.raises(UserError) as caught:
        read_game(str(file))
    assert len(str(caught.value)) < 400
    if isinstance(caught.value, FileError):
        assert (caught.value.line, caught.value.column) == (1, 1)


@pytest.mark.parametrize("separator", ["\n", " "], ids=["many lines", "one line"])
@pytest.mark.parametrize("section", ["#positions", "#blackwins", "#neighbours"])
def test_fifty_megabytes_inside_a_section(section: str, separator: str) -> None:
    noise = separator.join(map(str, range(NUMBERS)))
    base = GRAPH if section == "#neighbours" else SETS
    text = base.replace(section, f"{section}\n{noise}")
    with pytest.raises(FileError) as caught:
        parse_pg(text)
    assert len(str(caught.value)) < 400


def test_fifty_megabytes_of_moves() -> None:
    with pytest.raises(FileError, match="no game has this many moves"):
        parse_sgf("(;GM[11]" + ";B[a1];W[a2]" * 4_000_000)
    with pytest.raises(FileError, match="has no end"):
        parse_sgf("(;GM[11]C[" + "noise \\] " * 6_000_000)


# --- what is wrong, and where ------------------------------------------------------------------


def changed(text: str, line: int, instead: str | None) -> str:
    """A text with one line put instead of another, or left out, with all that follow."""
    lines = text.split("\n")
    if instead is None:
        return "\n".join(lines[: line - 1])
    lines[line - 1] = instead
    return "\n".join(lines)


BAD_PG = {
    "empty file": ("", 1, 1, "this file is empty"),
    "only comments": ("% nothing\n", 2, 1, "has no section"),
    "text first": ("hello\n" + SETS, 1, 1, "'hello' stands before the first section"),
    "unknown section": (changed(SETS, 1, " #tiems"), 1, 2, "did you mean #times?"),
    "tidy spelling": (changed(GRAPH, 11, "#startborder"), 11, 1, "did you mean #startboarder?"),
    "capital letters": (changed(SETS, 1, "#Times"), 1, 1, "did you mean #times?"),
    "far from any": (changed(SETS, 1, "#qqqq"), 1, 1, "choose one of #blackinitials"),
    "blank after #": (changed(SETS, 1, "# times"), 1, 1, "did you mean #times?"),
    "# alone": (changed(SETS, 1, "#"), 1, 1, "unknown section '#'"),
    "values beside": (changed(SETS, 1, "#times t0"), 1, 8, "move 't0' there"),
    "section in a line": (changed(SETS, 6, "a1 a2 #blackwins"), 6, 7, "a line of its own"),
    "section twice": (SETS + "#times\n", 10, 1, "#times is there twice (first in line 1)"),
    "no times": (changed(SETS, 2, ""), 1, 1, "#times names no time"),
    "no cells": (changed(SETS, 6, ""), 5, 1, "#positions names no cell"),
    "times missing": ("#positions\na1\n", 3, 1, "section #times is missing"),
    "turns missing": ("#times\nt1\n#positions\na1", 4, 3, "section #blackturns is missing"),
    "positions missing": (changed(SETS, 5, None), 4, 6, "section #positions is missing"),
    "cut off in a row": (SETS[:-1].rsplit("\n", 3)[0], 6, 12, "nobody has a goal"),
    "empty goal": (changed(SETS, 8, None), 7, 11, "nobody has a goal"),
    "time twice": (changed(SETS, 2, "t1 t2 t1"), 2, 7, "time 't1' is declared twice"),
    "unknown turn": (changed(SETS, 4, "t1 t4"), 4, 4, "time 't4' is not in #times"),
    "turn twice": (changed(SETS, 4, "t1 t1"), 4, 4, "turn 't1' is given twice"),
    "cell twice": (changed(SETS, 6, "a1 a2\tb1 b2 a1"), 6, 13, "cell 'a1' is declared twice"),
    "long name": (changed(SETS, 6, "a1 a" + 5000 * "9"), 6, 4, "too long"),
    "unknown cell": (changed(SETS, 9, "b1 e9"), 9, 4, "cell 'e9' is not declared"),
    "twice in a set": (changed(SETS, 9, "b1 b2 b1"), 9, 7, "cell 'b1' is given twice in this set"),
    "unprintable": (changed(SETS, 9, "b1 \x00"), 9, 4, r"cell '\x00' is not declared"),
    "black stone twice": (SETS + "#blackinitials\na1\na1\n", 12, 1, "twice in #blackinitials"),
    "white stone twice": (SETS + "#whiteinitials\na1 a1\n", 11, 4, "twice in #whiteinitials"),
    "unknown stone": (SETS + "#whiteinitials\na7\n", 11, 1, "cell 'a7' is not declared"),
    "two stones on a cell": (
        *(SETS + "#whiteinitials\na2 a1\n#blackinitials\na1\n", 11, 4),
        "cell 'a1' has a stone of Black's already",
    ),
    "both have won": (
        *(SETS + "#whitewins\nb1 b2\n#blackinitials\na1 a2\n#whiteinitials\nb1 b2\n", 16, 1),
        "both players have already won",
    ),
    "no first move": (SETS + "#firstmoves\n", 10, 1, "#firstmoves allows no cell"),
    "first move twice": (SETS + "#firstmoves\na1 a1\n", 11, 4, "twice in #firstmoves"),
    "first move taken": (SETS + "#blackinitials\na1\n#firstmoves\nb1 a1\n", 13, 4, "has a stone"),
    "sets and neighbours": (
        *(changed(GRAPH, 14, "r\n#blackwins\np q"), 15, 1),
        "#neighbours and #blackwins state two kinds of goals",
    ),
    "neighbours and edges": (
        *(changed(GRAPH, 14, "r\n#edges\np q"), 15, 1),
        "#neighbours and #edges state two kinds of goals",
    ),
    "border missing": (changed(GRAPH, 13, None), 12, 2, "section #endboarder is missing"),
    "border alone": (HEAD + "p\n#startboarder\np\n", 9, 1, "section #neighbours is missing"),
    "border cell twice": (changed(GRAPH, 12, "p p"), 12, 3, "given twice in #startboarder"),
    "border cell unknown": (changed(GRAPH, 14, "r s"), 14, 3, "cell 's' is not declared"),
    "one way only": (changed(GRAPH, 10, "r"), 9, 5, "add q to the row of r"),
    "own neighbour": (changed(GRAPH, 8, "p p q"), 8, 3, "'p' cannot be its own neighbour"),
    "two rows": (changed(GRAPH, 10, "r q\nq r"), 11, 1, "'q' has two rows of neighbours"),
    "neighbour twice": (changed(GRAPH, 9, "q p r p"), 9, 7, "given twice in this row"),
    "neighbour unknown": (changed(GRAPH, 9, "q p r x"), 9, 7, "cell 'x' is not declared"),
    "source missing": (EDGES.replace("#source\nS\n", ""), 14, 1, "section #source is missing"),
    "source empty": (changed(EDGES, 13, "% S"), 12, 1, "#source must name exactly one node"),
    "two targets": (changed(EDGES, 15, "T\nU"), 16, 1, "#target must name exactly one node"),
    "source is a cell": (changed(EDGES, 13, "p"), 13, 1, "'p' is a cell of #positions"),
    "source is target": (changed(EDGES, 15, "S"), 15, 1, "'S' is both source and target"),
    "one end": (changed(EDGES, 9, "p"), 9, 1, "an edge has two ends"),
    "three ends": (changed(EDGES, 9, "p q r"), 9, 5, "an edge has two ends"),
    "loop": (changed(EDGES, 9, "p p"), 9, 3, "'p' cannot be its own neighbour"),
    "edge twice": (changed(EDGES, 10, "q p"), 10, 1, "this edge is given twice"),
    "border edge twice": (changed(EDGES, 9, "p S"), 9, 1, "this edge is given twice"),
    "edge to nowhere": (changed(EDGES, 9, "p x"), 9, 3, "cell 'x' is not declared"),
    "won already": (changed(EDGES, 9, "T S"), 9, 1, "Black has won already"),
}

BAD_SGF = {
    "empty": (" \n", 2, 1, "the file is empty; a game begins with (;"),
    "not SGF": ("hello world", 1, 1, "'hello' is no SGF"),
    "no node": ("(B[a1])", 1, 2, "a node must follow the (, not 'B[a1])'"),
    "not closed": (RECORD[:-2], 4, 7, "the end of the file is not expected"),
    "value not closed": ("(;GM[11]\nGN[x\\]", 2, 3, "this value of 'GN' has no end"),
    "no value": ("(;GM[11]SZ;B[a1])", 1, 11, "property 'SZ' has no value"),
    "no property": ("(;GM[11]7)", 1, 9, "'7)' is no property"),
    "small letters": ("(;GM[11]size[3])", 1, 9, "their names are capital letters"),
    "property twice": ("(;GM[11]SZ[3]SZ[3])", 1, 14, "property SZ is twice in this node"),
    "second game": ("(;GM[11])\n(;GM[11])", 2, 1, "a second game begins here"),
    "text behind": ("(;GM[11]))", 1, 10, "')' stands behind the end"),
    "node behind": ("(;GM[11](;B[a1]);W[a2])", 1, 17, "no node may follow a variation"),
    "old format": ("(;FF[3]GM[11])", 1, 5, "FF[3] is not understood"),
    "no game type": ("\n(;FF[4]SZ[3])", 2, 2, "GM is missing; write GM[11]"),
    "a game of Go": ("(;FF[4]GM[1])", 1, 10, "GM[1] is not understood"),
    "size is no number": (RECORD.replace("SZ[3]", "SZ[x]"), 1, 16, "the size 'x' is no number"),
    "not square": (RECORD.replace("SZ[3]", "SZ[3:4]"), 1, 16, "3 by 4 is not square"),
    "too small": (RECORD.replace("SZ[3]", "SZ[0]"), 1, 16, "at least one cell a side"),
    "too large": (RECORD.replace("SZ[3]", "SZ[999]"), 1, 16, "beyond the limit"),
    "two sizes": (RECORD.replace("SZ[3]", "SZ[3][4]"), 1, 19, "SZ takes one value, not 2"),
    "no cell": (changed(RECORD, 3, ";B[cc]"), 3, 3, "'cc' is no cell; write a letter"),
    "off the board": (changed(RECORD, 3, ";B[d1]"), 3, 3, "its last is c3"),
    "stone off the board": (RECORD.replace("AB[a1]", "AB[a1][b4]"), 2, 7, "no cell b4"),
    "stone twice": (RECORD.replace("AW[b2]", "AW[b2][A1]"), 2, 13, "a stone on a1 already"),
    "rectangle backwards": (RECORD.replace("AB[a1]", "AB[b3:a1]"), 2, 3, "runs backwards"),
    "no player": (RECORD.replace("PL[B]", "PL[Bob]"), 2, 15, "'Bob' is no player"),
    "wrong beginner": (RECORD.replace("PL[B]", "PL[W]"), 3, 3, "it is White's turn, not Black's"),
    "two moves in a row": (changed(RECORD, 4, ";B[c2])"), 4, 3, "it is White's turn"),
    "two moves in a node": (changed(RECORD, 3, ";B[c3]W[a2]"), 3, 7, "a node has one move"),
    "taken": (changed(RECORD, 4, ";W[c3])"), 4, 3, "move 2: c3 is taken"),
    "pass": (changed(RECORD, 4, ";W[pass])"), 4, 3, "no passing in Hex"),
    "empty move": (changed(RECORD, 4, ";W[])"), 4, 3, "no passing in Hex"),
    "after resigning": (changed(RECORD, 3, ";B[resign]"), 4, 3, "may follow a resignation"),
    "after the win": (
        *("(;GM[11]SZ[2];B[a1];W[b1];B[a2];W[b2])", 1, 34),
        "move 4: the game is over, Black has won",
    ),
    "swap with setup": (changed(RECORD, 4, ";W[swap-pieces])"), 4, 3, "from the empty board"),
    "swap too late": (
        *("(;GM[11]SZ[3];B[a1];W[b1];B[swap-sides])", 1, 28),
        "only the second move",
    ),
    "swap first": ("(;GM[11]SZ[3];B[swap-sides])", 1, 16, "only the second move"),
    "late setup": (changed(RECORD, 4, ";AW[c2])"), 4, 2, "AW changes the position"),
    "removed stones": (RECORD.replace("PL[B]", "AE[a1]"), 2, 13, "AE changes the position"),
}


@pytest.mark.parametrize(("text", "line", "column", "message"), BAD_PG.values(), ids=BAD_PG)
def test_a_wrong_pg_file(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(FileError, match=re.escape(message)) as caught:
        parse_pg(text, "wrong.pg")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("wrong.pg", line, column)


@pytest.mark.parametrize(("text", "line", "column", "message"), BAD_SGF.values(), ids=BAD_SGF)
def test_a_wrong_sgf_file(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(FileError, match=re.escape(message)) as caught:
        parse_sgf(text, "wrong.sgf")
    found = (caught.value.file, caught.value.line, caught.value.column)
    assert found == ("wrong.sgf", line, column)


@given(st.text(st.sampled_from("#%;()[]\\ \nABab19:tpositimes"), max_size=60))
def test_no_text_makes_a_reader_stumble(text: str) -> None:
    for parse in (parse_pg, parse_sgf):
        for sample in (text, SETS + text, RECORD[:-2] + text):
            try:
                parse(sample)
            except FileError as error:
                assert error.line >= 1  # noqa: PT017
