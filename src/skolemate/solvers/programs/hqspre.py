"""HQSpre (Wimmer et al.): a preprocessor; for users who have it. Keeps no assignment."""

from __future__ import annotations

from skolemate.solvers.program import FROM_SOURCE, Program, register

register(
    Program(
        name="hqspre",
        title="HQSpre, preprocessor",
        licence="LGPL-3",
        install=FROM_SOURCE,
        executables=("hqspre",),
        arguments=("--pipe",),
        version_arguments=(),
        preprocesses=True,
        keeps_outer=False,
    )
)
