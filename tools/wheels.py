"""Build what is released into a folder: the source, and a wheel for every Python at hand.

`python tools/wheels.py dist`. Each wheel has the engine inside and runs on any Linux that is not
much older than this one: auditwheel names the oldest glibc that will do.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = range(11, 15)  # of Python 3


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    print(source(folder).name)
    for python in pythons():
        print(wheel(python, folder).name)


def pythons() -> Iterator[str]:
    """The interpreters on the PATH that can make environments; others are named as left out."""
    for name in (f"python3.{minor}" for minor in VERSIONS):
        path = shutil.which(name)
        if path and not _fails([path, "-c", "import ensurepip, venv"]):
            yield path
        else:
            print(f"left out: {name} is not at hand", file=sys.stderr)


def source(folder: Path) -> Path:
    """The source distribution."""
    return _made(folder, ["-m", "build", "--sdist", "--outdir", str(folder), str(ROOT)], "*.tar.gz")


def wheel(python: str, folder: Path) -> Path:
    """The wheel of one interpreter, with the name of the oldest Linux that runs it."""
    with tempfile.TemporaryDirectory(prefix="skolemate-wheel-") as name:
        environment = Path(name, "environment")
        subprocess.run([python, "-m", "venv", str(environment)], check=True)
        pip = [str(environment / "bin" / "pip"), "-qq", "--disable-pip-version-check"]
        subprocess.run([*pip, "wheel", "--no-deps", "-w", name, str(ROOT)], check=True)
        (plain,) = Path(name).glob("*.whl")
        tag = plain.name.rsplit("-", 1)[0]
        repair = ["-m", "auditwheel", "repair", "-w", str(folder), str(plain)]
        return _made(folder, repair, f"{tag}-*.whl")


def _made(folder: Path, arguments: list[str], pattern: str) -> Path:
    """The one file that a module of this environment has put into the folder."""
    for old in folder.glob(pattern):
        old.unlink()
    done = subprocess.run([sys.executable, *arguments], check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    (made,) = folder.glob(pattern)
    return made


def _fails(command: list[str]) -> bool:
    return subprocess.run(command, check=False, capture_output=True).returncode != 0


if __name__ == "__main__":
    main()
