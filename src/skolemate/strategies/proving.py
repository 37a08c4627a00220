"""Proofs in games where stones only help: one node stands for many positions.

A node says which stones of the owner's and which cells free of the opponent a proof needs, whatever
else is on the board; every other cell it gives to the opponent. So a reply answers all moves that
take none of these cells, and a proof is used again wherever its cells are as it needs them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from skolemate.games.bits import cells_of, mask_of
from skolemate.games.game import Move, Player, Position
from skolemate.games.goals import Goal, Sets
from skolemate.games.symmetry import Permutation, move_mask
from skolemate.limits import Budget
from skolemate.strategies.chains import Chains
from skolemate.strategies.claim import Claim
from skolemate.strategies.deciding import Decider, Situation
from skolemate.strategies.journal import Journal
from skolemate.strategies.library import Library, Proof
from skolemate.strategies.lines import Node, Pairs, Reply
from skolemate.strategies.strategy import Strategy
from skolemate.strategies.walking import Tell, whole_group

__all__ = ["Prover"]

FEW_STONES = 4  # placed since the start: as long as there are no more, symmetries are looked for


Replies = tuple[Reply, ...]


class Prover:
    """Proves a claim from the start; the nodes come out children first."""

    def __init__(
        self, claim: Claim, fold: bool, journal: Journal | None, budget: Budget, tell: Tell | None
    ) -> None:
        self._claim, self._journal, self._budget, self._tell = claim, journal, budget, tell
        self._identity = tuple(range(claim.game.board.size))
        others = (turn for turn in whole_group(claim.game) if turn != self._identity)
        self._turns = (self._identity, *others)
        self._whole = (1 << claim.game.board.size) - 1
        self._chains = None if claim.path is None else Chains(claim.path)
        self.nodes: list[Node] = []
        self._used: dict[Permutation, int] = {}  # the symmetries that replies name, numbered
        self._library = Library(claim.game.board.size, claim.wins)  # what the nodes need
        self._met: dict[tuple[int, int, int], int] = {}
        self._mattered: Counter[int] = Counter()  # how often a proof needed a cell

    def run(self, decider: Decider, jobs: int) -> None:
        """Prove the claim. One question after another: each answer saves many."""
        self._decider = decider
        start = Situation(self._claim.game.start, self._claim.depth, ())
        if self._claim.held_by_rules(start.position, start.left) is not None:
            return
        if start.position.to_move is not self._claim.owner:
            self._exactly(start)
            return
        node = self._decide(start)
        if node.move is not None:
            after = start.after(node.move)
            if self._claim.held_by_rules(after.position, after.left) is None:
                self._exactly(after)
        self.nodes.append(node)

    def strategy(self) -> Strategy:
        """All that was proved."""
        return Strategy(self._claim, self.nodes, tuple(self._used))

    def _decide(self, here: Situation) -> Node:
        known = None if self._journal is None else self._journal.known(here.position, here.left)
        node = known or self._decider.decide(here)
        if self._journal is not None and node.move is not None:
            self._journal.note(node)
        return node

    def _exactly(self, here: Situation) -> None:
        """Prove a position of the opponent's turn, and let the last node say no more than that."""
        number = self._turn(here)
        self.nodes[number] = self.nodes[number]._replace(position=here.position, left=here.left)

    def _turn(self, here: Situation) -> int:
        """The number of a node that proves a position in which the opponent is to move."""
        self._budget.check()
        own, enemy = self._claim.sides(here.position)
        key = own, enemy, here.left
        if key not in self._met:
            pairs = self._pairs(here)
            if pairs is None:
                self._met[key] = self._replies(here, own, enemy)
            else:
                proof = self._paired(pairs, own, enemy, here.left)
                self._met[key] = self._add(proof, pairs=pairs)
        return self._met[key]

    def _replies(self, here: Situation, own: int, enemy: int) -> int:
        """One move of the opponent's after another, until none is left without a reply.

        The first is one that has hardly ever mattered, as good as a pass: its answer is good
        against most others.
        """
        claim, unanswered = self._claim, self._whole & ~(own | enemy)
        turns = self._fixing(own, enemy)
        stones = cells = 0
        plies = 0 if claim.wins else claim.depth
        replies: list[Reply] = []
        while unanswered:
            asked = min(cells_of(unanswered), key=self._mattered.__getitem__)
            move, number, first = self._answer(here.after(asked))
            proof = self._met_at_once(own, move) if number is None else self._library[number]
            plies = max(plies, proof.plies + 2) if claim.wins else min(plies, proof.plies + 2)
            for then in turns:
                turn = tuple(then[image] for image in first)
                stone = 1 << then[move]
                needs = move_mask(turn, proof.cells) | stone
                if unanswered & ~needs:
                    via = self._via(turn) if number is not None else None
                    replies.append(Reply(then[move], number, via))
                    unanswered &= needs
                    cells |= needs
                    stones |= move_mask(turn, proof.stones) & ~stone
        stones, cells = self._unthreatened(own, enemy, stones, cells)
        return self._add(Proof(stones, cells, plies), replies=tuple(replies))

    def _answer(self, here: Situation) -> tuple[Move, int | None, Permutation]:
        """The owner's move, and the node that proves what comes of it, if that takes one, with the
        symmetry that makes it so.
        """
        own, enemy = self._claim.sides(here.position)
        for cell in cells_of(self._claim.by_one(self._claim.owner, own) & ~enemy):
            return cell, None, self._identity
        for turn in self._turns if self._placed(own | enemy) <= FEW_STONES else (self._identity,):
            number = self._library.find(move_mask(turn, own), move_mask(turn, enemy), here.left - 1)
            if number is not None:
                back = _inverse(turn)
                stone = move_mask(back, self._library[number].stones) & ~own
                move = stone.bit_length() - 1 if stone else here.position.moves()[0]
                return move, number, back
        node = self._decide(here)
        reply = node.move
        if reply is None:
            cells = [cell for pair in node.pairs or () for cell in pair]
            reply = next(iter(cells), here.position.moves()[0])
        return reply, self._turn(here.after(reply)), self._identity

    def _pairs(self, here: Situation) -> Pairs | None:
        if self._chains is not None:
            most = here.left // 2 if self._claim.wins else self._whole.bit_count()
            found = self._chains.find(*self._claim.sides(here.position), most)
            if found is not None:
                return found
        return None if self._claim.wins else self._decide(here).pairs

    def _paired(self, pairs: Pairs, own: int, enemy: int, left: int) -> Proof:
        """What pairs need besides themselves: cell after cell is given to the opponent."""
        paired = mask_of(cell for pair in pairs for cell in pair)
        stones, cells, depth = own, self._whole & ~enemy, self._claim.depth
        plies = 2 * len(pairs) if self._claim.wins else depth
        holds = self._spoils(pairs, self._whole.bit_count())
        if not holds(stones, cells):
            plies, holds = left, self._spoils(pairs, (left + 1) // 2)
        for cell in sorted(cells_of(cells & ~paired), key=self._mattered.__getitem__):
            fewer, given = stones & ~(1 << cell), cells & ~(1 << cell)
            # A node needs an open cell.
            if given & ~fewer and holds(fewer, given):
                stones, cells = fewer, given
        return Proof(stones, cells, plies)

    def _spoils(self, pairs: Pairs, most: int) -> Callable[[int, int], bool]:
        """Whether stones, and cells free of the opponent, are enough for pairs to prove the claim
        if the opponent places so many stones at most.
        """
        path, goal = self._claim.path, self._goal(self._claim.player)
        if path is not None and (pairs or self._claim.wins):
            return lambda stones, _: path.met_by_pairs(stones, pairs)
        if isinstance(goal, Sets):
            goal = goal.without(pairs)
        return lambda stones, cells: (
            goal is not None and goal.within_reach(self._whole & ~cells, stones, (), most) is None
        )

    def _met_at_once(self, own: int, move: Move) -> Proof:
        goal = self._goal(self._claim.owner)
        needed = (goal.witness(own | 1 << move) if goal is not None else None) or 0
        return Proof(needed, needed, 0 if self._claim.wins else self._claim.depth)

    def _unthreatened(self, own: int, enemy: int, stones: int, cells: int) -> tuple[int, int]:
        """Need so much more that the opponent, given all the rest, does not win by one stone."""
        goal = self._goal(self._claim.owner.opponent)
        for winning in goal.sets if isinstance(goal, Sets) else ():
            if winning & stones or (winning & cells).bit_count() > 1:
                continue
            if winning & own:
                stones |= winning & own & -(winning & own)
            else:
                for cell in cells_of(winning & ~enemy & ~cells):
                    if (winning & cells).bit_count() < 2:
                        cells |= 1 << cell
        return stones, cells | stones

    def _add(self, proof: Proof, *, pairs: Pairs | None = None, replies: Replies = ()) -> int:
        for cell in cells_of(proof.cells):
            self._mattered[cell] += 1
        own, enemy = proof.stones, self._whole & ~proof.cells
        stones = (own, enemy) if self._claim.owner is Player.BLACK else (enemy, own)
        position = Position(self._claim.game, *stones, self._claim.owner.opponent)
        self.nodes.append(Node(position, proof.plies, pairs=pairs, replies=replies))
        if self._tell is not None:
            self._tell(len(self.nodes))
        return self._library.add(proof)

    def _fixing(self, own: int, enemy: int) -> list[Permutation]:
        """The symmetries that leave everything as it is: the identity first."""
        if self._placed(own | enemy) > FEW_STONES:
            return [self._identity]
        both = own, enemy
        return [t for t in self._turns if (move_mask(t, own), move_mask(t, enemy)) == both]

    def _placed(self, occupied: int) -> int:
        return (occupied & ~self._claim.game.start.occupied).bit_count()

    def _via(self, turn: Permutation) -> int | None:
        if turn == self._identity:
            return None
        return self._used.setdefault(turn, len(self._used))

    def _goal(self, player: Player) -> Goal | None:
        return self._claim.game.goal(player)


def _inverse(turn: Permutation) -> Permutation:
    return tuple(sorted(range(len(turn)), key=turn.__getitem__))
