"""The runner: limits kept, costs measured, nothing left behind, whatever a program does."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from fake_solvers import HANG, SAY_TRUE, Fakes
from samples import sample
from skolemate.limits import Budget, Limit, Reason
from skolemate.solvers import PROGRAMS, Pipeline, Solved, process
from skolemate.solvers.pipeline import TRUE
from skolemate.solvers.process import Outcome, run
from waiting import PATIENCE, eventually

SLACK = 2.0  # seconds by which a limit may be overrun
MEGABYTE = 1 << 20

IGNORES_SIGTERM = "trap '' TERM; $REST 1000; $REST 1000"
UNENDING = {
    "hangs": HANG,
    "ignores SIGTERM": IGNORES_SIGTERM,
    "waits for a child that ignores SIGTERM": f"({IGNORES_SIGTERM}) & wait",
    "is stopped": "kill -STOP $$",
    "closes its output and goes on": f"exec >&- 2>&-; {HANG}",
    "has said something": f"echo SAT; {HANG}",
    "answers when asked to end": f"trap 'echo SAT; exit 10' TERM; {HANG} & wait",
}
LEAVING = {
    "a child that keeps the output open": "$REST 1000 &",
    "a child without output": "$REST 1000 >/dev/null 2>&1 &",
    "a child that ignores SIGTERM": f"({IGNORES_SIGTERM}) &",
    "a child in a group of its own": "set -m; $REST 1000 &",
    "a child in a session of its own": "setsid $REST 1000 >/dev/null 2>&1 &",
}


def test_output_and_exit_code_are_kept(fakes: Fakes) -> None:
    outcome = run([fakes.shell('echo "$2"; echo here >&2; exit 7'), "a", "b c"])
    assert (outcome.code, outcome.stdout, outcome.stderr) == (7, "b c\n", "here\n")
    assert (outcome.stopped, outcome.failure) == (None, None)
    assert outcome.complaint() == "it ended with exit code 7: here"


def test_a_program_has_no_input(fakes: Fakes) -> None:
    assert run([fakes.shell("cat; echo end")]).stdout == "end\n"


def test_output_larger_than_a_pipe_is_kept_whole(fakes: Fakes) -> None:
    outcome = run([fakes.shell("yes 123456789 | head -n 300000; echo end >&2")])
    assert len(outcome.stdout) == 3_000_000
    assert outcome.stderr == "end\n"


def test_any_bytes_can_be_read(fakes: Fakes) -> None:
    assert run([fakes.shell(r"printf '\377\376\000SAT\n'")]).stdout == "\ufffd\ufffd\0SAT\n"


@pytest.mark.parametrize("what", UNENDING)
def test_the_time_limit_is_kept(fakes: Fakes, what: str) -> None:
    outcome = run([fakes.shell(UNENDING[what])], Budget(Limit(seconds=0.5)))
    assert outcome.stopped is Reason.TIME
    fakes.check_nothing_is_left()


def test_a_slow_start_is_not_an_end(fakes: Fakes) -> None:
    outcome = run([fakes.shell(f"$REST 0.7; {SAY_TRUE}")], Budget(Limit(seconds=60)))
    assert (outcome.code, outcome.stdout, outcome.stopped) == (10, "s cnf 1\n", None)
    assert outcome.wall_seconds >= 0.7


@pytest.mark.parametrize("script", LEAVING.values(), ids=LEAVING)
def test_no_child_outlives_a_program(fakes: Fakes, script: str) -> None:
    outcome = run([fakes.shell(f"{script}\n{SAY_TRUE}")], Budget(Limit(seconds=60)))
    assert (outcome.code, outcome.stdout, outcome.stopped) == (10, "s cnf 1\n", None)


@pytest.mark.parametrize("script", LEAVING.values(), ids=LEAVING)
def test_no_child_outlives_a_limit(fakes: Fakes, script: str) -> None:
    assert (
        run([fakes.shell(f"{script}\n{HANG}")], Budget(Limit(seconds=0.5))).stopped is Reason.TIME
    )


def test_a_cancelled_run_ends_at_once(fakes: Fakes) -> None:
    cancel, outcomes = threading.Event(), list[Outcome]()
    fake = fakes.shell(HANG)
    thread = threading.Thread(
        target=lambda: outcomes.append(run([fake], Budget(Limit(60), cancel)))
    )
    thread.start()
    assert eventually(fakes.resting)
    cancel.set()
    thread.join(PATIENCE)
    assert [outcome.stopped for outcome in outcomes] == [Reason.CANCELLED]


def test_output_without_end_is_cut(fakes: Fakes) -> None:
    for script in ("exec yes", "exec yes >&2", f"trap '' TERM; yes; {HANG}"):
        outcome = run([fakes.shell(script)], Budget(Limit(seconds=60)), output_limit=5 * MEGABYTE)
        assert outcome.failure == outcome.complaint() == "it wrote more than 5 MB"
        assert max(len(outcome.stdout), len(outcome.stderr)) == 5 * MEGABYTE


EATS_MEMORY = {
    "and says so": "kept = []\nwhile True: kept.append(b'x' * 10_000_000)",
    "in several processes": """
