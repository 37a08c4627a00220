"""What the server keeps: a limited number of runs, and a folder of uploads and strategies.

A run that has ended is kept for a while, so that the page can fetch its result. A run that nobody
asks about any more is stopped: a browser may be closed without sending anything.
"""

import hashlib
import json
import os
import re
import sys
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any
from uuid import uuid4

from skolemate.errors import Disagreement, UserError, brief, reason
from skolemate.formats import is_domain, parse_game
from skolemate.games.family import FAMILIES, apply_setup, build, split_name
from skolemate.games.game import Game, Player
from skolemate.output import temporary_folder
from skolemate.play.web import words
from skolemate.strategies import Strategy
from skolemate.strategies.claim import Claim, content
from skolemate.strategies.lines import Reader, opened

KEPT = 100  # ended runs whose results can still be fetched
MOST_EVENTS = 200  # of a run; the oldest are dropped
SHUTDOWN_SECONDS = 5.0
PATIENCE = 150.0  # seconds without a request, after which a run is stopped (a request may set it)
FIRST = 30.0  # the same before the first request

State = str  # one of the next
WAITING, RUNNING, DONE, FAILED, CANCELLED = "waiting", "running", "done", "failed", "cancelled"
STATES = (WAITING, RUNNING, DONE, FAILED, CANCELLED)


class Busy(Exception):
    """The pool and its queue are full."""


@dataclass
class PageRun:
    """One piece of work. Only its own thread writes here; every thread may read."""

    kind: str
    id: str = field(default_factory=lambda: uuid4().hex)
    state: State = WAITING
    events: list[dict[str, Any]] = field(default_factory=list)
    result: dict[str, Any] | None = None
    error: str | None = None
    cancel: Event = field(default_factory=Event)
    ended: Event = field(default_factory=Event)
    started: float | None = None
    seconds: float | None = None  # from start to end
    patience: float = PATIENCE
    asked_about: float = field(default_factory=time.monotonic)

    def tell(self, **event: Any) -> None:
        """Add an event for the page to show."""
        self.events = [*self.events[1 - MOST_EVENTS :], event]

    def as_json(self) -> dict[str, Any]:
        running = None if self.started is None else time.monotonic() - self.started
        return {
            "id": self.id,
            "kind": self.kind,
            "state": self.state,
            "seconds": self.seconds if self.seconds is not None else running,
            "events": self.events,
            "result": self.result,
            "error": self.error,
        }


def defect(error: Exception) -> str:
    """The message about an unexpected error."""
    return f"an error in Skolemate itself ({type(error).__name__}); please report it"


Work = Callable[[PageRun], dict[str, Any]]


class Pool:
    """At most `at_a_time` runs at once and `waiting` more in a queue."""

    def __init__(self, at_a_time: int, waiting: int, patience: float = PATIENCE) -> None:
        self._threads = ThreadPoolExecutor(at_a_time, "run")
        self._most = at_a_time + waiting
        self._active: dict[str, PageRun] = {}
        self._ended: OrderedDict[str, PageRun] = OrderedDict()
        self._lock = Lock()
        self._patience = patience
        self._closed = Event()
        Thread(target=self._forget, daemon=True).start()

    def start(self, kind: str, work: Work) -> PageRun:
        """Start a run, or let it wait for its turn; raises Busy."""
        run = PageRun(kind, patience=min(FIRST, self._patience))
        with self._lock:
            if len(self._active) >= self._most:
                raise Busy(f"{self._most} runs are under way or waiting; try again in a moment")
            self._active[run.id] = run
        self._threads.submit(self._carry_out, run, work)
        return run

    def find(self, name: str, patience: float | None = None) -> PageRun | None:
        """A run by its name; `patience` sets after how many seconds without a request it stops."""
        with self._lock:
            run = self._active.get(name) or self._ended.get(name)
        if run is not None:
            run.patience = patience or self._patience
            run.asked_about = time.monotonic()
        return run

    def _forget(self) -> None:
        """Stop the runs that nobody asks about, until the pool is closed."""
        while not self._closed.wait(min(1.0, self._patience / 10)):
            with self._lock:
                runs = list(self._active.values())
            for run in runs:
                if time.monotonic() - run.asked_about > run.patience:
                    run.cancel.set()

    def close(self) -> None:
        """Stop everything; solvers end with the runs that started them."""
        self._closed.set()
        with self._lock:
            runs = list(self._active.values())
        for run in runs:
            run.cancel.set()
        self._threads.shutdown(wait=False, cancel_futures=True)
        end = time.monotonic() + SHUTDOWN_SECONDS
        for run in runs:
            if run.started is not None:
                run.ended.wait(max(0.0, end - time.monotonic()))

    def _carry_out(self, run: PageRun, work: Work) -> None:
        run.started = time.monotonic()
        try:
            if not run.cancel.is_set():
                run.state = RUNNING
                run.result = work(run)
            run.state = CANCELLED if run.cancel.is_set() else DONE
        except UserError as error:
            run.error, run.state = str(error), FAILED
        except Disagreement as error:
            run.error, run.state = f"TWO ANSWERS DISAGREE: {error}", FAILED
        except (MemoryError, RecursionError):
            run.error, run.state = "not enough memory on this machine", FAILED
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            run.error, run.state = defect(error), FAILED
        finally:
            run.seconds = time.monotonic() - run.started
            with self._lock:
                self._active.pop(run.id, None)
                self._ended[run.id] = run
                while len(self._ended) > KEPT:
                    self._ended.popitem(last=False)
            run.ended.set()


