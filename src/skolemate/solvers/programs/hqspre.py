"""HQSpre (Wimmer et al.): a preprocessor; for users who have it. Keeps no assignment."""

from __future__ import annotations

from skolemate.solvers.program import Program, register

register(
    Program(
        name="hqspre",
        title="HQSpre, preprocessor",
        licence="LGPL-3",
        install="build it from its authors' page and put it on the PATH",
        executables=("hqspre",),
        arguments=("--pipe",),
        version_arguments=(),
        preprocesses=True,
        keeps_outer=False,
    )
)
