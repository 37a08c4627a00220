"""Games: boards, rules, positions, questions, and the registry of families.

Nothing here knows of formulas, solvers or files.
"""

from skolemate.games.board import Board, Cube, Graph, Grid, HexGrid, column_letters, parse_cell
from skolemate.games.game import (
    DEEPEST,
    Game,
    Move,
    Player,
    Position,
    Question,
    Stuck,
    turns,
    with_argument,
)
from skolemate.games.goals import Connection, Sets, Shape, hex_goals
from skolemate.games.positional import PositionalGame
from skolemate.games.symmetry import CellMap, Permutation, cells_of, inverse, mask_of, move_mask
from skolemate.games.views import Columns

__all__ = [
    "DEEPEST",
    "Board",
    "CellMap",
    "Columns",
    "Connection",
    "Cube",
    "Game",
    "Graph",
    "Grid",
    "HexGrid",
    "Move",
    "Permutation",
    "Player",
    "Position",
    "PositionalGame",
    "Question",
    "Sets",
    "Shape",
    "Stuck",
    "cells_of",
    "column_letters",
    "hex_goals",
    "inverse",
    "mask_of",
    "move_mask",
    "parse_cell",
    "turns",
    "with_argument",
]
