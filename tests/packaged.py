"""Build what is published, install it where nothing else is, and use it: `make check-package`.

Each wheel is installed with the core dependencies alone, in the Python that it is for. The source
is installed where no compiler is to be found: all but the engine must work there, and say what is
missing. The template of plug-ins is installed beside a wheel, and its own tests are run.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from subprocess import CompletedProcess

from wheels import pythons, source, wheel

ROOT = Path(__file__).resolve().parents[1]
STRATEGY, STORE, SUITE = "hein4.jsonl", "store.sqlite", "small.toml"
GAME = "hein(4)"  # a win that the oracle finds at once

# What each extra is for: a command that must name it where it is missing.
NEEDS = {
    "bench": ["bench", "report", "--store", STORE, "-o", "report.html"],
    "cluster": ["bench", "run", SUITE, "--store", STORE, "--cluster", "tcp://localhost:1"],
    "completion": ["completion", "bash"],
    "solvers": ["certify", STRATEGY, "-e", "et"],
    "web": ["serve", "--no-browser"],
}
FORMULA = ["solve", GAME, "-e", "et", "-p", "caqe"]  # needs the extra solvers, too
SEARCH = ["solve", GAME, "--engine", "search"]
SIMPLIFY = ["solvers", "simplify"]

# What works with the core dependencies alone, with its exit code, in this order.
WORKS = [
    (["--version"], 0),
    (["--help"], 0),
    (["games"], 0),
    (["solvers"], 0),
    (["show", GAME], 0),
    (["show", "breakthrough(width=3, height=5)", "--svg", "board.svg"], 0),
    (["oracle", GAME, "--strategy", STRATEGY], 10),
    (["check", STRATEGY], 0),
    (["show", STRATEGY, "--html", "page.html"], 0),
    (["encode", GAME, "-d", "3", "-e", "et", "-o", "hein4.qdimacs"], 0),
    (["encode", GAME, "-d", "3", "-e", "ln", "-o", "hein4.qcir"], 0),
    (["stats", GAME, "-d", "3"], 0),
    (["convert", GAME, "-o", "hein4.pg"], 0),
    (["solve", "hein4.pg", "--strategy", STRATEGY], 10),  # the engine
    (["check", STRATEGY], 0),
    (["bench", "run", SUITE, "--store", STORE], 0),
]
SMALL_SUITE = """title = "Small"
source = "nowhere"
seconds = 60
memory = "1G"
[[runs]]
task = "size"
encodings = ["et"]
questions = [{ game = "hein(4)", depth = 3 }]
"""
LARGEST = 200_000  # bytes of a file in the source distribution


def prepare(folder: Path) -> None:
    """The files that the commands above begin with."""
    (folder / SUITE).write_text(SMALL_SUITE)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="skolemate-package-") as name:
        folder = Path(name)
        packed = source(folder)
        without = {"PATH": "", "CC": "/bin/false", "CXX": "/bin/false", "HOME": name}
        for python in pythons():
            built = wheel(python, folder)
            _inspect(packed, built)
            place = Place(folder / Path(python).name, python, built, without)
            _use(place, engine=True)
        _use_template(place)
        _use(Place(folder / "source", sys.executable, packed, without), engine=False)
    print("The wheels, and the source without a compiler: all works, or says what is missing.")


def _inspect(source: Path, wheel: Path) -> None:
    with tarfile.open(source) as archive:
        sizes = {Path(f.name).name: f.size for f in archive if f.isfile()}
    bulk = {name: size for name, size in sizes.items() if size > LARGEST}
    assert not bulk, f"too large for a source distribution: {bulk}"
    assert {"LICENSE", "pyproject.toml", "CMakeLists.txt", "search.hpp", "Makefile"} <= set(sizes)
    with zipfile.ZipFile(wheel) as packed:
        inside = [Path(name).name for name in packed.namelist()]
    for module in ("_engine.", "_simplify."):
        assert any(name.startswith(module) and name.endswith(".so") for name in inside)
    needed = {"LICENSE", "py.typed", "bddl.lark", "konane.bddl", "sizes.toml", "page.html"}
    assert {*needed, "index.html", "main.js"} <= set(inside)
    print(f"{source.name}: {source.stat().st_size:,} bytes, {wheel.name}: {wheel.stat().st_size:,}")


class Place:
    """A virtual environment that has nothing but the package and its core dependencies."""

    def __init__(
        self, folder: Path, python: str, package: Path, environment: dict[str, str]
    ) -> None:
        subprocess.run([python, "-m", "venv", folder], check=True)
        self.folder, self.environment = folder, environment
        self.install(package)
        prepare(folder)

    def install(self, *packages: str | Path) -> None:
        pip = [str(self.folder / "bin" / "python"), "-m", "pip", "install", "-qq", "--no-cache-dir"]
        pip.append("--disable-pip-version-check")
        subprocess.run([*pip, *packages], check=True, env=self.environment)

    def run(self, arguments: list[str], *, module: bool = False) -> CompletedProcess[str]:
        programs = self.folder / "bin"
        called = [programs / "python", "-m", "skolemate"] if module else [programs / "skolemate"]
        environment = {"PATH": str(programs), "HOME": str(self.folder)}
        done = subprocess.run(
            [*called, *arguments],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert "defect" not in done.stderr, done.stderr
        return done


def _use_template(place: Place) -> None:
    template = place.folder / "template"  # a copy: a build leaves files behind
    shutil.copytree(ROOT / "examples" / "plugin", template)
    place.install("pytest", template)
    assert "corners" in place.run(["games", "corners"]).stdout
    python = str(place.folder / "bin" / "python")
    tests = [python, "-m", "pytest", "-q", str(template / "tests")]
    subprocess.run(tests, check=True, cwd=place.folder, stdout=subprocess.DEVNULL)


def _use(place: Place, engine: bool) -> None:
    for arguments, code in WORKS:
        if not engine and arguments[0] == "solve":
            continue
        for module in (False, True):
            done = place.run(arguments, module=module)
            assert done.returncode == code, (arguments, done.returncode, done.stderr)
    for extra, arguments in (*NEEDS.items(), ("solvers", FORMULA)):
        done = place.run(arguments)
        assert f"pip install 'skolemate[{extra}]'" in done.stderr, (arguments, done.stderr)
    assert ("works" if engine else "missing") in place.run(SIMPLIFY).stdout
    found = place.run(SEARCH)
    if engine:
        assert found.returncode == 10, found.stderr
    else:
        assert found.returncode == 2
        assert "install a C++ compiler, then Skolemate again" in found.stderr
        assert found.stderr.count("\n") == 1
        either = place.run(["solve", GAME]).stderr
        assert "a C++ compiler" in either
        assert "skolemate[solvers]" in either
        assert "skolemate oracle" in either


if __name__ == "__main__":
    main()
