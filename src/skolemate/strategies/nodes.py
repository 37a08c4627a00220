"""What a strategy is made of: nodes, which say what the owner does, and replies."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise, starmap
from operator import and_, or_
from typing import NamedTuple

from skolemate.games.game import Move, Position
from skolemate.games.goals import Connection
from skolemate.games.symmetry import Permutation, cells_of, flood, mask_of, move_mask

NO_EDGES: Mapping[Move, int] = {}  # a value that all nodes can share

Pairs = tuple[tuple[Move, Move], ...]  # of open cells; of each the owner gets one


Point = Move | None  # None is a border: at the left of a link the first, at its right the second


class Way(NamedTuple):
    """Cells from one point to another, and what joins each point to the next: an earlier link, by
    its number, or nothing, where they are neighbours. So there is a gap more than there are cells.
    """

    cells: tuple[Move, ...]
    gaps: tuple[int | None, ...]


class Link(NamedTuple):
    """Two points, and the ways from one to the other, of which the owner gets one."""

    left: Point
    right: Point
    ways: tuple[Way, ...]


Links = tuple[Link, ...]  # each rests on earlier ones; the last joins the borders


class Reply(NamedTuple):
    """A stone of the owner's that answers several moves, and the number of the earlier node that,
    turned by a symmetry if one is named, stands for every position which then comes. Without a node
    the stone meets the owner's goal.
    """

    move: Move
    node: int | None = None
    via: int | None = None


class Node(NamedTuple):
    """A position, the plies left, and what the owner does: a reply, or pairs from here on.

    Infinitely many plies are left where the owner holds out for ever.

    With neither it is the opponent's turn. `via` gives, for some moves, the number of the
    symmetry that takes the position after the move to the node that stands for it. Or `replies`
    say how the owner answers; or `links` join his borders. A node with replies, pairs or links
    stands for all positions that are no better for the opponent, in which the owner has at least
    its stones, and the opponent has no others.
    """

    position: Position
    left: float
    move: Move | None = None
    pairs: Pairs | None = None
    via: Mapping[Move, int] = NO_EDGES
    replies: tuple[Reply, ...] = ()
    links: Links = ()

    @property
    def stands(self) -> int:
        """By how many of replies, links and pairs it stands for others."""
        return (self.pairs is not None) + bool(self.replies) + bool(self.links)


# --- links ----------------------------------------------------------------------------------------
# Links: how a player gets from border to border whatever the opponent does. And whether he does.
#
# A link joins two points: borders, stones of the owner's, or open cells that he is to take. It is a
# choice of ways. On a way something may be left to do first: an open cell to be taken, or a link
# that the opponent has intruded into. If there is nothing, the way is whole; if it is one thing,
# the way is half, and one move makes it whole; if it is more, the way is lost. Its parts share no
# cell, so one move of the opponent's harms only one of them. A link is whole if one of its ways is,
# or if no cell is common to all its half ways: wherever the opponent intrudes, one of them is left.
#
# By induction a whole link is made good, the opponent moving first, within as many plies as its
# carrier has cells: his intrusion takes one, the answer another, and if he plays elsewhere he may
# be taken to have intruded. More stones of the owner's never harm.


class Hold(NamedTuple):
    """The open cells that a link needs, and whether it is whole, or else half."""

    carrier: int
    whole: bool


def hold(
    path: Connection, own: int, enemy: int, links: Links, *, every_way: bool = False
) -> Hold | None:
    """How the last of these links stands, which is to join the borders; None if it is lost.

    With `every_way` a link needs the cells of all its ways, and is lost if one of them is. What
    holds so can be repaired to the end: whichever way is chosen later, it shares no cell with other
    links.

    >>> path = Connection.of([[2], [2], [0, 1]], start=0b011, end=0b100)
    >>> bridge = Link(None, 2, (Way((0,), (None, None)), Way((1,), (None, None))))
    >>> links = (bridge, Link(None, None, (Way((2,), (0, None)),)))
    >>> hold(path, 0b100, 0, links), hold(path, 0b100, 0b001, links)
    (Hold(carrier=3, whole=True), Hold(carrier=2, whole=False))
    """
    known = _Links(path, own, enemy, every_way)
    for link in links:
        known.add(link)
    return known.between(len(links) - 1, None, None)


class Repair(NamedTuple):
    """A move after which links are whole, and the plies that they take then, at most."""

    plies: int
    move: Move


def repair(path: Connection, own: int, enemy: int, links: Links) -> Repair | None:
    """The quickest move after which links are whole.

    What was whole before the opponent's move, with a ply for each cell, so has two cells less.
    """
    cells = {cell for link in links for way in link.ways for cell in way.cells}
    found = list[Repair]()
    for cell in cells_of(mask_of(cells) & ~(own | enemy)):
        then = hold(path, own | 1 << cell, enemy, links)
        if then is not None and then.whole:
            found.append(Repair(then.carrier.bit_count(), cell))
    return min(found, default=None)


def turned_links(path: Connection, links: Links, turn: Permutation) -> Links:
    """The links that a symmetry makes of others, from right to left where it exchanges the borders.

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
        self._known: list[tuple[Link, Hold | None]] = []
        # By point: what is joined to it, itself and stones, and which cells are beside that.
        self._reached: dict[Point, tuple[int, int]] = {}

    def add(self, link: Link) -> None:
        ways = [_together(self._parts(way, link)) for way in link.ways]
        found = _choice([way for way in ways if way is not None])
        if found is not None and self._every_way:
            carrier = reduce(or_, (way.carrier for way in ways if way is not None))
            found = None if None in ways else found._replace(carrier=carrier)
        self._known.append((link, found))

    def between(self, number: int, left: Point, right: Point) -> Hold | None:
        """How a link stands, if it is one of these points."""
        if not 0 <= number < len(self._known):
            return None
        link, found = self._known[number]
        return found if (link.left, link.right) == (left, right) else None

    def _parts(self, way: Way, link: Link) -> Iterator[Hold | None]:
        """How everything stands that a way needs, if that is anything at all."""
        for cell in way.cells:
            if not self._own >> cell & 1:
                yield None if self._enemy >> cell & 1 else Hold(1 << cell, False)
        points = link.left, *way.cells, link.right
        for gap, (left, right) in zip(way.gaps, pairwise(points), strict=True):
            if gap is not None:
                yield self.between(gap, left, right)
            elif not self._beside(left, right):
                yield None

    def _beside(self, left: Point, right: Point) -> bool:
        """Whether two points are neighbours, perhaps through the owner's stones."""
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


def _together(parts: Iterable[Hold | None]) -> Hold | None:
    """What comes of parts that are all needed."""
    carrier, whole = 0, True
    for part in parts:
        if part is None or part.carrier & carrier or not (whole or part.whole):
            return None
        carrier, whole = carrier | part.carrier, whole and part.whole
    return Hold(carrier, whole)


def _choice(ways: Sequence[Hold]) -> Hold | None:
    """What comes of ways of which one is needed: with as few cells as possible."""
    whole, half = ([way.carrier for way in ways if way.whole is kind] for kind in (True, False))
    if half and not reduce(and_, half):
        whole.append(reduce(or_, half))
    return Hold(min(whole or half, key=int.bit_count), bool(whole)) if ways else None
