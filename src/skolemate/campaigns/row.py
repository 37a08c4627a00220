"""Rows of the store of results: a job, its result, and whether the result is right.

The columns of the store are the fields of these classes, in their order. The result of a run
(`status`) is kept apart from whether it is right (`category`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skolemate.errors import UserError, brief
from skolemate.formula.files import read_file

if TYPE_CHECKING:
    from skolemate.games.game import Game


# --- figures --------------------------------------------------------------------------------------
# Published figures in the notation of suites: `=826` must be met exactly, `<=25.0k` must not be
# exceeded, `~122k` may be rounded or truncated as printed, `~1591±0.2%` has a tolerance. A figure
# without a sign is shown beside ours but not compared, as times on another machine.


_FIGURE = re.compile(r"(=|<=|~)\s*(\d+(?:\.\d+)?)([kM]?)(?:±(\d+(?:\.\d+)?)%)?")
_SCALE = {"": Decimal(1), "k": Decimal(1000), "M": Decimal(1_000_000)}


def is_checked(figure: str) -> bool:
    """Whether a figure has a sign, so that ours is compared with it.

    >>> is_checked("~122k"), is_checked("0.11"), is_checked("TO")
    (True, False, False)
    """
    return figure.startswith(("=", "<=", "~"))


def shown(figure: str) -> str:
    """A figure as the paper prints it.

    >>> shown("<=25.0k"), shown("~1591±0.2%"), shown("TO")
    ('25.0k', '1591', 'TO')
    """
    return figure.lstrip("=<~ ").partition("±")[0] if is_checked(figure) else figure


def refuse_unreadable(figure: str) -> None:
    """Refuse a figure that has a sign but cannot be compared with."""
    if is_checked(figure):
        _parts(figure)


def agrees(figure: str, ours: float) -> bool:
    """Whether our number agrees with a figure.

    >>> agrees("~122k", 122_266), agrees("~122k", 123_000), agrees("<=25.0k", 25_040)
    (True, False, True)
    """
    sign, digits, suffix, percent = _parts(figure).groups()
    number = Decimal(digits) * _SCALE[suffix]
    unit = Decimal(1).scaleb(-len(digits.partition(".")[2])) * _SCALE[suffix]
    room = number * Decimal(percent) / 100 if percent else Decimal(0)
    value = Decimal(str(ours))
    if sign == "=":
        return abs(value - number) <= room
    least = number - unit / 2 - room if sign == "~" else Decimal(0)
    exact = sign == "<=" and not suffix
    return least <= value and (value <= number if exact else value < number + unit + room)


def _parts(figure: str) -> re.Match[str]:
    match = _FIGURE.fullmatch(figure.strip())
    if match is None:
        raise UserError(
            f"{brief(figure)} is not a figure to compare with; write =826, <=25k or ~122k"
        )
    return match


# --- rows -----------------------------------------------------------------------------------------


TASKS = ("solve", "settle", "size", "reduce", "formula")
SIZES = ("blocks", "universals", "existentials", "variables", "clauses", "literals", "gates")
VERDICTS = {"WIN": "win", "NO_WIN": "no win", "TRUE": "true", "FALSE": "false"}  # in words
ANSWERS = (*VERDICTS, "DONE")  # the statuses of answered jobs
CATEGORIES = ("wrong", "error", "right", "unchecked", "unknown")


@dataclass(frozen=True)
class Job:
    """A question, the means to answer it, and limits. `known` has published figures and answers.

    A game with a name is identified by it, a game in a file by the file's content: `game` is its
    name in the suite, relative to `folder` on this machine. The task `formula` has a file with a
    formula instead of a game, and neither player nor depth nor encoding.
    """

    suite: str
    number: int  # its place in the suite
    task: str
    game: str
    content: str | None  # the hash of a game's file: see `content_of`
    player: str
    depth: int | None
    method: str
    encoding: str | None
    pipeline: str | None
    symmetry: bool
    seconds: float
    memory: int
    known: Mapping[str, str] = field(default_factory=dict, hash=False)
    folder: str = field(default="", compare=False)  # no column: it differs between machines

    @cached_property
    def key(self) -> str:
        """A hash of question and means, independent of limits and suite."""
        asked = (self.task, *self.question, self.depth)
        means = (self.method, self.encoding, self.pipeline, self.symmetry)
        return hashlib.sha256(json.dumps([asked, means]).encode()).hexdigest()[:16]

    @property
    def question(self) -> tuple[str | None, str | None, str]:
        """Name or content of the game, and the player: rows with the same must not contradict."""
        return None if self.content else self.game, self.content, self.player

    def load(self) -> Game:
        """The game; raises an error if its file has changed since the job was planned."""
        from skolemate.loading import load

        if self.content is None:
            return load(self.game)
        self.refuse_change(content_of(self.game, self.folder))
        return load(str(Path(self.folder, self.game)))

    def content_read(self) -> bytes:
        """The content of the formula's file; raises an error as `load` does."""
        content = read_file(str(Path(self.folder, self.game)))
        self.refuse_change(hash_of(content))
        return content

    def refuse_change(self, content: str) -> None:
        if content != self.content:
            raise UserError(f"{brief(self.game, 200)} has changed since the campaign began")

    @cached_property
    def means(self) -> str:
        """The means, as a column's heading: `et · bloqqer+caqe`, `et, symmetry · caqe`."""
        encoding = f"{self.encoding}, symmetry" if self.symmetry else self.encoding
        return " · ".join(filter(None, (encoding, self.pipeline))) or self.method

    @property
    def decides(self) -> bool:
        """Whether it asks for an answer, not for sizes."""
        return self.task in ("solve", "settle", "formula")

    @property
    def programs(self) -> list[str]:
        """The preprocessors and solvers that it needs."""
        return self.pipeline.split("+") if self.pipeline else []

    def __str__(self) -> str:
        depth = "" if self.depth is None else f", d={self.depth}"
        player = f", {self.player}" if self.player == "white" else ""
        return f"{self.game}{player}{depth} [{self.means}]"


