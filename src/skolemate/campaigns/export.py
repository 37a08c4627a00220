"""The formulas of a suite (a file with questions) as a benchmark set for comparisons of solvers.

The form is that of the benchmarks of QBFGallery and QBFEVAL, two events that compare QBF solvers.
A folder for each encoding; a README with families and parameters; a manifest with truth and
hardness as far as known; checksums, references, licence, and the suite itself. The same suite gives
the same bytes on every machine, so that a set can be generated again and compared: `verify`.
"""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from skolemate.campaigns.job import question_of, sizes_of
from skolemate.campaigns.row import Job, Row, file_beside
from skolemate.campaigns.suite import Suite, parse_suite
from skolemate.encodings import Encoded, Meaning, Proof, Unsupported, encode
from skolemate.encodings.encoding import write_formula
from skolemate.errors import UserError, brief, reason
from skolemate.formats import files_of
from skolemate.formula.files import parse_formula, unpacked
from skolemate.limits import Budget, Limit
from skolemate.output import amount, temporary_folder, write_bytes, write_text
from skolemate.solvers import Pipeline

MANIFEST, SUMS, SUITE = "manifest.json", "SHA256SUMS", "suite.toml"
LONGEST = 100  # letters of a file's name
Stated = tuple[str | None, str | None, str, int | None, str | None, bool]
LICENCE = """All files here that Skolemate wrote are under the MIT licence, as Skolemate is:
https://opensource.org/license/mit
Games that the suite has as files of its own keep their licence.
"""


def export(
    suite: Suite, folder: str, rows: Iterable[Row] = (), tell: Callable[[str], None] = print
) -> int:
    """Write the set of a suite; returns the number of formulas.

    Truth values come from the suite and, with the seconds of solvers, from the rows of a store.
    """
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    answers: dict[Stated, list[Row]] = defaultdict(list)
    for row in rows:
        if row.run.truth is not None:
            answers[_stated(row.job)].append(row)
    entries, names, papers = [], set[str](), dict[str, str]()
    for job in _formulas(suite):
        try:
            encoded = encode(question_of(job), job.encoding or "", symmetry=job.symmetry)
        except Unsupported as unsupported:
            tell(f"left out: {unsupported}")
            continue
        if encoded.formula.constant is not None:
            tell(f"left out: {job} needs no solver")
            continue
        name = _name(job, names)
        names.add(name)
        papers[encoded.encoding.name] = encoded.encoding.paper
        entry = _Entry(job, encoded, answers[_stated(job)])
        entries += [entry.write(path, f"{name}.{kind}.gz") for kind in _kinds(encoded)]
        tell(entries[-1]["file"])
    manifest = {
        "suite": suite.name,
        "quick": suite.quick,
        "title": suite.title,
        "source": suite.source,
        "generator": f"Skolemate {version('skolemate')}",
        "files": entries,
    }
    texts = {
        MANIFEST: json.dumps(manifest, indent=1, ensure_ascii=False) + "\n",
        SUITE: suite.text,
        "README.md": "\n".join(_readme(suite, entries)) + "\n",
        "references.bib": "\n".join(_references(papers)),
        "LICENSE": LICENCE,
    }
    for file, text in texts.items():
        write_text(str(path / file), text)
    listed = sorted([*texts, *_games(suite, path), *(entry["file"] for entry in entries)])
    sums = (f"{hashlib.sha256((path / f).read_bytes()).hexdigest()}  {f}\n" for f in listed)
    write_text(str(path / SUMS), "".join(sums))
    return len(entries)


def _games(suite: Suite, folder: Path) -> set[str]:
    """Copy the games that are files of the suite, so that the set can be generated from itself.

    A file outside the suite's folder is not copied: the suite would not find it in the set.
    """
    copied = set()
    for job in suite.jobs:
        name = file_beside(job.game, job.folder) if job.content and job.task != "formula" else None
        if name is None or Path(name).is_absolute() or ".." in Path(name).parts:
            continue
        for file in files_of(str(Path(job.folder, name))):
            inside = str(Path(name).with_name(Path(file).name))
            (folder / inside).parent.mkdir(parents=True, exist_ok=True)
            write_bytes(str(folder / inside), Path(file).read_bytes())
            copied.add(inside)
    return copied


