"""The parts of a strategy: nodes, replies, and links, which are virtual connections."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise, starmap
from operator import and_, or_
from typing import NamedTuple

from skolemate.games.game import Move, Position
from skolemate.games.goals import Connection
from skolemate.games.symmetry import Permutation, cells_of, flood, mask_of, move_mask

NO_EDGES: Mapping[Move, int] = {}  # one value that all nodes share

Pairs = tuple[tuple[Move, Move], ...]  # of open cells; the owner gets one cell of each pair


Point = Move | None  # None is a border: the first at the left of a link, the second at its right


class Way(NamedTuple):
    """Cells from one point to another, and the gaps between them: one more than there are cells.

    A gap is the number of an earlier link, or None where the two points are neighbours.
    """

    cells: tuple[Move, ...]
    gaps: tuple[int | None, ...]


class Link(NamedTuple):
    """Two points, and alternative ways from one to the other, of which the owner gets one."""

    left: Point
    right: Point
    ways: tuple[Way, ...]


Links = tuple[Link, ...]  # each may use earlier ones; the last joins the borders


class Reply(NamedTuple):
    """A move of the owner that answers several moves of the opponent.

    The earlier node with number `node`, under the symmetry or map with number `via` if there is
    one, covers every position after the answer. Without a node the move meets the owner's goal.
    `omits` are moves of the opponent that it is not meant to answer.
    """

    move: Move
    node: int | None = None
    via: int | None = None
    omits: int = 0


class Node(NamedTuple):
    """A position, the plies left (infinite for a defence without end), and the owner's plan.

    The plan is one of: a `move`; `pairs` within which the owner answers from here on; `replies`
    to the opponent's moves; `links` that join the owner's borders; or nothing, where every move of
    the opponent leads to another node. `via` gives, for some moves, the number of the symmetry
    that takes the position after the move to its node.

    Extra stones of the owner never hurt pairs, replies and links. A node with one of these covers
    all positions in which the owner has at least its stones and the opponent at most its stones.
    `blank` are cells, among the opponent's stones here, that may be anybody's as long as the
    opponent is slower: see `races`.
    """

    position: Position
    left: float
    move: Move | None = None
    pairs: Pairs | None = None
    via: Mapping[Move, int] = NO_EDGES
    replies: tuple[Reply, ...] = ()
    links: Links = ()
    blank: int = 0

    @property
    def covers(self) -> int:
        """How many of pairs, replies and links it has: with one it covers further positions."""
        return (self.pairs is not None) + bool(self.replies) + bool(self.links)


# --- virtual connections --------------------------------------------------------------------------
# A link joins two points: borders, stones of the owner, or open cells that the owner will take. A
# *full* connection holds even if the opponent moves first; a *semi* connection needs one more move
# by its owner. The *carrier* is the set of open cells that a connection needs.
#
# A way is an AND of parts: its open cells (each a semi connection by itself) and the links in its
# gaps. Their carriers must be disjoint, so that one move of the opponent harms only one part. The
# way is full if all parts are, semi if all but one are, and lost otherwise. A link is an OR of its
# ways: it is full if one of them is, or if no cell is in the carriers of all its semi ways; then,
# wherever the opponent plays, one of them is left.
#
# By induction a full link is completed, the opponent moving first, within as many plies as its
# carrier has cells: an intrusion takes one cell and the answer another, and a move elsewhere is no
# better than an intrusion. Extra stones of the owner never hurt.


class VirtualConnection(NamedTuple):
    """A connection that its owner can complete: its carrier, and whether it is full or semi."""

    carrier: int
    full: bool


def virtual_connection(
    path: Connection, own: int, enemy: int, links: Links, *, every_way: bool = False
) -> VirtualConnection | None:
    """The connection between the borders that the last of these links gives; None if it is lost.

    With `every_way` the carrier of a link contains all its ways, and one lost way loses the link.
    Then the connection can be repaired until it is complete: whichever way is chosen later, it
    shares no cell with other links.

    >>> path = Connection.of([[2], [2], [0, 1]], start=0b011, end=0b100)
    >>> bridge = Link(None, 2, (Way((0,), (None, None)), Way((1,), (None, None))))
    >>> links = (bridge, Link(None, None, (Way((2,), (0, None)),)))
    >>> virtual_connection(path, 0b100, 0, links)
    VirtualConnection(carrier=3, full=True)
    >>> virtual_connection(path, 0b100, 0b001, links)
    VirtualConnection(carrier=2, full=False)
    """
    known = _Links(path, own, enemy, every_way)
    for link in links:
        known.add(link)
    return known.between(len(links) - 1, None, None)


class Repair(NamedTuple):
    """A move that makes a connection full, and the plies that it takes at most from then on."""

    plies: int
    move: Move


def repair(path: Connection, own: int, enemy: int, links: Links) -> Repair | None:
    """The move after which the links join the borders fully, and soonest.

    If they did before the opponent's move, the carrier has two cells less after the repair.
    """
    cells = {cell for link in links for way in link.ways for cell in way.cells}
    repairs = list[Repair]()
    for cell in cells_of(mask_of(cells) & ~(own | enemy)):
        joined = virtual_connection(path, own | 1 << cell, enemy, links)
        if joined is not None and joined.full:
            repairs.append(Repair(joined.carrier.bit_count(), cell))
    return min(repairs, default=None)


def turned_links(path: Connection, links: Links, turn: Permutation) -> Links:
    """The image of links under a symmetry; they are reversed if it exchanges the borders.

    >>> path = Connection.of([[1], [0]], start=0b01, end=0b10)
    >>> turned_links(path, (Link(None, 1, (Way((0,), (None, 7)),)),), (1, 0))
    (Link(left=0, right=None, ways=(Way(cells=(1,), gaps=(7, None)),)),)
    """
    step = 1 if move_mask(turn, path.start) == path.start else -1

    def way(cells: tuple[Move, ...], gaps: tuple[int | None, ...]) -> Way:
        return Way(tuple(turn[cell] for cell in cells[::step]), gaps[::step])

    def link(one: Link) -> Link:
        left, right = (None if cell is None else turn[cell] for cell in one[:2][::step])
        return Link(left, right, tuple(starmap(way, one.ways)))

    return tuple(map(link, links))


class _Links:
    def __init__(self, path: Connection, own: int, enemy: int, every_way: bool) -> None:
        self._path, self._own, self._enemy, self._every_way = path, own, enemy, every_way
        self._known: list[tuple[Link, VirtualConnection | None]] = []
        # By point: the point with the stones joined to it, and the cells beside these.
        self._reached: dict[Point, tuple[int, int]] = {}

    def add(self, link: Link) -> None:
        ways = [_and(self._parts(way, link)) for way in link.ways]
        joined = _or([way for way in ways if way is not None])
        if joined is not None and self._every_way:
            carrier = reduce(or_, (way.carrier for way in ways if way is not None))
            joined = None if None in ways else joined._replace(carrier=carrier)
        self._known.append((link, joined))

    def between(self, number: int, left: Point, right: Point) -> VirtualConnection | None:
        """The connection that a link gives; None if it is lost, or not between these points."""
        if not 0 <= number < len(self._known):
            return None
        link, joined = self._known[number]
        return joined if (link.left, link.right) == (left, right) else None

    def _parts(self, way: Way, link: Link) -> Iterator[VirtualConnection | None]:
        """The AND-parts of a way: open cells, links in its gaps, and None for each that is lost."""
        for cell in way.cells:
            if not self._own >> cell & 1:
                yield None if self._enemy >> cell & 1 else VirtualConnection(1 << cell, False)
        points = link.left, *way.cells, link.right
        for gap, (left, right) in zip(way.gaps, pairwise(points), strict=True):
            if gap is not None:
                yield self.between(gap, left, right)
            elif not self._beside(left, right):
                yield None

    def _beside(self, left: Point, right: Point) -> bool:
        """Whether two points are neighbours, directly or through the owner's stones."""
        path = self._path
        if left not in self._reached:
            if left is None:
                joined = flood(path.neighbours, path.start, self._own)
                near = path.start | path.around(joined)
            else:
                joined = flood(path.neighbours, 1 << left, self._own | 1 << left)
                near = path.around(joined)
            self._reached[left] = joined, near
        joined, near = self._reached[left]
        return bool(joined & path.end if right is None else near >> right & 1)


def _and(parts: Iterable[VirtualConnection | None]) -> VirtualConnection | None:
    """Combine AND-parts: all must hold, and their carriers must be disjoint."""
    carrier, full = 0, True
    for part in parts:
        if part is None or part.carrier & carrier or not (full or part.full):
            return None
        carrier, full = carrier | part.carrier, full and part.full
    return VirtualConnection(carrier, full)


def _or(ways: Sequence[VirtualConnection]) -> VirtualConnection | None:
    """Combine alternatives, with the smallest carrier: one of them must hold."""
    full, semi = ([way.carrier for way in ways if way.full is kind] for kind in (True, False))
    if semi and not reduce(and_, semi):
        full.append(reduce(or_, semi))
    return VirtualConnection(min(full or semi, key=int.bit_count), bool(full)) if ways else None
