"""GhostQ (Klieber): search with ghost variables; for users who have it."""

from __future__ import annotations

from skolemate.solvers.program import FROM_SOURCE, Program, register

register(
    Program(
        name="ghostq",
        title="GhostQ, search with ghost variables",
        licence="research",
        install=FROM_SOURCE,
        executables=("ghostq",),
        formats=("qdimacs", "qcir"),
        version_arguments=(),
    )
)
