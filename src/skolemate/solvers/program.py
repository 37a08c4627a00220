"""Solvers and preprocessors as descriptions: where they are, how they are called, what they print.

One preprocessor, `simplify`, is a module of Skolemate and runs inside it. Every other program is a
process of its own. It is searched for where the user says (an option, the environment variable
`SKOLEMATE_<NAME>`, the configuration file), then in the package `pyqbf`, then on the PATH.
Options that the user writes after its path are given to it with every formula.
"""

import os
import re
import shlex
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from skolemate.errors import UserError, brief
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


def read_answer(text: str, alone: bool = False) -> bool | None:
    """The answer in a text; None if there is none, or if answers contradict each other.

    If the text is `alone`, without an exit code that confirms it, it must contain TRUE or FALSE
    exactly once, and end with a complete line.

    >>> read_answer("c hello\\ns cnf 1 3 4\\n"), read_answer("UNSAT\\n"), read_answer("c SAT?\\n")
    (True, False, None)
    """
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
    version_arguments: tuple[str, ...] = ("--version",)
    version_pattern: str = r"\d+(?:\.\d+)+"
    preprocesses: bool = False
    keeps_outer: bool = True  # a preprocessor that leaves the outermost block alone
    worker: str | None = None  # a script of ours that drives it, where it is only a library
    module: str | None = None  # a compiled module of ours, which runs in this process

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
        file = configuration_file()
        texts = {
            self.variable: os.environ.get(self.variable),
            str(file): _configured(file).get(self.name),
        }
        for source, text in texts.items():
            if text and text.strip():
                words = _words(text, source)
                if self.module is not None:
                    raise UserError(f"{source}: {self.name} is a part of Skolemate, not a program")
                if len(words) > 1 and self.worker is not None:
                    raise UserError(f"{source}: {self.name} takes no options")
                return source, words
        return None

    @property
    def variable(self) -> str:
        return "SKOLEMATE_" + re.sub(r"\W", "_", self.name.upper())

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


PROGRAMS: Registry[Program] = Registry("solver", "skolemate.solvers.programs", Program)


def register(program: Program) -> Program:
    PROGRAMS.add(program.name, program)
    return program


def _bundle() -> Path | None:
    """The folder of the programs in the package `pyqbf`, wherever pip has put it."""
    try:
        return Path(str(distribution("pyqbf").locate_file("cmeel.prefix")))
    except PackageNotFoundError:
        return None


def configuration_file() -> Path:
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return Path(home, "skolemate", "config.toml")


@cache
def _configured(file: Path) -> Mapping[str, str]:
    """Programs of the configuration file: `[programs]`, `qesto = "/opt/qesto"`."""
    try:
        listed = tomllib.loads(file.read_text(encoding="utf-8")).get("programs", {})
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UserError(f"{file}: {reason}") from None
    if not isinstance(listed, dict) or not all(isinstance(p, str) for p in listed.values()):
        raise UserError(f"{file}: [programs] must be names with paths")
    return listed


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


def add_foreign(text: str) -> Program:
    """A program given as `name=command`, where `{file}` stands for the formula.

    It reads QDIMACS (`name:qcir=command`: QCIR) and answers in any of the known ways. For a
    registered program the command is its path, with options if any.
    """
    name, equals, command = text.partition("=")
    name, _, dialect = name.strip().lower().partition(":")
    if not equals or not re.fullmatch(r"[a-z][\w.-]*", name) or not command.strip():
        raise UserError(f"{brief(text)}: write a program as name=command, as in my=/opt/my {FILE}")
    if dialect not in ("", "qdimacs", "qcir"):
        raise UserError(f"{brief(text)}: a program reads qdimacs or qcir, not {brief(dialect)}")
    place, *options = _words(command.strip(), name)
    path = shutil.which(place)
    if path is None:
        raise UserError(f"{brief(text)}: {brief(place)} is no program that can be run")
    if name in PROGRAMS:
        if dialect and (dialect,) != PROGRAMS[name].formats:
            raise UserError(f"{name} is known: give its path and options, or take another name")
        os.environ[PROGRAMS[name].variable] = shlex.join([path, *options])
        return PROGRAMS[name]
    return register(
        Program(
            name=name,
            title=f"{command.strip()} (given by the user)",
            licence="unknown",
            install=f"{path} must be there, and executable",
            executables=(path,),
            arguments=tuple(options),
            formats=(dialect or "qdimacs",),
            version_arguments=(),
        )
    )
