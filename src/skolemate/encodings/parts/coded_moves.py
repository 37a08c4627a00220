"""A game told by codes alone: ∃M^1 ∀M^2 ∃M^3 …, for the lifted and stateless encodings.

Black must place a stone on a fresh cell at every ply of his, even once he has won; so no more plies
are asked about than there are cells. White passes where his code names a taken cell or none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from skolemate.ask.question import Question
from skolemate.encodings.parts.codes import bit_labels, matching
from skolemate.encodings.parts.decoding import Boards
from skolemate.encodings.parts.problem import AnyProblem, Problem, ProblemOf
from skolemate.encodings.script import Duty
from skolemate.formula import FALSE, TRUE, CircuitBuilder, Literals, constants
from skolemate.formula.vectors import less_than
from skolemate.games.game import Player

__all__ = ["CodedMove", "bits_of", "black_stones", "coded_moves", "fitted", "is_one_of"]


@dataclass(frozen=True)
class CodedMove:
    """One ply: the bits of its code, and a literal that says whether the code means anything."""

    ply: int
    player: Player
    bits: Literals
    counts: np.int32


def fitted(problem_of: ProblemOf[AnyProblem]) -> ProblemOf[AnyProblem]:
    """The same problems with no more plies than cells, by leaving out the last turns.

    That changes no answer: once all cells are taken nothing happens any more, and if White passes
    so that some are left, Black does not need them to win.
    """

    def fitted_problem(question: Question, symmetry: bool) -> AnyProblem | bool:
        problem = problem_of(question, symmetry)
        if isinstance(problem, bool):
            return problem
        schedule = problem.schedule
        while len(schedule) - _is_idle(problem) > len(problem.cells):
            schedule = schedule[:-2]
        if Player.BLACK not in schedule[_is_idle(problem) :]:
            return False
        return replace(problem, schedule=schedule)

    return fitted_problem


def _is_idle(problem: Problem) -> bool:
    """Whether the first stone must go where it does not matter to anybody."""
    return problem.first == ()


def coded_moves(builder: CircuitBuilder, problem: Problem, boards: Boards) -> list[CodedMove]:
    """Quantify the codes of a fitted problem; Black's are codes of cells on which he may play."""
    moves: list[CodedMove] = []
    cells = len(problem.cells)
    for ply, player in enumerate(problem.schedule, 1):
        if ply == 1 and _is_idle(problem):
            boards.note_board(player, constants(FALSE, cells), ply)
            boards.note_idle(player)
            continue
        quantify = builder.exists if player is Player.BLACK else builder.forall
        bits = quantify("move", [f"t{ply}"], bit_labels(cells))[0]
        boards.note_code(bits, ply, player=player, duty=Duty.ALWAYS)
        counts = TRUE
        if ply == 1 and problem.first is not None:
            counts = np.int32(is_one_of(builder, bits, list(problem.first), cells))
        moves.append(CodedMove(ply, player, bits, counts))
    black = [move for move in moves if move.player is Player.BLACK]
    builder.add(less_than(builder, bits_of(black), cells))  # BR
    builder.add(np.array([move.counts for move in black], np.int32))
    return moves


def black_stones(moves: list[CodedMove]) -> int:
    """How many stones Black places."""
    return sum(move.player is Player.BLACK for move in moves)


def bits_of(moves: list[CodedMove]) -> Literals:
    """The codes of several moves, one row a move."""
    return np.stack([move.bits for move in moves])


def is_one_of(builder: CircuitBuilder, bits: Literals, codes: list[int], cells: int) -> Literals:
    """Whether bits name one of some cells, out of so many."""
    chosen = matching(bits, cells)[..., np.array(codes, np.int64), :]
    return builder.any_of([builder.all_of([chosen])])
