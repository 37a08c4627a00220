"""Compare the engine and the encodings with the oracle: `make soak SECONDS=600`.

The engine, which is by far the faster, first gets a quarter of the time. Of every eight questions
one is asked with each of the engine's methods switched off in turn, the others with some by chance.
Half of the formulas are simplified before they are solved.

Prints the seed, so that a disagreement can be met again, and how much was compared.
"""

from __future__ import annotations

import random
import sys
import time

from differential import KINDS, Tally, compare, encodings_for, random_questions
from evaluator import depqbf
from searching import compare_with_oracle
from skolemate.formula import Formula
from skolemate.formula.simplify import simplified
from skolemate.search.engine import METHODS


def depqbf_after_simplify(formula: Formula) -> bool:
    return depqbf(simplified(formula).formula)


def main() -> None:
    seconds = float(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}, for {seconds:.0f} s", flush=True)
    rng, tally = random.Random(seed), Tally()
    end = time.monotonic() + seconds
    searched = 0
    for question in random_questions(rng, list(KINDS)):
        if question.game.breaker is not question.player:
            for without in [[method] for method in METHODS] if rng.random() < 1 / 8 else [None]:
                compare_with_oracle(question, rng, without)
                searched += 1
        if time.monotonic() > end - 0.75 * seconds:
            break
    print(f"{searched} answers of the engine are the oracle's", flush=True)
    try:
        for question in random_questions(rng, list(KINDS)):
            symmetry = rng.random() < 0.5
            solve = depqbf_after_simplify if rng.random() < 0.5 else depqbf
            compare(question, symmetry, solve, tally, encodings_for(question))
            if time.monotonic() > end:
                break
    finally:
        print(f"{sum(tally.counts.values())} formulas compared with the oracle: {tally}")


if __name__ == "__main__":
    main()
