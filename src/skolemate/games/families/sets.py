"""Games on set systems: cliques, neighbourhoods, progressions, cubes, finite planes.

The references are Beck, Combinatorial Games: Tic-Tac-Toe Theory (2008), and for Sim Simmons 1969.
"""

from itertools import combinations, pairwise, product
from typing import Literal

from skolemate.errors import UserError
from skolemate.games.board import Board, Cube, Graph, Grid
from skolemate.games.drawing import Drawing
from skolemate.games.family import family
from skolemate.games.game import turns
from skolemate.games.goals import Sets, closed_neighbourhoods
from skolemate.games.positional import PositionalGame
from skolemate.games.symmetry import mask_of
from skolemate.limits import breathe

# --- graphs ---------------------------------------------------------------------------------------
# Cells are the edges of the complete graph: `12` joins the vertices 1 and 2.


MOST_VERTICES = 9  # one digit each
MOST_IN_CUBE = 1000  # cells


@family("sim", "sim(n=6)", "sim(n=5)")
def sim(n: int = 6) -> PositionalGame:
    """Sim: colour the edges of K_n; a triangle of your own colour loses."""
    return clique(n, 3, misere=True)


@family("clique", "clique(n=5, k=3)", "clique(n=4, k=3, misere=true)")
def clique(
    n: int = 5, k: int = 3, maker_breaker: bool = False, misere: bool = False
) -> PositionalGame:
    """The clique game: claim the edges of a K_k in K_n."""
    if not 2 <= k <= n <= MOST_VERTICES:
        raise UserError(f"a clique needs 2 <= k <= n <= {MOST_VERTICES}, not k={k} and n={n}")
    edges = list(combinations(range(1, n + 1), 2))
    number = {edge: cell for cell, edge in enumerate(edges)}
    names = [f"{a}{b}" for a, b in edges]
    touching = [
        (names[number[one]], names[number[other]])
        for one, other in combinations(edges, 2)
        if set(one) & set(other)
    ]
    cliques = combinations(range(1, n + 1), k)
    sets = Sets.of(mask_of(number[edge] for edge in combinations(some, 2)) for some in cliques)
    return _game(Graph.of(names, touching), sets, maker_breaker, misere)


@family(
    "domination",
    *("domination(width=3, height=3)", "domination(board=..#/.../#..)"),
    instead={"board": ["width", "height"]},
)
def domination(
    width: int = 4,
    height: int = 4,
    torus: bool = False,
    misere: bool = False,
    board: Drawing | None = None,
) -> PositionalGame:
    """Domination: Black, the Staller, claims a cell and all its neighbours; White prevents it.

    White, the Dominator, wins if every cell is White's, or beside one of White's, in the end
    (Duchêne, Gledel, Parreau and Renault 2020). A graph in a file is such a game, too.
    """
    grid = Grid(width, height, torus) if board is None else board.grid(torus)
    return _game(grid, closed_neighbourhoods(grid), True, misere)


# --- progressions and cubes -----------------------------------------------------------------------


