"""Time and size of certificates: by a strategy, and by a proof of DepQBF.

The strategy's way begins with solving: any pipeline answers, the strategy is extracted by asking
again, and certified. The proof's way is one run of DepQBF that traces, and the pass over its proof.
Both end with the same check. Times are CPU seconds, of solvers, too. Each way of each question has
a process of its own, which is ended after SECONDS on the wall: so the whole table is there after a
quarter of an hour, however large a proof gets.

usage: certify.py [SECONDS]
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from qrp import functions_of, prove
from skolemate.api import solve
from skolemate.certificates import Certificate, certify, verify
from skolemate.certificates.aiger import to_aiger
from skolemate.certificates.certify import encoded_for
from skolemate.encodings import Encoded, encode
from skolemate.errors import UserError
from skolemate.games import Player
from skolemate.games.game import Question
from skolemate.limits import Budget, Limit
from skolemate.loading import load
from skolemate.strategies import Strategy, Unfinished

QUESTIONS = [
    ("hein(4)", 5, "et"),
    ("hein(9)", 5, "et"),
    ("hein(9)", 7, "et"),
    ("hein(12)", 7, "et"),
    ("hein(12)", 7, "cor+"),
    ("hein(13)", 9, "et"),
    ("harary(shape=el, width=4, height=4)", 5, "cor+"),
    ("harary(shape=elly, width=4, height=4)", 7, "cor+"),
    ("harary(shape=tippy, width=4, height=4)", 7, "cor+"),
    ("harary(shape=tippy, width=4, height=4)", 9, "cor+"),
]


def by_strategy(question: Question, encoding: str, seconds: float) -> tuple[Encoded, Certificate]:
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder, "strategy.jsonl"))
        solve(
            question.game,
            question.depth,
            encoding=encoding,
            strategy=file,
            timeout=seconds,
            jobs=1,
        )
        strategy = Strategy.load(file)
    encoded = encoded_for(strategy, encoding)
    return encoded, certify(strategy, encoded)


def by_proof(question: Question, encoding: str, seconds: float) -> tuple[Encoded, Certificate]:
    encoded = encode(question, encoding)
    return encoded, functions_of(encoded.formula, prove(encoded.formula, Budget(Limit(seconds))))


Way = Callable[[Question, str, float], tuple[Encoded, Certificate]]


def measured(way: Way, question: Question, encoding: str, seconds: float) -> str:
    """The entries of a row, measured in a process of its own."""
    context = multiprocessing.get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    arguments = (sending, way, question, encoding, seconds)
    process = context.Process(target=measure, args=arguments)
    process.start()
    sending.close()
    try:
        done = receiving.poll(seconds)  # also if it fails
        told: str = receiving.recv() if done else f"more than {seconds:g} s"
    except EOFError:
        told = "it failed"
    finally:
        process.kill()  # the kernel ends its solvers
        process.join()
    return f"{told:>43}"


def cpu_seconds() -> float:
    """Of this process and of those that it has waited for."""
    return sum(os.times()[:4])


def measure(sending: Connection, way: Way, question: Question, encoding: str, most: float) -> None:
    started = cpu_seconds()
    try:
        encoded, certificate = way(question, encoding, most)
    except (UserError, Unfinished, RuntimeError) as error:
        sending.send(str(error)[:43])
        return
    made = cpu_seconds()
    found = verify(encoded.formula, certificate)
    checked = cpu_seconds()
    assert found.holds, found.reason
    size = len(to_aiger(certificate, (), binary=True))
    times = f"{made - started:10.1f} {checked - made:8.1f}"
    sending.send(f"{times} {certificate.size:12,} {size / 1000:10,.0f}")


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 45
    columns = f"{'made, s':>10} {'check, s':>8} {'gates':>12} {'KB':>10}"
    print(f"{'question':48} {'by strategy':>43}   {'by proof of DepQBF':>43}")
    print(f"{'':48} {columns}   {columns}", flush=True)
    for name, depth, encoding in QUESTIONS:
        question = Question(load(name), Player.BLACK, depth)
        print(f"{f'{name} -d {depth} {encoding}':48} ", end="", flush=True)
        print(measured(by_strategy, question, encoding, seconds), end="   ", flush=True)
        print(measured(by_proof, question, encoding, seconds), flush=True)


if __name__ == "__main__":
    main()
