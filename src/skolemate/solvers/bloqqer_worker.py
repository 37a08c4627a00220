"""Bloqqer in a process of its own: `python bloqqer_worker.py LIBRARY IN OUT VARIABLE...`.

Calls the C functions inside pyqbf's extension module. Its own Python interface returns corrupt
prefixes, and the C code exits, aborts and installs signal handlers: hence a separate process.
Exits with 10 (true), 20 (false) or 0 (reduced); writes the reduced formula to OUT, and prints
the answer, if there is one, and the values of the variables asked about.

`exp-mini=0` avoids an unsoundness; `partial-assignment=1` keeps the outermost block, so that the
winning move survives.
"""

import ctypes
import os
import sys

OPTIONS = {b"partial-assignment": 1, b"exp-mini": 0}


def main() -> None:
    library, source, target, *variables = sys.argv[1:]
    bloqqer = ctypes.CDLL(library)
    for name, value in OPTIONS.items():
        bloqqer.bloqqer_set_option_val(name, value)
    bloqqer.bloqqer_parse(source.encode())
    result = bloqqer.bloqqer_preprocess()
    known = {variable: bloqqer.bloqqer_getvalue(int(variable)) for variable in variables}
    literals = [v if value == 1 else f"-{v}" for v, value in known.items() if value in (1, 2)]
    if result in (10, 20):
        sys.stdout.write(f"s cnf {int(result == 10)}\n")
    sys.stdout.write(f"V {' '.join(literals)} 0\n")
    sys.stdout.flush()
    os.dup2(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
    bloqqer.bloqqer_print()
    ctypes.CDLL(None).fflush(None)
    os._exit(result if result in (10, 20) else 0)


if __name__ == "__main__":
    main()
