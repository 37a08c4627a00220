"""The store of results, and the runner: it executes the jobs still to be done, easy ones first."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from typing import Any, Protocol, TextIO
from uuid import uuid4

from skolemate.ask.splitting import connect
from skolemate.campaigns.checking import ENGINE, Checker
from skolemate.campaigns.job import perform, signed
from skolemate.campaigns.row import Job, Row, RunResult, contradictions
from skolemate.campaigns.suite import Suite, load_game, parse_suite
from skolemate.campaigns.totals import wrong_totals
from skolemate.errors import UserError, brief
from skolemate.limits import completed
from skolemate.solvers import PROGRAMS
from skolemate.solvers.program import add_foreign

# --- the store ------------------------------------------------------------------------------------
# One SQLite file in which every finished job is a row. A row is stored completely and permanently
# or not at all, even if the machine crashes (WAL, each row flushed to the disk). One runner at a
# time writes; others may read meanwhile. Every row has a checksum, which shows damage.


SCHEMA = 2  # of the tables below, kept in SQLite's user_version
COLUMNS = (*Row.columns(), "checksum")
TABLES = f"""
CREATE TABLE IF NOT EXISTS runs ({", ".join(COLUMNS)}, PRIMARY KEY (suite, key));
CREATE INDEX IF NOT EXISTS by_key ON runs (key);
CREATE TABLE IF NOT EXISTS damaged ({", ".join(COLUMNS)});
CREATE TABLE IF NOT EXISTS suites (name PRIMARY KEY, text, quick, folder);
"""
INSERT = f"INSERT OR REPLACE INTO runs VALUES ({', '.join('?' * len(COLUMNS))})"
SELECT = f"SELECT {', '.join(COLUMNS)} FROM runs"


@contextmanager
def open_store(file: str, *, write: bool = False) -> Iterator[Store]:
    """Open the store in a file; an error if another process is writing and `write` is set."""
    if not write and not Path(file).is_file():
        raise UserError(f"there is no store {brief(file, 200)}; `skolemate bench run` makes one")
    lock = _lock(file) if write else None
    store: Store | None = None
    try:
        with _telling(file):
            store = Store(file, write)
        yield store
    finally:
        if store is not None:
            store.close()
        if lock is not None:
            lock.close()


def _lock(file: str) -> TextIO:
    """Lock a store; the kernel drops the lock with the process, however that ends."""
    try:
        lock = open(f"{file}.lock", "a", encoding="ascii")  # noqa: SIM115  closed by open_store
    except OSError as error:
        raise OSError(error.errno, f"cannot be written here: {error.strerror}", file) from None
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise UserError(
            f"another run is writing to {brief(file, 200)}: wait for it, or give this one a store "
            "of its own with --store"
        ) from None
    return lock


@contextmanager
def _telling(file: str) -> Iterator[None]:
    """Turn errors of SQLite into UserErrors. Rows that were written stay in any case."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error)
        stays = "every finished row is kept; run the same command again to continue"
        if "full" in text:
            raise OSError(errno.ENOSPC, f"the disk is full; {stays}", file) from None
        if "readonly" in text or "read-only" in text:
            raise OSError(errno.EROFS, "the store cannot be written to", file) from None
        if "locked" in text:
            raise OSError(
                errno.EBUSY, "another program is using the store; try again", file
            ) from None
        if isinstance(error, sqlite3.OperationalError):
            raise OSError(errno.EIO, f"{text}; {stays}", file) from None
        raise UserError(
            f"{brief(file, 200)} is damaged, or not a store ({text}); "
            f"`sqlite3 {file} .recover` saves what can still be read"
        ) from None


