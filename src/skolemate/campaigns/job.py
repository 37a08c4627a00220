"""One job in a process of its own: `python -m skolemate.campaigns.job JOB`.

The job is an argument in JSON; its result is printed in JSON. `perform`, which executors call,
starts such a process and waits for it.
"""

import errno
import hashlib
import json
import os
import platform
import shlex
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import Event
from typing import Any

from skolemate.ask import Answer, Verdict, deepen
from skolemate.ask.how import How
from skolemate.ask.qbf import VERDICTS
from skolemate.campaigns.row import SIZES, Job, Row, RunResult
from skolemate.encodings import Encoded, Unsupported, encode
from skolemate.errors import Disagreement, UserError
from skolemate.formula import Circuit, Formula
from skolemate.formula.files import parse_formula
from skolemate.formula.passes import tseitin
from skolemate.games import Player, Question
from skolemate.limits import Budget, Limit, Reason
from skolemate.solvers import PROGRAMS, Pipeline, Solved
from skolemate.solvers.pipeline import preprocess_by
from skolemate.solvers.process import run as run_process

GRACE = 30.0  # seconds that a process may take beyond its job's limit to begin and to end
NO_ROOM = 75  # the exit code of a process that cannot write its files
ROOM = 1 << 30  # bytes for building the formula, beside the solver's memory


def perform(job: Job, cancel: Event | None = None, memory: int | None = None) -> Row | None:
    """Run a job in a process of its own; None if it was cancelled.

    `memory` is the memory of this machine if that is less than the job's limit.
    """
    job = replace(job, memory=min(job.memory, memory or job.memory))
    told = json.dumps(asdict(job))
    command = [sys.executable, "-m", "skolemate.campaigns.job", told]
    limit = Limit(job.seconds + GRACE, job.memory + ROOM)
    outcome = run_process(command, Budget(limit, cancel))
    if outcome.stopped is Reason.CANCELLED:
        return None
    if outcome.stopped is not None:  # it was killed before it could print a result
        run = RunResult(outcome.stopped.value, "stopped while it was being stated")
    elif outcome.code == NO_ROOM:  # the disk is full: the next job would fail, too
        raise OSError(errno.ENOSPC, "no space is left for formulas", tempfile.gettempdir())
    elif outcome.code == 0:
        run = RunResult(**json.loads(outcome.stdout.splitlines()[-1]))
    else:
        run = RunResult("error", f"the process failed: {outcome.complaint()}")
    return signed(job, run)


def signed(job: Job, run: RunResult) -> Row:
    """A row with versions, machine and time."""
    return Row(
        job=job,
        run=run,
        version=version("skolemate"),
        programs=", ".join(f"{name} {_version(name)}" for name in job.programs),
        machine=machine(),
        finished=datetime.now(UTC).isoformat(timespec="seconds"),
    )


@cache
def _version(program: str) -> str:
    entry = PROGRAMS[program]
    version = entry.version(entry.require()) or "of unknown version"
    return f"{version} with {shlex.join(entry.options)}" if entry.options else version


