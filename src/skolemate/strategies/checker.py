"""The independent checker: does a strategy prove what it claims? Only the rules are asked.

Node after node, children first. A node is proved
- where the owner replies: if the move is legal and the position after it is proved for one ply
  less, by an earlier node or by the rules;
- on the opponent's turn: if that is so after every legal move, or after another one which a move
  is said to be like: see `_alike`;
- where it has pairs: see `_pairing`.
The strategy holds if the start is proved for the claimed depth. Whatever made the file, a claim
that passes is true: nothing is taken from the file but what to try.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import pairwise
from math import inf
from operator import or_

from skolemate.errors import IllegalMove, MissingView
from skolemate.games.bits import cells_of
from skolemate.games.game import Move, Player, Position
from skolemate.games.symmetry import Permutation
from skolemate.strategies.claim import Claim, packed, turned
from skolemate.strategies.lines import Node
from skolemate.strategies.report import Report

__all__ = ["check"]


class _Fails(Exception): ...  # the reason, and perhaps the move that it is about


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
    except _Fails as failure:
        return Report(False, count, False, failure.args[0], position, *failure.args[1:])
    return Report(True, count, not claim.wins and bound == inf)


class _Checker:
    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        # For a win: a number of plies within which it comes. Else: one within which none comes.
        self.proved: dict[int, float] = {}
        self.needed: dict[int, int] = {}  # for a win: the open cells that it needs, as a mask
        self.symmetries: list[Permutation] = []

    def symmetry(self, permutation: Permutation) -> None:
        if permutation not in self.claim.game.symmetries:
            raise _Fails(f"symmetry {len(self.symmetries)} does not keep the rules")
        self.symmetries.append(permutation)

    def node(self, node: Node) -> None:
        position, owner, moves = node.position, self.claim.owner, node.position.moves()
        if position.game is not self.claim.game and position.game != self.claim.game:
            raise _Fails("this is a position of another game")
        if node.left < 1 or not moves:
            raise _Fails("the game is over here, or no ply is left: this needs no proof")
        needed = 0 if node.move is None or not self.claim.places_stones else 1 << node.move
        if node.pairs is not None:
            bound = self._pairing(node, node.pairs)
        elif (position.to_move is owner) is (node.move is None):
            raise _Fails(f"a reply belongs where {owner} is to move, and only there")
        else:
            tried = moves if node.move is None else (node.move,)
            found = [self._after(node, move) for move in tried]
            bound = node.left if self.claim.wins or min(found)[0] < inf else inf
            needed = reduce(or_, (cells for _, cells in found), needed)
        key = packed(position)
        known = self.proved.get(key, bound)
        if key not in self.proved or (bound < known if self.claim.wins else bound > known):
            self.proved[key], self.needed[key] = bound, needed

    def _after(self, node: Node, move: Move) -> tuple[float, int]:
        """What is proved about the position after a move; fails if that is not enough."""
        try:
            if move in node.like:
                return self._alike(node, move, node.like[move])
            after = node.position.game.result(node.position, move)
            if move in node.via:
                after = turned(after, self.symmetries[node.via[move]])
                return self.bound(after, node.left - 1), -1  # needed: perhaps all cells
            return self.bound(after, node.left - 1), self.needed.get(packed(after), 0)
        except (IllegalMove, IndexError, _Fails) as error:
            wrong = isinstance(error, IndexError)
            raise _Fails("via names no symmetry above" if wrong else error.args[0], move) from None

    def _alike(self, node: Node, move: Move, other: Move) -> tuple[float, int]:
        """A win after one stone of the opponent's comes after another, too, that takes no cell
        which the win needs and does not serve his own goal: the owner thinks of the one instead.
        """
        after, left = node.position.game.result(node.position, move), node.left - 1
        if other not in node.like and self.claim.wins and self.claim.idle(after, move, left):
            bound, cells = self._after(node, other)
            if not cells >> move & 1:
                return bound, cells
        raise _Fails("this move is not as good as a pass: it needs a proof of its own")

    def bound(self, position: Position, left: int) -> float:
        """The bound proved for a position, if that is enough for the plies left."""
        proved = self.proved.get(packed(position))
        if proved is None:
            plies = self.claim.plies_by_rules(position)
            proved = plies if self.claim.wins else 0 if plies is None else plies - 1
        if proved is not None and (proved <= left if self.claim.wins else proved >= left):
            return proved
        what = f"{'a win' if self.claim.wins else 'that there is no win'} here (plies left: {left})"
        raise _Fails(f"no line above, and no rule, proves {what}")

    def _pairing(self, node: Node, pairs: Iterable[tuple[int, int]]) -> float:
        """Whoever answers within pairs of open cells, his opponent never owns both cells of one.
        There is no win if each of the asker's winning sets contains a pair, or a stone of the
        opponent, or (then only for the plies left) more open cells than he has stones to place.
        """
        names, asker, rules = self.claim.game.board.names, self.claim.player, self.claim.hypergraph
        if isinstance(rules, MissingView):
            raise _Fails(f"pairs prove nothing here: {rules}")
        sets = rules.black_sets if asker is Player.BLACK else rules.white_sets
        own, enemy = node.position.stones(asker), node.position.stones(asker.opponent)
        ply = (own | enemy).bit_count() - (rules.black | rules.white).bit_count()
        ahead = rules.schedule[max(ply, 0) :]
        if self.claim.wins or sets is None or (asker, asker) in pairwise(ahead):
            raise _Fails(f"pairs prove nothing here: {asker} needs a goal, and one stone a turn")
        masks, used = [], own | enemy
        for a, b in pairs:
            masks.append(1 << a | 1 << b)
            if a == b or masks[-1] & used:
                raise _Fails(f"{names[a]} {names[b]} is no pair of its own of open cells")
            used |= masks[-1]
        stones, bound = ahead[: node.left].count(asker), inf
        for winning in sets:
            if not (winning & enemy or any(winning & pair == pair for pair in masks)):
                bound = node.left
                if (winning & ~own).bit_count() <= stones:
                    listed = " ".join(names[cell] for cell in cells_of(winning))
                    raise _Fails(f"{asker}'s set {listed} is open and contains no pair")
        return bound