@dataclass(frozen=True)
class RunResult:
    """The result of a job. Times are in seconds; docs/campaigns.md says what they include."""

    status: str  # of VERDICTS, DONE (sizes counted), or the reason: time, memory, one_sided, …
    detail: str | None = None
    truth: bool | None = None  # of the formula, also if it proves nothing about the game
    critical_depth: int | None = None
    wall_seconds: float | None = None
    cpu_seconds: float | None = None
    peak_bytes: int | None = None
    encode_seconds: float | None = None
    blocks: int | None = None
    universals: int | None = None
    existentials: int | None = None
    variables: int | None = None
    clauses: int | None = None
    literals: int | None = None
    gates: int | None = None
    formula: str | None = None  # its hash

    @property
    def solved(self) -> bool:
        """Whether it ended by itself with an answer."""
        return self.status in ANSWERS or self.truth is not None


@dataclass(frozen=True)
class Row:
    """A job and its result, with versions, machine and time."""

    job: Job
    run: RunResult
    version: str
    programs: str  # the solvers and their versions
    machine: str
    finished: str  # date and time, UTC

    @cached_property
    def category(self) -> str:
        return categorise(self.run, self.job.known)

    @property
    def complaint(self) -> str:
        """Our result and the published one that it contradicts."""
        values = {n: getattr(self.run, n, None) for n in self.job.known if hasattr(self.run, n)}
        ours = [self.run.status, *(f"{name} {value}" for name, value in values.items())]
        known = (f"{name} {figure}" for name, figure in self.job.known.items())
        return f"{', '.join(ours)}; known is {', '.join(known)}"

    @property
    def spent(self) -> float:
        """Seconds; an unsolved job counts with its whole time limit, as in the papers."""
        return self.run.wall_seconds or 0.0 if self.run.solved else self.job.seconds

    def serves(self, job: Job) -> bool:
        """Whether this row also counts for a job with the same key and other limits."""
        if self.run.solved or self.run.status in ("unsupported", "error"):
            return True
        return self.job.seconds >= job.seconds and self.job.memory >= job.memory

    def values(self) -> tuple[Any, ...]:
        """The row as values for the store."""
        known = json.dumps(dict(self.job.known), sort_keys=True, ensure_ascii=False)
        job = (getattr(self.job, name) for name in _names(Job)[:-1])
        run = (getattr(self.run, name) for name in _names(RunResult))
        listed = (*job, known, self.job.key, *run)
        own = (self.category, self.version, self.programs, self.machine, self.finished)
        # SQLite has no truth values.
        return tuple(int(v) if isinstance(v, bool) else v for v in (*listed, *own))

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        own = ("category", "version", "programs", "machine", "finished")
        return (*_names(Job), "key", *_names(RunResult), *own)

    @classmethod
    def of(cls, values: Sequence[Any]) -> Row:
        """A row from values of the store."""
        asked, came = list(values[: len(_names(Job))]), list(values[len(_names(Job)) + 1 : -5])
        place, truth = _names(Job).index("symmetry"), _names(RunResult).index("truth")
        asked[place], asked[-1] = bool(asked[place]), json.loads(asked[-1])
        came[truth] = None if came[truth] is None else bool(came[truth])
        return cls(Job(*asked), RunResult(*came), *values[-4:])


