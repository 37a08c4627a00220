"""ET: explicit boards, no path for White (Shaik et al. 2023, §4.5).

Where exactly one player gets connected (Hex), Black has won once White is cut off even with
all open cells his. Here the roles are exchanged: White's stones, and the cells that are of no
use to Black, are contracted; Black's stones are cut out.
"""

from __future__ import annotations

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts.black_boards import black_boards
from skolemate.encodings.parts.connection_problem import (
    ConnectionProblem,
    Graph,
    connection_problem,
)
from skolemate.encodings.parts.decoding import Boards
from skolemate.encodings.parts.maker_breaker import PAPER, refuses_other_games
from skolemate.encodings.parts.outcome import about, decided, encoded
from skolemate.formula import Builder, Literals


@encoding("et", paper=PAPER, views=("connection", "transversal"), refuses=refuses_other_games)
@about(connection_problem)
def et(self: Encoding, problem: ConnectionProblem) -> Encoded:
    """Explicit board after Black's moves only, White is cut off; Hex boards."""
    game = problem.question.game
    whites = game.start.white | problem.given_away
    if game.transversal().met(whites):
        return decided(self, problem.question, False)
    builder, boards = Builder(), Boards(problem)
    black = black_boards(builder, problem, boards)
    goal = game.transversal().contracted(whites, game.start.black)
    _white_is_cut_off(builder, problem.graph(goal), problem.names, black)
    return encoded(self, builder, boards)


def _white_is_cut_off(builder: Builder, graph: Graph, names: list[str], black: Literals) -> None:
    """reach(v): White's first border reaches v over cells that are not black."""
    reach = builder.exists("reach", names)  # (15)
    source, target = graph.edges.T
    builder.add(black[graph.start], reach[graph.start])  # (16)
    builder.add(-reach[source], black[target], reach[target])  # (17)
    builder.add(-reach[graph.end])  # (18)
