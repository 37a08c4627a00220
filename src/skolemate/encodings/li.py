"""LI: lifted board, a path by iterative squaring (Shaik et al. 2023, appendix C)."""

from __future__ import annotations

import numpy as np

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts.coded_moves import black_stones, coded_moves, fitted
from skolemate.encodings.parts.codes import bit_labels
from skolemate.encodings.parts.connection_problem import ConnectionProblem, connection_problem
from skolemate.encodings.parts.decoding import Boards
from skolemate.encodings.parts.lifted_board import black_in_the_end, witnesses_are_black
from skolemate.encodings.parts.maker_breaker import PAPER, refuses_other_games
from skolemate.encodings.parts.outcome import about, encoded
from skolemate.encodings.parts.paths import halved_path, joins_borders, steps_along_edges
from skolemate.formula import CircuitBuilder
from skolemate.formula.vectors import equal


@encoding("li", paper=PAPER, views=("connection",), refuses=refuses_other_games)
@about(fitted(connection_problem))
def li(self: Encoding, problem: ConnectionProblem) -> Encoded:
    """One cell for all, chosen by ∀, a path halved again and again; connection games. A circuit."""
    builder, boards = CircuitBuilder(), Boards(problem)
    graph = problem.graph(problem.goal)
    moves = coded_moves(builder, problem, boards)
    source, target, one, other = halved_path(builder, black_stones(moves), graph.cells)
    position = builder.forall("position", bit_labels(graph.cells))
    black = black_in_the_end(builder, moves, position)
    joins_borders(builder, graph, source, target)
    steps_along_edges(builder, graph, one, other, may_stay=range(graph.cells))
    witnesses_are_black(builder, equal(builder, np.stack([one, other]), position), black)
    return encoded(self, builder, boards)
