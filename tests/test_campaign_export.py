"""Benchmark sets: the same bytes each time, and a manifest that tells the truth."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from evaluator import evaluate
from skolemate.campaigns.export import export
from skolemate.campaigns.row import Row, RunResult
from skolemate.campaigns.suite import parse_suite
from skolemate.cli import main
from skolemate.formula.qdimacs import read_qdimacs

SUITE = """
[[runs]]
critical = { "hex(size=2)" = 3, "harary(shape=domino, width=3, height=2)" = 3 }
encodings = ["cor+", "cover", "pairing", "sa"]
pipelines = ["caqe", "depqbf"]
[[runs]]
games = ["tictactoe"]
depths = [5]
encodings = ["cor+"]
pipelines = ["depqbf"]
"""


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_an_export_is_reproducible_to_the_byte(tmp_path: Path) -> None:
    suite = parse_suite("small", SUITE)
    said: list[str] = []
    count = export(suite, str(tmp_path / "one"), tell=said.append)
    export(suite, str(tmp_path / "two"), tell=said.append)
    assert files_in(tmp_path / "one") == files_in(tmp_path / "two")
    assert len(files_in(tmp_path / "one")) == count + 1
    assert any("left out: sa cannot encode" in words for words in said)


def test_the_manifest_tells_the_truth(tmp_path: Path) -> None:
    export(parse_suite("small", SUITE), str(tmp_path), tell=lambda words: None)
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    told = 0
    for entry in manifest["files"]:
        written = (tmp_path / entry["file"]).read_bytes()
        assert hashlib.sha256(written).hexdigest() == entry["sha256"]
        if entry["file"].endswith(".qdimacs"):
            formula = read_qdimacs(written, entry["file"])
            assert formula.sizes.clauses == entry["clauses"]
            if entry["truth"] is not None and formula.sizes.variables < 60:
                told += 1
                assert evaluate(formula) is entry["truth"], entry["file"]
    assert told >= 4
    assert {e["file"].partition(".")[2] for e in manifest["files"]} == {"qdimacs", "qcir"}


def test_answers_of_a_store_are_told(tmp_path: Path) -> None:
    suite = parse_suite("small", SUITE)
    job = suite.jobs[-1]
    row = Row(job, RunResult("NO_WIN", truth=False), "", "", "", "")
    export(suite, str(tmp_path), [row], tell=lambda words: None)
    last = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))["files"][-1]
    assert (last["game"], last["truth"]) == ("tictactoe", False)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "small.toml"
    suite.write_text(SUITE, encoding="utf-8")
    assert main(["bench", "export", str(suite), "-o", str(tmp_path / "set")]) == 0
    assert "manifest.json in" in capsys.readouterr().err
