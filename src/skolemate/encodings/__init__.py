"""Encodings: questions about games as formulas. One module for each paper or section of one."""

from skolemate.encodings.encoding import (
    ENCODINGS,
    Encoded,
    Encoding,
    Meaning,
    Proof,
    Unsupported,
    encode,
    write_formula,
)

__all__ = [
    "ENCODINGS",
    "Encoded",
    "Encoding",
    "Meaning",
    "Proof",
    "Unsupported",
    "encode",
    "write_formula",
]
