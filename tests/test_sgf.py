"""SGF: records of Hex."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sample_files import RECORD, named
from skolemate.errors import UserError
from skolemate.formats import (
    Record,
    parse_sgf,
    read_game,
    to_sgf,
)
from skolemate.formats.sgf_tree import escape
from skolemate.games import HexGrid, Player
from skolemate.games.game import turns
from skolemate.loading import load

BLACK, WHITE = Player.BLACK, Player.WHITE


def test_a_record_and_its_game() -> None:
    record = parse_sgf(RECORD)
    assert record == Record(3, ("a1",), ("b2",), BLACK, ((BLACK, "c3"), (WHITE, "c2")))
    assert record.game() == named("hex(size=3, black=a1, white=b2, moves=c3 c2)")
    assert str(record.game()) == "hex(size=3, black=a1, white=b2, moves=c3 c2)"


def test_values_are_read_as_the_standard_says() -> None:
    record = parse_sgf(
        "\n( ;  GM [11] SZ[3:3] KO[] GN[a \\] b \\\\ c\\\nd:e] XX[1] [2] AB[a1:b1][C3]\n"
        "; B [ B3 ] C[a comment; (with) \\] signs] ;W[c1](;B[c2];W[resign])(;B[a2] (;W[a3])))"
    )
    assert record.text("GN") == "a ] b \\ cd:e"
    assert record.text("PB") is None
    assert ("XX", ("1", "2")) in record.properties
    assert record.black == ("a1", "b1", "c3")
    assert [text for _, text in record.moves] == ["b3", "c1", "c2", "resign"]
    assert parse_sgf(record.to_sgf()) == record


def test_the_default_size_is_eleven() -> None:
    assert parse_sgf("(;GM[11])").game() == named("hex(11)")


def test_swapped_pieces_become_setup_stones() -> None:
    record = parse_sgf("(;FF[4]GM[11]SZ[4];B[a3];W[swap-pieces];B[b2];W[d1])")
    assert record.game() == named("hex(size=4, white=c1, moves=b2 d1)")
    assert parse_sgf(record.to_sgf()) == record


def test_swapped_sides_leave_the_stones() -> None:
    record = parse_sgf("(;FF[4]GM[11]SZ[4];B[a3];W[Swap-Sides];W[b2];B[d1])")
    assert record.game() == named("hex(size=4, moves=a3 b2 d1)")
    assert parse_sgf(record.to_sgf()) == record


def test_white_may_begin_and_black_may_swap() -> None:
    assert parse_sgf("(;GM[11]SZ[3];W[a1])").game() == named("hex(size=3, first=white, moves=a1)")
    swapped = parse_sgf("(;GM[11]SZ[3]PL[White];W[a2];B[swap-pieces];W[c3])")
    assert swapped.game() == named("hex(size=3, black=b1, first=white, moves=c3)")


@pytest.mark.parametrize(
    "name",
    [
        *("hex(3)", "hein(9)", "hex(size=3, first=white, moves=b2 a1)"),
        *("hex(width=4, height=2, white=a1, moves=d2)", "hex(width=2, height=3)"),
    ],
)
def test_hex_survives_sgf(name: str) -> None:
    game = named(name)
    assert parse_sgf(to_sgf(game)).game() == game
    assert parse_sgf(to_sgf(game)).text("GN") == game.name


def test_only_hex_can_be_written_as_sgf() -> None:
    hexagons = named("hex(3)")
    for game, why in [
        (named("tictactoe"), "only Hex can"),
        (replace(hexagons, white_goal=None), "not those of Hex"),
        (hexagons.swapped(), "not those of Hex"),
        (replace(hexagons, schedule=turns(9, p=2)), "do not take turns"),
        (replace(hexagons, first_moves=1), "first moves are restricted"),
        (named("hex(board=.../.#./...)"), "its board has holes"),
    ]:
        with pytest.raises(UserError, match=why):
            to_sgf(game)


@st.composite
def records(draw: st.DrawFn) -> Record:
    size = draw(st.integers(2, 4))
    cells = draw(st.permutations(HexGrid(size, size).names))
    stones = draw(st.integers(0, 3))
    first = draw(st.sampled_from([None, BLACK, WHITE]))
    mover = first or BLACK
    moves = [(mover, cells[stones])]
    if not stones:
        swap = draw(st.sampled_from([None, "swap-pieces", "swap-sides"]))
        moves += [(mover.opponent, swap)] if swap else []
        mover = mover if swap == "swap-pieces" else mover.opponent
    else:
        mover = mover.opponent
    if draw(st.booleans()):
        moves.append((mover, "resign"))
    plain = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]))
    properties = (("GN", (escape(draw(plain)),)), ("XX", ("a", escape(draw(plain)))))
    return Record(size, (), tuple(cells[:stones]), first, tuple(moves), properties)


@given(records())
def test_every_record_survives(record: Record) -> None:
    try:
        record.game()
    except UserError:
        assume(False)  # the setup stones have won already
    assert parse_sgf(record.to_sgf()) == record


def test_a_record_that_breaks_the_rules_is_refused() -> None:
    with pytest.raises(UserError, match="move 2: a1 is taken"):
        Record(3, moves=((BLACK, "a1"), (WHITE, "a1"))).game()
    with pytest.raises(UserError, match="move 2: only the second move of a game"):
        Record(3, moves=((BLACK, "a1"), (BLACK, "swap"))).game()


# --- files that other programs write --------------------------------------------------------------


def test_set_up_stones_of_a_later_node() -> None:
    """As HexGui and Benzene write puzzles."""
    hexgui = "(;AP[HexGui:0.9]FF[4]GM[11]SZ[4];AB[c4][d2]AW[a1][b4][d1]PL[B])"
    assert parse_sgf(hexgui).game() == named("hein(9)")
    turned = parse_sgf("(;GM[11]SZ[3];AB[a1]PL[W];W[b2])")
    assert turned.game() == named("hex(size=3, black=a1, first=white, moves=b2)")
    assert parse_sgf(turned.to_sgf()) == turned


def test_what_was_played_before_a_set_up_is_set_up_too() -> None:
    late = parse_sgf("(;GM[11]SZ[3];B[a1];W[b2];B[c3];AE[a1]AB[b1]AW[c3];B[a2])")
    assert late.game() == named("hex(size=3, black=b1, white=b2 c3, moves=a2)")
    assert parse_sgf("(;GM[11]SZ[3];B[a1];AB[b1])").game().start.to_move is WHITE
    assert parse_sgf("(;GM[11]SZ[3];B[a1];PL[B])").game() == named("hex(size=3, black=a1)")


def test_moves_out_of_turn_make_what_is_before_them_a_set_up() -> None:
    twice = parse_sgf("(;GM[11]SZ[3];B[a1];W[b2];W[c3];B[a2])")
    assert twice.game() == named("hex(size=3, black=a1, white=b2, first=white, moves=c3 a2)")
    begun = parse_sgf("(;GM[11]SZ[3]AB[a1]PL[B];W[b2])")
    assert begun.game() == named("hex(size=3, black=a1, first=white, moves=b2)")


@pytest.mark.parametrize("swap", ["swap", "SWAP", "swap-pieces"])
def test_who_moves_after_a_swap_tells_what_was_swapped(swap: str) -> None:
    """Records of the Olympiads call it swap-pieces where sides are swapped."""
    pieces = parse_sgf(f"(;GM[11]SZ[4];B[a3];W[{swap}];B[b2])")
    assert pieces.game() == named("hex(size=4, white=c1, moves=b2)")
    sides = parse_sgf(f"(;GM[11]SZ[4];B[a3];W[{swap}];W[b2];B[d1])")
    assert sides.game() == named("hex(size=4, moves=a3 b2 d1)")


def test_little_golem() -> None:
    """No GM, two letters, and White begins from top to bottom: here that is Black."""
    record = parse_sgf(
        "(;FF[4]EV[hex.ch.1]PB[Nash]PW[Hein]SZ[4]RE[W]SO[http://www.littlegolem.com]"
        ";W[ac];B[swap];W[bb];B[da];W[resign])"
    )
    assert record.game() == named("hex(size=4, white=c1, moves=b2 d1)")
    assert [record.text(name) for name in ("PB", "PW", "RE")] == ["Hein", "Nash", "B"]
    assert parse_sgf(record.to_sgf()) == record


def test_variations_are_named_as_left_out() -> None:
    record = parse_sgf("(;GM[11]SZ[3];B[b2](;W[a1](;B[a2])(;B[a3]))(;W[c3](;B[a1])(;B[a2])))")
    assert record.variations == 2
    game = record.game()
    assert str(game) == "hex(size=3, moves=b2 a1 a2)"
    assert game.remark(0) == "2 variations of its file are left out"


def test_every_file_of_benzene_is_read() -> None:
    folder = os.environ.get("SKOLEMATE_BENZENE")
    if folder is None:
        pytest.skip("SKOLEMATE_BENZENE names no checkout of Benzene")
    files = sorted(Path(folder).rglob("*.sgf"))
    assert len(files) > 300
    for file in files:
        assert read_game(file).offers("transversal"), file


@pytest.mark.parametrize(
    ("link", "name"),
    [
        ("https://hexworld.org/board/#11,a1b2c3", "hex(size=11, moves=a1 b2 c3)"),
        ("https://hexworld.org/board/#5r9c1,c2:se4", "hex(size=5, white=b3, moves=e4)"),
        ("hexworld.org/board/#12nc1,a10c3,d4", "hex(size=12, moves=a10 c3)"),
        ("http://hexworld.org/board/#3", "hex(size=3)"),
        ("https://hexworld.org/board/#3c1,a1:pb2:rb", "hex(size=3, black=a1, moves=b2)"),
        ("https://hexworld.org/board/#3,:pb2", "hex(size=3, first=white, moves=b2)"),
    ],
)
def test_links_to_hexworld(link: str, name: str) -> None:
    assert load(link) == named(name)
    assert str(load(link)) == name


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("https://hexworld.org/board/", "has no size; copy the whole link"),
        ("https://hexworld.org/board/#x,a1", "has no size"),
        ("https://hexworld.org/board/#3x4,a1:s", "pieces are swapped on square boards only"),
        ("https://hexworld.org/board/#3x4,b4c4d1", "there is no cell 'd1'"),
        ("https://hexworld.org/board/#3,a1a1", "move 2: a1 is taken"),
        ("https://hexworld.org/board/#3,a1?b2", "move 2: there is no cell '?'"),
        ("https://hexworld.org/board/#0,a1", "at least one cell a side"),
    ],
)
def test_wrong_links_say_what_is_wrong(link: str, message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        load(link)
