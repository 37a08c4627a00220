"""Anything that answers questions as a judge of situations: the question is asked anew."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from skolemate.ask.answer import Answer, Verdict
from skolemate.ask.method import Report
from skolemate.ask.question import Question
from skolemate.limits import Budget, Limit
from skolemate.strategies.claim import Claim
from skolemate.strategies.deciding import Judge, Opinion, Situation, Undecided

__all__ = ["asking"]

Ask = Callable[[Question, Limit, Report | None, Event | None], Answer]


def asking(ask: Ask, claim: Claim, budget: Budget) -> Judge:
    """A judge that asks; it may be called by several threads if `ask` may."""

    def judge(here: Situation) -> Opinion:
        question = Question(claim.game.after(here.path), claim.player, here.left)
        answer = ask(question, budget.remaining(), None, budget.cancel)
        if answer.verdict is Verdict.UNKNOWN:
            assert answer.reason is not None, "an unknown answer has a reason"
            raise Undecided(answer.reason, answer.detail)
        return Opinion(bool(answer), answer.first_moves or ())

    return judge
