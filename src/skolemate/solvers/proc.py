"""What /proc tells about processes: which belong together, and what they cost."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import suppress

__all__ = ["marked", "session_costs"]


def _processes() -> Iterator[str]:
    """The folders of all processes in /proc."""
    return (entry.path for entry in os.scandir("/proc") if entry.name.isdigit())


def session_costs(session: int) -> tuple[float, int]:
    """CPU seconds and resident bytes of all processes of a session, as it is now."""
    ticks = pages = 0
    for folder in _processes():
        try:
            with open(f"{folder}/stat", "rb") as stream:
                fields = stream.read().rpartition(b")")[2].split()
        except OSError:
            continue  # it has just ended
        if int(fields[3]) == session:
            ticks += sum(map(int, fields[11:15]))  # its own and its former children's
            pages += int(fields[21])
    return ticks / os.sysconf("SC_CLK_TCK"), pages * resource.getpagesize()


def marked(variable: str, mark: str) -> list[int]:
    """The processes with this mark in their environment."""
    found = []
    for folder in _processes():
        with suppress(OSError), open(f"{folder}/environ", "rb") as stream:
            if f"{variable}={mark}".encode() in stream.read():
                found.append(int(os.path.basename(folder)))
    return found
