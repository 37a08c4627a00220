"""QuAbS (Tentrup): abstraction on circuits; for users who have it."""

from __future__ import annotations

from skolemate.solvers.program import Program, register

register(
    Program(
        name="quabs",
        title="QuAbS, abstraction on circuits",
        licence="AGPL-3",
        install="build it from its author's page and put it on the PATH",
        executables=("quabs",),
        outer=("--partial-assignment",),
        formats=("qcir",),
        version_arguments=(),
    )
)
