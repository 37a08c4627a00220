"""Suites: small TOML files with questions, methods to answer them, and published figures.

docs/campaigns.md describes the format. The package has a suite for every published experiment;
users write theirs in the same way.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Any

from skolemate.ask.how import How
from skolemate.campaigns.row import (
    TASKS,
    Job,
    RunResult,
    categorise,
    content_of,
    file_beside,
    hash_of,
    refuse_unreadable,
)
from skolemate.encodings import ENCODINGS
from skolemate.errors import UserError, brief, reason, suggestion
from skolemate.formats import SUFFIXES
from skolemate.formula.files import SUFFIXES as FORMULAS
from skolemate.formula.files import formula_files
from skolemate.games.family import built
from skolemate.games.game import Game, Player, Question
from skolemate.limits import size_of
from skolemate.loading import load
from skolemate.solvers import PROGRAMS, Pipeline

# --- entries of TOML tables -----------------------------------------------------------------------
# Each function checks the type of an entry; the error says what would be right.


KINDS = {object: "values", str: "texts", int: "whole numbers", list: "lists", dict: "tables"}


def refuse_unknown(table: Mapping[str, Any], known: Sequence[str], what: str) -> None:
    for key in table:
        if key not in known:
            raise UserError(f"{what} has no {brief(key)}: {suggestion(key, known)}")


def choice(word: str, choices: Any, kind: str) -> str:
    if word not in choices:
        raise UserError(f"unknown {kind} {brief(str(word))}: {suggestion(str(word), choices)}")
    return word


def text(table: Mapping[str, Any], key: str, default: str) -> str:
    value = table.get(key, default)
    if not isinstance(value, str):
        raise UserError(f"{key} must be a text, not {value!r}")
    return value


def flag(table: Mapping[str, Any], key: str, default: bool = False) -> bool:
    value = table.get(key, default)
    if not isinstance(value, bool):
        raise UserError(f"{key} must be true or false, not {value!r}")
    return value


def listed(table: Mapping[str, Any], key: str, kind: type = object) -> list[Any]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, kind) for item in value):
        raise UserError(f"{key} must be a list of {KINDS[kind]}")
    return value


def table(inside: Mapping[str, Any], key: str, kind: type = object) -> dict[str, Any]:
    value = inside.get(key, {})
    if not isinstance(value, dict) or not all(isinstance(item, kind) for item in value.values()):
        raise UserError(f"{key} must be a table of {KINDS[kind]}")
    return value


# --- published figures ----------------------------------------------------------------------------


SELECTORS = ("task", "game", "player", "depth", "method", "encoding", "pipeline", "symmetry")
TOTALS = ("wins", "no_wins", "solved", "unknown", "seconds", "mean_variables", "mean_clauses")


@dataclass(frozen=True)
class Total:
    """Published figures about many rows together, one line of a paper's table.

    They are compared only if there are as many rows as the paper had (`of`).
    """

    label: str
    where: Mapping[str, Any]
    of: int | None
    figures: Mapping[str, str]


def entries(tables: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Published figures, each with a selection of rows.

    An entry is one line of a table or, with `head` and `body`, a whole table: columns named after
    a field of the rows select rows, the others are figures.
    """
    for entry in tables:
        where = table(entry, "where")
        rest = {k: v for k, v in entry.items() if k not in ("where", "head", "body")}
        refuse_unknown(where, SELECTORS, "where")
        head = listed(entry, "head", str)
        for line in listed(entry, "body", list) or [[]]:
            if len(line) != len(head):
                raise UserError(f"{line} has {len(line)} entries, but its head has {len(head)}")
            named = {k: v for k, v in zip(head, line, strict=True) if v != ""}
            chosen = {key: value for key, value in named.items() if key in SELECTORS}
            figures = {key: value for key, value in named.items() if key not in SELECTORS}
            for key, figure in (rest | figures).items():
                if key != "label":
                    refuse_unreadable(str(figure))
            yield where | chosen, rest | figures


def selects(where: Mapping[str, Any], job: Job) -> bool:
    """Whether a selection contains a job; `*` in a game stands for any text."""
    return all(
        any(_matches(getattr(job, key), value) for value in _alternatives(wanted))
        for key, wanted in where.items()
    )


def _matches(ours: Any, wanted: Any) -> bool:
    if isinstance(wanted, str) and isinstance(ours, str):
        return fnmatchcase(ours, wanted)
    return bool(ours == wanted)


