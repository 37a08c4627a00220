"""RAReQS (Janota et al.): expansion by counterexamples. Always prints its assignment."""

from __future__ import annotations

from skolemate.solvers.program import PYQBF, Program, register

register(
    Program(
        name="rareqs",
        title="RAReQS, expansion by counterexamples",
        licence="GPL-3",
        install=PYQBF,
        executables=("rareqs",),
        bundled="bin/pyqbf_rareqs",
        version_arguments=(),
    )
)
