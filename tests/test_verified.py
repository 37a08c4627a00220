"""The proved checker as `check` calls it, where it is built or not.

`make check-verified` builds it, and compares both checkers on thousands of files.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

import skolemate
from skolemate.cli import main
from skolemate.games.family import build
from skolemate.strategies import Strategy, verified
from skolemate.strategies.claim import canonical, content
from skolemate.strategies.coq import coq_theorem

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


def test_theorems_are_about_positional_games(tmp_path: Path) -> None:
    path = str(tmp_path / "strategy.jsonl")
    skolemate.oracle("domineering(width=3, height=3)", 4, strategy=path)
    assert main(["check", path, "--coq", str(tmp_path / "Claim.v")]) == 2
