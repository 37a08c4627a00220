"""Problems of falling stones: Connect-c, with the open cells and the sets still possible."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from skolemate.ask.question import Question
from skolemate.encodings.parts.problem import first_codes, trimmed_turns
from skolemate.encodings.parts.set_problem import SetProblem, coded_sets, left_of
from skolemate.games.bits import cells_of
from skolemate.games.game import Move, Player
from skolemate.games.schedule import turns
from skolemate.games.views import Columns

__all__ = ["ColumnProblem", "column_problem"]


@dataclass(frozen=True)
class ColumnProblem(SetProblem):
    """Winning sets over the open cells, which are claimed column by column, from below."""

    view: Columns

    @cached_property
    def columns(self) -> list[list[int]]:
        """The codes of the open cells of each column, the lowest first."""
        height = self.view.board.height
        found: list[list[int]] = [[] for _ in range(self.view.board.width)]
        for code in reversed(range(len(self.cells))):
            found[self.cells[code] // height].append(code)
        return found

    def move_onto(self, cell: int) -> Move:
        return self.view.moves[cell]

    def mover(self, ply: int) -> Player | None:
        start = self.question.game.start.to_move
        assert start is not None
        return start if ply % 2 == 0 else start.opponent


def column_problem(question: Question, symmetry: bool) -> ColumnProblem | bool:
    """What is left of a question about falling stones, or its answer if nothing is."""
    game, start = question.game, question.game.start
    if start.winner is not None:
        return start.winner is Player.BLACK
    view = game.columns()
    cells = tuple(cells_of(~start.occupied & ((1 << game.board.size) - 1)))
    schedule = trimmed_turns(question, turns(len(cells), first=start.to_move or Player.BLACK))

    black_sets, white_sets = (
        coded_sets(left_of(sets, start, player, schedule.count(player)), cells)
        for player, sets in ((Player.BLACK, view.black_sets), (Player.WHITE, view.white_sets))
    )
    if not black_sets:
        return False
    first = first_codes(game, cells, None, symmetry)
    return ColumnProblem(question, cells, schedule, first, black_sets, white_sets, view)
