"""Verification: the engine's answer asked again by formula. Whoever disagrees stops everything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from skolemate.ask.answer import Answer, Verdict
from skolemate.ask.method import Method, Progress, Report
from skolemate.ask.question import Question
from skolemate.errors import Disagreement
from skolemate.limits import Budget

__all__ = ["verified"]


def verified(answer: Answer, ask: Method, budget: Budget, progress: Report | None) -> Answer:
    """The same answer, which names the solver that confirms it, or tells why none does."""
    confirmed: Answer | None = None
    for question, verdict in _claims(answer):
        again = ask(question, budget.remaining(), None, budget.cancel)
        told = f"{again.pipeline} on {again.encoding}"
        if again.verdict is Verdict.UNKNOWN:
            why = again.reason.value if again.reason else ""
            return replace(answer, detail=f"not verified: {told} has no answer ({why})")
        if again.verdict is not verdict:
            raise Disagreement(
                f"{answer.method} says {verdict.value}, {told} the contrary: {question}"
            )
        if progress is not None:
            progress(Progress(question.depth, verdict, budget.wall_seconds, again.encoding))
        confirmed = again
    if confirmed is None:
        return answer
    return replace(answer, encoding=confirmed.encoding, pipeline=confirmed.pipeline)


def _claims(answer: Answer) -> Iterator[tuple[Question, Verdict]]:
    """What an answer says, as questions that formulas can settle: the easier one first."""
    refuted = answer.refuted_depth
    if answer.critical_depth is not None and refuted is not None:
        yield Question(answer.game, answer.player, refuted), Verdict.NO_WIN
    if answer.verdict is not Verdict.UNKNOWN:
        yield Question(answer.game, answer.player, answer.depth), answer.verdict
