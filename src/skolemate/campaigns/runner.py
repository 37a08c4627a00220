"""Running suites: what is not answered yet, easy rows first, each kept as soon as it is there."""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.util import find_spec
from threading import Event
from typing import Any, Protocol
from uuid import uuid4

from skolemate.campaigns.row import Job, Row, Run, contradictions
from skolemate.campaigns.store import Store
from skolemate.campaigns.suite import Suite, load_game
from skolemate.campaigns.totals import wrong_totals
from skolemate.campaigns.work import perform, signed
from skolemate.errors import UserError, brief
from skolemate.solvers import PROGRAMS

# --- executors ------------------------------------------------------------------------------------
# Where jobs are done: in processes here, or on a Dask cluster. One interface for both.
#
# An executor takes jobs in the order in which they should begin and yields each row as soon as it
# is there. When it is closed, or `cancel` is set, it ends what is running.


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


# --- the runner -----------------------------------------------------------------------------------


KINDS = {"size": 0, "reduce": 1, "solve": 2, "settle": 3}


@dataclass
class Campaign:
    """What is left to do of some suites: jobs that ask the same are done once.

    `kept` counts the rows that are there, `failed` those of them that are errors, `missing` those
    that a program is missing for; they are asked when it is there.
    """

    store: Store
    pending: list[Job] = field(default_factory=list)
    sharing: dict[str, list[Job]] = field(default_factory=dict)
    kept: int = 0
    failed: int = 0  # of those
    missing: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def run(self, executor: Executor, cancel: Event, tell: Callable[[Row], None]) -> None:
        """Do it; `tell` hears of every new row after it was kept."""
        if not self.pending:
            return
        with closing(executor(self.pending, cancel)) as rows:
            for row in rows:
                for job in self.sharing[row.job.key]:
                    self._keep(_adopted(row, job))
                tell(row)

    def _keep(self, row: Row) -> None:
        self.store.add(row)
        self.judge(row)

    def judge(self, row: Row) -> None:
        if row.category == "wrong":
            self.wrong.append(f"{row.job}: {row.complaint}")

    def quarrels(self, suites: Sequence[Suite]) -> list[str]:
        """Answers in the store that contradict each other or the published totals."""
        found = contradictions(self.store.rows())
        for suite in suites:
            found += wrong_totals(suite, self.store.rows(suite.name))
        return found


def plan(
    suites: Sequence[Suite],
    store: Store,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    retry: bool = False,
) -> Campaign:
    """What is left to do, easy rows first; `retry` asks again where something failed."""
    campaign = Campaign(store)
    sharing: dict[str, list[Job]] = defaultdict(list)
    is_there = cache(_is_there)
    for suite in suites:
        own = {row.job.key: row for row in store.rows(suite.name)}
        for planned in suite.jobs:
            job = replace(
                planned, seconds=seconds or planned.seconds, memory=memory or planned.memory
            )
            row = own.get(job.key)
            if row is None or not row.serves(job):
                row = store.find(job)
            if row is not None and not (retry and row.category == "error"):
                campaign.kept += 1
                campaign.failed += row.category == "error"
                adopted = _adopted(row, job)
                campaign.judge(adopted)
                if own.get(job.key) != adopted:
                    store.add(adopted)
            elif absent := [name for name in _needs(job) if not is_there(name)]:
                campaign.missing[absent[0]] += 1
            else:
                sharing[job.key].append(job)
    pending = [max(jobs, key=lambda job: (job.seconds, job.memory)) for jobs in sharing.values()]
    campaign.pending, campaign.sharing = sorted(pending, key=_difficulty), dict(sharing)
    return campaign


def _adopted(row: Row, job: Job) -> Row:
    """A row as the one of another suite, with what that knows; the limits stay the row's."""
    return replace(row, job=replace(job, seconds=row.job.seconds, memory=row.job.memory))


def _needs(job: Job) -> list[str]:
    return ["search"] if job.method == "search" else job.programs


def _is_there(program: str) -> bool:
    if program == "search":  # the engine, where there was a compiler
        return find_spec("skolemate.search._engine") is not None
    return PROGRAMS[program].find() is not None


def _difficulty(job: Job) -> tuple[int, int, int, int]:
    """Depth and board say more about a question than anything else that is known in advance."""
    cells, horizon = _extent(job)
    return KINDS[job.task], horizon if job.depth is None else job.depth, cells, job.number


def _extent(job: Job) -> tuple[int, int]:
    """The number of cells of a game, and its horizon if it has one."""
    game = load_game(job.game, job.folder)[0]
    return game.board.size, game.horizon or 0
