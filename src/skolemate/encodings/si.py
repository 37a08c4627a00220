"""SI: stateless, a path by iterative squaring (Shaik et al. 2023, appendix C)."""

from __future__ import annotations

import numpy as np

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts.coded_moves import black_stones, coded_moves, fitted
from skolemate.encodings.parts.connection_problem import ConnectionProblem, connection_problem
from skolemate.encodings.parts.decoding import Boards
from skolemate.encodings.parts.maker_breaker import PAPER, refuses_other_games
from skolemate.encodings.parts.outcome import about, encoded
from skolemate.encodings.parts.paths import halved_path, joins_borders, steps_along_edges
from skolemate.encodings.parts.stateless import are_black, black_moves_are_fresh
from skolemate.formula import CircuitBuilder


@encoding("si", paper=PAPER, views=("connection",), refuses=refuses_other_games)
@about(fitted(connection_problem))
def si(self: Encoding, problem: ConnectionProblem) -> Encoded:
    """Moves and no board, a path halved again and again; connection games. A circuit."""
    builder, boards = CircuitBuilder(), Boards(problem)
    graph = problem.graph(problem.goal)
    moves = coded_moves(builder, problem, boards)
    black_moves_are_fresh(builder, moves)
    source, target, one, other = halved_path(builder, black_stones(moves), graph.cells)
    joins_borders(builder, graph, source, target)
    steps_along_edges(builder, graph, one, other, may_stay=range(graph.cells))
    are_black(builder, moves, np.stack([one, other]))
    return encoded(self, builder, boards)
