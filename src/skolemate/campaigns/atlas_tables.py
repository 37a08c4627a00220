"""The atlas in tables: results in short, counts by section, shapes with their smallest boards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

from skolemate.campaigns.atlas import KINDS, SECTIONS, Entry, Finding, entries, shape_game
from skolemate.games.goals import polyominoes

Known = Mapping[Entry, Finding]
SHAPES = [shape for cells in range(1, 7) for shape in polyominoes(cells)]


def short(finding: Finding | None) -> str:
    """Plies of a win, – for none, and what is known where the proof is missing, with a ?.

    >>> short(Finding("sim", "sim(n=6)", "white", "WIN", depth=15, refuted=14))
    '15?'
    """
    if finding is None:
        return ""
    if finding.verdict == "UNKNOWN":
        return "?" if finding.refuted is None else f"?>{finding.refuted}"
    told = f"{'' if finding.exact else '≤'}{finding.depth}" if finding.verdict == "WIN" else "–"
    return told if finding.proof is not None else f"{told}?"


# --- counts ---------------------------------------------------------------------------------------


class Counts(NamedTuple):
    """How much of a section is there; a file that proves two entries is counted once."""

    section: str
    entries: int
    proved: int
    wins: int
    no_wins: int
    open: int
    files: int
    cpu_seconds: float


def counts(findings: Known) -> Iterator[Counts]:
    """A line for each section, and one for all together."""
    for section, asked in [*((name, entries([name])) for name in SECTIONS), ("all", entries())]:
        there = [findings[entry] for entry in asked if entry in findings]
        proved = [finding for finding in there if finding.proof is not None]
        wins = sum(finding.verdict == "WIN" for finding in proved)
        files = len({proof for finding in proved for proof in finding.proofs})
        cpu = sum(finding.cpu_seconds for finding in there)
        numbers = (len(asked), len(proved), wins, len(proved) - wins, len(asked) - len(proved))
        yield Counts(section, *numbers, files, cpu)


# --- the least boards -----------------------------------------------------------------------------


class Boards(NamedTuple):
    """What is proved about a shape by the side of a square board: wins, no wins, open ones."""

    wins: dict[int, Finding]
    losses: dict[int, Finding]
    open: dict[int, Finding]

    @property
    def least_win(self) -> Finding | None:
        return self.wins[min(self.wins)] if self.wins else None

    @property
    def largest_loss(self) -> Finding | None:
        return self.losses[max(self.losses)] if self.losses else None

    @property
    def least(self) -> str:
        """The least board with a win and its plies; an open one below it is named."""
        if not self.wins:
            return ""
        side, win = min(self.wins.items())
        below = [self._open(other) for other in self.open if other < side]
        how = "in" if win.sooner else "within"
        return ", ".join((f"{side}x{side} {how} {win.depth}", *below))

    @property
    def largest_without(self) -> str:
        """The largest board without a win; the open ones are named if there is no win."""
        largest = [f"{max(self.losses)}x{max(self.losses)}"] if self.losses else []
        opened = [] if self.wins else map(self._open, self.open)
        return ", ".join((*largest, *opened))

    def _open(self, side: int) -> str:
        finding = self.open[side]
        known = finding.verdict != "UNKNOWN"
        return f"{side}x{side} {'without proof' if known else f'open beyond {finding.refuted}'}"


def boards(findings: Known, shape: object, torus: bool, weak: bool) -> Boards | None:
    """What is proved about a shape; None if nothing was asked."""
    sides = {
        side: finding
        for side in range(3, 8)
        for section in (f"{side}x{side}", "hexominoes")
        if (finding := findings.get(Entry(section, shape_game(shape, side, torus, weak))))
    }
    proved = {side: finding for side, finding in sides.items() if finding.proof is not None}
    wins = {side: finding for side, finding in proved.items() if finding.verdict == "WIN"}
    losses = {side: finding for side, finding in proved.items() if side not in wins}
    opened = {side: finding for side, finding in sides.items() if side not in proved}
    return Boards(wins, losses, opened) if sides else None


def least_boards(findings: Known) -> Iterator[tuple[str, ...]]:
    """For every shape, kind of board and kind of game: the least board with a win, and the largest
    that is proved to have none."""
    for shape, (torus, weak) in product(SHAPES, KINDS):
        known = boards(findings, shape, torus, weak)
        if known is not None:
            kind = ("torus" if torus else "board", "weak" if weak else "strong")
            yield str(shape), *kind, known.least, known.largest_without


def kind_name(torus: bool, weak: bool) -> str:
    """
    >>> kind_name(torus=False, weak=True)
    'weak, board'
    """
    return f"{'weak' if weak else 'strong'}, {'torus' if torus else 'board'}"
