"""Qute (Peitl, Slivovsky, Szeider): search with dependency learning; also reads circuits."""

from __future__ import annotations

from skolemate.solvers.program import PYQBF, Program, register

register(
    Program(
        name="qute",
        title="Qute, search with dependency learning",
        licence="MIT",
        install=PYQBF,
        executables=("qute",),
        bundled="bin/pyqbf_qute",
        outer=("--partial-certificate",),
        formats=("qdimacs", "qcir"),
    )
)
