"""The screen of a terminal, or of a script that types into a pipe.

Everything shown goes to stderr: stdout is for the record of the game. Plain characters only.
"""

from __future__ import annotations

import os
import sys
from textwrap import fill

__all__ = ["Terminal", "accept_anything", "typed_line"]

PLAIN_WIDTH = 80  # where there is no terminal
LEAST_WIDTH = 20
LONGEST_LINE = 10_000  # characters of a typed line; what is longer is no move and no command


def accept_anything() -> None:
    """Typed bytes may be anything."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")


def typed_line() -> str:
    """The next line of the input; empty at its end."""
    return sys.stdin.readline(LONGEST_LINE)


class Terminal:
    """Where the person sits. The width is looked up each time: windows change their size."""

    def __init__(self) -> None:
        accept_anything()
        # Line editing, where there is a person. It prompts on stdout, so that must be the screen.
        self._edits = sys.stdin.isatty() and sys.stdout.isatty()
        if self._edits:
            try:
                import readline  # noqa: F401  by being imported it changes `input`
            except ImportError:
                self._edits = False

    @property
    def width(self) -> int:
        try:
            columns = os.get_terminal_size(sys.stderr.fileno()).columns
        except (OSError, ValueError):  # no terminal, or no stream at all
            return PLAIN_WIDTH
        return max(LEAST_WIDTH, columns) if columns else PLAIN_WIDTH

    def show(self, picture: str) -> None:
        print(picture, file=sys.stderr, flush=True)

    def say(self, sentence: str) -> None:
        indent = " " * (len(sentence) - len(sentence.lstrip()))
        wrapped = fill(
            sentence,
            self.width,
            subsequent_indent=indent + "  " if indent else "",
            break_long_words=False,
            break_on_hyphens=False,
        )
        self.show(wrapped)

    def ask(self, prompt: str) -> str | None:
        try:
            typed = self._edited(prompt) if self._edits else self._read(prompt)
        except EOFError:
            self.show("")
            return None
        return typed

    @staticmethod
    def _edited(prompt: str) -> str:
        sys.stderr.flush()
        return input(f"{prompt} ")

    @staticmethod
    def _read(prompt: str) -> str:
        print(prompt, end=" ", file=sys.stderr, flush=True)
        typed = typed_line()
        if not typed:
            raise EOFError
        if not sys.stdin.isatty():  # nobody has seen it being typed
            print(ascii(typed.rstrip("\n"))[1:-1], file=sys.stderr)
        return typed
