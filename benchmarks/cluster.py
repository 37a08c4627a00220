"""Four workers on this machine against one: a campaign, a split question, and a worker that dies.

A Dask cluster of one worker and one of WORKERS, each worker a process with one thread, run the same
campaign (`bench run --cluster`) and the same split question (`solve --split 2 --cluster`). Rows and
answers must be the same. In a last run a worker is killed as soon as two rows are there, and no
row may be missing. CPU seconds are those of the solvers; the wall clock depends on free cores.

usage: cluster.py [WORKERS]
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import distributed

from skolemate import solve
from skolemate.campaigns.row import Row
from skolemate.campaigns.runner import Cluster, open_store, plan
from skolemate.campaigns.suite import parse_suite

SUITE = """
seconds = 600
memory = "1G"
[[runs]]
critical = { "hein(6)" = 13, "hein(8)" = 11, "hein(11)" = 11 }
encodings = ["et"]
pipelines = ["caqe"]
"""
QUESTION, DEPTH = "hein(11)", 11
KILLED_AFTER = 2  # rows


def cluster_of(workers: int) -> Any:
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        memory_limit="2GiB",
        dashboard_address=None,
        silence_logs=logging.CRITICAL,  # the death of a worker is told at length
    )


def told(name: str, workers: int, begun: float, cpu: float) -> None:
    print(f"{name:34} {workers:7} {time.monotonic() - begun:8.1f} {cpu:8.1f}", flush=True)


def campaign(cluster: Any, name: str, tell: Callable[[Row], None]) -> list[tuple[str, str]]:
    """The keys and answers of the suite's rows, run by a cluster into a store of their own."""
    begun, workers = time.monotonic(), len(cluster.workers)
    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(str(Path(folder, "rows.sqlite")), write=True) as store,
    ):
        executor = Cluster(cluster.scheduler_address)
        plan([parse_suite("puzzles", SUITE)], store).run(executor, Event(), tell)
        rows = store.rows()
    told(name, workers, begun, sum(row.run.cpu_seconds or 0.0 for row in rows))
    assert all(row.run.solved for row in rows)
    return [(row.job.key, row.run.status) for row in rows]


def split_question(cluster: Any) -> str:
    begun, workers, address = time.monotonic(), len(cluster.workers), cluster.scheduler_address
    answer = solve(QUESTION, DEPTH, encoding="et", pipeline="caqe", split=2, cluster=address)
    told(f"{QUESTION}, d = {DEPTH}, split by 2 plies", workers, begun, answer.cpu_seconds or 0.0)
    return answer.verdict.name


def with_a_death(cluster: Any) -> list[tuple[str, str]]:
    """A campaign in which a worker is killed as soon as some rows are there."""
    worker = next(iter(cluster.workers.values()))
    rows: list[Row] = []

    def kill(row: Row) -> None:
        rows.append(row)
        if len(rows) == KILLED_AFTER:
            os.kill(worker.pid, signal.SIGKILL)

    return campaign(cluster, "campaign, a worker killed in it", kill)


def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    print(f"{'':34} {'workers':>7} {'wall, s':>8} {'CPU, s':>8}")
    runs, verdicts = [], set()
    for workers in (1, most):
        with cluster_of(workers) as cluster:
            runs.append(campaign(cluster, "campaign", lambda row: None))
            verdicts.add(split_question(cluster))
    with cluster_of(most) as cluster:
        runs.append(with_a_death(cluster))
    assert all(run == runs[0] for run in runs), "the rows differ"
    assert verdicts == {"WIN"}
    print(f"the same {len(runs[0])} rows each time")


if __name__ == "__main__":
    main()
