"""The preprocessors: they make a formula smaller, or decide it."""

from skolemate.errors import COMPILER
from skolemate.formula import simplify
from skolemate.solvers import bloqqer_worker
from skolemate.solvers.program import FROM_SOURCE, PYQBF, Program, register

# Skolemate's own (see `formula/simplify.py`): a compiled module, which runs in this process.
register(
    Program(
        name="simplify",
        title="Skolemate's own preprocessor",
        licence="MIT",
        install=COMPILER,
        executables=(),
        module=simplify.MODULE,
        preprocesses=True,
    )
)

# Bloqqer (Biere, Lonsing, Seidl): a preprocessor, driven inside pyqbf by a worker process.
register(
    Program(
        name="bloqqer",
        title="Bloqqer 037, preprocessor",
        licence="research only, not for commercial use",
        install=PYQBF,
        executables=(),
        bundled="lib/python*/site-packages/pyqbf_cpp*.so",
        worker=bloqqer_worker.__file__,
        preprocesses=True,
        version_arguments=(),
    )
)

# HQSpre (Wimmer et al.): a preprocessor; for users who have it. Keeps no assignment.
#
# Versions differ in what they print; all of them write their formula to a file, also when they have
# decided it. They do not print their version.
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

# QRATPre+ (Lonsing and Egly): a preprocessor; for users who have it.
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
