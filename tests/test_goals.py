"""Questions about goals, against their definitions: every selection is tried out."""

from __future__ import annotations

import random
from itertools import combinations, product
from math import inf

import pytest

from skolemate.games.bits import mask_of
from skolemate.games.board import HexGrid
from skolemate.games.goals import Connection, Goal, Sets, hex_goals

CELLS = 9


def random_goal(rng: random.Random) -> Goal:
    kind = rng.randrange(3)
    if kind == 0:
        sizes = (rng.randrange(1, 5) for _ in range(rng.randrange(1, 9)))
        return Sets.of(mask_of(rng.sample(range(CELLS), size)) for size in sizes)
    if kind == 1:
        return rng.choice(hex_goals(HexGrid(3, 3)))
    rows: list[list[int]] = [[] for _ in range(CELLS)]
    for a, b in combinations(range(CELLS), 2):
        if rng.random() < 0.35:
            rows[a].append(b)
            rows[b].append(a)
    start, end = (mask_of(rng.sample(range(CELLS), rng.randrange(1, 4))) for _ in range(2))
    return Connection.of(rows, start, end)


def random_stones(rng: random.Random) -> tuple[int, int, list[tuple[int, int]]]:
    """Stones of two players, and disjoint pairs of what is left."""
    cells = rng.sample(range(CELLS), CELLS)
    own, enemy = rng.randrange(4), rng.randrange(4)
    rest = cells[own + enemy :]
    pairs = list(zip(rest[::2], rest[1::2], strict=False))[: rng.randrange(4)]
    return mask_of(cells[:own]), mask_of(cells[own : own + enemy]), pairs


@pytest.mark.parametrize("seed", range(400))
def test_goals_answer_as_they_are_defined(seed: int) -> None:
    rng = random.Random(seed)
    goal = random_goal(rng)
    own, enemy, _ = random_stones(rng)
    if goal.met(own):
        return
    assert goal.by_one(own) == mask_of(
        cell for cell in range(CELLS) if not own >> cell & 1 and goal.met(own | 1 << cell)
    )
    # The fewest stones that do it, among all choices of open cells.
    free = [cell for cell in range(CELLS) if not (own | enemy) >> cell & 1]
    choices = (mask_of(c) for n in range(CELLS + 1) for c in combinations(free, n))
    fewest = next((c.bit_count() for c in choices if goal.met(own | c)), None)
    for stones in (0, 1, 2, 3, CELLS, inf):
        reach = goal.within_reach(own, enemy, (), stones)
        assert (reach is not None) is (fewest is not None and fewest <= stones)
        assert reach is None or (goal.met(reach) and not reach & enemy)


@pytest.mark.parametrize("seed", range(400))
def test_pairs_do_what_is_said_of_them(seed: int) -> None:
    rng = random.Random(seed)
    goal = random_goal(rng)
    own, enemy, pairs = random_stones(rng)
    chosen = [own | mask_of(choice) for choice in product(*pairs)]
    if isinstance(goal, Connection):
        if goal.met_by_pairs(own, pairs):
            assert all(map(goal.met, chosen))
        return
    reach = goal.within_reach(own, enemy, pairs, inf)
    paired = mask_of(cell for pair in pairs for cell in pair)
    rest = ((1 << CELLS) - 1) & ~enemy & ~paired
    assert (reach is None) is not any(goal.met(one | rest) for one in chosen)
    assert reach is None or all(not (reach >> a & reach >> b & 1) for a, b in pairs)


def test_links_of_a_hex_path() -> None:
    board = HexGrid(4, 4)
    black, white = hex_goals(board)
    stones = mask_of(map(board.cell, ("b3", "c1", "b4")))
    bridge = (board.cell("b2"), board.cell("c2"))
    assert black.met_by_pairs(stones, [bridge])
    assert not black.met_by_pairs(stones, [])
    assert not black.met_by_pairs(stones, [(bridge[0], board.cell("a2"))])
    assert not white.met_by_pairs(stones, [bridge])
