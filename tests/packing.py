"""A benchmark set, written in environments that differ in what makes such sets differ.

As a program (`make check-packs`): python tests/packing.py [PYTHON...]. This Python, and those that
are named and have Skolemate, too, write the set in each environment. All files must be the same,
byte by byte, and every formula is solved by two solvers. All this is one machine: another one may
have another zlib, and then only the unpacked texts are the same.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from commands import command_line
from sample_files import EDGES, HEIN_GEX, SETS

__all__ = ["GAMES", "packs"]

SUITE = """
title = "Small games – for comparing"
[[runs]]
critical = { "hein(4)" = 5, "hein(9)" = 7, "browne" = 9 }
encodings = ["cor+", "threat"]
pipelines = ["depqbf"]
[[runs]]
games = ["hein(9)", "domineering(width=2, height=3)"]
depths = [4]
encodings = ["lifted", "sn"]
pipelines = ["depqbf"]
[[runs]]
folder = "games"
encodings = ["cor+"]
pipelines = ["depqbf"]
"""
GAMES = {"sets.pg": SETS, "edges.pg": EDGES, "hein.pg": HEIN_GEX}
ENVIRONMENTS: Sequence[Mapping[str, str]] = (
    {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONUTF8": "0"},
    {"PYTHONHASHSEED": "4000000000", "TZ": "America/St_Johns", "LC_ALL": "C.UTF-8"},
)


def packs(folder: Path, pythons: Sequence[str] = (sys.executable,)) -> list[Path]:
    """The set as each Python writes it in each environment, each from a place of its own.

    The files of games are made there in another order, and the umask is another one.
    """
    written = []
    for turn, python in enumerate(pythons):
        for place, environment in enumerate(ENVIRONMENTS):
            home = folder / f"{turn}-{place}"
            (home / "games").mkdir(parents=True)
            (home / "small.toml").write_text(SUITE, encoding="utf-8")
            for name in sorted(GAMES, reverse=bool(place)):
                (home / "games" / name).write_text(GAMES[name], encoding="utf-8")
            export = [python, *command_line("bench", "export")[1:], "small.toml", "-o", "pack"]
            subprocess.run(
                export,
                cwd=home,
                env={**os.environ, **environment},
                umask=0o077 if place else 0o002,
                stderr=subprocess.DEVNULL,
                check=True,
            )
            written.append(home / "pack")
    return written


def checksums(pack: Path) -> dict[str, str]:
    """The SHA-256 of every file of a set, by its name there."""
    files = (path for path in pack.rglob("*") if path.is_file())
    return {str(f.relative_to(pack)): hashlib.sha256(f.read_bytes()).hexdigest() for f in files}


def main() -> None:
    pythons = [sys.executable, *sys.argv[1:]]
    with tempfile.TemporaryDirectory() as name:
        first, *others = packs(Path(name), pythons)
        expected = checksums(first)
        for other in others:
            different = {name for name, _ in checksums(other).items() ^ expected.items()}
            assert not different, f"{other.parent.name}: {sorted(different)}"
        solved = command_line("bench", "verify", str(first), "-p", "depqbf,caqe")
        subprocess.run(solved, check=True)
    print(f"{len(expected)} files, the same in {len(others) + 1} environments of {pythons}")


if __name__ == "__main__":
    main()
