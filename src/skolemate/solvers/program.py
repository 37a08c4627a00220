"""What a solver or preprocessor is: where it is found, what it is called with, what it may do.

A program is looked for where the user says (an option, the environment variable
`SKOLEMATE_<NAME>`, the configuration file), then in the package `pyqbf`, then on the PATH.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from skolemate.errors import UserError, brief
from skolemate.limits import Limit
from skolemate.registry import Registry
from skolemate.solvers.process import run

__all__ = ["PROGRAMS", "Program", "add_foreign", "configuration_file", "register"]

PYQBF = "pip install 'skolemate[solvers]'"
FROM_SOURCE = "build it from its author's page and put it on the PATH"
FILE = "{file}"
VERSION_SECONDS = 5.0


@dataclass(frozen=True)
class Program:
    """A solver, or a preprocessor if `preprocesses`.

    `arguments` come before the file; `{file}` among them says that it goes elsewhere.
    `outer` are those that make it print the assignment of the outermost block.
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
    version_arguments: tuple[str, ...] = ("--version",)
    version_pattern: str = r"\d+(?:\.\d+)+"
    preprocesses: bool = False
    keeps_outer: bool = True  # a preprocessor that leaves the outermost block alone
    worker: str | None = None  # a script of ours that drives it, where it is only a library

    def find(self) -> str | None:
        """The path of the program, or None if it is not there."""
        for _, place in self._told():
            return place if os.path.sep in place else shutil.which(place)
        bundle = _bundle()
        if self.bundled is not None and bundle is not None:
            for path in sorted(bundle.glob(self.bundled)):
                return str(path)
        return next(filter(None, map(shutil.which, self.executables)), None)

    def _told(self) -> list[tuple[str, str]]:
        """Where the user says that it is, each place with what says so; the first counts."""
        file = configuration_file()
        places = {
            self.variable: os.environ.get(self.variable),
            str(file): _configured(file).get(self.name),
        }
        return [(source, place) for source, place in places.items() if place]

    @property
    def variable(self) -> str:
        return "SKOLEMATE_" + re.sub(r"\W", "_", self.name.upper())

    @property
    def remedy(self) -> str:
        """What to do if it is not there."""
        for source, place in self._told():
            return f"{source} says {brief(place)}, which is not on the PATH"
        return self.install

    def require(self) -> str:
        """The path of the program; an error that says how to get it."""
        path = self.find()
        if path is None:
            raise UserError(f"{self.name} is not installed: {self.remedy}")
        return path

    def command(self, path: str, file: str, outer: bool) -> list[str]:
        """How it is called on a file, with or without the assignment."""
        words = [path, *self.arguments, *(self.outer if outer else ())]
        if any(FILE in word for word in words):
            return [word.replace(FILE, file) for word in words]
        return [*words, file]

    def version(self, path: str) -> str | None:
        """What the program says its version is."""
        if not self.version_arguments:
            return None
        outcome = run([path, *self.version_arguments], Limit(VERSION_SECONDS))
        found = re.search(self.version_pattern, outcome.stdout + outcome.stderr)
        return found[0] if found else None


PROGRAMS: Registry[Program] = Registry("solver", "skolemate.solvers.programs")


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
    """Paths of programs from the configuration file: `[programs]`, `qesto = "/opt/qesto"`."""
    try:
        listed = tomllib.loads(file.read_text(encoding="utf-8")).get("programs", {})
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UserError(f"{file}: {reason}") from None
    if not isinstance(listed, dict) or not all(isinstance(p, str) for p in listed.values()):
        raise UserError(f"{file}: [programs] must be names with paths")
    return {name: os.path.expanduser(path) for name, path in listed.items()}


def add_foreign(text: str) -> Program:
    """A program given as `name=command`, where `{file}` stands for the formula.

    It reads QDIMACS (`name:qcir=command`: QCIR) and answers in any of the known ways.
    """
    name, equals, command = text.partition("=")
    name, _, dialect = name.strip().lower().partition(":")
    try:
        words = shlex.split(command)
    except ValueError as error:  # a quotation that does not end
        raise UserError(f"{brief(text)}: {error}") from None
    if not equals or not re.fullmatch(r"[a-z][\w.-]*", name) or not words:
        raise UserError(f"{brief(text)}: write a program as name=command, as in my=/opt/my {FILE}")
    if dialect not in ("", "qdimacs", "qcir"):
        raise UserError(f"{brief(text)}: a program reads qdimacs or qcir, not {brief(dialect)}")
    path = shutil.which(words[0])
    if path is None:
        raise UserError(f"{brief(text)}: {brief(words[0])} is no program that can be run")
    if name in PROGRAMS:
        if len(words) > 1 or (dialect and (dialect,) != PROGRAMS[name].formats):
            raise UserError(f"{name} is known: give only its path, or take another name")
        os.environ[PROGRAMS[name].variable] = path
        return PROGRAMS[name]
    return register(
        Program(
            name=name,
            title=f"{command.strip()} (given by the user)",
            licence="unknown",
            install=f"{path} must be there, and executable",
            executables=(path,),
            arguments=tuple(words[1:]),
            formats=(dialect or "qdimacs",),
            version_arguments=(),
        )
    )
