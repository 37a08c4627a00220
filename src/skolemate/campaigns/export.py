"""A suite as a benchmark set for people who build solvers: formulas, and a manifest.

The same suite gives the same bytes on every machine. Truth values come from the suite and, if a
store is given, from its answers.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from skolemate.campaigns.job import question_of, sizes_of
from skolemate.campaigns.row import Job, Row
from skolemate.campaigns.suite import Suite
from skolemate.encodings import Encoded, Meaning, Proof, Unsupported, encode
from skolemate.encodings.encoding import write_formula
from skolemate.output import write_text

MANIFEST = "manifest.json"
LONGEST = 100  # letters of a file's name
Stated = tuple[str | None, str | None, str, int | None, str | None, bool]


def export(
    suite: Suite, folder: str, rows: Iterable[Row] = (), tell: Callable[[str], None] = print
) -> int:
    """Write the formulas of a suite and their manifest; returns the number of formulas."""
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    truths = {_stated(row.job): row.run.truth for row in rows if row.run.truth is not None}
    entries, names = [], set[str]()
    for job in _formulas(suite):
        try:
            encoded = encode(question_of(job), job.encoding or "", symmetry=job.symmetry)
        except Unsupported as unsupported:
            tell(f"left out: {unsupported}")
            continue
        if encoded.formula.constant is not None:
            tell(f"left out: {job} is decided without a solver")
            continue
        name = _name(job, names)
        names.add(name)
        truth = _known_truth(job, encoded.encoding.meaning)
        known = truths.get(_stated(job)) if truth is None else truth
        entries += [_Entry(job, encoded, known).write(path, f"{name}.{s}") for s in _kinds(encoded)]
        tell(entries[-1]["file"])
    manifest = {
        "suite": suite.name,
        "title": suite.title,
        "source": suite.source,
        "generator": f"Skolemate {version('skolemate')}",
        "files": entries,
    }
    write_text(str(path / MANIFEST), json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
    return len(entries)


def _formulas(suite: Suite) -> list[Job]:
    """One job for every formula: pipelines and limits do not matter here."""
    jobs: dict[Stated, Job] = {}
    for job in suite.jobs:
        if job.encoding is not None and job.task != "settle" and job.depth is not None:
            before = jobs.get(_stated(job))
            if before is None or "verdict" not in before.known:
                jobs[_stated(job)] = job
    return list(jobs.values())


def _stated(job: Job) -> Stated:
    return *job.question, job.depth, job.encoding, job.symmetry


def _name(job: Job, taken: set[str]) -> str:
    game = Path(job.game).name if job.content else job.game
    words = f"{game}-{job.player}-d{job.depth}-{job.encoding}"
    words += "-symmetry" if job.symmetry else ""
    name = re.sub(r"[^\w+]+", "-", words.replace("=", "")).strip("-")
    if len(name) > LONGEST or name in taken:
        name = f"{name[: LONGEST - 17]}-{job.key}"
    return name


def _kinds(encoded: Encoded) -> tuple[str, ...]:
    return ("qdimacs",) if encoded.circuit is None else ("qdimacs", "qcir")


def _known_truth(job: Job, meaning: Meaning) -> bool | None:
    """The truth value of the formula, if it follows from the known answer."""
    verdict = job.known.get("verdict")
    if verdict is None:
        return None
    if meaning is Meaning.EXACT:
        return verdict == "WIN"
    proof = meaning.proof(True)
    contradicted = (proof is Proof.WIN) is (verdict == "NO_WIN")
    return False if contradicted else None  # a one-sided formula may also miss a proof


@dataclass(frozen=True)
class _Entry:
    """A formula and its truth value for the manifest."""

    job: Job
    encoded: Encoded
    truth: bool | None

    def write(self, folder: Path, file: str) -> dict[str, Any]:
        write_formula(self.encoded, str(folder / file))
        game = Path(self.job.game).name if self.job.content else self.job.game
        return {
            "file": file,
            "sha256": hashlib.sha256((folder / file).read_bytes()).hexdigest(),
            "truth": self.truth,
            "game": game,
            "player": self.job.player,
            "depth": self.job.depth,
            "encoding": self.job.encoding,
            "symmetry": self.job.symmetry,
            "paper": self.encoded.encoding.paper,
            "one_sided": self.encoded.encoding.meaning is not Meaning.EXACT,
            **sizes_of(self.encoded),
        }
