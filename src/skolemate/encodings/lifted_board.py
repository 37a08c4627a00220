"""LA, LN and LI: one cell, chosen by ∀, stands for the board (Shaik et al. 2023, §3.2, 4.3, C)."""

import numpy as np

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts import coded, problems
from skolemate.encodings.parts.boards import Boards, about, bit_labels, encoded
from skolemate.formula import FALSE, CircuitBuilder, Literals, equal
from skolemate.games.game import Player

# --- the board ------------------------------------------------------------------------------------
# §3.2: ∀ chooses one cell P, and ∃S^2 … S^{d+1} after it describe P after each ply: o whether it is
# occupied, w whether it is white. S^1 is the empty board, without variables.


def black_in_the_end(
    builder: CircuitBuilder, moves: list[coded.CodedMove], position: Literals
) -> np.int32:
    """State how the cell changes from ply to ply; returns whether it is black at the end."""
    chosen = equal(builder, position, coded.bits_of(moves))
    start = FALSE
    if moves[0].ply == 1 and moves[0].player is Player.WHITE:
        # A move M^0 before the paper's game determines S^1, which needs no variables then either.
        start = np.int32(builder.all_of(chosen[0], moves[0].counts))
        moves, chosen = moves[1:], chosen[1:]
    times = [f"t{move.ply}" for move in moves]
    occupied, white = builder.exists("occupied", times), builder.exists("white", times)
    was_occupied, was_white = np.append(start, occupied[:-1]), np.append(start, white[:-1])
    black = np.array([move.player is Player.BLACK for move in moves])
    for literal in (-was_occupied, occupied, -white):  # Definition 6
        builder.add(-chosen[black], literal[black])
    changed = chosen.copy()
    changed[~black] = builder.all_of(chosen[~black], -was_occupied[~black])  # Definition 7
    for literal in (occupied, white):
        builder.add(-changed[~black], literal[~black])
    for before, after in ((was_occupied, occupied), (was_white, white)):
        builder.add(changed, -before, after)
        builder.add(changed, before, -after)
    return np.int32(builder.all_of(occupied[-1], -white[-1]))


def witnesses_are_black(builder: CircuitBuilder, at_witness: Literals, black: np.int32) -> None:
    """Definition 5, G_sb: if P is one of the witnesses, it is black at the end."""
    builder.add(-builder.any_of([at_witness]), black)


# --- LA: all winning sets (§3.2) ------------------------------------------------------------------


@encoding("la", paper=problems.PAPER, views=("hypergraph",), refuses=problems.refuses_other_games)
@about(coded.fitted(problems.set_problem))
def la(self: Encoding, problem: problems.SetProblem) -> Encoded:
    """One symbolic cell, chosen by ∀; a winning set as witness; Maker-Breaker. A circuit."""
    builder, boards = CircuitBuilder(), Boards(problem)
    moves = coded.coded_moves(builder, problem, boards)
    witness = coded.witness_set(builder, problem)
    position = builder.forall("position", bit_labels(len(problem.cells)))
    black = black_in_the_end(builder, moves, position)
    witnesses_are_black(builder, equal(builder, witness, position), black)
    return encoded(self, builder, boards)


# --- LN: a path of neighbours (§4.3) --------------------------------------------------------------


@encoding("ln", paper=problems.PAPER, views=("connection",), refuses=problems.refuses_other_games)
@about(coded.fitted(problems.connection_problem))
def ln(self: Encoding, problem: problems.ConnectionProblem) -> Encoded:
    """One symbolic cell, chosen by ∀, and its neighbours; connection games. A circuit."""
    builder, boards = CircuitBuilder(), Boards(problem)
    graph = problem.graph(problem.goal)
    moves = coded.coded_moves(builder, problem, boards)
    witness = coded.witness_path(builder, coded.black_stones(moves), graph.cells)
    position = builder.forall("position", bit_labels(graph.cells))
    black = black_in_the_end(builder, moves, position)
    neighbour = builder.exists("neighbour", bit_labels(graph.cells))
    at_witness = equal(builder, witness, position)
    witnesses_are_black(builder, at_witness, black)
    coded.joins_borders(builder, graph, witness[0], witness[-1])
    # Every cell needs some neighbour N, or its branch of ∀P would be false: a path that has reached
    # the second border may stay on its cell.
    coded.steps_along_edges(builder, graph, position, neighbour, may_stay=graph.end)
    builder.add(-at_witness[:-1], equal(builder, witness[1:], neighbour))
    return encoded(self, builder, boards)


# --- LI: a path by iterative squaring (appendix C) ------------------------------------------------


@encoding("li", paper=problems.PAPER, views=("connection",), refuses=problems.refuses_other_games)
@about(coded.fitted(problems.connection_problem))
def li(self: Encoding, problem: problems.ConnectionProblem) -> Encoded:
    """One symbolic cell, chosen by ∀; a path by repeated halving; connection games. A circuit."""
    builder, boards = CircuitBuilder(), Boards(problem)
    graph = problem.graph(problem.goal)
    moves = coded.coded_moves(builder, problem, boards)
    source, target, one, other = coded.halved_path(builder, coded.black_stones(moves), graph.cells)
    position = builder.forall("position", bit_labels(graph.cells))
    black = black_in_the_end(builder, moves, position)
    coded.joins_borders(builder, graph, source, target)
    coded.steps_along_edges(builder, graph, one, other, may_stay=range(graph.cells))
    witnesses_are_black(builder, equal(builder, np.stack([one, other]), position), black)
    return encoded(self, builder, boards)
