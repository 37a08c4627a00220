"""The atlas: who wins which small game and how fast, every entry with a checked strategy.

A folder has the index, `atlas.jsonl`, one line for each entry that was asked, and `proofs`, where a
strategy's file is called by the SHA-256 of its content. A proof is complete before the line that
names it is written, so an atlas that is killed loses nothing but what was running.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from threading import Event
from typing import Literal, NamedTuple

from skolemate.ask import Answer, Verdict, deepen
from skolemate.ask.proving import Unproved, prove_by_search
from skolemate.ask.search import Search
from skolemate.errors import Disagreement, UserError, brief, suggestion
from skolemate.games import Player
from skolemate.games.goals import fitting, polyominoes
from skolemate.games.symmetry import orbits
from skolemate.limits import Budget, Limit, Reason, completed
from skolemate.loading import load
from skolemate.output import amount, temporary_folder, write_bytes
from skolemate.solvers.process import run as run_process
from skolemate.strategies import Report, check_file

# --- what is asked --------------------------------------------------------------------------------
# Each section lists games; the question is always whether the player, by default the first, wins.


class Entry(NamedTuple):
    """A question of the atlas: does the player win this game, and how fast?"""

    section: str
    game: str
    player: str = "black"


KINDS = tuple(product((False, True), (False, True)))  # on a torus, weak


def shape_game(shape: object, side: int, torus: bool, weak: bool) -> str:
    """
    >>> shape_game("el", 3, torus=True, weak=False)
    'harary(shape=el, width=3, height=3, torus=true)'
    """
    more = ", torus=true" * torus + ", maker_breaker=true" * weak
    return f"harary(shape={shape}, width={side}, height={side}{more})"


def _shapes(side: int, cells: int, tori: bool = True) -> Iterator[str]:
    for (torus, weak), shape in product(KINDS, fitting(side, range(1, cells + 1))):
        if tori or not torus:
            yield shape_game(shape, side, torus, weak)


def _larger_hexominoes() -> Iterator[str]:
    for weak, shape in product((True, False), polyominoes(6)):
        yield shape_game(shape, 6, False, weak)


def _weak_and_strong(*games: str) -> Iterator[str]:
    for game in games:
        yield f"{game[:-1]}, maker_breaker=true)"
        yield game


def _gttt() -> Iterator[str]:
    for (p, q), shape in product(((2, 1), (2, 2)), fitting(5, range(1, 6))):
        yield f"gttt(p={p}, q={q}, shape={shape}, width=5, height=5)"


def _mnk() -> Iterator[str]:
    for k, n, m in product(range(3, 6), range(3, 9), range(3, 9)):
        if k <= m and n <= m:
            yield from _weak_and_strong(f"mnk(m={m}, n={n}, k={k})")


def _hex() -> Iterator[str]:
    """Every first move up to symmetry, on boards up to 5x5."""
    for size in range(2, 6):
        empty = f"hex(size={size})"
        yield empty
        board = load(empty)
        for alike in orbits(board.board.size, board.symmetries):
            yield f"hex(size={size}, moves={board.board.names[alike[0]]})"


def _domineering() -> Iterator[str]:
    for height, width in product(range(2, 7), repeat=2):
        yield f"domineering(width={width}, height={height})"
    for side in (7, 8):
        yield f"domineering(width={side}, height={side})"


SECTIONS: dict[str, Callable[[], Iterable[str]]] = {
    "3x3": lambda: _shapes(3, 6),
    "4x4": lambda: _shapes(4, 6),
    "5x5": lambda: _shapes(5, 6),
    "6x6": lambda: _shapes(6, 5, tori=False),
    "mnk": _mnk,
    "cubes": lambda: _weak_and_strong(*(f"cube(n={n}, d=3)" for n in range(2, 9))),
    "hex": _hex,
    "domineering": _domineering,
    "sim": lambda: ("sim(n=5)", "sim(n=6)"),
    "planes": lambda: _weak_and_strong(
        *(f"plane(q={q}, kind=affine)" for q in (2, 3, 4, 5)),
        *(f"plane(q={q}, kind=projective)" for q in (2, 3, 4)),
    ),
    "gttt": _gttt,
    "7x7": lambda: _shapes(7, 5, tori=False),
    "hexominoes": _larger_hexominoes,
}
BOTH = ("sim",)  # sections in which the second player may win: both are asked about


def entries(only: Iterable[str] = ()) -> list[Entry]:
    """The entries of some sections, or whose game has some words in its name; by default all.

    >>> entries(["sim"])[1]
    Entry(section='sim', game='sim(n=5)', player='white')
    >>> len(entries(["shape=tippy, width=3"]))
    4
    """
    listed, chosen = _listed(), set(only)
    for word in chosen - SECTIONS.keys():
        if not any(word in entry.game for entry in listed):
            near = suggestion(word, SECTIONS)
            raise UserError(f"{brief(word)} is neither a section nor part of a game's name: {near}")
    return [
        entry
        for entry in listed
        if not chosen
        or entry.section in chosen
        or any(word in entry.game for word in chosen - SECTIONS.keys())
    ]


@cache
def _listed() -> tuple[Entry, ...]:
    return tuple(
        Entry(section, game, player)
        for section, games in SECTIONS.items()
        for game in games()
        for player in (("black", "white") if section in BOTH else ("black",))
    )


# --- what is found --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    """What is known about an entry: a line of the index.

    `depth` is the plies of the verdict: of the win, or of the whole game if there is none;
    `refuted` the plies within which a win is excluded. `proof` proves the verdict,
    `sooner` that a win takes no fewer plies. Both are hashes; what has no hash is not proved.
    """

    section: str
    game: str
    player: str
    verdict: Literal["WIN", "NO_WIN", "UNKNOWN"] = "UNKNOWN"
    depth: int | None = None
    refuted: int | None = None
    proof: str | None = None
    sooner: str | None = None
    nodes: int | None = None  # of the proof
    why: str | None = None  # it is open
    cpu_seconds: float = 0.0  # of all runs

    @property
    def entry(self) -> Entry:
        return Entry(self.section, self.game, self.player)

    @property
    def exact(self) -> bool:
        """Whether the win is known to take no fewer plies."""
        return self.depth is not None and self.refuted == self.depth - 1

    @property
    def is_open(self) -> bool:
        """Whether a part of it is not proved."""
        return self.proof is None or (self.verdict == "WIN" and self.sooner is None)

    @property
    def proofs(self) -> dict[str, str]:
        """The proofs, each with its claim in words, as `check --expect` takes it."""
        sooner = f"NO_WIN {(self.depth or 0) - 1} {self.player}"
        claims = {self.proof: f"{self.verdict} {self.depth} {self.player}", self.sooner: sooner}
        return {proof: claim for proof, claim in claims.items() if proof is not None}

    @property
    def result(self) -> str:
        """What is known, in words."""
        who = self.player.capitalize()
        if self.verdict == "WIN":
            return f"{who} wins {'in' if self.exact else 'within'} {self.depth}"
        if self.verdict == "NO_WIN":
            return f"{who} does not win"
        return "open" if self.refuted is None else f"open, no win within {self.refuted}"

    def __str__(self) -> str:
        """One line for people."""
        nodes = "" if self.proof is None else f", {amount(self.nodes or 0, 'node')}"
        return f"{self.game}: {self.result}{nodes}{f' ({self.why})' if self.why else ''}"


class Atlas:
    """A folder with an index and proofs; only one process at a time adds to it."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self.index, self.proofs = self.folder / "atlas.jsonl", self.folder / "proofs"
        self.unfinished = self.folder / "unfinished"

    def findings(self) -> dict[Entry, Finding]:
        """What is known, by entry; of several lines about one, the last holds."""
        if not self.index.is_file():
            return {}
        known = {}
        for line in self.index.read_text(encoding="utf-8").splitlines():
            with suppress(ValueError, TypeError):  # a line that was only half written
                finding = Finding(**json.loads(line))
                known[finding.entry] = finding
        return known

    def fill(
        self,
        asked: Iterable[Entry],
        *,
        limit: Limit,
        jobs: int = 1,
        cluster: str | None = None,
        cancel: Event | None = None,
        tell: Callable[[Finding], None] = lambda finding: None,
    ) -> None:
        """Ask the open ones of some entries, each within the limit, and keep what is found.

        So many `jobs` run at a time here, or else on the workers of a Dask scheduler, `cluster`.
        """
        cancel = cancel or Event()
        for folder in (self.proofs, self.unfinished):
            folder.mkdir(parents=True, exist_ok=True)
        known = self.findings()
        listed = (known.get(entry, Finding(*entry)) for entry in dict.fromkeys(asked))
        pending = [finding for finding in listed if finding.is_open]
        with open(self.index, "ab") as stream:
            try:
                # Not lockf, whose lock ends when the same process has read the file.
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise UserError(f"another process is filling {brief(str(self.folder))}") from None
            if stream.tell() and not self.index.read_bytes().endswith(b"\n"):
                stream.write(b"\n")  # ends a line that was only half written
            if cluster is None:
                settled = self._settled_here(pending, limit, jobs, cancel)
            else:
                settled = self._settled_there(pending, limit, cluster, cancel)
            with closing(settled):
                for found in settled:
                    stream.write(json.dumps(asdict(found)).encode() + b"\n")
                    stream.flush()
                    os.fsync(stream.fileno())
                    tell(found)

    def _settled_here(
        self, pending: list[Finding], limit: Limit, jobs: int, cancel: Event
    ) -> Generator[Finding, None, None]:
        with ThreadPoolExecutor(jobs) as pool:
            try:
                futures = [pool.submit(settle, one, self.folder, limit, cancel) for one in pending]
                for future in completed(futures):
                    found = future.result()
                    if found is not None:
                        yield found
            except BaseException:
                cancel.set()
                raise
            finally:
                pool.shutdown(cancel_futures=True)

    def _settled_there(
        self, pending: list[Finding], limit: Limit, address: str, cancel: Event
    ) -> Generator[Finding, None, None]:
        from skolemate.campaigns.runner import Cluster

        calls = [(known, limit) for known in pending]
        for place, settled, error in Cluster(address).results(_settle_on_worker, calls, cancel):
            if error is not None:
                yield replace(pending[place], why=f"{FAILED}on the cluster: {error}")
            elif settled is not None:
                found, proofs = settled
                for proof, content in proofs.items():
                    write_bytes(str(self.file(proof)), content)
                    with open(self.file(proof), "rb") as written:
                        os.fsync(written.fileno())
                yield found

    def check(self, asked: Iterable[Entry] | None = None) -> Iterator[tuple[Finding, str | None]]:
        """Check the proofs again; each finding that has one, with what is wrong, if anything."""
        chosen = None if asked is None else set(asked)
        for entry, finding in self.findings().items():
            if finding.proofs and (chosen is None or entry in chosen):
                yield finding, self._wrong(finding)

    def file(self, proof: str) -> Path:
        """The file of a proof."""
        return self.proofs / f"{proof}.jsonl"

    def checked(self, finding: Finding, proof: str) -> tuple[Report, bytes]:
        """The report on one of a finding's proofs, and the file's content; an error if it does
        not hold."""
        file, claim = self.file(proof), finding.proofs[proof]
        if not file.is_file():
            raise UserError(f"{finding.game}: {file.name} is missing")
        content = file.read_bytes()
        if hashlib.sha256(content).hexdigest() != proof:
            wrong = "does not have the content that its name states"
            raise UserError(f"{finding.game}: {file.name} {wrong}")
        report = check_file(file, load(finding.game), claim)
        if not report.holds:
            raise UserError(f"{finding.game}: {file.name} does not hold: {report.failure}")
        return report, content

    def _wrong(self, finding: Finding) -> str | None:
        try:
            for proof in finding.proofs:
                self.checked(finding, proof)
        except UserError as error:
            return str(error)
        return None


