"""Files and streams: formats, and every way in which an input can be wrong."""

from __future__ import annotations

import fcntl
import io
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sample_files import EDGES, GRAPH, HEAD, RECORD, SETS, named, positional
from samples import sample
from skolemate.errors import FileError, UserError
from skolemate.formats import (
    is_domain,
    parse_pg,
    parse_sgf,
    read_game,
    to_pg,
    write_game,
)
from skolemate.output import (
    TEMPORARY,
    _remove_abandoned,
    temporary_folder,
    write_lines,
    write_text,
)


def test_the_suffix_tells_the_format(tmp_path: Path) -> None:
    game = named("hein(4)")
    for name in ("puzzle.pg", "puzzle.sgf", "Puzzle.SGF"):
        write_game(game, str(tmp_path / name))
        read = positional(read_game(str(tmp_path / name)))
        assert replace(read, depth=None) == game
        assert read.name == name
    write_game(game, str(tmp_path / "puzzle.pg"), "egf")
    assert "#edges" in (tmp_path / "puzzle.pg").read_text()


def test_the_content_tells_the_format_of_other_files(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("\n% a comment\n" + SETS)
    assert read_game(str(file)) == parse_pg(SETS)
    file.write_text("\n" + RECORD)
    assert read_game(str(file)) == parse_sgf(RECORD).game()
    file.write_text("Dear Sir,")
    with pytest.raises(UserError, match=r"no game in a known format; .* \.pg, \.sgf, "):
        read_game(str(file))


def test_a_dash_is_standard_input_and_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SETS.encode())))
    game = read_game("-")
    assert game.name == "stdin"
    write_game(game, "-")
    assert capsys.readouterr().out == to_pg(game)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    for path, why in [("no.pg", "no such file"), ("", "is a directory"), ("a\0b.pg", "null byte")]:
        with pytest.raises(UserError, match=f"cannot read .*{why}"):
            read_game(f"{tmp_path}/{path}")
        if path != "no.pg":
            with pytest.raises(UserError, match=rf"cannot write .*{why}|known suffixes are \.pg"):
                write_game(parse_pg(SETS), f"{tmp_path}/{path}")
    with pytest.raises(UserError, match=r"known suffixes are \.pg, \.sgf, "):
        write_game(parse_pg(SETS), str(tmp_path / "game.txt"))
    with pytest.raises(UserError, match="has no dialects"):
        write_game(parse_pg(SETS), str(tmp_path / "game.sgf"), "egf")
    assert not list(tmp_path.iterdir())


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    def interrupted() -> Iterator[str]:
        yield "one line\n"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_lines(str(tmp_path / "file"), interrupted())
    assert not list(tmp_path.iterdir())
    write_lines(str(tmp_path / "file"), ["one line\n"])
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made, as if no process had looked there yet."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    _remove_abandoned.cache_clear()
    return tmp_path


def test_what_a_killed_process_has_left_is_removed_and_nothing_else(temporary: Path) -> None:
    (temporary / f"{TEMPORARY}killed").mkdir()
    (temporary / f"{TEMPORARY}killed" / "formula.qdimacs").write_text("p cnf 0 0\n")
    elsewhere, others = temporary / "elsewhere", temporary / "skolemate-disagreement-1"
    elsewhere.mkdir()
    others.mkdir()
    link = temporary / f"{TEMPORARY}link"
    link.symlink_to(elsewhere)
    with temporary_folder() as first:
        assert set(temporary.iterdir()) == {Path(first), elsewhere, others, link}
        _remove_abandoned.cache_clear()  # another process: it sees that the first one is alive
        with temporary_folder() as second:
            assert {Path(first), Path(second)} < set(temporary.iterdir())
    assert set(temporary.iterdir()) == {elsewhere, others, link}


