"""The engine as built in another folder against the oracle: `make check-sanitized`."""

from __future__ import annotations

import importlib.util
import random
import sys
import time
from pathlib import Path


def use_engine_from(folder: str) -> None:
    """Make the module of that folder the engine, before anything asks for it."""
    name = "skolemate.search._engine"
    (file,) = Path(folder).glob("_engine*.so")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import skolemate.search

    sys.modules[name] = skolemate.search._engine = module
    spec.loader.exec_module(module)


def main() -> None:
    folder, seconds = sys.argv[1], float(sys.argv[2])
    use_engine_from(folder)
    from differential import KINDS, random_questions
    from searching import compare_with_oracle

    seed = random.SystemRandom().randrange(2**32)
    rng, end, count = random.Random(seed), time.monotonic() + seconds, 0
    print(f"seed {seed}, for {seconds:.0f} s", flush=True)
    for question in random_questions(rng, list(KINDS)):
        if question.game.breaker is not question.player:
            compare_with_oracle(question, rng)
            count += 1
        if time.monotonic() > end:
            break
    print(f"{count} answers of the watched engine are the oracle's, and nothing was reported")


if __name__ == "__main__":
    main()
