"""Files with formulas as other tools write them: QDIMACS or QCIR, also compressed."""

import bz2
import gzip
import lzma
import re
import struct
import sys
import zlib
from pathlib import Path

from skolemate.errors import UserError, brief, reason
from skolemate.formula.circuit import Circuit
from skolemate.formula.formula import Formula
from skolemate.formula.qcir import read_qcir
from skolemate.formula.qdimacs import read_qdimacs

SUFFIXES = (".qdimacs", ".qcir", ".cnf", ".qbf")
PACKED = {"": None, ".gz": gzip, ".xz": lzma, ".bz2": bz2}
MAGIC = {b"\x1f\x8b": gzip, b"\xfd7zXZ\x00": lzma, b"BZh": bz2}
_QCIR = re.compile(rb"\s*(#|(exists|forall|free|output)\s*\()", re.IGNORECASE)


def formula_files(folder: Path) -> list[Path]:
    """The files in a folder, and in those below it, whose names say that they hold a formula."""
    names = tuple(suffix + packed for suffix in SUFFIXES for packed in PACKED)
    return sorted(path for path in folder.rglob("*") if path.name.lower().endswith(names))


def read_file(path: str) -> bytes:
    """The content of a file, or of the standard input for `-`."""
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {brief(path, 200)}: {reason(error)}") from None


def parse_formula(content: bytes, name: str) -> Formula | Circuit:
    """The formula in a file's content; its kind and packing are recognised by their first bytes.

    QDIMACS is read tolerantly.

    >>> parse_formula(gzip.compress(b"p cnf 1 1\\ne 1 0\\n1 0\\n"), "f.qdimacs.gz").clause_count
    1
    """
    content = unpacked(content, name)
    if _QCIR.match(content):
        return read_qcir(content, name)
    return read_qdimacs(content, name, tolerant=True)


def unpacked(content: bytes, name: str) -> bytes:
    """The content of a file that may be packed."""
    for magic, module in MAGIC.items():
        if content.startswith(magic):
            try:
                return bytes(module.decompress(content))
            except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError) as error:
                raise UserError(f"cannot unpack {brief(name, 200)}: {error}") from None
    return content


def packed(content: bytes) -> bytes:
    """The content packed by gzip, with the same bytes at any time and in every Python.

    `gzip.compress` names the operating system up to Python 3.12, and none from 3.13 on.

    >>> unpacked(packed(b"p cnf 0 0"), "f.qdimacs.gz"), packed(b"")[:10].hex()
    (b'p cnf 0 0', '1f8b08000000000002ff')
    """
    deflated = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)  # without a header
    body = deflated.compress(content) + deflated.flush()
    ending = struct.pack("<LL", zlib.crc32(content), len(content) & 0xFFFFFFFF)
    return b"\x1f\x8b\x08" + bytes(5) + b"\x02\xff" + body + ending
