"""DepQBF's proofs: read, checked, made functions, made strategies."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

import pytest

from proofs import ENCODINGS_WITH_PROOFS, check_to_the_end, proofs
from qrp import (
    Proof,
    Step,
    WrongProof,
    check_proof,
    functions_of,
    prove,
    read_qrp,
)
from skolemate.certificates import verify
from skolemate.encodings import encode
from skolemate.errors import FileError
from skolemate.formula import Formula
from skolemate.games import Player
from skolemate.games.family import build
from skolemate.games.game import Question


@pytest.mark.parametrize("encoding", ENCODINGS_WITH_PROOFS)
def test_proofs_become_strategies(encoding: str) -> None:
    seen = {check_to_the_end(*item).true for item in islice(proofs(encoding, seed=11), 10)}
    assert seen == {True, False}


# ∀2 ∃3 is true by 3 = 2; ∃3 ∀2 is false.
EQUAL = [[2, -3], [-2, 3]]
TRUE_PROOF = """p qrp 3 2
1 2 -3 0 0
2 -2 3 0 0
3 2 3 0 0
4 2 0 3 0
5 -2 -3 0 0
6 -2 0 5 0
7 0 4 6 0
r SAT
"""
FALSE_PROOF = """p qrp 3 2
1 2 -3 0 0
2 -2 3 0 0
3 -3 0 1 0
4 3 0 2 0
5 0 3 4 0
r UNSAT
"""


def test_what_no_legal_move_sets_is_read_off_the_functions_too() -> None:
    """A full column has a variable; left free, it let the opponent of a refutation cheat."""
    opening = "occupyBottom(4,1) occupyOnTop(4,1) occupyBottom(1,1) occupyBottom(2,1)"
    game = build(f"connect(k=3, width=4, height=2, moves={opening})")
    encoded = encode(Question(game, Player.WHITE, 5), "gr")
    check_to_the_end(encoded, prove(encoded.formula))


def test_a_proof_of_truth_gives_skolem_functions() -> None:
    formula = Formula.of([("a", [2]), ("e", [3])], EQUAL)
    proof = read_qrp(TRUE_PROOF)
    check_proof(formula, proof)
    certificate = functions_of(formula, proof)
    assert certificate.functions == {3: certificate.graph.literal(2)}
    assert verify(formula, certificate).holds


def test_a_refutation_gives_herbrand_functions() -> None:
    formula = Formula.of([("e", [3]), ("a", [2])], EQUAL)
    proof = read_qrp(FALSE_PROOF)
    check_proof(formula, proof)
    certificate = functions_of(formula, proof)
    assert not certificate.true
    assert verify(formula, certificate).holds


@pytest.mark.parametrize(
    ("number", "step", "reason"),
    [
        (3, Step(3, frozenset({2}), ()), "does not satisfy every clause"),
        (4, Step(4, frozenset({3}), (3,)), "2 must not be left out"),
        (4, Step(4, frozenset({2, 1}), (3,)), "a literal of none of its premises"),
        (7, Step(7, frozenset(), (4, 4)), "not one variable to resolve on"),
        (7, Step(7, frozenset(), (4, 9)), "follows from nothing above"),
        (3, Step(3, frozenset({2, -2, 3}), ()), "a variable and its negation"),
        (3, Step(3, frozenset({2, 3, 70}), ()), "a variable that the formula does not have"),
    ],
)
def test_steps_that_do_not_follow_are_refused(number: int, step: Step, reason: str) -> None:
    formula = Formula.of([("e", [1]), ("a", [2]), ("e", [3])], EQUAL)
    steps = tuple(step if old.number == number else old for old in read_qrp(TRUE_PROOF).steps)
    with pytest.raises(WrongProof, match=reason):
        check_proof(formula, Proof(True, steps))


def test_a_reduction_out_of_turn_is_refused() -> None:
    """With 3 inside 2 the universal literal may not be dropped from its clause."""
    with pytest.raises(WrongProof, match="step 3: 2 must not be left out"):
        check_proof(Formula.of([("a", [2]), ("e", [3])], EQUAL), read_qrp(FALSE_PROOF))


@pytest.mark.parametrize("encoding", ["et", "cor+"])
def test_mutated_proofs_never_certify_what_is_wrong(encoding: str) -> None:
    rng, refused = random.Random(5), 0
    for encoded, proof in islice(proofs(encoding, seed=12), 10):
        place = rng.randrange(len(proof.steps))
        old = proof.steps[place]
        if not old.literals:
            continue
        literal = rng.choice(sorted(old.literals))
        changed = replace(old, literals=old.literals - {literal} | {-literal})
        steps = (*proof.steps[:place], changed, *proof.steps[place + 1 :])
        with pytest.raises(WrongProof):
            check_proof(encoded.formula, Proof(proof.true, steps))
        with pytest.raises(WrongProof):
            check_proof(encoded.formula, Proof(not proof.true, proof.steps))
        refused += 1
    assert refused > 5


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no result"),
        ("p qrp 1\n", "a proof begins with"),
        ("p qrp 1 1\n1 x 0 0\n", "a step is"),
        ("p qrp 1 1\n1 1 0 0\nr UNSAT\n", "does not reach it"),
        ("p qrp 1 1\n1 1 0 2 3 4 0\n", "a step is"),
    ],
)
def test_defects_of_traces_are_told(text: str, reason: str) -> None:
    with pytest.raises(FileError, match=reason):
        read_qrp(text)
