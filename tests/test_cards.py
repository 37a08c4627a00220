"""Cards: nodes that replies use again elsewhere on the board, under maps."""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from following import extracted, holds_against_everything, searched
from skolemate.errors import FileError
from skolemate.games import Grid, Player, PositionalGame, Sets
from skolemate.games.family import build
from skolemate.games.symmetry import move_mask
from skolemate.search.reference import Reference
from skolemate.strategies import Claim, Strategy, cards, check_file, extract

BLACK = Player.BLACK

# Weak and strong games, with the depth at which Black wins.
WON = [
    ("harary(shape=elly, width=4, height=4, maker_breaker=true)", 7),
    ("harary(shape=elly, width=4, height=4)", 7),
    ("mnk(m=5, n=3, k=3)", 7),
    ("harary(shape=el, board=..../#.../....)", 5),
]


def goal_sets(game: PositionalGame) -> tuple[int, ...]:
    goal = game.goal(BLACK)
    assert isinstance(goal, Sets)
    return goal.sets


def moves_something(strategy: Strategy) -> bool:
    return any(None in where for where in strategy.symmetries)


@pytest.mark.parametrize(("name", "depth"), WON)
def test_a_strategy_with_maps_holds_and_wins(name: str, depth: int, tmp_path: Path) -> None:
    strategy = extracted(build(name), BLACK, depth)
    assert moves_something(strategy)
    assert strategy.check().holds
    holds_against_everything(strategy)
    first, second = tmp_path / "first", tmp_path / "second"
    strategy.save(str(first))
    again = Strategy.load(str(first))
    again.save(str(second))
    assert first.read_bytes() == second.read_bytes()
    assert check_file(str(first)).nodes == strategy.size


@pytest.mark.parametrize(("name", "depth"), WON)
def test_the_images_written_out_prove_the_same(name: str, depth: int) -> None:
    strategy = extracted(build(name), BLACK, depth)
    plain = Strategy(strategy.claim, *strategy.unfolded)
    assert plain.size > strategy.size
    assert not moves_something(plain)
    assert plain.check().holds
    assert Strategy(strategy.claim, *plain.unfolded) == plain


def test_cards_go_only_where_the_sets_go() -> None:
    """Games on a grid with some placements of a shape: not every place is as good as another."""
    rng, tally = random.Random(4), Counter[str]()
    for _ in range(60):
        weak = rng.random() < 0.5
        whole = build(f"harary(shape=el, width=4, height=3, maker_breaker={str(weak).lower()})")
        assert isinstance(whole, PositionalGame)
        sets = [one for one in goal_sets(whole) if rng.random() < 0.8]
        goal = Sets.of(sets)
        game = replace(whole, black_goal=goal, white_goal=None if weak else goal)
        strategy = extracted(game, BLACK, 5)  # raises Disagreement if its check fails
        holds_against_everything(strategy)
        tally["won"] += strategy.claim.wins
        tally["with maps"] += moves_something(strategy)
    assert tally["won"] > 20
    assert tally["with maps"] > 10


def test_a_large_proof_of_the_engine_is_kept_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    game = build("harary(shape=elly, width=4, height=4, maker_breaker=true)")
    assert moves_something(searched(game, BLACK, 7))
    monkeypatch.setattr(sys.modules[extract.__module__], "MANY_NODES", 1)
    whole = searched(game, BLACK, 7)
    assert not moves_something(whole)
    assert whole.check().holds


def test_motions_take_shapes_to_shapes() -> None:
    """Every motion of a board is one of the plane: it keeps distances, and is no symmetry."""
    for board in (Grid(3, 3), Grid(4, 2), Grid(3, 3, holes=((1, 1),))):
        for where in board.motions:
            at = board.places
            placed = [
                (at[cell], at[image]) for cell, image in enumerate(where) if image is not None
            ]
            assert len(placed) < board.size
            for (x, y), (u, v) in placed:
                for (a, b), (c, d) in placed:
                    assert (x - a) ** 2 + (y - b) ** 2 == (u - c) ** 2 + (v - d) ** 2
        assert len(set(board.motions)) == len(board.motions)
    # A domino on 3x3 has twelve places, and can lie on each of them in two ways.
    domino = 0b011
    places = {(where[0], where[1]) for where in Grid(3, 3).motions if None not in where[:2]}
    assert len({move_mask(w, domino) for w in Grid(3, 3).motions if None not in w[:2]}) == 12
    assert len(places) == 24
    assert Grid(3, 3, torus=True).motions == ()


# --- files that someone else wrote ----------------------------------------------------------------
# A row of six cells, on which Black wants a domino and White moves first. The card: with the stone
# b1, whatever White does, a1 or c1 makes a domino. Its image is three cells further.


Line = dict[str, Any]

ROW = "harary(shape=domino, width=6, height=1, maker_breaker=true, first=white)"
EAST: Line = {"map": {"a1": "d1", "b1": "e1", "c1": "f1"}}
CARD: Line = {"at": ".X.OOO", "turn": "white", "left": 2, "replies": [["a1"], ["c1"]]}
START: Line = {"at": "......", "turn": "white", "left": 4, "replies": [["e1", 0, 0], ["b1", 0]]}


def written(folder: Path, name: str, *lines: Line) -> str:
    """A file with these lines that claims that Black wins within four plies."""
    file = folder / "written.jsonl"
    Strategy(Claim(build(name), BLACK, 4, wins=True), []).save(str(file))
    file.write_text(file.read_text() + "".join(json.dumps(line) + "\n" for line in lines))
    return str(file)


