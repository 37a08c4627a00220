"""`play` as a person uses it: on a terminal, and with a script in a pipe."""

from __future__ import annotations

import json
import os
import random
import subprocess
import time
from pathlib import Path

import pytest

from commands import command_line
from fake_solvers import HANG, Fakes
from skolemate.cli import main
from skolemate.games.family import build
from terminals import CTRL_C, CTRL_D, Terminal
from waiting import eventually

PROMPT = "your move: "


def piped(*arguments: str, typed: str | bytes = "") -> subprocess.CompletedProcess[str]:
    """`play` with a script."""
    data = typed if isinstance(typed, bytes) else typed.encode()
    done = subprocess.run(
        command_line("play", *arguments),
        input=data,
        capture_output=True,
        timeout=120,
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


# --- on a terminal ------------------------------------------------------------------------------


def test_a_whole_game_is_typed_and_seen() -> None:
    with Terminal("play", "hein(4)", "--side", "white") as terminal:
        shown = terminal.wait_for(PROMPT)
        assert "hein(4): you are White (O), the computer is Black (X)." in shown
        assert "The computer plays b2. It wins within 4 more plies, whatever you do." in shown
        assert "[X]" in shown
        terminal.type("c1\n")
        terminal.wait_for("wins within")
        terminal.wait_for(PROMPT)
        terminal.type("\n")
        listed = terminal.wait_for(PROMPT)
        assert "Legal moves: " in listed
        move = listed.partition("Legal moves: ")[2].split()[0]
        terminal.type(f"{move}\n")
        shown = terminal.wait_for("Enter to leave: ")
        assert "X*" in shown
        assert "Black has won." in shown
        terminal.type("\n")
        assert terminal.ends() == 0
        assert "hein(4): Black has won.\nMoves: b2 c1 " in terminal.screen


def test_ctrl_d_ends_the_game_in_order() -> None:
    with Terminal("play", "tictactoe", "--engine", "reference") as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("b2\n")
        terminal.wait_for("The computer plays")
        terminal.wait_for(PROMPT)
        terminal.type(CTRL_D)
        assert terminal.ends() == 0
        assert "\ntictactoe: unfinished, Black to move.\nMoves: b2 " in terminal.screen
        assert "Traceback" not in terminal.screen


def test_ctrl_c_at_the_prompt() -> None:
    with Terminal("play", "tictactoe") as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("b")
        terminal.wait_for("b")
        time.sleep(0.5)  # Python misses a signal that comes just before it waits for the next key
        terminal.type(CTRL_C)
        assert terminal.ends() == 130
        assert "skolemate: interrupted" in terminal.screen
        assert "tictactoe: unfinished, Black to move.\nMoves: none" in terminal.screen
        assert "Traceback" not in terminal.screen


def test_ctrl_c_while_the_computer_thinks_leaves_nothing_running(fakes: Fakes) -> None:
    program = f"qesto={fakes.shell(HANG)}"
    arguments = ["hein(9)", "--side", "white", "-p", "qesto", "--program", program]
    with Terminal("play", *arguments, "--timeout", "1000") as terminal:
        assert eventually(fakes.resting)
        terminal.type(CTRL_C)
        assert terminal.ends() == 130
        assert "hein(9): unfinished, Black to move." in terminal.screen


def test_a_hanging_solver_costs_its_time_and_no_more(fakes: Fakes) -> None:
    program = f"qesto={fakes.shell(HANG)}"
    arguments = ["hein(9)", "-p", "qesto", "--program", program, "--timeout", "0.5"]
    done = piped(*arguments, typed="b2\n")
    assert "found no forced win in time" in done.stderr
    assert "This is only a sensible move." in done.stderr.replace("\n", " ")
    assert done.returncode == 0


def test_nonsense_is_answered_and_the_game_goes_on() -> None:
    nonsense = ["\udcff\udcfe", "\x1b[A\x1b[B", "\t\t", "b2" * 500, "💥", "\x16\x01", "/quit"]
    with Terminal("play", "tictactoe", "--engine", "reference") as terminal:
        terminal.wait_for(PROMPT)
        for text in nonsense:
            terminal.type(f"{text}\n")
        terminal.type("b2\n")
        terminal.wait_for("The computer plays")
        terminal.wait_for(PROMPT)
        terminal.type("quit\n")
        assert terminal.ends() == 0
        assert "Traceback" not in terminal.screen


def test_the_window_may_change_its_size() -> None:
    with Terminal("play", "qubic", "--engine", "reference", "-d", "1") as terminal:
        shown = terminal.wait_for(PROMPT)
        assert max(map(len, shown.splitlines())) > 30
        terminal.resize(30)
        terminal.type("\n")
        terminal.wait_for("Legal moves:")
        listed = terminal.wait_for(PROMPT)
        assert listed.count("\n") > 10
        assert max(map(len, listed.splitlines())) <= 30
        terminal.type("a1.1\n")
        terminal.wait_for("The computer plays")
        shown = terminal.wait_for(PROMPT)
        assert max(map(len, shown.splitlines()[1:])) <= 30
        terminal.resize(100)
        terminal.type("help\n")
        terminal.wait_for("  save FILE  save the game; continue with: skolemate play FILE")
        terminal.wait_for(PROMPT)
        terminal.type(CTRL_D)
        assert terminal.ends() == 0


def test_a_board_wider_than_the_window_is_told() -> None:
    with Terminal("play", "gomoku(size=15)", "-d", "0", columns=24) as terminal:
        assert "The board is wider than" in terminal.wait_for(PROMPT)
        terminal.type(CTRL_D)
        assert terminal.ends() == 0


def test_only_the_record_goes_to_stdout(tmp_path: Path) -> None:
    file = tmp_path / "out"
    with Terminal("play", "tictactoe", "--engine", "reference", stdout=file) as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("b2\nhint\n")
        terminal.wait_for("force a win.")
        terminal.wait_for(PROMPT)
        terminal.type("quit\n")
        assert terminal.ends() == 0
    lines = file.read_text().splitlines()
    assert lines[0] == "tictactoe: unfinished, Black to move."
    assert lines[1].startswith("Moves: b2 ")
    assert len(lines) == 2


def test_no_colour_anywhere() -> None:
    done = piped("hein(9)", typed="b2\nhint\nhelp\nwhy\n")
    assert "\x1b" not in done.stderr + done.stdout


# --- with a script in a pipe --------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["hex(size=3)", "breakthrough(width=2, height=5)", "qubic(size=2)"]
)
def test_a_script_that_knows_nothing_gets_to_the_end(name: str) -> None:
    """All names of moves again and again in random order: what is illegal is passed over."""
    game = build(name)
    names = {game.move_name(move) for move in game.start.moves()}
    if not game.offers("hypergraph"):
        names = {f"{a}({x},{y})" for a in ("forward", "left-diagonal", "right-diagonal")
                 for x in (1, 2) for y in range(1, 6)}  # fmt: skip
    rng = random.Random(1)
    lines = [name for _ in range(30) for name in rng.sample(sorted(names), len(names))]
    done = piped(name, "--timeout", "2", typed="\n".join(lines))
    assert done.returncode == 0
    assert " has won.\nMoves: " in done.stdout
    assert "Traceback" not in done.stderr