import os, time
for _ in range(6):
    os.fork()  # 64 processes, each within the limit
kept = b"x" * 20_000_000
time.sleep(1000)
""",
    "and exits with 0": """
kept = []
try:
    while True: kept.append(b"x" * 10_000_000)
except MemoryError:
    print("terminate called after throwing 'std::bad_alloc'")
""",
}


@pytest.mark.parametrize("seconds", [1e30, float("inf")])
def test_limits_may_be_larger_than_the_system_can_count(fakes: Fakes, seconds: float) -> None:
    assert run([fakes.shell("echo end")], Budget(Limit(seconds, 1 << 80))).stdout == "end\n"


@pytest.mark.parametrize("script", EATS_MEMORY.values(), ids=EATS_MEMORY)
def test_the_memory_limit_is_kept(fakes: Fakes, script: str) -> None:
    outcome = run([fakes.python(script)], Budget(Limit(seconds=60, memory=200 * MEGABYTE)))
    assert outcome.stopped is Reason.MEMORY


@pytest.mark.parametrize(
    "words",
    [
        "terminate called after throwing an instance of 'Minisat::OutOfMemoryException'",
        "[qdpll_mem] qdpll_malloc at line 78: could not allocate memory!",
        "ERROR: while reallocating clause space",
        "memory allocation of 8589934592 bytes failed",
        "solver: error while loading shared libraries: libc.so.6: failed to map segment",
    ],
)
def test_a_solvers_words_tell_that_memory_ran_out(fakes: Fakes, words: str) -> None:
    fake = fakes.shell(f'echo "{words}" >&2; exit 1')
    assert run([fake], Budget(Limit(memory=1 << 30))).stopped is Reason.MEMORY
    assert run([fake]).stopped is None, "where there is no limit of ours, it is a failure"


def test_the_processors_time_of_the_whole_tree_is_measured(fakes: Fakes) -> None:
    burn = "import os, time\nif not os.fork():\n  while time.process_time() < {}: pass\nelse: {}"
    waited_for = run([fakes.python(burn.format(0.5, "os.wait()"))])
    assert 0.45 < waited_for.cpu_seconds < 0.5 + SLACK
    assert waited_for.wall_seconds > 0.45
    killed = run([fakes.python(burn.format(1000, "time.sleep(1000)"))], Budget(Limit(seconds=2)))
    assert 0.3 < killed.cpu_seconds < 2 + SLACK
    assert run([fakes.shell("$REST 0.5")]).cpu_seconds < 0.3


def test_the_peak_of_memory_is_measured(fakes: Fakes) -> None:
    # It keeps its memory for a while: above our own peak the kernel tells, below it we look.
    large = run([fakes.python("import time; kept = b'x' * (200 << 20); time.sleep(0.5)")])
    assert 200 * MEGABYTE < large.peak_bytes < 300 * MEGABYTE


def test_our_own_memory_is_not_the_programs(fakes: Fakes) -> None:
    ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    assert ours > 30 * MEGABYTE
    assert 0 < run([fakes.shell("$REST 0.3")]).peak_bytes < 20 * MEGABYTE


@pytest.mark.parametrize(
    ("name", "complaint"), [("SEGV", "SIGSEGV"), ("ABRT", "SIGABRT"), ("40", "40")]
)
def test_a_crash_is_told_with_its_signal_and_last_words(
    fakes: Fakes, name: str, complaint: str
) -> None:
    outcome = run([fakes.shell(f"cd $FOLDER; echo begin; echo ouch >&2; kill -{name} $$")])
    assert outcome.complaint() == f"it was ended by signal {complaint}: ouch"
    assert sorted(os.listdir(fakes.folder)) == ["fake", "rest"], "no core file"


def test_what_cannot_be_run_is_told(fakes: Fakes) -> None:
    fake = Path(fakes.shell("exit 10"))
    assert run([str(fakes.folder)]).complaint() == f"{fakes.folder} is a directory"
    fake.chmod(0o644)
    assert run([str(fake)]).complaint() == f"{fake} is not executable"
    fake.unlink()
    assert run([str(fake)]).complaint() == f"{fake} is not there"
    assert run([str(fake)]).code is None


@pytest.mark.parametrize("wrapped", [True, False])
def test_a_program_without_its_interpreter_is_told(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, wrapped: bool
) -> None:
    if not wrapped:
        monkeypatch.setattr(process, "_wrapper", list)
    binary = Path("/bin/true").read_bytes()
    loader = re.search(rb"/lib[\w./-]*/ld-[\w.-]+", binary)
    assert loader is not None
    fake = Path(fakes.shell(""))
    for content in (
        binary.replace(loader[0], b"/" + b"x" * (len(loader[0]) - 1)),
        b"#!/nowhere/sh\n",
    ):
        fake.write_bytes(content)
        complaint = run([str(fake)]).complaint()
        assert complaint.endswith("No such file or directory")
        assert str(fake) in complaint


def test_an_interruption_leaves_nothing(fakes: Fakes) -> None:
    """Ctrl-C while the API runs a program: KeyboardInterrupt goes on, the program does not."""
    fake = fakes.shell(f"$REST 1000 & setsid $REST 1000 & {IGNORES_SIGTERM}")
    script = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from skolemate.solvers.process import run\n"
        "try: run(sys.argv[1:])\n"
        "except KeyboardInterrupt: sys.exit(77)"
    )
    with subprocess.Popen([sys.executable, "-c", script, fake]) as ours:
        assert eventually(fakes.resting)
        ours.send_signal(signal.SIGINT)
        assert ours.wait(20) == 77


def test_the_program_dies_with_us(fakes: Fakes) -> None:
    script = "import sys; from skolemate.solvers.process import run; run(sys.argv[1:])"
    fake = fakes.shell(f"exec {HANG}")
    with subprocess.Popen([sys.executable, "-c", script, fake]) as ours:
        assert eventually(fakes.resting)
        ours.kill()


def test_hundreds_of_runs_in_parallel_leak_nothing(fakes: Fakes) -> None:
    scripts = [
        *20 * [SAY_TRUE],
        *2 * [f"$REST 1000 & {SAY_TRUE}"],
        "kill -SEGV $$",
        "echo nonsense",
        f"exec >&- 2>&-; {HANG}",
    ]
    pipelines = []
    for number, script in enumerate(scripts):
        path = fakes.shell(script, f"fake{number}")
        pipelines.append(Pipeline((), replace(PROGRAMS["qesto"], executables=(path,))))

    def solve(number: int) -> Solved:
        return pipelines[number % len(pipelines)].solve(TRUE, Budget(Limit(seconds=2)))

    files, threads = os.listdir("/proc/self/fd"), threading.active_count()
    children = _children()  # a test before may have left the helper of its pool
    with ThreadPoolExecutor(8) as pool:
        solved = list(pool.map(solve, range(sample(500))))
    answers = Counter((each.truth, each.reason) for each in solved)
    assert answers == {
        (True, None): sample(440),
        (None, Reason.SOLVER_ERROR): sample(40),
        (None, Reason.TIME): sample(20),
    }
    assert os.listdir("/proc/self/fd") == files
    assert threading.active_count() == threads
    assert eventually(lambda: set(_children()) <= set(children))


def _children() -> list[int]:
    """The processes that we have started, also those that have ended and were not waited for."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            fields = Path(entry, "stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        if entry.name.isdigit() and int(fields[1]) == os.getpid():
            found.append(int(entry.name))
    return found
