"""Suites: small TOML files that say what is asked, by which means, and what is known about it.

Their form is described in docs/campaigns.md. The package has one for every published experiment;
users write theirs in the same way.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

from skolemate.campaigns.row import TASKS, Job, categorise
from skolemate.campaigns.row import Run as _Run
from skolemate.errors import UserError, brief, suggestion
from skolemate.formats import SUFFIXES
from skolemate.games.game import Game, Player
from skolemate.limits import size_of
from skolemate.load import load

__all__ = ["Suite", "Total", "find_suite", "parse_suite", "selects", "shipped_suites"]

METHODS = ("qbf", "reference", "search")
TOP = (
    *("title", "source", "about", "seconds", "memory", "quick"),
    *("runs", "published", "totals", "scatter"),
)
BLOCK = (
    *("task", "games", "folder", "critical", "questions", "depths", "players", "methods"),
    *("encodings", "pipelines", "symmetry", "expect", "back", "quick"),
)
QUESTION = ("game", "depth", "player", "expect", "critical")
SELECTORS = ("task", "game", "player", "depth", "method", "encoding", "pipeline", "symmetry")
TOTALS = ("wins", "no_wins", "solved", "unknown", "seconds", "mean_variables", "mean_clauses")
HORIZON = "horizon"


@dataclass(frozen=True)
class Total:
    """Published figures about many rows at once, as a line of the paper's table has them.

    They are compared only where as many rows are there as the paper had (`of`).
    """

    label: str
    where: Mapping[str, Any]
    of: int | None
    figures: Mapping[str, str]


@dataclass(frozen=True)
class Suite:
    """A suite as it was read; `jobs` says what is to be done."""

    name: str
    title: str
    source: str
    about: str
    text: str
    quick: bool
    jobs: tuple[Job, ...] = field(repr=False)
    totals: tuple[Total, ...] = ()
    idle: tuple[str, ...] = ()  # published figures about rows that the suite does not have
    scatter: tuple[tuple[str, str], ...] = ()


def shipped_suites() -> list[str]:
    """The names of the suites in the package."""
    folder = files("skolemate.campaigns") / "suites"
    return sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if ".toml" in f.name)


def find_suite(name: str, quick: bool = False) -> Suite:
    """A suite of the package, or the one in a file."""
    if name in shipped_suites():
        source = files("skolemate.campaigns") / "suites" / f"{name}.toml"
        return parse_suite(name, source.read_text(encoding="utf-8"), quick)
    path = Path(name)
    if path.suffix != ".toml":
        near = suggestion(name, shipped_suites())
        raise UserError(f"unknown suite {brief(name)}: {near}; or name a file that ends in .toml")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise UserError(f"cannot read {brief(name, 200)}: {reason}") from None
    return parse_suite(path.stem, text, quick, path.parent)


def parse_suite(name: str, text: str, quick: bool = False, folder: Path = Path()) -> Suite:
    """A suite from its text; `folder` is where its files are, `quick` scales it down."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{name}.toml: {error}") from None
    try:
        return _Reader(name, data, quick, folder).suite(text)
    except UserError as error:
        raise UserError(f"{name}.toml: {error}") from None


