"""Everything that could be fed to the checker: `make saturate SECONDS=1800`.

On games of a few cells every node is tried, on every board, reachable or not, with either player
to move, until nothing more is accepted. All that was accepted must be true by the oracle. Mutations
of right strategies look only near what is right; this looks everywhere.

Replies are tried one at a time, and then together: whether one is accepted does not depend on the
others. Of the nodes to which they may lead, those count that say most, and a few others.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import permutations, product
from math import inf

from bddl_models import random_bddl_game
from samples import (
    random_graph_game,
    random_hypergraph_game,
    random_links,
    random_misere_game,
)
from skolemate.games import Game, Player, Position, PositionalGame
from skolemate.games.family import build
from skolemate.games.game import Move, turns
from skolemate.games.goals import Sets
from skolemate.games.symmetry import cells_of
from skolemate.search.reference import Reference
from skolemate.strategies import Claim, Node
from skolemate.strategies.checker import Checker
from skolemate.strategies.claim import NotProved, packed
from skolemate.strategies.nodes import Pairs, Reply, virtual_connection
from skolemate.strategies.races import Dangers

# Stones of the owner's, of the opponent's, the bound, blank cells, and dangers.
Fact = tuple[int, int, float, int, Dangers]
UNFIT = 0.03  # of the replies that lead nowhere are tried all the same
OTHERS = 5  # nodes to lead to that say less than others, and as many with blank cells
OMITTING = 2  # times that the replies to a board are tried in another order
LINKS = 200  # lists of links for each game


class Saturation:
    """One claim, and all that the checker can be brought to accept about its game."""

    def __init__(
        self, claim: Claim, rng: random.Random, make: Callable[[Claim], Checker] = Checker
    ) -> None:
        self._claim, self._rng, self.checker = claim, rng, make(claim)
        size = claim.game.board.size
        boards = product((0, 1, 2), repeat=size)
        masks = [[sum(1 << c for c in range(size) if b[c] == k) for k in (1, 2)] for b in boards]
        masks.sort(key=lambda both: -(both[0] | both[1]).bit_count())
        self._boards = [
            Position(claim.game, black, white, mover) for black, white in masks for mover in Player
        ]
        self._matchings = list(matchings(range(size)))
        self._links = [random_links(rng, size) for _ in range(LINKS)]
        self._facts: dict[Fact, int] = {}  # what stands for other boards, and its node's number
        self._zones: list[Fact] = []  # those with blank cells
        self._best: list[Fact] = []  # of the others
        self._version = 0  # of the best
        self._replied: set[tuple[Position, int, int]] = set()
        self.fed: Counter[str] = Counter()
        self.accepted: Counter[str] = Counter()

    def run(self) -> None:
        """Feed everything until nothing new is accepted."""
        for permutation in permutations(range(self._claim.game.board.size)):
            self.fed["symmetry"] += 1
            with suppress(NotProved):
                self.checker.symmetry(permutation)
                self.accepted["symmetry"] += 1
        plies = range(1, self._claim.game.board.size + 2)
        if self._claim.game.horizon is not None:
            for left, position in product(plies, self._boards):
                self._feed_alone(position, left)
        known = -1
        while known != self._size():
            known = self._size()
            for left, position in product(plies, self._boards):
                self._feed(position, left)
        self._for_ever()

    def _size(self) -> int:
        return len(self.checker.proved) + len(self._facts)

    def falsehoods(self) -> Iterator[str]:
        """What was accepted, and is not true."""
        oracle, game = Reference(self._claim.player), self._claim.game
        for position in reachable(game):
            bound = self.checker.proved.get(packed(position))
            if bound is not None and not self._holds(oracle, position, bound):
                yield f"{self._claim} after {bound} plies here:\n{position}"
            if position.to_move is self._claim.owner.opponent and self._claim.monotone:
                own, enemy = self._claim.sides(position)
                for fact in self._facts:
                    stones, given, bound, blank, dangers = fact
                    covers = not stones & ~own and not enemy & ~given
                    covers = covers and self._slower(own, enemy | given & ~blank, dangers)
                    if covers and not self._holds(oracle, position, bound):
                        yield f"{self._claim}: {fact} stands for\n{position}"

    def _slower(self, own: int, enemy: int, dangers: Dangers) -> bool:
        """Whether each set of the opponent's lacks as many stones as its danger says."""
        goal = self._claim.game.goal(self._claim.owner.opponent)
        return not dangers or all(
            winning & own
            or (winning & ~enemy).bit_count() >= sum(sets >> number & 1 for sets in dangers)
            for number, winning in enumerate(goal.sets if isinstance(goal, Sets) else ())
        )

    def _holds(self, oracle: Reference, position: Position, bound: float) -> bool:
        game = self._claim.game
        if bound == inf and game.horizon is None:
            return position not in won_at_all(game, self._claim.player)
        plies = game.board.size + 1 if bound == inf else int(bound)
        return oracle.wins(position, plies) is self._claim.wins

    # --- nodes -----------------------------------------------------------------------------------

    def _feed(self, position: Position, left: int) -> None:
        """Every node about a board with so many plies left that rests on other nodes."""
        if not self._known(position, left):
            for node in self._moves(position, left):
                self._try("move" if node.move is not None else "turn", node)
        # Nothing new can come of the same replies.
        unlike = position, left, self._version
        if position.to_move is not self._claim.owner and unlike not in self._replied:
            self._replied.add(unlike)
            self._try_replies(position, left, 0)
            enemy = self._claim.sides(position)[1]
            for blank in {enemy, enemy & self._rng.getrandbits(self._claim.game.board.size)} - {0}:
                self._try_replies(position, left, blank)

    def _feed_alone(self, position: Position, left: int) -> None:
        """Every node that rests on itself alone."""
        for pairs in self._matchings:
            self._try("pairs", Node(position, left, pairs=pairs))
        path = self._claim.path
        if path is not None and left == 1:
            for links in self._links:
                # Lists that hold are rare, and others are refused at once.
                held = virtual_connection(path, *self._claim.sides(position), links)
                if held is not None or self._rng.random() < UNFIT:
                    for plies in range(1, self._claim.game.board.size + 2):
                        self._try("links", Node(position, plies, links=links))

    def _known(self, position: Position, left: int) -> bool:
        bound = self.checker.proved.get(packed(position))
        return bound is not None and (bound <= left if self._claim.wins else bound == inf)

    def _moves(self, position: Position, left: float) -> Iterator[Node]:
        """Every move, also those that are not legal, and none; symmetries behind all of them."""
        for move in (None, *self._numbers()):
            yield Node(position, left, move)
            yield Node(position, left, move, via=dict.fromkeys(self._numbers(), self._symmetry()))

    def _symmetry(self) -> int:
        """The number of some symmetry, or of none."""
        return self._rng.randrange(len(self.checker.symmetries) + 1)

    def _numbers(self) -> range:
        """Numbers of moves: cells, and one that is none."""
        moves = self._claim.game.start.moves()
        return range(max(self._claim.game.board.size, *moves, 0) + 2 if moves else 1)

    def _try_replies(self, position: Position, left: int, blank: int) -> None:
        own, enemy = self._claim.sides(position)
        leads = [None, *self._best, *self._sampled()]
        fitting = dict[Reply, float]()
        for move, fact in product(range(self._claim.game.board.size), leads):
            candidates = [Reply(move)]
            if fact is not None:
                stones, given, *_ = fact
                fits = not stones & ~(own | 1 << move) and not enemy & ~given
                number = self._facts[fact]
                candidates = [Reply(move, number), Reply(move, number, self._symmetry())]
                # Most nodes stand for other boards than this one, and are refused at once.
                if not fits and self._rng.random() > UNFIT:
                    continue
            for reply in candidates:
                node = Node(position, left, replies=(reply,), blank=blank)
                alone = self._try("blank" if blank else "replies", node)
                if alone is None or alone == "no reply answers this move":
                    fitting[reply] = inf if fact is None else fact[2]
        for least in (0, inf):
            replies = tuple(reply for reply, bound in fitting.items() if bound >= least)
            if not replies:
                continue
            node = Node(position, left, replies=replies, blank=blank)
            self._try("blank" if blank else "replies", node)
            for _ in range(OMITTING):  # in another order, with moves that are left to others
                size = self._claim.game.board.size
                omitting = (
                    reply._replace(omits=self._rng.getrandbits(size) & self._rng.getrandbits(size))
                    for reply in self._rng.sample(replies, len(replies))
                )
                kind = "blank, omitting" if blank else "omitting"
                self._try(kind, node._replace(replies=tuple(omitting)))

    def _note(self, fact: Fact, number: int) -> None:
        """Keep a fact; among the best are those than which no other says more: of fewer stones,
        with more given to the opponent, for a better bound.
        """
        sign = 1 if self._claim.wins else -1

        def says_more(one: Fact, other: Fact) -> bool:
            more = not one[0] & ~other[0] and not other[1] & ~one[1]
            return more and sign * one[2] <= sign * other[2]

        self._facts[fact] = number
        if fact[3]:
            self._zones.append(fact)
        elif not any(says_more(other, fact) for other in self._best):
            self._best = [other for other in self._best if not says_more(fact, other)] + [fact]
            self._version += 1

    def _sampled(self) -> list[Fact]:
        return [
            fact
            for facts in (list(self._facts), self._zones)
            for fact in self._rng.sample(facts, min(OTHERS, len(facts)))
        ]

    def _try(self, kind: str, node: Node) -> str | None:
        """Feed a node; why it was refused, if it was."""
        checker = self.checker
        self.fed[kind] += 1
        try:
            checker.node(node)
        except NotProved as refused:
            return str(refused.args[0])
        self.accepted[kind] += 1
        covering = checker.covering[-1]
        if covering is not None and node.position.to_move is not self._claim.owner:
            fact = (
                *self._claim.sides(covering.position),
                covering.bound,
                covering.blank,
                covering.dangers,
            )
            if fact not in self._facts:
                self._note(fact, len(checker.covering) - 1)
        return None

    # --- defences that go on for ever ------------------------------------------------------------

    def _for_ever(self) -> None:
        """The largest set of nodes without a limit of plies that lead to each other alone."""
        nodes = [n for position in self._boards for n in self._moves(position, inf) if not n.via]
        while True:
            self.checker.promised.clear()
            trial = self._copy()
            kept = list[tuple[Node, set[int]]]()
            for node in nodes:
                self.fed["for ever"] += 1
                trial.promised.clear()
                before = dict(trial.proved)
                with suppress(NotProved):
                    trial.node(node)
                    kept.append((node, set(trial.promised)))
                trial.proved = before  # what it rests on is told by the others
            there = {packed(node.position) for node, _ in kept}
            nodes = [node for node, promised in kept if promised <= there]
            if len(nodes) == len(kept):
                break
        self.accepted["for ever"] += len(nodes)
        for node in nodes:
            self.checker.node(node)
        assert not self.checker.promised, "what is left leads to itself alone"

    def _copy(self) -> Checker:
        copy = Checker(self._claim)
        copy.proved, copy.symmetries = dict(self.checker.proved), self.checker.symmetries
        return copy


