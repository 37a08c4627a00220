"""Encodings: where games and formulas meet. One module per published encoding."""

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
