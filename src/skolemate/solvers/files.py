"""Files that programs read: a formula or circuit, gone afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from skolemate.formula import Circuit, Formula
from skolemate.formula.qcir_write import write_qcir
from skolemate.formula.qdimacs_write import write_qdimacs
from skolemate.output import temporary_folder

__all__ = ["formula_file"]


@contextmanager
def formula_file(stated: Formula | Circuit) -> Iterator[str]:
    """A temporary file with a formula or circuit, in a folder of its own, gone afterwards."""
    suffix = "qcir" if isinstance(stated, Circuit) else "qdimacs"
    with temporary_folder() as folder:
        path = Path(folder, f"formula.{suffix}")
        with open(path, "w", encoding="ascii", newline="\n") as stream:
            if isinstance(stated, Circuit):
                write_qcir(stated, stream)
            else:
                write_qdimacs(stated, stream)
        yield os.fspath(path)
