"""HQSpre (Wimmer et al.): a preprocessor; for users who have it. Keeps no assignment.

Versions differ in what they print; all of them write their formula to a file, also when they have
decided it. They do not tell their version.
"""

from __future__ import annotations

from skolemate.solvers.program import FROM_SOURCE, Program, register

register(
    Program(
        name="hqspre",
        title="HQSpre, preprocessor",
        licence="LGPL-3",
        install=FROM_SOURCE,
        executables=("hqspre",),
        arguments=("--outfile", "{out}"),
        version_arguments=(),
        preprocesses=True,
        keeps_outer=False,
    )
)
