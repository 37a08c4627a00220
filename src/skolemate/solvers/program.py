"""Solvers and preprocessors as descriptions: where they are, how they are called, what they print.

One preprocessor, `simplify`, is a module of Skolemate and runs inside it. Every other program is a
process of its own. It is searched for where the user says (an option, the environment variable
`SKOLEMATE_<NAME>`, the configuration file), then in the package `pyqbf`, then on the PATH.
Options that the user writes after its path are given to it with every formula.

In the same three places the user can name a program of their own. An option sets the environment
variable, so that every process that Skolemate starts knows the program, too.
"""

import json
import os
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from skolemate.errors import UserError, brief, suggestion
from skolemate.limits import Budget, Limit
from skolemate.registry import Registry
from skolemate.solvers.process import run

# --- output of programs ---------------------------------------------------------------------------
# Answers: `s cnf 1`, `SAT`, `c Satisfiable`, `TRUE` and their opposites; several must agree.
# Assignments of the outermost block: lines `V 1 -2 0` (or `V  +1 -2`, `v 1 -2 0`), a bare row of
# literals, or Qubi's `Example: 1=true 2=false`.


_STATEMENTS = re.compile(
    r"^(?:s cnf ([01])\b.*|(?:[sr] |Result: )?(SAT|UNSAT|TRUE|FALSE)"
    r"|c (Satisfiable|Unsatisfiable))\s*$",
    re.MULTILINE,
)
_TRUE = {"1", "SAT", "TRUE", "Satisfiable"}
_ROW = re.compile(r"^(?:[Vv]\s+)?([+-]?[0-9]{1,9}(?:\s+[+-]?[0-9]{1,9})*)\s*$", re.MULTILINE)
_EXAMPLE = re.compile(r"^Example: (.*)$", re.MULTILINE)
_VALUE = re.compile(r"(?<!\S)([0-9]{1,9})=(true|false)(?!\S)")


def read_answer(text: str, alone: bool = False, lines: Sequence[str] = ()) -> bool | None:
    """The answer in a text; None if there is none, or if answers contradict each other.

    If the text is `alone`, without an exit code that confirms it, it must contain TRUE or FALSE
    exactly once, and end with a complete line. `lines` are a program's own lines for true and
    false, instead of the usual ones.

    >>> read_answer("c hello\\ns cnf 1 3 4\\n"), read_answer("UNSAT\\n"), read_answer("c SAT?\\n")
    (True, False, None)
    """
    if lines:
        spoken = dict(zip(lines, ("TRUE", "FALSE"), strict=True))
        words = [spoken[x.strip()] for x in text.splitlines() if x.strip() in spoken]
    else:
        words = ["".join(match) for match in _STATEMENTS.findall(text)]
    if alone and (words not in (["TRUE"], ["FALSE"]) or not text.endswith("\n")):
        return None
    answers = {word in _TRUE for word in words}
    return answers.pop() if len(answers) == 1 else None


def read_assignment(text: str) -> dict[int, bool]:
    """The values of variables in the text.

    >>> read_assignment("s cnf 1\\nV  +1 -2\\nV 3 0\\n")
    {1: True, 2: False, 3: True}
    """
    values: dict[int, bool] = {}
    for match in _ROW.finditer(text):
        for word in match[1].split():
            if int(word):
                values[abs(int(word))] = int(word) > 0
    for line in _EXAMPLE.findall(text):
        values |= {int(variable): value == "true" for variable, value in _VALUE.findall(line)}
    return values


# --- programs -------------------------------------------------------------------------------------


PYQBF = "pip install 'skolemate[solvers]'"
FROM_SOURCE = "build it from its author's page and put it on the PATH"
FILE, OUT = "{file}", "{out}"
VERSION_SECONDS = 5.0