# --- uploaded files and strategies ----------------------------------------------------------------
# A kept file is a game called `file_` and a digest of its content; it takes `(moves=…)` as every
# game does. No name that a user gives ever becomes a part of a path: only digests do.


GAME_ID = "file_[0-9a-f]{16}"
STRATEGY_ID = "[0-9a-f]{16}"
MOST_CELLS = 400  # cells of a board on the page; people play on 19x19 at most
LARGEST_NUMBER = 25  # largest number among the parameters of a game
LARGEST_STRATEGY = 32 << 20  # bytes of a strategy that the page follows
MOST_KEPT = 1000  # files of each kind; the oldest are removed


class NotHere(UserError):
    """Nothing is kept under this name."""


class Storage:
    """One folder; several servers may share it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._files, self._strategies = folder / "files", folder / "strategies"
        with _keeping(folder):
            for place in (self._files, self._strategies):
                place.mkdir(parents=True, exist_ok=True)
        self._base = lru_cache(maxsize=64)(self._build)
        self._loaded = lru_cache(maxsize=4)(self._load)

    # --- games -----------------------------------------------------------------------------------

    def game(self, text: str, moves: str = "") -> Game:
        """The game of a name, with some more moves played; a path never names a file here."""
        game = self._base(text)
        return game.after(game.parse_moves(moves)) if moves.strip() else game

    def _build(self, text: str) -> Game:
        name, arguments = split_name(text)
        if re.fullmatch(GAME_ID, name):
            return self._small(apply_setup(self._kept(name), arguments))
        if name in FAMILIES:
            _refuse_large_numbers(name, arguments)
        return self._small(build(text))

    @staticmethod
    def _small(game: Game) -> Game:
        if game.board.size > MOST_CELLS:
            raise UserError(
                f"the page shows boards of up to {MOST_CELLS} cells, and this one has "
                f"{game.board.size}; use the command line"
            )
        return game

    def keep(self, files: Sequence[tuple[str, str]]) -> Game:
        """Keep an uploaded file (or a problem and its domain); the game, named by its digest.

        A record of a game that has a name is not kept: the name is enough.
        """
        game = self._small(_parse(files))
        with suppress(UserError):
            if self.game(str(game)) == game:
                return game
        written = json.dumps([list(file) for file in files], ensure_ascii=False)
        name = f"file_{_digest(written)}"
        with _keeping(self.folder):
            _make_room(self._files)
            _write(self._files / f"{name}.json", written)
        return game.renamed(name)

    def title(self, game: Game) -> str:
        """The title of a game: the name of the uploaded file, or what people call it."""
        if is_kept(game):
            return self._read(split_name(game.name)[0])[0][0]
        return words.title(game)

    def _kept(self, name: str) -> Game:
        return _parse(self._read(name)).rewound().renamed(name)

    def _read(self, name: str) -> list[tuple[str, str]]:
        try:
            read = json.loads((self._files / f"{name}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise NotHere(f"{name} is not kept here; drop the file again") from None
        return [(title, text) for title, text in read]

    # --- strategies ------------------------------------------------------------------------------

    def strategy_name(self, game: Game, player: Player, depth: int | str) -> str:
        """The name under which the strategy for a question is kept."""
        return _digest(f"{content(game)} {player.value} {depth}")

    def keep_strategy(self, name: str, file: str) -> None:
        """Keep a strategy file under a name."""
        with _keeping(self.folder):
            _make_room(self._strategies)
            _write(self._strategies / f"{name}.jsonl", Path(file).read_text(encoding="utf-8"))

    def accept_strategy(self, title: str, text: str, game: str | None) -> str:
        """Keep an uploaded strategy, if it is one and holds; the name under which it is kept.

        - `title`: what the user calls the file.
        - `game`: the game that is open on the page, for a strategy whose own game is a file.
        """
        with temporary_folder() as folder:
            file = Path(folder, "strategy.jsonl")
            file.write_text(text, encoding="utf-8")
            try:
                about = self._header(file, title)["game"]
                strategy = Strategy.load(str(file), self._game_of(about, game))
                report = strategy.check()
            except UserError as error:
                raise UserError(str(error).replace(str(file), title)) from None
            if not report.holds:
                raise UserError(f"{title} does not hold: {report.failure}")
            strategy.save(str(file))  # it names the game by the name that it has here
            name = _digest(text)
            self.keep_strategy(name, str(file))
        return name

    def _game_of(self, text: str, opened: str | None) -> Game:
        """The game of an uploaded strategy: by its name, or else the one that is open."""
        try:
            return self.game(text)
        except UserError:
            if opened is None:
                raise UserError(
                    f"this strategy is about {brief(text)}, which is not known here; open that "
                    "game first, then drop this file on its board"
                ) from None
        return self.game(opened)

    def holds(self, name: str, claim: Claim) -> bool:
        """Whether a strategy with this name and this claim is kept."""
        try:
            header = self._header(self.strategy_path(name))
        except UserError:
            return False
        claimed = header["player"], header["depth"], header["verdict"]
        return claimed == (claim.player.value, claim.depth, claim.verdict)

    def strategies(self) -> list[dict[str, Any]]:
        """The kept strategies, the latest first."""
        files = sorted(self._strategies.glob("*.jsonl"), key=_changed, reverse=True)
        listed = []
        for path in files:
            with suppress(UserError):  # another server may be removing it
                listed.append({"id": path.stem} | self._header(path))
        return listed

    def _header(self, path: Path, title: str | None = None) -> dict[str, Any]:
        with opened(str(path)) as stream:
            header = Reader(stream, title or path.name).header
        return {
            "game": header.game,
            "player": header.player.value,
            "depth": header.depth,
            "verdict": "WIN" if header.wins else "NO_WIN",
        }

    def strategy(self, name: str) -> Strategy:
        path = self.strategy_path(name)
        return self._loaded(name, path.stat().st_mtime_ns)

    def strategy_path(self, name: str) -> Path:
        path = self._strategies / f"{name}.jsonl"
        if not re.fullmatch(STRATEGY_ID, name) or not path.is_file():
            raise NotHere(f"there is no strategy {brief(name)}")
        return path

    def _load(self, name: str, changed: int) -> Strategy:
        path = self._strategies / f"{name}.jsonl"
        if path.stat().st_size > LARGEST_STRATEGY:
            raise UserError("this strategy is too large for the page; use the command line")
        return Strategy.load(str(path), self.game(self._header(path)["game"]))


def is_kept(game: Game) -> bool:
    """Whether a game is an uploaded file, and not built from its name."""
    return re.fullmatch(GAME_ID, split_name(game.name)[0]) is not None


def _digest(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def _refuse_large_numbers(name: str, arguments: Sequence[tuple[str | None, str]]) -> None:
    """Refuse a game with large parameters before its board is built."""
    family = FAMILIES[name]
    given = family.named(family.own(arguments))
    for parameter in family.parameters:
        value = given.get(parameter.name, "")
        if parameter.kind is int and value.isdecimal() and int(value[:9]) > LARGEST_NUMBER:
            raise UserError(
                f"{parameter.name} is at most {LARGEST_NUMBER} on the page, not {brief(value, 9)}"
            )


def _parse(files: Sequence[tuple[str, str]]) -> Game:
    domains = [text for _, text in files if is_domain(text)]
    problems = [(name, text) for name, text in files if not is_domain(text)]
    if len(problems) != 1 or len(domains) > 1:
        raise UserError("drop one game: a file, or a BDDL problem together with its domain")
    [(name, text)] = problems
    return parse_game(name, text, domains[0] if domains else None)


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


@contextmanager
def _keeping(folder: Path) -> Iterator[None]:
    """Turn errors of the disk into UserErrors."""
    try:
        yield
    except OSError as error:
        message = f"cannot keep anything in {folder}: {reason(error)}; choose another"
        raise UserError(message) from None


def _make_room(folder: Path) -> None:
    kept = sorted(folder.iterdir(), key=_changed)
    for path in kept[: max(0, len(kept) - MOST_KEPT + 1)]:
        path.unlink(missing_ok=True)


def _write(path: Path, text: str) -> None:
    """Write a file so that it appears only when it is complete."""
    growing = path.with_suffix(f".{os.getpid()}.{time.monotonic_ns()}.new")
    try:
        growing.write_text(text, encoding="utf-8")
        growing.replace(path)
    finally:
        growing.unlink(missing_ok=True)