def matchings(cells: Iterable[int]) -> Iterator[Pairs]:
    """All ways to pair some cells."""
    listed = list(cells)
    if not listed:
        yield ()
        return
    first, *rest = listed
    yield from matchings(rest)
    for other in rest:
        for further in matchings(cell for cell in rest if cell != other):
            yield ((first, other), *further)


def reachable(game: Game) -> set[Position]:
    """Every position that can arise."""
    found, waiting = {game.start}, [game.start]
    while waiting:
        position = waiting.pop()
        fresh = {position.play(move) for move in position.moves()} - found
        found |= fresh
        waiting += fresh
    return found


def won_at_all(game: Game, player: Player) -> set[Position]:
    """The positions in which a player can force a win at some depth: the least fixed point."""
    positions, oracle = reachable(game), Reference(player)
    won = {position for position in positions if oracle.wins(position, 1)}
    while True:
        grown = set(won)
        for position in positions - won:
            after = [position.play(move) for move in position.moves()]
            every = position.to_move is not player
            if after and (all if every else any)(one in won for one in after):
                grown.add(position)
        if grown == won:
            return won
        won = grown


# --- games ---------------------------------------------------------------------------------------


def _first_moves(game: PositionalGame, rng: random.Random, played: bool) -> PositionalGame:
    """The same game with a rule for the first move, which has perhaps been played."""
    open_cells = list(cells_of((1 << game.board.size) - 1 & ~game.origin.occupied))
    if not open_cells:
        return game
    bound = sum(1 << c for c in rng.sample(open_cells, rng.randint(1, len(open_cells))))
    ruled = replace(game, first_moves=bound)
    moves = ruled.start.moves()
    return ruled.after([rng.choice(moves)]) if played and moves else ruled


