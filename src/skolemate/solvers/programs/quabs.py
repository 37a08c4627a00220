"""QuAbS (Tentrup): abstraction on circuits; for users who have it."""

from __future__ import annotations

from skolemate.solvers.program import FROM_SOURCE, Program, register

register(
    Program(
        name="quabs",
        title="QuAbS, abstraction on circuits",
        licence="AGPL-3",
        install=FROM_SOURCE,
        executables=("quabs",),
        outer=("--partial-assignment",),
        formats=("qcir",),
        version_arguments=(),
    )
)
