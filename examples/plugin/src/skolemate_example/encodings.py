"""ONE: Black wins by the last stone."""

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts.boards import Boards, about, encoded, owns_a_set
from skolemate.encodings.parts.problems import SetProblem, set_problem
from skolemate.formula import Builder
from skolemate.games.game import Player, Question


def _refuses_long_games(question: Question) -> str | None:
    return None if question.game.horizon in (0, 1) else "it is for games of one ply"


@encoding("one", paper="none", views=("hypergraph",), refuses=_refuses_long_games)
@about(set_problem)
def one(self: Encoding, problem: SetProblem) -> Encoded:
    """A single stone completes a set."""
    builder, boards = Builder(), Boards(problem)
    black = builder.exists("black", problem.names)
    owns_a_set(builder, problem.black_sets, black)
    boards.note_board(Player.BLACK, black, ply=1)
    return encoded(self, builder, boards)
