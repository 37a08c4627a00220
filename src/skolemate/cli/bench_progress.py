"""What `bench run` tells while it runs: how far it is, how long it will take, what is wrong."""

from __future__ import annotations

import sys
import time
from collections import Counter, deque
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING

from skolemate.output import amount, shorten

if TYPE_CHECKING:
    from rich.progress import Progress

    from skolemate.campaigns.row import Row
    from skolemate.campaigns.runner import Campaign

__all__ = ["Display"]

RECENT = 50  # rows from whose times the next ones' are guessed
INTERVAL = 10.0  # seconds between two lines where there is no terminal


class Display:
    """A bar on a terminal, a line now and then elsewhere; wrong answers at once and in full."""

    def __init__(self, campaign: Campaign, slots: int) -> None:
        self.campaign, self.slots = campaign, slots
        self.counts: Counter[str] = Counter()
        self._told = 0  # of what is wrong
        self._begun = self._last = time.monotonic()
        self._recent: deque[float] = deque([self._begun], RECENT)
        self._stack = ExitStack()
        self._bar: Progress | None = None

    def __enter__(self) -> Display:
        campaign = self.campaign
        begin = f"{amount(len(campaign.pending), 'run')} to do"
        if campaign.kept:
            begin += f", {amount(campaign.kept, 'row')} there already"
        print(f"{begin}.", file=sys.stderr)
        if campaign.failed:
            failed = amount(campaign.failed, "row")
            print(f"{failed} failed before: --retry asks again.", file=sys.stderr)
        for program, rows in sorted(campaign.missing.items()):
            print(f"Left out, {amount(rows, 'row')}: {program} is not installed.", file=sys.stderr)
        if campaign.missing:
            print("How to get what is missing: skolemate solvers", file=sys.stderr)
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn

            columns = (BarColumn(), TextColumn("{task.completed}/{task.total}  {task.description}"))
            bar = Progress(*columns, console=Console(stderr=True), auto_refresh=False)
            self._bar = self._stack.enter_context(bar)
            self._bar.add_task("", total=len(campaign.pending))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def tell(self, row: Row) -> None:
        now = time.monotonic()
        self.counts[row.category] += 1
        self._recent.append(now)
        for words in self.campaign.wrong[self._told :]:
            self._shout(words)
        self._told = len(self.campaign.wrong)
        done = self.counts.total()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, description=self._left(done))
            self._bar.refresh()
        elif now - self._last > INTERVAL or done == len(self.campaign.pending):
            self._last = now
            total = len(self.campaign.pending)
            told = shorten(str(row.job), 120)
            print(f"{done}/{total}, {self._left(done)}: {told}", file=sys.stderr, flush=True)

    def _left(self, done: int) -> str:
        """Rows get harder: the recent ones say more than all, and the limits bound the rest."""
        left = self.campaign.pending[done:]
        if not left:
            return f"done in {_clock(self._recent[-1] - self._begun)}"
        each = (self._recent[-1] - self._recent[0]) / max(1, len(self._recent) - 1)
        most = sum(job.seconds for job in left) / self.slots
        return f"about {_clock(min(each * len(left), most))} left, at most {_clock(most)}"

    def _shout(self, words: str) -> None:
        print(f"WRONG ANSWER: {words}", file=sys.stderr, flush=True)

    def summary(self, store: str) -> None:
        """All new rows in a line, and what is wrong once more."""
        told = ", ".join(f"{n} {category}" for category, n in sorted(self.counts.items()))
        print(f"{told or 'Nothing new'}; the rows are in {store}.", file=sys.stderr)
        for words in self.campaign.wrong:
            self._shout(words)


def _clock(seconds: float) -> str:
    """
    >>> _clock(59), _clock(90), _clock(7000)
    ('59 s', '2 min', '1 h 57 min')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
