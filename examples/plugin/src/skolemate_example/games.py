"""Two games: one in which stones are placed, and one whose rules are a BDDL file."""

from skolemate.games.bddl import BddlGame
from skolemate.games.board import Grid
from skolemate.games.families.models import shipped
from skolemate.games.family import family
from skolemate.games.game import turns
from skolemate.games.goals import Sets
from skolemate.games.positional import PositionalGame


@family("corners", "corners(size=3)")
def corners(size: int = 3, maker_breaker: bool = False) -> PositionalGame:
    """Corners: own two corners in the same row or column."""
    board = Grid(size, size)
    top_left, top_right = board.names[0], board.names[size - 1]
    bottom_left, bottom_right = board.names[-size], board.names[-1]
    edges = [
        (top_left, top_right),
        (bottom_left, bottom_right),
        (top_left, bottom_left),
        (top_right, bottom_right),
    ]
    sets = Sets.of([board.cells(" ".join(edge)) for edge in edges])
    return PositionalGame.of_sets(board, sets, turns(board.size), maker_breaker)


@family("race", "race(width=3, height=4)")
def race(width: int = 3, height: int = 4) -> BddlGame:
    """Race: the first pawn on the other side wins."""
    return shipped(
        "race",
        width,
        height,
        package="skolemate_example",
        black=[(1, height)],
        white=[(width, 1)],
        black_goals=["(black(?x,ymin))"],
        white_goals=["(white(?x,ymax))"],
    )
