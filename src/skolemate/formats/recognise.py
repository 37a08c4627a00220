"""Recognising boards and goals in files that list only cells, winning sets and neighbours.

Cells named like a full rectangle are a board of squares or hexagons, cells named like a cube
are a cube, and everything else is a graph in the file's order. The cells are numbered first, from
the names alone, so that masks can be built before the board is known. A graph that is a Hex
position with its stones contracted is read as that position.
"""

from collections.abc import Sequence
from typing import NamedTuple

from skolemate.games.bddl.from_positional import occupy
from skolemate.games.bddl.model import Action, Content, Model, Subcondition, goal_instances
from skolemate.games.board import (
    MAXIMUM_CELLS,
    Board,
    Cube,
    Graph,
    Grid,
    HexGrid,
    parse_cell,
    rectangle,
)
from skolemate.games.game import Player, turns
from skolemate.games.goals import Connection, Sets, Shape, hex_goals
from skolemate.games.positional import PositionalGame
from skolemate.games.symmetry import cells_of, flood, mask_of, move_mask

RESTARTS = 20  # published positions on 19x19 need two


def numbering(names: Sequence[str]) -> dict[str, int]:
    """The number that each cell has on the board which these names make up.

    >>> numbering(["a1", "b1", "a2", "b2"]), numbering(["p", "q"])
    ({'a1': 0, 'b1': 2, 'a2': 1, 'b2': 3}, {'p': 0, 'q': 1})
    """
    sides = rectangle(names)
    if sides is not None:
        places = {name: parse_cell(name) or (0, 0) for name in names}
        return {name: column * sides[1] + row for name, (column, row) in places.items()}
    cube = _cube(names)
    listed = names if cube is None else cube.names
    return {name: number for number, name in enumerate(listed)}


def sets_board(names: Sequence[str], goals: Sequence[Sets]) -> tuple[Board, Shape | None]:
    """The board of these winning sets, and the polyomino if the sets are the copies of one.

    A rectangle is a torus if the shifts around it keep every goal and some set is connected
    only across an edge: three in a row or column on 3x3 is the same game on either board.
    """
    sides = rectangle(names)
    if sides is None:
        return _cube(names) or Graph.of(names), None
    plain, torus = Grid(*sides), Grid(*sides, torus=True)
    around = all(_kept_by_shifts(torus, goal) for goal in goals) and any(
        _hangs_together(torus, cells) and not _hangs_together(plain, cells)
        for goal in goals
        for cells in goal.sets
    )
    board = torus if around else plain
    return board, _polyomino(board, goals)


def connection_board(names: Sequence[str], neighbours: Sequence[int]) -> Board:
    """The board with these neighbours, which are masks."""
    adjacency = tuple(tuple(cells_of(row)) for row in neighbours)
    sides = rectangle(names)
    if sides is not None:
        for board in (HexGrid(*sides), Grid(*sides), Grid(*sides, torus=True)):
            if board.neighbours == adjacency:
                return board
    ordered = sorted(names, key=numbering(names).__getitem__)
    return Graph(tuple(ordered), adjacency)


def connection_goals(board: Board, black: Connection) -> tuple[Connection, Connection | None]:
    """Black's goal, and White's if this is Hex: then exactly one of them gets connected."""
    if isinstance(board, HexGrid):
        rows, columns = hex_goals(board)
        for own, other in ((rows, columns), (columns, rows)):
            if {black.start, black.end} == {own.start, own.end}:
                return own, other
    return black, None


class HexPosition(NamedTuple):
    """A board with stones, Black's goal and White's."""

    board: HexGrid
    black: int
    white: int
    black_goal: Connection
    white_goal: Connection


