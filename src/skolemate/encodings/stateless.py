"""SA, SN and SI: no board at all (Shaik et al. 2023, §3.3, 4.4, 6, C)."""

import numpy as np

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts import coded, problems
from skolemate.encodings.parts.boards import Boards, about, encoded
from skolemate.formula import FALSE, CircuitBuilder, Literals, Part, equal
from skolemate.games.game import Player, Question

# --- moves and stones -----------------------------------------------------------------------------
# §3.3: all conditions are stated about the codes of moves.


def black_moves_are_fresh(builder: CircuitBuilder, moves: list[coded.CodedMove]) -> None:
    """Black never plays on a cell that was played before, unless that move did not count."""
    later, earlier = (
        np.array(
            [
                (number, before)
                for number, move in enumerate(moves)
                if move.player is Player.BLACK
                for before in range(number)
            ],
            np.int64,
        )
        .reshape(-1, 2)
        .T
    )
    codes = coded.bits_of(moves)
    counts = np.array([move.counts for move in moves], np.int32)
    same = equal(builder, codes[later], codes[earlier])
    builder.add(-same, -counts[earlier])


def are_black(
    builder: CircuitBuilder, moves: list[coded.CodedMove], cells: Literals, stones: Part = FALSE
) -> None:
    """Definition 8, G_wb: each of these cells is one of Black's moves, or an older stone of his."""
    codes = coded.bits_of([move for move in moves if move.player is Player.BLACK])
    builder.add([equal(builder, cells[:, None], codes)], stones)


# --- SA: all winning sets (§3.3) ------------------------------------------------------------------


@encoding("sa", paper=problems.PAPER, views=("hypergraph",), refuses=problems.refuses_other_games)
@about(coded.fitted(problems.set_problem))
def sa(self: Encoding, problem: problems.SetProblem) -> Encoded:
    """Moves and no board, a winning set as a witness; Maker-Breaker. A circuit."""
    builder, boards = CircuitBuilder(), Boards(problem)
    moves = coded.coded_moves(builder, problem, boards)
    black_moves_are_fresh(builder, moves)
    are_black(builder, moves, coded.witness_set(builder, problem))
    return encoded(self, builder, boards)


# --- SN: a path of neighbours (§4.4), or a polyomino (§6) -----------------------------------------


@encoding(
    "sn", paper=problems.PAPER, views=("connection or shape",), refuses=problems.refuses_other_games
)
def sn(self: Encoding, question: Question, symmetry: bool) -> Encoded:
    """Moves and no board, a path or polyomino cell by cell; connection and Harary. A circuit."""
    build = _path if question.game.offers("connection") else _shape
    return build(self, question, symmetry)


@about(coded.fitted(problems.connection_problem))
def _path(self: Encoding, problem: problems.ConnectionProblem) -> Encoded:
    builder, boards = CircuitBuilder(), Boards(problem)
    graph = problem.graph(problem.goal)
    moves = coded.coded_moves(builder, problem, boards)
    black_moves_are_fresh(builder, moves)
    witness = coded.witness_path(builder, coded.black_stones(moves), graph.cells)
    are_black(builder, moves, witness)
    coded.joins_borders(builder, graph, witness[0], witness[-1])
    # A shorter path stays on its last cell, on the second border.
    coded.steps_along_edges(builder, graph, witness[:-1], witness[1:], may_stay=graph.end)
    return encoded(self, builder, boards)


@about(coded.fitted(problems.set_problem))
def _shape(self: Encoding, problem: problems.SetProblem) -> Encoded:
    builder, boards = CircuitBuilder(), Boards(problem)
    moves = coded.coded_moves(builder, problem, boards)
    black_moves_are_fresh(builder, moves)
    witness, old_stones = coded.witness_shape(builder, problem)
    are_black(builder, moves, witness, old_stones)
    return encoded(self, builder, boards)


# --- SI: a path by iterative squaring (appendix C) ------------------------------------------------


@encoding("si", paper=problems.PAPER, views=("connection",), refuses=problems.refuses_other_games)
@about(coded.fitted(problems.connection_problem))
def si(self: Encoding, problem: problems.ConnectionProblem) -> Encoded:
    """Moves and no board, a path by repeated halving; connection games. A circuit."""
    builder, boards = CircuitBuilder(), Boards(problem)
    graph = problem.graph(problem.goal)
    moves = coded.coded_moves(builder, problem, boards)
    black_moves_are_fresh(builder, moves)
    source, target, one, other = coded.halved_path(builder, coded.black_stones(moves), graph.cells)
    coded.joins_borders(builder, graph, source, target)
    coded.steps_along_edges(builder, graph, one, other, may_stay=range(graph.cells))
    are_black(builder, moves, np.stack([one, other]))
    return encoded(self, builder, boards)
