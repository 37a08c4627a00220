"""Verification: the engine's answer asked again by formula. Whoever disagrees stops everything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from skolemate.ask.answer import Answer, Verdict
from skolemate.ask.method import Method, Progress, Tell
from skolemate.ask.question import Question
from skolemate.encodings import Unsupported
from skolemate.errors import Disagreement
from skolemate.limits import Budget
from skolemate.output import plies

__all__ = ["verified"]


def verified(answer: Answer, ask: Method, budget: Budget, progress: Tell | None) -> Answer:
    """The same answer, which names the solver that confirms it, or tells why none does."""
    confirmed: Answer | None = None
    for question, verdict in _claims(answer):
        try:
            again = ask(question, budget.remaining(), None, budget.cancel)
        except Unsupported as unsupported:
            return replace(answer, detail=f"not verified: {unsupported}")
        if again.verdict is Verdict.UNKNOWN:
            why = again.reason.value if again.reason else ""
            return replace(answer, detail=f"not verified: {again.source} has no answer ({why})")
        if again.verdict is not verdict:
            raise Disagreement(
                f"{answer.method} says {verdict.value}, {again.source} the contrary: {question}"
            )
        if progress is not None:
            progress(Progress(question.depth, verdict, budget.wall_seconds, again.encoding))
        confirmed = again
    if confirmed is None:
        return answer
    partly = answer.every_depth and answer.game.horizon is None
    detail = f"verified within {plies(answer.depth)}" if partly else answer.detail
    return replace(
        answer,
        encoding=confirmed.encoding,
        pipeline=confirmed.pipeline,
        symmetry=confirmed.symmetry,
        detail=detail,
    )


def _claims(answer: Answer) -> Iterator[tuple[Question, Verdict]]:
    """What an answer says, as questions that formulas can settle: the easier one first."""
    refuted = answer.refuted_depth
    if answer.critical_depth is not None and refuted is not None:
        yield Question(answer.game, answer.player, refuted), Verdict.NO_WIN
    if answer.verdict is not Verdict.UNKNOWN:
        yield Question(answer.game, answer.player, answer.settled_depth), answer.verdict