def hex_position(names: Sequence[str], graph: Connection) -> HexPosition | None:
    """The Hex position that gives this graph of open cells when its stones are contracted.

    The names give the places of the open cells. Every cell without a name gets a stone: a black
    stone joins its neighbours, a white one is simply absent from the graph. Which stones are
    Black's is guessed and then checked: contracted, the position must be the graph again. So Black
    has the same paths, and on a full Hex board exactly one player is connected. None if there is
    no such position.

    >>> graph = Connection.of([[], []], start=0b01, end=0b10)
    >>> found = hex_position(["a1", "b2"], graph)
    >>> found.board.named(found.white), hex_position(["p", "q"], graph)
    ('a2 b1', None)
    """
    places = [place for place in map(parse_cell, names) if place is not None]
    lines = [len(set(line)) for line in zip(*places, strict=True)]
    if len(set(places)) < len(names) or min(lines, default=0) < 2:
        return None  # the names of a graph may end in numbers, too, but hardly look like a board
    side = 1 + max(map(max, places))
    if (side + 1) ** 2 > MAXIMUM_CELLS:
        return None
    # The last row and the last column may be full of stones; then no name shows that they exist.
    boards = HexGrid(side, side), HexGrid(side + 1, side + 1)
    return next(filter(None, (_position_on(board, places, graph) for board in boards)), None)


def _position_on(
    board: HexGrid, places: Sequence[tuple[int, int]], graph: Connection
) -> HexPosition | None:
    """The position on this board; `places` are those of the graph's cells."""
    number = {place: cell for cell, place in enumerate(board.places)}
    on_board = tuple(number[place] for place in places)
    neighbours = [0] * board.size
    for cell, row in zip(on_board, graph.neighbours, strict=True):
        neighbours[cell] = move_mask(on_board, row)
    borders = [move_mask(on_board, border) for border in (graph.start, graph.end)]
    cells = mask_of(on_board)
    gone = ~cells & ((1 << board.size) - 1)
    rows, columns = hex_goals(board)
    for own, other in ((rows, columns), (columns, rows)):
        for start, end in (borders, borders[::-1]):
            left = Connection(tuple(neighbours), start, end)
            black = _joining_stones(own, left, cells)
            if black is not None and _has_the_paths_of(own.contracted(black, gone & ~black), left):
                return HexPosition(board, black, gone & ~black, own, other)
    return None


def _has_the_paths_of(one: Connection, other: Connection) -> bool:
    """Whether two graphs differ at most in edges along a border, which no path needs."""

    def needed(graph: Connection) -> list[int]:
        rows = list(graph.neighbours)
        for border in (graph.start, graph.end):
            for cell in cells_of(border):
                rows[cell] &= ~border
        return rows

    return (one.start, one.end) == (other.start, other.end) and needed(one) == needed(other)


def _joining_stones(own: Connection, graph: Connection, cells: int) -> int | None:
    """Black stones outside these cells that join on the board what is joined in the graph.

    Pairs of cells are joined one after the other, each by a shortest chain of stones around
    which all cells are neighbours in the graph. A pair that an earlier chain blocks comes first
    in the next attempt.
    """
    size = len(own.neighbours)
    top, bottom = 1 << size, 2 << size  # the borders, as if they were two cells more
    near = [row | 1 << cell for cell, row in enumerate(graph.neighbours)]
    hexagons = list(own.neighbours)
    for goal, rows in ((graph, near), (own, hexagons)):
        for border, node in ((goal.start, top), (goal.end, bottom)):
            for cell in cells_of(border):
                rows[cell] |= node | (border if goal is graph else 0)
            rows.append(border | node)
    present = cells | top | bottom

    def alike(group: int) -> bool:
        """Whether all of these are neighbours in the graph."""
        return not any(group & ~near[cell] for cell in cells_of(group))

    def around(cell: int, stones: int) -> int:
        """The cells that a stone would join, together with the stones beside it."""
        neighbours = 0
        for stone in cells_of(flood(hexagons, 1 << cell, stones | 1 << cell)):
            neighbours |= hexagons[stone]
        return neighbours & present

    def chain(one: int, other: int, stones: int) -> int | None:
        came_from: dict[int, int | None] = dict.fromkeys(cells_of(hexagons[one] & ~present))
        queue = list(came_from)
        for cell in queue:
            joined = around(cell, stones)
            if joined & ~(near[one] & near[other]) or not alike(joined):
                continue
            if hexagons[cell] >> other & 1:
                links, step = 1 << cell, came_from[cell]
                while step is not None:
                    links, step = links | 1 << step, came_from[step]
                return links if alike(around(cell, stones | links)) else None
            fresh = [step for step in cells_of(hexagons[cell] & ~present) if step not in came_from]
            came_from.update(dict.fromkeys(fresh, cell))
            queue += fresh
        return None

    if any(hexagons[cell] & present & ~near[cell] for cell in cells_of(present)):
        return None
    pairs = [
        (one, other)
        for one in cells_of(cells)
        for other in cells_of(near[one] & ~hexagons[one] & (-2 << one))
        if not any(border >> one & border >> other & 1 for border in (graph.start, graph.end))
    ]
    for _ in range(RESTARTS):
        stones = 0
        for place, (one, other) in enumerate(pairs):
            if flood(hexagons, hexagons[one], stones) & hexagons[other]:
                continue
            added = chain(one, other, stones)
            if added is None:
                pairs.insert(0, pairs.pop(place))
                break
            stones |= added
        else:
            return stones
        if not place:
            return None
    return None


