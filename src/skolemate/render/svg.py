"""A position as SVG: one pure function, the same picture for notebook, page and command line.

`layout` has the geometry. The picture uses no ids, so that any number of pictures can share a
page; every cell carries its name as `data-cell`, once.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import hypot
from xml.etree import ElementTree

from skolemate.games import Game, Move, Player, Position, cells_of
from skolemate.games.board import Facts
from skolemate.render.layout import (
    Layout,
    Marks,
    Point,
    layout_of,
    loose_borders,
    owner_of,
    side_owners,
)
from skolemate.render.text import description, status, text

# --- style ----------------------------------------------------------------------------------------
# A style sheet that a page can override. Every rule begins with `.skolemate`, so that it does not
# affect the page around a picture. Marks differ in shape as well as in colour, and people with any
# kind of colour vision can distinguish the colours (blue, vermilion, violet). The card behind the
# board makes light and dark pages look the same.


RULES = {
    ".card": "fill: #e6d8b9",
    ".cell": "fill: #f6edd8; stroke: #a08e69; stroke-width: 1.2; stroke-linejoin: round",
    ".cell.highlight": "fill: #a8d4f0; stroke: #0072b2; stroke-width: 3",
    ".ghosts": "opacity: 0.38; pointer-events: none",
    ".frame": "fill: none; stroke: #5e4f30; stroke-width: 5; pointer-events: none",
    ".edge": "fill: none; stroke: #8a7850; stroke-width: 2",
    ".side": "fill: #cdbd99; stroke: #5e4f30; stroke-width: 1; stroke-linejoin: round",
    ".side.black": "fill: #22242a",
    ".side.white": "fill: #ffffff",
    ".border": "fill: none; stroke: #22242a; stroke-width: 4.4; pointer-events: none",
    ".border.white": "stroke: #ffffff; stroke-width: 2.6",
    ".border.to": "stroke-dasharray: 6 4",
    ".dot": "stroke: #22242a; stroke-width: 1; pointer-events: none",
    ".dot.black": "fill: #22242a",
    ".dot.white": "fill: #ffffff",
    ".stone": "stroke-width: 1.4; pointer-events: none",
    ".stone.black": "fill: #1a1c21; stroke: #000000",
    ".stone.white": "fill: #ffffff; stroke: #4a4030",
    ".last": "fill: none; stroke: #d55e00; stroke-width: 3.4; pointer-events: none",
    ".arrow": "fill: #5e3c99; fill-opacity: 0.9; stroke: #ffffff; stroke-width: 1; "
    "stroke-linejoin: round; pointer-events: none",
    "circle.arrow": "fill: none; stroke: #5e3c99; stroke-width: 3",
    "text": "font-family: system-ui, 'DejaVu Sans', sans-serif; fill: #4a3e24; "
    "pointer-events: none; user-select: none",
    ".written": "font: 16px ui-monospace, 'DejaVu Sans Mono', monospace",
    ".number": "font-weight: 600; fill: #1a1c21",
    ".number.black": "fill: #ffffff",
}

STYLE = (
    "".join(f"\n  .skolemate {selector} {{ {rule} }}" for selector, rule in RULES.items()) + "\n "
)


# --- pictures -------------------------------------------------------------------------------------


MARGIN = 10.0
NODE = 19.0  # the radius of a round cell
STONE = 15.5
RING = 17.2  # the last move, around its stone
BORDER = {Player.BLACK: 22.5, Player.WHITE: 27.0}  # two rings, for a cell on both borders
DOT, DOT_OFFSET = 3.2, 14.5  # a border's mark in a corner of a cell
HEAD, SHAFT = 14.0, 2.6  # an arrow: length of its head, half the width of its shaft
LETTER, LINE = 9.7, 22.0  # the width and the height of a letter of what is written
FACTS = 44  # letters of a line of facts
# Characters that no XML document may contain, not even escaped.
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ANCHOR = {-1: "end", 0: "middle", 1: "start"}


def svg(
    position: Position,
    *,
    last: Move | str | None = None,
    highlights: Iterable[int | str] = (),
    arrows: Iterable[tuple[int | str, int | str]] = (),
    numbers: Mapping[int, int] | None = None,
    size: int | None = None,
    style: bool = True,
) -> str:
    """A position as an SVG picture. Moves and cells are given by number or by name.

    - `position`: the position to draw.
    - `last`: the last move, by number or by name, which gets a ring.
    - `highlights`: cells to highlight, by number or by name.
    - `arrows`: pairs of cells, each drawn as an arrow from the first to the second.
    - `numbers`: numbers by cell, written on the stones or open cells.
    - `size`: the longer side of the picture in pixels; by default 40 pixels for each cell.
    - `style`: whether to include the style sheet; a page with many pictures needs it only once.

    >>> from skolemate.games.family import build
    >>> svg(build("hex(size=3)").start).startswith("<svg")
    True
    """
    board = position.game.board
    layout = layout_of(board)
    marks = Marks.of(position, last=last, highlights=highlights, numbers=numbers, arrows=arrows)
    # Facts have no place: they are written as the command line writes them.
    lines = text(position, width=FACTS).split("\n") if isinstance(board, Facts) else []
    written = (Point(0, 0), Point(LETTER * max(map(len, lines), default=0), LINE * len(lines)))
    upper_left, lower_right = written if lines else layout.extent
    x, y = upper_left.x - MARGIN, upper_left.y - MARGIN
    width, height = lower_right.x + MARGIN - x, lower_right.y + MARGIN - y
    scale = 1 if size is None else size / max(width, height)
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "class": "skolemate",
            "role": "img",
            "viewBox": " ".join(map(_number, (x, y, width, height))),
            "width": _number(width * scale),
            "height": _number(height * scale),
        },
    )
    _add(root, "title", f"{position.game.name}: {status(position)}".removeprefix(": "))
    _add(root, "desc", description(position, marks))
    if style:
        _add(root, "style", STYLE)
    _add(root, "rect", kind="card", x=x, y=y, width=width, height=height, rx=MARGIN)
    for number, line in enumerate(lines):
        # Blanks would be joined, so they are those that nobody joins.
        words, place = line.replace(" ", "\N{NO-BREAK SPACE}"), (number + 0.75) * LINE
        _add(root, "text", words, kind="written", x=0, y=place)
    if not lines:
        _Picture(position, marks, layout).draw(root)
    ElementTree.indent(root, " ")
    return ElementTree.tostring(root, encoding="unicode")


def _number(value: float) -> str:
    """At most two decimals, and never -0."""
    return f"{round(value, 2) + 0.0:.10g}"


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _add(
    parent: ElementTree.Element, tag: str, words: str = "", *, kind: str = "", **values: str | float
) -> ElementTree.Element:
    """A new element; its attributes are numbers or text, `_` in a name means a hyphen."""
    attributes = {"class": kind} if kind else {}
    for name, value in values.items():
        shown = FORBIDDEN.sub("\ufffd", value) if isinstance(value, str) else _number(value)
        attributes[name.replace("_", "-")] = shown
    element = ElementTree.SubElement(parent, tag, attributes)
    element.text = FORBIDDEN.sub("\ufffd", words) or None
    return element


@dataclass(frozen=True)
class _Picture:
    """Draws a position, layer upon layer."""

    position: Position
    marks: Marks
    layout: Layout

    def draw(self, root: ElementTree.Element) -> None:
        centres, names = self.layout.centres, self.position.game.board.names
        cells = range(len(centres))
        self._sides(root)
        self._ghosts(root)
        self._edges(root)
        for frame in self.layout.frames:
            _add(root, "polygon", kind="frame", points=_points(frame))
        group = _add(root, "g", kind="cells")
        # Highlighted cells come last, lest their neighbours cover half of their contours.
        for cell in sorted(cells, key=lambda cell: cell in self.marks.highlighted):
            self._cell(group, cell, centres[cell], data_cell=names[cell])
        self._borders(root)
        group = _add(root, "g", kind="stones")
        for cell in cells:
            self._stone(group, cell, centres[cell])
        for cell in sorted(self.marks.last):
            _add(root, "circle", kind="last", cx=centres[cell].x, cy=centres[cell].y, r=RING)
        for cell, value in sorted(self.marks.numbers.items()):
            self._value(root, cell, str(value))
        for first, second in self.marks.arrows:
            self._arrow(root, centres[first], centres[second])
        group = _add(root, "g", kind="labels")
        for label in self.layout.labels:
            _text(group, label.words, label.at, 13, anchor=ANCHOR[label.side])

    def _sides(self, root: ElementTree.Element) -> None:
        owners = side_owners(self.position.game)
        for side in self.layout.sides:
            owner = owners.rows if side.joins_rows else owners.columns
            kind = f"side {owner.value}" if owner else "side"
            _add(root, "polygon", kind=kind, points=_points(side.outline))

    def _ghosts(self, root: ElementTree.Element) -> None:
        if not self.layout.ghosts:
            return
        group = _add(root, "g", kind="ghosts")
        for cell, centre in self.layout.ghosts:
            self._cell(group, cell, centre)
            self._stone(group, cell, centre)

    def _edges(self, root: ElementTree.Element) -> None:
        for edge in self.layout.edges:
            path = [_number(v) for v in (*edge.start, *edge.towards, *edge.end)]
            _add(root, "path", kind="edge", d="M{} {}Q{} {} {} {}".format(*path))

    def _cell(self, parent: ElementTree.Element, cell: int, centre: Point, **values: str) -> None:
        kind = "cell highlight" if cell in self.marks.highlighted else "cell"
        contour = self.layout.around(centre)
        if contour:
            _add(parent, "polygon", kind=kind, points=_points(contour), **values)
        else:
            _add(parent, "circle", kind=kind, cx=centre.x, cy=centre.y, r=NODE, **values)

    def _stone(self, parent: ElementTree.Element, cell: int, centre: Point) -> None:
        owner = owner_of(self.position, cell)
        if owner:
            _add(parent, "circle", kind=f"stone {owner.value}", cx=centre.x, cy=centre.y, r=STONE)

    def _borders(self, root: ElementTree.Element) -> None:
        """The cells of borders that are no sides of the board.

        Around a round cell a ring, solid where a path starts and dashed where it ends; in
        other cells a dot, above or below, Black's to the left and White's to the right.
        """
        for player, goal in loose_borders(self.position.game).items():
            for end, border in (("from", goal.start), ("to", goal.end)):
                for cell in cells_of(border):
                    x, y = self.layout.centres[cell]
                    if self.layout.outline:
                        x += -DOT_OFFSET if player is Player.BLACK else DOT_OFFSET
                        y += -DOT_OFFSET if end == "from" else DOT_OFFSET
                        _add(root, "circle", kind=f"dot {player.value}", cx=x, cy=y, r=DOT)
                        continue
                    # A wider ring beneath sets a white one off.
                    for kind in (f"border {end}", f"border {end} {player.value}"):
                        _add(root, "circle", kind=kind, cx=x, cy=y, r=BORDER[player])

    def _value(self, root: ElementTree.Element, cell: int, digits: str) -> None:
        owner = owner_of(self.position, cell)
        kind = f"number {owner.value}" if owner else "number"
        size = min(STONE * 1.1, STONE * 2.4 / len(digits))
        _text(root, digits, self.layout.centres[cell], size, kind=kind)

    def _arrow(self, root: ElementTree.Element, start: Point, end: Point) -> None:
        length = hypot(end.x - start.x, end.y - start.y)
        if not length:  # from a cell to itself
            _add(root, "circle", kind="arrow", cx=start.x, cy=start.y, r=RING)
            return
        ahead = Point((end.x - start.x) / length, (end.y - start.y) / length)

        def at(along: float, aside: float) -> Point:
            return Point(
                start.x + along * ahead.x - aside * ahead.y,
                start.y + along * ahead.y + aside * ahead.x,
            )

        tail, neck, tip = STONE / 2, length - 3 - HEAD, length - 3
        contour = [at(tail, -SHAFT), at(neck, -SHAFT), at(neck, -HEAD / 2), at(tip, 0)]
        contour += [at(neck, HEAD / 2), at(neck, SHAFT), at(tail, SHAFT)]
        _add(root, "polygon", kind="arrow", points=_points(contour))


def _text(
    parent: ElementTree.Element,
    words: str,
    at: Point,
    size: float,
    *,
    anchor: str = "middle",
    kind: str = "",
) -> None:
    """Words whose middle height is at a point; not every viewer can centre them by itself."""
    lowered = at.y + 0.36 * size
    _add(parent, "text", words, kind=kind, x=at.x, y=lowered, font_size=size, text_anchor=anchor)


# --- boards ---------------------------------------------------------------------------------------


def board(game: Game, moves: Iterable[Move] = (), mover: Player = Player.BLACK) -> str:
    """A game at its start as SVG, for files and notebooks: the moves played are numbered.

    The last move is ringed. Highlighted are the winning cells or, before anybody has won, the
    cells of `moves`, which are moves of `mover`.

    >>> from skolemate.games.family import build
    >>> "Last move: b2. Highlighted: c3." in board(build("hex(size=3, moves=b2)"), [8])
    True
    """
    touched = [cell for move in moves for cell in game.move_cells(move, mover)]
    return svg(
        game.start,
        last=game.last_move,
        highlights=list(cells_of(game.winning_cells(game.start))) or touched,
        numbers=game.move_numbers(),
    )
