"""Boards: names, neighbours, symmetries; polyominoes; schedules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skolemate.errors import UserError
from skolemate.games import Board, Cube, Graph, Grid, HexGrid, Player
from skolemate.games.board import cell_name, parse_cell, rectangle
from skolemate.games.game import continued, turns
from skolemate.games.goals import SHAPES, Shape, fitting, polyominoes
from skolemate.games.symmetry import cells_of, mask_of

PETERSEN = Graph.of(
    [str(i) for i in range(10)],
    [(str(i), str((i + 1) % 5)) for i in range(5)]
    + [(str(i), str(i + 5)) for i in range(5)]
    + [(str(5 + i), str(5 + (i + 2) % 5)) for i in range(5)],
)
BOARDS = [
    (Grid(3, 3), 8),
    (Grid(5, 4), 4),
    (Grid(1, 1), 1),
    (Grid(4, 4, torus=True), 128),
    (Grid(5, 3, torus=True), 60),
    (Grid(21, 20, torus=True), 4),  # too large for its shifts
    (HexGrid(4, 4), 4),
    (HexGrid(3, 5), 2),
    (Cube(2), 48),
    (Cube(3), 48),
    (PETERSEN, 120),
    (Graph.of("abc", [("a", "b")]), 2),
    (Graph.of([str(i) for i in range(9)], [("0", str(i)) for i in range(1, 9)]), None),
]


@pytest.mark.parametrize(("board", "symmetries"), BOARDS, ids=[repr(b)[:30] for b, _ in BOARDS])
def test_every_board(board: Board, symmetries: int | None) -> None:
    assert [board.cell(name) for name in board.names] == list(range(board.size))
    for cell, near in enumerate(board.neighbours):
        assert cell not in near
        assert list(near) == sorted(set(near))
        assert all(cell in board.neighbours[other] for other in near)
    for permutation in board.symmetries:
        assert sorted(permutation) == list(range(board.size))
        for cell in range(board.size):
            images = {permutation[near] for near in board.neighbours[cell]}
            assert images == set(board.neighbours[permutation[cell]])
    if symmetries is not None:
        assert len(set(board.symmetries)) == len(board.symmetries) == symmetries


def test_a_huge_group_is_given_by_generators() -> None:
    star = BOARDS[-1][0]  # eight leaves: 40,320 symmetries
    assert len(star.symmetries) < 40
    from skolemate.games.symmetry import orbits

    assert orbits(9, star.symmetries) == [[0], [1, 2, 3, 4, 5, 6, 7, 8]]


def test_the_cube_of_side_four_keeps_lines_not_neighbours() -> None:
    from skolemate.games.families.placing import straight_lines

    board = Cube(4)
    lines = straight_lines(board.places, board.at, 4)
    assert len(set(board.symmetries)) == 192
    assert all(lines.mapped(p) == lines for p in board.symmetries)


def test_coordinates() -> None:
    assert Grid(3, 2).names == ("a1", "a2", "b1", "b2", "c1", "c2")
    assert Grid(28, 1).names[-3:] == ("z1", "aa1", "ab1")
    assert Cube(4).names[:5] == ("a1.1", "a1.2", "a1.3", "a1.4", "a2.1")
    with pytest.raises(UserError, match="no cell 'd1' on this board; its cells run from a1 to c2"):
        Grid(3, 2).cell("d1")


@given(st.integers(0, 20000), st.integers(0, 20000))
def test_cell_names_round_trip(column: int, row: int) -> None:
    assert parse_cell(cell_name(column, row)) == (column, row)


@given(st.integers(1, 6), st.integers(1, 6))
def test_a_rectangle_is_recognised_in_any_order(width: int, height: int) -> None:
    names = Grid(width, height).names
    assert rectangle(reversed(names)) == (width, height)
    if len(names) > 3 and width > 1 and height > 1:
        assert rectangle(names[1:]) is None


@given(st.sets(st.integers(0, 400)))
def test_masks_round_trip(cells: set[int]) -> None:
    assert set(cells_of(mask_of(cells))) == cells


def test_free_polyominoes() -> None:
    assert [len(polyominoes(n)) for n in range(1, 7)] == [1, 1, 2, 5, 12, 35]
    named = [Shape.parse(name) for name in SHAPES]
    assert len(set(named)) == len(SHAPES)
    assert {shape for shape in named if len(shape) == 5} == set(polyominoes(5))
    assert [len(fitting(4, [n])) for n in range(2, 7)] == [1, 2, 5, 11, 29]


@pytest.mark.parametrize(
    ("shape", "picture"),
    [
        ("el", "X./XX"),
        ("elly", "X../XXX"),
        ("knobby", "XXX/.X."),
        ("tippy", "XX./.XX"),
        ("f", ".XX/XX./.X."),
        ("l", "X./X./X./XX"),
        ("n", "XX../.XXX"),
        ("p", "XX/XX/X."),
        ("t", "XXX/.X./.X."),
        ("u", "X.X/XXX"),
        ("v", "X../X../XXX"),
        ("w", "X../XX./.XX"),
        ("x", ".X./XXX/.X."),
        ("y", "XXXX/.X.."),
        ("z", "XX./.X./.XX"),
        ("snaky", "XXXX./...XX"),
    ],
)
def test_shapes_look_like_their_names(shape: str, picture: str) -> None:
    rows = picture.split("/")
    cells = [(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "X"]
    assert Shape.of(cells) == Shape.parse(shape)


def test_every_free_polyomino_has_a_string() -> None:
    for cells in range(1, 7):
        for shape in polyominoes(cells):
            assert Shape.parse(str(shape)) == shape


def players(word: str) -> tuple[Player, ...]:
    return tuple(Player.BLACK if letter == "b" else Player.WHITE for letter in word)


@pytest.mark.parametrize(
    ("given_turns", "carried_on"),
    [
        ("bwb", "bwbwbwbw"),
        ("wbw", "wbwbwbwb"),
        ("bwwb", "bwwbbwwb"),
        ("bbwwb", "bbwwbbww"),
        ("bbwb", "bbwbwbwb"),
        ("b", "bwbwbwbw"),  # one stone each: the players alternate
        ("bw", "bwbwbwbw"),
        ("bbww", "bbww"),  # no whole turn tells how it goes on: the game ends with the last turn
        ("bwwbw", "bwwbw"),  # irregular
        ("bwbb", "bwbb"),
        ("", ""),
    ],
)
def test_schedules_of_files_are_carried_on(given_turns: str, carried_on: str) -> None:
    assert continued(players(given_turns), 8) == players(carried_on)


@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 20), st.integers(0, 20))
def test_a_schedule_cut_after_two_turns_is_restored(p: int, q: int, length: int, cut: int) -> None:
    whole = turns(length, p, q)
    part = whole[: max(cut, q + p + 1)]
    assert continued(part, length) == whole
