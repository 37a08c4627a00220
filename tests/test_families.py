"""Families: their sets are those of the definition, their winners those of the literature."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from skolemate import value
from skolemate.errors import UserError
from skolemate.games import Player, PositionalGame
from skolemate.games.family import build

BLACK, WHITE = Player.BLACK, Player.WHITE


# By the literature (Sim: Simmons 1969; Rex: Lagarias and Sleator 1999; planes: Carroll and
# Dougherty 2004; tic-tac-toe misère: Gardner) or, where plies are told, by the oracle as well.
KNOWN = {
    "tictactoe(misere=true)": None,
    "sim(n=5)": None,
    "sim(n=6)": WHITE,
    "hex(size=2, misere=true)": BLACK,
    "hex(size=3, misere=true)": WHITE,
    "hex(size=4, misere=true)": BLACK,
    "plane(q=2)": BLACK,
    "plane(q=3)": BLACK,
    "plane(q=4)": BLACK,
    "plane(q=2, kind=projective)": BLACK,
    "plane(q=3, kind=projective)": None,
    "cube(n=3, d=2)": None,
    "cube(n=3, d=3)": BLACK,
    "clique(n=5, k=3)": BLACK,
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_games_have_the_winner_of_the_literature(name: str) -> None:
    assert value(name).winner is KNOWN[name]


@pytest.mark.parametrize(("q", "kind"), [(q, k) for q in (2, 3, 4, 5, 7, 8, 9) for k in "ap"])
def test_two_points_of_a_plane_are_on_one_line(q: int, kind: str) -> None:
    kind = {"a": "affine", "p": "projective"}[kind]
    game = build(f"plane(q={q}, kind={kind})")
    assert isinstance(game, PositionalGame)
    assert game.black_goal is not None
    lines = game.black_goal.listed or ()
    points = q * q + (kind == "projective") * (q + 1)
    assert game.board.size == points
    assert len(lines) == q * q + q + (kind == "projective")
    assert {line.bit_count() for line in lines} == {q + (kind == "projective")}
    joined = Counter(
        (a, b)
        for line in lines
        for b in range(points)
        for a in range(b)
        if line >> a & line >> b & 1
    )
    assert set(joined.values()) == {1}
    assert len(joined) == points * (points - 1) // 2


def test_other_families_have_their_sets() -> None:
    counted = {
        "sim(n=6)": (15, 20),
        "clique(n=6, k=4)": (15, 15),
        "vdw(n=9, k=3)": (9, 16),
        "vdw(n=5, k=2)": (5, 10),
        "cube(n=3, d=3)": (27, 49),  # ((n + 2)^d - n^d) / 2
        "cube(n=3, d=4)": (81, 272),
        "cube(n=2, d=4)": (16, 120),
        "cube(n=4, d=1)": (4, 1),
    }
    for name, sizes in counted.items():
        game = build(name)
        assert isinstance(game, PositionalGame)
        assert game.black_goal is not None
        assert (game.board.size, len(game.black_goal.listed or ())) == sizes
    for wrong in ("sim(2)", "clique(n=10, k=3)", "vdw(n=3, k=4)", "cube(1)", "plane(6)"):
        with pytest.raises(UserError):
            build(wrong)


# --- who cannot move loses ------------------------------------------------------------------------


Cell = tuple[int, int]
Stones = frozenset[Cell]


def beside(cell: Cell) -> Stones:
    x, y = cell
    return frozenset({(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)})


def outcome(name: str, width: int, height: int) -> tuple[bool, int]:
    """Whether the first player wins, and in how many plies, by a search that knows the rules."""
    cells = frozenset((x, y) for x in range(width) for y in range(height))

    def after(own: Stones, other: Stones) -> list[tuple[Stones, Stones]]:
        if name == "clobber":
            moves = [(one, two) for one in own for two in beside(one) & other]
            return [(other - {two}, own - {one} | {two}) for one, two in moves]
        forbidden = own if name == "col" else other
        free = (cell for cell in cells - own - other if not beside(cell) & forbidden)
        return [(other, own | {cell}) for cell in free]

    @cache
    def best(own: Stones, other: Stones) -> tuple[bool, int]:
        ends = [best(*stones) for stones in after(own, other)]
        wins = [plies for won, plies in ends if not won]
        return (True, 1 + min(wins)) if wins else (False, 1 + max((p for _, p in ends), default=0))

    even = frozenset(cell for cell in cells if sum(cell) % 2 == 0)
    return best(even, cells - even) if name == "clobber" else best(frozenset(), frozenset())


@pytest.mark.parametrize("name", ["col", "snort", "clobber"])
def test_games_of_no_move_left_have_the_winner_of_a_brute_force(name: str) -> None:
    for width, height in [(1, 1), (2, 1), (1, 3), (2, 2), (4, 1), (3, 2), (3, 3), (4, 3), (3, 4)]:
        found = value(f"{name}(width={width}, height={height})")
        assert (found.winner is BLACK, found.plies) == outcome(name, width, height)
