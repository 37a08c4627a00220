"""Rows as BenchExec's result files, one per suite and means, for its `table-generator`."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

from skolemate.campaigns.report.contents import Report
from skolemate.campaigns.row import Row
from skolemate.output import write_text

__all__ = ["write_benchexec"]

DOCTYPE = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<!DOCTYPE result PUBLIC "+//IDN sosy-lab.org//DTD BenchExec result 1.18//EN" '
    '"https://www.sosy-lab.org/benchexec/result-1.18.dtd">\n'
)
CATEGORIES = {"right": "correct", "wrong": "wrong", "error": "error", "unchecked": "missing"}
STATUSES = {"WIN": "true", "NO_WIN": "false", "DONE": "done", "time": "TIMEOUT"}
STATUSES |= {"memory": "OUT OF MEMORY", "error": "ERROR", "solver_error": "ERROR"}


def write_benchexec(report: Report, folder: str) -> list[str]:
    """Write the files; their names. Win is `true`, no win is `false`."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    written = []
    for section in report.sections:
        by_means: dict[str, list[Row]] = defaultdict(list)
        for row in section.rows:
            by_means[row.job.means].append(row)
        for means, rows in by_means.items():
            name = re.sub(r"[^\w+]+", "-", f"{section.suite.name}.{means}")
            path = str(Path(folder, f"{name}.results.xml"))
            write_text(path, DOCTYPE + _result(section.suite.name, means, rows))
            written.append(path)
    return written


def _result(suite: str, means: str, rows: list[Row]) -> str:
    first = rows[0]
    attributes = {
        "benchmarkname": suite,
        "name": suite,
        "displayName": f"{suite} {means}",
        "date": min(row.finished for row in rows),
        "starttime": min(row.finished for row in rows),
        "endtime": max(row.finished for row in rows),
        "tool": "skolemate",
        "toolmodule": "skolemate",
        "version": first.version,
        "options": means,
        "timelimit": f"{max(row.job.seconds for row in rows):g}s",
        "memlimit": f"{max(row.job.memory for row in rows)}B",
        "generator": f"Skolemate {first.version}",
    }
    root = ElementTree.Element("result", attributes)
    columns = ElementTree.SubElement(root, "columns")
    for title in ("status", "cputime", "walltime", "memory"):
        ElementTree.SubElement(columns, "column", title=title)
    for row in rows:
        root.append(_run(row))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _run(row: Row) -> ElementTree.Element:
    job, run = row.job, row.run
    attributes = {"name": f"{job.game}.{job.player}.{job.task}.{job.depth}", "properties": "win"}
    if "verdict" in job.known:
        attributes["expectedVerdict"] = STATUSES[job.known["verdict"]]
    element = ElementTree.Element("run", attributes)
    values = {
        "status": STATUSES.get(run.status, run.status),
        "category": CATEGORIES.get(row.category, "unknown"),
        "cputime": _unit(run.cpu_seconds, "s"),
        "walltime": _unit(run.wall_seconds, "s"),
        "memory": _unit(run.peak_bytes, "B"),
    }
    for title, value in values.items():
        if value is not None:
            ElementTree.SubElement(element, "column", title=title, value=value)
    return element


def _unit(value: float | None, unit: str) -> str | None:
    return None if value is None else f"{value}{unit}"
