"""Random games: the same seed gives the same game everywhere."""

from math import comb

from skolemate.errors import UserError
from skolemate.games.board import Grid
from skolemate.games.chance import Chance
from skolemate.games.families.placing import harary
from skolemate.games.family import family
from skolemate.games.game import turns
from skolemate.games.goals import Sets, Shapes, polyominoes
from skolemate.games.positional import PositionalGame
from skolemate.games.symmetry import mask_of
from skolemate.limits import breathe

MOST_SETS = 100_000
LARGEST_POLYOMINO = 7  # cells; there are 108 of them


@family("random_hypergraph", "random_hypergraph(cells=9, sets=12, size=3, seed=1)")
def random_hypergraph(
    cells: int = 9,
    sets: int = 12,
    size: int = 3,
    seed: int = 1,
    maker_breaker: bool = False,
    misere: bool = False,
) -> PositionalGame:
    """Random winning sets, all of one size, on cells in a row."""
    board = Grid(cells, 1)
    most = min(MOST_SETS, comb(cells, size) if 1 <= size <= cells else 0)
    if not 1 <= sets <= most:
        raise UserError(f"{cells} cells have 1 to {most} sets of size {size} here, not {sets}")
    chance, found = Chance(seed), set[int]()
    while len(found) < sets:
        breathe()
        found.add(mask_of(chance.some(cells, size)))
    return PositionalGame.of_sets(board, Sets.of(found), turns(cells), maker_breaker, misere)


@family("random_harary", "random_harary(cells=4, width=4, height=4, seed=1)")
def random_harary(
    cells: int = 4,
    width: int = 4,
    height: int = 4,
    seed: int = 1,
    torus: bool = False,
    maker_breaker: bool = False,
    misere: bool = False,
) -> PositionalGame:
    """Harary's tic-tac-toe with a random polyomino of a given number of cells."""
    if not 1 <= cells <= LARGEST_POLYOMINO:
        raise UserError(f"a polyomino has 1 to {LARGEST_POLYOMINO} cells here, not {cells}")
    board = Grid(width, height, torus)
    fitting = [shape for shape in polyominoes(cells) if shape.fits(board)]
    if not fitting:
        raise UserError(f"no polyomino of {cells} cells fits onto {width}x{height}")
    shape = Shapes.of([Chance(seed).pick(fitting)])
    return harary(shape, width, height, torus, maker_breaker, misere)
