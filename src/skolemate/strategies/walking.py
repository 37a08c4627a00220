"""Extraction from any game: every position that can arise while the owner follows his replies.

Each is met once, whichever way the game comes there. Workers decide positions; one thread keeps
the books, so nothing is locked.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice, product
from math import inf

from skolemate.games.game import Game, Move, Position
from skolemate.games.symmetry import Permutation
from skolemate.limits import Budget
from skolemate.strategies.claim import Claim, packed, turned
from skolemate.strategies.deciding import Decider, Judge, Situation
from skolemate.strategies.journal import Journal
from skolemate.strategies.nodes import Node
from skolemate.strategies.strategy import Strategy

__all__ = ["Tell", "Walk", "hold_out", "whole_group"]

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


def hold_out(
    claim: Claim, judge: Judge, budget: Budget, most: float = inf
) -> dict[Position, Move | None] | None:
    """Positions in which the owner can stay for ever, with his reply in each where he is to move.

    The start is one of them, every move of the opponent leads to another or to an end that does not
    win, and so does the owner's reply. `judge` tells which replies are worth trying: those after
    which the opponent has no win within the claimed depth. None if the opponent wins after all, or
    if more than `most` positions would have to be looked at.
    """
    start = Situation(claim.game.start, claim.depth, ())
    met, waiting, lost = {start.position: start}, [start], set[Position]()
    replies, came_from = dict[Position, Move | None](), dict[Position, set[Position]]()

    def ends(position: Position) -> float | None:
        return 0 if position in lost else claim.plies_by_rules(position)

    def holds(after: Situation) -> bool:
        plies = ends(after.position)
        if plies is None:
            return after.position in met or not judge(after).wins
        return plies == inf

    while waiting:
        budget.check()
        here = waiting.pop()
        position, moves = here.position, here.position.moves()
        followers = [here.after(move)._replace(left=claim.depth) for move in moves]
        if position.to_move is claim.owner:
            # A position that is known anyway keeps the set small.
            followers.sort(key=lambda after: after.position not in met)
            followers = list(islice(filter(holds, followers), 1))
            held = bool(followers)
            replies[position] = followers[0].path[-1] if held else None
        else:
            replies[position] = None
            held = all(ends(after.position) in (None, inf) for after in followers)
        if not held:
            lost.add(position)
            waiting += [met[before] for before in came_from.get(position, ()) if before not in lost]
            continue
        for after in followers:
            if ends(after.position) is None:
                came_from.setdefault(after.position, set()).add(position)
                if after.position not in met:
                    met[after.position] = after
                    waiting.append(after)
        if len(met) > most:
            return None
    if start.position in lost or ends(start.position) is not None:
        return None
    return _reachable(claim, replies)


def _reachable(claim: Claim, replies: dict[Position, Move | None]) -> dict[Position, Move | None]:
    """The positions that can arise while the owner replies so."""
    found, waiting = dict[Position, Move | None](), [claim.game.start]
    while waiting:
        position = waiting.pop()
        if position in found or claim.plies_by_rules(position) is not None:
            continue
        reply = found[position] = replies[position]
        moves = position.moves() if reply is None else (reply,)
        waiting += [position.game.result(position, move) for move in moves]
    return found


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
