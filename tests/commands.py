"""Skolemate called as a program of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

from fake_solvers import HANG, Fakes
from waiting import eventually

__all__ = ["check_interruption", "command_line"]


def command_line(*arguments: str) -> list[str]:
    """The words that call it, whatever else is installed."""
    return [sys.executable, "-m", "skolemate", *arguments]


def check_interruption(fakes: Fakes, *arguments: str) -> None:
    """Ctrl-C while a solver, here QESTO, hangs: the answer is told, and all processes end."""
    ours = command_line(
        *arguments, "-p", "qesto", "--program", f"qesto={fakes.shell(HANG)}", "--json"
    )
    with subprocess.Popen(ours, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert eventually(fakes.resting)
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130
            assert process.stdout is not None
            assert json.loads(process.stdout.read())["reason"] == "cancelled"
        finally:
            process.kill()  # a test that fails must not wait for ever
