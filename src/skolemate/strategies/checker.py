"""The independent checker: does a strategy prove what it claims? Only the rules are asked.

Node after node, children first. A node is proved
- where the owner replies: if the move is legal and the position after it is proved for one ply
  less, by an earlier node or by the rules;
- on the opponent's turn: if that is so after every legal move, or one of some replies fits: see
  `_replies`;
- where it has pairs: see `_pairing`; where it has links: see `linking`.
The strategy holds if the start is proved for the claimed depth. Whatever made the file, a claim
that passes is true: nothing is taken from the file but what to try.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from skolemate.errors import IllegalMove
from skolemate.games.bits import cells_of, mask_of
from skolemate.games.game import Move, Position
from skolemate.games.symmetry import Permutation
from skolemate.strategies.claim import Claim, NotProved, packed, turned
from skolemate.strategies.nodes import Node, Pairs
from skolemate.strategies.report import Report

__all__ = ["check"]


def check(claim: Claim, lines: Iterable[Node | Permutation]) -> Report:
    """Whether the lines prove the claim."""
    checker, count, position = _Checker(claim), 0, claim.game.start
    try:
        for line in lines:
            if isinstance(line, Node):
                count, position = count + 1, line.position
                checker.node(line)
            else:
                checker.symmetry(line)
        position = claim.game.start
        bound = checker.bound(position, claim.depth)
    except NotProved as failure:
        return Report(
            False, count, False, failure.args[0], position, *failure.args[1:], claim=claim
        )
    return Report(True, count, not claim.wins and bound == inf, claim=claim)


class _Checker:
    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        # For a win: a number of plies within which it comes. Else: one within which none comes.
        self.proved: dict[int, float] = {}
        self.stands: list[tuple[Position, float] | None] = []  # the nodes: see `_replies`
        self.symmetries: list[Permutation] = []

    def symmetry(self, permutation: Permutation) -> None:
        if permutation not in self.claim.game.symmetries:
            raise NotProved(f"symmetry {len(self.symmetries)} does not keep the rules")
        self.symmetries.append(permutation)

    def node(self, node: Node) -> None:
        position, owner, moves = node.position, self.claim.owner, node.position.moves()
        if position.game is not self.claim.game and position.game != self.claim.game:
            raise NotProved("this is a position of another game")
        if node.left < 1 or not moves:
            raise NotProved("the game is over here, or no ply is left: this needs no proof")
        if (node.move is not None) + node.stands > 1:
            raise NotProved("a node has a move, or pairs, replies or links, and no two of them")
        if node.pairs is not None:
            bound = self._pairing(node, node.pairs)
        elif (position.to_move is owner) is (node.move is None):
            raise NotProved(f"a reply belongs where {owner} is to move, and only there")
        elif node.replies:
            bound = self._replies(node, mask_of(moves))
        elif node.links:
            bound = self.claim.bound_by_links(position, node.left, node.links)
        else:
            tried = moves if node.move is None else (node.move,)
            found = min([self._after(node, move) for move in tried])
            bound = node.left if self.claim.wins or found < inf else inf
        self.stands.append((position, bound) if node.stands else None)
        key, best = packed(position), min if self.claim.wins else max
        self.proved[key] = best(bound, self.proved.get(key, bound))

    def _after(self, node: Node, move: Move) -> float:
        """What is proved about the position after a move; fails if that is not enough."""
        try:
            after = node.position.game.result(node.position, move)
            if move in node.via:
                after = turned(after, self.symmetries[node.via[move]])
            return self.bound(after, node.left - 1)
        except (IllegalMove, IndexError, NotProved) as error:
            wrong = isinstance(error, IndexError)
            raise NotProved(
                "via names no symmetry above" if wrong else error.args[0], move
            ) from None

    def _replies(self, node: Node, unanswered: int) -> float:
        """More stones of the owner's and fewer of the opponent's never harm a claim that is
        `monotone`. So a reply answers at once all moves to cells that the node to which it leads
        gives the opponent anyway. Together they must answer every move, and no move may win.
        """
        claim, left, bound = self.claim, node.left - 2, inf
        own, enemy = claim.sides(node.position)
        if not claim.monotone:
            raise NotProved("replies that answer several moves prove nothing in this game")
        for cell in cells_of(unanswered & claim.by_one(claim.owner.opponent, enemy)):
            raise NotProved(f"{claim.owner.opponent} wins by this move", cell)
        for move, number, via in node.replies:
            if number is None:  # the reply meets the goal, whatever the opponent has
                fits, stones, given, proved = claim.by_one(claim.owner, own) >> move & 1, 0, ~0, inf
            else:
                fits, stones, given, proved = self._standing(number, via, move)
            enough = number is None or (proved <= left if claim.wins else proved >= left)
            taken = (own | enemy) >> move & 1 or stones & ~(own | 1 << move) or enemy & ~given
            if not fits or not enough or taken or left < 0:
                raise NotProved("nothing above proves what this reply is said to lead to", move)
            unanswered, bound = unanswered & (~given | 1 << move), min(bound, proved)
        for cell in cells_of(unanswered):
            raise NotProved("no reply answers this move", cell)
        return node.left if claim.wins or bound < inf else inf

    def _standing(self, number: int, via: int | None, move: Move) -> tuple[bool, int, int, float]:
        """Whether a node stands for others; its owner's and its opponent's stones; its bound."""
        found = self.stands[number] if number < len(self.stands) else None
        if found is None or (via is not None and via >= len(self.symmetries)):
            raise NotProved(f"no node {number} above, or no such symmetry, stands for others", move)
        position = found[0] if via is None else turned(found[0], self.symmetries[via])
        return position.to_move is not self.claim.owner, *self.claim.sides(position), found[1]

    def bound(self, position: Position, left: int) -> float:
        """The bound proved for a position, if that is enough for the plies left."""
        proved = self.proved.get(packed(position))
        if proved is None:
            plies = self.claim.plies_by_rules(position)
            proved = plies if self.claim.wins else 0 if plies is None else plies - 1
        if proved is not None and (proved <= left if self.claim.wins else proved >= left):
            return proved
        what = f"{'a win' if self.claim.wins else 'that there is no win'} here (plies left: {left})"
        raise NotProved(f"no line above, and no rule, proves {what}")

    def _pairing(self, node: Node, pairs: Pairs) -> float:
        """Whoever answers within pairs gets one cell of each; then the rules about goals tell."""
        names, used = self.claim.game.board.names, node.position.occupied
        for a, b in pairs:
            if a == b or (used >> a | used >> b) & 1:
                raise NotProved(f"{names[a]} {names[b]} is no pair of its own of open cells")
            used |= 1 << a | 1 << b
        return self.claim.bound_by_pairs(node.position, node.left, pairs)
