"""Benchmark sets: the same bytes each time, and a manifest that tells the truth."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from evaluator import evaluate
from packing import GAMES, packs
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


BESIDE = ("LICENSE", "README.md", "SHA256SUMS", "manifest.json", "references.bib", "suite.toml")


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_an_export_is_reproducible_to_the_byte(tmp_path: Path) -> None:
    suite = parse_suite("small", SUITE)
    said: list[str] = []
    count = export(suite, str(tmp_path / "one"), tell=said.append)
    export(suite, str(tmp_path / "two"), tell=said.append)
    assert files_in(tmp_path / "one") == files_in(tmp_path / "two")
    assert len(files_in(tmp_path / "one")) == count + len(BESIDE)
    assert any("left out: sa cannot encode" in words for words in said)


def test_a_set_is_the_same_in_another_environment_and_complete(tmp_path: Path) -> None:
    first, second = packs(tmp_path)
    assert files_in(first) == files_in(second)
    assert {f"games/{name}" for name in GAMES} <= files_in(first).keys()
    assert main(["bench", "verify", str(first)]) == 0  # games in files are in the set, too


def test_the_manifest_tells_the_truth(tmp_path: Path) -> None:
    export(parse_suite("small", SUITE), str(tmp_path), tell=lambda words: None)
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    told = 0
    for entry in manifest["files"]:
        written = gzip.decompress((tmp_path / entry["file"]).read_bytes())
        assert hashlib.sha256(written).hexdigest() == entry["sha256"]
        if entry["file"].endswith(".qdimacs.gz"):
            formula = read_qdimacs(written, entry["file"])
            assert formula.sizes.clauses == entry["clauses"]
            if entry["truth"] is not None and formula.sizes.variables < 60:
                told += 1
                assert evaluate(formula) is entry["truth"], entry["file"]
    assert told >= 4
    assert {e["file"].partition(".")[2] for e in manifest["files"]} == {
        "qdimacs.gz",
        "qcir.gz",
    }


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


def test_a_set_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export(parse_suite("small", SUITE), str(tmp_path), tell=lambda words: None)
    sums = (tmp_path / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    for line in sums:
        value, name = line.split("  ")
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == value
    names = {name for name in files_in(tmp_path) if name.endswith(".gz")}
    assert "cor+/tictactoe-d5-black-cor+.qdimacs.gz" in names
    assert "sa/hex-size2-d3-black-sa.qcir.gz" in names
    verify = ["bench", "verify", str(tmp_path)]
    assert main([*verify, "-p", "depqbf,caqe"]) == 0
    assert capsys.readouterr().out == ""
    manifest = tmp_path / "manifest.json"
    for name in sorted(names)[:3]:
        file, kept, written = tmp_path / name, (tmp_path / name).read_bytes(), manifest.read_bytes()
        text = gzip.decompress(kept).decode()
        last = text.rstrip("\n").rpartition("\n")[2]
        flipped = text.removesuffix(f"{last}\n") + f"-{last}\n".replace("--", "")
        assert flipped != text
        file.write_bytes(gzip.compress(flipped.encode()))
        assert main(verify) == 1
        assert f"{name}: differs from its checksum" in capsys.readouterr().out
        # Somebody who mends the checksum, too, is found by generating the set again.
        old, new = (hashlib.sha256(t.encode()).hexdigest() for t in (text, flipped))
        manifest.write_text(written.decode().replace(old, new), encoding="utf-8")
        assert main(verify) == 1
        assert capsys.readouterr().out == (
            f"{name}: differs from the formula that is generated from suite.toml\n"
        )
        file.write_bytes(kept)
        manifest.write_bytes(written)
    manifest.write_text(manifest.read_text().replace('"truth": true', '"truth": false', 1))
    assert main([*verify, "-p", "depqbf"]) == 1
    assert "depqbf says true, the manifest says false" in capsys.readouterr().out
    (tmp_path / min(names)).unlink()
    assert main(verify) == 1
    assert "no such file" in capsys.readouterr().out