def with_published(job: Job, published: list[tuple[dict[str, Any], dict[str, Any]]]) -> Job:
    known = dict(job.known)
    for where, figures in published:
        if selects(where, job):
            known |= {key: str(value) for key, value in figures.items()}
    return replace(job, known=known)


def total_of(where: dict[str, Any], entry: dict[str, Any]) -> Total:
    figures = {key: str(value) for key, value in entry.items() if key not in ("label", "of")}
    refuse_unknown(figures, TOTALS, "a total")
    parts = ("game", "player", "encoding", "pipeline")
    selected = [" or ".join(map(str, _alternatives(where[key]))) for key in parts if key in where]
    return Total(text(entry, "label", ", ".join(selected)), where, entry.get("of"), figures)


def _alternatives(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


# --- suites ---------------------------------------------------------------------------------------


METHODS = ("qbf", "reference", "search")
TOP = (
    *("title", "source", "about", "seconds", "memory", "symmetry", "quick"),
    *("encodings", "pipelines", "pipelines_instead", "runs", "published", "totals"),
    *("scatter", "faster"),
)
SCALED = ("seconds", "memory", "encodings", "pipelines")  # what a suite may have in [quick]
BLOCK = (
    *("task", "games", "folder", "critical", "questions", "depths", "players", "methods"),
    *("encodings", "pipelines", "symmetry", "expect", "back", "group", "formulas", "quick"),
)
QUESTION = ("game", "depth", "player", "expect", "critical")
HORIZON = "horizon"
ELSEWHERE = "--files names the folder that has it"
FOLDER_SUITE = "title = {}\n[[runs]]\nformulas = '.'\n"
PLACE = re.compile(r"\{(\w+)\}")  # a placeholder in a game's name


@dataclass(frozen=True)
class Suite:
    """A suite and its jobs."""

    name: str
    title: str
    source: str
    about: str
    text: str
    quick: bool
    folder: Path  # where its files are
    jobs: tuple[Job, ...] = field(repr=False)
    groups: Mapping[str, str] = field(default_factory=dict)  # of jobs, by their keys
    totals: tuple[Total, ...] = ()
    idle: tuple[str, ...] = ()  # published figures about rows that the suite does not have
    left_out: tuple[str, ...] = ()  # folders of formulas that are not there
    scatter: tuple[tuple[str, str], ...] = ()
    faster: Mapping[str, str] = field(default_factory=dict)  # published, of the first pair


def shipped_suites() -> list[str]:
    """The names of the suites in the package."""
    folder = resources.files("skolemate.campaigns") / "suites"
    return sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if ".toml" in f.name)


def find_suite(
    name: str,
    quick: bool = False,
    files: str | None = None,
    pipelines: Sequence[str] = (),
) -> Suite:
    """A suite of the package, the one in a file, or a folder of formulas.

    `files` is a folder where the suite's files are, instead of the folder of the suite itself;
    `pipelines` are asked instead of the suite's own.
    """
    path = Path(name)
    if name in shipped_suites():
        source = resources.files("skolemate.campaigns") / "suites" / f"{name}.toml"
        text, folder = source.read_text(encoding="utf-8"), Path()
    elif path.suffix == ".toml":
        try:
            text, folder = path.read_text(encoding="utf-8"), path.parent
        except (OSError, ValueError) as error:
            why = reason(error) if isinstance(error, OSError) else "it is not a text file"
            raise UserError(f"cannot read {brief(name, 200)}: {why}") from None
    elif path.is_dir():
        if not pipelines:
            raise UserError(f"the formulas in {brief(name, 200)} need -p, as in -p depqbf,caqe")
        text, folder = FOLDER_SUITE.format(json.dumps(f"Formulas in {path.name}")), path
        if not formula_files(path):
            ends = ", ".join(FORMULAS)
            raise UserError(f"no file in {brief(name, 200)} ends in {ends} (also packed)")
    else:
        near = suggestion(name, shipped_suites())
        known = "or name a file that ends in .toml, or a folder of formulas"
        raise UserError(f"unknown suite {brief(name)}: {near}; {known}")
    if pipelines:  # the store keeps the suite as it was asked
        text = f"pipelines_instead = {json.dumps(list(pipelines))}\n{text}"
    place = folder if files is None else Path(files)
    if not place.is_dir():
        raise UserError(f"there is no folder {brief(str(place), 200)}")
    return parse_suite(path.absolute().stem, text, quick, place)


