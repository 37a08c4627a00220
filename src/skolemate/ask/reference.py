"""The reference oracle as a method."""

import sys

from skolemate.ask.method import Answer, Verdict
from skolemate.games.game import Move, Player, Question
from skolemate.limits import Budget, OutOfBudget
from skolemate.search.reference import Reference


def reference(question: Question, budget: Budget | None = None) -> Answer:
    """Answer from the definitions, with all winning first moves."""
    budget = Budget.within(budget)
    return _answer(question, Reference(question.player, budget.check), budget)


class Remembering:
    """The same method for one player, which keeps its results from one question to the next.

    All questions together have one budget. `oracle` answers about any position.
    """

    def __init__(self, player: Player, budget: Budget) -> None:
        self.oracle = Reference(player, budget.check)

    def __call__(self, question: Question, budget: Budget | None = None) -> Answer:
        return _answer(question, self.oracle, Budget.within(budget))


def _answer(question: Question, oracle: Reference, budget: Budget) -> Answer:
    start, depth = question.game.start, question.depth
    # The recursion needs two frames for each ply.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 1000 + 3 * depth))
    verdict, reason, moves, for_ever = Verdict.UNKNOWN, None, None, False
    try:
        won = oracle.wins(start, depth)
        verdict = Verdict.WIN if won else Verdict.NO_WIN
        moves = _first_moves(oracle, question) if won else None
        if not won:
            for_ever = question.reaches_horizon or oracle.never_wins(start, depth)
    except OutOfBudget as out:
        reason = out.reason if verdict is Verdict.UNKNOWN else None
    return Answer(
        game=question.game,
        player=question.player,
        depth=depth,
        verdict=verdict,
        reason=reason,
        refuted_depth=depth if verdict is Verdict.NO_WIN else None,
        every_depth=for_ever,
        first_move_numbers=moves,
        first_moves_complete=moves is not None,
        method="reference",
        wall_seconds=budget.wall_seconds,
        cpu_seconds=budget.cpu_seconds,
        peak_bytes=budget.peak_bytes,
    )


def _first_moves(oracle: Reference, question: Question) -> tuple[Move, ...] | None:
    """All winning first moves, if the player is to move."""
    if not question.has_first_moves:
        return None
    return tuple(oracle.winning_moves(question.game.start, question.depth))
