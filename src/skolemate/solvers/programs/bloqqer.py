"""Bloqqer (Biere, Lonsing, Seidl): a preprocessor, driven inside pyqbf by a worker process."""

from __future__ import annotations

from skolemate.solvers import bloqqer_worker
from skolemate.solvers.program import PYQBF, Program, register

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
