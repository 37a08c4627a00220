"""SGF: records of Hex."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sample_files import RECORD, named
from skolemate.errors import UserError
from skolemate.formats import (
    Record,
    parse_sgf,
    to_sgf,
)
from skolemate.formats.sgf import escape
from skolemate.games import HexGrid, Player
from skolemate.games.game import turns

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


@pytest.mark.parametrize("name", ["hex(3)", "hein(9)", "hex(size=3, first=white, moves=b2 a1)"])
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
        (replace(hexagons, board=HexGrid(1, 9)), "not square"),
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
    with pytest.raises(UserError, match="move 2: it is White's turn, not Black's"):
        Record(3, moves=((BLACK, "a1"), (BLACK, "a2"))).game()
