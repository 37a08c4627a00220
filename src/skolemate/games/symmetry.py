"""Permutations of cells: orbits, groups, and the automorphisms of a graph.

A permutation is a tuple: cell i goes to `permutation[i]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from skolemate.games.bits import cells_of

__all__ = ["Permutation", "automorphisms", "move_mask", "orbits"]

Permutation = tuple[int, ...]

GROUP_LIMIT = 5000  # beyond this many elements only generators are kept


def move_mask(permutation: Permutation, mask: int) -> int:
    """Where a set of cells goes.

    >>> move_mask((1, 2, 0), 0b101)
    3
    """
    moved = 0
    for cell in cells_of(mask):
        moved |= 1 << permutation[cell]
    return moved


def orbits(size: int, permutations: Iterable[Permutation]) -> list[list[int]]:
    """The classes of cells that the permutations move into each other, in order.

    >>> orbits(4, [(1, 0, 2, 3)])
    [[0, 1], [2], [3]]
    """
    parent = list(range(size))

    def root(cell: int) -> int:
        while parent[cell] != cell:
            parent[cell] = parent[parent[cell]]
            cell = parent[cell]
        return cell

    for permutation in permutations:
        for cell, image in enumerate(permutation):
            low, high = sorted((root(cell), root(image)))
            parent[high] = low
    classes: dict[int, list[int]] = {}
    for cell in range(size):
        classes.setdefault(root(cell), []).append(cell)
    return list(classes.values())


def automorphisms(neighbours: Sequence[Sequence[int]]) -> tuple[Permutation, ...]:
    """The symmetries of a graph: all of them, or generators when there are very many.

    Level by level (Schreier and Sims): with the cells before `level` fixed, one automorphism is
    looked for that takes `level` to each cell not yet known to be in its orbit.

    >>> len(automorphisms([[1], [0, 2], [1]]))
    2
    """
    size = len(neighbours)
    colours = _refined(neighbours)
    adjacent = [frozenset(row) for row in neighbours]
    generators: list[Permutation] = []
    for level in reversed(range(size)):  # all generators so far fix the cells before `level`
        orbit = {level}
        for image in range(level + 1, size):
            if image not in orbit and colours[image] == colours[level]:
                found = next(_extensions([*range(level), image], adjacent, colours), None)
                if found is not None:
                    generators.append(found)
                    orbit = set(next(o for o in orbits(size, generators) if level in o))
    return _closure(size, generators)


def _refined(neighbours: Sequence[Sequence[int]]) -> list[int]:
    """Colours that every automorphism keeps: degrees, degrees of neighbours, and so on."""
    colours = [0] * len(neighbours)
    while True:
        kinds = [
            (colours[cell], tuple(sorted(colours[n] for n in row)))
            for cell, row in enumerate(neighbours)
        ]
        numbers = {kind: number for number, kind in enumerate(sorted(set(kinds)))}
        refined = [numbers[kind] for kind in kinds]
        if len(numbers) == len(set(colours)):
            return refined
        colours = refined


def _extensions(
    images: list[int], adjacent: list[frozenset[int]], colours: list[int]
) -> Iterator[Permutation]:
    """All automorphisms that begin with these images."""
    cell = len(images)
    if cell == len(adjacent):
        yield tuple(images)
        return
    for image in range(len(adjacent)):
        if (
            image not in images
            and colours[image] == colours[cell]
            and all((images[n] in adjacent[image]) == (n in adjacent[cell]) for n in range(cell))
        ):
            yield from _extensions([*images, image], adjacent, colours)


def _closure(size: int, generators: list[Permutation]) -> tuple[Permutation, ...]:
    identity = tuple(range(size))
    group = {identity}
    fresh = [identity]
    while fresh:
        found = {tuple(g[i] for i in element) for element in fresh for g in generators} - group
        if len(group) + len(found) > GROUP_LIMIT:
            return (identity, *generators)
        group |= found
        fresh = list(found)
    return tuple(sorted(group))
