"""Formulas as files that describe themselves; the same input gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import PurePath

from skolemate.encodings.encoding import Encoded, Meaning
from skolemate.errors import UserError, brief
from skolemate.formula import Circuit, Formula
from skolemate.formula.clausal import as_circuit
from skolemate.formula.qcir_write import to_qcir
from skolemate.formula.qdimacs_write import to_qdimacs
from skolemate.games.game import Player
from skolemate.output import write_text

__all__ = ["write_formula"]

WORDS = ("true", "false")


def write_formula(encoded: Encoded, path: str, *, legend: bool = False) -> None:
    """Write the formula in the format of the suffix; `-` is the standard output."""
    suffix = PurePath(path).suffix.lower()
    if path == "-" or suffix == ".qdimacs":
        text = to_qdimacs(encoded.formula, _description(encoded, encoded.formula, legend))
    elif suffix == ".qcir":
        circuit = encoded.circuit or as_circuit(encoded.formula)
        text = to_qcir(circuit, _description(encoded, circuit, legend))
    else:
        formats = "the suffix is .qdimacs or .qcir"
        raise UserError(f"cannot tell the format of {brief(path, 200)}; {formats}")
    write_text(path, text)


def _description(encoded: Encoded, written: Formula | Circuit, legend: bool) -> Iterator[str]:
    """Who wrote this, what it asks, and what the variables of each block mean."""
    question = encoded.as_asked
    yield f"Skolemate {version('skolemate')}"
    yield f"question: {question}"
    for line in str(question.game.start).splitlines():
        yield f"| {line}"  # Bloqqer takes comments that begin with -- for options
    if question.player is Player.WHITE:
        yield "In the formula the colours are exchanged: black is the player who asks."
    yield f"encoding: {encoded.encoding.name} ({encoded.encoding.paper})"
    yield encoded.symmetry_told
    meaning = encoded.encoding.meaning
    if meaning is not Meaning.EXACT:
        proofs = [f"{word} proves {meaning.proof(word == 'true').value}" for word in WORDS]
        yield f"This encoding is one-sided: {', '.join(proofs)}."
    if written.constant is not None:
        told = "true" if written.constant else "false"
        yield f"This question is decided: {told}. It has no variables and needs no solver."
    for number, block in enumerate(written.prefix, 1):
        names = written.legend.group_names(block.variables)
        kind = block.quantifier.name.lower()
        yield f"block {number}: {kind} {len(block.variables)} {', '.join(names)}"
    if legend:
        for variable, name in written.legend.names():
            yield f"{variable} {name}"
