"""The independent checker: does a strategy prove its claim? It uses nothing but the rules.

Nodes are checked one after the other, children first. There are two kinds.

A node with a move, or with nothing, is about one position of the game, whose legal moves the game
gives. It is proved
- on the owner's turn: if the move is legal and the position after it is proved for one ply less,
  by an earlier node or by the rules;
- on the opponent's turn: if that is so after every legal move.
If it has no limit of plies, the position after it may also be proved by a later such node: a
defence can go in circles for ever. None of these positions is lost, and the opponent never gets
out of them.

A node with replies, pairs or links covers all positions that are no better for the opponent. Its
own board need not arise in any game, so the game is not asked about it: cells without a stone are
open, the players place one stone each in turn, and the goals decide who has won. See `_covering`,
`_replies`, `_pairing`, `nodes.virtual_connection` for links, and `races` for the opponent's sets.

The strategy holds if the start is proved for the claimed depth. A claim that passes is true,
whatever program wrote the file.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple

from skolemate.errors import IllegalMove
from skolemate.games import CellMap, Move, Permutation, Player, Position, cells_of, move_mask
from skolemate.output import amount
from skolemate.strategies.cards import Unfolding
from skolemate.strategies.claim import Claim, NotProved, packed, turned
from skolemate.strategies.nodes import Node, Pairs
from skolemate.strategies.races import Answer, Dangers

# --- the report -----------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Report:
    """Whether a strategy proves its claim; if not, why and where. `nodes` counts those checked."""

    holds: bool
    nodes: int
    every_depth: bool = False  # no win at any depth
    reason: str | None = None
    position: Position | None = None
    move: Move | None = None
    claim: Claim = field(kw_only=True, compare=False)

    def as_json(self) -> dict[str, Any]:
        """Plain data; keys are never missing, absent values are None."""
        position, move = self.position, self.move
        turn = position.to_move if position is not None else None
        return self.claim.as_json() | {
            "holds": self.holds,
            "nodes": self.nodes,
            "every_depth": self.every_depth,
            "reason": self.reason,
            "black": None if position is None else self._stones(Player.BLACK),
            "white": None if position is None else self._stones(Player.WHITE),
            "to_move": turn.value if turn is not None else None,
            "move": position.game.move_name(move) if position and move is not None else None,
        }

    def _stones(self, player: Player) -> list[str]:
        assert self.position is not None, "the caller looked"
        names = self.position.game.board.names
        return [names[cell] for cell in cells_of(self.position.stones(player))]

    def __str__(self) -> str:
        """What the strategy proves; or where it fails, and why."""
        if self.holds:
            return (
                f"{self.claim.sentence(self.every_depth)}.\n"
                f"The strategy holds; it has {amount(self.nodes, 'node')}.\n"
                f"{self.claim.provenance}"
            )
        return f"The strategy does not hold: {self.failure}.\n{self.claim.provenance}"

    def __repr__(self) -> str:
        proof = f"proved by {amount(self.nodes, 'node')}" if self.holds else "not proved"
        return f"<Report: {self.claim.sentence(self.every_depth)}; {proof}>"

    @property
    def failure(self) -> str:
        """Where the strategy fails, if that is one place, and why."""
        if self.position is None:
            return str(self.reason)
        stones = (f"{player} {' '.join(self._stones(player)) or '-'}" for player in Player)
        name = self.position.game.move_name
        after = "" if self.move is None else f", after {name(self.move)}"
        return f"{', '.join(stones)}, {self.position.to_move} to move{after}: {self.reason}"


# --- the checker ----------------------------------------------------------------------------------


def check(claim: Claim, lines: Iterable[Node | CellMap]) -> Report:
    """Whether the lines prove the claim; images of nodes under maps are checked like lines."""
    checker, unfolding, count, position = Checker(claim), Unfolding(claim), 0, claim.game.start
    try:
        for line in lines:
            if isinstance(line, Node):
                count, position = count + 1, line.position
            for plain in unfolding.plain(line):
                if isinstance(plain, Node):
                    position = plain.position
                    checker.node(plain)
                else:
                    checker.symmetry(plain)
        if checker.promised:
            position = next(iter(checker.promised.values()))
            raise NotProved("no line proves that there is never a win here")
        position = claim.game.start
        bound = checker.bound(position, claim.depth)
    except NotProved as failure:
        return Report(
            False, count, False, failure.args[0], position, *failure.args[1:], claim=claim
        )
    endless = bound >= claim.longest and claim.game.last_stated is None
    return Report(True, count, not claim.wins and endless, claim=claim)


class Covering(NamedTuple):
    """A node that covers others: its position and blank cells, its bound, and its dangers."""

    position: Position
    blank: int
    bound: float
    dangers: Dangers = ()


class Checker:
    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        # By packed position: the plies within which the win comes; or, for a claim of no win, the
        # plies within which none comes, infinite where there is never one.
        self.proved: dict[int, float] = {}
        self.covering: list[Covering | None] = []  # by number of node: those that cover others
        self.symmetries: list[Permutation] = []
        # Positions that a node without a limit of plies leads to, and that are not proved yet.
        self.promised: dict[int, Position] = {}

    def symmetry(self, permutation: Permutation) -> None:
        if permutation not in self.claim.game.symmetries:
            raise NotProved(f"symmetry {len(self.symmetries)} does not keep the rules")
        self.symmetries.append(permutation)

    def node(self, node: Node) -> None:
        if node.position.game is not self.claim.game and node.position.game != self.claim.game:
            raise NotProved("this is a position of another game")
        if node.left < 1:
            raise NotProved("no ply is left here: this needs no proof")
        if node.left == inf and (self.claim.wins or node.covers):
            raise NotProved("only a defence, move by move, needs no limit of plies")
        if (node.move is not None) + node.covers > 1:
            raise NotProved("a node has a move, or pairs, replies or links, and no two of them")
        replies = node.position.to_move is self.claim.owner
        if node.pairs is None and replies is (node.move is None):
            raise NotProved(f"a reply belongs where {self.claim.owner} is to move, and only there")
        if node.blank & ~node.position.stones(self.claim.owner.opponent) or (
            node.blank and not node.replies
        ):
            raise NotProved("only a node with replies leaves cells blank, not those of its owner")
        covering = self._covering(node) if node.covers else None
        bound = self._single(node) if covering is None else covering.bound
        self.covering.append(covering)
        if node.blank:
            return  # this is about no position of its own
        key, best = packed(node.position), min if self.claim.wins else max
        self.proved[key] = best(bound, self.proved.get(key, bound))
        if bound == inf:
            self.promised.pop(key, None)

    def _single(self, node: Node) -> float:
        """The bound proved by a node about one position of the game."""
        moves = node.position.moves()
        if not moves:
            raise NotProved("the game is over here: this needs no proof")
        tried = moves if node.move is None else (node.move,)
        bound = min([self._after(node, move) for move in tried])
        return node.left if self.claim.wins or bound < inf else inf

    def _covering(self, node: Node) -> Covering:
        """What is proved by a node on whose board every cell without a stone is open."""
        if not node.blank and self.claim.decided(node.position):
            raise NotProved("the game is over here: this needs no proof")
        if node.replies:
            return self._replies(node)
        if node.pairs is not None:
            bound = self._pairing(node, node.pairs)
        else:
            bound = self.claim.bound_by_links(node.position, node.left, node.links)
        return Covering(node.position, 0, bound)

    def open_cells(self, position: Position) -> int:
        """The cells without a stone, also on a board that cannot arise in the game."""
        return (1 << self.claim.game.board.size) - 1 & ~position.occupied

    def _after(self, node: Node, move: Move) -> float:
        """The bound proved for the position after a move; fails if that is not enough."""
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

    def _replies(self, node: Node) -> Covering:
        """What is proved by replies. Together they must answer every move, and no move may win.

        If the claim is `monotone`, more stones of the owner and fewer of the opponent never hurt.
        So one reply answers all moves to cells that the opponent owns in the node it leads to.
        The first reply that answers a move counts.
        """
        claim, left, bound, races = self.claim, node.left - 2, inf, self.claim.races
        own, enemy = claim.sides(node.position)
        zone, against, answers = self.open_cells(node.position), enemy & ~node.blank, []
        unanswered = zone | node.blank
        if not claim.monotone or (node.blank and races is None):
            raise NotProved("replies that answer several moves prove nothing in this game")
        threats = 0 if node.blank else claim.by_one(claim.owner.opponent, enemy)
        for cell in cells_of(unanswered & threats):
            raise NotProved(f"{claim.owner.opponent} wins by this move", cell)
        for move, number, via, omits in node.replies:
            if number is None:  # the reply meets the goal, whatever the opponent has
                fits, stones, given, then = claim.by_one(claim.owner, own) >> move & 1, 0, ~0, None
            else:
                then = self._covering_node(number, via, move)
                stones, given = claim.sides(then.position)
                fits = then.position.to_move is not claim.owner
                bound = min(bound, then.bound)
            enough = then is None or (then.bound <= left if claim.wins else then.bound >= left)
            taken = (own | enemy) >> move & 1 or stones & ~(own | 1 << move) or enemy & ~given
            if not fits or not enough or taken or left < 0:
                raise NotProved("nothing above proves what this reply is said to lead to", move)
            moves = unanswered & given & ~(1 << move | omits)
            unanswered &= ~moves
            if then is not None:
                answers.append(Answer(move, moves, given & ~then.blank, then.dangers))
        for cell in cells_of(unanswered):
            raise NotProved("no reply answers this move", cell)
        dangers = () if races is None else races.dangers(own, zone, against, answers)
        if dangers and not node.blank:
            raise NotProved(f"{claim.owner.opponent} may complete a set first")
        bound = node.left if claim.wins or bound < inf else inf
        return Covering(node.position, node.blank, bound, dangers)

    def _covering_node(self, number: int, via: int | None, move: Move) -> Covering:
        """A covering node above, or its image under a symmetry."""
        node = self.covering[number] if number < len(self.covering) else None
        if node is None or (via is not None and via >= len(self.symmetries)):
            raise NotProved(f"no node {number} above, or no such symmetry, stands for others", move)
        if via is None:
            return node
        turn, races = self.symmetries[via], self.claim.races
        dangers = () if races is None else races.turned(node.dangers, turn)
        blank = move_mask(turn, node.blank)
        return Covering(turned(node.position, turn), blank, node.bound, dangers)

    def bound(self, position: Position, left: float) -> float:
        """The bound proved for a position, if that is enough for the plies left."""
        proved = self.proved.get(packed(position))
        if proved is None:
            plies = self.claim.plies_by_rules(position)
            proved = plies if self.claim.wins else 0 if plies is None else plies - 1
        if proved is not None and (proved <= left if self.claim.wins else proved >= left):
            return proved
        if left == inf and proved is not None and proved >= 0:  # a later node may prove it
            self.promised[packed(position)] = position
            return inf
        what = f"{'a win' if self.claim.wins else 'that there is no win'} here (plies left: {left})"
        raise NotProved(f"no line above, and no rule, proves {what}")

    def _pairing(self, node: Node, pairs: Pairs) -> float:
        """The bound proved by disjoint pairs of open cells: see `Claim.bound_by_pairs`."""
        names, open_cells = self.claim.game.board.names, self.open_cells(node.position)
        for a, b in pairs:
            if a == b or not open_cells >> a & open_cells >> b & 1:
                raise NotProved(f"{names[a]} {names[b]} is no pair of its own of open cells")
            open_cells &= ~(1 << a | 1 << b)
        return self.claim.bound_by_pairs(node.position, node.left, pairs)
