"""Sets of cells as masks, permutations of cells, and the automorphisms of a graph."""

from collections.abc import Iterable, Iterator, Sequence

from skolemate.limits import breathe

# --- masks ----------------------------------------------------------------------------------------
# A set of cells is an integer: bit i is cell i.


def mask_of(cells: Iterable[int]) -> int:
    """
    >>> mask_of([0, 3])
    9
    """
    breathe()  # here, because nearly all slow work on a huge board calls this
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def cells_of(mask: int) -> Iterator[int]:
    """
    >>> list(cells_of(9))
    [0, 3]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def flood(neighbours: Sequence[int], start: int, within: int) -> int:
    """All cells of `within` that can be reached from `start` without leaving it.

    >>> flood([0b010, 0b101, 0b010], start=0b001, within=0b011)
    3
    """
    fresh = reached = start & within
    while fresh:
        breathe()
        near = 0
        for cell in cells_of(fresh):
            near |= neighbours[cell]
        fresh = near & within & ~reached
        reached |= fresh
    return reached


# --- permutations ---------------------------------------------------------------------------------
# A permutation is a tuple: cell i goes to `permutation[i]`.


Permutation = tuple[int, ...]
CellMap = tuple[int | None, ...]  # the same, with None for cells that go nowhere

GROUP_LIMIT = 5000  # beyond this many elements only generators are kept
STEP_LIMIT = 200_000  # steps of a search for automorphisms, which can be very long


def move_mask(where: CellMap, mask: int) -> int:
    """The image of a set of cells, as far as they have one.

    >>> move_mask((1, 2, 0), 0b101), move_mask((1, 2, None), 0b101)
    (3, 2)
    """
    breathe()
    moved = 0
    for cell in cells_of(mask):
        image = where[cell]
        if image is not None:
            moved |= 1 << image
    return moved


def inverse(permutation: Permutation) -> Permutation:
    """
    >>> inverse((1, 2, 0))
    (2, 0, 1)
    """
    return tuple(sorted(range(len(permutation)), key=permutation.__getitem__))


def composed(later: CellMap, first: CellMap) -> CellMap:
    """One map after another.

    >>> composed((None, 2, 1), (1, 0, None))
    (2, None, None)
    """
    return tuple(None if cell is None else later[cell] for cell in first)


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

    Level by level (Schreier and Sims): with the cells before `level` fixed, the search looks for
    one automorphism that takes `level` to each cell not yet known to be in its orbit. A search
    that takes too long gives the identity only, which is always a symmetry.

    >>> len(automorphisms([[1], [0, 2], [1]]))
    2
    """
    search = _AutomorphismSearch(neighbours)
    identity = tuple(range(len(neighbours)))
    try:
        return _closure(identity, search.generators())
    except _OutOfSteps:
        return (identity,)


class _OutOfSteps(Exception):
    pass


class _AutomorphismSearch:
    """Cells are taken in an order in which each touches an earlier one, if it touches any."""

    def __init__(self, neighbours: Sequence[Sequence[int]]) -> None:
        self.adjacent = [frozenset(row) for row in neighbours]
        self.colours = _refined(neighbours)
        self.order: list[int] = []
        self.parent: dict[int, int | None] = {}
        for root in range(len(neighbours)):
            queue = [] if root in self.parent else [root]
            self.parent.setdefault(root, None)
            for cell in queue:  # grows while it is walked
                self.order.append(cell)
                for near in neighbours[cell]:
                    if near not in self.parent:
                        self.parent[near] = cell
                        queue.append(near)
        self.steps = 0

    def generators(self) -> list[Permutation]:
        generators: list[Permutation] = []
        size = len(self.order)
        for level in reversed(range(size)):  # all found so far fix the cells before `level`
            fixed, cell = self.order[:level], self.order[level]
            orbit = {cell}
            for image in self.order[level + 1 :]:
                if image in orbit or self.colours[image] != self.colours[cell]:
                    continue
                images = {**dict(zip(fixed, fixed, strict=True)), cell: image}
                if self._fits(images, cell, image) and self._extend(images, level + 1):
                    generators.append(tuple(images[i] for i in range(size)))
                    orbit = set(next(o for o in orbits(size, generators) if cell in o))
        return generators

    def _extend(self, images: dict[int, int], level: int) -> bool:
        """Complete a partial automorphism in place, if that is possible."""
        if level == len(self.order):
            return True
        cell = self.order[level]
        parent = self.parent[cell]
        choices = self.order if parent is None else sorted(self.adjacent[images[parent]])
        used = set(images.values())
        for image in choices:
            breathe()
            self.steps += 1
            if self.steps > STEP_LIMIT:
                raise _OutOfSteps
            if image in used or self.colours[image] != self.colours[cell]:
                continue
            images[cell] = image
            if self._fits(images, cell, image) and self._extend(images, level + 1):
                return True
            del images[cell]
        return False

    def _fits(self, images: dict[int, int], cell: int, image: int) -> bool:
        """Whether the cell's edges to the cells mapped so far go to edges of the image."""
        return all(
            (images[other] in self.adjacent[image]) == (other in self.adjacent[cell])
            for other in images
            if other != cell
        )


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


def _closure(identity: Permutation, generators: list[Permutation]) -> tuple[Permutation, ...]:
    group = {identity}
    fresh = [identity]
    while fresh:
        products = {tuple(g[i] for i in element) for element in fresh for g in generators} - group
        if len(group) + len(products) > GROUP_LIMIT:
            return (identity, *generators)
        group |= products
        fresh = list(products)
    return tuple(sorted(group))
