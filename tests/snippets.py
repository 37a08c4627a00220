"""What the documentation shows, taken out of its pages and run as a reader would.

Fenced blocks have a language, which says what becomes of them:

- `console`: commands after `$`, each run, its output compared. A line `...` stands for any number
  of lines, `…` for any part of a line. What a reader types at a prompt is typed.
- `python`: executed, one block after the other; what it prints must stand in the `output` below.
- anything with `title="NAME"` is written to that file, for the blocks below.
- all others are only read, and contain no command.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from skolemate.cli import main

__all__ = ["ROOT", "Block", "Reader", "blocks", "matches", "pages", "sessions"]

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^ *```(?P<language>\w*)(?P<more>[^\n]*)\n(?P<text>.*?)^ *```$", re.M | re.S)
PROMPT = re.compile(r"(?:your move|to leave): ?(.*)")
SHELL = re.compile(r"[|<>]")
ANSWERED = (0, 10, 20, 30)
SECONDS = 120
# Set-up is shown, but running it here would install things, or these very tests.
ONLY_SHOWN = ("git clone ", "cd ", "pip install ", ". .venv/", "skolemate serve", "dask ")


class Block(NamedTuple):
    language: str
    title: str | None
    text: str


def pages() -> list[Path]:
    """The README and every page of the guide."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path) -> Iterator[Block]:
    for found in FENCE.finditer(page.read_text(encoding="utf-8")):
        title = re.search(r'title="(.*?)"', found["more"])
        yield Block(found["language"], title and title[1], found["text"])


def sessions(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output shown below it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def matches(shown: str, output: str) -> bool:
    """
    >>> matches("a…e\\n...\\nz\\n", "abcde\\nf\\ng\\nz\\n"), matches("a\\n", "a\\nb\\n")
    (True, False)
    """
    pattern = ""
    for line in shown.strip("\n").splitlines():
        parts = map(re.escape, line.rstrip().split("…"))
        pattern += r"(?:.*\n)*?" if line == "..." else ".*".join(parts) + "\n"
    lines = output.strip("\n").splitlines()
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in lines)) is not None


@dataclass
class Reader:
    """Follows a page in a folder of its own."""

    folder: Path
    captured: pytest.CaptureFixture[str]
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "snippet"})
    printed: str = ""

    def follow(self, page: Path) -> None:
        for block in blocks(page):
            if block.language == "output":
                assert matches(block.text, self.printed), f"{block.text}\n---\n{self.printed}"
                self.printed = ""
                continue
            assert not self.printed, f"no output block below shows: {self.printed}"
            if block.title is not None:
                (self.folder / block.title).write_text(block.text, encoding="utf-8")
            if block.language == "console":
                for command, shown in sessions(block.text):
                    self._check(command, shown)
            elif block.language == "python":
                exec(compile(block.text, str(page), "exec", dont_inherit=True), self.names)
                self.printed = self.captured.readouterr().out
        assert not self.printed, f"no output block below shows: {self.printed}"

    def _check(self, command: str, shown: str) -> None:
        if command.startswith("make "):
            target = command.removeprefix("make ")
            if target != "demo":  # others take minutes; they are there, at least
                assert re.search(rf"^{target}:", makefile(), re.M), command
                return
            command = recipe(target)
        if command.startswith(ONLY_SHOWN):
            return
        told = self._run(command, shown)
        assert matches(shown, told), f"{command}\n{shown}\n---\n{told}"

    def _run(self, command: str, shown: str) -> str:
        typed = "".join(f"{line}\n" for line in PROMPT.findall(shown))
        if typed or SHELL.search(re.sub(r"'.*?'", "", command)) or command[:10] != "skolemate ":
            return self._in_shell(command, typed)
        code = main(shlex.split(command)[1:])
        out, err = self.captured.readouterr()
        return out if code in ANSWERED else out + err

    def _in_shell(self, command: str, typed: str) -> str:
        programs = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=os.environ | {"PATH": programs},
            input=typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode in ANSWERED, f"{command}\n{done.stdout}"
        return done.stdout


def makefile() -> str:
    return (ROOT / "Makefile").read_text(encoding="utf-8")


def recipe(target: str) -> str:
    """The skolemate command that a make target ends with."""
    found = re.search(rf"^{target}:.*\n\t@\$\(BIN\)/(skolemate .*?)( \|\|.*)?$", makefile(), re.M)
    assert found, f"make {target} runs no skolemate command"
    return found[1]
