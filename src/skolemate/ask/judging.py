"""Anything that answers questions as a judge of situations: the question is asked anew."""

from __future__ import annotations

from skolemate.ask.answer import Verdict
from skolemate.ask.method import Method
from skolemate.ask.question import Question
from skolemate.ask.stop import Stop
from skolemate.limits import Budget
from skolemate.strategies.claim import Claim
from skolemate.strategies.deciding import Judge, Opinion, Situation, Undecided

__all__ = ["asking"]


def asking(ask: Method, claim: Claim, budget: Budget) -> Judge:
    """A judge that asks; it may be called by several threads if `ask` may.

    One question without an answer ends everything, so those under way are stopped.
    """
    stop, failures = Stop(budget.cancel), list[Undecided]()

    def judge(here: Situation) -> Opinion:
        question = Question(claim.game.after(here.path), claim.player, here.left)
        answer = ask(question, budget.remaining(), None, stop)
        if answer.verdict is Verdict.UNKNOWN:
            assert answer.reason is not None, "an unknown answer has a reason"
            failures.append(Undecided(answer.reason, answer.detail))
            stop.set()
            raise failures[0]
        return Opinion(bool(answer), answer.first_moves or ())

    return judge
