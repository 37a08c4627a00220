"""Records of games as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sample_files import EDGES, GRAPH, SETS
from samples import SMALL
from skolemate.cli import main
from skolemate.errors import UserError
from skolemate.formats import parse_pg, read_game, to_record, write_game
from skolemate.games import PositionalGame
from skolemate.games.family import build

BDDL = """#blackactions
:action step
:parameters (?x,?y)
:precondition (black(?x,?y) open(?x,?y-1))
:effect (open(?x,?y) black(?x,?y-1))
#whiteactions
:action step
:parameters (?x,?y)
:precondition (white(?x,?y) open(?x,?y+1))
:effect (open(?x,?y) white(?x,?y+1))
#boardsize
3 4
#init
(black(1,4) black(2,4) white(2,1) white(3,1))
#depth
7
#blackgoals
(black(?x,ymin))
#whitegoals
(white(?x,ymax))
"""


@pytest.mark.parametrize("name", SMALL)
def test_a_named_game_survives(name: str, tmp_path: Path) -> None:
    game = build(name)
    game = game.after(game.start.moves()[:1])
    file = str(tmp_path / "game.json")
    write_game(game, file)
    again = read_game(file)
    assert again == game
    assert str(again) == str(game)


@pytest.mark.parametrize(
    ("suffix", "text"),
    [("pg", SETS), ("pg", GRAPH), ("pg", EDGES), ("bddl", BDDL)],
    ids=["sets", "graph", "edges", "bddl"],
)
def test_a_game_from_a_file_survives_without_the_file(
    suffix: str, text: str, tmp_path: Path
) -> None:
    source, record = tmp_path / f"own.{suffix}", tmp_path / "game.json"
    source.write_text(text)
    game = read_game(str(source))
    game = game.after(game.start.moves()[:1])
    write_game(game, str(record))
    source.unlink()
    again = read_game(str(record))
    assert (str(again), again.depth, again.start.moves()) == (
        str(game),
        game.depth,
        game.start.moves(),
    )
    assert again.start.play(again.start.moves()[0]).winner == (
        game.start.play(game.start.moves()[0]).winner
    )


@pytest.mark.parametrize("game", [build("tictactoe"), parse_pg(SETS)], ids=str)
def test_a_game_survives_with_any_depth(game: PositionalGame, tmp_path: Path) -> None:
    game, file = replace(game, depth=1), str(tmp_path / "game.json")
    write_game(game, file)
    assert read_game(file) == game


def test_the_depth_survives_more_moves_than_it_has_plies() -> None:
    game = replace(parse_pg(SETS), depth=2)
    moved = game.after(game.parse_moves("b2 a1 b1"))
    assert moved.remaining_depth == 0
    assert json.loads(to_record(moved))["depth"] == 2
    assert moved.rewound() == game


def test_a_game_that_only_has_the_name_of_another_is_described() -> None:
    impostor = parse_pg(SETS).renamed("tictactoe")
    assert json.loads(to_record(impostor))["description"] is not None
    assert json.loads(to_record(build("tictactoe")))["description"] is None


def test_a_record_stands_wherever_a_game_can(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "game.json")
    assert main(["convert", "tictactoe(moves=b2 a1)", "-o", file]) == 0
    assert main(["show", file, "--moves", "c3"]) == 0
    assert capsys.readouterr().out.startswith("tictactoe(moves=b2 a1 c3): White to move")
    unnamed = tmp_path / "record"
    unnamed.write_bytes(Path(file).read_bytes())
    assert main(["show", str(unnamed)]) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: this is not JSON: expecting value"),
        ('{"skolemate":\n 1,', "2:4: this is not JSON"),
        ("[" * 100_000, "this is not "),
        ("[1, 2]", "this is not a game record"),
        ("1" * 5000, "this is not a game record"),
        (r'{"skolemate": "game", "game": "\ud800", "moves": []}', "this is not a game record"),
        ('{"game": "tictactoe", "moves": []}', '"skolemate": "game" is missing'),
        ('{"skolemate": "game", "moves": []}', "game must be a name"),
        ('{"skolemate": "game", "game": 7, "moves": []}', "game must be a name"),
        ('{"skolemate": "game", "game": "hxe", "moves": []}', "did you mean hex?"),
        ('{"skolemate": "game", "game": "hein(9)"}', "moves must be a list"),
        ('{"skolemate": "game", "game": "hein(9)", "moves": [1]}', "moves must be a list"),
        (
            '{"skolemate": "game", "game": "hein(9)", "moves": [], "depth": "x"}',
            "depth must be a number",
        ),
        (
            '{"skolemate": "game", "game": "hein(9)", "moves": [], "depth": 10000000000}',
            "depth must be a number of plies up to 10,000, or null",
        ),
        (
            '{"skolemate": "game", "game": "tictactoe", "moves": ["b2", "b2"]}',
            "'tictactoe': move 2, 'b2': b2 is taken",
        ),
        (
            '{"skolemate": "game", "game": "own", "description": "?", "moves": []}',
            "description has no game in a known format",
        ),
    ],
)
def test_what_is_no_record_is_refused_with_its_place(
    text: str, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    file.write_text(text)
    with pytest.raises(UserError) as caught:
        read_game(str(file))
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{file}:")
