"""The store: one SQLite file in which every finished run is a row.

A row is stored completely and permanently or not at all, even if the machine crashes (WAL, each
row flushed to the disk). One runner at a time writes; others may read meanwhile. Every row has a
checksum, so that a damaged one is noticed and named.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from skolemate.campaigns.row import Job, Row
from skolemate.campaigns.suite import Suite, parse_suite
from skolemate.errors import UserError, brief

SCHEMA = 2  # of the tables below, kept in SQLite's user_version
KEYS_WITH_PATHS = 1  # an older version, in which the key of a game's file depended on its path
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
        stays = "every finished row is kept, and the same command goes on from there"
        if "full" in text:
            raise OSError(errno.ENOSPC, f"the disk is full; {stays}", file) from None
        if "readonly" in text or "read-only" in text:
            raise OSError(errno.EROFS, "the store cannot be written to", file) from None
        if "locked" in text:
            raise OSError(errno.EBUSY, "another program holds the store; try again", file) from None
        if isinstance(error, sqlite3.OperationalError):
            raise OSError(errno.EIO, f"{text}; {stays}", file) from None
        raise UserError(
            f"{brief(file, 200)} is damaged, or no store ({text}); what can be read of it is saved "
            f"by `sqlite3 {file} .recover`"
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
        if version not in (0, KEYS_WITH_PATHS, SCHEMA):
            raise UserError(f"{brief(file, 200)} was written by another version of Skolemate")
        if write:
            if not os.access(file, os.W_OK):  # as root SQLite would write all the same
                raise sqlite3.OperationalError("readonly")
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = FULL")
            self._base.executescript(TABLES)
            if version != SCHEMA:
                self._renew_keys()
        elif version == 0:
            raise UserError(f"{brief(file, 200)} is no store of runs")

    def _renew_keys(self) -> None:
        """Update the keys of an older store, all of them or none.

        Of rows that differed only in the path of a file, the last solved one stays. A damaged row
        is left as it is.
        """
        self._base.execute("BEGIN")
        old = []
        for *values, checksum in self._base.execute(f"{SELECT} WHERE content IS NOT NULL"):
            if _checksum(tuple(values)) == checksum:
                old.append((values[COLUMNS.index("key")], Row.of(values)))
        for key, row in old:
            where = "WHERE suite = ? AND key = ?"
            self._base.execute(f"DELETE FROM runs {where}", (row.job.suite, key))
        for _, row in sorted(old, key=lambda entry: (entry[1].run.solved, entry[1].finished)):
            self.add(row)
        self._base.execute(f"PRAGMA user_version = {SCHEMA}")
        self._base.execute("COMMIT")

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
                        "`skolemate bench run SUITE --repair` sets it aside and asks it again"
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
