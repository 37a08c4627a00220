"""Games in which pieces move, stones fall or dominoes are laid: each is a BDDL model."""

from collections.abc import Iterable
from importlib.resources import files
from itertools import product
from typing import Literal

from skolemate.errors import UserError
from skolemate.games.bddl.game import BddlGame
from skolemate.games.board import Grid
from skolemate.games.family import family

# --- shipped domains ------------------------------------------------------------------------------
# The domains are files in `models/`; the problem is written for the size asked for. Both go through
# the same reader as a user's files.


Cell = tuple[int, int]  # column and row, from 1


def shipped(
    domain: str,
    width: int,
    height: int,
    *,
    black: Iterable[Cell] = (),
    white: Iterable[Cell] = (),
    black_goals: Iterable[str] = (),
    white_goals: Iterable[str] = (),
    misere: bool = False,
    package: str = "skolemate.games",
) -> BddlGame:
    """The game of a domain on a board, with stones at the start and the players' goals.

    The domain is a file in the folder `models` of a package, ours or a plug-in's. If `misere`, who
    reaches a goal loses: it is the opponent's.
    """
    # Here, because formats know games: only the shipped games know formats too.
    from skolemate.formats.bddl import parse_bddl

    Grid(width, height)  # a wrong size is the caller's mistake, not one of the text below
    stones = [f"black({x},{y})" for x, y in black] + [f"white({x},{y})" for x, y in white]
    if misere:
        black_goals, white_goals = white_goals, black_goals
    problem = [
        *("#boardsize", f"{width} {height}"),
        *("#init", f"({' '.join(stones)})"),
        *("#blackgoals", *black_goals),
        *("#whitegoals", *white_goals),
    ]
    rules = files(package).joinpath("models", f"{domain}.bddl").read_text()
    game = parse_bddl("\n".join(problem), rules)
    assert isinstance(game, BddlGame), "positional games are not made here"
    return game


def refuse_smaller(name: str, width: int, height: int, least_width: int, least_height: int) -> None:
    """Refuse a board on which a game makes no sense."""
    if width < least_width or height < least_height:
        raise UserError(f"{name} needs a board of at least {least_width}x{least_height}")


# --- Connect --------------------------------------------------------------------------------------


STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))


@family("connect", "connect(k=4, width=7, height=6)", "connect(k=3, width=4, height=4)")
def connect(k: int = 4, width: int = 7, height: int = 6, misere: bool = False) -> BddlGame:
    """Connect-k: stones fall to the bottom; k in a row wins (misère: loses)."""
    if not 1 <= k <= max(width, height):
        raise UserError(f"a line of {k} does not fit onto a {width}x{height} board")
    return shipped(
        "connect",
        width,
        height,
        black_goals=_lines("black", k),
        white_goals=_lines("white", k),
        misere=misere,
    )


def _lines(colour: str, k: int, *more: str) -> list[str]:
    """The straight lines of k stones of a colour, each with more conditions."""
    lines = []
    for dx, dy in STEPS:
        cells = [f"{colour}({_shifted('x', i * dx)},{_shifted('y', i * dy)})" for i in range(k)]
        lines.append(f"({' '.join([*cells, *more])})")
    return lines


def _shifted(axis: str, by: int) -> str:
    return f"?{axis}{by:+d}" if by else f"?{axis}"


# --- one kind of stone ----------------------------------------------------------------------------
# A goal does not know who has moved last, so a cell below the board remembers it: the first of the
# last row is black after a move of Black's. All others in the last two rows stay white, so that no
# row of crosses reaches it.


@family("notakto", "notakto(k=3, width=3, height=3)")
def notakto(k: int = 3, width: int = 3, height: int = 3) -> BddlGame:
    """Notakto: both players place crosses, and who completes k in a row loses."""
    if not 1 <= k <= max(width, height):
        raise UserError(f"a line of {k} does not fit onto a {width}x{height} board")
    below = product(range(1, width + 1), (height + 1, height + 2))
    return shipped(
        "notakto",
        width,
        height + 2,
        white=below,
        black_goals=_lines("black", k, "white(xmin,ymax)"),
        white_goals=_lines("black", k, "black(xmin,ymax)"),
    )


# --- Evader and Pursuer ---------------------------------------------------------------------------


@family("evader_pursuer", "evader_pursuer(size=8, x=2, y=3)", "evader_pursuer(size=4, x=1, y=2)")
def evader_pursuer(size: int = 8, x: int = 2, y: int = 3, dual: bool = False) -> BddlGame:
    """Evader and Pursuer: Black tries to reach a1; White starts at (x,y) and hunts Black.

    In the dual game Black is the pursuer, and moves second.
    """
    refuse_smaller("evader_pursuer", size, size, 2, 2)
    if not (1 <= x <= size and 1 <= y <= size) or (x, y) in ((1, 1), (size, 1)):
        raise UserError(
            f"the pursuer cannot start at ({x},{y}): take any cell except a1 and the evader's"
        )
    game = shipped(
        "evader_pursuer",
        size,
        size,
        black=[(size, 1)],
        white=[(x, y)],
        black_goals=["(black(xmin,ymin))"],
        white_goals=["(white(xmin,ymin))"],
    )
    return game.swapped() if dual else game


