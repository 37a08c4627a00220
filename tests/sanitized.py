"""Engine and simplifier as built in another folder against oracle and evaluator.

`make check-sanitized` calls it.
"""

from __future__ import annotations

import importlib.util
import random
import sys
import time
from pathlib import Path


def use_engine_from(folder: str) -> None:
    """Make the modules of that folder ours, before anything asks for them."""
    for package, name in (("skolemate.search", "_engine"), ("skolemate.formula", "_simplify")):
        (file,) = Path(folder).glob(f"{name}.*.so")
        spec = importlib.util.spec_from_file_location(f"{package}.{name}", file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[f"{package}.{name}"] = module
        setattr(importlib.import_module(package), name, module)
        spec.loader.exec_module(module)


def main() -> None:
    folder, seconds = sys.argv[1], float(sys.argv[2])
    use_engine_from(folder)
    from differential import KINDS, random_questions
    from evaluator import evaluate
    from formulas import dense_formula
    from searching import compare_with_oracle
    from skolemate.formula.simplify import simplified

    seed = random.SystemRandom().randrange(2**32)
    rng, end, count, simple = random.Random(seed), time.monotonic() + seconds, 0, 0
    print(f"seed {seed}, for {seconds:.0f} s", flush=True)
    for question in random_questions(rng, list(KINDS)):
        if question.game.breaker is not question.player:
            compare_with_oracle(question, rng)
            count += 1
        formula = dense_formula(rng)
        assert evaluate(simplified(formula).formula) is evaluate(formula)
        simple += 1
        if time.monotonic() > end:
            break
    print(f"{count} answers of the watched engine are the oracle's, {simple} formulas have kept")
    print("their truth while they were simplified, and nothing was reported")


if __name__ == "__main__":
    main()
