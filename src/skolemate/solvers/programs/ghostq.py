"""GhostQ (Klieber): search with ghost variables; for users who have it."""

from __future__ import annotations

from skolemate.solvers.program import Program, register

register(
    Program(
        name="ghostq",
        title="GhostQ, search with ghost variables",
        licence="research",
        install="build it from its author's page and put it on the PATH",
        executables=("ghostq",),
        formats=("qdimacs", "qcir"),
        version_arguments=(),
    )
)
