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
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
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
from skolemate.output import amount
from skolemate.solvers.process import run as run_process
from skolemate.strategies import check_file

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

    def __str__(self) -> str:
        """One line for people."""
        who = self.player.capitalize()
        if self.verdict == "WIN":
            how = "in" if self.exact else "within"
            known = f"{who} wins {how} {self.depth}"
        elif self.verdict == "NO_WIN":
            known = f"{who} does not win"
        else:
            known = "open" if self.refuted is None else f"open, no win within {self.refuted}"
        if self.proof is not None:
            known += f", {amount(self.nodes or 0, 'node')}"
        return f"{self.game}: {known}{f' ({self.why})' if self.why else ''}"


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
        cancel: Event | None = None,
        tell: Callable[[Finding], None] = lambda finding: None,
    ) -> None:
        """Ask the open ones of some entries, each within the limit, and keep what is found."""
        cancel = cancel or Event()
        for folder in (self.proofs, self.unfinished):
            folder.mkdir(parents=True, exist_ok=True)
        known = self.findings()
        todo = [known.get(entry, Finding(*entry)) for entry in dict.fromkeys(asked)]
        with open(self.index, "ab") as stream, ThreadPoolExecutor(jobs) as pool:
            try:
                # Not lockf, whose lock ends when the same process has read the file.
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise UserError(f"another process is filling {brief(str(self.folder))}") from None
            if stream.tell() and not self.index.read_bytes().endswith(b"\n"):
                stream.write(b"\n")  # ends a line that was only half written
            futures = [
                pool.submit(settle, finding, self.folder, limit, cancel)
                for finding in todo
                if finding.is_open
            ]
            try:
                for future in completed(futures):
                    found = future.result()
                    if found is not None:
                        stream.write(json.dumps(asdict(found)).encode() + b"\n")
                        stream.flush()
                        os.fsync(stream.fileno())
                        tell(found)
            except BaseException:
                cancel.set()
                raise
            finally:
                pool.shutdown(cancel_futures=True)

    def check(self, asked: Iterable[Entry] | None = None) -> Iterator[tuple[Finding, str | None]]:
        """Check the proofs again; each finding that has one, with what is wrong, if anything."""
        chosen = None if asked is None else set(asked)
        for entry, finding in self.findings().items():
            if finding.proofs and (chosen is None or entry in chosen):
                wrong = (self._wrong(finding, *pair) for pair in finding.proofs.items())
                yield finding, next(filter(None, wrong), None)

    def file(self, proof: str) -> Path:
        """The file of a proof."""
        return self.proofs / f"{proof}.jsonl"

    def _wrong(self, finding: Finding, proof: str, claim: str) -> str | None:
        file = self.file(proof)
        if not file.is_file():
            return f"{file.name} is missing"
        if _sha256(file) != proof:
            return f"{file.name} does not have the content that its name states"
        try:
            report = check_file(file, load(finding.game), claim)
        except UserError as error:
            return str(error)
        return None if report.holds else f"{file.name} does not hold: {report.failure}"


# --- the least boards -----------------------------------------------------------------------------


class Boards(NamedTuple):
    """What is proved about a shape by the side of a square board: wins, no wins, open ones."""

    wins: dict[int, Finding]
    losses: dict[int, Finding]
    open: dict[int, Finding]

    @property
    def least(self) -> str:
        """The least board with a win and its plies; an open one below it is named."""
        if not self.wins:
            return ""
        side, win = min(self.wins.items())
        below = [self._open(other) for other in self.open if other < side]
        how = "in" if win.sooner else "within"
        return ", ".join((f"{side}x{side} {how} {win.depth}", *below))

    @property
    def largest_without(self) -> str:
        """The largest board without a win; the open ones are named if there is no win."""
        largest = [f"{max(self.losses)}x{max(self.losses)}"] if self.losses else []
        opened = [] if self.wins else map(self._open, self.open)
        return ", ".join((*largest, *opened))

    def _open(self, side: int) -> str:
        finding = self.open[side]
        known = finding.verdict != "UNKNOWN"
        return f"{side}x{side} {'without proof' if known else f'open beyond {finding.refuted}'}"


def boards(
    findings: Mapping[Entry, Finding], shape: object, torus: bool, weak: bool
) -> Boards | None:
    """What is proved about a shape; None if nothing was asked."""
    sides = {
        side: finding
        for side in range(3, 8)
        for section in (f"{side}x{side}", "hexominoes")
        if (finding := findings.get(Entry(section, shape_game(shape, side, torus, weak))))
    }
    proved = {side: finding for side, finding in sides.items() if finding.proof is not None}
    wins = {side: finding for side, finding in proved.items() if finding.verdict == "WIN"}
    losses = {side: finding for side, finding in proved.items() if side not in wins}
    opened = {side: finding for side, finding in sides.items() if side not in proved}
    return Boards(wins, losses, opened) if sides else None


def least_boards(findings: Mapping[Entry, Finding]) -> Iterator[tuple[str, ...]]:
    """For every shape, kind of board and kind of game: the least board with a win, and the largest
    that is proved to have none."""
    shapes = (shape for cells in range(1, 7) for shape in polyominoes(cells))
    for shape, (torus, weak) in product(shapes, KINDS):
        known = boards(findings, shape, torus, weak)
        if known is not None:
            kind = ("torus" if torus else "board", "weak" if weak else "strong")
            yield str(shape), *kind, known.least, known.largest_without


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
            proof, nodes = _proved(search, answer, folder, budget)
            found = replace(found, proof=proof, nodes=nodes)
        if found.exact and answer.verdict is Verdict.WIN:
            # The opponent holds out until then.
            held = Answer(game, player, answer.depth - 1, Verdict.NO_WIN, "search")
            found = replace(found, sooner=_proved(search, held, folder, budget)[0])
    except Unproved as unproved:
        found = replace(found, why=f"no strategy within the limit of {unproved.reason.value}")
    # A slower win that is proved is better than a quicker one that is not.
    return replace(known, why=found.why) if known.proof and not found.proof else found


def _proved(search: Search, answer: Answer, folder: Path, budget: Budget) -> tuple[str, int]:
    """Extract, check and keep a strategy; its hash and its nodes."""
    claim = answer.claim
    name = f"{claim.content[:32]}-{claim.verdict}-{claim.depth}-{claim.player.value}.jsonl"
    file = folder / "unfinished" / name
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
