"""Families: their sets are those of the definition, their winners those of the literature."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from skolemate import Outcome, value
from skolemate.errors import UserError
from skolemate.formats import parse_game
from skolemate.games import Game, Player, PositionalGame
from skolemate.games.family import build

BLACK, WHITE = Player.BLACK, Player.WHITE


# By the literature (Sim: Simmons 1969; Rex: Lagarias and Sleator 1999; planes: Carroll and
# Dougherty 2004; tic-tac-toe misère: Gardner) or, where plies are told, by the oracle as well.
KNOWN = {
    "tictactoe(misere=true)": None,
    "sim(n=5)": None,
    "sim(n=6)": WHITE,
    "hex(size=2, misere=true)": BLACK,
    "hex(size=3, misere=true)": WHITE,
    "hex(size=4, misere=true)": BLACK,
    "plane(q=2)": BLACK,
    "plane(q=3)": BLACK,
    "plane(q=4)": BLACK,
    "plane(q=2, kind=projective)": BLACK,
    "plane(q=3, kind=projective)": None,
    "cube(n=3, d=2)": None,
    "cube(n=3, d=3)": BLACK,
    "clique(n=5, k=3)": BLACK,
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_games_have_the_winner_of_the_literature(name: str) -> None:
    assert value(name).winner is KNOWN[name]


@pytest.mark.parametrize(("q", "kind"), [(q, k) for q in (2, 3, 4, 5, 7, 8, 9) for k in "ap"])
def test_two_points_of_a_plane_are_on_one_line(q: int, kind: str) -> None:
    kind = {"a": "affine", "p": "projective"}[kind]
    game = build(f"plane(q={q}, kind={kind})")
    assert isinstance(game, PositionalGame)
    assert game.black_goal is not None
    lines = game.black_goal.listed or ()
    points = q * q + (kind == "projective") * (q + 1)
    assert game.board.size == points
    assert len(lines) == q * q + q + (kind == "projective")
    assert {line.bit_count() for line in lines} == {q + (kind == "projective")}
    joined = Counter(
        (a, b)
        for line in lines
        for b in range(points)
        for a in range(b)
        if line >> a & line >> b & 1
    )
    assert set(joined.values()) == {1}
    assert len(joined) == points * (points - 1) // 2


def test_other_families_have_their_sets() -> None:
    counted = {
        "sim(n=6)": (15, 20),
        "clique(n=6, k=4)": (15, 15),
        "vdw(n=9, k=3)": (9, 16),
        "vdw(n=5, k=2)": (5, 10),
        "cube(n=3, d=3)": (27, 49),  # ((n + 2)^d - n^d) / 2
        "cube(n=3, d=4)": (81, 272),
        "cube(n=2, d=4)": (16, 120),
        "cube(n=4, d=1)": (4, 1),
    }
    for name, sizes in counted.items():
        game = build(name)
        assert isinstance(game, PositionalGame)
        assert game.black_goal is not None
        assert (game.board.size, len(game.black_goal.listed or ())) == sizes
    for wrong in ("sim(2)", "clique(n=10, k=3)", "vdw(n=3, k=4)", "cube(1)", "plane(6)"):
        with pytest.raises(UserError):
            build(wrong)


# --- who cannot move loses ------------------------------------------------------------------------


Cell = tuple[int, int]
Stones = frozenset[Cell]


def beside(cell: Cell) -> Stones:
    x, y = cell
    return frozenset({(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)})


def outcome(name: str, width: int, height: int) -> tuple[bool, int]:
    """Whether the first player wins, and in how many plies, by a search that knows the rules."""
    cells = frozenset((x, y) for x in range(width) for y in range(height))

    def after(own: Stones, other: Stones) -> list[tuple[Stones, Stones]]:
        if name == "clobber":
            moves = [(one, two) for one in own for two in beside(one) & other]
            return [(other - {two}, own - {one} | {two}) for one, two in moves]
        forbidden = own if name == "col" else other
        free = (cell for cell in cells - own - other if not beside(cell) & forbidden)
        return [(other, own | {cell}) for cell in free]

    @cache
    def best(own: Stones, other: Stones) -> tuple[bool, int]:
        ends = [best(*stones) for stones in after(own, other)]
        wins = [plies for won, plies in ends if not won]
        return (True, 1 + min(wins)) if wins else (False, 1 + max((p for _, p in ends), default=0))

    even = frozenset(cell for cell in cells if sum(cell) % 2 == 0)
    return best(even, cells - even) if name == "clobber" else best(frozenset(), frozenset())


@pytest.mark.parametrize("name", ["col", "snort", "clobber"])
def test_games_of_no_move_left_have_the_winner_of_a_brute_force(name: str) -> None:
    for width, height in [(1, 1), (2, 1), (1, 3), (2, 2), (4, 1), (3, 2), (3, 3), (4, 3), (3, 4)]:
        found = value(f"{name}(width={width}, height={height})")
        assert (found.winner is BLACK, found.plies) == outcome(name, width, height)


def notakto(width: int, height: int) -> tuple[bool, int]:
    """Whether the first player wins Notakto, and in how many plies, by a search of its own."""
    cells = frozenset((x, y) for x in range(width) for y in range(height))
    lines = [
        {(x + i * dx, y + i * dy) for i in range(3)}
        for x, y in cells
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    ]

    @cache
    def best(crosses: Stones) -> tuple[bool, int]:
        """For the player to move, whose opponent has moved last."""
        if any(line <= crosses for line in lines):
            return True, 0
        ends = [best(crosses | {cell}) for cell in cells - crosses]
        if not ends:
            return False, 1
        wins = [plies for won, plies in ends if not won]
        return (True, 1 + min(wins)) if wins else (False, 1 + max(plies for _, plies in ends))

    return best(frozenset())


def test_notakto_has_the_winner_of_a_brute_force() -> None:
    assert notakto(3, 3) == (True, 6)  # the first player, in the centre
    for width, height in [(3, 1), (3, 2), (2, 3), (3, 3), (4, 3)]:
        found = value(f"notakto(k=3, width={width}, height={height})")
        assert (found.winner is BLACK, found.plies) == notakto(width, height)


# --- drawn boards and graphs ----------------------------------------------------------------------


def listed(game: Game) -> tuple[int, ...]:
    """The sets that Black may complete."""
    goal = game.completes(BLACK)
    return (goal and goal.listed) or ()


def test_a_whole_drawing_is_the_board_itself() -> None:
    for drawn, plain in [
        ("mnk(k=3, board=.../.../...)", "tictactoe"),
        ("harary(shape=el, board=../../..)", "harary(shape=el, width=2, height=3)"),
        ("hex(board=.../X.O)", "hex(width=3, height=2, black=a2, white=c2)"),
        ("domination(board=../..)", "domination(width=2, height=2)"),
    ]:
        assert build(drawn) == build(plain)


def test_lines_and_paths_do_not_cross_holes() -> None:
    game = build("mnk(k=3, board=.#..#.../....)")
    assert [game.board.named(line) for line in listed(game)] == ["a2 b2 c2", "b2 c2 d2", "f1 g1 h1"]
    game = build("hex(board=.../###/...)")
    assert not game.offers("transversal")
    assert not listed(game)  # top and bottom are cut off
    assert value(game).outcome is Outcome.DRAW
    assert str(build("hex(board=..#/...)").board) == "a 3x2 Hex board with 1 hole"
    assert build("mnk(k=3, board=..../.#)") == build("mnk(k=3, board=..../.###)")


def test_a_rectangle_of_hex_is_won_by_who_has_the_shorter_way() -> None:
    for width, height in [(2, 3), (3, 2), (4, 3), (3, 4), (4, 2)]:
        shorter = BLACK if height < width else WHITE
        for first in Player:
            game = f"hex(width={width}, height={height}, first={first.value})"
            assert value(game).winner is shorter


def test_one_of_several_shapes_is_enough() -> None:
    several = build("harary(shape=tic el, width=3, height=3)")
    assert several == build("harary(shape=el tic, width=3, height=3)")
    el, tic = (build(f"harary(shape={shape}, width=3, height=3)") for shape in ("el", "tic"))
    assert set(listed(several)) == {*listed(el), *listed(tic)}
    assert not several.offers("shape")


# Trees and cycles by Duchêne, Gledel, Parreau and Renault (2020): with a perfect matching the
# Dominator wins whoever begins, and on a star only if he begins.
GRAPHS = {
    "a b\nb c\nc d\n": (WHITE, WHITE),
    "c a star\np edge 4 3\ne 1 2\ne 1 3\ne 1 4\n": (BLACK, WHITE),
    "# a triangle\n1 2\n2 3\n3 1\n": (WHITE, WHITE),
    "% two vertices alone\np edge 2 0\n": (BLACK, BLACK),
}


@pytest.mark.parametrize("graph", GRAPHS)
def test_domination_on_graphs_in_files(graph: str) -> None:
    game = parse_game("graph.col", graph)
    begun = (game, game.set_up("", "", WHITE))
    assert tuple(value(each).winner for each in begun) == GRAPHS[graph]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("w.col", "a b c d\n", "w.col:1:1: an edge is two vertices"),
        ("w.col", "a b\nb b\n", "w.col:2:1: an edge joins b with itself"),
        ("w.col", "a b,\n", "w.col:1:3: 'b,' is not a name of a vertex"),
        ("w.col", "p edge many 2\n", "write the line as in: p edge 3 2"),
        ("w.col", "p edge 99999 2\n", "more than 10,000 vertices"),
        ("w.col", "% nothing\n", "no vertex"),
        ("w.board", "hex\n", "the rows of its board are missing"),
        ("w.board", "hein(9)\n...\n", "use one of domination, gttt, harary, hex, mnk"),
        ("w.board", "hex\n.a.\n", "'A' in the board '.a.' is neither an open cell"),
        ("w.board", "hex\n##\n", "has no cells"),
        ("w.board", "hex(size=3)\n...\n", "board and size cannot be combined"),
    ],
)
def test_wrong_drawings_and_graphs_say_what_is_wrong(name: str, text: str, message: str) -> None:
    with pytest.raises(UserError) as wrong:
        parse_game(name, text)
    assert message in str(wrong.value)


def test_a_drawn_board_is_read_by_suffix_and_by_content() -> None:
    text = "% mine\nharary(shape=el, first=white)\n. . #\n. X .\n"
    for name in ("mine.board", "mine.txt"):
        assert parse_game(name, text) == build("harary(shape=el, board=..#/.X., first=white)")