# --- one entry, in a process of its own -----------------------------------------------------------


FAILED = "error: "  # how the reason begins if a process failed, which is a defect
GRACE = 30.0  # seconds that a process may take beyond its limit to begin and to end
ROOM = 1 << 30  # bytes beside those that the budget counts


def settle(known: Finding, folder: Path, limit: Limit, cancel: Event) -> Finding | None:
    """Ask about an entry in a process of its own; None if that was cancelled."""
    if cancel.is_set():
        return None
    told = json.dumps([asdict(known), str(folder), limit.seconds, limit.memory])
    seconds = None if limit.seconds is None else limit.seconds + GRACE
    memory = None if limit.memory is None else limit.memory + ROOM
    command = [sys.executable, "-m", "skolemate.campaigns.atlas", told]
    outcome = run_process(command, Budget(Limit(seconds, memory), cancel))
    if outcome.stopped is Reason.CANCELLED:
        return None
    found = known
    if outcome.stopped is not None:  # it was killed before it could print a result
        found = replace(known, why=outcome.stopped.value)
    elif outcome.code == 0:
        found = Finding(**json.loads(outcome.stdout.splitlines()[-1]))
    else:
        found = replace(known, why=f"{FAILED}{outcome.complaint()}")
    cpu = round(known.cpu_seconds + outcome.cpu_seconds, 2)
    return replace(found, cpu_seconds=cpu)


