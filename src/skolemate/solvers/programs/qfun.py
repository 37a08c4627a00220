"""QFun (Janota): expansion with learning of strategies. Prints no assignment."""

from __future__ import annotations

from skolemate.solvers.program import PYQBF, Program, register

register(
    Program(
        name="qfun",
        title="QFun, expansion with learnt strategies",
        licence="GPL-3",
        install=PYQBF,
        executables=("qfun",),
        bundled="bin/pyqbf_qfun",
        version_pattern=r"\d+\.\d+",
    )
)
