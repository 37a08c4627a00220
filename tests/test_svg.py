"""Positions as SVG: what every picture must contain."""

from __future__ import annotations

import pytest

from pictures import EXAMPLES, NAMESPACE, advanced, centre, of_class, on, parsed, words
from skolemate.api import oracle
from skolemate.cli import main
from skolemate.games import (
    Connection,
    Cube,
    Graph,
    Grid,
    HexGrid,
    Player,
)
from skolemate.games.family import build
from skolemate.games.symmetry import cells_of
from skolemate.render import svg
from skolemate.render.layout import Point, Sides, layout_of, side_owners


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_family_has_a_picture(name: str) -> None:
    position = advanced(build(name).start, 3)
    picture = svg(position)
    root = parsed(picture)
    assert root.tag == f"{NAMESPACE}svg"
    assert root.get("role") == "img"
    assert words(picture, "title").startswith(f"{position.game.name}: ")
    # On a torus stones are drawn once more beyond the edges, and cells too.
    ghosts = layout_of(position.game.board).ghosts
    copies = {
        player: sum(position.stones(player) >> cell & 1 for cell, _ in ghosts) for player in Player
    }
    for player in Player:
        stones = position.stones(player).bit_count() + copies[player]
        assert len(of_class(picture, "stone", player.value)) == stones
    assert len(of_class(picture, "cell")) == position.game.board.size + len(ghosts)
    # A page finds each cell by its name, and only the cell itself.
    named = [cell.get("data-cell") for cell in of_class(picture, "cell")]
    assert [name for name in named if name is not None] == list(position.game.board.names)


def assert_nothing_is_clipped(picture: str) -> None:
    x, y, width, height = map(float, parsed(picture).attrib["viewBox"].split())
    for polygon in parsed(picture).iter(f"{NAMESPACE}polygon"):
        for point in polygon.attrib["points"].split():
            left, top = map(float, point.split(","))
            assert x < left < x + width
            assert y < top < y + height
    for label in parsed(picture).iter(f"{NAMESPACE}text"):
        extent = 7.5 * len(label.text or "")  # at 13 pixels a letter is rarely wider
        before = {"start": 0.0, "middle": 0.5, "end": 1.0}[label.attrib["text-anchor"]]
        left = float(label.attrib["x"]) - before * extent
        assert x < left
        assert left + extent < x + width
        assert y < float(label.attrib["y"]) - 12
        assert float(label.attrib["y"]) + 4 < y + height


@pytest.mark.parametrize("name", EXAMPLES)
def test_nothing_is_clipped(name: str) -> None:
    assert_nothing_is_clipped(svg(build(name).start))


def test_long_names_are_not_clipped() -> None:
    names = [f"a rather long name {number}" for number in range(6)]
    assert_nothing_is_clipped(svg(on(Graph.of(names)).start))


def test_many_layers_are_not_a_long_strip() -> None:
    def shape(side: int) -> float:
        *_, width, height = map(float, parsed(svg(on(Cube(side)).start)).attrib["viewBox"].split())
        return width / height

    assert shape(3) > 2
    assert shape(4) < 1


def test_a_picture_says_what_it_shows() -> None:
    game = build("tictactoe(moves=a1 b2 c3)")
    picture = svg(game.start)
    assert words(picture, "title") == "tictactoe: White to move"
    assert words(picture, "desc") == "Black: a1 c3. White: b2. White to move."


def test_the_description_tells_the_marks() -> None:
    game = build("hex(size=3, moves=b2)")
    cell = game.board.cell
    picture = svg(
        game.start,
        last=cell("b2"),
        highlights=[cell("c3"), cell("a2")],
        numbers={cell("b2"): 1},
        arrows=[(cell("b2"), cell("c1"))],
    )
    assert words(picture, "desc") == (
        "Black: b2. White: no stones. White to move. "
        "Black joins top and bottom. White joins left and right. "
        "Last move: b2. Highlighted: a2 c3. Numbers: 1 on b2. Arrows: b2 to c1."
    )


def test_a_won_and_a_drawn_game_say_so() -> None:
    won = svg(build("tictactoe(moves=a1 b1 a2 b2 a3)").start)
    drawn = svg(build("tictactoe(moves=a1 b2 c3 b1 b3 a3 c1 c2 a2)").start)
    assert words(won, "title") == "tictactoe: Black has won"
    assert words(drawn, "title") == "tictactoe: a draw"