def _alternating(game: PositionalGame, rng: random.Random) -> PositionalGame:
    return replace(game, schedule=turns(game.board.size, first=rng.choice(list(Player))))


def _hex(rng: random.Random, size: int) -> Game:
    game = build(f"hex(size=2, first={rng.choice(['black', 'white'])})")
    position, moves = game.start, list[Move]()
    for _ in range(rng.randrange(3)):
        moves.append(rng.choice(position.moves()))
        position = position.play(moves[-1])
    return game.after(moves)


def _endless(rng: random.Random, size: int) -> Game:
    while True:
        game = random_bddl_game(rng)
        if game.board.size <= max(size, 3) and game.horizon is None:
            return game


def _sets(rng: random.Random, size: int, white: bool) -> PositionalGame:
    while True:
        game = _alternating(random_hypergraph_game(rng, size), rng)
        if (game.breaker is None) is white:
            return game


GAMES: dict[str, Callable[[random.Random, int], Game]] = {
    "Maker-Maker": lambda rng, size: _sets(rng, size, True),
    "Maker-Breaker": lambda rng, size: _sets(rng, size, False),
    "schedules": random_hypergraph_game,
    "misère": random_misere_game,
    "misère, first moves": lambda rng, size: _first_moves(
        random_misere_game(rng, size), rng, rng.random() < 0.5
    ),
    "first moves": lambda rng, size: _first_moves(
        _alternating(random_hypergraph_game(rng, size), rng), rng, False
    ),
    "first moves, played": lambda rng, size: _first_moves(
        _alternating(random_hypergraph_game(rng, size), rng), rng, True
    ),
    "paths": lambda rng, size: random_graph_game(rng, max(size, 3)),  # two cells have stones
    "paths, first moves": lambda rng, size: _first_moves(
        random_graph_game(rng, max(size, 3)), rng, rng.random() < 0.7
    ),
    "Hex": _hex,
    "endless": _endless,
}


