"""Wrong calls: exit code 2, one clear message, never a traceback. (Files: test_files.py.)"""

from __future__ import annotations

from pathlib import Path

import pytest

from skolemate.cli import main

WRONG_GAMES = {
    "unknown game": ("hxe", "unknown game 'hxe': did you mean hex?"),
    "far from any game": ("zzzzz", "choose one of breakthrough,"),
    "unknown parameter": ("hex(siz=4)", "hex has no parameter 'siz': did you mean size?"),
    "too many parameters": ("hex(4, true, 5, 6, 7, 8)", "hex takes at most 5 parameters"),
    "parameters for none": ("browne(4)", "browne takes no parameters"),
    "parameter twice": ("hex(size=4, size=5)", "parameter size is given twice"),
    "parameter missing": ("hein", "hein needs number, as in hein(9)"),
    "not a number": ("hex(size=big)", "size must be a whole number, not 'big'"),
    "not a truth value": ("harary(torus=maybe)", "torus must be true or false, not 'maybe'"),
    "number too long": ("hex(size=99999999999999999999)", "size must be a whole number"),
    "size zero": ("hex(size=0)", "at least one cell a side, not 0"),
    "size negative": ("hex(size=-3)", "at least one cell a side, not -3"),
    "size enormous": ("hex(size=100000)", "beyond the limit of 10000"),
    "no such puzzle": ("hein(1)", "there is no puzzle number 1; they run from 2 to 20"),
    "unknown shape": ("harary(shape=tipy)", "unknown shape 'tipy': did you mean tippy?"),
    "shape in pieces": ("harary(shape=X.X)", "must hang together by their edges"),
    "huge shape": (f"harary(shape={'X' * 11})", "is larger than 10x10"),
    "odd shape digits": ("harary(shape=00102)", "cells are pairs of digits xy"),
    "shape apart": ("harary(shape=0022)", "must hang together"),
    "shape with a cell twice": ("harary(shape=0000)", "a shape has a cell twice"),
    "shape does not fit": (
        "harary(shape=skinny, width=3, height=3)",
        "the shape skinny does not fit onto a 3x3 board",
    ),
    "line does not fit": ("mnk(m=3, n=3, k=4)", "a line of 4 does not fit onto a 3x3 board"),
    "line of nothing": ("mnk(k=0)", "a line needs at least one cell, not 0"),
    "no stones a turn": ("gttt(p=0)", "p and q must be at least 1"),
    "unknown opening": ("connect6(opening=mickey)", "did you mean mickey_mouse?"),
    "opening on another board": ("connect6(size=9, opening=mickey_mouse)", "is for size 19"),
    "stone off the board": ("hex(size=3, black=d4)", "there is no cell 'd4' on this board"),
    "overlapping stones": ("hex(size=3, black=a1, white=a1)", "both players have a stone on a1"),
    "stone on a stone": ("hein(9, black=c4)", "there is a stone on c4 already"),
    "stone twice": ("hex(size=3, black=a1 a1)", "cell a1 is given twice"),
    "nobody to begin": ("hex(size=3, first=red)", "a player is black or white, not 'red'"),
    "move to a taken cell": ("tictactoe(moves=a1 a1)", "move 2, 'a1': a1 is taken"),
    "move off the board": ("tictactoe(moves=d1)", "move 1, 'd1': there is no cell 'd1'"),
    "move after the end": ("tictactoe(moves=a1 b1 a2 b2 a3 b3)", "the game is over, Black has won"),
    "moves twice": ("hein(9, moves=b2, moves=b3)", "parameter moves is given twice"),
    "a parenthesis too many": ("hex(4))", "a parenthesis is closed that was not opened"),
    "a parenthesis inside": ("hex((4)", "the closing parenthesis is missing: 'hex((4))'"),
    "no closing parenthesis": ("hex(4", "the closing parenthesis is missing: 'hex(4)'"),
    "a move that is not closed": (
        *("breakthrough(moves=forward(1,5)",),
        "the closing parenthesis is missing: 'breakthrough(moves=forward(1,5))'",
    ),
    "no opening parenthesis": ("hex size=4)", "a parenthesis is closed that was not opened"),
    "text behind": ("hex(4) x", "'x' comes after the closing parenthesis"),
    "no name": ("(size=4)", "write a name before the parenthesis"),
    "commas without end": ("hex(4,,,)", "an argument of 'hex' is empty"),
    "moves with commas": ("tictactoe(moves=b2,c3)", "'c3' in 'tictactoe(moves=b2,c3)' has no name"),
    "setup without a value": ("tictactoe(first=)", "an argument of 'tictactoe' is empty"),
    "very many blanks": ("x" + " " * 60_000 + "y(", "is not a game"),
    "stones a turn without end": ("gttt(p=999999999, shape=skinny, width=2, height=2)", "not fit"),
    "nothing inside": ("hex(", "is not a game; write a name"),
    "nothing": ("", "is not a game; write a name"),
    "empty argument": ("hex(size=)", "an argument of 'hex' is empty"),
    "missing file": ("nowhere.pg", "cannot read 'nowhere.pg': no such file"),
    "missing folder": ("no/such/file.pg", "cannot read 'no/such/file.pg': no such file"),
    "unknown kind of file": ("game.docx", "cannot read 'game.docx'"),
    "a very long name": ("x" * 100_000, "unknown game"),
    "control characters": ("\x00\x1b[31m", "unknown game"),
}

