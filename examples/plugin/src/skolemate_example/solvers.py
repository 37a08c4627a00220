"""Brute: a QBF solver that comes with this package; `brute.py` is the program."""

import sys
from pathlib import Path

from skolemate.solvers.program import Program, register

register(
    Program(
        name="brute",
        title="Brute, trying out every value",
        licence="MIT",
        install="pip install skolemate-example",
        # Beside Python, so that it is found also where the environment is not activated.
        executables=(str(Path(sys.executable).with_name("skolemate-brute")),),
        version_arguments=(),
    )
)
