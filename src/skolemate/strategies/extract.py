"""Extraction: a strategy from anything that answers questions, by asking along the game.

Every position that can arise while the owner follows his replies is met once, whichever way the
game comes there. Workers decide positions; one thread keeps the books, so nothing is locked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from functools import reduce
from itertools import product
from operator import or_

from skolemate.errors import Disagreement
from skolemate.games.bits import cells_of
from skolemate.games.game import Game, Move, Position
from skolemate.games.symmetry import Permutation
from skolemate.limits import Budget, OutOfBudget, Reason
from skolemate.strategies.claim import Claim, packed, turned
from skolemate.strategies.deciding import Decider, Judge, Situation, Undecided
from skolemate.strategies.journal import Journal
from skolemate.strategies.lines import Node
from skolemate.strategies.strategy import Strategy

__all__ = ["Unfinished", "extract"]

REACH = 3  # plies by trying; more costs as much as a solver does
LARGEST_GROUP = 200  # of symmetries to fold by; each costs time at every position
IN_FLIGHT = 4  # situations handed to each worker in advance

Key = tuple[int, int]  # a packed position, and the plies left
Tell = Callable[[int], None]  # called with the number of nodes so far


class Unfinished(Exception):
    """A limit was reached; with a file, the same call goes on from what was decided so far."""

    def __init__(self, reason: Reason, detail: str | None, nodes: int) -> None:
        super().__init__(f"the strategy is not finished ({reason.value}), {nodes} nodes so far")
        self.reason, self.detail, self.nodes = reason, detail, nodes


def extract(
    claim: Claim,
    judge: Judge,
    *,
    file: str | None = None,
    jobs: int = 1,
    fold: bool = False,
    reach: int = REACH,
    budget: Budget | None = None,
    tell: Tell | None = None,
) -> Strategy:
    """A strategy that proves a claim which is said to hold: checked, and saved if a file is named.

    With `fold`, positions that are symmetric share a node. Raises Unfinished when the budget is
    used up or the judge cannot say; with a file, the next call goes on from there.
    """
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(claim, file)) if file is not None else None
        walk = _Walk(claim, fold, journal, budget or Budget(), tell)
        try:
            walk.run(Decider(claim, judge, reach), jobs)
        except OutOfBudget as out:
            raise Unfinished(out.reason, None, len(walk.nodes)) from None
        except Undecided as undecided:
            raise Unfinished(undecided.reason, undecided.detail, len(walk.nodes)) from None
        strategy = walk.strategy()
        report = strategy.check()
        if not report.holds:
            raise Disagreement(f"{claim}, it was said; but the strategy fails: {report}")
        if journal is not None and file is not None:
            strategy.save(file)
            journal.done()
    return strategy


class _Walk:
    """The books: which situations were met, which are waiting, which are decided."""

    def __init__(
        self, claim: Claim, fold: bool, journal: Journal | None, budget: Budget, tell: Tell | None
    ) -> None:
        self._claim, self._journal, self._budget, self._tell = claim, journal, budget, tell
        self.nodes: dict[Key, Node] = {}
        self._waiting: list[Situation] = []
        self._turns: tuple[Permutation, ...] = _group(claim.game) if fold else ()
        self._met: dict[Key, int] = {}  # by the least image of a position: the one that was met
        self._used: dict[Permutation, int] = {}  # the symmetries that edges name, numbered
        self._needed: dict[Key, int] = {}  # of a win: the open cells that it needs
        self._mattered: Counter[int] = Counter()  # how often a win needed a cell

    def run(self, decider: Decider, jobs: int) -> None:
        """Decide everything that can be reached from the start."""
        if self._claim.wins and self._claim.places_stones and not self._turns:
            self._prove(Situation(self._claim.game.start, self._claim.depth, ()), decider)
            return
        self._meet(Situation(self._claim.game.start, self._claim.depth, ()))
        if jobs == 1:  # a judge in this very process gains nothing from threads
            while self._waiting:
                self._budget.check()
                here = self._waiting.pop()
                self._enter(here, self._known(here) or decider.decide(here))
            return
        with ThreadPoolExecutor(jobs) as pool:
            running: dict[Future[Node], Situation] = {}
            try:
                while self._waiting or running:
                    self._budget.check()
                    while self._waiting and len(running) < IN_FLIGHT * jobs:
                        here = self._waiting.pop()
                        known = self._known(here)
                        if known is None:
                            running[pool.submit(decider.decide, here)] = here
                        else:
                            self._enter(here, known)
                    for future in wait(running, 0.2, FIRST_COMPLETED).done:
                        self._enter(running.pop(future), future.result())
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def _prove(self, here: Situation, decider: Decider) -> int:
        """Decide a won situation and what can follow; the open cells that the win needs.

        One reply after another: those that take no needed cell are as good as a pass, and like one
        that has been answered. So the first is one that has hardly ever mattered.
        """
        if self._claim.held_by_rules(here.position, here.left):
            return 0
        self._budget.check()
        key = packed(here.position), here.left
        if key in self._needed:
            return self._needed[key]
        node = self._known(here) or decider.decide(here)
        if self._journal is not None:
            self._journal.note(node)
        like: dict[Move, Move] = {}
        if node.move is not None:
            needed = 1 << node.move | self._prove(here.after(node.move), decider)
        else:
            answered: list[tuple[Move, int]] = []
            for move in sorted(here.position.moves(), key=self._mattered.__getitem__):
                after = here.after(move)
                idle = self._claim.idle(after.position, move, after.left)
                others = (other for other, cells in answered if idle and not cells >> move & 1)
                other = next(others, None)
                if other is None:
                    answered.append((move, self._prove(after, decider)))
                else:
                    like[move] = other
            needed = reduce(or_, (cells for _, cells in answered))
        for cell in cells_of(needed):
            self._mattered[cell] += 1
        self._needed[key] = needed
        self.nodes[key] = node._replace(like=like) if like else node
        if self._tell is not None:
            self._tell(len(self.nodes))
        return needed

    def _known(self, here: Situation) -> Node | None:
        return None if self._journal is None else self._journal.known(here.position, here.left)

    def _enter(self, here: Situation, node: Node) -> None:
        """Note a decision, and meet what can follow."""
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


def _group(game: Game) -> tuple[Permutation, ...]:
    """The game's symmetries if all are listed, and not too many; else none.

    A game comes to a node by one symmetry after another, and all of them together must be one.
    """
    found = game.symmetries
    if len(found) > LARGEST_GROUP:
        return ()
    listed = set(found)
    whole = all(tuple(b[cell] for cell in a) in listed for a, b in product(found, repeat=2))
    return found if whole else ()