def test_marks_are_drawn_where_they_belong() -> None:
    game = build("tictactoe(moves=b2 a1)")
    centres = layout_of(game.board).centres
    cell = game.board.cell
    numbers = {cell("b2"): 17, cell("c3"): 4}
    plain = svg(game.start)
    picture = svg(game.start, last="a1", highlights=["c3"], numbers=numbers)

    (ring,) = of_class(picture, "last")
    assert centre(ring) == centres[cell("a1")]
    (highlight,) = of_class(picture, "cell", "highlight")
    assert highlight.attrib["data-cell"] == "c3"
    assert [number.text for number in of_class(picture, "number")] == ["17", "4"]
    assert [number.text for number in of_class(picture, "number", "black")] == ["17"]
    assert not any(of_class(plain, kind) for kind in ("last", "highlight", "number", "arrow"))


def test_arrows_point_from_the_first_cell_to_the_second() -> None:
    game = build("tictactoe")
    a1, c1 = game.board.cell("a1"), game.board.cell("c1")
    start, end = (layout_of(game.board).centres[cell] for cell in (a1, c1))
    (arrow,) = of_class(svg(game.start, arrows=[(a1, c1)]), "arrow")
    points = [tuple(map(float, point.split(","))) for point in arrow.attrib["points"].split()]
    tip = max(points)
    assert tip[1] == start.y == end.y
    assert start.x < min(points)[0] < tip[0] <= end.x
    # The head is the widest part, and near the tip.
    assert max(points, key=lambda point: point[1])[0] > (start.x + end.x) / 2

    (loop,) = of_class(svg(game.start, arrows=[(a1, a1)]), "arrow")
    assert centre(loop) == start


def test_sides_of_hex_have_their_owners_colours() -> None:
    game = build("hex(size=3)")
    assert side_owners(game) == Sides(rows=Player.BLACK, columns=Player.WHITE)
    assert side_owners(game.swapped()) == Sides(rows=Player.WHITE, columns=Player.BLACK)

    def horizontal(picture: str, player: Player) -> list[bool]:
        """For each side of a player, whether its outer line is horizontal."""
        outlines = [
            side.attrib["points"].split() for side in of_class(picture, "side", player.value)
        ]
        return [a.split(",")[1] == b.split(",")[1] for a, b, *_ in outlines]

    assert horizontal(svg(game.start), Player.BLACK) == [True, True]
    assert horizontal(svg(game.start), Player.WHITE) == [False, False]
    assert horizontal(svg(game.swapped().start), Player.WHITE) == [True, True]


def test_a_single_hexagon_has_two_sides_of_each_colour() -> None:
    assert side_owners(build("hex(size=1)")) == Sides(rows=Player.BLACK, columns=Player.WHITE)


def test_hexagons_touch_exactly_their_neighbours() -> None:
    board = HexGrid(4, 3)
    layout = layout_of(board)
    contours = [
        {(round(x, 3), round(y, 3)) for x, y in layout.around(centre)} for centre in layout.centres
    ]
    for cell, contour in enumerate(contours):
        # Two hexagons with a common side have two common corners.
        touching = [c for c, other in enumerate(contours) if len(contour & other) == 2]
        assert touching == list(board.neighbours[cell])


def test_a_torus_repeats_the_opposite_edges() -> None:
    board = Grid(3, 3, torus=True)
    layout = layout_of(board)
    beyond = {place: board.names[cell] for cell, place in layout.ghosts}
    assert len(layout.ghosts) == len(beyond) == 5 * 5 - 3 * 3
    a1 = layout.centres[board.cell("a1")]
    step = layout.centres[board.cell("b1")].x - a1.x
    assert beyond[Point(a1.x - step, a1.y)] == "c1"
    assert beyond[Point(a1.x, a1.y - step)] == "a3"
    assert not layout_of(Grid(3, 3)).ghosts


def test_a_graph_has_nodes_edges_and_borders() -> None:
    board = Graph.of("stuv", [("s", "t"), ("t", "u"), ("u", "v"), ("s", "v")])
    goal = Connection.of(board.neighbours, board.cells("s"), board.cells("u v"))
    game = on(board, "t", goal)
    picture = svg(game.start)
    centres = layout_of(board).centres
    assert len(set(centres)) == 4
    assert len(of_class(picture, "edge")) == 4
    rounded = {(round(x, 2), round(y, 2)): board.names[c] for c, (x, y) in enumerate(centres)}
    for end, names in (("from", ["s"]), ("to", ["u", "v"])):
        rings = of_class(picture, "border", "black", end)
        assert [rounded[centre(ring)] for ring in rings] == names
    assert "Black joins s to u v." in words(picture, "desc")


