"""Where jobs are done: in processes on this machine. One signature for all.

An executor takes jobs in the order in which they should begin and yields each row as soon as it
is there. When it is closed, or `cancel` is set, it ends what is running.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from threading import Event

from skolemate.campaigns.row import Job, Row
from skolemate.campaigns.work import perform

__all__ = ["Executor", "local"]

Executor = Callable[[Sequence[Job], Event], Generator[Row, None, None]]


def local(processes: int | None = None) -> Executor:
    """As many jobs at a time as there are processors, each in a process of its own."""
    return partial(_here, processes=processes or os.cpu_count() or 1)


def _here(jobs: Sequence[Job], cancel: Event, processes: int) -> Generator[Row, None, None]:
    # Threads, each of which waits for a process.
    pool, left = ThreadPoolExecutor(processes), len(jobs)
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
