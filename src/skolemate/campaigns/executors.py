"""Where jobs are done: in processes here, or on a Dask cluster. One interface for both.

An executor takes jobs in the order in which they should begin and yields each row as soon as it
is there. When it is closed, or `cancel` is set, it ends what is running.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from threading import Event
from typing import Any, Protocol
from uuid import uuid4

from skolemate.campaigns.row import Job, Row, Run
from skolemate.campaigns.work import perform, signed
from skolemate.errors import UserError, brief

__all__ = ["Cluster", "Executor", "Local"]

Rows = Generator[Row, None, None]
PAUSE = 0.1  # seconds between two looks at whether the user wants to stop


class Executor(Protocol):
    @property
    def slots(self) -> int:
        """How many jobs run at a time, as far as is known."""
        ...

    def __call__(self, jobs: Sequence[Job], cancel: Event) -> Rows: ...


@dataclass(frozen=True)
class Local:
    """So many jobs at a time, each in a process of its own."""

    slots: int = field(default_factory=lambda: os.cpu_count() or 1)

    def __call__(self, jobs: Sequence[Job], cancel: Event) -> Rows:
        # Threads, each of which waits for a process.
        pool, left = ThreadPoolExecutor(self.slots), len(jobs)
        try:
            for future in as_completed([pool.submit(perform, job, cancel) for job in jobs]):
                row = future.result()
                left -= 1
                if row is not None:
                    yield row
                if cancel.is_set():
                    return
        finally:
            if left:
                cancel.set()
            pool.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class Cluster:
    """The workers of a Dask scheduler, as they come and go.

    Dask gives a job whose worker has died to another one; after several it is an error.
    """

    address: str
    client: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        try:
            import distributed
        except ImportError:
            raise UserError("a cluster needs Dask: pip install 'skolemate[cluster]'") from None
        try:
            client = distributed.Client(self.address, timeout=10, set_as_default=False)
        except (OSError, ValueError) as error:
            told = str(error).splitlines()[0] if str(error) else "no answer"
            raise UserError(f"no Dask scheduler at {brief(self.address)}: {told}") from None
        object.__setattr__(self, "client", client)

    @property
    def slots(self) -> int:
        return sum(self.client.nthreads().values()) or 1

    def __call__(self, jobs: Sequence[Job], cancel: Event) -> Rows:
        import distributed

        name = uuid4().hex  # asking again is asking again, also for Dask
        asked = {
            self.client.submit(_on_worker, job, key=f"{job.key}-{name}", priority=-place): job
            for place, job in enumerate(jobs)
        }
        waiting = distributed.as_completed(list(asked), loop=self.client.loop)
        try:
            while waiting.count() and not cancel.is_set():
                if not waiting.has_ready():
                    cancel.wait(PAUSE)
                    continue
                future = next(waiting)
                if future.status == "finished":
                    row = future.result()
                else:
                    row = signed(
                        asked[future], Run("error", f"on the cluster: {future.exception()}")
                    )
                if row is not None:
                    yield row
        finally:
            self.client.cancel(list(asked))
            self.client.close()


def _on_worker(job: Job) -> Row | None:
    """A job on a worker, within that worker's share of memory."""
    import distributed

    worker = distributed.get_worker()
    memory = worker.memory_manager.memory_limit
    share = memory // worker.state.nthreads if memory else None
    return perform(job, _Withdrawn(worker, worker.get_current_task()), share)


class _Withdrawn(Event):
    """Set once the client has withdrawn a task: Dask does not stop what is running."""

    def __init__(self, worker: Any, key: str) -> None:
        super().__init__()
        self._tasks, self._key = worker.state.tasks, key

    def is_set(self) -> bool:
        task = self._tasks.get(self._key)
        return task is None or task.state == "cancelled"
