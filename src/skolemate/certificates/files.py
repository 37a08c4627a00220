"""Certificates in files: written with a description, read for the formula they are about."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path, PurePath

from skolemate.certificates.aiger import read_aiger, to_aiger
from skolemate.certificates.certificate import Certificate, variables_of
from skolemate.encodings import Encoded
from skolemate.errors import UserError, brief, reason
from skolemate.formula import Formula, Quantifier
from skolemate.output import write_bytes

__all__ = ["load_certificate", "refuse_suffix", "save_certificate"]


def refuse_suffix(path: str) -> None:
    """Before any work is done: is this a name that a certificate can have?"""
    if path != "-" and PurePath(path).suffix.lower() not in (".aag", ".aig"):
        formats = "the suffix is .aag (ASCII) or .aig (binary)"
        raise UserError(f"cannot tell the format of {brief(path, 200)}; {formats}")


def save_certificate(certificate: Certificate, encoded: Encoded, path: str) -> None:
    """Write AIGER in the format of the suffix; `-` is the standard output, in ASCII."""
    refuse_suffix(path)
    binary = PurePath(path).suffix.lower() == ".aig"
    write_bytes(path, to_aiger(certificate, _description(certificate, encoded), binary))


def load_certificate(path: str, formula: Formula) -> Certificate:
    """Read AIGER. Whose functions they are is told by the variables."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise UserError(f"cannot read {brief(path, 200)}: {reason(error)}") from None
    graph, functions = read_aiger(data, path)
    existential = set(variables_of(formula, Quantifier.EXISTS))
    true = existential.isdisjoint(graph.variables) and formula.constant is not False
    return Certificate(true, graph, functions)


def _description(certificate: Certificate, encoded: Encoded) -> Iterator[str]:
    question = encoded.as_asked
    yield f"Skolemate {version('skolemate')}"
    yield f"question: {question}"
    yield f"encoding: {encoded.encoding.name} ({encoded.encoding.paper})"
    yield encoded.symmetry_told
    if certificate.true:
        yield "The formula is true: Skolem functions of its existential variables."
    else:
        yield "The formula is false: Herbrand functions of its universal variables."
    yield "Inputs and outputs are named by the numbers that skolemate encode gives the variables."
