"""Runs: everything that takes time, in a bounded pool, with progress and a way to stop it.

A run that has ended is kept for a while, so that whoever started it can fetch the result. One that
nobody asks about any more is stopped: browsers are closed without a word, and what a page sends
while it closes may get lost.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Any
from uuid import uuid4

from skolemate.errors import Disagreement, UserError

__all__ = ["PATIENCE", "Busy", "Pool", "Run", "Work", "defect"]

KEPT = 100  # ended runs whose results can still be fetched
MOST_EVENTS = 200  # of a run; the oldest go first
SHUTDOWN_SECONDS = 5.0
PATIENCE = 150.0  # seconds of silence, unless whoever asks says how soon it asks again
FIRST = 30.0  # seconds until a run is asked about for the first time

State = str  # one of the next
WAITING, RUNNING, DONE, FAILED, CANCELLED = "waiting", "running", "done", "failed", "cancelled"
STATES = (WAITING, RUNNING, DONE, FAILED, CANCELLED)


class Busy(Exception):
    """All places in the pool and before it are taken."""


@dataclass
class Run:
    """One piece of work. Its own thread writes here; everybody may read."""

    kind: str
    id: str = field(default_factory=lambda: uuid4().hex)
    state: State = WAITING
    events: list[dict[str, Any]] = field(default_factory=list)
    result: dict[str, Any] | None = None
    error: str | None = None
    cancel: Event = field(default_factory=Event)
    ended: Event = field(default_factory=Event)
    started: float | None = None
    seconds: float | None = None  # from start to end
    patience: float = PATIENCE
    asked_about: float = field(default_factory=time.monotonic)

    def tell(self, **event: Any) -> None:
        """Note something worth telling."""
        self.events = [*self.events[1 - MOST_EVENTS :], event]

    def as_json(self) -> dict[str, Any]:
        running = None if self.started is None else time.monotonic() - self.started
        return {
            "id": self.id,
            "kind": self.kind,
            "state": self.state,
            "seconds": self.seconds if self.seconds is not None else running,
            "events": self.events,
            "result": self.result,
            "error": self.error,
        }


def defect(error: Exception) -> str:
    """What is said of an error that nobody has foreseen."""
    return f"a defect of Skolemate itself ({type(error).__name__}); please report it"


Work = Callable[[Run], dict[str, Any]]


class Pool:
    """So many runs at a time, so many waiting, and no more."""

    def __init__(self, at_a_time: int, waiting: int, patience: float = PATIENCE) -> None:
        self._threads = ThreadPoolExecutor(at_a_time, "run")
        self._most = at_a_time + waiting
        self._active: dict[str, Run] = {}
        self._ended: OrderedDict[str, Run] = OrderedDict()
        self._lock = Lock()
        self._patience = patience
        self._closed = Event()
        Thread(target=self._forget, daemon=True).start()

    def start(self, kind: str, work: Work) -> Run:
        """Start a run, or let it wait for its turn; raises Busy."""
        run = Run(kind, patience=min(FIRST, self._patience))
        with self._lock:
            if len(self._active) >= self._most:
                raise Busy(f"{self._most} runs are under way or waiting; try again in a moment")
            self._active[run.id] = run
        self._threads.submit(self._carry_out, run, work)
        return run

    def find(self, name: str, patience: float | None = None) -> Run | None:
        """A run; who asks may say after how many seconds of silence to give it up."""
        with self._lock:
            run = self._active.get(name) or self._ended.get(name)
        if run is not None:
            run.patience = patience or self._patience
            run.asked_about = time.monotonic()
        return run

    def _forget(self) -> None:
        """Stop the runs that nobody asks about, until the pool is closed."""
        while not self._closed.wait(min(1.0, self._patience / 10)):
            with self._lock:
                runs = list(self._active.values())
            for run in runs:
                if time.monotonic() - run.asked_about > run.patience:
                    run.cancel.set()

    def close(self) -> None:
        """Stop everything; solvers end with the runs that started them."""
        self._closed.set()
        with self._lock:
            runs = list(self._active.values())
        for run in runs:
            run.cancel.set()
        self._threads.shutdown(wait=False, cancel_futures=True)
        end = time.monotonic() + SHUTDOWN_SECONDS
        for run in runs:
            if run.started is not None:
                run.ended.wait(max(0.0, end - time.monotonic()))

    def _carry_out(self, run: Run, work: Work) -> None:
        run.started = time.monotonic()
        try:
            if not run.cancel.is_set():
                run.state = RUNNING
                run.result = work(run)
            run.state = CANCELLED if run.cancel.is_set() else DONE
        except UserError as error:
            run.error, run.state = str(error), FAILED
        except Disagreement as error:
            run.error, run.state = f"TWO ANSWERS DISAGREE: {error}", FAILED
        except (MemoryError, RecursionError):
            run.error, run.state = "this is too large for this machine", FAILED
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            run.error, run.state = defect(error), FAILED
        finally:
            run.seconds = time.monotonic() - run.started
            with self._lock:
                self._active.pop(run.id, None)
                self._ended[run.id] = run
                while len(self._ended) > KEPT:
                    self._ended.popitem(last=False)
            run.ended.set()
