"""The proved checker: a program that `make verified` builds from the theorems in `proof/`."""

import os
import shutil
import subprocess
import sysconfig
import tempfile
from enum import Enum
from typing import NamedTuple

from skolemate.errors import UserError
from skolemate.games.game import Game
from skolemate.output import File
from skolemate.strategies.claim import canonical

PROGRAM = "skolemate-verified"


class Verdict(Enum):
    """What it says of a file; the values are its exit codes."""

    ACCEPTED = 0
    REJECTED = 1
    NO_STRATEGY = 2
    NOT_COVERED = 3


class Verified(NamedTuple):
    verdict: Verdict
    said: str  # its own words, one line

    def __str__(self) -> str:
        return f"The proved checker: {self.said}."


def program() -> str | None:
    """The program's path, if it is built."""
    return shutil.which(PROGRAM) or shutil.which(PROGRAM, path=sysconfig.get_path("scripts"))


def check_verified(strategy: File, game: Game) -> Verified:
    """Ask the proved checker about a file; the game's rules are passed as their canonical text."""
    path, found = os.fspath(strategy), program()
    if found is None:
        raise UserError(
            f"{PROGRAM} is not built: `make check-verified` in a clone of Skolemate builds it"
        )
    if path == "-":
        raise UserError("the proved checker reads a file, not the standard input")
    with tempfile.TemporaryDirectory() as folder:
        rules = os.path.join(folder, "rules.json")
        with open(rules, "w", encoding="utf-8") as stream:
            stream.write(canonical(game))
        ended = subprocess.run([found, rules, path], capture_output=True, text=True, check=False)
    said = ended.stdout.strip() or ended.stderr.strip()
    try:
        return Verified(Verdict(ended.returncode), said)
    except ValueError:
        raise UserError(f"{PROGRAM} failed: {said or ended.returncode}") from None
