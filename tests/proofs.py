"""Proofs of DepQBF for random questions, turned into strategies, which the checker judges."""

from __future__ import annotations

import random
from collections.abc import Iterator

from differential import questions_for
from following_certificates import Follower, strategy_of
from qrp import Proof, functions_of, prove
from skolemate.certificates import Certificate, verify
from skolemate.encodings import Encoded, encode
from skolemate.search.reference import Reference

ENCODINGS_WITH_PROOFS = ("et", "en", "ea", "cor+", "cor", "dys", "gr")


def proofs(encoding: str, seed: int) -> Iterator[tuple[Encoded, Proof]]:
    """Checked proofs without end, of formulas that are not decided by themselves."""
    for question in questions_for(encoding, random.Random(seed)):
        encoded = encode(question, encoding)
        if encoded.formula.constant is None:
            yield encoded, prove(encoded.formula)


def check_to_the_end(encoded: Encoded, proof: Proof) -> Certificate:
    """From a proof to functions that hold, to a strategy that holds, to the oracle's answer."""
    question = encoded.asked
    assert question is not None
    certificate = functions_of(encoded.formula, proof)
    found = verify(encoded.formula, certificate)
    assert found.holds, f"{question}: {found.reason}"
    report = strategy_of(Follower(encoded, certificate)).check()
    assert report.holds, f"{question}: {report}"
    assert Reference(question.player).wins(question.game.start, question.depth) is proof.true
    return certificate
