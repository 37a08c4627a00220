"""QRATPre+ (Lonsing and Egly): a preprocessor; for users who have it."""

from __future__ import annotations

from skolemate.solvers.program import FROM_SOURCE, Program, register

register(
    Program(
        name="qratpre",
        title="QRATPre+, preprocessor",
        licence="GPL-3",
        install=FROM_SOURCE,
        executables=("qratpre+", "qratpreplus"),
        arguments=("--print-formula", "--ignore-outermost-vars"),
        preprocesses=True,
    )
)
