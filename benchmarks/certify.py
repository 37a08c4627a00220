"""Time and size of certificates: by a strategy, and by a proof of DepQBF.

The strategy's way begins with solving: any pipeline answers, the strategy is extracted by asking
again, and certified. The proof's way is one run of DepQBF that traces, and the pass over its proof.
Both end with the same check. Limit: SECONDS for each.

usage: certify.py [SECONDS]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from skolemate.api import solve
from skolemate.ask import Question
from skolemate.certificates import Certificate, certify, verify
from skolemate.certificates.aiger import to_aiger
from skolemate.certificates.certify import encoded_for
from skolemate.certificates.qrp import functions_of
from skolemate.certificates.tracing import prove
from skolemate.encodings import Encoded, encode
from skolemate.errors import UserError
from skolemate.games import Player
from skolemate.limits import Limit
from skolemate.loading import load
from skolemate.strategies import Strategy

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
    return encoded, functions_of(encoded.formula, prove(encoded.formula, Limit(seconds)))


def measured(
    way: Callable[[Question, str, float], tuple[Encoded, Certificate]],
    question: Question,
    encoding: str,
    seconds: float,
) -> str:
    started = time.monotonic()
    try:
        encoded, certificate = way(question, encoding, seconds)
    except (UserError, RuntimeError) as error:
        return f"{str(error)[:40]:>44}"
    made = time.monotonic()
    found = verify(encoded.formula, certificate)
    checked = time.monotonic()
    assert found.holds, found.reason
    size = len(to_aiger(certificate, (), binary=True))
    return (
        f"{made - started:10.1f} {checked - made:8.1f} {certificate.size:12,} {size / 1000:10,.0f}"
    )


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 120
    columns = f"{'made, s':>10} {'check, s':>8} {'gates':>12} {'KB':>10}"
    print(f"{'question':42} {'by strategy':>43}   {'by proof of DepQBF':>43}")
    print(f"{'':42} {columns}   {columns}")
    for name, depth, encoding in QUESTIONS:
        question = Question(load(name), Player.BLACK, depth)
        row = [measured(way, question, encoding, seconds) for way in (by_strategy, by_proof)]
        print(f"{f'{name} -d {depth} {encoding}':42} {row[0]}   {row[1]}", flush=True)


if __name__ == "__main__":
    main()
