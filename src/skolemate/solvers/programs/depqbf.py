"""DepQBF (Lonsing and Egly): version 6 through pyqbf, version 5 in Debian."""

from __future__ import annotations

from skolemate.solvers.program import PYQBF, Program, register

register(
    Program(
        name="depqbf",
        title="DepQBF, search with clause and cube learning",
        licence="GPL-3",
        install=f"{PYQBF}, or apt-get install depqbf",
        executables=("depqbf",),
        bundled="bin/pyqbf_depqbf",
        # Without the second flag it aborts when asked for an assignment.
        outer=("--qdo", "--no-dynamic-nenofex"),
    )
)
