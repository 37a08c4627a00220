"""Campaigns and the atlas on a Dask cluster of two local workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import distributed
import pytest

from killing import FEW, SUITE, answers
from samples import FULL
from skolemate import UserError, solve
from skolemate.campaigns.atlas import Atlas, Entry, Finding, entries
from skolemate.campaigns.row import Row
from skolemate.campaigns.runner import Cluster, Executor, Local, open_store, plan
from skolemate.campaigns.suite import parse_suite
from skolemate.cli import main
from skolemate.limits import Limit
from waiting import eventually

MEMORY = 2 << 30


@pytest.fixture(scope="module")
def workers() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2 if FULL else 1,
        threads_per_worker=1,
        memory_limit=MEMORY,
        dashboard_address=None,
    ) as cluster:
        yield cluster


def rows_of(executor: Executor, file: Path, tell: Any = lambda row: None) -> list[Row]:
    suite = parse_suite("small", SUITE.format(shapes=FEW).replace('"1G"', '"8G"'))
    with open_store(str(file), write=True) as store:
        plan([suite], store).run(executor, Event(), tell)
        return store.rows()


def on_cluster(workers: Any) -> Cluster:
    return Cluster(workers.scheduler_address)


def test_a_cluster_gives_the_same_rows_within_its_memory(workers: Any, tmp_path: Path) -> None:
    here = rows_of(Local(2), tmp_path / "here.sqlite")
    there = rows_of(on_cluster(workers), tmp_path / "there.sqlite")
    assert {row.job.memory for row in here} == {8 << 30}
    assert {row.job.memory for row in there} == {MEMORY}
    assert [a[1:] for a in answers(there)] == [a[1:] for a in answers(here)]
    assert [row.job.key for row in there] == [row.job.key for row in here]


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_costs_only_its_job(workers: Any, tmp_path: Path) -> None:
    killed: list[int] = []

    def kill_one(row: Row) -> None:
        if not killed:
            killed.append(next(iter(workers.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    rows = rows_of(on_cluster(workers), tmp_path / "killed.sqlite", kill_one)
    assert killed
    assert len(rows) == 10
    assert all(row.run.solved for row in rows)


def test_a_cluster_that_is_not_there_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tmp_path / "small.toml"
    suite.write_text(SUITE.format(shapes=FEW), encoding="utf-8")
    store = str(tmp_path / "runs.sqlite")
    run = ["bench", "run", str(suite), "--store", store]
    assert main([*run, "--cluster", "nonsense://x"]) == 2
    assert "no Dask scheduler at" in capsys.readouterr().err


def test_a_split_question_is_answered_by_a_cluster(workers: Any) -> None:
    address = workers.scheduler_address
    for depth, verdict in ((5, "NO_WIN"), (7, "WIN")):
        answer = solve("hein(9)", depth, encoding="et", pipeline="caqe", split=2, cluster=address)
        assert (answer.verdict.name, answer.method) == (verdict, "split")
    with pytest.raises(UserError, match="give split, too"):
        solve("hein(9)", 5, cluster=address)


@pytest.mark.slow
def test_a_part_of_a_question_moves_when_its_worker_dies(workers: Any) -> None:
    address = workers.scheduler_address
    how = {"encoding": "et", "pipeline": "caqe", "split": 2, "cluster": address}
    with ThreadPoolExecutor(1) as pool, distributed.Client(address) as client:
        asked = pool.submit(solve, "hein(13)", 9, **how)
        busy = eventually(
            lambda: [worker for worker, parts in client.processing().items() if parts]
        )
        pids = {worker.worker_address: worker.pid for worker in workers.workers.values()}
        os.kill(pids[busy[0]], signal.SIGKILL)
        assert asked.result().verdict.name == "WIN"


@contextmanager
def scheduler_with_worker(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A scheduler of its own, to be killed, with one worker: its address and its process."""
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0"]
    file = folder / "scheduler.json"
    command += ["--no-dashboard", "--scheduler-file", str(file)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as scheduler:
        assert eventually(file.exists)
        address = json.loads(file.read_text())["address"]
        serve = [sys.executable, "-m", "distributed.cli.dask_worker", address]
        options = ["--nthreads", "1", "--no-dashboard", "--death-timeout", "60"]
        with subprocess.Popen([*serve, *options], stderr=subprocess.DEVNULL) as worker:
            try:
                yield address, scheduler
            finally:
                scheduler.kill()
                worker.kill()


def test_a_scheduler_that_dies_loses_no_row(tmp_path: Path) -> None:
    """What was finished is kept, nothing else is written, and the same command goes on."""
    store = tmp_path / "s.sqlite"
    kept: list[Row] = []
    with scheduler_with_worker(tmp_path) as (address, scheduler):

        def kill(row: Row) -> None:
            kept.append(row)
            if len(kept) == 3:
                scheduler.kill()

        with pytest.raises(UserError, match="is gone; every finished row is kept"):
            rows_of(Cluster(address), store, kill)
    with open_store(str(store)) as opened:
        assert len(opened.rows()) == len(kept) >= 3
    rows = rows_of(Local(1), store)
    assert len(rows) == 10
    assert all(row.run.solved for row in rows)


# --- the atlas ------------------------------------------------------------------------------------

SHAPES = entries(["shape=el, width=3", "shape=fatty, width=3"])
LIMIT = Limit(60.0, 1 << 30)


def settled(atlas: Atlas) -> dict[Entry, tuple[str, int | None, bool]]:
    """What is known; every proof was checked again."""
    assert all(complaint is None for _, complaint in atlas.check())
    found = atlas.findings()
    return {entry: (f.verdict, f.depth, f.is_open) for entry, f in found.items()}


def test_an_atlas_on_a_cluster_has_the_same_entries_with_proofs(
    workers: Any, tmp_path: Path
) -> None:
    here, there = Atlas(str(tmp_path / "here")), Atlas(str(tmp_path / "there"))
    here.fill(SHAPES, limit=LIMIT)
    address = workers.scheduler_address
    command = ["atlas", "-o", str(there.folder), "--cluster", address]
    assert main([*command, "--only", "shape=el, width=3", "--only", "shape=fatty, width=3"]) == 0
    assert settled(there) == settled(here)
    assert len(settled(there)) == len(SHAPES) == 8
    assert not any(is_open for _, _, is_open in settled(there).values())


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_costs_only_its_entry(workers: Any, tmp_path: Path) -> None:
    killed: list[int] = []

    def kill_one(finding: Finding) -> None:
        if not killed:
            killed.append(next(iter(workers.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    atlas = Atlas(str(tmp_path))
    atlas.fill(SHAPES, limit=LIMIT, cluster=workers.scheduler_address, tell=kill_one)
    assert killed
    assert len(settled(atlas)) == len(SHAPES)
    assert not any(is_open for _, _, is_open in settled(atlas).values())


def test_a_scheduler_that_dies_loses_no_entry(tmp_path: Path) -> None:
    atlas = Atlas(str(tmp_path / "atlas"))
    kept: list[Entry] = []
    with scheduler_with_worker(tmp_path) as (address, scheduler):

        def kill(finding: Finding) -> None:
            kept.append(finding.entry)
            if len(kept) == 2:
                scheduler.kill()

        with pytest.raises(UserError, match="is gone; every finished row is kept"):
            atlas.fill(SHAPES, limit=LIMIT, cluster=address, tell=kill)
    assert list(settled(atlas)) == kept
    assert 2 <= len(kept) < len(SHAPES)
    asked: list[Entry] = []
    atlas.fill(SHAPES, limit=LIMIT, tell=lambda finding: asked.append(finding.entry))
    assert sorted(asked + kept) == sorted(SHAPES)
    assert not any(is_open for _, _, is_open in settled(atlas).values())
