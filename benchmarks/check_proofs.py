"""DepQBF's proofs of random game formulas: checked, made strategies, and these checked.

usage: check_proofs.py [PROOFS_PER_ENCODING] [SEED]
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from proofs import ENCODINGS_WITH_PROOFS, check_to_the_end, proofs


def main() -> None:
    each, seed = (int(sys.argv[i]) if len(sys.argv) > i else n for i, n in ((1, 40), (2, 1)))
    started, total = time.monotonic(), 0
    for encoding in ENCODINGS_WITH_PROOFS:
        truths: Counter[bool] = Counter()
        steps = 0
        for encoded, proof in islice(proofs(encoding, seed), each):
            check_to_the_end(encoded, proof)
            truths[proof.true] += 1
            steps += len(proof.steps)
        total += truths.total()
        print(
            f"{encoding:5} {truths[True]:4} true {truths[False]:4} false {steps:7} steps",
            flush=True,
        )
    print(f"{total} proofs checked and turned into strategies that hold", end="")
    print(f" ({time.monotonic() - started:.0f} s)")


if __name__ == "__main__":
    main()