WRONG_CALLS = {
    "no command": ([], "COMMAND"),
    "unknown command": (["solv"], "invalid choice"),
    "depth is a word": (["oracle", "tictactoe", "-d", "deep"], "'deep' is not a number of plies"),
    "depth is negative": (["oracle", "tictactoe", "-d", "-1"], "'-1' is not a number of plies"),
    "player is a colour": (
        ["oracle", "tictactoe", "--player", "red"],
        "a player is black or white, not 'red'",
    ),
    "timeout is nothing": (["oracle", "tictactoe", "--timeout", "0"], "not a number of seconds"),
    "timeout is no number": (["oracle", "tictactoe", "--timeout", "nan"], "number of seconds"),
    "memory beyond all machines": (
        ["solve", "tictactoe", "--memory", "999999999T"],
        "'999999999T' is not a size",
    ),
    "two depths": (["oracle", "tictactoe", "-d", "3", "--max-depth", "5"], "only with depth auto"),
    "no output": (["convert", "tictactoe"], "-o/--output"),
    "unknown suffix": (["convert", "tictactoe", "-o", "game.docx"], "cannot tell the format"),
    "bad move": (["show", "tictactoe", "--moves", "a1 z9"], "move 2, 'z9'"),
    "moves that are no moves": (["show", "tictactoe", "--moves", "((("], "move 1, '((('"),
    "a move with a parenthesis": (["show", "tictactoe", "--moves", "(b2"], "move 1, '(b2'"),
    "a move in colour": (["show", "tictactoe", "--moves", "\x1b[31mred"], "'\\x1b[31mred'"),
    "a very long move": (["show", "tictactoe", "--moves", "x" * 99_999], "move 1, 'xxxx"),
    "a picture and data": (["show", "tictactoe", "--svg", "x.svg", "--json"], "not allowed with"),
    "a picture without a name": (["show", "tictactoe", "--svg", ""], "cannot write ''"),
    "unknown encoding": (["encode", "hein(9)", "-d", "7", "-e", "cor++"], "did you mean cor+?"),
    "no encoding": (["encode", "hein(9)", "-d", "7"], "-e/--encoding"),
    "no depth": (["encode", "hein(9)", "-e", "et"], "give one, as in -d 7"),
    "encoding that cannot": (
        ["encode", "tictactoe", "-d", "5", "-e", "en"],
        "en cannot encode tictactoe: it needs the connection view: Black's goal is not a path "
        "between two borders; use cor or cor+",
    ),
    "breaker's question": (
        ["stats", "tictactoe(maker_breaker=true)", "-d", "5", "--player", "white"],
        "White is the Breaker",
    ),
    "formula in a strange format": (
        ["encode", "hein(9)", "-d", "7", "-e", "et", "-o", "x.cnf"],
        "the suffix is .qdimacs",
    ),
    "formula into nowhere": (
        ["encode", "hein(9)", "-d", "7", "-e", "et", "-o", "no/such/x.qdimacs"],
        "cannot write",
    ),
    "unknown family": (["games", "hxe"], "did you mean hex?"),
}


def call(arguments: list[str]) -> int:
    """The exit code, however it comes: argparse leaves by SystemExit."""
    try:
        return main(arguments)
    except SystemExit as leaving:
        return int(leaving.code or 0)


@pytest.mark.parametrize("kind", WRONG_GAMES)
def test_wrong_game(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    game, message = WRONG_GAMES[kind]
    assert call(["show", game]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert len(printed.err) < 500
    assert "\x1b" not in printed.err


@pytest.mark.parametrize("kind", WRONG_CALLS)
def test_wrong_call(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, message = WRONG_CALLS[kind]
    assert call(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert len(printed.err) < 1000
    assert "\x1b" not in printed.err


def test_output_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder.pg").mkdir()
    for command in (["show", "tictactoe", "--svg"], ["convert", "tictactoe", "-o"]):
        for file in (tmp_path / "no" / "board.pg", tmp_path / "folder.pg"):
            assert call([*command, str(file)]) == 2
            assert "cannot write" in capsys.readouterr().err
