"""Games: boards, rules, positions, and the registry of families. Formulas are unknown here."""

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
