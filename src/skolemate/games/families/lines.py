"""Games in which winning sets are lines or polyominoes."""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Literal

from skolemate.errors import UserError
from skolemate.games.board import Cube, Grid
from skolemate.games.family import family
from skolemate.games.game import turns
from skolemate.games.goals import Sets
from skolemate.games.polyomino import Shape
from skolemate.games.positional import PositionalGame
from skolemate.games.symmetry import mask_of
from skolemate.limits import breathe

# --- lines ----------------------------------------------------------------------------------------


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
            if further(place, step, length - 1) is not None:  # and so all between
                cells = [further(place, step, by) for by in range(length)]
                lines.add(mask_of(cell for cell in cells if cell is not None))
    return Sets.of(lines)


@family("mnk", "mnk(m=3, n=3, k=3)", "mnk(m=4, n=3, k=3, maker_breaker=true)")
def mnk(m: int = 3, n: int = 3, k: int = 3, maker_breaker: bool = False) -> PositionalGame:
    """k in a row, also diagonally, on a board of m columns and n rows."""
    return _in_a_row(Grid(m, n), k, maker_breaker)


@family("tictactoe")
def tictactoe(maker_breaker: bool = False) -> PositionalGame:
    """Tic-tac-toe, three in a row on 3x3."""
    return mnk(3, 3, 3, maker_breaker)


@family("gomoku", "gomoku(size=9)")
def gomoku(size: int = 15, maker_breaker: bool = False) -> PositionalGame:
    """Freestyle Gomoku: five or more in a row."""
    return mnk(size, size, 5, maker_breaker)


@family("connect6", "connect6(opening=mickey_mouse)")
def connect6(
    size: int = 19,
    opening: Literal["none", "mickey_mouse"] = "none",
    maker_breaker: bool = False,
) -> PositionalGame:
    """Connect6: six in a row, two stones a turn, Black begins with one."""
    black, white = OPENINGS[opening]
    if black and size != 19:
        raise UserError(f"the opening {opening} is for size 19, not {size}")
    placed = len((black + " " + white).split())
    game = _in_a_row(Grid(size, size), 6, maker_breaker, p=2, skip=placed)
    return game.set_up(black, white, None)


@family("qubic")
def qubic(size: int = 4, maker_breaker: bool = False) -> PositionalGame:
    """Qubic: a straight line through a cube, 4x4x4."""
    board = Cube(size)
    lines = straight_lines(board.places, board.at, size)
    return PositionalGame.of_sets(board, lines, turns(board.size), maker_breaker)


def _in_a_row(
    board: Grid, k: int, maker_breaker: bool, p: int = 1, skip: int = 0
) -> PositionalGame:
    if k < 1:
        raise UserError(f"a line needs at least one cell, not {k}")
    lines = straight_lines(board.places, board.at, k)
    if not lines.sets:
        raise UserError(f"a line of {k} does not fit onto a {board.width}x{board.height} board")
    return PositionalGame.of_sets(board, lines, turns(board.size, p)[skip:], maker_breaker)


# --- polyominoes ----------------------------------------------------------------------------------
# Harary's achievement games: the first to build the polyomino wins. GTTT(p,q) generalises his
# tic-tac-toe, which has one stone a turn (Diptarama, Yoshinaka, Shinohara 2016).


TIPPY = Shape.parse("tippy")


@family("harary", "harary(shape=tippy, width=5, height=5)", "harary(shape=elly, width=4, height=4)")
def harary(
    shape: Shape = TIPPY,
    width: int = 5,
    height: int = 5,
    torus: bool = False,
    maker_breaker: bool = False,
) -> PositionalGame:
    """Harary's tic-tac-toe: the first to build the polyomino wins."""
    return gttt(1, 1, shape, width, height, torus, maker_breaker)


@family("gttt", "gttt(p=2, q=1, shape=el, width=4, height=4)")
def gttt(
    p: int = 1,
    q: int = 1,
    shape: Shape = TIPPY,
    width: int = 4,
    height: int = 4,
    torus: bool = False,
    maker_breaker: bool = False,
) -> PositionalGame:
    """GTTT(p,q): Black begins with q stones, then both place p a turn."""
    if p < 1 or q < 1:
        raise UserError(f"p and q must be at least 1, not {p} and {q}")
    board = Grid(width, height, torus)
    sets = Sets.of(shape.placements(board))
    if not sets.sets:
        where = "torus" if torus else "board"
        raise UserError(f"the shape {shape} does not fit onto a {width}x{height} {where}")
    return PositionalGame.of_sets(board, sets, turns(board.size, p, q), maker_breaker, shape)
