"""Questions about goals, against their definitions: every selection is tried out."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, product
from math import inf

import pytest

from skolemate.games.board import HexGrid
from skolemate.games.goals import Connection, Goal, Sets, Shape, hex_goals, polyominoes
from skolemate.games.symmetry import mask_of

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


def test_goals_answer_as_they_are_defined() -> None:
    in_reach: Counter[bool] = Counter()
    for seed in range(400):
        rng = random.Random(seed)
        goal = random_goal(rng)
        own, enemy, _ = random_stones(rng)
        if not goal.met(own):
            fewest = check_reach(goal, own, enemy)
            in_reach[fewest is not None] += 1
    assert min(in_reach[True], in_reach[False]) >= 30, in_reach


def check_reach(goal: Goal, own: int, enemy: int) -> int | None:
    """The fewest stones that meet a goal, if it can be met; what the goal says must agree."""
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
    return fewest


def test_pairs_do_what_is_said_of_them() -> None:
    seen: Counter[tuple[bool, bool]] = Counter()  # by kind of goal, and whether pairs meet it
    for seed in range(400):
        rng = random.Random(seed)
        goal = random_goal(rng)
        own, enemy, pairs = random_stones(rng)
        chosen = [own | mask_of(choice) for choice in product(*pairs)]
        if isinstance(goal, Connection):
            met = goal.met_by_pairs(own, pairs)
            assert not met or all(map(goal.met, chosen))
        else:
            reach = goal.within_reach(own, enemy, pairs, inf)
            met = reach is not None
            paired = mask_of(cell for pair in pairs for cell in pair)
            rest = ((1 << CELLS) - 1) & ~enemy & ~paired
            assert met is any(goal.met(one | rest) for one in chosen)
            assert reach is None or all(not (reach >> a & reach >> b & 1) for a, b in pairs)
        seen[isinstance(goal, Connection), met] += 1
    assert all(seen[path, met] >= 10 for path in (True, False) for met in (True, False)), seen


def test_links_of_a_hex_path() -> None:
    board = HexGrid(4, 4)
    black, white = hex_goals(board)
    stones = mask_of(map(board.cell, ("b3", "c1", "b4")))
    bridge = (board.cell("b2"), board.cell("c2"))
    assert black.met_by_pairs(stones, [bridge])
    assert not black.met_by_pairs(stones, [])
    assert not black.met_by_pairs(stones, [(bridge[0], board.cell("a2"))])
    assert not white.met_by_pairs(stones, [bridge])


@pytest.mark.parametrize("shape", [shape for n in range(1, 6) for shape in polyominoes(n)])
def test_a_shape_is_read_from_its_drawing(shape: Shape) -> None:
    for cells in shape.orientations:
        width, height = (1 + max(side) for side in zip(*cells, strict=True))
        rows = ("".join(".X"[(x, y) in cells] for x in range(width)) for y in range(height))
        drawing = "/".join(rows)
        if drawing != "X":  # the name of a pentomino
            assert Shape.parse(drawing) == Shape.parse(f'"{drawing.lower()}"') == shape
