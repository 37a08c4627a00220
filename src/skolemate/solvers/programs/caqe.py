"""CAQE (Rabe and Tentrup): clausal abstraction."""

from __future__ import annotations

from skolemate.solvers.program import PYQBF, Program, register

register(
    Program(
        name="caqe",
        title="CAQE, clausal abstraction",
        licence="MIT",
        install=PYQBF,
        executables=("caqe",),
        bundled="bin/pyqbf_caqe",
        outer=("--qdo",),
    )
)