def _settle_on_worker(known: Finding, limit: Limit) -> tuple[Finding, dict[str, bytes]] | None:
    """Ask about an entry on a worker, in a folder of its own: the finding, and its new proofs."""
    from skolemate.campaigns.runner import on_this_worker

    withdrawn, share = on_this_worker()
    if share is not None:
        limit = replace(limit, memory=min(share, limit.memory or share))
    with temporary_folder() as name:
        folder = Path(name)
        for part in ("proofs", "unfinished"):
            (folder / part).mkdir()
        found = settle(known, folder, limit, withdrawn)
        proofs = {file.stem: file.read_bytes() for file in (folder / "proofs").iterdir()}
        return None if found is None else (found, proofs)


def settle_here(known: Finding, folder: Path, budget: Budget) -> Finding:
    """Ask about an entry in this process, and prove the answer.

    An answer that an earlier run has found is not looked for again, and its strategy goes on from
    where it was.
    """
    game, player, search = load(known.game), Player(known.player), Search(jobs=1)
    if known.verdict == "NO_WIN" or (known.verdict == "WIN" and known.exact):
        never = known.verdict == "NO_WIN"
        answer = Answer(
            game, player, known.depth or 0, Verdict(known.verdict), "search", every_depth=never
        )
    else:
        answer = deepen(search, game, player, budget=budget)
    found = Finding(
        *known.entry,
        verdict=answer.verdict.value,
        depth=None if answer.verdict is Verdict.UNKNOWN else answer.settled_depth,
        refuted=known.refuted if answer.refuted_depth is None else answer.refuted_depth,
        why=answer.reason.value if answer.reason else None,
    )
    if (found.verdict, found.depth) == (known.verdict, known.depth):
        found = replace(found, proof=known.proof, nodes=known.nodes)
    try:
        if found.proof is None and answer.verdict is not Verdict.UNKNOWN:
            proof, nodes = _proved(search, answer, known.entry, folder, budget)
            found = replace(found, proof=proof, nodes=nodes)
        if found.exact and answer.verdict is Verdict.WIN:
            # The opponent holds out until then.
            held = Answer(game, player, answer.depth - 1, Verdict.NO_WIN, "search")
            found = replace(found, sooner=_proved(search, held, known.entry, folder, budget)[0])
    except Unproved as unproved:
        missing = "an earlier win is not excluded" if found.proof else "not proved"
        found = replace(found, why=f"{missing}: {unproved.reason.value}")
    # A slower win that is proved is better than a quicker one that is not.
    return replace(known, why=found.why) if known.proof and not found.proof else found


def _proved(
    search: Search, answer: Answer, entry: Entry, folder: Path, budget: Budget
) -> tuple[str, int]:
    """Extract, check and keep a strategy; its hash and its nodes.

    The unfinished file is the entry's own: another entry with the same content, such as another
    shape on a small torus, may be proved at the same time.
    """
    claim = answer.claim
    asked = hashlib.sha256("\n".join((*entry, claim.content)).encode()).hexdigest()
    file = folder / "unfinished" / f"{asked[:32]}-{claim.verdict}-{claim.depth}.jsonl"
    prove_by_search(search, answer, file, budget, fold=True)
    report = check_file(file, expected=claim)
    if not report.holds:
        raise Disagreement(f"{claim}: {report.failure}")
    with open(file, "rb") as stream:
        os.fsync(stream.fileno())
    proof = _sha256(file)
    os.replace(file, folder / "proofs" / f"{proof}.jsonl")
    return proof, report.nodes


def _sha256(file: Path) -> str:
    with open(file, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def main() -> None:
    known, folder, seconds, memory = json.loads(sys.argv[1])
    found = settle_here(Finding(**known), Path(folder), Budget(Limit(seconds, memory)))
    print(json.dumps(asdict(found)))


if __name__ == "__main__":
    main()