def _readme(suite: Suite, entries: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield f"# {suite.title}\n\n{suite.source}\n\n{suite.about}\n"
    yield f"{amount(len(entries), 'formula')} about games: can a player force a win within so many"
    yield "plies? A file is named family-parameters-depth-player-encoding. `manifest.json` has the"
    yield "question, the sizes and, as far as known, the truth value of each formula and the CPU"
    yield f"seconds of solvers; `{SUMS}` is for `sha256sum -c`. `skolemate bench verify` generates"
    yield f"the set again from `{SUITE}` and compares it.\n"
    yield "| family | encoding | formulas | true | false | depths | variables | clauses |"
    yield "|---|---|---|---|---|---|---|---|"
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for entry in entries:
        groups[entry["family"], entry["encoding"]].append(entry)
    for (family, encoding), group in sorted(groups.items()):
        truths = [entry["truth"] for entry in group]
        ranges = (
            f"{min(e[key] for e in group)}–{max(e[key] for e in group)}"
            for key in ("depth", "variables", "clauses")
        )
        counts = (len(group), truths.count(True), truths.count(False))
        yield f"| {' | '.join(map(str, (family, encoding, *counts, *ranges)))} |"


def _references(papers: dict[str, str]) -> Iterator[str]:
    """BibTeX: the paper of each encoding, and Skolemate."""
    for encoding, paper in sorted(papers.items()):
        key = re.sub(r"\W", "", encoding.replace("+", "plus"))
        match = re.fullmatch(r"(.+?): (.+), (\d{4})\.?", paper)
        if match is None:
            yield f"@misc{{{key},\n  note = {{{paper}}}\n}}\n"
            continue
        authors = " and ".join(re.split(r", | and ", match[1]))
        fields = f"author = {{{authors}}},\n  title = {{{match[2]}}},\n  year = {{{match[3]}}}"
        yield f"@misc{{{key},\n  {fields}\n}}\n"
    yield f"@software{{skolemate,\n  title = {{Skolemate {version('skolemate')}}}\n}}\n"


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
    """The folder and name of a file without its suffix."""
    family, parameters = _family(job)
    words = f"{family}-{parameters}-d{job.depth}-{job.player}-{job.encoding}"
    words += "-symmetry" if job.symmetry else ""
    name = re.sub(r"[^\w+]+", "-", words.replace("=", "")).strip("-")
    if len(name) > LONGEST or f"{job.encoding}/{name}" in taken:
        name = f"{name[: LONGEST - 17]}-{job.key}"
    return f"{job.encoding}/{name}"


def _family(job: Job) -> tuple[str, str]:
    """The family of a game and its parameters; of a file its name alone."""
    if job.content:
        return Path(job.game).stem, ""
    family, _, parameters = job.game.partition("(")
    return family, parameters.rstrip(")")


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
    """A formula for the manifest, with the rows of a store that have answered it."""

    job: Job
    encoded: Encoded
    answers: list[Row]

    def write(self, folder: Path, file: str) -> dict[str, Any]:
        (folder / file).parent.mkdir(exist_ok=True)
        write_formula(self.encoded, str(folder / file))
        truth = _known_truth(self.job, self.encoded.encoding.meaning)
        if truth is None and self.answers:
            truth = self.answers[-1].run.truth
        seconds = {row.job.pipeline: row.run.cpu_seconds for row in self.answers}
        return {
            "file": file,
            "sha256": _sum(folder / file),
            "truth": truth,
            "cpu_seconds": seconds,
            "family": _family(self.job)[0],
            "game": Path(self.job.game).name if self.job.content else self.job.game,
            "player": self.job.player,
            "depth": self.job.depth,
            "encoding": self.job.encoding,
            "symmetry": self.job.symmetry,
            "paper": self.encoded.encoding.paper,
            "one_sided": self.encoded.encoding.meaning is not Meaning.EXACT,
            **sizes_of(self.encoded),
        }


def _sum(file: Path) -> str:
    """The checksum of a formula's text, however it is packed."""
    return hashlib.sha256(unpacked(file.read_bytes(), file.name)).hexdigest()


# --- verifying ------------------------------------------------------------------------------------


def verify(
    folder: str, pipelines: Sequence[Pipeline] = (), budget: Budget | None = None
) -> Iterator[str]:
    """What is wrong with a set: files that differ from their checksums, or from those generated
    again; formulas about which a pipeline contradicts the manifest or another pipeline.
    """
    path = Path(folder)
    manifest = _manifest(path)
    for entry in manifest["files"]:
        yield from _differences(path, entry)
    there = {str(file.relative_to(path)) for file in path.rglob("*.gz")}
    for extra in sorted(there - {entry["file"] for entry in manifest["files"]}):
        yield f"{extra}: not in {MANIFEST}"
    yield from _generated_again(path, manifest)
    for entry in manifest["files"]:
        yield from _answered(path, entry, pipelines, (budget or Budget()).limit)


def _manifest(path: Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        for entry in manifest["files"]:
            Path(entry["file"]), entry["sha256"], entry["truth"]
        manifest["suite"], manifest["quick"]
    except OSError as error:
        raise UserError(
            f"{brief(str(path), 200)} is not a benchmark set: {reason(error)}"
        ) from None
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{path / MANIFEST} is damaged: write the set again") from None
    return manifest


def _differences(path: Path, entry: dict[str, Any]) -> Iterator[str]:
    try:
        if _sum(path / entry["file"]) != entry["sha256"]:
            yield f"{entry['file']}: differs from its checksum in {MANIFEST}"
    except (OSError, UserError) as error:
        yield f"{entry['file']}: {reason(error) if isinstance(error, OSError) else error}"


def _generated_again(path: Path, manifest: dict[str, Any]) -> Iterator[str]:
    """Compare with a set that is generated now from the suite in the pack."""
    with temporary_folder() as fresh:
        try:
            text = (path / SUITE).read_text(encoding="utf-8")
            suite = parse_suite(manifest["suite"], text, manifest["quick"], path)
            export(suite, fresh, tell=lambda words: None)
        except (OSError, ValueError, UserError) as error:
            yield f"{SUITE}: cannot be generated again: {error}"
            return
        ours = {entry["file"]: entry["sha256"] for entry in _manifest(Path(fresh))["files"]}
    theirs = {entry["file"]: entry["sha256"] for entry in manifest["files"]}
    for file in sorted(ours.keys() | theirs.keys()):
        if file not in theirs or file not in ours:
            yield f"{file}: {'missing' if file in ours else 'not one of this suite'}"
        elif ours[file] != theirs[file]:
            yield f"{file}: differs from the formula that is generated from {SUITE}"


def _answered(
    path: Path, entry: dict[str, Any], pipelines: Sequence[Pipeline], limit: Limit
) -> Iterator[str]:
    """Solve a formula by some pipelines, and compare with what the manifest says."""
    file = entry["file"]
    try:
        stated = parse_formula((path / file).read_bytes(), file) if pipelines else None
    except (OSError, UserError):
        return  # told already, or its text is not even a formula: see its checksum
    known = {"the manifest": entry["truth"]} if entry["truth"] is not None else {}
    for pipeline in pipelines:
        assert stated is not None
        solved = pipeline.solve(stated, Budget(limit))
        if solved.truth is None:
            why = solved.message or (solved.reason.value if solved.reason else "no answer")
            yield f"{file}: not solved by {pipeline}: {why}"
            continue
        for other, truth in known.items():
            if truth is not solved.truth:
                yield f"{file}: {pipeline} says {solved.truth}, {other} says {truth}".lower()
        known[str(pipeline)] = solved.truth
