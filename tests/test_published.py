"""The published inputs: they read, they survive being written, they equal the named games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sample_files import named, paths, positional
from skolemate.formats import parse_pg, read_game, to_bddl, to_pg
from skolemate.formats.bddl import parse_bddl
from skolemate.games import Game, Grid, HexGrid, Player, PositionalGame, Shape
from skolemate.games.family import build
from skolemate.games.game import turns

COUNTS = {
    "gttt-3x3": 84,
    "gttt-4x4": 96,
    "hex-hein": 14,
    "hex-hein-board": 40,
    "hex-hein-egf": 14,
    "hex-hein-gex": 14,
    "milestones": 4,
}
FOLDER_DIALECT = {"hex-hein-board": "board", "hex-hein-egf": "egf", "hex-hein-gex": "gex"}


def games_in(published: Path, folder: str) -> Iterator[tuple[Path, PositionalGame]]:
    for file in sorted((published / "pg" / folder).glob("*.pg")):
        yield file, positional(read_game(str(file)))


@pytest.mark.parametrize("folder", COUNTS)
def test_published_files_survive_being_written(published: Path, folder: str) -> None:
    games = list(games_in(published, folder))
    assert len(games) == COUNTS[folder]
    for file, game in games:
        assert game.name == file.name
        again = parse_pg(to_pg(game, FOLDER_DIALECT.get(folder, "hypergraph")))
        assert again == game, file.name


@pytest.mark.parametrize("folder", ["gttt-3x3", "gttt-4x4"])
def test_published_tic_tac_toes_are_the_named_games(published: Path, folder: str) -> None:
    for file, game in games_in(published, folder):
        match = re.fullmatch(r"gttt_(\d)_(\d)_(\d+)_(\d)x(\d)(_torus)?_([bw])\.pg", file.name)
        assert match is not None
        p, q, digits, width, height, torus, colour = match.groups()
        shape = Shape.parse(digits)
        around = Grid(int(width), int(height), torus=True)
        flat = Grid(int(width), int(height))
        assert game.polyomino is not None
        # Where a torus gives the same sets as the board, the board is meant; and shapes that
        # have the same copies (Elly and Knobby on the 3x3 torus) cannot be told apart.
        wraps = torus and shape.placements(around) != shape.placements(flat)
        assert game.polyomino.placements(around) == shape.placements(around)
        expected = named(
            f"gttt(p={p}, q={q}, shape={game.polyomino}, width={width}, height={height}, "
            f"torus={'true' if wraps else 'false'})"
        )
        assert game.depth == expected.horizon
        unrestricted = replace(game, first_moves=None, depth=None)
        assert unrestricted == (expected if colour == "b" else expected.swapped()), file.name


def test_published_puzzles_are_the_named_games(published: Path) -> None:
    for file, game in games_in(published, "hex-hein-board"):
        match = re.match(r"hein_(\d+)", file.name)
        name = f"hein({int(match[1])})" if match else "browne"
        assert replace(game, depth=None) == named(name), file.name
        depth = re.search(r"(\d+)\.pg", file.name)
        assert depth is not None
        assert game.depth == int(depth[1])


def test_published_milestones_are_the_named_games(published: Path) -> None:
    games = {file.name: game for file, game in games_in(published, "milestones")}
    expected = {
        "gomoku_1_1_15x15_connect5.pg": "gomoku",
        "gttt_1_1_9x9_snaky.pg": "harary(shape=snaky, width=9, height=9)",
        "mickey_mouse_1_2_19x19_connect6.pg": "connect6(opening=mickey_mouse)",
    }
    for file, name in expected.items():
        assert replace(games[file], first_moves=None, depth=None) == named(name), file
    qubic, cube = games["qubic_1_1_4x4x4.pg"], named("qubic")
    assert (qubic.black_goal, qubic.schedule) == (cube.black_goal, cube.schedule)


BDDL_COUNTS = {"connect-c": 12, "domineering": 25, "httt": 15}


@pytest.mark.parametrize("folder", BDDL_COUNTS)
def test_published_models_are_the_named_games(published: Path, folder: str) -> None:
    problems = [file for file in (published / "bddl" / folder).glob("*.ig") if "_" in file.name]
    assert len(problems) == BDDL_COUNTS[folder]
    for file in problems:
        match = re.fullmatch(r"(\d)x(\d)_(\d+)(?:_([a-z]+)(\d?))?\.ig", file.name)
        assert match is not None
        width, height, depth, word, k = match.groups()
        size = f"width={width}, height={height}"
        name = {
            "connect-c": f"connect(k={k}, {size})",
            "domineering": f"domineering({size})",
            "httt": f"harary(shape={word}, {size})",
        }[folder]
        game = read_game(str(file))
        assert game.depth == int(depth)
        assert parse_bddl(to_bddl(game)) == game, file.name
        expected = build(name)
        if folder == "httt":
            assert replace(positional(game), depth=None) == expected, file.name
        else:
            # Actions may be called otherwise and repeat themselves: the same as masks.
            assert rules(game) == rules(expected), file.name


def rules(game: Game) -> object:
    """What can be played and what wins, without the names of moves."""
    view = game.grounded()
    moves = {(p, replace(action, move=0)) for p in Player for action in view.actions[p]}
    goals = {(p, goal) for p in Player for goal in view.goals[p] or ()}  # type: ignore[union-attr]
    return moves, goals, view.black, view.white, view.to_move, view.horizon


def test_published_dialects_of_a_puzzle_agree(published: Path) -> None:
    games = {
        (file.parent.name, file.name): game for d in COUNTS for file, game in games_in(published, d)
    }
    for (folder, name), sets in games.items():
        if folder == "hex-hein":
            board = games["hex-hein-board", name]
            gex, egf = games["hex-hein-gex", name], games["hex-hein-egf", name]
            # The sets listed are exactly the minimal paths that White's stones leave open.
            assert parse_pg(to_pg(board, "hypergraph")) == sets, name
            assert gex == egf, name
            assert gex.offers("transversal"), name
            assert paths(gex) == paths(board) == paths(sets), name
            # The published graphs leave out useless cells and edges along a border; ours not.
            assert paths(parse_pg(to_pg(board, "gex"))) == paths(gex), name
            assert parse_pg(to_pg(board, "gex")) == parse_pg(to_pg(board, "egf")), name


def test_published_files_of_one_position_are_one_game(published: Path) -> None:
    """However many turns a file states: they go on in the same way."""
    games: dict[str, PositionalGame] = {}
    files = list(games_in(published, "l-game-5x5"))
    assert len(files) == 72
    for file, game in files:
        position = file.stem.rsplit("_m_")[0]
        bare = replace(game, depth=None)
        assert games.setdefault(position, bare) == bare, file.name
        assert game.last_stated is None
    assert len(games) == 10


GRAPHS = {"sat/Gex-EGF": 8, "sat/R-Gex-EGF": 8, "unsat/Gex-EGF": 15, "unsat/R-Gex-EGF": 15}


@pytest.mark.parametrize("folder", GRAPHS)
def test_published_graphs_are_read_as_positions_of_hex(published: Path, folder: str) -> None:
    files = list(games_in(published, f"hex-championship/{folder}"))
    assert len(files) == GRAPHS[folder]
    for file, game in files:
        assert game.board == HexGrid(19, 19), file.name
        assert game.offers("transversal"), file.name
        # R-Gex: cells are left out for the sake of the depth, and the file says so.
        assert game.last_stated == (game.depth if "R-Gex" in folder else None), file.name


def test_published_games_of_one_turn_are_carried_on(published: Path) -> None:
    games = [game for _, game in games_in(published, "hex-championship/unsat/B-Hex")]
    assert len(games) == 21
    assert {game.depth for game in games} == {1}
    for game in games:
        assert game.schedule == turns(len(game.schedule))
        assert len(game.schedule) == 361 - game.start.occupied.bit_count()


def listings(seed: str) -> dict[int, str]:
    """The listings of a paper's text dump, by number: headings may stand before or inside."""
    found: dict[int, str] = {}
    number: int | None = None
    for line in seed.splitlines():
        heading = re.match(r"Listing (\d+) ", line)
        if heading is not None:
            number = int(heading[1])
            found[number] = ""
            line = line[line.index(" #") :] if " #" in line else ""
        elif number is not None and re.match(r"[#:(%0-9]| *(\(|NOT|white)", line):
            found[number] += line + "\n"
            continue
        if number is not None and "#" in line:
            found[number] += re.sub(r" (?=#)", "\n", line).strip() + "\n"
    return found