def parse_suite(name: str, text: str, quick: bool = False, folder: Path = Path()) -> Suite:
    """A suite from its text; `folder` is where its files are, `quick` scales it down."""
    load_game.cache_clear()  # a file may have changed since it was read last
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{name}.toml: {error}") from None
    try:
        return _SuiteReader(name, data, quick, folder).suite(text)
    except UserError as error:
        raise UserError(f"{name}.toml: {error}") from None


@dataclass
class _SuiteReader:
    """Reads one suite."""

    name: str
    data: dict[str, Any]
    quick: bool
    folder: Path
    left_out: list[str] = field(default_factory=list)

    def suite(self, written: str) -> Suite:
        refuse_unknown(self.data, TOP, "a suite")
        blocks = listed(self.data, "runs", dict)
        if not blocks:
            raise UserError("a suite needs at least one [[runs]]")
        jobs: dict[str, Job] = {}
        groups: dict[str, str] = {}
        for block in blocks:
            for job in self._jobs(block):
                before = jobs.get(job.key)
                if "group" in block:
                    groups[job.key] = text(block, "group", "")
                if before is None:
                    jobs[job.key] = replace(job, number=len(jobs))
                else:  # the same question twice, or two files with the same content
                    jobs[job.key] = replace(before, known=_merged(before, job))
        published = list(entries(listed(self.data, "published", dict)))
        jobs_known = [with_published(job, published) for job in jobs.values()]
        idle = [f"{w}: {f}" for w, f in published if not any(selects(w, job) for job in jobs_known)]
        for job in jobs_known:
            categorise(RunResult("DONE"), job.known)  # finds a wrong figure now, not later
        return Suite(
            name=self.name,
            title=text(self.data, "title", self.name),
            source=text(self.data, "source", ""),
            about=text(self.data, "about", "").strip(),
            text=written,
            quick=self.quick,
            folder=self.folder,
            jobs=tuple(jobs_known),
            groups=groups,
            idle=tuple(idle),
            left_out=tuple(self.left_out),
            totals=tuple(total_of(*entry) for entry in entries(listed(self.data, "totals", dict))),
            faster=table(self.data, "faster", str),
            scatter=tuple(_pair(entry) for entry in listed(self.data, "scatter", list)),
        )

    def _jobs(self, block: dict[str, Any]) -> Iterator[Job]:
        scaled = block.get("quick", {})
        if self.quick and scaled is False:
            return
        if not isinstance(scaled, dict | bool) or scaled is True:
            raise UserError("quick must be false, or a table with keys of [[runs]]")
        if self.quick and scaled:
            block = {**block, **scaled}
        used = set(PLACE.findall(" ".join(listed(block, "games", str))))
        refuse_unknown(block, (*BLOCK, *used), "[[runs]]")
        if "formulas" in block:
            yield from self._formulas(block)
            return
        tasks = [task for task in TASKS if task != "formula"]
        task = choice(text(block, "task", "solve"), tasks, "task")
        limits, symmetry = self._limits(), flag(block, "symmetry", flag(self.data, "symmetry"))
        for question in self._questions(block, used):
            for method in listed(block, "methods", str) or ["qbf"]:
                choice(method, METHODS, "method")
                for encoding, pipeline in self._means(task, method, block, question):
                    yield Job(
                        suite=self.name,
                        number=0,
                        task=task,
                        **question,
                        method=method,
                        encoding=encoding,
                        pipeline=pipeline,
                        symmetry=symmetry and method == "qbf",
                        **limits,
                    )

    def _formulas(self, block: dict[str, Any]) -> Iterator[Job]:
        """The jobs of a block with a folder of formulas; none if it is not there."""
        refuse_unknown(block, ("formulas", "pipelines", "expect", "group", "quick"), "formulas")
        folder = (self.folder / text(block, "formulas", "")).absolute()
        files = formula_files(folder)
        if not files:
            self.left_out.append(f"there are no formulas in {folder}; {ELSEWHERE}")
        expect = _expected(block)
        choice(expect.get("verdict", "TRUE"), ("TRUE", "FALSE"), "truth value")
        pipelines = self._pipelines("formula", block)
        for file in files:
            content = hash_of(file.read_bytes())
            for pipeline in pipelines:
                yield Job(
                    suite=self.name,
                    number=0,
                    task="formula",
                    game=str(file.relative_to(folder)),
                    content=content,
                    player="",
                    depth=None,
                    method="qbf",
                    encoding=None,
                    pipeline=pipeline,
                    symmetry=False,
                    known=expect,
                    folder=str(folder),
                    **self._limits(),
                )

    @cached_property
    def _shared(self) -> dict[str, Any]:
        """The entries of the suite that hold for all of its blocks."""
        scaled = table(self.data, "quick")
        refuse_unknown(scaled, SCALED, "[quick]")
        return {**self.data, **scaled} if self.quick else self.data

    def _limits(self) -> dict[str, Any]:
        seconds = self._shared.get("seconds", 60)
        if not isinstance(seconds, int | float) or not 0 < seconds < float("inf"):
            raise UserError(f"seconds must be a number above 0, not {seconds!r}")
        return {"seconds": float(seconds), "memory": size_of(str(self._shared.get("memory", "4G")))}

    def _means(
        self, task: str, method: str, block: dict[str, Any], asked: Mapping[str, Any]
    ) -> Iterator[tuple[str | None, str | None]]:
        """The pairs of encoding and pipeline for a question; unknown names are errors.

        The encodings of the suite are those of every block without its own, as far as they can
        state the question.
        """
        if method != "qbf":
            yield None, None
            return
        encodings = listed(block, "encodings", str)
        if not encodings:
            shared = listed(self._shared, "encodings", str)
            encodings = [name for name in shared if _states(name, asked)]
            if not shared:
                raise UserError("[[runs]] by formula needs encodings, as in encodings = ['cor+']")
        pipelines: Sequence[str | None] = [None] if task == "size" else self._pipelines(task, block)
        for encoding, pipeline in product(encodings, pipelines):
            _check_encoding(task, encoding)
            yield encoding, pipeline

    def _pipelines(self, task: str, block: dict[str, Any]) -> Sequence[str]:
        """The pipelines of a block: its own, the suite's, or those asked instead of both."""
        pipelines = listed(block, "pipelines", str) or listed(self._shared, "pipelines", str)
        if task != "reduce":
            pipelines = listed(self.data, "pipelines_instead", str) or pipelines
        if not pipelines:
            raise UserError("[[runs]] needs pipelines, as in pipelines = ['bloqqer+caqe']")
        for pipeline in pipelines:
            _check_pipeline(task, pipeline)
        return pipelines

    def _questions(self, block: dict[str, Any], used: set[str]) -> Iterator[dict[str, Any]]:
        """Game, content, player, depth and known figures of the questions of a block."""
        expect = _expected(block)
        for game, depth in table(block, "critical", int).items():
            if depth > 1:
                yield self._question(game, depth - 2, known={"verdict": "NO_WIN"})
            yield self._question(game, depth, known={"verdict": "WIN"})
        for entry in listed(block, "questions", dict):
            yield self._single(entry, expect)
        names = [*_games(block, used), *self._files(block)]
        if "back" in block:
            for name, plies in product(names, listed(block, "back", int)):
                for depth in (plies, plies + 2):
                    yield self._question(_rolled_back(name, plies), depth, known=expect)
            return
        depths = block.get("depths", [None])
        for name, player in product(names, listed(block, "players", str) or ["black"]):
            for depth in depths if isinstance(depths, list) else [depths]:
                yield self._question(name, depth, player, expect)

    def _single(self, entry: dict[str, Any], expect: Mapping[str, str]) -> dict[str, Any]:
        """A single question, given by its own table."""
        refuse_unknown(entry, QUESTION, "a question")
        if "game" not in entry:
            raise UserError("a question needs a game")
        known = {**expect, **_expected(entry)}
        if "critical" in entry:
            known["critical_depth"] = f"={entry['critical']}"
            refuse_unreadable(known["critical_depth"])
        player = entry.get("player", "black")
        return self._question(text(entry, "game", ""), entry.get("depth"), player, known)

    def _question(
        self, name: str, depth: Any, player: str = "black", known: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        game, content, folder = load_game(name, str(self.folder.absolute()))
        if content is None:
            name = str(game)  # one name for each game
        if depth == HORIZON:
            depth = game.horizon
        if depth is None:
            depth = game.remaining_depth
        if depth is not None and (not isinstance(depth, int) or depth < 0):
            raise UserError(f"a depth is a number of plies or {HORIZON!r}, not {depth!r}")
        known = dict(known or {})
        choice(known.get("verdict", "WIN"), ("WIN", "NO_WIN"), "answer")
        choice(player, [p.value for p in Player], "player")
        asked = {"game": name, "content": content, "player": player, "depth": depth}
        return {**asked, "known": known, "folder": folder}

    def _files(self, block: dict[str, Any]) -> list[str]:
        """The games in the folder of a block, if it names one."""
        if "folder" not in block:
            return []
        folder = self.folder / text(block, "folder", ".")
        files = sorted(p for p in folder.glob("*") if p.suffix in SUFFIXES and p.stem != "domain")
        if not files:
            if self.name not in shipped_suites():
                raise UserError(f"there are no games in the folder {brief(str(folder), 200)}")
            self.left_out.append(f"there are no games in {folder.absolute()}; {ELSEWHERE}")
        return [str(Path(text(block, "folder", "."), path.name)) for path in files]


def _expected(entry: Mapping[str, Any]) -> dict[str, str]:
    """The known answer that a block or a question names, as figures of a row."""
    return {"verdict": entry["expect"]} if "expect" in entry else {}


def _games(block: dict[str, Any], used: set[str]) -> Iterator[str]:
    """The names of a block's games, with every value for the placeholders."""
    for key in used:
        if key not in block:
            raise UserError(f"games have {{{key}}}: give its values, as in {key} = [3, 4]")
    for template in listed(block, "games", str):
        for values in product(*(listed(block, key) for key in sorted(used))):
            yield _filled(template, dict(zip(sorted(used), values, strict=True)))


def _filled(template: str, values: Mapping[str, Any]) -> str:
    """
    >>> _filled("harary(shape={shape}, torus={torus})", {"shape": "el", "torus": True})
    'harary(shape=el, torus=true)'
    """
    return PLACE.sub(lambda place: _word(values[place[1]]), template)


def _pair(entry: list[Any]) -> tuple[str, str]:
    if len(entry) != 2 or not all(isinstance(name, str) for name in entry):
        raise UserError(f"scatter takes pairs of encodings, as in [['en', 'et']], not {entry}")
    return entry[0], entry[1]


def _rolled_back(name: str, plies: int) -> str:
    """A game without its last moves.

    >>> _rolled_back("hex(size=3, moves=a1 b2 c3)", 2)
    'hex(size=3, moves=a1)'
    """
    if plies < 1:
        raise UserError(f"back must be numbers from 1 up, not {plies}")
    before, given, moves = name.partition("moves=")
    words = moves.rstrip(")").split()
    if not given or len(words) <= plies:
        raise UserError(f"{brief(name)} has no {plies} moves to take back")
    return f"{before}{given}{' '.join(words[:-plies])})"


@lru_cache(maxsize=4096)
def load_game(name: str, folder: str) -> tuple[Game, str | None, str]:
    """A game; if it is a file, also its content, and the folder in which it was found.

    Files are searched for in the suite's `folder`, then in the working directory.
    """
    if built(name) is None:  # a registered name comes before any file
        for place in (folder, str(Path().absolute())):
            if file_beside(name, place) is not None:
                return load(str(Path(place, name))), content_of(name, place), place
    return load(name), None, ""


def _states(encoding: str, asked: Mapping[str, Any]) -> bool:
    """Whether an encoding can state a question."""
    game = load_game(asked["game"], asked["folder"])[0]
    question = Question(game, Player(asked["player"]), asked["depth"] or 0)
    return ENCODINGS[encoding].refusal(question.normalised()) is None


def _check_encoding(task: str, encoding: str) -> None:
    if How.parse(encoding=encoding).in_turn and task != "settle":
        raise UserError(f"two encodings, as in {brief(encoding)}, are for the task settle")


def _check_pipeline(task: str, pipeline: str) -> None:
    if task != "reduce":
        Pipeline.parse(pipeline)
    elif not all(PROGRAMS[name].preprocesses for name in pipeline.split("+")):
        raise UserError(f"the task reduce needs a preprocessor, and {pipeline} is a solver")


def _merged(first: Job, second: Job) -> dict[str, str]:
    """The known figures of two entries for the same job."""
    for name, figure in second.known.items():
        if first.known.get(name, figure) != figure:
            raise UserError(f"{first}: {name} is given as {first.known[name]} and as {figure}")
    return {**first.known, **second.known}


def _word(value: Any) -> str:
    """A TOML value as text in a game's name, where true is `true`."""
    return str(value).lower() if isinstance(value, bool) else str(value)
