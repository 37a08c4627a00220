"""The runner: executes the open jobs of suites, easy ones first, and stores each row at once."""

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
# An executor runs jobs, in processes here or on a Dask cluster. It takes jobs in the order in which
# they should begin and yields each row as soon as it is finished. When it is closed, or `cancel` is
# set, it stops the running jobs.


Rows = Generator[Row, None, None]
PAUSE = 0.1  # seconds between two checks whether the user wants to stop


class Executor(Protocol):
    @property
    def slots(self) -> int:
        """How many jobs run at a time at present."""
        ...

    def __call__(self, jobs: Sequence[Job], cancel: Event) -> Rows: ...


@dataclass(frozen=True)
class Local:
    """Runs `slots` jobs at a time on this machine, each in a process of its own."""

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
    """Runs jobs on the workers of a Dask scheduler, which may come and go.

    Dask gives a job whose worker has died to another worker; after several deaths it is an error.
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
            reason = str(error).splitlines()[0] if str(error) else "no answer"
            raise UserError(f"no Dask scheduler at {brief(self.address)}: {reason}") from None
        object.__setattr__(self, "client", client)

    @property
    def slots(self) -> int:
        return sum(self.client.nthreads().values()) or 1

    def __call__(self, jobs: Sequence[Job], cancel: Event) -> Rows:
        import distributed

        name = uuid4().hex  # Dask must not reuse the results of an earlier call
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
    """Run a job on a worker, within that worker's share of memory."""
    import distributed

    worker = distributed.get_worker()
    memory = worker.memory_manager.memory_limit
    share = memory // worker.state.nthreads if memory else None
    return perform(job, _Withdrawn(worker, worker.get_current_task()), share)


class _Withdrawn(Event):
    """Set when the client has withdrawn a task: Dask itself does not stop a running one."""

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
    """The open jobs of some suites; jobs with the same key are run once.

    `kept` counts the rows in the store, `failed` those of them that are errors, `missing` the jobs
    for which a program is not installed, by program.
    """

    store: Store
    pending: list[Job] = field(default_factory=list)
    sharing: dict[str, list[Job]] = field(default_factory=dict)
    kept: int = 0
    failed: int = 0
    missing: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def run(self, executor: Executor, cancel: Event, tell: Callable[[Row], None]) -> None:
        """Run all open jobs; `tell` is called with every new row after it was stored."""
        if not self.pending:
            return
        with closing(executor(self.pending, cancel)) as rows:
            for row in rows:
                for job in self.sharing[row.job.key]:
                    self._keep(_adopted(row, job))
                tell(row)

    def _keep(self, row: Row) -> None:
        self.store.add(row)
        self.check(row)

    def check(self, row: Row) -> None:
        """Remember a row that contradicts a known answer or figure."""
        if row.category == "wrong":
            self.wrong.append(f"{row.job}: {row.complaint}")

    def quarrels(self, suites: Sequence[Suite]) -> list[str]:
        """Answers in the store that contradict each other or the published totals."""
        complaints = contradictions(self.store.rows())
        for suite in suites:
            complaints += wrong_totals(suite, self.store.rows(suite.name))
        return complaints


def plan(
    suites: Sequence[Suite],
    store: Store,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    retry: bool = False,
) -> Campaign:
    """The open jobs of some suites, easy ones first; with `retry`, failed ones are run again."""
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
                campaign.check(adopted)
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
    """A row for the same job of another suite, with that suite's figures and the row's limits."""
    return replace(row, job=replace(job, seconds=row.job.seconds, memory=row.job.memory))


def _needs(job: Job) -> list[str]:
    return ["search"] if job.method == "search" else job.programs


def _is_there(program: str) -> bool:
    if program == "search":  # the engine, where there was a compiler
        return find_spec("skolemate.search._engine") is not None
    return PROGRAMS[program].find() is not None


def _difficulty(job: Job) -> tuple[int, int, int, int]:
    """A guess by which jobs are ordered: depth and board first."""
    cells, horizon = _extent(job)
    return KINDS[job.task], horizon if job.depth is None else job.depth, cells, job.number


def _extent(job: Job) -> tuple[int, int]:
    """The number of cells of a game, and its horizon if it has one."""
    game = load_game(job.game, job.folder)[0]
    return game.board.size, game.horizon or 0
