"""`skolemate certify`: files, words, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skolemate.api import oracle
from skolemate.cli import main


@pytest.fixture
def strategy(tmp_path: Path) -> str:
    file = str(tmp_path / "hex.jsonl")
    oracle("hex(size=3)", 5, strategy=file)
    return file


def test_a_strategy_is_certified(
    strategy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for suffix in ("aag", "aig"):
        file = str(tmp_path / f"hex.{suffix}")
        assert main(["certify", strategy, "-e", "et", "-o", file]) == 0
        told = capsys.readouterr().out
        assert "Black wins within 5 plies" in told
        assert "Skolem functions" in told
        assert main(["certify", strategy, "-e", "et", "--check", file]) == 0
        assert capsys.readouterr().out == told


@pytest.mark.parametrize("encoding", ["sa", "la"])
def test_a_strategy_longer_than_the_formula_is_shortened(
    encoding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only three cells matter, and the strategy plays elsewhere first."""
    file = str(tmp_path / "slow.jsonl")
    oracle("hex(size=3, first=white, moves=a2 b2 c2)", 6, strategy=file)
    assert main(["certify", file, "-e", encoding]) == 0
    assert "They play a strategy for 3 plies." in capsys.readouterr().out


def test_a_first_move_that_symmetry_leaves_out_needs_the_plain_formula(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On 2x2 both a2 and b1 win, and the restricted formula has only a2."""
    file = tmp_path / "hex.jsonl"
    oracle("hex(size=2)", 3, strategy=str(file))
    text = file.read_text()
    for ours, turned in (('".X.."', '"..X."'), ('"a1","b1"', '"a2","b2"'), ('"a2"}', '"b1"}')):
        assert text.count(ours) == 1
        text = text.replace(ours, turned)
    file.write_text(text)
    assert main(["check", str(file)]) == 0
    assert main(["certify", str(file), "-e", "et", "--symmetry"]) == 1
    assert "try without --symmetry" in capsys.readouterr().out
    assert main(["certify", str(file), "-e", "et"]) == 0


def test_the_certificate_of_another_encoding_is_refused(
    strategy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "hex.aag")
    main(["certify", strategy, "-e", "ea", "-o", file])
    assert main(["certify", strategy, "-e", "et", "--check", file, "--json"]) == 1
    told = json.loads(capsys.readouterr().out.partition("{")[2].join(["{", ""]))
    assert told["holds"] is False
    assert "not for this formula" in told["reason"]


def test_a_changed_file_is_refused(
    strategy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hex.aag"
    main(["certify", strategy, "-e", "et", "-o", str(file)])
    lines = file.read_text().splitlines(keepends=True)
    counts = list(map(int, lines[0].split()[1:]))
    first_output = 1 + counts[1]
    lines[first_output] = f"{int(lines[first_output]) ^ 1}\n"
    file.write_text("".join(lines))
    capsys.readouterr()
    assert main(["certify", strategy, "-e", "et", "--check", str(file)]) == 1
    assert "does not hold: clause" in capsys.readouterr().out


def test_ascii_goes_to_the_standard_output(
    strategy: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["certify", strategy, "-e", "et", "-o", "-"]) == 0
    assert capfdbinary.readouterr().out.startswith(b"aag ")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["-e", "et", "-o", "hex.txt"], "the suffix is .aag"),
        (["-e", "cover"], "one-sided"),
        (["-e", "none"], "none"),
        (["-e", "et", "--check", "nowhere.aag"], "cannot read 'nowhere.aag'"),
    ],
)
def test_mistakes_are_told(
    strategy: str, arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["certify", strategy, *arguments]) == 2
    assert reason in capsys.readouterr().err
