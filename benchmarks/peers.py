"""The engine beside the best programs for single games, in CPU seconds: `make bench-peers`.

A peer's program is named by an environment variable; where that is not set, its column says so.
Both run on one core, one after the other; each of the engine's questions is a command of its own,
with Python's start. The endings of Hex on 19x19 take about a millisecond each, so they are measured
without it, from the loaded game to the answer, as the best of five. Names choose some rows;
`--limit S` is the time by the clock for a question.

BENZENE        mohex of Benzene (https://github.com/cgao3/benzene-vanilla-cmake): Hex
OBSEQUI        Obsequi (https://github.com/nathanbullock/obsequi): Domineering
PONS           c4solver (https://github.com/PascalPons/connect4): Connect-4 on 7x6, without its book
PONS_6X5       the same, compiled for 6x5
CHAMPIONSHIP   the folder of the third paper's Hex endings on 19x19; whole boards (Gex-EGF) are
               asked about, and the peer is the formula `et` with CAQE
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import skolemate
from skolemate import Answer, Verdict
from skolemate.games.game import Game
from skolemate.loading import load

REPEATED = 5  # a question of a millisecond


class Row(NamedTuple):
    """Questions that are asked as one row, and how a peer is asked the same.

    `ours` asks the engine, with a limit in seconds; `peer` also takes the value of the variable,
    which names the program. Both return how many of the questions are won. Short ones are asked
    `times` times.
    """

    name: str
    ours: Callable[[float], int]
    variable: str
    peer: Callable[[str, float], int]
    times: int = 1


class Measured(NamedTuple):
    """How many questions are won, None if not all were answered; the CPU seconds."""

    wins: int | None
    seconds: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", type=float, default=1800.0)
    chosen = parser.parse_args()
    right = True
    print("| questions | wins | engine, s | peer | wins | peer, s | ratio |")
    print("|---|---|---|---|---|---|---|")
    for row in rows():
        if chosen.names and not any(part in row.name for part in chosen.names):
            continue
        ours = measured(partial(row.ours, chosen.limit), row.times)
        beside = f"set {row.variable} | | | "
        if program := os.environ.get(row.variable):
            theirs = measured(partial(row.peer, program, chosen.limit), row.times)
            bound = (
                ""
                if None not in (ours.wins, theirs.wins)
                else "<"
                if ours.wins is not None
                else ">"
            )
            ratio = (
                ""
                if ours.wins is theirs.wins is None
                else f"{bound}{ours.seconds / theirs.seconds:.3g}"
            )
            beside = f"{row.variable} | {told(theirs)} | {ratio} "
            right = right and (None in (ours.wins, theirs.wins) or ours.wins == theirs.wins)
        print(f"| {row.name} | {told(ours)} | {beside}|", flush=True)
    return 0 if right else 1


def rows() -> Iterator[Row]:
    for size in (5, 6, 7):
        yield hex_row(f"Hex {size}x{size}", size, [""])
    openings = [f"{column}{line}" for column in "abcdefg" for line in range(1, 8)]
    yield hex_row("Hex 7x7, its 49 openings", 7, openings)
    yield hex_row("Hex 8x8", 8, [""])
    yield from championship_rows()
    for size in (6, 7, 8):
        yield domineering_row(size)
    yield connect_row(6, 5, "PONS_6X5")
    yield connect_row(7, 6, "PONS")


# --- Hex ------------------------------------------------------------------------------------------


def hex_row(name: str, size: int, openings: list[str]) -> Row:
    """Does Black win after each opening, a move of Black's or none?"""

    def benzene(program: str, limit: float) -> int:
        lines = [f"boardsize {size} {size}"]
        for move in openings:
            asked = [f"play b {move}", "dfpn-solve-state white"]
            lines += ["clear_board", "dfpn-clear-tt"]
            lines += asked if move else ["dfpn-solve-state black"]
        script = "\n".join([*lines, "quit", ""])
        said = output([program, "--quiet"], script, limit * len(openings))
        answers = [line for line in said.splitlines() if line in ("= black", "= white")]
        assert len(answers) == len(openings), said
        return answers.count("= black")

    game = f"hex(size={size})"
    commands = [[game, "-d", str(size * size), "--moves", move] for move in openings]
    return Row(name, partial(wins, commands), "BENZENE", benzene)