@cache
def machine() -> str:
    """Processor, cores, memory and system, on which times depend."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        processor = next(x.partition(":")[2].strip() for x in lines if x.startswith("model name"))
    except (OSError, StopIteration):
        processor = platform.machine()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 30
    cores = os.cpu_count()
    return f"{processor}, {cores} cores, {memory} GB, {platform.system()} {platform.release()}"


# --- in the process -----------------------------------------------------------------------------


def main() -> None:
    job = Job(**json.loads(sys.argv[1]))
    try:
        run = perform_here(job, Budget(Limit(job.seconds, job.memory)))
    except Unsupported as error:
        run = RunResult("unsupported", str(error))
    except Disagreement as error:
        run = RunResult("error", f"TWO ANSWERS DISAGREE: {error}")
    except UserError as error:
        run = RunResult("error", str(error))
    except OSError as error:
        if error.errno == errno.ENOSPC:
            sys.exit(NO_ROOM)
        raise
    except MemoryError:
        run = RunResult(Reason.MEMORY.value, "stopped while it was being stated")
    print(json.dumps(asdict(run)))


def perform_here(job: Job, budget: Budget) -> RunResult:
    """Run a job in this process."""
    return _TASKS[job.task](job, budget)


def stated_by(job: Job) -> Formula:
    """The formula that a job asks about, as clauses."""
    if job.task != "formula":
        return encode(question_of(job), job.encoding or "", symmetry=job.symmetry).formula
    stated = parse_formula(job.content_read(), job.game)
    return tseitin(stated) if isinstance(stated, Circuit) else stated


def _solve(job: Job, budget: Budget) -> RunResult:
    question = question_of(job)
    if job.method != "qbf":
        return _answered(_how(job).method()(question, budget))
    assert job.pipeline is not None
    encoded, run = _stated(job, question, budget)
    solved = Pipeline.parse(job.pipeline).solve(encoded.stated, budget)
    proves = encoded.encoding.meaning.proof
    verdicts = {truth: VERDICTS[proves(truth)] for truth in (True, False)}
    proved = {truth: v.value for truth, v in verdicts.items() if v is not Verdict.UNKNOWN}
    return _solved(run, solved, proved)


def _solved(run: RunResult, solved: Solved, proved: Mapping[bool, str]) -> RunResult:
    """The result of a pipeline; `proved` says what a truth value proves, if anything."""
    reason = (solved.reason or Reason.ONE_SIDED).value
    return replace(
        run,
        status=reason if solved.truth is None else proved.get(solved.truth, reason),
        truth=solved.truth,
        detail=solved.message or "; ".join(solved.notes) or None,
        wall_seconds=solved.wall_seconds,
        cpu_seconds=solved.cpu_seconds,
        peak_bytes=solved.peak_bytes or None,
    )


def _settle(job: Job, budget: Budget) -> RunResult:
    game, player, how = job.load(), Player(job.player), _how(job)
    if how.in_turn:
        return _answered(how.alternation()(game, player, job.depth, budget))
    return _answered(deepen(how.method(), game, player, job.depth, budget))


def _how(job: Job) -> How:
    return How.parse(job.method, job.encoding, job.pipeline, symmetry=job.symmetry, jobs=1)


def _size(job: Job, budget: Budget) -> RunResult:
    return replace(_stated(job, question_of(job), budget)[1], status="DONE")


def _reduce(job: Job, budget: Budget) -> RunResult:
    assert job.pipeline is not None
    encoded, run = _stated(job, question_of(job), budget)
    begun = budget.wall_seconds
    step = preprocess_by(job.pipeline, encoded.formula, budget)
    run = replace(
        run,
        wall_seconds=budget.wall_seconds - begun,
        cpu_seconds=step.cpu_seconds,
        peak_bytes=step.peak_bytes or None,
    )
    if step.failure is not None:
        status = step.reason.value if step.reason else "solver_error"
        return replace(run, status=status, detail=step.failure)
    counted = sizes_of(step.reduced.formula)
    return replace(run, status="DONE", truth=step.reduced.truth, **counted)


def _formula(job: Job, budget: Budget) -> RunResult:
    assert job.pipeline is not None
    begun = budget.wall_seconds
    stated = parse_formula(job.content_read(), job.game)
    formula = tseitin(stated) if isinstance(stated, Circuit) else stated
    gates = stated.gate_count if isinstance(stated, Circuit) else None
    run = RunResult(
        Reason.TIME.value,
        encode_seconds=budget.wall_seconds - begun,
        formula=_hash(formula),
        **sizes_of(formula) | {"gates": gates},
    )
    solved = Pipeline.parse(job.pipeline).solve(stated, budget)
    return _solved(run, solved, {True: "TRUE", False: "FALSE"})


_TASKS = {
    "solve": _solve,
    "settle": _settle,
    "size": _size,
    "reduce": _reduce,
    "formula": _formula,
}


def question_of(job: Job) -> Question:
    game = job.load()
    if job.depth is None:
        raise UserError(f"{game} states no depth: give one, as in depths = [7]")
    return Question(game, Player(job.player), job.depth)


def _stated(job: Job, question: Question, budget: Budget) -> tuple[Encoded, RunResult]:
    """The formula of a question, and a result with its sizes."""
    assert job.encoding is not None
    begun = budget.wall_seconds
    encoded = encode(question, job.encoding, symmetry=job.symmetry)
    seconds = budget.wall_seconds - begun
    formula, counted = _hash(encoded.formula), sizes_of(encoded)
    run = RunResult(Reason.TIME.value, encode_seconds=seconds, formula=formula, **counted)
    return encoded, run


def sizes_of(stated: Encoded | Formula) -> dict[str, Any]:
    """The sizes of a formula, by names of columns."""
    sizes = stated.sizes
    return {name: getattr(sizes, name) for name in SIZES}


def _hash(formula: Formula) -> str:
    """A hash of a formula, independent of the program that built it."""
    hashed = hashlib.sha256()
    for block in formula.prefix:
        hashed.update(block.quantifier.value.encode() + block.variables.tobytes())
    hashed.update(formula.offsets.tobytes() + formula.literals.tobytes())
    return hashed.hexdigest()[:16]


def _answered(answer: Answer) -> RunResult:
    """The result of a job from an answer."""
    return RunResult(
        status=answer.reason.value if answer.reason else answer.verdict.value,
        detail=answer.detail,
        critical_depth=answer.critical_depth,
        wall_seconds=answer.wall_seconds,
        cpu_seconds=answer.cpu_seconds,
        peak_bytes=answer.peak_bytes or None,  # a short run may end before it is measured
    )


if __name__ == "__main__":
    main()
