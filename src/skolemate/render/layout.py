"""What all drawings share: the geometry of every kind of board, marks, and the owners of borders.

Nothing is drawn here, and no colour is chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, cos, gcd, hypot, pi, sin, sqrt
from typing import NamedTuple

from skolemate.games import board as boards
from skolemate.games.game import Game, Move, Player, Position
from skolemate.games.goals import Connection

# --- geometry -------------------------------------------------------------------------------------
# In pixels, y downwards.


PITCH = 40.0  # the distance of neighbouring cells
LETTER_WIDTH = 8.0  # of a label's letter, rather too wide than too narrow: fonts differ
LABEL_HEIGHT = 16.0


class Point(NamedTuple):
    x: float
    y: float


@dataclass(frozen=True)
class Label:
    """A text around the board; `side` says where it lies: -1 left of its point, 1 right of it."""

    at: Point
    words: str
    side: int = 0

    @property
    def span(self) -> tuple[float, float]:
        """How far the text reaches to the left and to the right, about."""
        width = LETTER_WIDTH * len(self.words)
        left = self.at.x - width * (1 - self.side) / 2
        return left, left + width


@dataclass(frozen=True)
class Edge:
    """A line between two cells, drawn towards a third point as a quadratic curve.

    With that point in the middle it is straight; elsewhere, it keeps off other cells.
    """

    start: Point
    end: Point
    towards: Point


@dataclass(frozen=True)
class Side:
    """One of the four sides of a Hex board."""

    outline: tuple[Point, ...]
    joins_rows: bool  # top or bottom, which belong to the player who joins first and last row


@dataclass(frozen=True)
class Layout:
    """A board as geometry. An empty outline means round cells."""

    centres: tuple[Point, ...]
    outline: tuple[Point, ...]  # of a cell, around its centre
    labels: tuple[Label, ...] = ()
    frames: tuple[tuple[Point, ...], ...] = ()  # the contours of whole boards
    ghosts: tuple[tuple[int, Point], ...] = ()  # cells shown once more beyond a joined edge
    edges: tuple[Edge, ...] = ()
    sides: tuple[Side, ...] = ()

    def around(self, centre: Point) -> tuple[Point, ...]:
        """The contour of a cell."""
        return tuple(Point(centre.x + p.x, centre.y + p.y) for p in self.outline)

    @property
    def extent(self) -> tuple[Point, Point]:
        """The upper left and the lower right corner of everything."""
        half = PITCH / 2
        corners = [point for side in self.sides for point in side.outline]
        for x, y in (*self.centres, *(centre for _, centre in self.ghosts)):
            corners += [Point(x - half, y - half), Point(x + half, y + half)]
        for label in self.labels:
            left, right = label.span
            corners.append(Point(left, label.at.y - LABEL_HEIGHT / 2))
            corners.append(Point(right, label.at.y + LABEL_HEIGHT / 2))
        xs, ys = [x for x, _ in corners] or [0.0], [y for _, y in corners] or [0.0]
        return Point(min(xs), min(ys)), Point(max(xs), max(ys))


# --- layouts --------------------------------------------------------------------------------------


LABEL_GAP = 16.0  # from the edge of the board to the middle of a label
LAYERS_IN_A_ROW = 3
WIDE_PITCH = 1.7 * PITCH  # of cells with edges drawn between them
STRAIGHT_CHORDS = 7  # with more cells on a circle, straight edges would touch other cells
MAXIMUM_NAME = 24  # letters of a cell's name that are shown next to it


def layout_of(board: boards.Board) -> Layout:
    """The geometry of any board."""
    if isinstance(board, boards.HexGrid):
        return _hexagons(board)
    if isinstance(board, boards.Grid):
        return _squares(board)
    if isinstance(board, boards.Cube):
        return _layers(board)
    return _graph(board)


def coordinates_of(board: boards.Board) -> list[tuple[int, int]] | None:
    """Column and row of every cell if all names are coordinates, else None.

    Also None if two cells share a place, or if the grid would be nearly empty.
    """
    places = [place for place in map(boards.parse_cell, board.names) if place is not None]
    if not places or len(set(places)) < board.size:
        return None
    columns, rows = ([place[axis] for place in places] for axis in (0, 1))
    area = (max(columns) - min(columns) + 1) * (max(rows) - min(rows) + 1)
    return places if area <= 100 + 4 * board.size else None


# --- squares ---------------------------------------------------------------------------------

SQUARE = tuple(Point(x * PITCH / 2, y * PITCH / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))


def _lattice(x: float, y: float, pitch: float = PITCH) -> Point:
    return Point(x * pitch, y * pitch)


def _grid_labels(
    columns: Sequence[int],
    rows: Sequence[int],
    corner: Point,
    *,
    gap: float = LABEL_GAP,
    pitch: float = PITCH,
) -> list[Label]:
    """Letters above and numbers left of a rectangle whose first cell is centred at `corner`."""
    edge = PITCH / 2 + gap
    letters = [
        Label(Point(corner.x + i * pitch, corner.y - edge), boards.column_name(x))
        for i, x in enumerate(columns)
    ]
    digits = [
        Label(Point(corner.x - edge, corner.y + i * pitch), str(y + 1)) for i, y in enumerate(rows)
    ]
    return letters + digits


def _frame(width: int, height: int, corner: Point) -> tuple[Point, ...]:
    left, top = corner.x - PITCH / 2, corner.y - PITCH / 2
    right, bottom = left + width * PITCH, top + height * PITCH
    return Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom)


def _squares(board: boards.Grid) -> Layout:
    width, height = board.width, board.height
    ghosts: list[tuple[int, Point]] = []
    if board.torus:
        for x, y in product(range(-1, width + 1), range(-1, height + 1)):
            cell = board.at(x, y)
            if cell is not None and board.places[cell] != (x, y):
                ghosts.append((cell, _lattice(x, y)))
    gap = LABEL_GAP + (PITCH if board.torus else 0)
    return Layout(
        centres=tuple(_lattice(x, y) for x, y in board.places),
        outline=SQUARE,
        labels=tuple(_grid_labels(range(width), range(height), Point(0, 0), gap=gap)),
        frames=(_frame(width, height, Point(0, 0)),),
        ghosts=tuple(ghosts),
    )


def _layers(board: boards.Cube) -> Layout:
    """The layers, side by side or from four on in a square, each with its heading."""
    side = board.side
    per_row = side if side <= LAYERS_IN_A_ROW else ceil(sqrt(side))
    corners = [
        _lattice((side + 1.5) * (z % per_row), (side + 2.2) * (z // per_row)) for z in range(side)
    ]
    labels: list[Label] = []
    for z, corner in enumerate(corners):
        middle = corner.x + (side - 1) * PITCH / 2
        labels.append(
            Label(Point(middle, corner.y - PITCH / 2 - 2.5 * LABEL_GAP), f"layer {z + 1}")
        )
        labels += _grid_labels(range(side), range(side), corner)
    return Layout(
        centres=tuple(
            Point(corners[z].x + x * PITCH, corners[z].y + y * PITCH) for x, y, z in board.places
        ),
        outline=SQUARE,
        labels=tuple(labels),
        frames=tuple(_frame(side, side, corner) for corner in corners),
    )


# --- hexagons --------------------------------------------------------------------------------

RADIUS = PITCH / sqrt(3)  # from the centre of a hexagon to its corners
HEXAGON = tuple(
    Point(RADIUS * cos(pi * (2 * k + 1) / 6), RADIUS * sin(pi * (2 * k + 1) / 6)) for k in range(6)
)
SIDE_REACH = 0.88  # in cells, from the outermost centres to the outer line of the sides
LABEL_REACH = 1.45


def _slanted(x: float, y: float) -> Point:
    return Point((x + y / 2) * PITCH, y * 1.5 * RADIUS)


def _hexagons(board: boards.HexGrid) -> Layout:
    """A rhombus: each row half a cell to the right of the one above.

    The four sides lie beneath the outer cells, meeting on the lines through the corners.
    """
    right, bottom = board.width - 1, board.height - 1
    turns = ((0, 0, -1, -1), (right, 0, 1, -1), (right, bottom, 1, 1), (0, bottom, -1, 1))
    inner = [_slanted(x, y) for x, y, _, _ in turns]
    outer = [_slanted(x + SIDE_REACH * dx, y + SIDE_REACH * dy) for x, y, dx, dy in turns]
    sides = [
        Side((outer[i], outer[i - 3], inner[i - 3], inner[i]), joins_rows=i % 2 == 0)
        for i in range(4)
    ]
    # On the slanted lines through the cells, where the eye follows a column.
    letters = [
        Label(_slanted(x, -LABEL_REACH), name)
        for x, name in enumerate(boards.column_letters(board.width))
    ]
    digits = [Label(_slanted(-LABEL_REACH, y), str(y + 1)) for y in range(board.height)]
    return Layout(
        centres=tuple(_slanted(x, y) for x, y in board.places),
        outline=HEXAGON,
        labels=(*letters, *digits),
        sides=tuple(sides),
    )


# --- graphs ----------------------------------------------------------------------------------


def _graph(board: boards.Board) -> Layout:
    places = coordinates_of(board)
    return _circle(board) if places is None else _placed_graph(board, places)


def _pairs(board: boards.Board) -> Iterable[tuple[int, int]]:
    return (
        (cell, near) for cell in range(board.size) for near in board.neighbours[cell] if cell < near
    )


def _middle(start: Point, end: Point) -> Point:
    return Point((start.x + end.x) / 2, (start.y + end.y) / 2)


def _placed_graph(board: boards.Board, places: Sequence[tuple[int, int]]) -> Layout:
    """Cells where their names say; squares if there are no edges to be seen between them."""
    pitch = WIDE_PITCH if any(board.neighbours) else PITCH
    columns = range(min(x for x, _ in places), max(x for x, _ in places) + 1)
    rows = range(min(y for _, y in places), max(y for _, y in places) + 1)
    centres = tuple(_lattice(x, y, pitch) for x, y in places)
    edges = []
    for a, b in _pairs(board):
        start, end, towards = centres[a], centres[b], _middle(centres[a], centres[b])
        if gcd(places[b][0] - places[a][0], places[b][1] - places[a][1]) > 1:
            # Straight, it would run through the places in between.
            aside = Point((end.y - start.y) / 5, (start.x - end.x) / 5)
            towards = Point(towards.x + aside.x, towards.y + aside.y)
        edges.append(Edge(start, end, towards))
    corner = _lattice(columns[0], rows[0], pitch)
    return Layout(
        centres=centres,
        outline=() if edges else SQUARE,
        labels=tuple(_grid_labels(columns, rows, corner, pitch=pitch)),
        edges=tuple(edges),
    )


def _circle(board: boards.Board) -> Layout:
    """Cells on a circle, clockwise from the top, with their names outside."""
    size = board.size
    radius = max(1.5 * PITCH, 1.3 * PITCH * size / (2 * pi)) if size > 1 else 0.0
    reach = radius + PITCH / 2 + 0.8 * LABEL_GAP
    centres, labels = [], []
    for cell, name in enumerate(board.names):
        angle = 2 * pi * cell / size
        x, y = sin(angle), -cos(angle)
        centres.append(Point(radius * x, radius * y))
        # Near the top and the bottom a name is centred, elsewhere it grows outwards.
        side = 0 if abs(x) < 0.3 else 1 if x > 0 else -1
        shown = name if len(name) <= MAXIMUM_NAME else name[: MAXIMUM_NAME - 1] + "…"
        labels.append(Label(Point(reach * x, reach * y), shown, side))
    edges = []
    for a, b in _pairs(board):
        towards = _middle(centres[a], centres[b])
        if size > STRAIGHT_CHORDS and b - a not in (1, size - 1):
            # Short chords of a large circle would touch the cells that they pass.
            distance = hypot(*towards)
            nearer = max(0.7, 1 - 2 * PITCH / distance) if distance else 1.0
            towards = Point(towards.x * nearer, towards.y * nearer)
        edges.append(Edge(centres[a], centres[b], towards))
    return Layout(tuple(centres), (), tuple(labels), edges=tuple(edges))


# --- marks ----------------------------------------------------------------------------------------


def owner_of(position: Position, cell: int) -> Player | None:
    """Whose stone is on a cell."""
    return next((player for player in Player if position.stones(player) >> cell & 1), None)


@dataclass(frozen=True)
class Marks:
    """What is marked: cells of the last move, highlighted ones, cells with a number, arrows."""

    last: frozenset[int]
    highlighted: frozenset[int]
    numbers: Mapping[int, int]
    arrows: tuple[tuple[int, int], ...]

    @classmethod
    def of(
        cls,
        position: Position,
        *,
        last: Move | str | None = None,
        highlights: Iterable[int | str] = (),
        numbers: Mapping[int, int] | None = None,
        arrows: Iterable[tuple[int | str, int | str]] = (),
    ) -> Marks:
        """Moves and cells are given by number or by name."""
        game, size = position.game, position.game.board.size

        def number(cell: int | str) -> int:
            return game.board.cell(cell) if isinstance(cell, str) else cell

        # In games where the mover matters for the cells of a move, the players alternate.
        mover = position.to_move.opponent if position.to_move else Player.BLACK
        if isinstance(last, str):
            last = game.parse_move(last, mover)
        marks = cls(
            frozenset(() if last is None else game.move_cells(last, mover)),
            frozenset(map(number, highlights)),
            dict(numbers or {}),
            tuple((number(start), number(end)) for start, end in arrows),
        )
        ends = [cell for arrow in marks.arrows for cell in arrow]
        for cell in (*marks.last, *marks.highlighted, *marks.numbers, *ends):
            if not 0 <= cell < size:
                raise ValueError(f"cell {cell} is marked on a board of {size} cells")
        return marks


# --- borders --------------------------------------------------------------------------------------
# On a Hex board the borders of a path goal usually are whole sides, and the picture draws these.
# Other borders (on any other board, or of unusual goals) are shown cell by cell.


@dataclass(frozen=True)
class Sides:
    """The owners of the sides of a Hex board."""

    rows: Player | None = None  # who joins the first row to the last: top and bottom
    columns: Player | None = None  # who joins the first column to the last: left and right


def connections(game: Game) -> dict[Player, Connection]:
    """The players whose goal is a path, with that goal."""
    goals = {player: game.goal(player) for player in Player}
    return {player: goal for player, goal in goals.items() if isinstance(goal, Connection)}


def side_owners(game: Game) -> Sides:
    """Who owns which sides of the board; nobody owns any unless it is a Hex board."""
    board = game.board
    if not isinstance(board, boards.HexGrid):
        return Sides()
    goals = connections(game)

    def owner(first: int, last: int, *candidates: Player) -> Player | None:
        for player in candidates:
            if player in goals and {goals[player].start, goals[player].end} == {first, last}:
                return player
        return None

    # On a single cell all sides are the same: the order gives each player two of them.
    return Sides(
        rows=owner(board.row(0), board.row(board.height - 1), Player.BLACK, Player.WHITE),
        columns=owner(board.column(0), board.column(board.width - 1), Player.WHITE, Player.BLACK),
    )


def loose_borders(game: Game) -> dict[Player, Connection]:
    """The path goals whose borders are not sides of the board, hence shown cell by cell."""
    sides = side_owners(game)
    shown = (sides.rows, sides.columns)
    return {player: goal for player, goal in connections(game).items() if player not in shown}
