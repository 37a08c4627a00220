"""Games: boards, rules, positions, questions, and the registry of families.

Nothing here knows of formulas, solvers or files.
"""

from skolemate.games.board import Board, Cube, Graph, Grid, HexGrid
from skolemate.games.game import Game, Move, Player, Position, Question, Stuck
from skolemate.games.goals import Connection, Sets
from skolemate.games.polyomino import Shape
from skolemate.games.positional import PositionalGame

__all__ = [
    "Board",
    "Connection",
    "Cube",
    "Game",
    "Graph",
    "Grid",
    "HexGrid",
    "Move",
    "Player",
    "Position",
    "PositionalGame",
    "Question",
    "Sets",
    "Shape",
    "Stuck",
]
