"""Two stores compared, row by row: what got faster, slower, solved, lost, and what disagrees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from skolemate.campaigns.row import Row

__all__ = ["Change", "common", "compare"]

KINDS = ("disagree", "lost", "solved", "slower", "faster", "larger", "smaller")
FACTOR = 1.25  # times that differ by less are the same
LEAST = 0.1  # seconds; differences below are noise


@dataclass(frozen=True)
class Change:
    kind: str
    before: Row
    after: Row

    def as_json(self) -> dict[str, Any]:
        sides = {"before": self.before, "after": self.after}
        return {"kind": self.kind, "row": str(self.before.job)} | {
            name: {
                "status": row.run.status,
                "wall_seconds": row.run.wall_seconds,
                "clauses": row.run.clauses,
            }
            for name, row in sides.items()
        }

    def __str__(self) -> str:
        return f"{self.kind:8} {self.before.job}: {_told(self.before)} -> {_told(self.after)}"


def common(before: Iterable[Row], after: Iterable[Row]) -> list[tuple[Row, Row]]:
    """The rows that are in both stores, as pairs."""
    old = {(row.job.suite, row.job.key): row for row in before}
    keys = ((row, (row.job.suite, row.job.key)) for row in after)
    return [(old[key], row) for row, key in keys if key in old]


def compare(pairs: Iterable[tuple[Row, Row]]) -> list[Change]:
    """The changes, the gravest first, from one store's rows to the other's."""
    changes = [Change(kind, old, new) for old, new in pairs for kind in _kinds(old, new)]
    return sorted(changes, key=lambda change: (KINDS.index(change.kind), -_weight(change)))


def _kinds(a: Row, b: Row) -> Iterator[str]:
    if a.run.solved and b.run.solved:
        if (a.run.status, a.run.truth, a.run.critical_depth) != (
            b.run.status,
            b.run.truth,
            b.run.critical_depth,
        ):
            yield "disagree"
        yield from _pace(a.run.wall_seconds, b.run.wall_seconds)
    elif a.run.solved:
        yield "lost"
    elif b.run.solved:
        yield "solved"
    if a.run.clauses is not None and b.run.clauses is not None and a.run.clauses != b.run.clauses:
        yield "larger" if b.run.clauses > a.run.clauses else "smaller"


def _pace(a: float | None, b: float | None) -> Iterator[str]:
    if a is None or b is None or abs(a - b) < LEAST:
        return
    if b > FACTOR * a:
        yield "slower"
    elif a > FACTOR * b:
        yield "faster"


def _weight(change: Change) -> float:
    return abs((change.after.run.wall_seconds or 0) - (change.before.run.wall_seconds or 0))


def _told(row: Row) -> str:
    seconds = "" if row.run.wall_seconds is None else f" in {row.run.wall_seconds:.2f} s"
    clauses = "" if row.run.clauses is None else f", {row.run.clauses} clauses"
    return f"{row.run.status}{seconds}{clauses}"
