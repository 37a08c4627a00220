"""What a strategy is made of: nodes, which say what the owner does, and replies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from skolemate.games.game import Move, Position

__all__ = ["NO_EDGES", "Link", "Links", "Node", "Pairs", "Point", "Reply", "Way"]

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