# --- who cannot move loses ------------------------------------------------------------------------


LONGEST_KONANE_SIDE = 10  # the shipped domain has jumps over up to four stones


@family("domineering", "domineering(width=6, height=6)", "domineering(width=3, height=4)")
def domineering(width: int = 6, height: int = 6) -> BddlGame:
    """Domineering: Black lays dominoes vertically, White horizontally."""
    return shipped("domineering", width, height)


@family("konane", "konane(width=6, height=6)", "konane(width=4, height=4, opening=corner)")
def konane(
    width: int = 6, height: int = 6, opening: Literal["centre", "corner"] = "centre"
) -> BddlGame:
    """Konane: jump over the opponent's stones; two neighbours are taken off at the opening."""
    refuse_smaller("konane", width, height, 2, 1)
    if max(width, height) > LONGEST_KONANE_SIDE:
        side = LONGEST_KONANE_SIDE
        raise UserError(f"konane is for boards of up to {side}x{side}, not {width}x{height}")
    # Black takes off a stone of his own, White the one to its right.
    pairs = [(x, y) for x, y in product(range(1, width), range(1, height + 1)) if (x + y) % 2 == 0]
    x, y = (1, 1)
    if opening == "centre":
        x, y = min(pairs, key=lambda at: (2 * at[0] - width) ** 2 + (2 * at[1] - height - 1) ** 2)
    cells = [
        cell
        for cell in product(range(1, width + 1), range(1, height + 1))
        if cell not in ((x, y), (x + 1, y))
    ]
    return shipped(
        "konane",
        width,
        height,
        black=[cell for cell in cells if sum(cell) % 2 == 0],
        white=[cell for cell in cells if sum(cell) % 2 == 1],
    )


@family("cross_purpose", "cross_purpose(width=5, height=5)")
def cross_purpose(width: int = 5, height: int = 5) -> BddlGame:
    """CrossPurpose: tip over stacks, Black vertically, White horizontally.

    The stacks, black stones, stand on the diagonal unless `black=` says where.
    """
    diagonal = [(i, i) for i in range(1, min(width, height) + 1)]
    return shipped("cross_purpose", width, height, black=diagonal)


@family("clobber", "clobber(width=4, height=3)")
def clobber(width: int = 5, height: int = 4) -> BddlGame:
    """Clobber: capture a neighbouring stone; who cannot move loses."""
    cells = list(product(range(1, width + 1), range(1, height + 1)))
    black, white = ([cell for cell in cells if sum(cell) % 2 == colour] for colour in (0, 1))
    return shipped("clobber", width, height, black=black, white=white)


# An action is tried only where all its cells are on the board. So the boards of Col and Snort have
# a frame of cells on which nobody can play: a cell at the edge has neighbours there, always open.


@family("col", "col(width=4, height=3)")
def col(width: int = 4, height: int = 4) -> BddlGame:
    """Col: place a stone that touches none of your own; the frame stays open."""
    return _framed("col", width, height)


@family("snort", "snort(width=4, height=3)")
def snort(width: int = 4, height: int = 4) -> BddlGame:
    """Snort: place a stone that touches none of the opponent's; the frame stays open."""
    return _framed("snort", width, height)


def _framed(name: str, width: int, height: int) -> BddlGame:
    refuse_smaller(name, width, height, 1, 1)
    return shipped(name, width + 2, height + 2)


# --- getting through ------------------------------------------------------------------------------
# The first piece on the opponent's last row wins.


@family("breakthrough", "breakthrough(width=3, height=5)", "breakthrough(width=2, height=4)")
def breakthrough(width: int = 6, height: int = 6, misere: bool = False) -> BddlGame:
    """Breakthrough: pawns that capture diagonally; reaching the last row wins (misère: loses)."""
    return _through("breakthrough", width, height, misere)


@family("knightthrough", "knightthrough(width=3, height=4)")
def knightthrough(width: int = 6, height: int = 6, misere: bool = False) -> BddlGame:
    """KnightThrough: knights; reaching the last row wins (misère: loses)."""
    return _through("knightthrough", width, height, misere)


def _through(name: str, width: int, height: int, misere: bool) -> BddlGame:
    refuse_smaller(name, width, height, 1, 4)
    columns = range(1, width + 1)
    return shipped(
        name,
        width,
        height,
        black=product(columns, (height - 1, height)),
        white=product(columns, (1, 2)),
        black_goals=["(black(?x,ymin))"],
        white_goals=["(white(?x,ymax))"],
        misere=misere,
    )