def _cube(names: Sequence[str]) -> Cube | None:
    side = round(len(names) ** (1 / 3))
    if side and side**3 == len(names) and set(Cube(side).names) == set(names):
        return Cube(side)
    return None


def _kept_by_shifts(torus: Grid, goal: Sets) -> bool:
    """Whether one step to the right and one step down take winning sets to winning sets."""
    members = set(goal.sets)
    for dx, dy in ((1, 0), (0, 1)):
        moved = [torus.at(x + dx, y + dy) for x, y in torus.places]
        shift = tuple(cell for cell in moved if cell is not None)
        if any(move_mask(shift, cells) not in members for cells in goal.sets):
            return False
    return True


def _hangs_together(board: Grid, cells: int) -> bool:
    """Whether the cells are connected."""
    neighbours = [mask_of(row) for row in board.neighbours]
    return flood(neighbours, cells & -cells, cells) == cells


def _polyomino(board: Grid, goals: Sequence[Sets]) -> Shape | None:
    """The shape whose copies on the board are the winning sets of each player who has any."""
    sets = goals[0].sets
    if any(goal != goals[0] for goal in goals) or len({s.bit_count() for s in sets}) != 1:
        return None
    # On the plain board one set shows the shape; on a torus some sets cross an edge.
    plain = Grid(board.width, board.height)
    candidates = dict.fromkeys(
        Shape.of(board.places[cell] for cell in cells_of(cells))
        for cells in (sets if board.torus else sets[:1])
        if _hangs_together(plain, cells)
    )
    return next((s for s in candidates if s.placements(board) == set(sets)), None)


def placement_game(model: Model, depth: int | None = None) -> PositionalGame | None:
    """The positional game that a BDDL model describes; None if it is another kind of game.

    Both players may occupy any open cell, and win by owning cells; or when the opponent owns them.
    """
    if any(
        {_rules(action) for action in model.actions_of(player)} != {_rules(occupy(player))}
        for player in Player
    ):
        return None
    if not any(model.goals):
        return None
    goals: dict[Player, Sets | None] = {}
    asked = [
        (player, part) for player in Player for g in model.goals_of(player) for part in g.parts
    ]
    misere = all(part.content is Content.of(player.opponent) for player, part in asked)
    for player, part in asked:
        if part.negated or part.content is not Content.of(player.opponent if misere else player):
            return None
    for player in Player:
        sets = Sets.of(mask_of(cells) for _, cells in goal_instances(model, player))
        goals[player] = sets if model.goals_of(player) else None
    names = Grid(model.width, model.height).names
    board, shape = sets_board(names, [goal for goal in goals.values() if goal is not None])
    open_cells = board.size - (model.black | model.white).bit_count()
    return PositionalGame(
        "",
        board,
        goals[Player.BLACK],
        goals[Player.WHITE],
        turns(open_cells, first=model.first),
        model.black,
        model.white,
        misere=misere,
        polyomino=shape,
        depth=depth,
    )


def _rules(action: Action) -> tuple[frozenset[Subcondition], frozenset[Subcondition]]:
    return frozenset(action.precondition.parts), frozenset(action.effect.parts)
