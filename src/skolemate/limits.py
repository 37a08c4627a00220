"""Limits on time and memory, reasons why work stops, and the budget that enforces the limits."""

from __future__ import annotations

import re
import resource
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum
from threading import Event, Thread
from typing import Any, TypeVar

from skolemate.errors import UserError, brief

LARGEST_SIZE = 1 << 62  # bytes: no engine counts further
LEAST_SIZE = 64 << 20  # bytes: Python and what it has imported take more than half of these
PAUSE = 0.05  # seconds between two looks at what runs in other threads
MEMORY_LOOKS = 0.02  # seconds between two measurements of the memory in use

Result = TypeVar("Result")


class Reason(Enum):
    """Why an answer is unknown."""

    TIME = "time"
    MEMORY = "memory"
    DEPTH = "depth"
    SOLVER_ERROR = "solver_error"
    UNSUPPORTED = "unsupported"
    ONE_SIDED = "one_sided"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Limit:
    """Wall-clock seconds and bytes of memory; None means no limit."""

    seconds: float | None = None
    memory: int | None = None


class OutOfBudget(Exception):
    """Raised inside a search when its limit is reached; methods turn it into UNKNOWN."""

    def __init__(self, reason: Reason, detail: str | None = None) -> None:
        super().__init__(reason.value)
        self.reason, self.detail = reason, detail


@dataclass
class Budget:
    """The cost of an answer while it is computed: limits, cancelling, progress.

    The clock runs from its creation on; `check` raises when a limit is reached.
    """

    limit: Limit = field(default_factory=Limit)
    cancel: Event | None = None
    progress: Callable[[Any], None] | None = None  # is told what happens on the way

    def __post_init__(self) -> None:
        self._wall, self._cpu = time.monotonic(), time.process_time()
        self._memory_look = 0.0

    def check(self) -> None:
        """Raise if a limit is reached or the work is cancelled; searches call this often."""
        reason = self.exceeded
        if reason is not None:
            raise OutOfBudget(reason)
        spent = self.wall_seconds
        if self.limit.memory is not None and spent >= self._memory_look:
            self._memory_look = spent + MEMORY_LOOKS
            if _resident_bytes() > self.limit.memory:
                raise OutOfBudget(Reason.MEMORY)

    @property
    def exceeded(self) -> Reason | None:
        """Whether the work is cancelled or out of time, whatever its memory."""
        if self.cancel is not None and self.cancel.is_set():
            return Reason.CANCELLED
        late = self.limit.seconds is not None and self.wall_seconds > self.limit.seconds
        return Reason.TIME if late else None

    def __reduce__(self) -> tuple[type[Budget], tuple[Limit, Event | None]]:
        """What is left goes to another process, which has a clock of its own."""
        return Budget, (self.remaining(), self.cancel)

    @classmethod
    def within(cls, whole: Budget | None) -> Budget:
        """A budget that measures from now on: what is left of the whole one, if there is one."""
        return cls() if whole is None else cls(whole.remaining(), whole.cancel, whole.progress)

    def part(self, cancel: Event | None = None) -> Budget:
        """What is left, for a part of the work: without progress, and with its own way to stop."""
        return Budget(self.remaining(), cancel or self.cancel)

    def tell(self, progress: object) -> None:
        """Pass something on to whoever listens."""
        if self.progress is not None:
            self.progress(progress)

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """Inside this context `breathe` checks this budget, for all work of the thread."""
        before = _heeded.set((self, 0.0))
        try:
            yield
        finally:
            _heeded.reset(before)

    def remaining(self) -> Limit:
        """What is left of the limit, for a part of the work."""
        if self.limit.seconds is None:
            return self.limit
        return Limit(max(0.0, self.limit.seconds - self.wall_seconds), self.limit.memory)

    @property
    def wall_seconds(self) -> float:
        return time.monotonic() - self._wall

    @property
    def cpu_seconds(self) -> float:
        return time.process_time() - self._cpu

    @property
    def peak_bytes(self) -> int:
        """The peak memory of this process since it started, whatever it was used for."""
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


# The budget that `breathe` checks in this thread, and the time from which on it does.
_heeded: ContextVar[tuple[Budget, float] | None] = ContextVar("heeded", default=None)


def breathe() -> None:
    """Check the budget of this thread; called often from long work that is given no budget.

    >>> with Budget(Limit(seconds=0.0)).heeded():
    ...     breathe()
    Traceback (most recent call last):
    skolemate.limits.OutOfBudget: time
    """
    heeded = _heeded.get()
    if heeded is not None and time.monotonic() >= heeded[1]:
        heeded[0].check()


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Inside this context `breathe` checks nothing for some seconds, for work that must be done."""
    heeded = _heeded.get()
    before = _heeded.set(heeded and (heeded[0], time.monotonic() + seconds))
    try:
        yield
    finally:
        _heeded.reset(before)


def watched(work: Callable[[], Result], stop: Callable[[], None], budget: Budget) -> Result:
    """The result of native work, done in another thread while this one watches limits and Ctrl-C.

    `stop` makes the work return soon. Raises OutOfBudget.
    """
    budget.check()
    results: list[Result | BaseException] = []
    done = Event()

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            results.append(error)
        finally:
            done.set()

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        while not done.wait(PAUSE):
            budget.check()
    finally:
        stop()
        thread.join()
    (result,) = results
    if isinstance(result, BaseException):
        raise result
    return result


def _resident_bytes() -> int:
    """The memory that this process uses now."""
    with open("/proc/self/statm", "rb") as stream:
        return int(stream.read().split()[1]) * resource.getpagesize()


def size_of(text: str) -> int:
    """A number of bytes, as people write it.

    >>> size_of("4G") == 4 * 1024**3
    True
    """
    match = re.fullmatch(r"([0-9]{1,9})([KMGT]?)B?", text.upper())
    size = int(match[1]) << 10 * " KMGT".index(match[2] or " ") if match else 0
    if not 0 < size <= LARGEST_SIZE:
        raise UserError(f"{brief(text)} is not a size; write 500M or 4G")
    if size < LEAST_SIZE:
        least = f"give {LEAST_SIZE >> 20}M or more"
        raise UserError(f"{brief(text)} of memory is too little to run at all: {least}")
    return size


def completed(futures: Iterable[Future[Result]]) -> Iterator[Future[Result]]:
    """The futures as they end.

    Between two looks Python runs: if the system hands Ctrl-C to another thread, it is noticed only
    when the main thread does something, and one that waits for ever does nothing.
    """
    waiting = set(futures)
    while waiting:
        done, waiting = wait(waiting, PAUSE, FIRST_COMPLETED)
        yield from done
