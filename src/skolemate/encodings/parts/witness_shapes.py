"""Polyominoes as a witness (Shaik et al. 2023, §6): cells related by "right" and "up".

The cells of a shape hang together along a spanning tree; the paper's chain p0, p1, … would not do
for the T-tetromino. Turned and mirrored copies are different shapes, of which Black builds one.
"""

from __future__ import annotations

import numpy as np

from skolemate.encodings.parts.coded_moves import is_one_of
from skolemate.encodings.parts.codes import bit_labels, matching
from skolemate.encodings.parts.problem import Problem
from skolemate.formula import FALSE, CircuitBuilder, Literals
from skolemate.games.bits import cells_of
from skolemate.games.board import Grid

__all__ = ["witness_shape"]

Place = tuple[int, int]
Branch = tuple[int, int, Place]  # cell number, cell number of its child, the step between them


def witness_shape(builder: CircuitBuilder, problem: Problem) -> tuple[Literals, Literals]:
    """Quantify a witness and state that it is a copy of the shape.

    Returns its cells, one row a cell, and for each whether it is a stone that Black had before:
    such stones have codes behind those of the open cells.
    """
    goal, start = problem.question.game.shape(), problem.question.game.start
    stones = list(cells_of(start.black))
    cells = [*problem.cells, *stones]
    labels = [f"cell{number}" for number in range(len(goal.shape))]
    witness = builder.exists("witness", labels, bit_labels(len(cells)))
    named = builder.all_of([matching(witness[:, None], len(cells))])
    named = np.append(named, np.full((len(witness), 1), FALSE), axis=1)  # what is no cell
    copies = []
    for copy in goal.shape.orientations:
        if goal.board.torus and _overlaps_itself(copy, goal.board):
            continue
        related = [
            _related(builder, named[one], named[other], _shifted(goal.board, cells, step))
            for one, other, step in spanning_tree(copy)
        ]
        copies.append(builder.all_of([np.array(related, np.int32)]))
    builder.add([np.array(copies, np.int32)])
    old = list(range(len(problem.cells), len(cells)))
    return witness, is_one_of(builder, witness[:, None], old, len(cells))


def spanning_tree(places: tuple[Place, ...]) -> list[Branch]:
    """The cells of a connected shape from the first one on, each reached from one before.

    >>> spanning_tree(((0, 0), (1, 0), (1, 1), (2, 0)))
    [(0, 1, (1, 0)), (1, 2, (0, 1)), (1, 3, (1, 0))]
    """
    branches: list[Branch] = []
    reached = [0]
    for one in reached:  # grows while it is gone through
        x, y = places[one]
        for other, (u, v) in enumerate(places):
            if abs(u - x) + abs(v - y) == 1 and other not in reached:
                branches.append((one, other, (u - x, v - y)))
                reached.append(other)
    return branches


def _related(
    builder: CircuitBuilder, one: Literals, other: Literals, shifted: list[int]
) -> Literals:
    """Whether one cell is some step away from the other, given which cells the two are."""
    return builder.all_of([builder.any_of(-one[:-1], other[shifted])])


def _shifted(board: Grid, cells: list[int], step: Place) -> list[int]:
    """For each code the code of the cell a step away; that of no cell where there is none."""
    code = {cell: number for number, cell in enumerate(cells)}
    found = []
    for cell in cells:
        x, y = board.places[cell]
        near = board.at(x + step[0], y + step[1])
        found.append(code.get(near, len(cells)) if near is not None else len(cells))
    return found


def _overlaps_itself(copy: tuple[Place, ...], board: Grid) -> bool:
    """Whether a copy, laid round a torus, would have a cell twice."""
    return len({(x % board.width, y % board.height) for x, y in copy}) < len(copy)
