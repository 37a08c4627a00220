"""EN: explicit boards, a path of neighbours (Shaik et al. 2023, §4.2)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts.black_boards import black_boards
from skolemate.encodings.parts.connection_problem import (
    ConnectionProblem,
    Graph,
    connection_problem,
)
from skolemate.encodings.parts.decoding import Boards
from skolemate.encodings.parts.maker_breaker import PAPER, refuses_other_games
from skolemate.encodings.parts.outcome import about, encoded
from skolemate.formula import FALSE, Builder, Literals
from skolemate.games.game import Player


@encoding("en", paper=PAPER, views=("connection",), refuses=refuses_other_games)
@about(connection_problem)
def en(self: Encoding, problem: ConnectionProblem) -> Encoded:
    """Explicit board after Black's moves only, a black path step by step; connection games."""
    builder, boards = Builder(), Boards(problem)
    black = black_boards(builder, problem, boards)
    steps = problem.schedule.count(Player.BLACK)
    labels = [f"step{i}" for i in range(steps)]
    path = builder.exists("path", labels, problem.names)  # (10)
    _black_path(builder, problem.graph(problem.goal), path, black)
    return encoded(self, builder, boards)


def _black_path(builder: Builder, graph: Graph, path: Literals, black: Literals) -> None:
    """path[i, v]: v is the i-th cell of a black path from border to border."""
    builder.add(-path, black)  # (11)
    builder.add([path[0, graph.start]])  # (12)
    inner = np.setdiff1d(np.arange(len(black)), graph.end)
    onward = graph.neighbour_table()[inner]
    for here, following in pairwise(path):
        builder.add(-here[inner], [np.append(following, FALSE)[onward]])  # (13)
    builder.add(-path[-1, inner])  # (14)
