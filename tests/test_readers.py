"""No file makes a reader do anything but read it or refuse it with a place: a seeded sample.

`make fuzz` looks for five minutes a reader, guided by coverage.
"""

from __future__ import annotations

import random

import pytest

from readers import READERS, mutated, read, seeds, tokens


@pytest.mark.parametrize("reader", READERS)
def test_seeds_are_read(reader: str) -> None:
    # One BDDL domain has no board: it gives words to the mutants, not a game.
    taken = [read(reader, seed) for seed in seeds(reader)]
    assert taken.count(False) == (1 if reader == "bddl" else 0)


@pytest.mark.parametrize("reader", READERS)
def test_damaged_files_are_read_or_refused(reader: str) -> None:
    rng, originals, words = random.Random(f"damaged {reader}"), seeds(reader), tokens(reader)
    taken = [read(reader, mutated(rng, originals, words)) for _ in range(300)]
    assert 0 < sum(taken) < 300, "both must be seen"
