"""Games of placing stones: paths, lines, polyominoes."""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Literal

from skolemate.errors import UserError
from skolemate.games.board import Cube, Grid, HexGrid
from skolemate.games.drawing import Drawing
from skolemate.games.family import family
from skolemate.games.game import turns
from skolemate.games.goals import Sets, Shapes, hex_goals
from skolemate.games.positional import PositionalGame
from skolemate.games.symmetry import mask_of
from skolemate.limits import breathe

# --- Hex and its puzzles --------------------------------------------------------------------------
# Black joins the first row to the last, White the first column to the last. The puzzles are
# Piet Hein's of 1942/43 (Politiken; numbered as in Hayward and Toft, Hex: the full story, 2019)
# and Cameron Browne's (A problem case for UCT, 2013); Black moves and wins.


# number: (size, black stones, white stones)
HEIN = {
    2: (5, "a5 c3 e3", "b4 c2 c5"),
    3: (6, "a5 d2 e5", "c3 d1 e3 e4"),
    4: (3, "a1", "b1 c2"),
    5: (6, "a2 e2", "c3 e4 c6"),
    6: (4, "b3", "d1 a4"),
    7: (4, "a1", "d1"),
    8: (5, "a2 a3 e2 e3 d4", "d1 e1 b2 b4"),
    9: (4, "c4 d2", "a1 b4 d1"),
    10: (5, "b3 c4", "a5 c2 c5 d1"),
    11: (5, "b4 e3 e5", "b3 c2 d3 d5"),
    12: (4, "c1 d4", "a4 d2"),
    13: (5, "a2 d4 e2 e3", "b2 d2 c5 d5"),
    14: (5, "c4 e3 e4", "b4 d4 e1"),
    15: (5, "a1 a4 c3 d5", "c2 c4 e1"),
    16: (5, "c1 e1 c3", "b1 c2 d2"),
    17: (6, "a4 d2 f1", "a6 b6 c4"),
    18: (7, "a7 c1 g6", "c2 b6 d4 e4"),
    19: (5, "a2 a3 c3 e2 e3", "a5 c1 d1 e1 d5"),
    20: (6, "c2 e4", "a1 c4 e6"),
}


@family(
    "hex",
    *("hex(size=4)", "hex(size=3, misere=true)", "hex(width=4, height=3)"),
    *("hex(board=..../.#.X/....)",),
    instead={"width": ["size"], "height": ["size"], "board": ["size", "width", "height"]},
)
def hex_game(
    size: int = 5,
    misere: bool = False,
    width: int | None = None,
    height: int | None = None,
    board: Drawing | None = None,
) -> PositionalGame:
    """Hex: Black joins top and bottom, White left and right (misère, Rex: who connects loses)."""
    if (width is None) is not (height is None):
        raise UserError("hex needs both width and height, or size for a square board")
    if board is None:
        return _hex_on(HexGrid(width or size, height or size), misere)
    return _hex_on(board.hex_grid(), misere)


def _hex_on(board: HexGrid, misere: bool) -> PositionalGame:
    black_goal, white_goal = hex_goals(board)[:: -1 if misere else 1]
    return PositionalGame(
        name="",
        board=board,
        black_goal=black_goal,
        white_goal=white_goal,
        schedule=turns(board.size),
        misere=misere,
    )


@family("hein", "hein(9)")
def hein(number: int) -> PositionalGame:
    """Piet Hein's Hex puzzles, numbers 2 to 20: Black moves and wins."""
    if number not in HEIN:
        raise UserError(f"there is no puzzle number {number}; they run from 2 to 20")
    size, black, white = HEIN[number]
    return hex_game(size).set_up(black, white, None)


@family("browne")
def browne() -> PositionalGame:
    """Cameron Browne's Hex puzzle on 5x5: Black moves and wins."""
    return hex_game(5).set_up("b1 b3 b4", "a1 c1 b2 c3", None)


# --- lines ----------------------------------------------------------------------------------------
# `maker_breaker`: only Black has a goal. `misere`: who completes a line loses. With both, Black is
# the Enforcer, who wins if White completes a line, and White the Avoider.


OPENINGS = {"none": ("", ""), "mickey_mouse": ("j10 k11 j12", "i12 k12")}


def straight_lines(
    places: Iterable[Sequence[int]], at: Callable[..., int | None], length: int
) -> Sets:
    """All straight lines of a length, diagonals included, in any number of dimensions."""
    listed = list(places)
    lines = set()

    def further(place: Sequence[int], step: Sequence[int], by: int) -> int | None:
        return at(*(v + by * s for v, s in zip(place, step, strict=True)))

    for step in product((-1, 0, 1), repeat=len(listed[0])):
        if step <= (0,) * len(step):
            continue  # the same lines, walked backwards
        for place in listed:
            breathe()
            if further(place, step, -1) is not None:
                continue  # not where a ray begins
            ray: list[int] = []
            while (cell := further(place, step, len(ray))) is not None:
                ray.append(cell)
            line = mask_of(ray[:length])
            for first in range(len(ray) - length + 1):
                if first:  # one cell is left, and one is entered
                    line ^= 1 << ray[first - 1] | 1 << ray[first + length - 1]
                lines.add(line)
    return Sets.of(lines)


