"""What the owner does at one position of which the claim is known to hold.

The rules, a short look ahead and pairings settle what they can. Only then somebody is asked, and
the last move that is left needs no question: one of them must be right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from skolemate.errors import Disagreement
from skolemate.games.game import Move, Position
from skolemate.limits import Reason
from skolemate.strategies.claim import Claim
from skolemate.strategies.lookahead import wins_within
from skolemate.strategies.nodes import Node
from skolemate.strategies.pairing import Pairings

__all__ = ["Decider", "Judge", "Opinion", "Situation", "Undecided"]


TRUST = 2  # times that a judge may tell no move before it is no longer asked for one


class Situation(NamedTuple):
    """A position, the plies left, and the moves from the start that lead there."""

    position: Position
    left: int
    path: tuple[Move, ...]

    def after(self, move: Move) -> Situation:
        position = self.position.game.result(self.position, move)
        return Situation(position, self.left - 1, (*self.path, move))


class Opinion(NamedTuple):
    """Whether the one who asks wins, moves that may well prove it, and how soon he wins with them,
    as far as that is known.
    """

    wins: bool
    moves: tuple[Move, ...] = ()
    plies: int | None = None


Judge = Callable[[Situation], Opinion]  # raises Undecided when it cannot say


class Undecided(Exception):
    """A question on the way was not answered."""

    def __init__(self, reason: Reason, detail: str | None = None) -> None:
        super().__init__(reason.value)
        self.reason, self.detail = reason, detail


class Decider:
    """Decides one situation at a time; several threads may share it.

    `reach` is how many plies are settled by trying before `judge` is asked.
    """

    def __init__(self, claim: Claim, judge: Judge, reach: int) -> None:
        self._claim, self._judge, self._reach = claim, judge, reach
        self._pairings = Pairings(claim)
        self._trust = TRUST  # more for each move that the judge tells, less where it tells none
        self._favourites: dict[int, Move] = {}  # by plies left: what was right the last time

    def decide(self, here: Situation) -> Node:
        """The node for a situation that the rules do not decide."""
        pairs = self._pairings.find(here.position, here.left)
        if pairs is not None:
            return Node(here.position, here.left, pairs=pairs)
        if here.position.to_move is not self._claim.owner:
            return Node(here.position, here.left)
        move, plies = self._reply(here)
        self._favourites[here.left] = move
        return Node(here.position, plies, move)

    def _reply(self, here: Situation) -> tuple[Move, int]:
        """A move, and the plies within which it wins, or within which it prevents a win."""
        hopeful: list[Move] = []
        promising = self._pairings.promising(here.position, here.left)
        for move in self._in_order(here, promising):
            holds = self._quickly(here.after(move), move in promising)
            if holds:
                return move, here.left
            if holds is None:
                hopeful.append(move)
        if len(hopeful) > 1 and self._trust > 0:
            told = self._told(here, hopeful)
            if told is not None:
                return told
        while len(hopeful) > 1:
            if self._judge(here.after(hopeful[0])).wins is self._claim.wins:
                return hopeful[0], here.left
            del hopeful[0]
        if not hopeful:
            raise self._contradiction(here)
        return hopeful[0], here.left

    def _contradiction(self, here: Situation) -> Disagreement:
        moves = " ".join(map(here.position.game.move_name, here.path))
        where = f"after {moves}" if moves else "at the start"
        return Disagreement(f"{self._claim}, it was said; but {where} no move proves it")

    def _told(self, here: Situation, hopeful: list[Move]) -> tuple[Move, int] | None:
        """A move that the judge tells, unless the last favourite is right here, too."""
        favourite = self._favourites.get(here.left)
        if favourite is not None and favourite in hopeful:
            if self._judge(here.after(favourite)).wins is self._claim.wins:
                return favourite, here.left
            hopeful.remove(favourite)
            if len(hopeful) == 1:
                return None
        opinion = self._judge(here)
        if opinion.wins is not self._claim.wins:
            raise self._contradiction(here)
        told = next((move for move in opinion.moves if move in hopeful), None)
        self._trust += 1 if opinion.moves else -1
        if told is None:
            return None
        if self._claim.wins:
            return told, here.left if opinion.plies is None else opinion.plies
        # What stopped one attack need not stop all.
        return None if self._judge(here.after(told)).wins else (told, here.left)

    def _in_order(self, here: Situation, promising: list[Move]) -> list[Move]:
        """The legal moves, the one that was right in a like situation first."""
        favourite = self._favourites.get(here.left)

        def rank(move: Move) -> tuple[bool, int]:
            place = promising.index(move) if move in promising else len(promising)
            return move != favourite, place

        return sorted(here.position.moves(), key=rank)

    def _quickly(self, after: Situation, promises: bool) -> bool | None:
        """Whether the claim holds after the owner's move, if that is soon told."""
        position, left, claim = after.position, after.left, self._claim
        held = claim.held_by_rules(position, left)
        if held is not None:
            return held
        if self._reach:
            # Few plies are settled for good; of many, only the end that may come at once.
            soon = 1 if position.to_move is claim.player else 2
            if wins_within(claim, position, left if left <= self._reach else soon):
                return claim.wins
            if left <= self._reach:
                return not claim.wins
        return True if promises and self._pairings.find(position, left) is not None else None