@dataclass
class _Reader:
    """One suite while it is read."""

    name: str
    data: dict[str, Any]
    quick: bool
    folder: Path

    def suite(self, text: str) -> Suite:
        _refuse_unknown(self.data, TOP, "a suite")
        blocks = _list(self.data, "runs", dict)
        if not blocks:
            raise UserError("a suite has at least one [[runs]]")
        jobs: dict[str, Job] = {}
        for block in blocks:
            for job in self._jobs(block):
                before = jobs.get(job.key)
                known = job.known if before is None else _merged(before, job)
                number = len(jobs) if before is None else before.number
                jobs[job.key] = replace(job, number=number, known=known)
        published = list(_entries(_list(self.data, "published", dict)))
        listed = [_with_published(job, published) for job in jobs.values()]
        idle = [f"{w}: {f}" for w, f in published if not any(selects(w, job) for job in listed)]
        for job in listed:
            categorise(_Run("DONE"), job.known)  # a figure about nothing is better seen now
        return Suite(
            name=self.name,
            title=_text(self.data, "title", self.name),
            source=_text(self.data, "source", ""),
            about=_text(self.data, "about", "").strip(),
            text=text,
            quick=self.quick,
            jobs=tuple(listed),
            idle=tuple(idle),
            totals=tuple(_total(*entry) for entry in _entries(_list(self.data, "totals", dict))),
            scatter=tuple((x, y) for x, y in _list(self.data, "scatter", list)),
        )

    def _jobs(self, block: dict[str, Any]) -> Iterator[Job]:
        scaled = block.get("quick", {})
        if self.quick and scaled is False:
            return
        if self.quick and isinstance(scaled, dict):
            block = {**block, **scaled}
        used = set(re.findall(r"\{(\w+)\}", " ".join(_list(block, "games", str))))
        _refuse_unknown(block, (*BLOCK, *used), "[[runs]]")
        task = _choice(_text(block, "task", "solve"), TASKS, "task")
        limits = self._limits()
        for question in self._questions(block, used):
            for method in _list(block, "methods", str) or ["qbf"]:
                _choice(method, METHODS, "method")
                for encoding, pipeline in _means(task, method, block):
                    yield Job(
                        suite=self.name,
                        number=0,
                        task=task,
                        **question,
                        method=method,
                        encoding=encoding,
                        pipeline=pipeline,
                        symmetry=bool(block.get("symmetry", True)) and method == "qbf",
                        **limits,
                    )

    def _limits(self) -> dict[str, Any]:
        chosen = {"seconds": 60, "memory": "4G"} | {
            key: self.data[key] for key in ("seconds", "memory") if key in self.data
        }
        scaled = self.data.get("quick", {})
        if not isinstance(scaled, dict) or not set(scaled) <= {"seconds", "memory"}:
            raise UserError("[quick] may have seconds and memory")
        if self.quick:
            chosen |= scaled
        seconds = chosen["seconds"]
        if not isinstance(seconds, int | float) or not 0 < seconds < float("inf"):
            raise UserError(f"seconds is a number above 0, not {seconds!r}")
        return {"seconds": float(seconds), "memory": size_of(str(chosen["memory"]))}

    def _questions(self, block: dict[str, Any], used: set[str]) -> Iterator[dict[str, Any]]:
        """Game, content, player, depth and what is known of the questions of a block."""
        expect = {"verdict": block["expect"]} if "expect" in block else {}
        for game, depth in block.get("critical", {}).items():
            yield self._question(game, depth - 2, known={"verdict": "NO_WIN"})
            yield self._question(game, depth, known={"verdict": "WIN"})
        for entry in _list(block, "questions", dict):
            _refuse_unknown(entry, QUESTION, "a question")
            known = dict(expect)
            if "expect" in entry:
                known["verdict"] = entry["expect"]
            if "critical" in entry:
                known["critical_depth"] = f"={entry['critical']}"
            player = entry.get("player", "black")
            yield self._question(entry["game"], entry.get("depth"), player, known)
        names = [
            template.format(**dict(zip(sorted(used), _words(values), strict=True)))
            for template in _list(block, "games", str)
            for values in product(*(_list(block, key) for key in sorted(used)))
        ]
        if "folder" in block:
            names += self._files(_text(block, "folder", "."))
        for name, plies in product(names if "back" in block else [], _list(block, "back", int)):
            for depth in (plies, plies + 2):
                yield self._question(_rolled_back(name, plies), depth, known=expect)
        if "back" in block:
            return
        depths = block.get("depths", [None])
        for name, player in product(names, _list(block, "players", str) or ["black"]):
            for depth in depths if isinstance(depths, list) else [depths]:
                yield self._question(name, depth, player, expect)

    def _question(
        self, name: str, depth: Any, player: str = "black", known: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        game, name, content = _load(name, str(self.folder))
        if depth == HORIZON:
            depth = game.horizon
        if depth is None:
            depth = game.depth
        if depth is not None and (not isinstance(depth, int) or depth < 0):
            raise UserError(f"a depth is a number of plies or {HORIZON!r}, not {depth!r}")
        known = dict(known or {})
        _choice(known.get("verdict", "WIN"), ("WIN", "NO_WIN"), "answer")
        _choice(player, [p.value for p in Player], "player")
        return {"game": name, "content": content, "player": player, "depth": depth, "known": known}

    def _files(self, inside: str) -> list[str]:
        folder = self.folder / inside
        found = sorted(p for p in folder.glob("*") if p.suffix in SUFFIXES and p.stem != "domain")
        if not found:
            raise UserError(f"there are no games in the folder {brief(str(folder), 200)}")
        return [str(path) for path in found]


def _rolled_back(name: str, plies: int) -> str:
    """A game without its last moves.

    >>> _rolled_back("hex(size=3, moves=a1 b2 c3)", 2)
    'hex(size=3, moves=a1)'
    """
    before, given, moves = name.partition("moves=")
    words = moves.rstrip(")").split()
    if not given or len(words) <= plies:
        raise UserError(f"{brief(name)} has no {plies} moves to take back")
    return f"{before}{given}{' '.join(words[:-plies])})"


@lru_cache(maxsize=4096)
def _load(name: str, folder: str) -> tuple[Game, str, str | None]:
    """A game, its name and, if that is a file, the hash of it."""
    path = next((p for p in (Path(name), Path(folder, name)) if _is_file(p)), None)
    if path is None:
        game = load(name)
        return game, str(game), None  # one name for each game
    return load(str(path)), str(path), hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name too long for any file: a game with many moves
        return False


def _means(
    task: str, method: str, block: dict[str, Any]
) -> Iterator[tuple[str | None, str | None]]:
    """Encodings and pipelines; names that do not exist are refused here."""
    from skolemate.encodings import ENCODINGS
    from skolemate.solvers import PROGRAMS

    if method != "qbf":
        yield None, None
        return
    encodings = _list(block, "encodings", str)
    if not encodings:
        raise UserError("[[runs]] by formula needs encodings, as in encodings = ['cor+']")
    pipelines: Sequence[str | None] = _list(block, "pipelines", str)
    if task == "size":
        pipelines = [None]
    elif not pipelines:
        raise UserError("[[runs]] needs pipelines, as in pipelines = ['bloqqer+caqe']")
    for encoding, pipeline in product(encodings, pipelines):
        for name in encoding.split("/"):
            _ = ENCODINGS[name]
        programs = [PROGRAMS[name] for name in (pipeline or "").split("+") if name]
        if task == "reduce" and not all(program.preprocesses for program in programs):
            raise UserError(f"to reduce is for preprocessors, which {pipeline} is not")
        yield encoding, pipeline


def _merged(first: Job, second: Job) -> dict[str, str]:
    """What two mentions of one job know."""
    for name, figure in second.known.items():
        if first.known.get(name, figure) != figure:
            raise UserError(f"{first}: {name} is given as {first.known[name]} and as {figure}")
    return {**first.known, **second.known}


def _entries(listed: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Published figures, each with the rows that they are about.

    An entry is one line of a table or, with `head` and `body`, a whole one: columns that name a
    field of the rows select, the others are figures.
    """
    for entry in listed:
        where = dict(entry.get("where", {}))
        rest = {k: v for k, v in entry.items() if k not in ("where", "head", "body")}
        _refuse_unknown(where, SELECTORS, "where")
        head = _list(entry, "head", str)
        for line in _list(entry, "body", list) or [[]]:
            if len(line) != len(head):
                raise UserError(f"{line} has {len(line)} entries, but its head has {len(head)}")
            named = {k: v for k, v in zip(head, line, strict=True) if v != ""}
            chosen = {key: value for key, value in named.items() if key in SELECTORS}
            figures = {key: value for key, value in named.items() if key not in SELECTORS}
            yield where | chosen, rest | figures


def selects(where: Mapping[str, Any], job: Job) -> bool:
    """Whether a job is among those that are meant; `*` in a game stands for anything."""
    return all(
        any(_matches(getattr(job, key), value) for value in _alternatives(wanted))
        for key, wanted in where.items()
    )


def _matches(ours: Any, wanted: Any) -> bool:
    if isinstance(wanted, str) and isinstance(ours, str):
        return fnmatchcase(ours, wanted)
    return bool(ours == wanted)


def _with_published(job: Job, published: list[tuple[dict[str, Any], dict[str, Any]]]) -> Job:
    known = dict(job.known)
    for where, figures in published:
        if selects(where, job):
            known |= {key: str(value) for key, value in figures.items()}
    return replace(job, known=known)


def _total(where: dict[str, Any], entry: dict[str, Any]) -> Total:
    figures = {key: str(value) for key, value in entry.items() if key not in ("label", "of")}
    _refuse_unknown(figures, TOTALS, "a total")
    parts = ("game", "player", "encoding", "pipeline")
    said = [" or ".join(map(str, _alternatives(where[key]))) for key in parts if key in where]
    return Total(_text(entry, "label", ", ".join(said)), where, entry.get("of"), figures)


def _alternatives(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


def _words(values: Sequence[Any]) -> list[str]:
    """TOML's true is `true` in a game string, too."""
    return [str(v).lower() if isinstance(v, bool) else str(v) for v in values]


def _refuse_unknown(table: Mapping[str, Any], known: Sequence[str], what: str) -> None:
    for key in table:
        if key not in known:
            raise UserError(f"{what} has no {brief(key)}: {suggestion(key, known)}")


def _choice(word: str, choices: Any, kind: str) -> str:
    if word not in choices:
        raise UserError(f"unknown {kind} {brief(str(word))}: {suggestion(str(word), choices)}")
    return word


def _text(table: Mapping[str, Any], key: str, default: str) -> str:
    value = table.get(key, default)
    if not isinstance(value, str):
        raise UserError(f"{key} is a text, not {value!r}")
    return value


def _list(table: Mapping[str, Any], key: str, kind: type = object) -> list[Any]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, kind) for item in value):
        raise UserError(f"{key} is a list of {kind.__name__ if kind is not object else 'values'}")
    return value
