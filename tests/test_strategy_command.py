"""`solve --strategy`, `oracle --strategy` and `check`, as a user calls them."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest

from commands import command_line
from skolemate.cli import main
from skolemate.games.family import build
from skolemate.limits import Reason
from skolemate.strategies import Strategy, Unfinished
from waiting import eventually

Output = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a strategy is to be written."""
    return tmp_path / "strategy.jsonl"


@pytest.mark.parametrize("command", ["oracle", "solve", "solve --engine qbf"])
@pytest.mark.parametrize(
    ("depth", "code", "sentence"),
    [
        ("7", 10, "hein(9): Black wins within 7 plies.\n"),
        ("5", 20, "hein(9): Black cannot force a win within 5 plies.\n"),
        ("auto", 10, "hein(9): Black wins within 7 plies.\n"),
    ],
)
def test_an_answer_and_its_strategy(
    file: Path, capsys: Output, command: str, depth: str, code: int, sentence: str
) -> None:
    assert main([*command.split(), "hein(9)", "-d", depth, "--strategy", str(file)]) == code
    assert main(["check", str(file)]) == 0
    shown = capsys.readouterr()
    assert f"{sentence}The strategy holds; it has " in shown.out
    assert shown.err == ""


def test_games_in_which_pieces_move(file: Path, capsys: Output) -> None:
    game = "breakthrough(width=2, height=5)"
    assert main(["oracle", game, "--player", "white", "--strategy", str(file), "--fold"]) == 10
    assert main(["check", str(file), "--json"]) == 0
    printed = capsys.readouterr().out
    told = json.loads(printed[printed.index("{") :])
    assert (told["player"], told["depth"], told["holds"]) == ("white", 10, True)


def test_check_as_json(file: Path, capsys: Output) -> None:
    main(["oracle", "tictactoe", "--strategy", str(file)])
    capsys.readouterr()
    claim, where = "game content file player depth verdict", "black white to_move move"
    keys = f"{claim} holds nodes every_depth reason {where}"
    assert main(["check", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == keys.split()
    assert (told["holds"], told["every_depth"], told["reason"]) == (True, True, None)
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:-1]))
    assert main(["check", str(file), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert list(told) == keys.split()
    assert (told["holds"], told["black"], told["white"], told["to_move"]) == (
        False,
        [],
        [],
        "black",
    )


def test_check_says_where_a_strategy_fails(file: Path, capsys: Output) -> None:
    main(["oracle", "hein(9)", "--strategy", str(file)])
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:1] + lines[2:]))
    capsys.readouterr()
    assert main(["check", str(file)]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("The strategy does not hold: Black ")
    assert "White to move, after " in shown
    assert "a b c d" in shown
    assert main(["check", str(file), "--game", "hein(4)"]) == 1
    assert "belongs to another game" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "nowhere.jsonl"], "cannot read 'nowhere.jsonl': no such file"),
        (["check", __file__], "test_strategy_command.py:1:1: not a strategy"),
        (["check", "/"], "cannot read '/': is a directory"),
        (["oracle", "hein(4)", "--strategy", "no/such/folder/x"], "cannot write 'no/such/folder/x"),
        (
            ["oracle", "hein(4)", "--strategy", "-"],
            "a strategy cannot be written to standard output",
        ),
        (["solve", "hein(4)", "--jobs", "0"], "not a number from 1 up"),
    ],
)
def test_wrong_calls(capsys: Output, arguments: list[str], message: str) -> None:
    try:
        code = main(arguments)
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    assert code == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err


def test_standard_input_is_a_dash(file: Path) -> None:
    main(["oracle", "hein(4)", "--strategy", str(file)])
    with file.open() as stream:
        done = subprocess.run(
            command_line("check", "-"),
            stdin=stream,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert "The strategy holds" in done.stdout


def test_out_of_time_the_answer_still_stands(
    file: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*_: object, **__: object) -> None:
        raise Unfinished(Reason.TIME, "it was a long day", 17)

    monkeypatch.setattr("skolemate.ask.proving.extract", slow)
    assert main(["oracle", "hein(9)", "-d", "7", "--strategy", str(file)]) == 1
    shown = capsys.readouterr()
    assert "hein(9): Black wins within 7 plies." in shown.out
    assert shown.err == (
        "skolemate: the strategy is not finished (time), 17 nodes so far: it was a long day; "
        "run the same command again to continue\n"
    )


def test_ctrl_c_keeps_what_was_decided(file: Path) -> None:
    part = Path(f"{file}.part")
    process = subprocess.Popen(
        command_line("solve", "hein(8)", "-d", "11", "-e", "et", "--strategy", str(file)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        assert eventually(lambda: part.exists() and part.stat().st_size >= 5000)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "Black wins within 11 plies" in out
    assert "not finished (cancelled)" in err
    assert part.exists()


def test_playing_by_a_loaded_strategy(file: Path) -> None:
    main(["oracle", "hein(9)", "-d", "7", "--strategy", str(file)])
    strategy, position = Strategy.load(str(file)), build("hein(9)").start
    for _ in range(7):
        if position.to_move is strategy.owner:
            move = strategy.move(position)
            assert move is not None
        else:
            assert strategy.move(position) is None
            move = position.moves()[0]
        position = position.play(move)
        if position.winner is not None:
            break
    assert position.winner is strategy.owner
