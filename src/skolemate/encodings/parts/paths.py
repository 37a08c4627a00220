"""Black paths by codes (Shaik et al. 2023, §4.3 and 4.4): borders, steps, and halves of paths."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from skolemate.encodings.parts.coded_moves import is_one_of
from skolemate.encodings.parts.codes import bit_labels, bits_needed, matching
from skolemate.encodings.parts.connection_problem import Graph
from skolemate.formula import FALSE, CircuitBuilder, Literals

__all__ = ["halved_path", "joins_borders", "steps_along_edges", "witness_path"]


def witness_path(builder: CircuitBuilder, stones: int, cells: int) -> Literals:
    """Quantify a path of as many cells as Black has stones; one row a cell.

    Shorter paths stand still on their last cell.
    """
    labels = [f"step{number}" for number in range(stones)]
    return builder.exists("witness", labels, bit_labels(cells))


def joins_borders(
    builder: CircuitBuilder, graph: Graph, source: Literals, target: Literals
) -> None:
    """Definition 9: the path begins on the first border and ends on the second."""
    builder.add(is_one_of(builder, source, graph.start, graph.cells))
    builder.add(is_one_of(builder, target, graph.end, graph.cells))


def steps_along_edges(
    builder: CircuitBuilder,
    graph: Graph,
    before: Literals,
    after: Literals,
    may_stay: Iterable[int],
) -> None:
    """From each cell of `before` the one of `after` is reached by an edge, or by standing still."""
    cells = graph.cells
    table = np.concatenate([graph.neighbour_table(), np.full((cells, 1), cells)], axis=1)
    stay = np.fromiter(may_stay, np.int64)
    table[stay, -1] = stay
    for one, other in zip(np.atleast_2d(before), np.atleast_2d(after), strict=True):
        here = builder.all_of([matching(one, cells)])
        there = np.append(builder.all_of([matching(other, cells)]), FALSE)
        builder.add(-here, [there[table]])


def halved_path(
    builder: CircuitBuilder, stones: int, cells: int
) -> tuple[Literals, Literals, Literals, Literals]:
    """Iterative squaring: a path is halved until a step is left; ∀ chooses the half each time.

    Per level ∃ middle ∀ half ∃ (from, to), which is the first or the second half of the pair
    before. Returns source and target, and the innermost pair: equal or neighbours, if this is to be
    a path. With ⌈lg ℓ⌉ levels there is room for ℓ steps.
    """
    bits = bit_labels(cells)
    source, target = builder.exists("end", ["source", "target"], bits)
    pair = np.stack([source, target])
    for number in range(bits_needed(stones - 1)):
        level = [f"level{number}"]
        middle = builder.exists("middle", level, bits)[0]
        second = builder.forall("half", level)[0]
        half = builder.exists("pair", level, ["from", "to"], bits)[0]
        for other, whole in ((second, [pair[0], middle]), (-second, [middle, pair[1]])):
            builder.add(other, -half, np.stack(whole))
            builder.add(other, half, -np.stack(whole))
        pair = half
    return source, target, pair[0], pair[1]
