"""SA: stateless, all winning sets (Shaik et al. 2023, §3.3)."""

from __future__ import annotations

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts.coded_moves import coded_moves, fitted
from skolemate.encodings.parts.decoding import Boards
from skolemate.encodings.parts.maker_breaker import PAPER, refuses_other_games
from skolemate.encodings.parts.outcome import about, encoded
from skolemate.encodings.parts.set_problem import SetProblem, set_problem
from skolemate.encodings.parts.stateless import are_black, black_moves_are_fresh
from skolemate.encodings.parts.witness_sets import witness_set
from skolemate.formula import CircuitBuilder


@encoding("sa", paper=PAPER, views=("hypergraph",), refuses=refuses_other_games)
@about(fitted(set_problem))
def sa(self: Encoding, problem: SetProblem) -> Encoded:
    """Moves and no board, a winning set as a witness; Maker-Breaker. A circuit."""
    builder, boards = CircuitBuilder(), Boards(problem)
    moves = coded_moves(builder, problem, boards)
    black_moves_are_fresh(builder, moves)
    are_black(builder, moves, witness_set(builder, problem))
    return encoded(self, builder, boards)
