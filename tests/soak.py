"""Compare encodings with the oracle for as long as it is let: `make soak SECONDS=600`.

Prints the seed, so that a disagreement can be met again, and how much was compared.
"""

from __future__ import annotations

import random
import sys
import time

from differential import KINDS, Tally, compare, random_questions
from evaluator import depqbf


def main() -> None:
    seconds = float(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}, for {seconds:.0f} s", flush=True)
    rng, tally = random.Random(seed), Tally()
    end = time.monotonic() + seconds
    try:
        for question in random_questions(rng, list(KINDS)):
            compare(question, symmetry=rng.random() < 0.5, solve=depqbf, tally=tally)
            if time.monotonic() > end:
                break
    finally:
        print(f"{sum(tally.counts.values())} formulas compared with the oracle: {tally}")


if __name__ == "__main__":
    main()
