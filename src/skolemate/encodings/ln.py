"""LN: lifted board, a path of neighbours (Shaik et al. 2023, §4.3)."""

from __future__ import annotations

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts.coded_moves import black_stones, coded_moves, fitted
from skolemate.encodings.parts.codes import bit_labels
from skolemate.encodings.parts.connection_problem import ConnectionProblem, connection_problem
from skolemate.encodings.parts.decoding import Boards
from skolemate.encodings.parts.lifted_board import black_in_the_end, witnesses_are_black
from skolemate.encodings.parts.maker_breaker import PAPER, refuses_other_games
from skolemate.encodings.parts.outcome import about, encoded
from skolemate.encodings.parts.paths import joins_borders, steps_along_edges, witness_path
from skolemate.formula import CircuitBuilder
from skolemate.formula.vectors import equal


@encoding("ln", paper=PAPER, views=("connection",), refuses=refuses_other_games)
@about(fitted(connection_problem))
def ln(self: Encoding, problem: ConnectionProblem) -> Encoded:
    """One cell for all, chosen by ∀, and a neighbour of it; connection games. A circuit."""
    builder, boards = CircuitBuilder(), Boards(problem)
    graph = problem.graph(problem.goal)
    moves = coded_moves(builder, problem, boards)
    witness = witness_path(builder, black_stones(moves), graph.cells)
    position = builder.forall("position", bit_labels(graph.cells))
    black = black_in_the_end(builder, moves, position)
    neighbour = builder.exists("neighbour", bit_labels(graph.cells))
    at_witness = equal(builder, witness, position)
    witnesses_are_black(builder, at_witness, black)
    joins_borders(builder, graph, witness[0], witness[-1])
    # Every cell has some neighbour N, or its branch of ∀P would be lost: a path may end on the
    # second border, where it stands still.
    steps_along_edges(builder, graph, position, neighbour, may_stay=graph.end)
    builder.add(-at_witness[:-1], equal(builder, witness[1:], neighbour))
    return encoded(self, builder, boards)
