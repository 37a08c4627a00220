"""A campaign that is killed again and again ends with the rows of one that is left alone.

As a program (`make kill-campaign`): python tests/killing.py KILLS.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from commands import command_line
from skolemate.campaigns.row import Row
from skolemate.campaigns.runner import open_store

__all__ = ["answers", "bench", "killed_and_undisturbed", "stored"]

SUITE = """
seconds = 60
memory = "1G"
[[runs]]
games = ["harary(shape={{shape}}, width=3, height=3)"]
shape = {shapes}
depths = [5, 7]
methods = ["reference", "qbf"]
encodings = ["cor+"]
pipelines = ["depqbf"]
[[runs]]
task = "size"
games = ["hex(size=3)"]
depths = [5, 7]
encodings = ["et"]
"""
FEW, MANY = ["el", "tippy"], ["domino", "el", "tic", "elly", "fatty", "knobby", "tippy"]


def bench(*words: str) -> list[str]:
    return command_line("bench", *words)


def stored(store: Path) -> list[Row]:
    with open_store(str(store)) as opened:
        return opened.rows()


def begun(store: Path) -> bool:
    """Whether a campaign has come so far as to have a store: a new file has the version 0."""
    if not store.exists():
        return False
    with closing(sqlite3.connect(store)) as base:
        return bool(base.execute("PRAGMA user_version").fetchone()[0])


def answers(rows: list[Row]) -> list[tuple[object, ...]]:
    """What does not depend on the hour and the load."""
    return [(row.job, row.run.status, row.run.clauses, row.run.formula) for row in rows]


def killed_and_undisturbed(folder: Path, kills: int, seed: int) -> tuple[list[Row], list[Row]]:
    """The rows of both; checks on the way that a row that is there stays as it is."""
    chance = random.Random(seed)
    suite = folder / "small.toml"
    suite.write_text(SUITE.format(shapes=MANY[:kills]), encoding="utf-8")
    killed, undisturbed = folder / "killed.sqlite", folder / "undisturbed.sqlite"
    run = bench("run", str(suite), "--jobs", "2", "--store")
    before: dict[str, Row] = {}
    for _ in range(kills):
        process = subprocess.Popen(
            [*run, str(killed)], stderr=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(chance.uniform(0.3, 3.0))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        now = {row.job.key: row for row in stored(killed)} if begun(killed) else {}
        assert all(now.get(key) == row for key, row in before.items()), "a row was lost"
        before = now
    for store in (killed, undisturbed):
        subprocess.run([*run, str(store)], stderr=subprocess.DEVNULL, check=True)
    ended = {row.job.key: row for row in stored(killed)}
    assert all(ended[key] == row for key, row in before.items()), "a row was done twice"
    return stored(killed), stored(undisturbed)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        number = int(sys.argv[1])
        ours, theirs = killed_and_undisturbed(Path(name), number, seed=number)
        assert answers(ours) == answers(theirs), "the rows differ"
        print(f"{number} kills; the same {len(ours)} rows as without")