def test_an_image_serves_like_a_node(tmp_path: Path) -> None:
    report = check_file(written(tmp_path, ROW, EAST, CARD, START))
    assert report.holds, report.failure
    assert report.nodes == 2
    assert Reference(BLACK).wins(build(ROW).start, 4)


def test_an_image_omits_what_its_node_omits(tmp_path: Path) -> None:
    card = CARD | {"replies": [["a1", None, None, ["c1", "d1"]], ["c1"]]}
    strategy = Strategy.load(written(tmp_path, ROW, EAST, card, START))
    image = next(node for node in strategy.unfolded[0] if node.position.black == 1 << 4)
    assert [reply.move for reply in image.replies] == [3, 5]
    assert image.replies[0].omits == 1 << 5, "c1 goes to f1, and d1 is no cell of the card"


REFUSED: list[tuple[str, Line, Line, Line]] = [
    ("leaves out a cell of node 0", {"map": {"a1": "d1", "b1": "e1"}}, CARD, START),
    # The image of the domino a1 b1 is no domino: by the order, and across the edge.
    ("is said to lead to", {"map": {"a1": "d1", "b1": "f1", "c1": "e1"}}, CARD, START),
    ("is said to lead to", {"map": {"a1": "e1", "b1": "f1", "c1": "a1"}}, CARD, START),
    # The image needs d1, which is White's; or b1, which it must not move to; or more plies.
    ("is said to lead to", EAST, CARD, START | {"at": "...O.."}),
    ("is said to lead to", EAST, CARD, START | {"replies": [["b1", 0, 0], ["b1", 0]]}),
    ("is said to lead to", EAST, CARD, START | {"left": 3}),
    ("no reply answers this move", EAST, CARD, START | {"replies": [["e1", 0, 0]]}),
    (
        "no reply answers this move",  # c1, which the card and its image need
        {"map": {"a1": "c1", "b1": "d1", "c1": "e1"}},
        CARD,
        START | {"replies": [["d1", 0, 0], ["b1", 0]]},
    ),
    ("no node 1 above", EAST, CARD, START | {"replies": [["e1", 1, 0], ["b1", 0]]}),
    ("no such symmetry", EAST, CARD, START | {"replies": [["e1", 0, 1], ["b1", 0]]}),
    (
        "via names no symmetry above",
        EAST,
        CARD,
        {"at": "......", "turn": "white", "left": 4, "via": {"a1": 0}},
    ),
]


@pytest.mark.parametrize(("why", "where", "card", "first"), REFUSED)
def test_an_image_that_is_not_right_is_refused(
    why: str, where: Line, card: Line, first: Line, tmp_path: Path
) -> None:
    report = check_file(written(tmp_path, ROW, where, card, first))
    assert not report.holds
    assert why in str(report.reason)


def test_an_image_knows_the_sets_of_the_opponent(tmp_path: Path) -> None:
    """If White wants a domino, too, the card is right, and its image is right, but too slow."""
    strong = ROW.replace("maker_breaker=true, ", "")
    card = CARD | {"at": ".X.???"}
    report = check_file(written(tmp_path, strong, EAST, card, START))
    assert not report.holds
    assert "White may complete a set first" in str(report.reason)
    assert not Reference(BLACK).wins(build(strong).start, 4)


def test_only_nodes_with_replies_have_images(tmp_path: Path) -> None:
    pairs = {"at": "OXOXOX", "turn": "black", "left": 4, "pairs": []}
    first = {"at": "......", "turn": "black", "left": 4, "replies": [["e1", 0, 0]]}
    file = Path(written(tmp_path, ROW.replace(", first=white", ""), EAST, pairs, first))
    file.write_text(file.read_text().replace('"WIN"', '"NO_WIN"'))
    assert "node 0 has no replies" in str(check_file(str(file)).reason)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"map": {"a1": "d1", "b1": "d1"}}, "different cells to different cells"),
        ({"map": {f"{x}1": f"{x}1" for x in "abcdef"}}, "and not all cells"),
        ({"map": {"a1": "g1"}}, "there is no cell 'g1'"),
        ({"map": {"a1": None}}, "a map says where some cells go"),
        ({"map": ["a1"]}, "a map says where some cells go"),
        ({"map": {"A1": "b1"}}, "write a1 in a strategy"),
        ({"map": {}, "left": 3}, "a line with a map has nothing else"),
    ],
)
def test_a_line_that_is_no_map_is_a_defect(line: Line, why: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=why):
        check_file(written(tmp_path, ROW, line, CARD, START))


def test_maps_stand_between_symmetries_and_nodes(tmp_path: Path) -> None:
    mirror = {"symmetry": [f"{x}1" for x in "fedcba"]}
    other = START | {"replies": [["e1", 0, 1], ["b1", 0]]}
    assert check_file(written(tmp_path, ROW, mirror, EAST, CARD, other)).holds
    for lines in ([EAST, mirror, CARD, START], [CARD, EAST, START]):
        report = check_file(written(tmp_path, ROW, *lines))
        assert "maps stand after all symmetries, and before all nodes" in str(report.reason)


def test_too_many_images_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "MOST_IMAGES", 0)
    report = check_file(written(tmp_path, ROW, EAST, CARD, START))
    assert "more than 0 images" in str(report.reason)