@dataclass(frozen=True)
class Program:
    """A solver, or a preprocessor if `preprocesses`.

    `arguments` come before the file, unless `{file}` among them says where the file goes; `{out}`
    is the file to which a preprocessor writes its formula, if it does not print it. `outer` are the
    arguments for printing the assignment of the outermost block.
    """

    name: str
    title: str
    licence: str
    install: str  # the command that installs it, or where it can be had
    executables: tuple[str, ...]  # names on the PATH
    bundled: str | None = None  # its place in the package pyqbf
    arguments: tuple[str, ...] = ()
    outer: tuple[str, ...] = ()
    formats: tuple[str, ...] = ("qdimacs",)
    exit_codes: tuple[int, int] = (10, 20)  # of a solver: the formula is true, it is false
    answers: tuple[str, ...] = ()  # its lines for true and false, if they are not the usual ones
    version_arguments: tuple[str, ...] = ("--version",)
    version_pattern: str = r"\d+(?:\.\d+)+"
    preprocesses: bool = False
    keeps_outer: bool = True  # a preprocessor that leaves the outermost block alone
    worker: str | None = None  # a script of ours that drives it, where it is only a library
    module: str | None = None  # a compiled module of ours, which runs in this process
    own: bool = False  # known only from the user's settings

    def find(self) -> str | None:
        """The path of the program, or None if it is not installed."""
        if configured := self._setting():
            place = configured[1][0]
            return place if os.path.sep in place else shutil.which(place)
        if self.module is not None:
            spec = find_spec(self.module)
            return None if spec is None else spec.origin
        bundle = _bundle()
        if self.bundled is not None and bundle is not None:
            for path in sorted(bundle.glob(self.bundled)):
                return str(path)
        return next(filter(None, map(shutil.which, self.executables)), None)

    @property
    def options(self) -> tuple[str, ...]:
        """The user's additional options."""
        configured = self._setting()
        return tuple(configured[1][1:]) if configured else ()

    def _setting(self) -> tuple[str, list[str]] | None:
        """The user's setting: the variable or file it comes from; the program and its options."""
        setting = _setting(self.name)
        if setting is None:
            return None
        words = _words(setting.table["command"], setting.source)
        if self.module is not None:
            raise UserError(f"{setting.source}: {self.name} is a part of Skolemate, not a program")
        if len(words) > 1 and self.worker is not None:
            raise UserError(f"{setting.source}: {self.name} takes no options")
        return setting.source, words

    @property
    def given(self) -> str | None:
        """The user's setting in the form of the option `--program`, to tell another machine."""
        setting = _setting(self.name)
        return None if setting is None else f"{self.name}={_inline(setting.table)}"

    @property
    def variable(self) -> str:
        return _variable(self.name)

    @property
    def remedy(self) -> str:
        """What to do if it is not installed."""
        if configured := self._setting():
            return f"{configured[0]} says {brief(configured[1][0])}, which is not on the PATH"
        return self.install

    def require(self) -> str:
        """The path of the program; an error that says how to get it."""
        path = self.find()
        if path is None:
            raise UserError(f"{self.name} is not installed: {self.remedy}")
        return path

    def command(self, path: str, file: str, outer: bool) -> list[str]:
        """The command for a file, with or without printing the assignment."""
        words = [path, *self.arguments, *(self.outer if outer else ()), *self.options]
        if any(FILE in word for word in words):
            return [word.replace(FILE, file) for word in words]
        return [*words, file]

    def version(self, path: str) -> str | None:
        """The version that the program prints; of a module, Skolemate's."""
        if self.module is not None:
            return distribution("skolemate").version
        if not self.version_arguments:
            return None
        outcome = run([path, *self.version_arguments], Budget(Limit(VERSION_SECONDS)))
        match = re.search(self.version_pattern, outcome.stdout + outcome.stderr)
        return match[0] if match else None


def register(program: Program) -> Program:
    """Add a solver or preprocessor to those that pipelines can name; returns it."""
    PROGRAMS.add(program.name, program)
    return program


def _bundle() -> Path | None:
    """The folder of the programs in the package `pyqbf`, wherever pip has put it."""
    try:
        return Path(str(distribution("pyqbf").locate_file("cmeel.prefix")))
    except PackageNotFoundError:
        return None


# --- the user's settings --------------------------------------------------------------------------
# A command (`/opt/mine --fast {file}`), or a table that also says how a program differs from the
# usual: `{command = "/opt/mine {file}", exit_codes = [0, 1]}`.


PREFIX = "SKOLEMATE_"
NAME = re.compile("[a-z][a-z0-9_]*")
EXAMPLE = f"mine=/opt/mine {FILE}"
KEYS = {
    "command": "a text",
    "format": "qdimacs or qcir",
    "exit_codes": "two numbers, for true and for false",
    "answers": "two texts, the lines for true and for false",
    "version": "a text, the arguments that make it print its version",
    "outer": "a text, the arguments that make it print an assignment",
    "preprocesses": "true or false",
}


@dataclass(frozen=True)
class Setting:
    """What the user says about a program, and where."""

    source: str
    table: Mapping[str, Any]  # see KEYS


def _setting(name: str) -> Setting | None:
    variable, file = _variable(name), configuration_file()
    for source, value in (
        (variable, os.environ.get(variable)),
        (str(file), _configured(file).get(name)),
    ):
        if value and (not isinstance(value, str) or value.strip()):
            return Setting(source, _table(value, source))
    return None


def _variable(name: str) -> str:
    return PREFIX + name.upper()


def configuration_file() -> Path:
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return Path(home, "skolemate", "config.toml")


@cache
def _configured(file: Path) -> Mapping[str, Any]:
    """Programs of the configuration file: `[programs]`, `qesto = "/opt/qesto"`."""
    try:
        listed = tomllib.loads(file.read_text(encoding="utf-8")).get("programs", {})
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UserError(f"{file}: {reason}") from None
    if not isinstance(listed, dict) or not all(isinstance(p, str | dict) for p in listed.values()):
        raise UserError(f"{file}: [programs] must be names with paths, or with tables")
    return listed


