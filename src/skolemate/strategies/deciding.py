"""What the owner does at one position of which the claim is known to hold.

The rules, a short look ahead and pairings settle what they can. Only then somebody is asked, and
the last move that is left needs no question: one of them must be right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import combinations, islice, product
from math import inf
from typing import NamedTuple

from skolemate.errors import Disagreement
from skolemate.games.game import Game, Move, Position
from skolemate.games.goals import Connection, Sets
from skolemate.games.symmetry import Permutation, cells_of
from skolemate.limits import Budget, Reason
from skolemate.strategies.claim import Claim, packed, turned
from skolemate.strategies.lines import Journal
from skolemate.strategies.nodes import Node, Pairs
from skolemate.strategies.strategy import Strategy

# --- pairings -------------------------------------------------------------------------------------
# Looking for a pairing: disjoint pairs of open cells that spoil every set of the asker's.
#
# Whether there is one is a hard question in general; small games answer it at once, and a
# search that takes too long finds none, which is always right.


STEPS = 500  # pairs tried for one position
MOST_TRIED = 5  # moves after which pairs are looked for


class Pairings:
    """Finds pairings for the opponent of the one who asks, where they prove anything."""

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._goal = claim.game.goal(claim.player)

    def find(self, position: Position, left: int) -> Pairs | None:
        """Pairs that prove that there is no win within the plies left, if some are found."""
        threats = self._threats(position, left)
        if threats is None:
            goal, stones = self._goal, self._claim.stones_ahead(position, left)
            if self._claim.wins or goal is None or stones is None:
                return None
            owner, asker = self._claim.sides(position)
            return () if goal.within_reach(asker, owner, (), stones) is None else None
        if any(cells.bit_count() < 2 for cells in threats):
            return None
        return _Search(_minimal(threats)).pairs()

    def promising(self, position: Position, left: int) -> list[Move]:
        """The owner's moves after which it is worth looking for pairs: those that spoil most."""
        if isinstance(self._goal, Connection):
            return list(position.moves())  # it does not take long
        through = Counter[int]()
        for cells in self._threats(position, left) or ():
            through.update(cells_of(cells))
        return [move for move, _ in through.most_common(MOST_TRIED)]

    def _threats(self, position: Position, left: int) -> set[int] | None:
        """The open cells of each set that can be completed in time, where there are sets."""
        stones = None if self._claim.wins else self._claim.stones_ahead(position, left)
        if stones is None or not isinstance(self._goal, Sets):
            return None
        owner, asker = self._claim.sides(position)
        open_sets = {winning & ~asker for winning in self._goal.sets if not winning & owner}
        return {cells for cells in open_sets if cells.bit_count() <= stones}


def _minimal(sets: set[int]) -> list[int]:
    """The sets that contain no other."""
    found: list[int] = []
    for cells in sorted(sets, key=int.bit_count):
        if not any(cells & smaller == smaller for smaller in found):
            found.append(cells)
    return found


class _Search:
    """Backtracking: the set with the fewest pairs left is spoilt first."""

    def __init__(self, sets: list[int]) -> None:
        self._sets = sets
        self._steps = STEPS

    def pairs(self) -> Pairs | None:
        chosen = self._spoil(self._sets, 0)
        return None if chosen is None else tuple(sorted(chosen))

    def _spoil(self, sets: list[int], used: int) -> list[tuple[int, int]] | None:
        if not sets:
            return []
        tightest = min(sets, key=lambda cells: (cells & ~used).bit_count())
        pairs = [(1 << a | 1 << b, (a, b)) for a, b in combinations(cells_of(tightest & ~used), 2)]
        rest = {mask: [s for s in sets if s & mask != mask] for mask, _ in pairs}
        for mask, pair in sorted(pairs, key=lambda found: len(rest[found[0]])):
            self._steps -= 1
            if self._steps < 0:
                return None
            further = self._spoil(rest[mask], used | mask)
            if further is not None:
                return [pair, *further]
        return None


# --- deciding -------------------------------------------------------------------------------------


# --- looking ahead --------------------------------------------------------------------------------
# The last plies of a game by trying them: cheaper than any question to a solver.


def wins_within(claim: Claim, position: Position, left: int) -> bool:
    """Whether the one who asks wins within very few plies; nothing is remembered.

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


# --- deciding -------------------------------------------------------------------------------------


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


# --- walking --------------------------------------------------------------------------------------
# Extraction from any game: every position that can arise while the owner follows his replies.
#
# Each is met once, whichever way the game comes there. Workers decide positions; one thread keeps
# the books, so nothing is locked.


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
