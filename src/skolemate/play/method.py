"""The method that the computer plays with: the engine, else a formula, else the oracle."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event

from skolemate.ask import Answer, Limit, Question
from skolemate.ask.method import Report
from skolemate.ask.qbf import Qbf, has_solver
from skolemate.ask.reference import reference
from skolemate.ask.search import Search
from skolemate.encodings.encoding import Unsupported
from skolemate.search.engine import refusal

__all__ = ["Automatic"]


@dataclass(frozen=True)
class Automatic:
    """Searches, or asks by formula if one is named or the engine cannot.

    Without the engine and any solver the oracle plays: slower, but it plays.
    """

    qbf: Qbf = field(default_factory=Qbf)
    search: Search = field(default_factory=Search)

    def __call__(
        self,
        question: Question,
        limit: Limit = Limit(),  # noqa: B008  a frozen value
        progress: Report | None = None,
        cancel: Event | None = None,
    ) -> Answer:
        named = self.qbf.encoding is not None or self.qbf.pipeline is not None
        if not named and refusal(question.game) is None:
            return self.search(question, limit, progress, cancel)
        if self.qbf.pipeline is not None or has_solver():
            try:
                return self.qbf(question, limit, progress, cancel)
            except Unsupported:
                if self.qbf.encoding is not None:
                    raise
        return reference(question, limit, progress, cancel)
