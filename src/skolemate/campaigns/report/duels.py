"""Two encodings on the same questions with the same pipelines: which one is faster."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from skolemate.campaigns.row import Row
from skolemate.campaigns.suite import Suite

__all__ = ["THRESHOLDS", "duels", "faster"]

THRESHOLDS = ("0.01", "0.1", "1", "10")  # seconds
Pair = tuple[Row, Row]


def duels(suite: Suite, rows: Sequence[Row]) -> dict[tuple[str, str], list[Pair]]:
    """The pairs of encodings that a suite names, or its first two, with their pairs of rows."""
    named = suite.scatter
    if not named:
        names = list(dict.fromkeys(row.job.encoding for row in rows if row.job.encoding))
        named = ((names[0], names[1]),) if len(names) > 1 else ()
    found = {(x, y): _pairs(rows, x, y) for x, y in named}
    return {names: pairs for names, pairs in found.items() if pairs}


def _pairs(rows: Sequence[Row], x: str, y: str) -> list[Pair]:
    """One of the two at least is solved; where neither is, nobody is faster."""
    found: dict[tuple[Any, ...], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        ended = row.run.solved or row.run.status in ("time", "memory")  # an error is no time
        if row.job.encoding in (x, y) and ended:
            job = row.job
            asked = (job.question, job.task, job.depth, job.pipeline, job.symmetry)
            found[asked][row.job.encoding] = row
    pairs = [(both[x], both[y]) for both in found.values() if len(both) == 2]
    return [(a, b) for a, b in pairs if a.run.solved or b.run.solved]


def faster(pairs: Sequence[Pair], threshold: float) -> tuple[int, int]:
    """How often the second is faster, of the pairs in which one takes longer than the threshold."""
    seconds = [(a.spent, b.spent) for a, b in pairs]
    long = [(a, b) for a, b in seconds if max(a, b) > threshold]
    return sum(b < a for a, b in long), len(long)
