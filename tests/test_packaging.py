"""What a newcomer's shell shows: help with examples, completion, and missing extras by name.

`make check-package` shows the same, and more, in empty environments.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from commands import command_line
from packaged import FORMULA, GAME, NEEDS, ROOT, SEARCH, STRATEGY, WORKS, prepare
from skolemate.cli import COMMANDS, EXAMPLES, _parser, main

Output = pytest.CaptureFixture[str]
IMPORTS = {
    "bench": ["matplotlib"],
    "cluster": ["distributed"],
    "completion": ["argcomplete"],
    "solvers": ["pysat", "pysat.solvers"],
    "web": ["uvicorn"],
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, where no solver is found, inside or outside."""
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("skolemate.solvers.program._bundle", lambda: None)
    return tmp_path


def test_every_extra_is_known_here() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    ours = {"all", "docs", "notebooks", "test"}  # for developers
    assert set(NEEDS) == set(IMPORTS) == set(project["optional-dependencies"]) - ours


def test_the_core_works_alone(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    for names in IMPORTS.values():
        for name in names:
            monkeypatch.setitem(sys.modules, name, None)
    for arguments, code in WORKS:
        if arguments[0].startswith("-"):
            continue  # ends the program
        assert main(arguments) == code, capsys.readouterr().err
    capsys.readouterr()
    for extra, arguments in (*NEEDS.items(), ("solvers", FORMULA)):
        main(arguments)
        assert f"pip install 'skolemate[{extra}]'" in capsys.readouterr().err


def test_tables_keep_their_brackets(place: Path, capsys: Output) -> None:
    assert main(["solvers"]) == 0
    assert "pip install 'skolemate[solvers]'" in capsys.readouterr().out


def test_without_the_engine_all_else_works(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setattr("skolemate.search.engine.find_spec", lambda _: None)
    assert main(SEARCH) == 2
    assert "install a C++ compiler, then Skolemate again" in capsys.readouterr().err
    assert main(["solve", GAME]) == 2
    told = capsys.readouterr().err
    assert "a C++ compiler" in told
    assert "skolemate[solvers]" in told
    assert main(["oracle", GAME, "--strategy", STRATEGY]) == 10
    assert main(["check", STRATEGY]) == 0


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_has_examples_that_are_right(command: str | None, capsys: Output) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(["--help"] if command is None else [command, "--help"])
    assert leaving.value.code == 0
    shown = capsys.readouterr().out
    _, _, listed = shown.partition("\nexamples:\n")
    examples = [line.strip() for line in listed.splitlines()]
    assert len(examples) >= 2
    assert command is not None or examples == list(EXAMPLES)
    for example in examples:
        words = shlex.split(example.removeprefix('eval "$(').replace(')"', ""), comments=True)
        assert words.pop(0) == "skolemate"
        assert command in (None, words[0])
        words = words[: words.index(">")] if ">" in words else words
        if "--help" not in words:
            _parser(words).parse_args(words)


def test_the_template_of_plug_ins_works(tmp_path: Path) -> None:
    """By the entry points that its project file has, as if it were installed."""
    template = ROOT / "examples" / "plugin"
    project = tomllib.loads((template / "pyproject.toml").read_text())["project"]
    metadata = tmp_path / "example.dist-info"
    metadata.mkdir()
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (metadata / "METADATA").write_text(head)
    groups = project["entry-points"].items()
    points = [f"[{group}]\n{name} = {at}" for group, one in groups for name, at in one.items()]
    (metadata / "entry_points.txt").write_text("\n".join(points))
    solver = template / "src" / "skolemate_example" / "brute.py"
    found = {
        "PYTHONPATH": os.pathsep.join([str(template / "src"), str(tmp_path)]),
        "SKOLEMATE_BRUTE": f"{shlex.quote(sys.executable)} {shlex.quote(str(solver))}",
    }
    own_tests = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(template / "tests")]
    done = subprocess.run(
        [*own_tests, "--rootdir", str(tmp_path), "-c", os.devnull],
        env=os.environ | found,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


def completed(line: str, folder: Path) -> list[str]:
    """What a shell is told when Tab is pressed behind a line."""
    asked = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_SHELL": "bash",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(folder / "told"),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "COMP_TYPE": "9",
    }
    subprocess.run(command_line(), env=os.environ | asked, cwd=folder, check=True)
    return [word.strip() for word in (folder / "told").read_text().split("\n")]


def test_a_shell_completes(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "hexagon.pg").touch()
    assert completed("skolemate so", tmp_path) == ["solve", "solvers"]
    assert completed("skolemate solve hex", tmp_path) == ["hex", "hexagon.pg"]
    assert completed("skolemate solve hex -e cor", tmp_path) == ["cor", "cor+"]
    assert completed("skolemate games kn", tmp_path) == ["knightthrough"]
    assert completed("skolemate bench run gttt-", tmp_path) == ["gttt-3x3", "gttt-4x4"]
    assert completed("skolemate bench run al", tmp_path) == ["all"]
    assert "all" not in completed("skolemate bench list al", tmp_path)
    for shell in ("bash", "zsh", "fish"):
        assert main(["completion", shell]) == 0
        assert "skolemate" in capsys.readouterr().out
