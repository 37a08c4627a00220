"""Does everything end in time? Every family at its largest, by every way to ask: `make sweep`.

The largest boards are those that the engine still holds (384 cells), and those that are accepted
at all (10,000 cells, far beyond what anybody can solve; `konane` has a bound of its own). Python
counts from after its imports; a command or the page without the seconds that it takes for
tic-tac-toe, or that `play` takes to begin. Arguments choose families.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from commands import command_line
from serving import Server
from skolemate.games.family import FAMILIES

__all__ = ["LARGEST", "WAYS", "stones_on_19x19"]

LIMIT = 0.5  # seconds that are asked for
OVER = 1.0  # seconds that may pass beyond
GIVEN_UP = 60.0  # seconds after which it is called endless
TINY = "tictactoe"
GTP = "boardsize {}\ngenmove b\nquit\n"

LARGEST = {
    "breakthrough": ("(width=19, height=20)", "(width=100, height=100)"),
    "browne": ("",),
    "clique": ("(n=9, k=4)", "(n=9, k=3, misere=true)"),
    "clobber": ("(width=19, height=20)",),
    "col": ("(width=17, height=18)",),
    "connect": (
        *("(k=4, width=19, height=20)", "(k=19, width=19, height=20)"),
        *("(k=4, width=100, height=100)", "(k=50, width=100, height=100)"),
    ),
    "connect6": ("", "(size=100)"),
    "cross_purpose": ("(width=19, height=20)", "(width=100, height=100)"),
    "cube": ("(n=4, d=4)", "(n=2, d=9)"),
    "domination": ("(width=19, height=20)", "(width=100, height=100, torus=true)"),
    "domineering": ("(width=19, height=20)", "(width=100, height=100)"),
    "evader_pursuer": ("(size=19)", "(size=100)"),
    "gomoku": ("(size=19)", "(size=100)"),
    "gttt": ("(width=19, height=20)", "(p=3, q=2, width=100, height=100)"),
    "harary": (
        *("(width=19, height=20, torus=true)", "(shape=snaky, width=19, height=20)"),
        *("(width=100, height=100)", "(width=100, height=100, torus=true)"),
    ),
    "hein": ("(17)",),
    "hex": ("(width=12, height=11)", "(size=11)", "(size=19)", "(size=100)"),
    "knightthrough": ("(width=19, height=20)", "(width=100, height=100)"),
    "konane": ("(width=10, height=10)",),
    "mnk": (
        *("(m=19, n=19, k=5)", "(m=19, n=19, k=10)", "(m=19, n=20, k=6, maker_breaker=true)"),
        *("(m=100, n=100, k=5)", "(m=100, n=100, k=50)", "(m=10000, n=1, k=5000)"),
    ),
    "notakto": ("(k=5, width=19, height=18)", "(k=5, width=100, height=98)"),
    "plane": ("(q=9)", "(q=9, kind=projective, misere=true)"),
    "qubic": ("(size=7)", "(size=21)"),
    "random_harary": ("(cells=7, width=100, height=100)",),
    "random_hypergraph": ("(cells=10000, sets=20000, size=20)",),
    "sim": ("(n=9)",),
    "snort": ("(width=17, height=18)",),
    "tictactoe": ("",),
    "vdw": ("(n=380, k=5)", "(n=380, k=5, misere=true)"),
}


def stones_on_19x19(each: int) -> str:
    """Hex on 19x19 in the middle of a game: so many stones of each player, well mixed."""
    names = [f"{column}{row}" for column in "abcdefghijklmnopqrs" for row in range(1, 20)]
    mixed = [names[place * 140 % 361] for place in range(2 * each)]
    return f"hex(size=19, black={' '.join(mixed[::2])}, white={' '.join(mixed[1::2])})"


def by_python(game: str, limit: float) -> float:
    return _in_python(f"solve({game!r}, timeout={limit})")


def by_cancelling(game: str, limit: float) -> float:
    return _in_python(f"Timer({limit}, stop.set).start(); solve({game!r}, cancel=stop)")


def _in_python(statement: str) -> float:
    code = (
        "import time; from threading import Event, Timer; import skolemate.api\n"
        "from skolemate import solve, UserError; stop = Event(); start = time.monotonic()\n"
        f"try: exec({statement!r})\n"
        "except UserError: pass\n"
        "print(time.monotonic() - start)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        timeout=GIVEN_UP,
        check=True,
    )
    return float(ended.stdout)


def by_solve(game: str, limit: float) -> float:
    return _lasting(("solve", game, "--timeout", str(limit))) - _starting("solve")


def by_value(game: str, limit: float) -> float:
    words = ("value", game, "--all-moves", "--timeout", str(limit))
    return _lasting(words) - _starting("value")


def by_play(game: str, limit: float) -> float:
    """The computer begins, and its opponent leaves; what it takes if that one begins, and leaves at
    once, is the start.
    """
    words = ("play", game, "--timeout", str(limit), "--side")
    return _lasting((*words, "white")) - _lasting((*words, "black"))


def by_gtp(game: str, limit: float) -> float:
    size = game.partition("size=")[2].partition(")")[0] or "3"
    said = GTP.format(size)
    return _lasting(("gtp", "--timeout", str(limit)), said) - _starting("gtp")


def _lasting(words: tuple[str, ...], said: str = "") -> float:
    start = time.monotonic()
    ended = subprocess.run(
        command_line(*words),
        input=said,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=GIVEN_UP,
        check=False,
    )
    took = time.monotonic() - start
    assert ended.returncode in (0, 2, 10, 20, 30), ended.stdout
    return took


@cache
def _starting(command: str) -> float:
    """What a command takes in any case."""
    words, said = ((command,), GTP.format(2)) if command == "gtp" else ((command, TINY), "")
    return min(_lasting(words, said) for _ in range(3))


def by_interrupting(game: str, limit: float) -> float:
    """Ctrl-C once it is at work; what has passed by then counts as the limit."""
    with subprocess.Popen(
        command_line("solve", game), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        time.sleep(_starting("solve") + limit)
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        try:
            process.wait(GIVEN_UP)
        finally:
            process.kill()
        return limit + time.monotonic() - start


@cache
def _server() -> Server:
    return Server(Path(tempfile.mkdtemp(prefix="skolemate-sweep-")))


def by_page(game: str, limit: float) -> float:
    """A question on the page; whole seconds are asked for."""
    seconds = max(1, round(limit))
    return _on_page(game, seconds) - _starting_on_page() - seconds + limit


@cache
def _starting_on_page() -> float:
    return min(_on_page(TINY, 1) for _ in range(3))


def _on_page(game: str, seconds: int) -> float:
    """The time from a question to the end of its run."""
    asked = {"game": game, "player": "black", "depth": "auto", "timeout": seconds}
    with _server().client() as client:
        start = time.monotonic()
        answer = client.post("/api/solve", json=asked)
        if answer.status_code == 400:  # too large for the page
            return time.monotonic() - start
        while client.get(f"/api/runs/{answer.json()['id']}").json()["state"] in (
            "waiting",
            "running",
        ):
            if time.monotonic() - start > GIVEN_UP:
                raise subprocess.TimeoutExpired("serve", GIVEN_UP)
            time.sleep(0.02)
        return time.monotonic() - start


WAYS: dict[str, Callable[[str, float], float]] = {
    "Python": by_python,
    "Python, cancelled": by_cancelling,
    "solve": by_solve,
    "solve, Ctrl-C": by_interrupting,
    "value": by_value,
    "play": by_play,
    "gtp": by_gtp,
    "serve": by_page,
}


def games(chosen: list[str]) -> Iterator[str]:
    for family in FAMILIES:
        if not chosen or family.name in chosen:
            yield from (family.name + parameters for parameters in LARGEST[family.name])
    if not chosen or "hex" in chosen:
        yield from (stones_on_19x19(each) for each in (30, 60, 80))


def main() -> int:
    late = 0
    print("| game | asked by | limit, s | taken, s |\n|---|---|---|---|", flush=True)
    try:
        for game in games(sys.argv[1:]):
            for way, ask in WAYS.items():
                if way == "gtp" and not game.startswith("hex(size="):
                    continue
                try:
                    taken = ask(game, LIMIT)
                except subprocess.TimeoutExpired:
                    taken = float("inf")
                note = "" if taken <= LIMIT + OVER else " **late**"
                late += bool(note)
                print(f"| {game[:60]} | {way} | {LIMIT} | {taken:.2f}{note} |", flush=True)
    finally:
        if _server.cache_info().currsize:
            _server().kill()
    print(f"{late} more than {OVER:g} s late.")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