def test_an_empty_script() -> None:
    done = piped("tictactoe")
    assert (done.returncode, done.stdout) == (
        0,
        "tictactoe: unfinished, Black to move.\nMoves: none\n",
    )


def test_a_script_of_rubbish() -> None:
    rubbish = bytes(random.Random(2).choices(range(256), k=20_000)) + b"\nb2\n"
    done = piped("tictactoe", "--engine", "reference", typed=rubbish)
    assert done.returncode == 0
    assert "Moves: b2 " in done.stdout
    assert "\x1b" not in done.stderr


def test_the_record_as_json() -> None:
    done = piped("tictactoe", "--engine", "reference", "--json", typed="b2\n")
    record = json.loads(done.stdout)
    assert record["game"] == "tictactoe"
    assert record["human"] == "black"
    assert record["moves"][0] == "b2"
    assert record["winner"] is None


def test_a_saved_game_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "puzzle.sgf"
    first = piped("hein(9)", "--side", "white", typed=f"c3\nsave {file}\n")
    moves = first.stdout.splitlines()[1]
    second = piped(str(file), "--side", "white")
    assert second.stdout.splitlines()[1] == moves
    undone = piped(str(file), "--side", "white", typed="undo\n")
    assert undone.stdout.splitlines()[1] == "Moves: b2"


