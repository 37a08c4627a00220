"""Hex, and the collection of Hex puzzles.

Black joins the first row to the last, White the first column to the last. The puzzles are
Piet Hein's of 1942/43 (Politiken; numbered as in Hayward and Toft, Hex: the full story, 2019)
and Cameron Browne's (A problem case for UCT, 2013); Black moves and wins.
"""

from skolemate.errors import UserError
from skolemate.games.board import HexGrid
from skolemate.games.family import family
from skolemate.games.game import turns
from skolemate.games.goals import hex_goals
from skolemate.games.positional import PositionalGame

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


@family("hex", "hex(size=4)")
def hex_game(size: int = 5) -> PositionalGame:
    """Hex: Black joins top and bottom, White left and right."""
    board = HexGrid(size, size)
    black_goal, white_goal = hex_goals(board)
    return PositionalGame(
        name="",
        board=board,
        black_goal=black_goal,
        white_goal=white_goal,
        schedule=turns(board.size),
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
