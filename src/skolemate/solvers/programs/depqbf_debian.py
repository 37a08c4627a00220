"""DepQBF 5 as Debian packages it, beside the newer one that pyqbf builds."""

from __future__ import annotations

from skolemate.solvers.program import Program, register

register(
    Program(
        name="depqbf5",
        title="DepQBF 5, search with clause and cube learning",
        licence="GPL-3",
        install="apt-get install depqbf",
        executables=("depqbf",),
        # Without the second flag some assignments are wrong.
        outer=("--qdo", "--no-qbce-dynamic"),
    )
)
