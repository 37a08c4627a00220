"""The proved checker as `check` calls it, where it is built or not.

`make check-verified` builds it, and compares both checkers on thousands of files.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

import skolemate
from skolemate.cli import main
from skolemate.games.family import build
from skolemate.strategies import Strategy, verified
from skolemate.strategies.claim import canonical, content
from skolemate.strategies.coq import coq_theorem

ROOT = Path(__file__).parents[1]
Output = pytest.CaptureFixture[str]

GAMES = ["hein(9)", "tictactoe(moves=b2)", "connect(k=3, width=4, height=3)"]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = str(tmp_path / "strategy.jsonl")
    skolemate.oracle("hein(9)", 7, strategy=path)
    return path


@pytest.mark.parametrize("name", GAMES)
def test_a_file_names_the_digest_of_the_canonical_text(name: str) -> None:
    game, text = build(name), canonical(build(name))
    assert content(game) == hashlib.sha256(text.encode()).hexdigest()
    facts = json.loads(text)
    assert len(facts) == 7
    assert facts[0] == list(game.board.names)
    assert facts[1][:2] == [game.start.black, game.start.white]


def test_the_rules_are_saved(file: str, tmp_path: Path) -> None:
    assert main(["check", file, "--rules", str(tmp_path / "rules")]) == 0
    header = json.loads(Path(file).read_text().splitlines()[0])
    text = (tmp_path / "rules").read_bytes()
    assert hashlib.sha256(text).hexdigest() == header["content"]


def test_it_says_how_to_build_it(
    file: str, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verified, "program", lambda: None)
    assert main(["check", file, "--verified"]) == 2
    assert "make check-verified" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("code", "verdict", "exit_code"),
    [(0, "accepted", 0), (1, "rejected", 1), (2, "no_strategy", 1), (3, "not_covered", 1)],
)
def test_both_must_accept(
    file: str,
    capsys: Output,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    code: int,
    verdict: str,
    exit_code: int,
) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho in its words\nexit {code}\n")
    program.chmod(0o755)
    monkeypatch.setattr(verified, "program", lambda: str(program))
    assert main(["check", file, "--verified"]) == exit_code
    assert "The proved checker: in its words." in capsys.readouterr().out
    main(["check", file, "--verified", "--json"])
    assert json.loads(capsys.readouterr().out)["verified"] == verdict


def test_a_theorem_for_coq(file: str, tmp_path: Path) -> None:
    strategy = Strategy.load(file)
    text = coq_theorem(strategy)
    assert "Theorem claim : wins (positional_rules game) Black (N.to_nat 7) (start game)." in text
    assert text.count("  Node (At ") == strategy.size
    assert main(["check", file, "--coq", str(tmp_path / "Claim.v")]) == 0
    assert (tmp_path / "Claim.v").read_text() == text


@pytest.mark.parametrize(
    ("name", "depth", "words"),
    [
        ("domineering(width=3, height=3)", 4, "\n  None None\n"),
        ("tictactoe(misere=true, moves=b2 a1)", 7, "(Some [Black; White; Black; White;"),
    ],
)
def test_theorems_about_moves_as_patterns(
    name: str, depth: int, words: str, tmp_path: Path
) -> None:
    path = str(tmp_path / "strategy.jsonl")
    skolemate.oracle(name, depth, strategy=path)
    strategy = Strategy.load(path)
    text = coq_theorem(strategy)
    assert "wins (moving_rules game) Black" in text
    assert words in text
    assert text.count("  Single (At ") == strategy.size


def test_there_are_no_theorems_about_networks(tmp_path: Path) -> None:
    from gdl_descriptions import TICTACTOE

    file, path = tmp_path / "game.gdl", str(tmp_path / "strategy.jsonl")
    file.write_text(TICTACTOE)
    skolemate.oracle(str(file), 2, strategy=path)
    assert main(["check", path, "--coq", str(tmp_path / "Claim.v")]) == 2


# --- what must be believed ------------------------------------------------------------------------

FORMAT = (ROOT / "docs" / "strategy-format.md").read_text(encoding="utf-8")


def rows_of_files() -> list[tuple[list[str], int]]:
    """The rows about files, with the number of their lines as it is stated."""
    section = FORMAT[FORMAT.index("## What must be believed") :]
    rows = re.findall(r"^\|[^|]*\|([^|]*)\| *([0-9,]+) *\|$", section, re.MULTILINE)
    return [(re.findall(r"`([^`]+)`", files), int(n.replace(",", ""))) for files, n in rows]


def test_the_lines_to_be_believed_are_counted() -> None:
    rows = rows_of_files()
    assert len(rows) >= 5
    for files, stated in rows:
        lines = sum(len(p.read_bytes().splitlines()) for f in files for p in sorted(ROOT.glob(f)))
        assert all(list(ROOT.glob(file)) for file in files), files
        assert abs(lines - stated) <= max(15, stated // 20), (files, lines)


@pytest.mark.parametrize("page", ["README.md", "docs/strategies.md"])
def test_other_pages_state_the_same_lines(page: str) -> None:
    words = (ROOT / page).read_text(encoding="utf-8")
    stated = {
        int(n.replace(",", "")) for n in re.findall(r"([0-9,]+) lines (?:in all|verifies)", words)
    }
    assert stated == {rows_of_files()[0][1]}


# --- the format's example -------------------------------------------------------------------------


def test_the_example_of_a_whole_file_holds(tmp_path: Path) -> None:
    example = FORMAT[FORMAT.index("## A whole file") :]
    rules, lines = re.findall(r"^```(?:json)\n(.*?)^```$", example, re.MULTILINE | re.DOTALL)[:2]
    header = json.loads(lines.splitlines()[0])
    assert rules.strip() == canonical(build(header["game"]))
    (tmp_path / "example.jsonl").write_text(lines)
    report = skolemate.check(str(tmp_path / "example.jsonl"))
    assert report.holds
    assert report.nodes == len(lines.splitlines()) - 1


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["move", "cell"])
def test_a_move_and_a_cell_have_one_name_in_a_file(key: str, file: str, capsys: Output) -> None:
    lines = Path(file).read_text().splitlines()
    place = next(n for n, line in enumerate(lines) if '"move"' in line)
    node = json.loads(lines[place])
    node["move"] = node["move"].upper()
    if key == "cell":
        node = {"symmetry": [name.upper() for name in build("hein(9)").board.names]}
    Path(file).write_text("\n".join([*lines[:place], json.dumps(node), *lines[place + 1 :]]))
    assert main(["check", file]) == 2
    assert "in a strategy" in capsys.readouterr().err


def test_a_symmetry_stands_alone(file: str) -> None:
    names = list(build("hein(9)").board.names)
    with open(file, "a") as stream:
        stream.write(json.dumps({"symmetry": names, "left": 1}) + "\n")
    assert main(["check", file]) == 2
