"""Scripted programs that behave as solvers do on their worst days, and what they leave behind.

A script stands in a folder of its test. `$REST` in it is a program that does nothing for a long
time, `$FOLDER` the folder; both make its processes known by their command lines.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from skolemate.solvers import PROGRAMS
from waiting import eventually

__all__ = ["HANG", "SAY_FALSE", "SAY_TRUE", "Fakes", "fakes", "real"]

SAY_TRUE = "echo 's cnf 1'; exit 10"
SAY_FALSE = "echo 's cnf 0'; exit 20"
HANG = "$REST 1000"


class Fakes:
    """The fake programs of one test, in a folder beside the temporary files of the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "fakes"
        self.temporary = folder / "temporary"
        self.folder.mkdir()
        self.temporary.mkdir()
        sleep = shutil.which("sleep")
        assert sleep is not None
        Path(self.folder, "rest").symlink_to(sleep)

    def shell(self, script: str, name: str = "fake") -> str:
        """The path of a program that runs these lines of shell; $1.. are its arguments."""
        head = f"FOLDER={self.folder}\nREST={self.folder}/rest\n"
        return self._write(name, f"#!/bin/sh\n{head}{script}\n")

    def python(self, script: str, name: str = "fake") -> str:
        """The path of a program that runs these lines of Python."""
        return self._write(name, f"#!{sys.executable} -IS\n{script}\n")

    def _write(self, name: str, text: str) -> str:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    def processes(self) -> list[int]:
        """The processes of these programs that are alive."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                try:
                    command = Path(entry, "cmdline").read_bytes()
                except OSError:
                    continue  # it has just ended
                if os.fsencode(self.folder) + b"/" in command:
                    found.append(int(entry.name))
        return found

    def resting(self) -> bool:
        """Whether some program has come to its `$REST`."""
        rest = os.fsencode(self.folder / "rest")
        for pid in self.processes():
            try:
                if Path(f"/proc/{pid}/cmdline").read_bytes().startswith(rest):
                    return True
            except OSError:
                continue
        return False

    def check_nothing_is_left(self) -> None:
        assert eventually(lambda: not self.processes()), "a process is left"
        assert list(self.temporary.iterdir()) == []


@pytest.fixture
def fakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fakes]:
    """Fake programs. After every test that has some, nothing of them may be left."""
    made = Fakes(tmp_path)
    monkeypatch.setenv("TMPDIR", str(made.temporary))
    monkeypatch.setattr("tempfile.tempdir", None)  # so that TMPDIR is looked at again
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))
    for program in PROGRAMS:
        monkeypatch.setenv(program.variable, "")  # also so that `--program` is undone
    yield made
    made.check_nothing_is_left()


def real(name: str) -> str:
    """The path of a real solver."""
    return PROGRAMS[name].require()
