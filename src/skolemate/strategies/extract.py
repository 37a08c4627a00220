"""Extraction of a strategy: a method is asked about one position of the game after another.

`extract` at the end is the entry. Where stones only help (`Claim.monotone`), `Prover` builds a
proof in which one node covers many positions; in all other games `deciding.Walk` visits every
position.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import reduce
from itertools import accumulate, combinations, islice
from math import inf
from operator import or_
from typing import NamedTuple

from skolemate.errors import Disagreement
from skolemate.games.game import Move, Player, Position
from skolemate.games.goals import Connection, Goal, Sets
from skolemate.games.symmetry import (
    CellMap,
    Permutation,
    cells_of,
    composed,
    flood,
    inverse,
    mask_of,
    move_mask,
)
from skolemate.limits import Budget, OutOfBudget, Reason
from skolemate.output import amount
from skolemate.strategies import deciding
from skolemate.strategies.claim import Claim
from skolemate.strategies.library import Library, Needs
from skolemate.strategies.lines import Journal
from skolemate.strategies.nodes import Links, Node, Pairs, Reply, virtual_connection
from skolemate.strategies.races import Answer
from skolemate.strategies.strategy import Strategy

# --- chains ---------------------------------------------------------------------------------------
# A chain is a row of groups of own stones from border to border, each joined to the next by a pair
# of open cells: the owner answers within the pairs. The search is cut off; to miss a chain is never
# wrong.


STEPS = 300  # groups entered for one position
CHOICES = 3  # pairs tried between the same two groups


class Chains:
    """Finds chains for one player's goal."""

    def __init__(self, goal: Connection) -> None:
        self._goal = goal
        self._everything = (1 << len(goal.neighbours)) - 1

    def find(self, own: int, enemy: int, most: int) -> Pairs | None:
        """At most `most` pairs that, with the stones, join the borders; None if none were found."""
        search = _ChainSearch(self._goal, own, self._everything & ~(own | enemy))
        return search.chain(self._goal.beside(self._goal.start, own), 0, 0, most)


class _ChainSearch:
    """Depth first, from one border to the other, through each group once."""

    def __init__(self, goal: Connection, own: int, open_cells: int) -> None:
        self._far, self._end = goal.beside(goal.end, own) & open_cells, goal.end
        self._steps = STEPS
        self._groups: list[tuple[int, int]] = []  # stones, and the open cells around them
        own &= ~flood(goal.neighbours, goal.start, own)
        while own:
            group = flood(goal.neighbours, own & -own, own)
            self._groups.append((group, goal.around(group) & open_cells))
            own &= ~group

    def chain(self, near: int, entered: int, used: int, most: int) -> Pairs | None:
        """The pairs of a chain to the end border, from a group with the open cells `near` it."""
        self._steps -= 1
        if self._steps < 0 or most < 1:
            return None
        for pair in combinations(cells_of(near & self._far & ~used), 2):
            return (pair,)
        for number, (group, around) in enumerate(self._groups):
            if entered >> number & 1 or group & self._end:
                continue
            for a, b in islice(combinations(cells_of(near & around & ~used), 2), CHOICES):
                now = used | 1 << a | 1 << b
                rest = self.chain(around, entered | 1 << number, now, most - 1)
                if rest is not None:
                    return ((a, b), *rest)
        return None


# --- proofs where stones only help ----------------------------------------------------------------
# A node has the stones and cells that its proof needs, and gives every other cell to the opponent.
# So one reply answers all moves outside its cells, and a proof is used again in every position
# that meets its needs.


FEW_STONES = 4  # placed since the start; with more, none of many symmetries is searched for
MANY_SYMMETRIES = 16
MANY_NODES = 1000  # of a method's own proof: smaller ones are found again, with cards


Replies = tuple[Reply, ...]
Linker = Callable[[Position, int], Links]  # links on the opponent's turn, for the plies left


class Proved(NamedTuple):
    """A node found by a method itself: its needs, and pairs or replies.

    A reply is a move, the number of an earlier node (None: the move meets the owner's goal), and
    the symmetry that takes that node to its place.
    """

    needs: Needs
    pairs: Pairs | None
    replies: tuple[tuple[Move, int | None, Permutation], ...]


# A whole proof of a position on the opponent's turn, children first, within the plies left. It may
# use these symmetries. Empty: there is none of this kind.
Extractor = Callable[[Position, int, Sequence[Permutation]], Sequence[Proved]]


class Answering(NamedTuple):
    """A reply, the needs of the proof that it leads to, and the moves that it answers."""

    reply: Reply
    needs: Needs
    moves: int


