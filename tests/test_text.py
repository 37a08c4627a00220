"""Positions as text: small boards, exactly as they are drawn."""

from __future__ import annotations

import pytest

from pictures import EXAMPLES, advanced, drawing, of_class, on
from skolemate.games import (
    Connection,
    Cube,
    Graph,
    Grid,
    PositionalGame,
)
from skolemate.games.family import build
from skolemate.render import svg, text
from skolemate.render.layout import side_owners


def test_tic_tac_toe_marks_the_last_move() -> None:
    game = build("tictactoe(moves=b2 a1 c3)")
    assert text(game.start, last=game.played[-1]) == drawing(
        """
          a b c
        1 O . .
        2 . X .
        3 . .[X]
        """
    )


def test_the_text_of_a_position_is_its_drawing() -> None:
    position = build("tictactoe(moves=a3)").start
    assert str(position) == "  a b c\n1 . . .\n2 . . .\n3 X . ."


def test_highlighted_cells_and_stones() -> None:
    game = build("tictactoe(moves=a1 b1 b2 c1 c3)")
    cell = game.board.cell
    highlights = [cell(name) for name in ("a1", "b2", "c3", "a3")]
    assert text(game.start, last=cell("c3"), highlights=highlights) == drawing(
        """
          a  b  c
        1 X* O  O
        2 .  X* .
        3 *  . [X*]
        """
    )


def test_numbers_follow_the_stones() -> None:
    game = build("tictactoe(moves=b2 a1)")
    numbers = {move: 9 + index for index, move in enumerate(game.played)}
    assert text(game.start, numbers=numbers) == drawing(
        """
          a   b   c
        1 O10 .   .
        2 .   X9  .
        3 .   .   .
        """
    )


def test_hex_is_a_rhombus_with_the_owners_at_its_sides() -> None:
    game = build("hex(size=3, moves=b2 a3)")
    assert text(game.start, last=game.played[-1], highlights=["c1"]) == drawing(
        r"""
              a b c
            ---X---
        1   \ . . * \
         2 O \ . X . \ O
          3   \[O]. . \
                ---X---
        """
    )


def test_swapped_hex_has_its_sides_exchanged() -> None:
    assert text(build("hex(size=3, moves=b2)").swapped().start) == drawing(
        r"""
              a b c
            ---O---
        1   \ . . . \
         2 X \ . O . \ X
          3   \ . . . \
                ---O---
        """
    )


def test_rows_of_a_rhombus_shift_by_half_a_cell_however_wide_the_cells() -> None:
    game = build("hex(size=2, moves=a1)")
    assert text(game.start, highlights=[0], last=0) == drawing(
        r"""
              a   b
            ----X----
        1   \[X*] .   \
          2 O \ .   .   \ O
                  ----X----
        """
    )


def test_a_torus_shows_that_its_edges_are_joined() -> None:
    game = on(Grid(3, 2, torus=True), "a1 c2")
    assert text(game.start, last=game.played[0]) == drawing(
        """
            a b c
            ~ ~ ~
        1 ~[X]. . ~
        2 ~ . . O ~
            ~ ~ ~
        """
    )


def test_a_move_of_two_neighbouring_cells_shares_a_bracket(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As when a piece steps from a1 to b1; no game does so yet."""
    monkeypatch.setattr(PositionalGame, "move_cells", lambda game, move, player: (0, 3))
    position = build("tictactoe(moves=b1)").start
    assert text(position, last=3).splitlines()[1] == "1[.|X]."
    assert len(of_class(svg(position, last=3), "last")) == 2


def test_a_cube_is_drawn_in_layers() -> None:
    game = on(Cube(2), "a2.1 b1.2")
    assert text(game.start, last=game.played[-1]) == drawing(
        """
          layer 1     layer 2
          a b         a b
        1 . .       1 .[O]
        2 X .       2 . .
        """
    )


def test_many_layers_are_wrapped() -> None:
    lines = text(on(Cube(9)).start).splitlines()
    assert max(map(len, lines)) <= 80
    assert [" ".join(line.split()) for line in lines if "layer" in line] == [
        "layer 1 layer 2 layer 3",
        "layer 4 layer 5 layer 6",
        "layer 7 layer 8 layer 9",
    ]


def test_a_graph_with_coordinates_is_placed_by_them() -> None:
    game = on(Graph.of(["c3", "d3", "e4", "c5"]), "d3 e4")
    assert text(game.start, last=game.played[-1]) == drawing(
        """
          c d e
        3 . X
        4    [O]
        5 .
        """
    )


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["p", "a1"], id="a name that is no coordinate"),
        pytest.param(["a1", "A1"], id="two names of one place"),
        pytest.param(["a1", "zzz999"], id="places too far apart"),
    ],
)
def test_any_other_graph_is_a_list(names: list[str]) -> None:
    first, second = names
    position = on(Graph.of(names), first).start
    assert text(position, last=0, highlights=[1]) == f"{first}:[X] {second}:*"


def test_lists_are_wrapped_between_cells() -> None:
    names = [f"cell-number-{number}" for number in range(40)]
    lines = text(on(Graph.of(names)).start).splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= 80
    assert " ".join(lines).split() == [f"{name}:." for name in names]


def test_borders_that_are_no_sides_are_told_in_words() -> None:
    board = Graph.of("stuv", [("s", "t"), ("t", "u"), ("u", "v")])
    goal = Connection.of(board.neighbours, board.cells("s"), board.cells("u v"))
    assert text(on(board, "t", goal).start) == "s:. t:X u:. v:.\nBlack joins s to u v."


def test_wide_and_high_boards_stay_aligned() -> None:
    lines = text(build("mnk(m=30, n=11, k=3, moves=ad11)").start, last=29 * 11 + 10).splitlines()
    header, last_row = lines[0], lines[-1]
    assert header.split()[-2:] == ["ac", "ad"]
    assert last_row[header.index("ad")] == "X"
    assert [line[:2] for line in lines[1:]] == [f"{row:>2}" for row in range(1, 12)]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_text_shows_all_stones_and_has_no_trailing_blanks(name: str) -> None:
    position = advanced(build(name).start, 3)
    picture = text(position)
    assert picture.isascii()
    assert all(line == line.rstrip() for line in picture.splitlines())
    sides = side_owners(position.game)
    per_player = 2 if sides.rows else 0  # the letters at the sides of a Hex board
    assert picture.count("X") == position.black.bit_count() + per_player
    assert picture.count("O") == position.white.bit_count() + per_player


def test_cells_beyond_the_board_are_refused() -> None:
    position = build("tictactoe").start
    with pytest.raises(ValueError, match="cell 9 is marked on a board of 9 cells"):
        text(position, highlights=[9])
    with pytest.raises(ValueError, match="cell -1"):
        svg(position, arrows=[(0, -1)])


def test_layers_fit_a_narrow_window() -> None:
    start = build("qubic").start
    wide, narrow = text(start), text(start, width=30)
    assert max(map(len, narrow.splitlines())) <= 30 < max(map(len, wide.splitlines()))
    assert sorted(wide.split()) == sorted(narrow.split())
