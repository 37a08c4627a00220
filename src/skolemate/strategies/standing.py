"""The owner's move in positions that have no node of their own but are covered by another one.

Nodes with replies, pairs or links cover further positions. A play that follows the strategy from
its start goes from node to node; for any other position all nodes are tried.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from skolemate.games.game import Move, Position
from skolemate.games.symmetry import Permutation, cells_of, move_mask
from skolemate.strategies.claim import Claim, NotProved
from skolemate.strategies.nodes import Node, Pairs, repair, turned_links, virtual_connection

Turned = tuple[Node, Permutation]  # a node, and the symmetry under which it covers a position


class CoveringNodes:
    """The nodes of a strategy that cover further positions."""

    def __init__(
        self, claim: Claim, nodes: Sequence[Node], symmetries: Sequence[Permutation]
    ) -> None:
        self._claim, self._nodes, self._symmetries = claim, nodes, symmetries
        self._identity = tuple(range(claim.game.board.size))
        self._listed = [node for node in nodes if node.covers]
        # The covering node of each position met so far on the opponent's turn, by both's stones.
        self._met: dict[tuple[int, int], Turned] = {
            claim.sides(node.position): (node, self._identity)
            for node in self._listed
            if node.position.to_move is not claim.owner
        }

    def reply(self, position: Position) -> Move | None:
        """The owner's move, if a node covers the position after it."""
        if not self._listed:
            return None
        own, enemy = self._claim.sides(position)
        by_one = self._claim.by_one(self._claim.owner, own)
        for move in position.moves():
            if by_one >> move & 1:
                return move
        for (node, turn), covers in chain(self._following(own, enemy), self._all(position)):
            reply = self._fitting(position, own, enemy, node, turn, covers)
            if reply is not None:
                self._met[own | 1 << reply, enemy] = node, turn
                return reply
        return None

    def met(self, position: Position) -> Turned | None:
        """The node that covers a position on the opponent's turn, if it was met in this play."""
        if position.to_move is self._claim.owner:
            return None
        return self._met.get(self._claim.sides(position))

    def pairs(self, position: Position, node: Node, turn: Permutation) -> Pairs | None:
        """The pairs of a node that are still open in a position; None if it has no pairs."""
        if node.pairs is None:
            return None
        return self._open(_turned(node.pairs, turn), position.occupied)

    def carrier(self, position: Position, node: Node, turn: Permutation) -> int | None:
        """The carrier of a node's links in a position; None if it has no links."""
        path = self._claim.path
        if path is None or not node.links:
            return None
        links = turned_links(path, node.links, turn)
        joined = virtual_connection(path, *self._claim.sides(position), links)
        return None if joined is None else joined.carrier

    def _following(self, own: int, enemy: int) -> Iterator[tuple[Turned, bool]]:
        """The nodes that follow those which cover the position before the opponent's last move.

        Each with whether it may cover the position after one more move: a node whose own pairs or
        links go on may not.
        """
        for cell in cells_of(enemy & ~self._claim.sides(self._claim.game.start)[1]):
            before = self._met.get((own, enemy ^ 1 << cell))
            if before is not None:
                node, turn = before
                if node.pairs is not None or node.links:
                    yield before, False
                for _, number, via in node.replies:
                    if number is not None:
                        first = self._identity if via is None else self._symmetries[via]
                        yield (self._nodes[number], tuple(turn[c] for c in first)), True

    def _all(self, position: Position) -> Iterator[tuple[Turned, bool]]:
        left, monotone = self._left(position) - 1, self._claim.monotone
        for turn in (self._identity, *(self._claim.game.symmetries if self._symmetries else ())):
            for node in self._listed:
                enough = monotone and self._enough(node, left)
                yield (node, turn), enough and node.position.to_move is not self._claim.owner

    def in_time(self, position: Position, node: Node) -> bool:
        """Whether a node about this very position proves enough for the plies left.

        Where stones only help, a node may take longer: it is in the strategy to cover others.
        """
        return not self._claim.monotone or self._enough(node, self._left(position))

    def _enough(self, node: Node, left: int) -> bool:
        return node.left <= left if self._claim.wins else node.left >= left

    def _fitting(
        self,
        position: Position,
        own: int,
        enemy: int,
        node: Node,
        turn: Permutation,
        covers: bool,
    ) -> Move | None:
        """The move after which the node covers the position, or the next move of its plan."""
        stones, given = self._claim.sides(node.position)
        if turn is not self._identity:
            stones, given = move_mask(turn, stones), move_mask(turn, given)
        missing = stones & ~own
        if covers and not enemy & ~given and not missing & (missing - 1):
            return missing.bit_length() - 1 if missing else position.moves()[0]
        if missing:
            return None
        if node.pairs is None:
            return self._linking(position, own, enemy, node, turn)
        return self._within(position, own, enemy, _turned(node.pairs, turn))

    def _linking(
        self, position: Position, own: int, enemy: int, node: Node, turn: Permutation
    ) -> Move | None:
        """The move that makes the links full again, if enough plies are left for them."""
        path = self._claim.path
        if path is None or not node.links:
            return None
        repaired = repair(path, own, enemy, turned_links(path, node.links, turn))
        if repaired is None or (self._claim.wins and repaired.plies >= self._left(position)):
            return None
        return repaired.move

    def _within(self, position: Position, own: int, enemy: int, pairs: Pairs) -> Move | None:
        """The reply within pairs, if they still hold after it."""
        broken = [
            (a, b)
            for a, b in pairs
            if (enemy >> a | enemy >> b) & 1 and not (own >> a | own >> b) & 1
        ]
        moves, untouched = position.moves(), chain(*self._open(pairs, own | enemy))
        answers = [b if enemy >> a & 1 else a for a, b in broken]
        # If nothing needs an answer, any legal move will do, preferably within the pairs.
        move = next(filter(moves.__contains__, answers or untouched), moves[0])
        if answers not in ([], [move]):
            return None
        after, left = position.play(move), self._left(position) - 1
        if not after.moves() or left < 1:
            return move
        try:
            self._claim.bound_by_pairs(after, left, self._open(pairs, after.occupied))
        except NotProved:
            return None
        return move

    def _left(self, position: Position) -> int:
        start = self._claim.game.start
        return self._claim.depth - (position.occupied & ~start.occupied).bit_count()

    def _open(self, pairs: Pairs, occupied: int) -> Pairs:
        return tuple((a, b) for a, b in pairs if not (occupied >> a | occupied >> b) & 1)


def _turned(pairs: Pairs, turn: Permutation) -> Pairs:
    return tuple((turn[a], turn[b]) for a, b in pairs)
