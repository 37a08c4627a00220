"""EA: explicit boards, all winning sets (Shaik et al. 2023, §3.1)."""

from __future__ import annotations

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts.black_boards import black_boards
from skolemate.encodings.parts.decoding import Boards
from skolemate.encodings.parts.maker_breaker import PAPER, refuses_other_games
from skolemate.encodings.parts.outcome import about, encoded
from skolemate.encodings.parts.set_problem import SetProblem, set_problem
from skolemate.encodings.parts.winning_sets import owns_a_set
from skolemate.formula import Builder


@encoding("ea", paper=PAPER, views=("hypergraph",), refuses=refuses_other_games)
@about(set_problem)
def ea(self: Encoding, problem: SetProblem) -> Encoded:
    """Explicit board after Black's moves only, listed winning sets; Maker-Breaker."""
    builder, boards = Builder(), Boards(problem)
    black = black_boards(builder, problem, boards)
    owns_a_set(builder, problem.black_sets, black)  # (7), (8), (9)
    return encoded(self, builder, boards)