def _table(value: Any, source: str) -> dict[str, Any]:
    """A setting as a table with a command; an error says what is wrong with it."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError as error:
            raise UserError(f"{source}: {brief(value)}: {error}") from None
    table = {"command": value} if isinstance(value, str) else dict(value)
    for key, entry in table.items():
        if key not in KEYS:
            raise UserError(f"{source}: a program has no {brief(key)}: {suggestion(key, KEYS)}")
        if not _fits(key, entry):
            raise UserError(f"{source}: {key} is {KEYS[key]}, not {brief(str(entry))}")
    if not table.get("command", "").strip():
        raise UserError(f"{source}: a program needs a command, as in {EXAMPLE}")
    return table


def _fits(key: str, entry: Any) -> bool:
    if key == "preprocesses":
        return isinstance(entry, bool)
    if key in ("exit_codes", "answers"):
        kind = int if key == "exit_codes" else str
        return isinstance(entry, list) and [type(x) for x in entry] == [kind, kind]
    return isinstance(entry, str) and (key != "format" or entry in ("qdimacs", "qcir"))


def _inline(table: Mapping[str, Any]) -> str:
    """A table in one line of TOML, or its command alone."""
    if set(table) == {"command"}:
        return str(table["command"])
    entries = (f"{key} = {json.dumps(value)}" for key, value in table.items())
    return f"{{{', '.join(entries)}}}"


def _words(text: str, source: str) -> list[str]:
    """A program's path and its options. A path with blanks must exist, or be in quotes."""
    place = os.path.expanduser(text)
    if os.path.exists(place) or shutil.which(place):
        return [place]
    try:
        first, *options = shlex.split(text)
    except ValueError as error:  # quotes that do not end
        raise UserError(f"{source}: {brief(text)}: {error}") from None
    return [os.path.expanduser(first), *options]


# --- programs of the user's own -------------------------------------------------------------------


def _own_names() -> Iterator[tuple[str, str]]:
    """New names in the settings, with their sources. A variable must contain `{file}`."""
    for variable, text in sorted(os.environ.items()):
        if variable.startswith(PREFIX) and FILE in text:
            yield variable.removeprefix(PREFIX).lower(), variable
    file = configuration_file()
    for name in _configured(file):
        yield name, str(file)


def _register_own() -> None:
    for name, source in _own_names():
        if name not in PROGRAMS:
            if not NAME.fullmatch(name):
                raise UserError(f"{source}: a program's name has letters, digits and _: {name}")
            PROGRAMS.add(name, _own(name))


def _own(name: str) -> Program:
    """A program that only the user's settings describe."""
    setting = _setting(name)
    assert setting is not None, "it was found there"
    table = setting.table
    return Program(
        name=name,
        title=f"{table['command'].strip()} (given by the user)",
        licence="unknown",
        install=f"{setting.source} names it",
        executables=(),
        formats=(table.get("format", "qdimacs"),),
        exit_codes=tuple(table.get("exit_codes", (10, 20))),
        answers=tuple(table.get("answers", ())),
        outer=tuple(shlex.split(table.get("outer", ""))),
        version_arguments=tuple(shlex.split(table.get("version", ""))),
        preprocesses=table.get("preprocesses", False),
        own=True,
    )


PROGRAMS: Registry[Program] = Registry(
    "solver", "skolemate.solvers.programs", Program, _register_own
)


def add_foreign(text: str) -> Program:
    """A program given as `name=command`, where `{file}` stands for the formula.

    It reads QDIMACS (`name:qcir=command`: QCIR) and answers in any of the known ways; a table
    instead of the command says what is different. For a registered program the command is its
    path, with options if any.
    """
    name, equals, value = text.partition("=")
    name, _, dialect = name.strip().lower().partition(":")
    if not equals or not NAME.fullmatch(name) or not value.strip():
        raise UserError(
            f"{brief(text)}: write a program as name=command, as in {EXAMPLE}; "
            "a name has letters, digits and _"
        )
    if dialect not in ("", "qdimacs", "qcir"):
        raise UserError(f"{brief(text)}: a program reads qdimacs or qcir, not {brief(dialect)}")
    table = _table(value.strip(), name) | ({"format": dialect} if dialect else {})
    place, *options = _words(table["command"], name)
    path = shutil.which(place)
    if path is None:
        raise UserError(f"{brief(text)}: {brief(place)} is not a program that can be run")
    own = name not in PROGRAMS or PROGRAMS[name].own
    if not own and set(table) != {"command"}:
        if set(table) != {"command", "format"} or (table["format"],) != PROGRAMS[name].formats:
            raise UserError(
                f"{name} is already known: give its path and options, or choose another name"
            )
        del table["format"]
    if own and not any(FILE in word for word in options):
        options.append(FILE)
    os.environ[_variable(name)] = _inline(table | {"command": shlex.join([path, *options])})
    if own:
        PROGRAMS.add(name, _own(name), again=True)
    return PROGRAMS[name]
