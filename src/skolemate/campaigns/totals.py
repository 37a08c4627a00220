"""Totals: figures about many rows, compared with a line of a table in a paper."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from skolemate.campaigns.row import VERDICTS, Row, agrees, is_checked, shown
from skolemate.campaigns.suite import Suite, Total, selects


@dataclass(frozen=True)
class Counted:
    """A published total beside ours."""

    total: Total
    rows: int
    ours: dict[str, float]

    @property
    def complete(self) -> bool:
        return self.total.of in (None, self.rows)

    @property
    def wrong(self) -> list[str]:
        """The figures that contradict each other; none while rows are missing."""
        compared = self.total.figures.items() if self.complete else ()
        return [
            name
            for name, figure in compared
            if name in self.ours and is_checked(figure) and not _agrees(name, figure, self.ours)
        ]


def counted(suite: Suite, rows: Sequence[Row]) -> list[Counted]:
    """The totals of a suite, counted over the rows that exist."""
    chosen = ((t, [row for row in rows if selects(t.where, row.job)]) for t in suite.totals)
    return [Counted(total, len(some), _count(some)) for total, some in chosen if some]


def wrong_totals(suite: Suite, rows: Sequence[Row]) -> list[str]:
    """The totals that contradict what was published, in words."""
    return [
        f"{suite.name}, {count.total.label}: {name} {count.ours[name]:g}, "
        f"published {shown(count.total.figures[name])}"
        for count in counted(suite, rows)
        for name in count.wrong
    ]


def _agrees(name: str, figure: str, ours: dict[str, float]) -> bool:
    """Whether a figure agrees with ours; unsolved rows may still turn out either way."""
    open_ends = int(ours["unknown"]) if name in ("wins", "no_wins", "solved") else 0
    return any(agrees(figure, ours[name] + more) for more in range(open_ends + 1))


def _count(rows: Sequence[Row]) -> dict[str, float]:
    statuses = [row.run.status for row in rows]
    wins, no_wins = statuses.count("WIN"), statuses.count("NO_WIN")
    count: dict[str, float] = {
        "wins": wins,
        "no_wins": no_wins,
        "solved": (solved := sum(status in VERDICTS for status in statuses)),
        "unknown": len(rows) - solved,
        "seconds": sum(row.spent for row in rows),
    }
    for name in ("variables", "clauses"):
        sizes = [size for row in rows if (size := getattr(row.run, name)) is not None]
        if sizes:
            count[f"mean_{name}"] = fmean(sizes)
    return count
