"""Extraction from any game: every position that can arise while the owner follows his replies.

Each is met once, whichever way the game comes there. Workers decide positions; one thread keeps
the books, so nothing is locked.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import product

from skolemate.games.game import Game, Move, Position
from skolemate.games.symmetry import Permutation
from skolemate.limits import Budget
from skolemate.strategies.claim import Claim, packed, turned
from skolemate.strategies.deciding import Decider, Situation
from skolemate.strategies.journal import Journal
from skolemate.strategies.nodes import Node
from skolemate.strategies.strategy import Strategy

__all__ = ["Tell", "Walk", "whole_group"]

LARGEST_GROUP = 200  # of symmetries to fold by; each costs time at every position
IN_FLIGHT = 4  # situations handed to each worker in advance

Key = tuple[int, int]  # a packed position, and the plies left
Tell = Callable[[int], None]  # called with the number of nodes so far


class Walk:
    """The books: which situations were met, which are waiting, which are decided."""

    def __init__(
        self,
        claim: Claim,
        decider: Decider,
        journal: Journal | None,
        budget: Budget,
        tell: Tell | None,
        *,
        fold: bool,
        jobs: int,
    ) -> None:
        self._claim, self._decider, self._journal = claim, decider, journal
        self._budget, self._tell, self._jobs = budget, tell, jobs
        self.nodes: dict[Key, Node] = {}
        self._waiting: list[Situation] = []
        self._turns: tuple[Permutation, ...] = whole_group(claim.game) if fold else ()
        self._met: dict[Key, int] = {}  # by the least image of a position: the one that was met
        self._used: dict[Permutation, int] = {}  # the symmetries that edges name, numbered

    def run(self) -> None:
        """Decide everything that can be reached from the start."""
        self._meet(Situation(self._claim.game.start, self._claim.depth, ()))
        if self._jobs == 1:  # a judge in this very process gains nothing from threads
            while self._waiting:
                self._budget.check()
                here = self._waiting.pop()
                self._enter(here, self._known(here) or self._decider.decide(here))
            return
        with ThreadPoolExecutor(self._jobs) as pool:
            running: dict[Future[Node], Situation] = {}
            try:
                while self._waiting or running:
                    self._budget.check()
                    while self._waiting and len(running) < IN_FLIGHT * self._jobs:
                        here = self._waiting.pop()
                        known = self._known(here)
                        if known is None:
                            running[pool.submit(self._decider.decide, here)] = here
                        else:
                            self._enter(here, known)
                    for future in wait(running, 0.2, FIRST_COMPLETED).done:
                        self._enter(running.pop(future), future.result())
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def _known(self, here: Situation) -> Node | None:
        return None if self._journal is None else self._journal.known(here.position, here.left)

    def _enter(self, here: Situation, node: Node) -> None:
        """Note a decision, and meet what can follow."""
        node = node._replace(left=here.left)  # what follows is met with the plies that are left
        if self._journal is not None:
            self._journal.note(node)
        via: dict[Move, int] = {}
        if node.pairs is None:
            for move in here.position.moves() if node.move is None else (node.move,):
                turn = self._meet(here.after(move))
                if turn is not None:
                    via[move] = turn
        self.nodes[packed(here.position), here.left] = node._replace(via=via) if via else node
        if self._tell is not None:
            self._tell(len(self.nodes))

    def _meet(self, here: Situation) -> int | None:
        """Put a situation on the list unless it is there, or decided by the rules.

        The number of the symmetry that takes it to the one that stands for it, if it needs one.
        """
        if self._claim.held_by_rules(here.position, here.left):
            return None
        key, images = packed(here.position), self._images(here.position)
        spot = min(images, default=key), here.left
        stands = self._met.get(spot)
        if stands is None:
            self._met[spot] = key
            self._waiting.append(here)
        elif stands != key:
            turn = self._turns[images.index(stands)]
            return self._used.setdefault(turn, len(self._used))
        return None

    def _images(self, position: Position) -> list[int]:
        return [packed(turned(position, turn)) for turn in self._turns]

    def strategy(self) -> Strategy:
        """All that was decided. Fewer plies left come first: so children come first."""
        ordered = sorted(self.nodes.items(), key=lambda entry: (entry[0][1], entry[0][0]))
        return Strategy(self._claim, [node for _, node in ordered], tuple(self._used))


def whole_group(game: Game) -> tuple[Permutation, ...]:
    """The game's symmetries if all are listed, and not too many; else none.

    A game comes to a node by one symmetry after another, and all of them together must be one.
    """
    found = game.symmetries
    if len(found) > LARGEST_GROUP:
        return ()
    listed = set(found)
    whole = all(tuple(b[cell] for cell in a) in listed for a, b in product(found, repeat=2))
    return found if whole else ()