def test_borders_on_squares_are_dots() -> None:
    board = Grid(3, 3)
    goal = Connection.of(board.neighbours, board.cells("a1 b1 c1"), board.cells("a3 b3 c3"))
    assert len(of_class(svg(on(board, "", goal).start), "dot", "black")) == 6


def test_edges_keep_off_the_cells_in_between() -> None:
    board = Graph.of(["a1", "a2", "a3"], [("a1", "a2"), ("a1", "a3")])
    straight, bent = layout_of(board).edges
    assert straight.towards.x == straight.start.x == straight.end.x
    assert bent.towards.x != bent.start.x == bent.end.x


def test_strange_names_are_escaped() -> None:
    names = ["<a&b>", '"quoted"', "bell\x07", "it's"]
    game = on(Graph.of(names), "").renamed("<game> & \x00")
    picture = svg(game.after([0]).start)
    assert words(picture, "title") == "<game> & \ufffd: White to move"
    assert words(picture, "desc").startswith("Black: <a&b>.")
    shown = ["<a&b>", '"quoted"', "bell\ufffd", "it's"]
    assert [cell.attrib["data-cell"] for cell in of_class(picture, "cell")] == shown
    assert [label.text for label in parsed(picture).iter(f"{NAMESPACE}text")] == shown


def test_pictures_can_share_a_page() -> None:
    """No ids that could clash, no rule that reaches beyond the picture."""
    game = build("hex(size=3, moves=b2)")
    picture = svg(game.start, last=4, arrows=[(0, 4)], numbers={4: 1}, highlights=[1])
    assert not [element for element in parsed(picture).iter() if "id" in element.attrib]
    rules = [line.strip() for line in words(picture, "style").splitlines() if line.strip()]
    assert rules
    assert all(rule.startswith(".skolemate ") for rule in rules)


def test_the_same_position_gives_the_same_bytes() -> None:
    def picture(highlights: list[int]) -> str:
        game = build("gomoku(size=9, moves=e5 d4)")
        return svg(game.start, last=game.played[-1], highlights=highlights, numbers={40: 1, 30: 2})

    assert picture([3, 77, 41]) == picture([77, 41, 3])


def test_size_is_the_longer_side() -> None:
    root = parsed(svg(build("mnk(m=6, n=2, k=2)").start, size=500))
    *_, width, height = map(float, root.attrib["viewBox"].split())
    assert float(root.attrib["width"]) == 500
    assert float(root.attrib["height"]) == pytest.approx(500 * height / width, abs=0.01)


def test_the_winning_set_can_be_highlighted() -> None:
    game = build("hex(size=3, moves=b1 a1 b2 a2 b3)")
    path = game.connection().witness(game.start.black)
    assert path is not None
    picture = svg(game.start, highlights=cells_of(path))
    names = [cell.attrib["data-cell"] for cell in of_class(picture, "highlight")]
    assert names == ["b1", "b2", "b3"]
    assert words(picture, "title") == "hex(size=3): Black has won"


def test_a_notebook_shows_what_the_command_draws(capsys: pytest.CaptureFixture[str]) -> None:
    game = build("hein(9, moves=b2 b3)")
    assert main(["show", str(game), "--svg", "-"]) == 0
    picture = game._repr_svg_()
    assert picture + "\n" == capsys.readouterr().out
    assert "Last move: b3. Numbers: 1 on b2, 2 on b3." in words(picture, "desc")


def test_a_notebook_shows_an_answer_with_its_moves() -> None:
    shown = oracle("hein(9)", 7)._repr_html_()
    sentence, _, picture = shown.partition("</p>")
    assert sentence == "<p>hein(9): Black wins within 7 plies."
    assert "Highlighted: b2." in words(picture, "desc")
    nothing = oracle("hein(9)", 5)._repr_html_().partition("</p>")[2]
    assert "Highlighted" not in words(nothing, "desc")
    won = oracle("tictactoe(moves=a1 b1 a2 b2 a3)", 0)._repr_html_().partition("</p>")[2]
    assert "Highlighted: a1 a2 a3." in words(won, "desc")