@family("vdw", "vdw(n=9, k=3)", "vdw(n=8, k=3, misere=true)")
def vdw(
    n: int = 9, k: int = 3, maker_breaker: bool = False, misere: bool = False
) -> PositionalGame:
    """The van der Waerden game: claim k numbers of 1 to n in arithmetic progression."""
    if not 2 <= k <= n:
        raise UserError(f"a progression needs 2 <= k <= n, not k={k} and n={n}")
    names = [str(number) for number in range(1, n + 1)]
    sets = Sets.of(
        mask_of(range(first, first + k * step, step))
        for first in range(n)
        for step in range(1, (n - 1 - first) // (k - 1) + 1)
    )
    board = Graph.of(names, pairwise(names))
    return _game(board, sets, maker_breaker, misere)


@family("cube", "cube(n=3, d=2)", "cube(n=2, d=4)")
def cube(
    n: int = 3, d: int = 3, maker_breaker: bool = False, misere: bool = False
) -> PositionalGame:
    """The Hales-Jewett game n^d: a line of n, also diagonally, in a cube of d dimensions."""
    if n < 2 or d < 1:
        raise UserError(f"a cube needs a side n of at least 2 and dimensions d, not {n} and {d}")
    board = Grid(n, n) if d == 2 else Cube(n) if d == 3 else _hypercube(n, d)
    return _game(board, _lines(n, d), maker_breaker, misere)


def _hypercube(n: int, d: int) -> Graph:
    """Cells by their coordinates, as in 1213; neighbours differ by one in one coordinate."""
    if n**d > MOST_IN_CUBE or n > 9:
        raise UserError(f"a cube of {n}^{d} cells is too large: at most {MOST_IN_CUBE}, and n <= 9")
    names = {place: "".join(str(c + 1) for c in place) for place in product(range(n), repeat=d)}
    edges = [
        (name, names[near])
        for place, name in names.items()
        for axis in range(d)
        if (near := (*place[:axis], place[axis] + 1, *place[axis + 1 :])) in names
    ]
    return Graph.of(names.values(), edges)


def _lines(n: int, d: int) -> Sets:
    """The lines of n cells in a cube; its cells are numbered in the order of their coordinates."""
    number = {place: cell for cell, place in enumerate(product(range(n), repeat=d))}
    still, moving = [(c,) * n for c in range(n)], [tuple(range(n)), tuple(reversed(range(n)))]
    lines = set()
    for along in product(still + moving, repeat=d):  # how each coordinate goes along a line
        breathe()
        if moving[0] in along or moving[1] in along:
            lines.add(mask_of(number[place] for place in zip(*along, strict=True)))
    return Sets.of(lines)


# --- finite planes --------------------------------------------------------------------------------
# Elements of the field of order q are numbered from 0; 0 and 1 are what they say.


# What x to the power of the degree is: the coefficients of lower powers, the highest first.
REDUCTIONS = {4: (1, 1), 8: (0, 1, 1), 9: (0, 2)}
ORDERS = (2, 3, 4, 5, 7, 8, 9)


@family("plane", "plane(q=3)", "plane(q=2, kind=projective)")
def plane(
    q: int = 3,
    kind: Literal["affine", "projective"] = "affine",
    maker_breaker: bool = False,
    misere: bool = False,
) -> PositionalGame:
    """A finite plane of order q: own a line of AG(2,q) (affine) or PG(2,q) (projective)."""
    if q not in ORDERS:
        raise UserError(f"there is a plane for q = {', '.join(map(str, ORDERS))}, not {q}")
    product_of = _products(q)
    # Points and lines have the same coordinates, the first that is not 0 being 1.
    lines = [(0, 0, 1), *((0, 1, z) for z in range(q))]
    affine = [(1, y, z) for y, z in product(range(q), repeat=2)]
    lines += affine
    points = affine if kind == "affine" else lines
    board: Board = (
        Grid(q, q) if kind == "affine" else Graph.of("".join(map(str, p)) for p in points)
    )
    prime = _prime(q)

    def incident(line: Triple, point: Triple) -> bool:
        terms = (product_of[a, b] for a, b in zip(line, point, strict=True))
        return not any(sum(digits) % prime for digits in zip(*terms, strict=True))

    on_lines = (mask_of(c for c, p in enumerate(points) if incident(line, p)) for line in lines)
    return _game(board, Sets.of(filter(None, on_lines)), maker_breaker, misere)


Triple = tuple[int, int, int]


def _prime(q: int) -> int:
    return next(prime for prime in ORDERS if q % prime == 0)


def _products(q: int) -> dict[tuple[int, int], list[int]]:
    """The products of all elements, as coefficients over the prime field.

    >>> _products(4)[2, 2] == _products(4)[3, 1]  # x * x = x + 1
    True
    """
    prime, reduction = _prime(q), REDUCTIONS.get(q, (0,))
    elements = list(product(range(prime), repeat=len(reduction)))
    products = {}
    for a, b in product(range(q), repeat=2):
        total = [0] * len(reduction)
        for digit in elements[a]:  # Horner's rule
            terms = zip((*total[1:], 0), reduction, elements[b], strict=True)
            total = [(kept + total[0] * r + digit * c) % prime for kept, r, c in terms]
        products[a, b] = total
    return products


def _game(board: Board, sets: Sets, maker_breaker: bool, misere: bool) -> PositionalGame:
    return PositionalGame.of_sets(board, sets, turns(board.size), maker_breaker, misere)
