"""How long a report about 100,000 stored rows takes: `make bench-report`."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from skolemate.campaigns.report import gather
from skolemate.campaigns.report.formats import to_csv, to_html, to_latex, to_markdown
from skolemate.campaigns.row import Row, RunResult
from skolemate.campaigns.runner import open_store
from skolemate.campaigns.suite import Suite, parse_suite

SUITE = """
title = "Many rows"
source = "made up"
seconds = 100
scatter = [["cor+", "et"]]
[[runs]]
games = ["hex(size={n})"]
n = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
depths = [3, 5, 7, 9, 11]
encodings = ["cor+", "ea", "en", "et", "la", "ln", "li", "sa", "sn", "si"]
pipelines = ["caqe", "depqbf", "bloqqer+caqe", "bloqqer+depqbf"]
"""


def rows(number: int) -> list[Row]:
    chance, jobs = random.Random(1), parse_suite("many", SUITE).jobs
    made = []
    for place in range(number):
        job = jobs[place % len(jobs)]
        moves = f"hex(size=11, black=a{1 + place // len(jobs)}, {place % 7})"
        seconds = chance.lognormvariate(0, 2)
        run = RunResult(
            "WIN", None, True, None, seconds, seconds, int(seconds * 1e7), 0.1, clauses=7
        )
        if seconds > job.seconds:
            run = RunResult("time")
        known = {"wall_seconds": f"{chance.uniform(0, 9):.2f}"}
        job = replace(job, number=place, game=f"{job.game} {moves}", known=known)
        made.append(Row(job, run, "1", "caqe 1", "a machine", "2026-01-01"))
    return made


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder, "runs.sqlite"))
        with open_store(file, write=True) as store:
            store.note(parse_suite("many", SUITE))
            store.add_all(rows(number))
        begun = time.process_time()
        with open_store(file) as store:
            suites = [suite for suite in store.suites().values() if isinstance(suite, Suite)]
            report = gather(suites, store.rows())
        print(f"read {report.counts.total()} rows: {time.process_time() - begun:.1f} s of CPU time")
        for write in (to_html, to_markdown, to_latex, to_csv):
            begun = time.process_time()
            size = len(write(report).encode())
            seconds = time.process_time() - begun
            print(f"{write.__name__}: {seconds:.1f} s, {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
