"""The method that the computer plays with: the engine, else a formula, else the oracle."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event

from skolemate.ask import Answer, Limit, Question
from skolemate.ask.method import Tell
from skolemate.ask.portfolio import side_by_side
from skolemate.ask.qbf import Qbf, has_solver
from skolemate.ask.reference import reference
from skolemate.ask.search import Search
from skolemate.encodings.encoding import Unsupported
from skolemate.search.engine import refusal

__all__ = ["Automatic"]


@dataclass(frozen=True)
class Automatic:
    """Searches, or asks by formula if some are named or the engine cannot.

    Without the engine and any solver the oracle plays: slower, but it plays.
    """

    formulas: tuple[Qbf, ...] = (Qbf(),)
    search: Search = field(default_factory=Search)

    def __call__(
        self,
        question: Question,
        limit: Limit = Limit(),  # noqa: B008  a frozen value
        progress: Tell | None = None,
        cancel: Event | None = None,
    ) -> Answer:
        encoding, pipeline = self.formulas[0].encoding, self.formulas[0].pipeline
        if encoding is None and pipeline is None and refusal(question.game) is None:
            return self.search(question, limit, progress, cancel)
        if pipeline is not None or has_solver():
            try:
                return side_by_side(self.formulas)(question, limit, progress, cancel)
            except Unsupported:
                if encoding is not None:
                    raise
        return reference(question, limit, progress, cancel)