class Store:
    """An open store."""

    def __init__(self, file: str, write: bool) -> None:
        self.file = file
        mode = "mode=rwc" if write else "mode=ro"
        writable = os.access(Path(file).absolute().parent, os.W_OK)
        if not write and not writable and not Path(f"{file}-wal").exists():
            mode = "immutable=1"  # no writer, and SQLite cannot create its own files here
        address = f"{Path(file).absolute().as_uri()}?{mode}"
        self._base = sqlite3.connect(address, uri=True, isolation_level=None, timeout=10)
        version = self._base.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, SCHEMA):
            raise UserError(f"{brief(file, 200)} was written by another version of Skolemate")
        if write:
            if not os.access(file, os.W_OK):  # as root SQLite would write all the same
                raise sqlite3.OperationalError("readonly")
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = FULL")
            self._base.executescript(TABLES)
            if version == 0:
                self._base.execute(f"PRAGMA user_version = {SCHEMA}")
        elif version == 0:
            raise UserError(f"{brief(file, 200)} is not a store of runs")

    def close(self) -> None:
        self._base.close()

    def add(self, row: Row) -> None:
        """Store a row permanently."""
        values = row.values()
        with _telling(self.file):
            self._base.execute(INSERT, (*values, _checksum(values)))

    def add_all(self, rows: Iterable[Row]) -> None:
        """Store many rows together: all of them, or none."""
        with _telling(self.file):
            self._base.execute("BEGIN")
            try:
                for row in rows:
                    self.add(row)
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
            self._base.execute("COMMIT")

    def rows(self, suite: str | None = None) -> list[Row]:
        """The rows of a suite, or all, in the suite's order; a damaged one is an error."""
        where = ("", ()) if suite is None else (" WHERE suite = ?", (suite,))
        return [Row.of(v) for v in self._sound(f"{where[0]} ORDER BY suite, number", where[1])]

    def find(self, job: Job) -> Row | None:
        """A row that answers a job: its suite's own first."""
        order = " WHERE key = ? ORDER BY suite <> ?"
        rows = (Row.of(values) for values in self._sound(order, (job.key, job.suite)))
        return next((row for row in rows if row.serves(job)), None)

    def _sound(self, where: str, parameters: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        with _telling(self.file):
            for *values, checksum in self._base.execute(SELECT + where, parameters):
                if _checksum(tuple(values)) != checksum:
                    named = dict(zip(COLUMNS, values, strict=False))
                    raise UserError(
                        f"{brief(self.file, 200)}: row {named['number']} of suite "
                        f"{named['suite']} ({named['game']}) is damaged; all others can be read. "
                        "`skolemate bench run SUITE --repair` moves it aside and runs it again"
                    )
                yield tuple(values)

    def repair(self) -> int:
        """Move the damaged rows to a table of their own; returns their number."""
        bad = []
        with _telling(self.file):
            for rowid, *values, checksum in self._base.execute(SELECT.replace(" ", " rowid, ", 1)):
                if _checksum(tuple(values)) != checksum:
                    bad.append(rowid)
            for rowid in bad:
                self._base.execute("BEGIN")
                copy = SELECT.replace("SELECT", "INSERT INTO damaged SELECT")
                self._base.execute(f"{copy} WHERE rowid = ?", (rowid,))
                self._base.execute("DELETE FROM runs WHERE rowid = ?", (rowid,))
                self._base.execute("COMMIT")
        return len(bad)

    def note(self, suite: Suite) -> None:
        """Store a suite's text, so that a report needs only the store and the files of games."""
        with _telling(self.file):
            values = (suite.name, suite.text, suite.quick, str(suite.folder.absolute()))
            self._base.execute("INSERT OR REPLACE INTO suites VALUES (?, ?, ?, ?)", values)

    def suites(self) -> dict[str, Suite | UserError]:
        """The suites that were run into this store, or why one can no longer be read."""
        with _telling(self.file):
            select = "SELECT name, text, quick, folder FROM suites ORDER BY name"
            listed = self._base.execute(select).fetchall()
        suites: dict[str, Suite | UserError] = {}
        for name, text, quick, folder in listed:
            try:
                suites[name] = parse_suite(name, text, bool(quick), Path(folder))
            except UserError as error:  # a game's file may be gone
                suites[name] = error
        return suites


def _checksum(values: tuple[Any, ...]) -> int:
    return zlib.crc32(repr(values).encode())


# --- executors ------------------------------------------------------------------------------------
# An executor runs jobs, in processes here or on a Dask cluster. It takes jobs in the order in which
# they should begin and yields each row as soon as it is finished. When it is closed, or `cancel` is
# set, it stops the running jobs.


Rows = Generator[Row, None, None]
PAUSE = 0.1  # seconds between two checks whether the user wants to stop
GONE = (
    "the Dask scheduler at {} is gone; every finished row is kept; run the same command again "
    "to continue"
)


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
            for future in completed([pool.submit(perform, job, cancel) for job in jobs]):
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
        object.__setattr__(self, "client", connect(self.address))

    @property
    def slots(self) -> int:
        return sum(self.client.nthreads().values()) or 1

    def __call__(self, jobs: Sequence[Job], cancel: Event) -> Rows:
        calls = [(job, _given(job)) for job in jobs]
        for place, row, error in self.results(_on_worker, calls, cancel):
            if error is not None:
                yield signed(jobs[place], RunResult("error", f"on the cluster: {error}"))
            elif row is not None:
                yield row

    def results(
        self, function: Callable[..., Any], calls: Sequence[tuple[object, ...]], cancel: Event
    ) -> Generator[tuple[int, Any, BaseException | None], None, None]:
        """Call a function on the workers; yields each call's place with its result or error.

        A scheduler that is gone is an error. What still runs at the end is withdrawn.
        """
        import distributed

        name = uuid4().hex  # Dask must not reuse the results of an earlier call
        asked = {
            self.client.submit(function, *given, key=f"{place}-{name}", priority=-place): place
            for place, given in enumerate(calls)
        }
        waiting = distributed.as_completed(list(asked), loop=self.client.loop)
        try:
            while waiting.count() and not cancel.is_set():
                if self.client.status != "running":
                    raise UserError(GONE.format(brief(self.address)))
                if not waiting.has_ready():
                    cancel.wait(PAUSE)
                    continue
                future = next(waiting)
                if future.status in ("cancelled", "lost"):
                    raise UserError(GONE.format(brief(self.address)))
                if future.status == "finished":
                    yield asked[future], future.result(), None
                else:
                    yield asked[future], None, future.exception()
        finally:
            self.client.cancel(list(asked))
            self.client.close()


def _given(job: Job) -> list[str]:
    """The user's settings of a job's programs, for a machine that does not have them."""
    return [text for name in job.programs if (text := PROGRAMS[name].given)]


def _on_worker(job: Job, programs: list[str]) -> Row | None:
    """Run a job on a worker, within that worker's share of memory."""
    for text in programs:
        add_foreign(text)
    return perform(job, *on_this_worker())


def on_this_worker() -> tuple[Event, int | None]:
    """For a task on a worker: an event, set when it is withdrawn, and its share of memory."""
    import distributed

    worker = distributed.get_worker()
    memory = worker.memory_manager.memory_limit
    share = memory // worker.state.nthreads if memory else None
    return _Withdrawn(worker, worker.get_current_task()), share


class _Withdrawn(Event):
    """Set when the client has withdrawn a task: Dask itself does not stop a running one."""

    def __init__(self, worker: Any, key: str) -> None:
        super().__init__()
        self._tasks, self._key = worker.state.tasks, key

    def is_set(self) -> bool:
        task = self._tasks.get(self._key)
        return task is None or task.state == "cancelled"


# --- the runner -----------------------------------------------------------------------------------


KINDS = {"size": 0, "reduce": 1, "formula": 2, "solve": 2, "settle": 3}


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
    checker: Checker = field(default_factory=Checker)

    def run(self, executor: Executor, cancel: Event, tell: Callable[[Row], None]) -> None:
        """Run all open jobs; `tell` is called with every new row after it was stored."""
        if not self.pending:
            return
        with closing(executor(self.pending, cancel)) as rows:
            for row in rows:
                kept = [self.checker(_adopted(row, job)) for job in self.sharing[row.job.key]]
                for each in kept:
                    self.store.add(each)
                    self.check(each)
                tell(kept[0])

    def check(self, row: Row) -> None:
        """Remember a row that contradicts a known answer or figure."""
        if row.category == "wrong":
            self.wrong.append(f"{row.job}: {row.complaint}")

    def contradictions_in_store(self, suites: Sequence[Suite]) -> list[str]:
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
    """A row for the same job of another suite, with that suite's figures and the row's limits.

    The engine's answer stays, unless that suite knows better.
    """
    known = job.known
    if ENGINE in row.job.known and "verdict" not in known:
        kept = (ENGINE, "critical_depth")
        known = {key: row.job.known[key] for key in kept if key in row.job.known} | dict(known)
    limited = replace(job, seconds=row.job.seconds, memory=row.job.memory)
    return replace(row, job=replace(limited, known=known))


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
    """The number of cells of a game, and its horizon if it has one; of a formula its bytes."""
    if job.task == "formula":
        return Path(job.folder, job.game).stat().st_size, 0
    game = load_game(job.game, job.folder)[0]
    return game.board.size, game.horizon or 0
