"""A program on a pseudo-terminal: type, read the screen, resize the window, press Ctrl-C."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from commands import command_line
from waiting import PATIENCE

__all__ = ["CTRL_C", "CTRL_D", "Terminal"]

CTRL_C, CTRL_D = "\x03", "\x04"
_CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


class Terminal:
    """Skolemate with all three streams on a terminal of its own, or stdout in a file."""

    def __init__(
        self, *arguments: str, columns: int = 80, stdout: Path | None = None, **environment: str
    ) -> None:
        self._master, slave = os.openpty()
        self.resize(columns)
        out = slave if stdout is None else os.open(stdout, os.O_WRONLY | os.O_CREAT)
        self._process = subprocess.Popen(
            command_line(*arguments),
            stdin=slave,
            stdout=out,
            stderr=slave,
            env=os.environ | {"TERM": "xterm"} | environment,
            start_new_session=True,
            preexec_fn=lambda: _make_controlling(slave),
        )
        for descriptor in {slave, out}:
            os.close(descriptor)
        self.screen = ""
        self._read_up_to = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._master)

    @property
    def pid(self) -> int:
        return self._process.pid

    def resize(self, columns: int, rows: int = 40) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if hasattr(self, "_process"):
            os.killpg(self._process.pid, signal.SIGWINCH)

    def type(self, text: str) -> None:
        os.write(self._master, text.encode(errors="surrogateescape"))

    def wait_for(self, text: str) -> str:
        """Read until a text appears that was not read before; what was shown up to it."""
        end = time.monotonic() + PATIENCE
        while (found := self.screen.find(text, self._read_up_to)) < 0:
            if not self._read(end - time.monotonic()):
                raise AssertionError(f"{text!r} does not appear after:\n{self.screen}")
        start, self._read_up_to = self._read_up_to, found + len(text)
        return self.screen[start : self._read_up_to]

    def ends(self) -> int:
        """The exit code, once all that is shown has been read."""
        end = time.monotonic() + PATIENCE
        while self._read(end - time.monotonic()):
            pass
        return self._process.wait(PATIENCE)

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], max(0.0, seconds))
        try:
            data = os.read(self._master, 1 << 16) if ready else b""
        except OSError:  # the other side has been closed
            return False
        self.screen += _CONTROLS.sub("", data.decode(errors="replace"))
        return bool(data)


def _make_controlling(slave: int) -> None:
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
