"""Strategies measured: how long they take to find, how large they are, how long to check.

`make check-strategies` extracts and checks one for the published questions, both answers of
each, through QBF solvers alone. `make bench-strategy` also writes and checks one of more than a
million nodes. Every check runs in a process of its own; time and peak memory are that process's.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import skolemate
from skolemate.games import Player, Position
from skolemate.loading import load
from skolemate.strategies import Claim, Node
from skolemate.strategies.lines import header_line, node_line

SECONDS = 900.0  # for one question and its strategy

# Critical depths. All Hex puzzles up to 5x5 that are won within 11 plies.
PUZZLES = {"hein(4)": 5, "hein(9)": 7, "hein(12)": 7, "hein(7)": 9, "hein(13)": 9, "hein(14)": 9}
LONG_PUZZLES = {"browne": 9, "hein(11)": 11, "hein(19)": 11, "hein(8)": 11}
HARARY = {
    (3, ""): {"domino": 3, "el": 5, "tippy": 9},
    (3, ", torus=true"): {"domino": 3, "el": 5, "tippy": 7},
    (4, ""): {"domino": 3, "el": 5, "tic": 5, "elly": 7, "tippy": 9},
}
# Of games in which stones fall, pieces move or dominoes lie: player and critical depth.
MOVING = {
    "connect(k=2, width=4, height=4)": ("black", 3),
    "connect(k=3, width=4, height=4)": ("black", 9),
    "domineering(width=4, height=4)": ("black", 8),
    "domineering(width=3, height=5)": ("black", 8),
    "domineering(width=3, height=3)": ("black", 4),
    "domineering(width=5, height=2)": ("black", 6),
    "breakthrough(width=2, height=4)": ("white", 8),
    "breakthrough(width=2, height=5)": ("white", 10),
    "breakthrough(width=3, height=4)": ("white", 12),
    "breakthrough(width=2, height=6)": ("black", 15),
    "evader_pursuer(size=4, x=2, y=3)": ("black", 3),
}


# Plies: where pieces move, formulas answer so much soon; longer questions are split down to that.
PART, LONG = 6, 9


class Question(NamedTuple):
    game: str
    player: str
    depth: int
    wins: bool

    @property
    def split(self) -> int | None:
        return self.depth - PART if self.game in MOVING and self.depth > LONG else None


def questions() -> Iterator[Question]:
    """A win at the critical depth, and none two plies before."""
    named = PUZZLES | LONG_PUZZLES
    for (side, torus), shapes in HARARY.items():
        for shape, depth in shapes.items():
            named[f"harary(shape={shape}, width={side}, height={side}{torus})"] = depth
    for game, depth in named.items():
        yield Question(game, "black", depth, True)
        yield Question(game, "black", depth - 2, False)
    for game, (player, depth) in MOVING.items():
        yield Question(game, player, depth, True)
        yield Question(game, player, depth - 2, False)


def measure_check(file: str) -> dict[str, float]:
    """Check a file in a process of its own."""
    command = [sys.executable, __file__, "--check", file]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    measured: dict[str, float] = json.loads(said)
    return measured


def check_here(file: str) -> None:
    start = time.perf_counter()
    report = skolemate.check(file)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"holds": report.holds, "nodes": report.nodes, "s": seconds, "MB": peak}))


def extract_all(folder: str) -> bool:
    right = True
    print(f"{'question':58} {'answer':7} {'nodes':>8} {'KB':>7} {'found s':>8} {'checked s':>9}")
    for question in questions():
        file = os.path.join(folder, "strategy.jsonl")
        start = time.perf_counter()
        answer = skolemate.solve(
            question.game,
            question.depth,
            question.player,
            engine="qbf",
            split=question.split,
            strategy=file,
            timeout=SECONDS,
        )
        seconds = time.perf_counter() - start
        checked = measure_check(file)
        held = bool(checked["holds"]) and bool(answer) is question.wins
        right = right and held
        print(
            f"{question.game + ', d=' + str(question.depth):58} {answer.verdict.value:7} "
            f"{checked['nodes']:8} {os.path.getsize(file) / 1024:7.0f} {seconds:8.1f} "
            f"{checked['s']:9.2f}{'' if held else '  WRONG'}",
            flush=True,
        )
    return right


def write_a_million(file: str) -> None:
    """White answers in the same column of a board of two rows: no square of four for Black.

    Stated node by node, not as the pairing that it is.
    """
    columns = 11
    game = load(f"harary(shape=fatty, width={columns}, height=2)")
    claim = Claim(game, Player.BLACK, 2 * columns, wins=False)
    pairs = [(1 << game.board.cell(f"{c}1"), 1 << game.board.cell(f"{c}2")) for c in "abcdefghijk"]
    # A column is untouched, or one of its cells is Black's and the other White's.
    states: list[list[tuple[int, int]]] = [[] for _ in range(columns + 1)]
    for chosen in product((None, 0, 1), repeat=columns):
        black = white = 0
        for pair, cell in zip(pairs, chosen, strict=True):
            if cell is not None:
                black, white = black | pair[cell], white | pair[1 - cell]
        states[columns - chosen.count(None)].append((black, white))
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(header_line(claim))
        for full in reversed(range(columns)):
            left = 2 * (columns - full)
            for black, white in states[full]:
                for pair in pairs:
                    for own, reply in (pair, pair[::-1]):
                        if not (black | white) & own:
                            position = Position(game, black | own, white, Player.WHITE)
                            move = reply.bit_length() - 1
                            stream.write(node_line(Node(position, left - 1, move)))
            for black, white in states[full]:
                stream.write(node_line(Node(Position(game, black, white, Player.BLACK), left)))


def main() -> int:
    if sys.argv[1:2] == ["--check"]:
        check_here(sys.argv[2])
        return 0
    with tempfile.TemporaryDirectory() as folder:
        right = extract_all(folder)
        if sys.argv[1:] == ["--million"]:
            file = os.path.join(folder, "million.jsonl")
            write_a_million(file)
            checked = measure_check(file)
            right = right and bool(checked["holds"]) and checked["MB"] < 1024
            print(
                f"{checked['nodes']} nodes, {os.path.getsize(file) >> 20} MB: checked in "
                f"{checked['s']:.0f} s with {checked['MB']:.0f} MB of memory"
            )
    print("all hold" if right else "SOMETHING IS WRONG")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
