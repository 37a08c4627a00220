"""LA: lifted board, all winning sets (Shaik et al. 2023, §3.2)."""

from __future__ import annotations

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts.coded_moves import coded_moves, fitted
from skolemate.encodings.parts.codes import bit_labels
from skolemate.encodings.parts.decoding import Boards
from skolemate.encodings.parts.lifted_board import black_in_the_end, witnesses_are_black
from skolemate.encodings.parts.maker_breaker import PAPER, refuses_other_games
from skolemate.encodings.parts.outcome import about, encoded
from skolemate.encodings.parts.set_problem import SetProblem, set_problem
from skolemate.encodings.parts.witness_sets import witness_set
from skolemate.formula import CircuitBuilder
from skolemate.formula.vectors import equal


@encoding("la", paper=PAPER, views=("hypergraph",), refuses=refuses_other_games)
@about(fitted(set_problem))
def la(self: Encoding, problem: SetProblem) -> Encoded:
    """One cell for all, chosen by ∀; a winning set as a witness; Maker-Breaker. A circuit."""
    builder, boards = CircuitBuilder(), Boards(problem)
    moves = coded_moves(builder, problem, boards)
    witness = witness_set(builder, problem)
    position = builder.forall("position", bit_labels(len(problem.cells)))
    black = black_in_the_end(builder, moves, position)
    witnesses_are_black(builder, equal(builder, witness, position), black)
    return encoded(self, builder, boards)
