"""SN: stateless, a path of neighbours (Shaik et al. 2023, §4.4); also polyominoes (§6)."""

from __future__ import annotations

from skolemate.ask.question import Question
from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts.coded_moves import black_stones, coded_moves, fitted
from skolemate.encodings.parts.connection_problem import ConnectionProblem, connection_problem
from skolemate.encodings.parts.decoding import Boards
from skolemate.encodings.parts.maker_breaker import PAPER, refuses_other_games
from skolemate.encodings.parts.outcome import about, encoded
from skolemate.encodings.parts.paths import joins_borders, steps_along_edges, witness_path
from skolemate.encodings.parts.set_problem import SetProblem, set_problem
from skolemate.encodings.parts.stateless import are_black, black_moves_are_fresh
from skolemate.encodings.parts.witness_shapes import witness_shape
from skolemate.formula import CircuitBuilder


@encoding("sn", paper=PAPER, views=("connection or shape",), refuses=refuses_other_games)
def sn(self: Encoding, question: Question, symmetry: bool) -> Encoded:
    """Moves and no board, a path or polyomino cell by cell; connection and Harary. A circuit."""
    build = _path if question.game.offers("connection") else _shape
    return build(self, question, symmetry)


@about(fitted(connection_problem))
def _path(self: Encoding, problem: ConnectionProblem) -> Encoded:
    builder, boards = CircuitBuilder(), Boards(problem)
    graph = problem.graph(problem.goal)
    moves = coded_moves(builder, problem, boards)
    black_moves_are_fresh(builder, moves)
    witness = witness_path(builder, black_stones(moves), graph.cells)
    are_black(builder, moves, witness)
    joins_borders(builder, graph, witness[0], witness[-1])
    # Shorter paths end on the second border, and stand still there.
    steps_along_edges(builder, graph, witness[:-1], witness[1:], may_stay=graph.end)
    return encoded(self, builder, boards)


@about(fitted(set_problem))
def _shape(self: Encoding, problem: SetProblem) -> Encoded:
    builder, boards = CircuitBuilder(), Boards(problem)
    moves = coded_moves(builder, problem, boards)
    black_moves_are_fresh(builder, moves)
    witness, old_stones = witness_shape(builder, problem)
    are_black(builder, moves, witness, old_stones)
    return encoded(self, builder, boards)