def test_a_folder_that_is_taken_for_abandoned_before_it_is_locked_is_not_used(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, seized, ours = (temporary / f"{TEMPORARY}{n}" for n in ("gone", "seized", "ours"))
    seized.mkdir()
    ours.mkdir()
    lock = os.open(seized, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    made = map(str, (gone, seized, ours))
    monkeypatch.setattr("skolemate.output._remove_abandoned", lambda place: None)
    monkeypatch.setattr("tempfile.mkdtemp", lambda prefix: next(made))
    with temporary_folder() as folder:
        assert folder == str(ours)
    os.close(lock)


def test_what_is_no_plain_file_stays_what_it_is(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to(file)
    for text in ("long text", "text"):
        write_text(str(link), text)
        assert (link.is_symlink(), file.read_text()) == (True, text)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_lines(str(pipe), ["text"])
    assert (pipe.is_fifo(), os.read(reader, 10)) == (True, b"text")
    os.close(reader)


def test_bytes_that_are_not_text(tmp_path: Path) -> None:
    file = tmp_path / "latin1.pg"
    file.write_bytes(b"#times\r\nt\xc3\xa91 t\xe9\r\n")
    with pytest.raises(FileError, match="byte 0xe9 is not UTF-8") as caught:
        read_game(str(file))
    assert (caught.value.line, caught.value.column) == (2, 6)


MEGABYTES = sample(50)


@pytest.mark.parametrize("suffix", ["pg", "sgf", "txt"])
@pytest.mark.parametrize("separator", ["\n", " "], ids=["many lines", "one line"])
def test_megabytes_of_noise(tmp_path: Path, suffix: str, separator: str) -> None:
    file = tmp_path / f"noise.{suffix}"
    file.write_bytes(b"noise" + separator.encode() + b"zq% x%" * (170_000 * MEGABYTES))
    with pytest.raises(UserError) as caught:
        read_game(str(file))
    assert len(str(caught.value)) < 400
    if isinstance(caught.value, FileError):
        assert (caught.value.line, caught.value.column) == (1, 1)


@pytest.mark.parametrize("separator", ["\n", " "], ids=["many lines", "one line"])
@pytest.mark.parametrize("section", ["#positions", "#blackwins", "#neighbours"])
def test_megabytes_inside_a_section(section: str, separator: str) -> None:
    noise = separator.join(map(str, range(130_000 * MEGABYTES)))
    base = GRAPH if section == "#neighbours" else SETS
    text = base.replace(section, f"{section}\n{noise}")
    with pytest.raises(FileError) as caught:
        parse_pg(text)
    assert len(str(caught.value)) < 400


def test_megabytes_of_moves() -> None:
    with pytest.raises(FileError, match="no game has this many moves"):
        parse_sgf("(;GM[11]" + ";B[a1];W[a2]" * (80_000 * MEGABYTES))
    with pytest.raises(FileError, match="has no end"):
        parse_sgf("(;GM[11]C[" + "noise \\] " * (120_000 * MEGABYTES))


def test_many_empty_lines_are_passed_over_once(tmp_path: Path) -> None:
    lines = "\n" * 1_000_000
    assert not is_domain(lines)
    for name in ("lines.txt", "lines.bddl"):  # looks for any section, and for the actions
        (tmp_path / name).write_text(lines)
        with pytest.raises(UserError):
            read_game(str(tmp_path / name))


def changed(text: str, line: int, instead: str | None) -> str:
    """A text with one line put instead of another, or left out, with all that follow."""
    lines = text.split("\n")
    if instead is None:
        return "\n".join(lines[: line - 1])
    lines[line - 1] = instead
    return "\n".join(lines)


BAD_PG = {
    "empty file": ("", 1, 1, "this file is empty"),
    "only comments": ("% nothing\n", 2, 1, "has no section"),
    "text first": ("hello\n" + SETS, 1, 1, "'hello' stands before the first section"),
    "unknown section": (changed(SETS, 1, " #tiems"), 1, 2, "did you mean #times?"),
    "tidy spelling": (changed(GRAPH, 11, "#startborder"), 11, 1, "did you mean #startboarder?"),
    "capital letters": (changed(SETS, 1, "#Times"), 1, 1, "did you mean #times?"),
    "far from any": (changed(SETS, 1, "#qqqq"), 1, 1, "choose one of #blackgoal"),
    "blank after #": (changed(SETS, 1, "# times"), 1, 1, "did you mean #times?"),
    "# alone": (changed(SETS, 1, "#"), 1, 1, "unknown section '#'"),
    "values beside": (changed(SETS, 1, "#times t0"), 1, 8, "move 't0' there"),
    "section in a line": (changed(SETS, 6, "a1 a2 #blackwins"), 6, 7, "a line of its own"),
    "section twice": (SETS + "#times\n", 10, 1, "#times is there twice (first in line 1)"),
    "no times": (changed(SETS, 2, ""), 1, 1, "#times names no time"),
    "no cells": (changed(SETS, 6, ""), 5, 1, "#positions names no cell"),
    "times missing": ("#blackturns\nt1\n#positions\na1\n", 5, 1, "section #times is missing"),
    "positions missing": (changed(SETS, 5, None), 4, 6, "section #positions is missing"),
    "cut off in a row": (SETS[:-1].rsplit("\n", 3)[0], 6, 12, "nobody has a goal"),
    "empty goal": (changed(SETS, 8, None), 7, 11, "nobody has a goal"),
    "time twice": (changed(SETS, 2, "t1 t2 t1"), 2, 7, "time 't1' is declared twice"),
    "unknown turn": (changed(SETS, 4, "t1 t4"), 4, 4, "time 't4' is not in #times"),
    "turn twice": (changed(SETS, 4, "t1 t1"), 4, 4, "turn 't1' is given twice"),
    "cell twice": (changed(SETS, 6, "a1 a2\tb1 b2 a1"), 6, 13, "cell 'a1' is declared twice"),
    "long name": (changed(SETS, 6, "a1 a" + 5000 * "9"), 6, 4, "too long"),
    "unknown cell": (changed(SETS, 9, "b1 e9"), 9, 4, "cell 'e9' is not declared"),
    "twice in a set": (changed(SETS, 9, "b1 b2 b1"), 9, 7, "cell 'b1' is given twice in this set"),
    "unprintable": (changed(SETS, 9, "b1 \x00"), 9, 4, r"cell '\x00' is not declared"),
    "black stone twice": (SETS + "#blackinitials\na1\na1\n", 12, 1, "twice in #blackinitials"),
    "white stone twice": (SETS + "#whiteinitials\na1 a1\n", 11, 4, "twice in #whiteinitials"),
    "unknown stone": (SETS + "#whiteinitials\na7\n", 11, 1, "cell 'a7' is not declared"),
    "two stones on a cell": (
        *(SETS + "#whiteinitials\na2 a1\n#blackinitials\na1\n", 11, 4),
        "cell 'a1' has a stone of Black's already",
    ),
    "both have won": (
        *(SETS + "#whitewins\nb1 b2\n#blackinitials\na1 a2\n#whiteinitials\nb1 b2\n", 16, 1),
        "both players have already won",
    ),
    "no first move": (SETS + "#firstmoves\n", 10, 1, "#firstmoves allows no cell"),
    "first move twice": (SETS + "#firstmoves\na1 a1\n", 11, 4, "twice in #firstmoves"),
    "first move taken": (SETS + "#blackinitials\na1\n#firstmoves\nb1 a1\n", 13, 4, "has a stone"),
    "sets and neighbours": (
        *(changed(GRAPH, 14, "r\n#blackwins\np q"), 15, 1),
        "#neighbours and #blackwins state two kinds of goals",
    ),
    "neighbours and edges": (
        *(changed(GRAPH, 14, "r\n#edges\np q"), 15, 1),
        "#neighbours and #edges state two kinds of goals",
    ),
    "border missing": (changed(GRAPH, 13, None), 12, 2, "section #endboarder is missing"),
    "border alone": (HEAD + "p\n#startboarder\np\n", 9, 1, "section #neighbours is missing"),
    "border cell twice": (changed(GRAPH, 12, "p p"), 12, 3, "given twice in #startboarder"),
    "border cell unknown": (changed(GRAPH, 14, "r s"), 14, 3, "cell 's' is not declared"),
    "one way only": (changed(GRAPH, 10, "r"), 9, 5, "add q to the row of r"),
    "own neighbour": (changed(GRAPH, 8, "p p q"), 8, 3, "'p' cannot be its own neighbour"),
    "two rows": (changed(GRAPH, 10, "r q\nq r"), 11, 1, "'q' has two rows of neighbours"),
    "neighbour twice": (changed(GRAPH, 9, "q p r p"), 9, 7, "given twice in this row"),
    "neighbour unknown": (changed(GRAPH, 9, "q p r x"), 9, 7, "cell 'x' is not declared"),
    "source missing": (EDGES.replace("#source\nS\n", ""), 14, 1, "section #source is missing"),
    "source empty": (changed(EDGES, 13, "% S"), 12, 1, "#source must name exactly one node"),
    "two targets": (changed(EDGES, 15, "T\nU"), 16, 1, "#target must name exactly one node"),
    "source is a cell": (changed(EDGES, 13, "p"), 13, 1, "'p' is a cell of #positions"),
    "source is target": (changed(EDGES, 15, "S"), 15, 1, "'S' is both source and target"),
    "one end": (changed(EDGES, 9, "p"), 9, 1, "an edge has two ends"),
    "three ends": (changed(EDGES, 9, "p q r"), 9, 5, "an edge has two ends"),
    "loop": (changed(EDGES, 9, "p p"), 9, 3, "'p' cannot be its own neighbour"),
    "edge twice": (changed(EDGES, 10, "q p"), 10, 1, "this edge is given twice"),
    "border edge twice": (changed(EDGES, 9, "p S"), 9, 1, "this edge is given twice"),
    "edge to nowhere": (changed(EDGES, 9, "p x"), 9, 3, "cell 'x' is not declared"),
    "won already": (changed(EDGES, 9, "T S"), 9, 1, "Black has won already"),
}

BAD_SGF = {
    "empty": (" \n", 2, 1, "the file is empty; a game begins with (;"),
    "not SGF": ("hello world", 1, 1, "'hello' is no SGF"),
    "no node": ("(B[a1])", 1, 2, "a node must follow the (, not 'B[a1])'"),
    "not closed": (RECORD[:-2], 4, 7, "the end of the file is not expected"),
    "value not closed": ("(;GM[11]\nGN[x\\]", 2, 3, "this value of 'GN' has no end"),
    "no value": ("(;GM[11]SZ;B[a1])", 1, 11, "property 'SZ' has no value"),
    "not a property": ("(;GM[11]7)", 1, 9, "'7)' is not a property"),
    "small letters": ("(;GM[11]size[3])", 1, 9, "property names are capital letters"),
    "property twice": ("(;GM[11]SZ[3]SZ[3])", 1, 14, "property SZ is twice in this node"),
    "second game": ("(;GM[11])\n(;GM[11])", 2, 1, "a second game begins here"),
    "text behind": ("(;GM[11]))", 1, 10, "')' comes after the end"),
    "node behind": ("(;GM[11](;B[a1]);W[a2])", 1, 17, "no node may follow a variation"),
    "old format": ("(;FF[3]GM[11])", 1, 5, "FF[3] is not understood"),
    "another game": ("(;FF[4]EV[go19.ch.1]SZ[3])", 1, 8, "EV[go19.ch.1] is another game's"),
    "a game of Go": ("(;FF[4]GM[1])", 1, 10, "GM[1] is not understood"),
    "size is no number": (RECORD.replace("SZ[3]", "SZ[x]"), 1, 16, "the size 'x' is no number"),
    "no size": (RECORD.replace("SZ[3]", "SZ[3:0]"), 1, 16, "at least one cell a side, not 0"),
    "too small": (RECORD.replace("SZ[3]", "SZ[0]"), 1, 16, "at least one cell a side"),
    "too large": (RECORD.replace("SZ[3]", "SZ[999]"), 1, 16, "beyond the limit"),
    "two sizes": (RECORD.replace("SZ[3]", "SZ[3][4]"), 1, 19, "SZ takes one value, not 2"),
    "no cell": (changed(RECORD, 3, ";B[c]"), 3, 3, "'c' is no cell; write a letter"),
    "letters off the board": (changed(RECORD, 3, ";B[cd]"), 3, 3, "there is no cell c4"),
    "off the board": (changed(RECORD, 3, ";B[d1]"), 3, 3, "its last is c3"),
    "stone off the board": (RECORD.replace("AB[a1]", "AB[a1][b4]"), 2, 7, "no cell b4"),
    "stone twice": (RECORD.replace("AW[b2]", "AW[b2][A1]"), 2, 13, "a stone on a1 already"),
    "rectangle backwards": (RECORD.replace("AB[a1]", "AB[b3:a1]"), 2, 3, "runs backwards"),
    "no player": (RECORD.replace("PL[B]", "PL[Bob]"), 2, 15, "'Bob' is no player"),
    "two moves in a node": (changed(RECORD, 3, ";B[c3]W[a2]"), 3, 7, "a node has one move"),
    "taken": (changed(RECORD, 4, ";W[c3])"), 4, 3, "move 2: c3 is taken"),
    "pass": (changed(RECORD, 4, ";W[pass])"), 4, 3, "no passing in Hex"),
    "empty move": (changed(RECORD, 4, ";W[])"), 4, 3, "no passing in Hex"),
    "after resigning": (changed(RECORD, 3, ";B[resign]"), 4, 3, "may follow a resignation"),
    "after the win": (
        *("(;GM[11]SZ[2];B[a1];W[b1];B[a2];W[b2])", 1, 34),
        "move 4: the game is over, Black has won",
    ),
    "swap with setup": (changed(RECORD, 4, ";W[swap-pieces])"), 4, 3, "from the empty board"),
    "swap too late": (
        *("(;GM[11]SZ[3];B[a1];W[b1];B[swap-sides])", 1, 28),
        "only the second move",
    ),
    "late stone off the board": (changed(RECORD, 4, ";AW[c4])"), 4, 4, "there is no cell c4"),
    "late stone twice": (changed(RECORD, 4, ";AB[a2]AW[a2])"), 4, 10, "a stone on a2 already"),
    "nothing to remove": (RECORD.replace("PL[B]", "AE[c3]"), 2, 15, "there is no stone on c3"),
    "swap first": ("(;GM[11]SZ[3];B[swap-sides])", 1, 16, "only the second move"),
}


@pytest.mark.parametrize(("text", "line", "column", "message"), BAD_PG.values(), ids=BAD_PG)
def test_a_wrong_pg_file(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(FileError, match=re.escape(message)) as caught:
        parse_pg(text, "wrong.pg")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("wrong.pg", line, column)


@pytest.mark.parametrize(("text", "line", "column", "message"), BAD_SGF.values(), ids=BAD_SGF)
def test_a_wrong_sgf_file(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(FileError, match=re.escape(message)) as caught:
        parse_sgf(text, "wrong.sgf")
    found = (caught.value.file, caught.value.line, caught.value.column)
    assert found == ("wrong.sgf", line, column)


@given(st.text(st.sampled_from("#%;()[]\\ \nABab19:tpositimes"), max_size=60))
def test_no_text_makes_a_reader_stumble(text: str) -> None:
    for parse in (parse_pg, parse_sgf):
        for whole in (text, SETS + text, RECORD[:-2] + text):
            try:
                parse(whole)
            except FileError as error:
                assert error.line >= 1  # noqa: PT017