def championship_rows() -> Iterator[Row]:
    """The endings one by one, each within the depth of its file; a minute at most for a formula."""

    def engine(games: Iterator[Game], limit: float) -> int:
        return decided(skolemate.solve(next(games), engine="search", jobs=1, timeout=limit))

    def formula(games: Iterator[Game], _: str, limit: float) -> int:
        limit = min(limit, 60.0)
        return decided(skolemate.solve(next(games), encoding="et", pipeline="caqe", timeout=limit))

    variable = "CHAMPIONSHIP"
    folder = Path(os.environ.get(variable, ""))
    files = sorted(folder.glob("*/Gex-EGF/*.pg")) if variable in os.environ else []
    if not files:
        print(f"| Hex 19x19, the championship's endings | | | set {variable} | | | |")
    for file in files:
        # A game keeps what was computed of it, so each question is about one of its own.
        games = iter([load(str(file)) for _ in range(2 * REPEATED)])
        ours, peer = partial(engine, games), partial(formula, games)
        yield Row(f"Hex 19x19 {file.stem}", ours, variable, peer, REPEATED)


# --- Domineering ----------------------------------------------------------------------------------


def domineering_row(size: int) -> Row:
    """Does the vertical player win who begins?"""

    def obsequi(program: str, limit: float) -> int:
        said = output([program], f"solve rows {size} cols {size} bits 22 V\n", limit)
        assert "winner " in said, said
        return said.count("winner V")

    command = [f"domineering(width={size}, height={size})", "-d", str(size * size)]
    return Row(f"Domineering {size}x{size}", partial(wins, [command]), "OBSEQUI", obsequi)


# --- Connect-4 ------------------------------------------------------------------------------------


def connect_row(width: int, height: int, variable: str) -> Row:
    """Does the player win who begins? Pons' program is asked the same, not for the score."""

    def pons(program: str, limit: float) -> int:
        score = output([program, "-w", "-b", "none"], "\n", limit)
        return int(int(score) > 0)

    command = [f"connect(k=4, width={width}, height={height})", "-d", str(width * height)]
    return Row(f"Connect-4 {width}x{height}", partial(wins, [command]), variable, pons)


# --- measuring ------------------------------------------------------------------------------------


class Unanswered(Exception):
    pass


def wins(commands: list[list[str]], limit: float) -> int:
    return sum(won(command, limit) for command in commands)


def won(arguments: list[str], limit: float) -> bool:
    command = [sys.executable, "-m", "skolemate", "solve", *arguments, "--jobs", "1", "--json"]
    said = subprocess.run(
        [*command, "--timeout", str(limit)], stdout=subprocess.PIPE, text=True, check=False
    ).stdout
    verdict = json.loads(said)["verdict"]
    if verdict == "UNKNOWN":
        raise Unanswered
    return bool(verdict == "WIN")


def decided(answer: Answer) -> int:
    if answer.verdict is Verdict.UNKNOWN:
        raise Unanswered
    return int(answer.verdict is Verdict.WIN)


def output(command: list[str], script: str, limit: float) -> str:
    """What a peer's program says to the lines of a script."""
    try:
        return subprocess.run(
            command, input=script, capture_output=True, text=True, check=True, timeout=limit
        ).stdout
    except subprocess.TimeoutExpired:
        raise Unanswered from None


def measured(ask: Callable[[], int], times: int) -> Measured:
    """The quickest of so many times; what takes a second is not asked again."""
    best = Measured(None, float("inf"))
    for _ in range(times):
        before, count = cpu_seconds(), None
        with suppress(Unanswered):
            count = ask()
        best = min(best, Measured(count, cpu_seconds() - before), key=lambda one: one.seconds)
        if best.seconds > 1:
            break
    return best


def cpu_seconds() -> float:
    """Of this process and of the programs that it ran."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in used)


def told(measured: Measured) -> str:
    count = "not answered" if measured.wins is None else measured.wins
    return f"{count} | {measured.seconds:.3g}"


if __name__ == "__main__":
    sys.exit(main())
