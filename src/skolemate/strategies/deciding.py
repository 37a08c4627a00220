"""The owner's move at one position, and the walk over all positions of a strategy.

At a position where the claim holds, some move of the owner keeps it. The rules, a short look-ahead
and pairings settle what they can; only then a question is asked, about one move after the other.
The last remaining move needs no question: it must be right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import combinations, islice, product
from math import inf
from typing import NamedTuple

from skolemate.errors import Disagreement
from skolemate.games import Connection, Game, Move, Permutation, Position, Sets, cells_of
from skolemate.games.goals import minimal
from skolemate.limits import Budget, Reason, breathe
from skolemate.strategies.claim import Claim, packed, turned
from skolemate.strategies.lines import Journal
from skolemate.strategies.nodes import Node, Pairs
from skolemate.strategies.strategy import Strategy

# --- pairings -------------------------------------------------------------------------------------
# A pairing is a set of disjoint pairs of open cells such that every winning set of the player
# contains a pair. To decide whether there is one is hard in general, so the search is cut off:
# to miss a pairing is never wrong.


STEPS = 500  # pairs tried for one position
MOST_SEEN = 500_000  # sets looked at for one position: with thousands, fewer pairs are tried
MOST_TRIED = 5  # moves after which a pairing is searched for


class Pairings:
    """Finds pairings against the claim's player, in games where they prove anything."""

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._goal = claim.game.goal(claim.player)

    def find(self, position: Position, left: int) -> Pairs | None:
        """Pairs that prove that there is no win within the plies left; None if none were found."""
        threats = self._threats(position, left)
        if threats is None:
            goal, stones = self._goal, self._claim.stones_ahead(position, left)
            if self._claim.wins or goal is None or stones is None:
                return None
            owner, asker = self._claim.sides(position)
            return () if goal.within_reach(asker, owner, (), stones) is None else None
        if _hopeless(threats):
            return None
        return _PairingSearch(minimal(threats)).pairs()

    def promising(self, position: Position, left: int) -> list[Move]:
        """The owner's moves after which a pairing is searched for: those that hit most threats."""
        if isinstance(self._goal, Connection):
            return list(position.moves())  # the search is quick
        through = Counter[int]()
        for cells in self._threats(position, left) or ():
            through.update(cells_of(cells))
        return [move for move, _ in through.most_common(MOST_TRIED)]

    def _threats(self, position: Position, left: int) -> set[int] | None:
        """The open cells of each winning set that can be completed in time; None without sets."""
        stones = None if self._claim.wins else self._claim.stones_ahead(position, left)
        if stones is None or not isinstance(self._goal, Sets):
            return None
        owner, asker = self._claim.sides(position)
        open_sets = {winning & ~asker for winning in self._goal.sets if not winning & owner}
        return {cells for cells in open_sets if cells.bit_count() <= stones}


def _hopeless(sets: set[int]) -> bool:
    """Whether a set has one cell, or two sets of two cells have one in common: no pairing."""
    paired = 0
    for cells in sets:
        size = cells.bit_count()
        if size < 2 or (size == 2 and paired & cells):
            return True
        if size == 2:
            paired |= cells
    return False