def test_the_listings_of_the_paper_are_read_as_they_stand(published: Path) -> None:
    papers = list((published.parent / "seeds").glob("004_*.txt"))
    if not papers:
        pytest.skip("the text of the paper (../shared/seeds) is absent; its models are shipped")
    text = papers[0].read_text(encoding="utf-8")
    found = listings(text[text.index("Complete Models for Classical Games") :])
    expected = {
        (11, 12): (7, 6, 9),
        (13, 14): (2, 4, 13),
        (15, 16): (3, 4, 1),
        (17, 18): (8, 8, 11),
        (19, 20): (6, 6, 11),
    }
    for (domain, problem), size in expected.items():
        game = parse_bddl(found[problem], found[domain])
        model = game.bddl()
        assert (model.width, model.height, game.depth) == size, problem
    for name, numbers in {
        "breakthrough(width=2, height=4)": (14, 13),
        "domineering(width=6, height=6)": (20, 19),
    }.items():
        assert rules(parse_bddl(*(found[number] for number in numbers))) == rules(build(name))
    # Listings 4 and 5 stand side by side.
    start = text.index("Listing 4 Positional")
    rows = text[start : text.index("Connect-c\n", start)].splitlines()[2:]
    rows = [row.ljust(28) for row in rows if row and "```" not in row]
    tic = parse_bddl("\n".join(row[28:] for row in rows), "\n".join(row[:28] for row in rows))
    assert positional(tic).polyomino == Shape.parse("tic")
    assert (tic.board, tic.depth) == (Grid(5, 4), 5)
    assert tic.start.black == tic.board.cells("a3")
