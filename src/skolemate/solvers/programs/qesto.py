"""QESTO and CQESTO (Janota): clause selection; for users who have them.

They know no `--version`, but begin with it whatever they are asked.
"""

from __future__ import annotations

from skolemate.solvers.program import FROM_SOURCE, Program, register

register(
    Program(
        name="qesto",
        title="QESTO, clause selection",
        licence="MIT",
        install=FROM_SOURCE,
        executables=("qesto",),
    )
)
register(
    Program(
        name="cqesto",
        title="CQESTO, clause selection on circuits",
        licence="GPL-3",
        install=FROM_SOURCE,
        executables=("cqesto",),
        formats=("qcir",),
    )
)
