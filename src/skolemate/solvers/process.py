"""Run a program within limits, measure its cost, and leave no process behind.

The program gets a session of its own. It is killed, with all its children, on a limit, on Ctrl-C,
on any error of ours, and (by a request to the kernel) when we are killed ourselves. A mark in the
environment identifies children that have left the session.
"""

import os
import re
import resource
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from math import ceil
from pathlib import Path
from typing import IO
from uuid import uuid4

from skolemate.limits import Budget, Reason

# --- /proc ----------------------------------------------------------------------------------------


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
    pids = []
    for folder in _processes():
        with suppress(OSError), open(f"{folder}/environ", "rb") as stream:
            if f"{variable}={mark}".encode() in stream.read():
                pids.append(int(os.path.basename(folder)))
    return pids


# --- running --------------------------------------------------------------------------------------


OUTPUT_LIMIT = 64 << 20  # bytes that are kept of each stream; a program that writes more is ended
GRACE = 0.5  # seconds between SIGTERM and SIGKILL
IMPRECISION = 1 << 20  # bytes, of the kernel's peak of memory
ROOM = 256 << 20  # bytes of address space that any program may reserve
SHORTEST_PAUSE, LONGEST_PAUSE = 0.001, 0.05  # seconds between two looks at a running program
MARK = "SKOLEMATE_RUN"  # the environment variable that says which run a process belongs to
# Messages about memory: of C++, Python, Minisat, DepQBF, CAQE, Rust, the loader.
OUT_OF_MEMORY = re.compile(
    r"bad_alloc|memory ?error|out ?of ?memory|(cannot|could not|while) (re)?allocat"
    r"|memory allocation|memory (limit|exhausted)|failed to map segment",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Outcome:
    """The result of a program and its cost: wall clock, CPU of the whole tree, peak memory.

    The peak is the kernel's if it exceeds our own memory, which the kernel includes; otherwise the
    largest of the samples, twenty a second.

    `stopped` is why we killed it, if we did; `failure` why it could not start, or that it wrote too
    much.
    """

    code: int | None
    stdout: str = ""
    stderr: str = ""
    stopped: Reason | None = None
    failure: str | None = None
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0

    @property
    def ended(self) -> bool:
        """Whether it ended by itself, so that its output is complete."""
        return self.stopped is None and self.failure is None

    def complaint(self) -> str:
        """What went wrong, in a line, with the last line of the program's output."""
        if self.failure is not None:
            return self.failure
        lines = [line.strip() for line in (self.stdout + "\n" + self.stderr).splitlines()]
        last = next((f": {line[:200]}" for line in reversed(lines) if line), "")
        if self.code is not None and self.code < 0:
            return f"it was ended by signal {_signal_name(-self.code)}{last}"
        return f"it ended with exit code {self.code}{last}"


def run(
    command: Sequence[str], budget: Budget | None = None, output_limit: int = OUTPUT_LIMIT
) -> Outcome:
    """Run a program until it ends or a limit is reached; the memory is the program's own."""
    return _RunningProgram(list(command), Budget.within(budget), output_limit).outcome()


@cache
def _wrapper() -> list[str]:
    """The command `setpriv`, by which the kernel kills the program when we die in any way."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL", "--"] if setpriv else []


@dataclass
class _RunningProgram:
    """Starts a program, watches it, and measures its cost."""

    command: list[str]
    budget: Budget
    output_limit: int
    mark: str = field(default_factory=lambda: uuid4().hex)
    cpu: float = 0.0
    peak: int = 0
    inherited_peak: int = 0
    next_look: float = 0.0
    stopped: Reason | None = None
    flooded: bool = False

    def outcome(self) -> Outcome:
        executable = self.command[0]
        if not os.access(executable, os.X_OK) or not Path(executable).is_file():
            reason = "is not executable"
            if not Path(executable).exists():
                reason = "is not there"
            elif Path(executable).is_dir():
                reason = "is a directory"
            return Outcome(None, failure=f"{executable} {reason}")
        try:
            process = subprocess.Popen(
                [*_wrapper(), *self.command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                env={**os.environ, MARK: self.mark},
            )
        except OSError as error:
            return Outcome(None, failure=f"{executable} cannot be run: {error.strerror}")
        try:
            # The kernel counts our own memory into the peak of what we start.
            self.inherited_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            self._limit(process.pid)
            return self._watch(process)
        finally:
            self._end(process)
            for stream in (process.stdout, process.stderr):
                if stream is not None:
                    stream.close()

    def _limit(self, pid: int) -> None:
        """Set the kernel's limits too: they hold between two looks of `_watch`, and if we die."""
        limits = {resource.RLIMIT_CORE: 0}  # a crash leaves no file behind
        limit = self.budget.limit
        if limit.memory is not None:
            # Programs reserve more than they use, and crash in many ways if they cannot.
            limits[resource.RLIMIT_AS] = 2 * limit.memory + ROOM
        if limit.seconds is not None:
            seconds = min(limit.seconds * (os.cpu_count() or 1), sys.maxsize)
            limits[resource.RLIMIT_CPU] = ceil(seconds) + 1
        for which, value in limits.items():
            with suppress(OSError, ValueError):  # it may be gone already; _watch will see
                resource.prlimit(pid, which, (min(value, sys.maxsize),) * 2)

    def _watch(self, process: subprocess.Popen[bytes]) -> Outcome:
        assert process.stdout is not None
        assert process.stderr is not None
        streams: dict[IO[bytes], bytearray] = {
            process.stdout: bytearray(),
            process.stderr: bytearray(),
        }
        pause = SHORTEST_PAUSE
        with selectors.DefaultSelector() as selector:
            for stream in streams:
                os.set_blocking(stream.fileno(), False)
                selector.register(stream, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select(pause):  # a mere pause once both are closed
                    self._read(key.fileobj, streams, selector)  # type: ignore[arg-type]
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    break
                self.stopped = self._exceeded(process.pid)
                if self.stopped is not None or self.flooded:
                    _signal(process.pid, signal.SIGTERM)
                    pid, status, usage = _await(process.pid, GRACE)
                    break
                pause = min(2 * pause, LONGEST_PAUSE)
            if not pid:
                _signal(process.pid, signal.SIGKILL)
                _, status, usage = os.wait4(process.pid, 0)
            process.returncode = code = os.waitstatus_to_exitcode(status)
            self._end_children(process.pid, looks=1 if self.stopped is None else 2)
            for stream in list(streams):
                self._read(stream, streams, selector)
        return self._measured(code, [bytes(b) for b in streams.values()], usage)

    def _read(
        self,
        stream: IO[bytes],
        streams: dict[IO[bytes], bytearray],
        selector: selectors.BaseSelector,
    ) -> None:
        kept = streams[stream]
        while True:
            try:
                data = os.read(stream.fileno(), 1 << 16)
            except BlockingIOError:
                return
            if not data:
                if stream in [key.fileobj for key in selector.get_map().values()]:
                    selector.unregister(stream)
                return
            kept += data[: max(0, self.output_limit - len(kept))]
            if len(kept) >= self.output_limit:
                self.flooded = True
                return

    def _exceeded(self, pid: int) -> Reason | None:
        spent = self.budget.wall_seconds
        if self.budget.exceeded is not None or spent < self.next_look:
            return self.budget.exceeded
        # Often in the beginning, and not at each line of output.
        self.next_look = spent + min(spent, LONGEST_PAUSE)
        cpu, resident = session_costs(pid)
        self.cpu, self.peak = max(self.cpu, cpu), max(self.peak, resident)
        memory = self.budget.limit.memory
        return Reason.MEMORY if memory is not None and resident > memory else None

    def _measured(self, code: int, output: list[bytes], usage: resource.struct_rusage) -> Outcome:
        stdout, stderr = (part.decode(errors="replace") for part in output)
        kernel_peak = usage.ru_maxrss * 1024
        if kernel_peak > self.inherited_peak + IMPRECISION:  # otherwise it may be our own memory
            self.peak = max(self.peak, kernel_peak)
        stopped, memory = self.stopped, self.budget.limit.memory
        if stopped is None and memory is not None and code not in (10, 20):
            words = stderr + stdout[-10_000:]
            if self.peak > memory or OUT_OF_MEMORY.search(words):
                stopped = Reason.MEMORY
        failure = None
        if self.flooded:
            failure = f"it wrote more than {self.output_limit >> 20} MB"
        return Outcome(
            code,
            stdout,
            stderr,
            stopped,
            failure,
            wall_seconds=self.budget.wall_seconds,
            # The kernel knows only the children that were waited for.
            cpu_seconds=max(self.cpu, usage.ru_utime + usage.ru_stime),
            peak_bytes=self.peak,
        )

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """After an interruption: kill the program and all its children."""
        if process.returncode is None:
            _signal(process.pid, signal.SIGKILL)
            process.wait()
            self._end_children(process.pid, looks=2)

    def _end_children(self, group: int, looks: int) -> None:
        """Kill the children that have outlived the program, also those that left its session.

        A child that is just starting another program (exec) has no environment for a moment. This
        can happen when we kill the program, so then `looks` is two.
        """
        _signal(group, signal.SIGKILL)
        for look in range(looks):
            time.sleep(look * LONGEST_PAUSE)
            for pid in marked(MARK, self.mark):
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)


def _signal_name(number: int) -> str:
    """
    >>> _signal_name(11), _signal_name(40)
    ('SIGSEGV', '40')
    """
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _signal(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _await(pid: int, seconds: float) -> tuple[int, int, resource.struct_rusage]:
    """Wait for a process for some seconds; the first entry is 0 if it is still running."""
    end = time.monotonic() + seconds
    while True:
        ended = os.wait4(pid, os.WNOHANG)
        if ended[0] or time.monotonic() > end:
            return ended
        time.sleep(SHORTEST_PAUSE)
