"""Stopping some of the work: an event of ours that heeds the user's as well."""

from __future__ import annotations

from threading import Event

__all__ = ["Stop"]


class Stop(Event):
    """Set by us, once the answer is known, or by the user."""

    def __init__(self, cancel: Event | None) -> None:
        super().__init__()
        self._cancel = cancel

    def is_set(self) -> bool:
        return super().is_set() or (self._cancel is not None and self._cancel.is_set())
