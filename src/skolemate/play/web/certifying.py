"""Certifying a strategy: `python -m skolemate.play.web.certifying DIR STRATEGY ENCODING FILE`.

Exits with 0 if the certificate holds and is in the file, else with the reason.
"""

import sys
from pathlib import Path

from skolemate.api import certify
from skolemate.errors import UserError
from skolemate.play.web.runs import Storage


def main(folder: str, strategy: str, encoding: str, output: str) -> str | None:
    """Why there is no certificate; None if there is one."""
    storage = Storage(Path(folder))
    try:
        game = storage.strategy(strategy).game
        file = str(storage.strategy_path(strategy))
        certified = certify(file, encoding, output=output, game=game)
    except UserError as error:
        return str(error)
    except (MemoryError, RecursionError):
        return "not enough memory on this machine"
    return None if certified.holds else str(certified)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
