"""A server for tests: in this process, or as the command in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
from starlette.testclient import TestClient

from commands import command_line
from skolemate.play.web.app import application
from skolemate.solvers.process import MARK
from waiting import PATIENCE, eventually

__all__ = ["LONG", "PORT", "Server", "asking", "finished", "is_alive", "solvers_of"]

PORT = 8351
# A question that no solver answers while a test lasts.
LONG = {"game": "hein(18)", "player": "black", "depth": 25, "encoding": "sa", "timeout": 600}


@contextmanager
def asking(folder: Path, **options: Any) -> Iterator[TestClient]:
    """A client of a server in this process."""
    app = application(folder, port=PORT, **options)
    with TestClient(app, base_url=f"http://127.0.0.1:{PORT}") as client:
        yield client


def finished(client: httpx.Client, run: dict[str, Any]) -> dict[str, Any]:
    """A run once it has ended."""

    def ended() -> dict[str, Any] | None:
        found: dict[str, Any] = client.get(f"/api/runs/{run['id']}").json()
        return found if found["state"] not in ("waiting", "running") else None

    done: dict[str, Any] | None = eventually(ended)
    assert done is not None, f"{run} does not end"
    return done


class Server:
    """`skolemate serve` as a command, on a free port."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            command_line("serve", "--port", "0", "--no-browser", "--data", str(folder), *arguments),
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + self.process.stderr.read()
        self.address = found[0]

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        assert self.process.stderr is not None
        self.process.stderr.close()

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=PATIENCE)

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """End it in order; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def resident(self) -> int:
        """Bytes of memory in use."""
        with open(f"/proc/{self.process.pid}/statm") as stream:
            return int(stream.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def is_alive(pid: int) -> bool:
    """Whether a process is running; one that nobody has waited for is not."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            return stream.read().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def solvers_of(server: int) -> list[int]:
    """The solvers that a process has started: its marked children."""
    found = []
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() and int(entry.name) != server:
            try:
                with open(f"{entry.path}/environ", "rb") as stream:
                    marked = f"{MARK}=".encode() in stream.read()
                with open(f"{entry.path}/stat", "rb") as stream:
                    parent = int(stream.read().rpartition(b")")[2].split()[1])
            except OSError:
                continue
            if marked and parent == server:
                found.append(int(entry.name))
    return found
