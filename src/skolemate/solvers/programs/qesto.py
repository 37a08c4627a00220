"""QESTO and CQESTO (Janota): clause selection; for users who have them."""

from __future__ import annotations

from skolemate.solvers.program import FROM_SOURCE, Program, register

register(
    Program(
        name="qesto",
        title="QESTO, clause selection",
        licence="research",
        install=FROM_SOURCE,
        executables=("qesto",),
        version_arguments=(),
    )
)
register(
    Program(
        name="cqesto",
        title="CQESTO, clause selection on circuits",
        licence="research",
        install=FROM_SOURCE,
        executables=("cqesto",),
        formats=("qcir",),
        version_arguments=(),
    )
)
