"""QESTO and CQESTO (Janota): clause selection; for users who have them."""

from __future__ import annotations

from skolemate.solvers.program import Program, register

OWN = "build it from its author's page and put it on the PATH"

register(
    Program(
        name="qesto",
        title="QESTO, clause selection",
        licence="research",
        install=OWN,
        executables=("qesto",),
        version_arguments=(),
    )
)
register(
    Program(
        name="cqesto",
        title="CQESTO, clause selection on circuits",
        licence="research",
        install=OWN,
        executables=("cqesto",),
        formats=("qcir",),
        version_arguments=(),
    )
)
