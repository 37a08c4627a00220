"""The method that the computer plays with: the formula where there is one, else the oracle."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event

from skolemate.ask import Answer, Limit, Question
from skolemate.ask.method import Report
from skolemate.ask.qbf import PREFERRED_ENCODINGS, Qbf, default_pipeline
from skolemate.ask.reference import reference
from skolemate.encodings import ENCODINGS
from skolemate.errors import UserError

__all__ = ["Automatic"]


@dataclass(frozen=True)
class Automatic:
    """Answers by formula and solver if some encoding can state the question.

    Without any solver installed the oracle plays: slower, but it plays.
    """

    qbf: Qbf = field(default_factory=Qbf)

    def __call__(
        self,
        question: Question,
        limit: Limit = Limit(),  # noqa: B008  a frozen value
        progress: Report | None = None,
        cancel: Event | None = None,
    ) -> Answer:
        if _has_encoding(question) and (self.qbf.pipeline is not None or _has_solver()):
            return self.qbf(question, limit, progress, cancel)
        return reference(question, limit, progress, cancel)


def _has_solver() -> bool:
    try:
        return bool(default_pipeline(PREFERRED_ENCODINGS[0]))
    except UserError:
        return False


def _has_encoding(question: Question) -> bool:
    """Whether the question, or for the Breaker the Maker's, can be stated as a formula."""
    asker = question.player
    if question.game.breaker is asker:
        asker = asker.opponent
    asked = Question(question.game, asker, question.depth).normalised()
    return any(encoding.refusal(asked) is None for encoding in ENCODINGS)
