"""Pairs of cells: White answers in the same pair, and Black never owns both cells of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations, pairwise

import numpy as np

from skolemate.encodings.parts.set_problem import SetProblem
from skolemate.formula import FALSE, Builder, Literals
from skolemate.games.game import Player
from skolemate.games.schedule import Schedule
from skolemate.strategies.nodes import Pairs

__all__ = ["disjoint_pairs", "every_set_is_blocked", "white_answers_every_stone"]


def white_answers_every_stone(schedule: Schedule) -> bool:
    """Whether Black never places two stones without one of White's in between."""
    return (Player.BLACK, Player.BLACK) not in pairwise(schedule)


def disjoint_pairs(
    builder: Builder, problem: SetProblem, black: Literals
) -> tuple[dict[tuple[int, int], int], Callable[[Mapping[int, bool]], Pairs]]:
    """p(u, v) for cells that share a set: neither is black, and no cell is in two pairs.

    Returns the number of each pair's variable, and how to read the pairs.
    """
    sharing = sorted({pair for winning in problem.black_sets for pair in combinations(winning, 2)})
    names = problem.names
    variables = builder.exists("pair", [f"{names[u]}-{names[v]}" for u, v in sharing])
    number = dict(zip(sharing, variables.tolist(), strict=True))
    ends = np.array(sharing, np.int64).reshape(-1, 2)
    builder.add(-variables, -black[ends[:, 0]])
    builder.add(-variables, -black[ends[:, 1]])
    of_cell: dict[int, list[int]] = {}
    for pair, variable in number.items():
        for cell in pair:
            of_cell.setdefault(cell, []).append(variable)
    clashes = {clash for listed in of_cell.values() for clash in combinations(listed, 2)}
    table = np.array(sorted(clashes), np.int32).reshape(-1, 2)
    builder.add(-table[:, 0], -table[:, 1])

    def decode(assignment: Mapping[int, bool]) -> Pairs:
        chosen = [pair for pair, variable in number.items() if assignment.get(variable)]
        return tuple((problem.cells[u], problem.cells[v]) for u, v in chosen)

    return number, decode


def every_set_is_blocked(
    builder: Builder,
    problem: SetProblem,
    white: Literals,
    pair: Mapping[tuple[int, int], int],
    unless: np.int32 = FALSE,
) -> None:
    """Every set of Black's has a white stone or contains a pair."""
    sets = problem.black_sets
    stones = problem.rows(white, sets, FALSE)
    inside = [[pair[two] for two in combinations(winning, 2)] for winning in sets]
    width = max(map(len, inside))
    pairs = [[*row, *[int(FALSE)] * (width - len(row))] for row in inside]
    builder.add([stones], [np.array(pairs, np.int32).reshape(len(sets), width)], unless)