def saturate(
    kind: str, rng: random.Random, size: int, make: Callable[[Claim], Checker] = Checker
) -> Saturation:
    """All about a random claim of a random game; raises AssertionError at what is false."""
    while True:
        game = GAMES[kind](rng, size)
        if game.start.winner is None and game.start.moves():
            break
    claim = Claim(game, rng.choice(list(Player)), game.board.size, rng.random() < 0.5)
    found = Saturation(claim, rng, make)
    found.run()
    for falsehood in found.falsehoods():
        raise AssertionError(f"{kind}, {claim.verdict}, {game!r}\n{falsehood}")
    return found


def main() -> None:
    seconds = float(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}, for {seconds:.0f} s", flush=True)
    rng, end = random.Random(seed), time.monotonic() + seconds
    games, fed, accepted = Counter[str](), Counter[str](), Counter[str]()
    try:
        while time.monotonic() < end:
            kind = min(GAMES, key=lambda kind: games[kind])
            found = saturate(kind, rng, rng.choice([2, 3, 3, 4, 4, 4, 5]))
            games[kind] += 1
            fed += found.fed
            accepted += found.accepted
    finally:
        print("claims:", ", ".join(f"{kind} {count:,}" for kind, count in games.items()))
        for kind, count in fed.items():
            print(f"{kind}: {count:,} fed, {accepted[kind]:,} accepted")
    print("Everything that was accepted is true.")


if __name__ == "__main__":
    main()
