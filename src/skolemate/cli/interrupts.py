"""Ctrl-C and SIGTERM while something takes its time."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

__all__ = ["interruptible", "interrupting"]


@contextmanager
def interruptible() -> Iterator[Event]:
    """Ctrl-C ends the work, not the program: what was proved is still told. Twice ends all.

    The same holds for SIGTERM, so that no file of ours stays behind.
    """
    cancel = Event()

    def stop(number: int, frame: object) -> None:
        if cancel.is_set():
            raise KeyboardInterrupt
        cancel.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield cancel
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def interrupting() -> Iterator[Event]:
    """As `interruptible`, but once the work has ended in order, the program ends too."""
    with interruptible() as cancel:
        yield cancel
    if cancel.is_set():
        raise KeyboardInterrupt