def test_the_computer_plays_by_a_strategy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "win.jsonl")
    assert main(["oracle", "hein(4)", "--strategy", file]) == 10
    done = piped("hein(4)", "--side", "white", "--strategy", file, typed="c1\na3\nb3\nc3\n")
    assert "It follows its strategy." in done.stderr
    assert done.stdout.startswith("hein(4): Black has won.")
    assert main(["play", "hein(4)", "--strategy", file]) == 2
    assert "is for Black: play against it with --side white" in capsys.readouterr().err
    assert main(["play", "hein(9)", "--side", "white", "--strategy", file]) == 2
    assert "belongs to another game than hein(9)" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["-e", "et,en", "-p", "caqe,depqbf"], ["--engine", "both"], ["--engine", "both", "-e", "ea"]],
)
def test_the_computer_asks_several_side_by_side(arguments: list[str]) -> None:
    done = piped("hein(4)", "--side", "white", *arguments, typed="c1\na3\nb3\nc3\n")
    assert "It wins within 4 more plies" in done.stderr
    assert done.stdout.startswith("hein(4): Black has won.")


def test_a_files_depth_is_how_far_the_computer_looks(tmp_path: Path) -> None:
    file = tmp_path / "short.pg"
    main(["convert", "hein(9)", "-o", str(file)])
    text = file.read_text().replace("t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11", "t1 t2 t3")
    file.write_text(text.replace("t1 t3 t5 t7 t9 t11", "t1 t3"))
    done = piped(str(file), "--side", "white", "--engine", "reference")
    assert "It looks no deeper than 3 plies" in done.stderr


def test_a_wrong_call_is_told_before_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in [
        (["tictactoe", "-e", "cor++"], "did you mean cor+?"),
        (["tictactoe", "-p", "cage"], "did you mean caqe?"),
        (["tictactoe", "--program", "x"], "write a program as name=command"),
        (["tictactoe", "-p", "qesto"], "qesto is not installed"),
        (["tictactoe", "-e", "en"], "en cannot encode tictactoe"),
        (["tictactoe", "-e", "en,et"], "en cannot encode tictactoe"),
        (["tictactoe", "-p", "depqbf,depqbf"], "is named twice"),
        (["tictactoe", "--engine", "search", "-e", "cor+"], "leave out encoding, pipeline"),
        (["hxe"], "did you mean hex?"),
    ]:
        assert main(["play", *arguments]) == 2
        shown = capsys.readouterr()
        assert message in shown.err
        assert "you are Black" not in shown.err


def test_no_process_survives_the_death_of_the_game(fakes: Fakes) -> None:
    program = f"qesto={fakes.shell(f'exec {HANG}')}"
    arguments = ["hein(9)", "--side", "white", "-p", "qesto", "--program", program]
    with Terminal("play", *arguments, "--timeout", "1000") as terminal:
        assert eventually(fakes.resting)
        os.kill(terminal.pid, 9)
    assert eventually(lambda: not fakes.processes())
    for left in fakes.temporary.iterdir():  # the formula: nobody was there to remove it
        for part in left.iterdir():
            part.unlink()
        left.rmdir()