class _PairingSearch:
    """Backtracking: the set with the fewest possible pairs gets its pair first."""

    def __init__(self, sets: list[int]) -> None:
        self._sets = sets
        self._steps = min(STEPS, MOST_SEEN // max(1, len(sets)))
        self._through: dict[int, int] = {}  # the numbers of the sets with a cell, as a mask
        for number, cells in enumerate(sets):
            for cell in cells_of(cells):
                self._through[cell] = self._through.get(cell, 0) | 1 << number

    def pairs(self) -> Pairs | None:
        most = max(map(int.bit_count, self._through.values()), default=0)
        if len(self._sets) > most * self._steps:
            return None  # a pair is only in sets with one of its cells
        chosen = self._spoil((1 << len(self._sets)) - 1, 0)
        return None if chosen is None else tuple(sorted(chosen))

    def _spoil(self, left: int, used: int) -> list[tuple[int, int]] | None:
        """Pairs for the sets that are left, by their numbers, without used cells."""
        if not left:
            return []
        breathe()
        tightest = min((self._sets[n] & ~used for n in cells_of(left)), key=int.bit_count)
        rest = {
            (a, b): left & ~(self._through[a] & self._through[b])
            for a, b in combinations(cells_of(tightest), 2)
        }
        for a, b in sorted(rest, key=lambda pair: rest[pair].bit_count()):
            self._steps -= 1
            if self._steps < 0:
                return None
            further = self._spoil(rest[a, b], used | 1 << a | 1 << b)
            if further is not None:
                return [(a, b), *further]
        return None


# --- look-ahead -----------------------------------------------------------------------------------
# The last plies of a game are tried out: cheaper than any question to a solver.


def wins_within(claim: Claim, position: Position, left: int) -> bool:
    """Whether the claim's player wins within very few plies, by plain search without a table.

    >>> from skolemate.games.family import build
    >>> game = build("tictactoe(moves=a1 b1 a2 b2)")
    >>> claim = Claim(game, game.start.to_move, 1, True)
    >>> wins_within(claim, game.start, 1), wins_within(claim, game.start, 0)
    (True, False)
    """
    plies = claim.plies_by_rules(position)
    if plies is not None or left == 0:
        return plies is not None and plies <= left
    mine = position.to_move is claim.player
    for move in position.moves():
        if wins_within(claim, position.game.result(position, move), left - 1) is mine:
            return mine
    return not mine


# --- one decision ---------------------------------------------------------------------------------


TRUST = 2  # answers without a move after which no more moves are asked for


class Situation(NamedTuple):
    """A position, the plies left, and the moves from the start that lead there."""

    position: Position
    left: int
    path: tuple[Move, ...]

    def after(self, move: Move) -> Situation:
        position = self.position.game.result(self.position, move)
        return Situation(position, self.left - 1, (*self.path, move))


class Evaluation(NamedTuple):
    """Whether the claim's player wins; moves that probably prove it; the plies within which."""

    wins: bool
    moves: tuple[Move, ...] = ()
    plies: int | None = None


Evaluator = Callable[[Situation], Evaluation]  # raises Undecided where it has no answer


class Undecided(Exception):
    """A question on the way was not answered."""

    def __init__(self, reason: Reason, detail: str | None = None) -> None:
        super().__init__(reason.value)
        self.reason, self.detail = reason, detail


class Decider:
    """Decides one situation at a time; several threads may share it.

    Situations with at most `reach` plies left are searched; for others `evaluate` is asked.
    """

    def __init__(self, claim: Claim, evaluate: Evaluator, reach: int) -> None:
        self._claim, self._evaluate, self._reach = claim, evaluate, reach
        self._pairings = Pairings(claim)
        self._trust = TRUST  # grows with every answer that has a move, falls with every other
        self._favourites: dict[int, Move] = {}  # by plies left: the move that was right last

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
        # Where stones only help, and nothing is searched, only pairs decide anything at once.
        asked = self._reach == 0 and self._claim.monotone and here.left > 1
        for move in self._in_order(here, promising):
            if asked and move not in promising:
                hopeful.append(move)
                continue
            holds = self._quickly(here.after(move), move in promising)
            if holds:
                return move, here.left
            if holds is None:
                hopeful.append(move)
        if len(hopeful) > 1 and self._trust > 0:
            suggested = self._suggested(here, hopeful)
            if suggested is not None:
                return suggested
        while len(hopeful) > 1:
            if self._evaluate(here.after(hopeful[0])).wins is self._claim.wins:
                return hopeful[0], here.left
            del hopeful[0]
        if not hopeful:
            raise self._contradiction(here)
        return hopeful[0], here.left

    def _contradiction(self, here: Situation) -> Disagreement:
        moves = " ".join(map(here.position.game.move_name, here.path))
        where = f"after {moves}" if moves else "at the start"
        return Disagreement(f"{self._claim}, it was said; but {where} no move proves it")

    def _suggested(self, here: Situation, hopeful: list[Move]) -> tuple[Move, int] | None:
        """The last favourite if it is right here, too; else a move that `evaluate` suggests."""
        # A search that keeps its results knows a move at once; to refute another may take long.
        favourite = self._favourites.get(here.left) if self._reach else None
        if favourite is not None and favourite in hopeful:
            if self._evaluate(here.after(favourite)).wins is self._claim.wins:
                return favourite, here.left
            hopeful.remove(favourite)
            if len(hopeful) == 1:
                return None
        evaluation = self._evaluate(here)
        if evaluation.wins is not self._claim.wins:
            raise self._contradiction(here)
        move = next((move for move in evaluation.moves if move in hopeful), None)
        self._trust += 1 if evaluation.moves else -1
        if move is None:
            return None
        if self._claim.wins:
            return move, here.left if evaluation.plies is None else evaluation.plies
        # A move that stopped one attack need not stop all of them.
        return None if self._evaluate(here.after(move)).wins else (move, here.left)

    def _in_order(self, here: Situation, promising: list[Move]) -> list[Move]:
        """The legal moves: the last favourite first, then the promising ones."""
        favourite = self._favourites.get(here.left)

        def rank(move: Move) -> tuple[bool, int]:
            place = promising.index(move) if move in promising else len(promising)
            return move != favourite, place

        return sorted(here.position.moves(), key=rank)

    def _quickly(self, after: Situation, promises: bool) -> bool | None:
        """Whether the claim holds after the owner's move; None if that takes a question."""
        position, left, claim = after.position, after.left, self._claim
        held = claim.held_by_rules(position, left)
        if held is not None:
            return held
        if self._reach:
            # With few plies left the search is complete; with many it only sees immediate wins.
            soon = 1 if position.to_move is claim.player else 2
            if wins_within(claim, position, left if left <= self._reach else soon):
                return claim.wins
            if left <= self._reach:
                return not claim.wins
        return True if promises and self._pairings.find(position, left) is not None else None


# --- the walk over all positions ------------------------------------------------------------------
# Extraction from any game: decide every position that can arise while the owner follows the
# replies, transpositions once. Workers decide positions; one thread does the bookkeeping, so that
# nothing needs a lock.


LARGEST_GROUP = 200  # symmetries that positions are folded by; each costs time at every position
IN_FLIGHT = 4  # situations handed to each worker in advance

Key = tuple[int, int]  # a packed position, and the plies left
Tell = Callable[[int], None]  # called with the number of nodes so far


class Walk:
    """Keeps track of the situations that were met, are waiting, or are decided."""

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
        self._met: dict[Key, int] = {}  # by the least symmetric image: the position that was met
        self._used: dict[Permutation, int] = {}  # the symmetries that edges name, numbered

    def run(self) -> None:
        """Decide everything that can be reached from the start."""
        self._meet(Situation(self._claim.game.start, self._claim.depth, ()))
        if self._jobs == 1:  # no threads: a search in this process gains nothing from them
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
        """Store a decision, and put the positions that can follow on the list."""
        node = node._replace(left=here.left)  # children were listed with these plies less one
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

        If a symmetric one is on the list instead, the number of the symmetry that leads to it.
        """
        if self._claim.held_by_rules(here.position, here.left):
            return None
        key, images = packed(here.position), self._images(here.position)
        spot = min(images, default=key), here.left
        listed = self._met.get(spot)
        if listed is None:
            self._met[spot] = key
            self._waiting.append(here)
        elif listed != key:
            turn = self._turns[images.index(listed)]
            return self._used.setdefault(turn, len(self._used))
        return None

    def _images(self, position: Position) -> list[int]:
        return [packed(turned(position, turn)) for turn in self._turns]

    def strategy(self) -> Strategy:
        """The strategy of all decisions, fewest plies left first, so that children come first."""
        ordered = sorted(self.nodes.items(), key=lambda entry: (entry[0][1], entry[0][0]))
        return Strategy(self._claim, [node for _, node in ordered], tuple(self._used))


def hold_out(
    claim: Claim, evaluate: Evaluator, budget: Budget, most: float = inf
) -> dict[Position, Move | None] | None:
    """A closed set of positions in which the opponent never wins, with the owner's replies.

    The start is one of them. Every move of the opponent, and the owner's reply, leads to another
    one or to an end that the opponent has not won. Replies are tried only if, by `evaluate`, the
    opponent has no win within the claimed depth after them. None if the opponent wins after all,
    or if more than `most` positions would be needed.
    """
    start = Situation(claim.game.start, claim.depth, ())
    met, waiting, lost = {start.position: start}, [start], set[Position]()
    replies, came_from = dict[Position, Move | None](), dict[Position, set[Position]]()

    def ends(position: Position) -> float | None:
        return 0 if position in lost else claim.plies_by_rules(position)

    def holds(after: Situation) -> bool:
        plies = ends(after.position)
        if plies is None:
            return after.position in met or not evaluate(after).wins
        return plies == inf

    while waiting:
        budget.check()
        here = waiting.pop()
        position, moves = here.position, here.position.moves()
        followers = [here.after(move)._replace(left=claim.depth) for move in moves]
        if position.to_move is claim.owner:
            # To prefer positions that are known already keeps the set small.
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
    """The positions that can arise with these replies."""
    reachable, waiting = dict[Position, Move | None](), [claim.game.start]
    while waiting:
        position = waiting.pop()
        if position in reachable or claim.plies_by_rules(position) is not None:
            continue
        reply = reachable[position] = replies[position]
        moves = position.moves() if reply is None else (reply,)
        waiting += [position.game.result(position, move) for move in moves]
    return reachable


def whole_group(game: Game) -> tuple[Permutation, ...]:
    """The game's symmetries if they form a group that is not too large; else none.

    A play passes one symmetry after another, and their product must again be one of them.
    """
    symmetries = game.symmetries
    if len(symmetries) > LARGEST_GROUP:
        return ()
    listed = set(symmetries)
    whole = all(tuple(b[cell] for cell in a) in listed for a, b in product(symmetries, repeat=2))
    return symmetries if whole else ()