@cache
def _names(kind: type[Job] | type[RunResult]) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.compare)


def file_beside(game: str, folder: str) -> str | None:
    """The file in a folder that a game's name means, without its arguments in parentheses."""
    for name in (game, game.partition("(")[0]):
        try:
            if name and Path(folder, name).is_file():
                return name
        except OSError:  # a name too long for any file: a game with many moves
            continue
    return None


def content_of(game: str, folder: str) -> str:
    """A hash of all texts that a game in a file is read from, and of the moves after its name.

    It is not a hash of the rules: in some encodings the same rules in another description give
    another formula.
    """
    from skolemate.formats import texts_of

    file = file_beside(game, folder)
    if file is None:
        raise UserError(f"there is no file {brief(game, 200)} in {brief(folder, 200)}")
    behind = game.removeprefix(file)
    texts = [*texts_of(str(Path(folder, file))), *([behind] if behind else [])]
    return hash_of("\0".join(texts).encode())


def hash_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def categorise(run: RunResult, known: Mapping[str, str]) -> str:
    """Whether a result is right; this is decided only here.

    `unchecked`: there is an answer, but nothing to compare it with.

    >>> categorise(RunResult("WIN"), {"verdict": "NO_WIN"}), categorise(RunResult("time"), {})
    ('wrong', 'unknown')
    """
    if run.status in ("error", "solver_error"):
        return "error"
    checks = [agrees(f, _ours(run, name)) for name, f in known.items() if _comparable(run, name, f)]
    verdict = known.get("verdict", known.get("engine"))
    if run.status in VERDICTS and verdict is not None:
        checks.append(run.status == verdict)
    if not all(checks):
        return "wrong"
    if run.status not in ANSWERS:
        return "unknown"
    return "right" if checks else "unchecked"


def _comparable(run: RunResult, name: str, figure: str) -> bool:
    if name in ("verdict", "engine") or not is_checked(figure):
        return False
    if not hasattr(run, name):
        raise UserError(f"a run has no {name!r} to compare with {figure}")
    return getattr(run, name) is not None


def _ours(run: RunResult, name: str) -> float:
    number: float = getattr(run, name)
    return number


def contradicting(rows: Iterable[Row]) -> list[tuple[Row, Row]]:
    """Pairs of rows that cannot both be right: a win, and no win at the same depth or deeper.

    Each such "no win" is named once, with the least depth of a win that contradicts it. So are
    formulas that are true and false.
    """
    wins: dict[tuple[str | None, str | None, str], tuple[int, Row]] = {}
    losses: list[tuple[int, Row]] = []
    for row in rows:
        depth = 0 if row.job.task == "formula" else row.job.depth
        if row.run.status in ("WIN", "TRUE"):
            depth = depth if row.run.critical_depth is None else row.run.critical_depth
            known = wins.get(row.job.question)
            if depth is not None and (known is None or depth < known[0]):
                wins[row.job.question] = depth, row
        elif row.run.status in ("NO_WIN", "FALSE"):
            losses.append((10**9 if depth is None else depth, row))
    return [
        (wins[row.job.question][1], row)
        for depth, row in losses
        if row.job.question in wins and wins[row.job.question][0] <= depth
    ]


def contradictions(rows: Iterable[Row]) -> list[str]:
    """The pairs of rows that cannot both be right, in words."""
    return [
        f"{yes.job} says {yes.run.status}, {no.job} says {no.run.status}"
        for yes, no in contradicting(rows)
    ]
