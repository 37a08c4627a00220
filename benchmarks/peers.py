"""The engine beside the best programs for single games, in CPU seconds: `make bench-peers`.

A peer's program is named by an environment variable; where that is not set, its column says so.
Both run on one core, one after the other; each of the engine's questions is a command of its own,
with Python's start. Names choose some rows.

BENZENE   mohex of Benzene (https://github.com/cgao3/benzene-vanilla-cmake): Hex
OBSEQUI   Obsequi (https://github.com/nathanbullock/obsequi): Domineering
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import NamedTuple

LIMIT = 1800.0  # seconds by the clock for one question


class Row(NamedTuple):
    """Questions that are asked as one row, and how a peer is asked the same.

    `commands` are the arguments of `skolemate solve`. `peer` runs the program that the variable
    names, and returns how many of the questions are won.
    """

    name: str
    commands: list[list[str]]
    variable: str
    peer: Callable[[str], int]


class Measured(NamedTuple):
    """How many questions are won, None if not all were answered; the CPU seconds."""

    wins: int | None
    seconds: float


def main() -> int:
    chosen = sys.argv[1:]
    right = True
    print("| questions | wins | engine, s | peer | wins | peer, s | ratio |")
    print("|---|---|---|---|---|---|---|")
    for row in rows():
        if chosen and not any(part in row.name for part in chosen):
            continue
        ours, beside = measured(partial(wins, row.commands)), f"set {row.variable} | | | "
        if program := os.environ.get(row.variable):
            theirs = measured(partial(row.peer, program))
            ratio = ours.seconds / theirs.seconds
            beside = f"{row.variable} | {told(theirs)} | {ratio:.2f} "
            right = right and ours.wins in (None, theirs.wins)
        print(f"| {row.name} | {told(ours)} | {beside}|", flush=True)
    return 0 if right else 1


def rows() -> Iterator[Row]:
    for size in (5, 6, 7):
        yield hex_row(f"Hex {size}x{size}", size, [""])
    openings = [f"{column}{line}" for column in "abcdefg" for line in range(1, 8)]
    yield hex_row("Hex 7x7, its 49 openings", 7, openings)
    yield hex_row("Hex 8x8", 8, [""])
    for size in (6, 7, 8):
        yield domineering_row(size)


# --- Hex ------------------------------------------------------------------------------------------


def hex_row(name: str, size: int, openings: list[str]) -> Row:
    """Does Black win after each opening, a move of Black's or none?"""

    def benzene(program: str) -> int:
        lines = [f"boardsize {size} {size}"]
        for move in openings:
            asked = [f"play b {move}", "dfpn-solve-state white"]
            lines += ["clear_board", "dfpn-clear-tt"]
            lines += asked if move else ["dfpn-solve-state black"]
        script = "\n".join([*lines, "quit", ""])
        said = subprocess.run(
            [program, "--quiet"], input=script, capture_output=True, text=True, check=True
        ).stdout
        answers = [line for line in said.splitlines() if line in ("= black", "= white")]
        assert len(answers) == len(openings), said
        return answers.count("= black")

    game = f"hex(size={size})"
    commands = [[game, "-d", str(size * size), "--moves", move] for move in openings]
    return Row(name, commands, "BENZENE", benzene)


# --- Domineering ----------------------------------------------------------------------------------


def domineering_row(size: int) -> Row:
    """Does the vertical player win who begins?"""

    def obsequi(program: str) -> int:
        said = subprocess.run(
            [program],
            input=f"solve rows {size} cols {size} bits 22 V\n",
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert "winner " in said, said
        return said.count("winner V")

    command = [f"domineering(width={size}, height={size})", "-d", str(size * size)]
    return Row(f"Domineering {size}x{size}", [command], "OBSEQUI", obsequi)


# --- measuring ------------------------------------------------------------------------------------


class Unanswered(Exception):
    pass


def wins(commands: list[list[str]]) -> int:
    return sum(map(won, commands))


def won(arguments: list[str]) -> bool:
    command = [sys.executable, "-m", "skolemate", "solve", *arguments, "--jobs", "1", "--json"]
    said = subprocess.run(
        [*command, "--timeout", str(LIMIT)], stdout=subprocess.PIPE, text=True, check=False
    ).stdout
    verdict = json.loads(said)["verdict"]
    if verdict == "UNKNOWN":
        raise Unanswered
    return bool(verdict == "WIN")


def measured(ask: Callable[[], int]) -> Measured:
    before, count = os.times(), None
    with suppress(Unanswered):
        count = ask()
    after = os.times()
    spent = after.children_user + after.children_system
    return Measured(count, spent - before.children_user - before.children_system)


def told(measured: Measured) -> str:
    count = "not answered" if measured.wins is None else measured.wins
    return f"{count} | {measured.seconds:.1f}"


if __name__ == "__main__":
    sys.exit(main())