class Prover:
    """Proves a claim from the start; the nodes come out children first."""

    def __init__(
        self,
        claim: Claim,
        decider: deciding.Decider,
        journal: Journal | None,
        budget: Budget,
        tell: deciding.Tell | None,
        linker: Linker | None,
        extractor: Extractor | None,
    ) -> None:
        self._linker = linker if claim.path is not None else None
        self._extractor = extractor
        self._claim, self._decider, self._journal = claim, decider, journal
        self._budget, self._tell = budget, tell
        self._identity = tuple(range(claim.game.board.size))
        others = (turn for turn in deciding.whole_group(claim.game) if turn != self._identity)
        self._turns = (self._identity, *others)
        self._whole = (1 << claim.game.board.size) - 1
        self._chains = None if claim.path is None else Chains(claim.path)
        self.nodes: list[Node] = []
        self._races = claim.races if claim.wins else None
        goal = self._goal(claim.owner)
        sets = goal.sets if isinstance(goal, Sets) and claim.wins else ()
        self._motions = claim.game.board.motions if sets else ()
        self._library = Library(claim.game.board.size, claim.wins, self._races, self._motions, sets)
        self._met: dict[tuple[int, int, int], int] = {}
        self._mattered: Counter[int] = Counter()  # how often a proof needed a cell
        self._unanswered: list[int] = []  # at each turn on the way here: moves without a reply

    def run(self) -> None:
        """Prove the claim. Questions are asked one by one, since each answer saves many others."""
        start = deciding.Situation(self._claim.game.start, self._claim.depth, ())
        if self._claim.held_by_rules(start.position, start.left) is not None:
            return
        if start.position.to_move is not self._claim.owner:
            self._exactly(start)
            return
        node = self._decide(start)
        if node.move is not None:
            after = start._replace(left=int(node.left)).after(node.move)
            if self._claim.held_by_rules(after.position, after.left) is None:
                self._exactly(after)
        self.nodes.append(node)

    def strategy(self) -> Strategy:
        """The strategy of the last node and of all nodes that it needs."""
        used = [False] * len(self.nodes)
        roots = 2 if self.nodes and self.nodes[-1].move is not None else 1
        used[-roots:] = [True] * len(used[-roots:])
        for place in reversed(range(len(used))):
            for reply in self.nodes[place].replies if used[place] else ():
                if reply.node is not None:
                    used[reply.node] = True
        kept = [node for node, needed in zip(self.nodes, used, strict=True) if needed]
        maps, numbers = self._needed_maps(kept)
        places = list(accumulate(used, initial=0))

        def renumbered(reply: Reply) -> Reply:
            if reply.node is None:
                return reply
            via = None if reply.via is None else numbers[reply.via]
            return reply._replace(node=places[reply.node], via=via)

        nodes = [node._replace(replies=tuple(map(renumbered, node.replies))) for node in kept]
        return Strategy(self._claim, nodes, maps)

    def _needed_maps(self, nodes: Sequence[Node]) -> tuple[tuple[CellMap, ...], dict[int, int]]:
        """The symmetries that these nodes name, and then the maps; and the new numbers of all.

        A map keeps only the cells of the nodes that it is for.
        """
        cells = dict[int, int]()
        for node in nodes:
            for _, then, via, _ in node.replies:
                if then is not None and via is not None:
                    cells[via] = cells.get(via, 0) | self._library[then].cells
        named = self._library.maps
        ordered = sorted(cells, key=lambda via: (None in named[via], via))
        maps = (
            tuple(
                cell if None not in named[via] or cells[via] >> c & 1 else None
                for c, cell in enumerate(named[via])
            )
            for via in ordered
        )
        return tuple(maps), {via: number for number, via in enumerate(ordered)}

    def _decide(self, here: deciding.Situation) -> Node:
        known = None if self._journal is None else self._journal.known(here.position, here.left)
        node = known or self._decider.decide(here)
        if self._journal is not None and node.move is not None:
            self._journal.note(node._replace(left=here.left))
        return node

    def _exactly(self, here: deciding.Situation) -> None:
        """Prove a position on the opponent's turn by a node about exactly that position."""
        number = self._extracted(here)
        if number is None:
            number = self._turn(here)
        exact = self.nodes[number]._replace(position=here.position, left=here.left, blank=0)
        self.nodes[number] = exact

    def _extracted(self, here: deciding.Situation) -> int | None:
        """The number of the last node of a whole proof, if the method has one."""
        if self._extractor is None:
            return None
        proofs = self._extractor(here.position, here.left, self._turns)
        if self._motions and len(proofs) < MANY_NODES:
            return None
        number = None
        for needs, pairs, replies in proofs:
            named = tuple(
                Reply(move, node, None if node is None else self._library.via(turn))
                for move, node, turn in replies
            )
            number = self._add(needs, pairs=pairs, replies=named, card=False)
        return number

    def _turn(self, here: deciding.Situation) -> int:
        """The number of a node that proves a position in which the opponent is to move."""
        self._budget.check()
        own, enemy = self._claim.sides(here.position)
        key = own, enemy, here.left
        if key not in self._met:
            self._met[key] = self._proved(here, own, enemy)
        return self._met[key]

    def _proved(self, here: deciding.Situation, own: int, enemy: int) -> int:
        pairs = self._pairs(here)
        if pairs is not None:
            return self._add(self._paired(pairs, own, enemy, here.left), pairs=pairs)
        links = () if self._linker is None else self._linker(here.position, here.left)
        if links:
            return self._add(self._linked(links, own, enemy), links=links)
        return self._replies(here, own, enemy)

    def _replies(self, here: deciding.Situation, own: int, enemy: int) -> int:
        """Find replies to the opponent's moves, one after another, until every move is answered.

        The first move is on a cell that proofs have hardly ever needed. It is nearly a pass, so
        the reply to it is good against most other moves, too.
        """
        open_cells = unanswered = self._whole & ~(own | enemy)
        turns, answers = self._fixing(own, enemy), list[Answering]()
        while unanswered:
            asked = min(cells_of(unanswered), key=self._mattered.__getitem__)
            self._unanswered.append(unanswered)
            move, number, first = self._answer(here.after(asked))
            self._unanswered.pop()
            for then in turns:
                where = composed(then, first)
                if number is None:
                    needs, omits = self._met_at_once(own, then[move]), 0
                else:
                    needs, omits = self._image(number, where, own | 1 << then[move], enemy)
                moves = open_cells & ~(needs.cells | 1 << then[move] | omits)
                if unanswered & moves:
                    via = self._library.via(where) if number is not None else None
                    reply = Reply(then[move], number, via, omits)
                    answers.append(Answering(reply, needs, moves))
                    unanswered &= ~moves
        answers = _necessary(answers, open_cells)
        stones = cells = 0
        for (move, *_), needs, _ in answers:
            stones, cells = stones | needs.stones & ~(1 << move), cells | needs.cells | 1 << move
        # A cell that all replies need must have the owner's stone already.
        stones |= own & ~reduce(or_, (self._whole & ~one.needs.cells for one in answers))
        slowest = max if self._claim.wins else min
        plies = min(slowest(one.needs.plies for one in answers) + 2, self._claim.depth)
        if self._races is None:
            stones, cells = self._unthreatened(own, enemy, stones, cells)
            needs = Needs(stones, cells, plies, self._whole & ~cells)
            return self._add(needs, replies=tuple(one.reply for one in answers))
        needs, replies = self._racing(answers, own, enemy, Needs(stones, cells, plies))
        return self._add(needs, replies=replies)

    def _image(self, number: int, where: CellMap, own: int, enemy: int) -> tuple[Needs, int]:
        """The image of a proof that covers a position, and the moves that would endanger it."""
        needs = self._library.image(number, where)
        if self._races is None:
            return needs, 0
        return needs, self._races.endangered(needs.dangers, own, enemy | needs.against)

    def _racing(
        self, answers: list[Answering], own: int, enemy: int, needs: Needs
    ) -> tuple[Needs, Replies]:
        """The needs with their dangers, and the replies with the moves that each must omit.

        As few as possible of the opponent's stones are taken into account: those in sets that
        would otherwise seem to be too near.
        """
        assert self._races is not None, "the opponent has winning sets"
        against = 0
        while True:
            replies, counted = list[Reply](), list[Answer]()
            unanswered = self._whole & ~(needs.stones | against)
            for reply, then, _ in answers:
                moves = unanswered & ~(then.cells | 1 << reply.move)
                replies.append(reply._replace(omits=reply.omits & moves))
                moves &= ~reply.omits
                unanswered &= ~moves
                if reply.node is not None:
                    counted.append(Answer(reply.move, moves, then.against, then.dangers))
            zone = needs.cells & ~needs.stones
            dangers = self._races.dangers(needs.stones, zone, against, counted)
            near = self._races.too_near(dangers, own, enemy | against) & enemy & ~against
            if not near:
                return needs._replace(against=against, dangers=dangers), tuple(replies)
            against |= near

    def _answer(self, here: deciding.Situation) -> tuple[Move, int | None, CellMap]:
        """The owner's move; the node that proves the position after it, and where it is moved.

        No node is needed where the move meets the owner's goal.
        """
        own, enemy = self._claim.sides(here.position)
        for cell in cells_of(self._claim.by_one(self._claim.owner, own) & ~enemy):
            return cell, None, self._identity
        for turn in self._turns if self._folds(own | enemy) else (self._identity,):
            mine, other, waiting = (
                move_mask(turn, cells) for cells in (own, enemy, self._unanswered[-1])
            )
            entry = self._library.find(mine, other, here.left - 1, waiting)
            if entry is not None:
                back = inverse(turn)
                stone = move_mask(back, entry.needs.stones) & ~own
                move = stone.bit_length() - 1 if stone else here.position.moves()[0]
                return move, entry.node, composed(back, entry.where)
        node = self._decide(here)
        reply = node.move
        if reply is None:
            cells = [cell for pair in node.pairs or () for cell in pair]
            reply = next(iter(cells), here.position.moves()[0])
        after = here._replace(left=int(node.left)).after(reply)
        return reply, self._turn(after), self._identity

    def _pairs(self, here: deciding.Situation) -> Pairs | None:
        if self._chains is not None:
            most = here.left // 2 if self._claim.wins else self._whole.bit_count()
            chain = self._chains.find(*self._claim.sides(here.position), most)
            if chain is not None:
                return chain
        return None if self._claim.wins else self._decide(here).pairs

    def _paired(self, pairs: Pairs, own: int, enemy: int, left: int) -> Needs:
        """The needs of a proof by pairs, reduced by giving the opponent one cell after another."""
        paired = mask_of(cell for pair in pairs for cell in pair)
        stones, cells, depth = own, self._whole & ~enemy, self._claim.depth
        plies = 2 * len(pairs) if self._claim.wins else depth
        holds = self._spoils(pairs, self._whole.bit_count())
        if not holds(stones, cells):
            plies, holds = left, self._spoils(pairs, (left + 1) // 2)
        # Moves on cells that are not needed are answered: begin with those still unanswered.
        for cell in sorted(cells_of(cells & ~paired), key=self._worth):
            fewer, given = stones & ~(1 << cell), cells & ~(1 << cell)
            # At least one cell of a node must be open.
            if given & ~fewer and holds(fewer, given):
                stones, cells = fewer, given
        return Needs(stones, cells, plies)

    def _linked(self, links: Links, own: int, enemy: int) -> Needs:
        """The needs of a proof by links, reduced by leaving out one stone after another."""
        path, stones = self._claim.path, own
        assert path is not None, "a linker is for paths"
        joined = virtual_connection(path, own, enemy, links, every_way=True)
        assert joined is not None, "the engine's links hold"
        for cell in sorted(cells_of(own), key=self._worth):
            fewer = stones & ~(1 << cell)
            given = self._whole & ~(fewer | joined.carrier)
            if virtual_connection(path, fewer, given, links, every_way=True) == joined:
                stones = fewer
        plies = joined.carrier.bit_count() if self._claim.wins else self._claim.depth
        return Needs(stones, stones | joined.carrier, plies)

    def _worth(self, cell: int) -> tuple[int, int]:
        waiting = sum(moves >> cell & 1 for moves in self._unanswered)
        return -waiting, self._mattered[cell]

    def _spoils(self, pairs: Pairs, most: int) -> Callable[[int, int], bool]:
        """A test whether the pairs prove the claim with given stones and given free cells.

        The opponent places at most `most` stones.
        """
        path, goal = self._claim.path, self._goal(self._claim.player)
        if path is not None and (pairs or self._claim.wins):
            return lambda stones, _: path.met_by_pairs(stones, pairs)
        if isinstance(goal, Sets):
            goal = goal.without(pairs)
        return lambda stones, cells: (
            goal is not None and goal.within_reach(self._whole & ~cells, stones, (), most) is None
        )

    def _met_at_once(self, own: int, move: Move) -> Needs:
        goal = self._goal(self._claim.owner)
        needed = (goal.witness(own | 1 << move) if goal is not None else None) or 0
        return Needs(needed, needed, 0 if self._claim.wins else self._claim.depth)

    def _unthreatened(self, own: int, enemy: int, stones: int, cells: int) -> tuple[int, int]:
        """Add needs until the opponent, who owns all other cells, cannot win by one stone.

        Every winning set must then contain a stone of the owner, or two cells that are needed.
        """
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

    def _add(
        self,
        proof: Needs,
        *,
        pairs: Pairs | None = None,
        replies: Replies = (),
        links: Links = (),
        card: bool = True,
    ) -> int:
        """Add a node; as a card it may be used elsewhere, too."""
        for cell in cells_of(proof.cells):
            self._mattered[cell] += 1
        own, enemy = proof.stones, self._whole & ~proof.cells
        blank = enemy & ~proof.against if self._races is not None else 0
        stones = (own, enemy) if self._claim.owner is Player.BLACK else (enemy, own)
        position = Position(self._claim.game, *stones, self._claim.owner.opponent)
        node = Node(position, proof.plies, pairs=pairs, replies=replies, links=links, blank=blank)
        self.nodes.append(node)
        if self._tell is not None:
            self._tell(len(self.nodes))
        return self._library.add(proof, replies if card else ())

    def _fixing(self, own: int, enemy: int) -> list[Permutation]:
        """The symmetries that leave these stones in place, the identity first."""
        if not self._folds(own | enemy):
            return [self._identity]
        both = own, enemy
        return [t for t in self._turns if (move_mask(t, own), move_mask(t, enemy)) == both]

    def _folds(self, occupied: int) -> bool:
        """Whether symmetries are worth their time in a position with these stones."""
        placed = (occupied & ~self._claim.game.start.occupied).bit_count()
        return placed <= FEW_STONES or len(self._turns) < MANY_SYMMETRIES

    def _goal(self, player: Player) -> Goal | None:
        return self._claim.game.goal(player)


def _necessary(answers: list[Answering], moves: int) -> list[Answering]:
    """Leave out replies whose moves others answer too, those with the most needed cells first."""
    for one in sorted(answers, key=lambda answer: -answer.needs.cells.bit_count()):
        others = [other for other in answers if other is not one]
        if others and not moves & ~reduce(or_, (other.moves for other in others)):
            answers = others
    return answers


# --- extraction -----------------------------------------------------------------------------------


REACH = 3  # plies that are searched instead of asked about; more would cost as much as a solver


class Unfinished(Exception):
    """A limit was reached; with a file, the next call goes on from the decisions so far."""

    def __init__(self, reason: Reason, detail: str | None, nodes: int) -> None:
        size = amount(nodes, "node")
        super().__init__(f"the strategy is not finished ({reason.value}), {size} so far")
        self.reason, self.detail, self.nodes = reason, detail, nodes


def extract(
    claim: Claim,
    evaluate: deciding.Evaluator,
    *,
    file: str | None = None,
    jobs: int = 1,
    fold: bool = False,
    reach: int = REACH,
    budget: Budget | None = None,
    tell: deciding.Tell | None = None,
    linker: Linker | None = None,
    extractor: Extractor | None = None,
    for_ever: bool = False,
) -> Strategy:
    """A checked strategy that proves a claim.

    claim: what to prove; some method has answered that it holds.
    evaluate: answers whether the claim's player wins in a situation.
    file: where the strategy is saved. Decisions are kept beside it until it is complete, so that
        the next call goes on after an interruption.
    jobs: how many questions are asked at a time (not where stones only help: there each answer
        saves many questions).
    fold: whether symmetric positions share a node (where stones only help, they always may).
    reach: with at most so many plies left, positions are searched instead of asked about.
    budget: limits on time and memory.
    tell: is called with the number of nodes so far.
    linker: finds links that prove a position at once.
    extractor: finds a whole proof, where stones only help.
    for_ever: prove the claim for every depth, in a game that may go on for ever.

    Raises Unfinished when the budget is used up or `evaluate` has no answer.
    """
    budget = budget or Budget()
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(claim, file)) if file is not None else None
        decider = deciding.Decider(claim, evaluate, reach)
        work: Prover | deciding.Walk
        # A prover plays on until the plies or the open cells run out; turns may end before both.
        turns = len(claim.game.turns_ahead or ())
        if claim.monotone and turns >= min(claim.depth, claim.longest):
            work = Prover(claim, decider, journal, budget, tell, linker, extractor)
        else:
            work = deciding.Walk(claim, decider, journal, budget, tell, fold=fold, jobs=jobs)
        try:
            with budget.heeded():
                replies = deciding.hold_out(claim, evaluate, budget) if for_ever else None
                if replies is None:
                    work.run()
                    strategy = work.strategy()
                else:
                    nodes = [Node(at, inf, move) for at, move in replies.items()]
                    strategy = Strategy(claim, nodes)
                report = strategy.check()
        except OutOfBudget as out:
            raise Unfinished(out.reason, None, len(work.nodes)) from None
        except deciding.Undecided as undecided:
            raise Unfinished(undecided.reason, undecided.detail, len(work.nodes)) from None
        if not report.holds:
            raise Disagreement(f"{claim}, it was said; but the strategy fails: {report.failure}")
        if journal is not None and file is not None:
            strategy.save(file)
            journal.done()
    return strategy
