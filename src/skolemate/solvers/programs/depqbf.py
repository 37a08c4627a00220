"""DepQBF 6 (Lonsing and Egly), as pyqbf builds it."""

from __future__ import annotations

from skolemate.solvers.program import PYQBF, Program, register

register(
    Program(
        name="depqbf",
        title="DepQBF, search with clause and cube learning",
        licence="GPL-3",
        install=PYQBF,
        executables=(),  # on the PATH there may be Debian's, which knows other flags: depqbf5
        bundled="bin/pyqbf_depqbf",
        # Without the second flag it aborts when asked for an assignment.
        outer=("--qdo", "--no-dynamic-nenofex"),
    )
)
