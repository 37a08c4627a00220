"""The signature that all methods share: reference, engine, QBF."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import Protocol

from skolemate.ask.answer import Answer, Verdict
from skolemate.ask.question import Question
from skolemate.limits import Limit

__all__ = ["Method", "Progress", "Tell"]


@dataclass(frozen=True)
class Progress:
    """Something worth telling while an answer is on its way."""

    depth: int
    verdict: Verdict | None  # None: this depth has just been taken up
    wall_seconds: float
    encoding: str | None = None  # where two take turns
    nodes: int | None = None  # of a strategy on its way, once the answer is known


Tell = Callable[[Progress], None]


class Method(Protocol):
    """Something that answers questions within limits, and says UNKNOWN when it cannot."""

    def __call__(
        self,
        question: Question,
        limit: Limit = ...,
        progress: Tell | None = ...,
        cancel: Event | None = ...,
    ) -> Answer: ...
