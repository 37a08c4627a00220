"""What all encoders begin and end with: a problem; a formula and its decoders, or a constant."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from skolemate.ask.question import Question
from skolemate.encodings.encoding import Build, Encoded, Encoding, Meaning
from skolemate.encodings.parts.decoding import Boards
from skolemate.encodings.parts.problem import AnyProblem, ProblemOf
from skolemate.encodings.script import Script
from skolemate.formula import Builder, CircuitBuilder, Formula
from skolemate.games.game import Player

__all__ = ["about", "decided", "encoded"]


def about(
    problem_of: ProblemOf[AnyProblem],
) -> Callable[[Callable[[Encoding, AnyProblem], Encoded]], Build]:
    """Build an encoding of questions from one of problems; a decided one becomes a constant."""

    def of_questions(state: Callable[[Encoding, AnyProblem], Encoded]) -> Build:
        @wraps(state)
        def build(self: Encoding, question: Question, symmetry: bool) -> Encoded:
            problem = problem_of(question, symmetry)
            if isinstance(problem, bool):
                return decided(self, question, problem)
            return state(self, problem)

        return build

    return of_questions


def encoded(encoding: Encoding, builder: Builder | CircuitBuilder, boards: Boards) -> Encoded:
    """The formula or circuit stated so far, decoded by the boards noted down."""
    question = boards.problem.question
    return Encoded(
        question,
        encoding,
        builder.formula() if isinstance(builder, Builder) else builder.circuit(),
        boards.first_move,
        boards.play,
        restricted=boards.problem.restricted,
        write_script=boards.script,
    )


def decided(encoding: Encoding, question: Question, answer: bool) -> Encoded:
    """A formula without variables: true has no clause, false an empty one."""
    start = question.game.start
    favoured = Player.WHITE if encoding.meaning is Meaning.BLOCK_IF_TRUE else Player.BLACK
    moves = start.moves() if start.to_move is favoured else ()
    return Encoded(
        question,
        encoding,
        Formula.of([], [] if answer else [[]]),
        lambda assignment: moves[0] if moves else None,
        lambda assignment: [start],
        write_script=Script,
    )