@family(
    "mnk",
    *("mnk(m=3, n=3, k=3)", "mnk(m=4, n=3, k=3, maker_breaker=true)"),
    *("mnk(k=3, board=..../.#../....)",),
    instead={"board": ["m", "n"]},
)
def mnk(
    m: int = 3,
    n: int = 3,
    k: int = 3,
    maker_breaker: bool = False,
    misere: bool = False,
    board: Drawing | None = None,
) -> PositionalGame:
    """k in a row, also diagonally, on a board of m columns and n rows, or on a drawn one."""
    grid = Grid(m, n) if board is None else board.grid()
    return _in_a_row(grid, k, maker_breaker, misere)


@family("tictactoe", "tictactoe", "tictactoe(misere=true)")
def tictactoe(maker_breaker: bool = False, misere: bool = False) -> PositionalGame:
    """Tic-tac-toe, three in a row on 3x3."""
    return mnk(3, 3, 3, maker_breaker, misere)


@family("gomoku", "gomoku(size=9)")
def gomoku(size: int = 15, maker_breaker: bool = False, misere: bool = False) -> PositionalGame:
    """Freestyle Gomoku: five or more in a row."""
    return mnk(size, size, 5, maker_breaker, misere)


@family("connect6", "connect6(opening=mickey_mouse)")
def connect6(
    size: int = 19,
    opening: Literal["none", "mickey_mouse"] = "none",
    maker_breaker: bool = False,
    misere: bool = False,
) -> PositionalGame:
    """Connect6: six in a row, two stones a turn, Black begins with one."""
    black, white = OPENINGS[opening]
    if black and size != 19:
        raise UserError(f"the opening {opening} is for size 19, not {size}")
    placed = len((black + " " + white).split())
    game = _in_a_row(Grid(size, size), 6, maker_breaker, misere, p=2, skip=placed)
    return game.set_up(black, white, None)


@family("qubic")
def qubic(size: int = 4, maker_breaker: bool = False, misere: bool = False) -> PositionalGame:
    """Qubic: a straight line through the cube, 4x4x4 by default."""
    board = Cube(size)
    lines = straight_lines(board.places, board.at, size)
    return PositionalGame.of_sets(board, lines, turns(board.size), maker_breaker, misere)


def _in_a_row(
    board: Grid, k: int, maker_breaker: bool, misere: bool, p: int = 1, skip: int = 0
) -> PositionalGame:
    if k < 1:
        raise UserError(f"a line needs at least one cell, not {k}")
    lines = straight_lines(board.places, board.at, k)
    if not lines.sets:
        raise UserError(f"a line of {k} does not fit onto {board}")
    schedule = turns(board.size, p)[skip:]
    return PositionalGame.of_sets(board, lines, schedule, maker_breaker, misere)


# --- polyominoes ----------------------------------------------------------------------------------
# Harary's achievement games: the first to build the polyomino wins. GTTT(p,q) generalises his
# tic-tac-toe, which has one stone a turn (Diptarama, Yoshinaka, Shinohara 2016).


TIPPY = Shapes.parse("tippy")


@family(
    "harary",
    *("harary(shape=tippy, width=5, height=5)", "harary(shape=elly, width=4, height=4)"),
    *("harary(shape=el tic, width=3, height=3)", "harary(shape=el, board=#..#/..../#..#)"),
    instead={"board": ["width", "height"]},
)
def harary(
    shape: Shapes = TIPPY,
    width: int = 5,
    height: int = 5,
    torus: bool = False,
    maker_breaker: bool = False,
    misere: bool = False,
    board: Drawing | None = None,
) -> PositionalGame:
    """Harary's tic-tac-toe: the first to build the polyomino, or one of several, wins."""
    return gttt(1, 1, shape, width, height, torus, maker_breaker, misere, board)


@family(
    "gttt", "gttt(p=2, q=1, shape=el, width=4, height=4)", instead={"board": ["width", "height"]}
)
def gttt(
    p: int = 1,
    q: int = 1,
    shape: Shapes = TIPPY,
    width: int = 4,
    height: int = 4,
    torus: bool = False,
    maker_breaker: bool = False,
    misere: bool = False,
    board: Drawing | None = None,
) -> PositionalGame:
    """GTTT(p,q): Black begins with q stones, then both place p a turn."""
    if p < 1 or q < 1:
        raise UserError(f"p and q must be at least 1, not {p} and {q}")
    grid = Grid(width, height, torus) if board is None else board.grid(torus)
    sets = shape.placements(grid)
    if not sets.sets:
        raise UserError(f"the shape {shape} does not fit onto {grid}")
    schedule = turns(grid.size, p, q)
    return PositionalGame.of_sets(grid, sets, schedule, maker_breaker, misere, shape.single)
