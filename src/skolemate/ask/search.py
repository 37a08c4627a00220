"""The native engine and the oracle as methods that answer questions."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import starmap
from os import cpu_count, sysconf

from skolemate.ask.kept import KeptTables
from skolemate.ask.method import Answer, Verdict, breakers_answer
from skolemate.errors import UserError
from skolemate.games.game import Game, Move, Player, Position, Question
from skolemate.games.goals import Sets
from skolemate.games.symmetry import Permutation
from skolemate.limits import Budget, Limit, OutOfBudget, Reason
from skolemate.search.engine import (
    LEAST,
    MOST_CELLS,
    QUICK,
    TABLE_BYTES,
    Engine,
    Finding,
    RawLink,
)
from skolemate.search.reference import Reference
from skolemate.strategies.claim import Claim
from skolemate.strategies.deciding import (
    Evaluation,
    Evaluator,
    Pairings,
    Situation,
    Undecided,
    hold_out,
)
from skolemate.strategies.extract import Extractor, Linker, Proved
from skolemate.strategies.library import Needs
from skolemate.strategies.nodes import Link, Links, Point, Way

# --- the oracle -----------------------------------------------------------------------------------


def reference(question: Question, budget: Budget | None = None) -> Answer:
    """Answer from the definitions, with all winning first moves."""
    budget = Budget.within(budget)
    return _answer(question, Reference(question.player, budget.check), budget)


class Remembering:
    """The same method for one player, which keeps its results from one question to the next.

    All questions together have one budget. `oracle` answers about any position.
    """

    def __init__(self, player: Player, budget: Budget) -> None:
        self.oracle = Reference(player, budget.check)

    def __call__(self, question: Question, budget: Budget | None = None) -> Answer:
        return _answer(question, self.oracle, Budget.within(budget))


def _answer(question: Question, oracle: Reference, budget: Budget) -> Answer:
    start, depth = question.game.start, question.depth
    # The recursion needs two frames for each ply.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 1000 + 3 * depth))
    verdict, reason, moves, for_ever = Verdict.UNKNOWN, None, None, False
    try:
        won = oracle.wins(start, depth)
        verdict = Verdict.WIN if won else Verdict.NO_WIN
        moves = _first_moves(oracle, question) if won else None
        if not won:
            for_ever = question.reaches_horizon or oracle.never_wins(start, depth)
    except OutOfBudget as out:
        reason = out.reason if verdict is Verdict.UNKNOWN else None
    return Answer(
        game=question.game,
        player=question.player,
        depth=depth,
        verdict=verdict,
        reason=reason,
        refuted_depth=depth if verdict is Verdict.NO_WIN else None,
        every_depth=for_ever,
        first_move_numbers=moves,
        first_moves_complete=moves is not None,
        method="reference",
        wall_seconds=budget.wall_seconds,
        cpu_seconds=budget.cpu_seconds,
        peak_bytes=budget.peak_bytes,
    )


def _first_moves(oracle: Reference, question: Question) -> tuple[Move, ...] | None:
    """All winning first moves, if the player is to move."""
    if not question.has_first_moves:
        return None
    return tuple(oracle.winning_moves(question.game.start, question.depth))


# --- pairs ----------------------------------------------------------------------------------------
# On a board that is too large for the engine, pairs at the start may block both players.


@lru_cache(maxsize=4)
def needs_no_engine(game: Game) -> bool:
    """Whether the board is too large for the engine, but pairs settle the game."""
    return game.board.size > MOST_CELLS and settled_by_pairs(game)


def settled_by_pairs(game: Game) -> bool:
    """Whether pairs at the start show that no player but a Breaker ever wins, without any search.

    >>> from skolemate.games.family import build
    >>> settled_by_pairs(build("cube(n=8, d=3)")), settled_by_pairs(build("cube(n=7, d=3)"))
    (True, False)
    """
    start, horizon = game.start, game.horizon
    if horizon is None:
        return False
    makers = [player for player in Player if player is not game.breaker]
    claims = [Claim(game, player, horizon, wins=False) for player in makers]
    return all(Pairings(claim).find(start, horizon) is not None for claim in claims)


# --- the engine -----------------------------------------------------------------------------------
# The native engine as a method: an answer in milliseconds where formulas need hours.


SOON = 9  # plies: quicker wins are searched for first
HELD = 200  # the least limit on the positions of a defence without end
HOLDING = 1000  # searched positions that take as long as one of such a defence
EASILY = 1000  # positions: the limit for each other number of plies
AT_THE_START = 5.0  # seconds to search for a quicker win at the start

Asking = Callable[[Engine, Question, Budget], Finding]


def _at_depth(engine: Engine, question: Question, budget: Budget) -> Finding:
    return engine.ask(question.game.start, question.depth, budget)


def _at_sight(engine: Engine, question: Question, budget: Budget) -> Finding:
    found = None
    if engine.asks_who:
        found = engine.try_to(question.game.start, question.depth, budget, LEAST)
    if found is None:
        raise OutOfBudget(Reason.DEPTH)
    return found


@dataclass
class Search:
    """The method; engines are kept with their transposition tables for the next question."""

    all_moves: bool = False
    jobs: int | None = None
    both: bool = False  # both players are asked about: their tables share the memory
    kept: KeptTables | None = None  # the file of the tables, about one game
    _engines: dict[Player, tuple[Game, Engine]] = field(default_factory=dict, repr=False)

    def __call__(self, question: Question, budget: Budget | None = None) -> Answer:
        """Answer by search; with `all_moves` the answer has every winning first move."""
        return self._answer(question, budget, self._first_at_sight)

    def within(self, question: Question, budget: Budget) -> Answer:
        """The same for deepening, which itself asks who wins in the end."""
        return self._answer(question, budget, _at_depth)

    def at_sight(self, question: Question, budget: Budget) -> Answer:
        """The same if a few positions suffice, else UNKNOWN; only where it is asked who wins."""
        return self._answer(question, budget, _at_sight)

    def _answer(self, question: Question, budget: Budget | None, ask: Asking) -> Answer:
        if question.game.breaker is question.player:
            whole = replace(self, all_moves=False)
            return breakers_answer(whole, "search", question, budget)
        budget, engine = Budget.within(budget), None
        answer = Answer(
            question.game, question.player, question.depth, Verdict.NO_WIN, method="search"
        )
        try:
            with budget.heeded():
                if needs_no_engine(question.game):
                    return replace(answer, refuted_depth=question.depth, every_depth=True)
                engine = self.engine(question.game, question.player, budget.limit)
                found = ask(engine, question, budget)
        except OutOfBudget as out:
            unknown = Verdict.UNKNOWN
            answer = replace(answer, verdict=unknown, reason=out.reason, detail=out.detail)
        else:
            answer = self._completed(answer, found, engine, question, budget)
        return replace(
            answer,
            positions=None if engine is None else engine.visited,
            wall_seconds=budget.wall_seconds,
            cpu_seconds=budget.cpu_seconds,
            peak_bytes=budget.peak_bytes,
        )

    def _first_at_sight(self, engine: Engine, question: Question, budget: Budget) -> Finding:
        """What is not seen at once may be easy at full depth, where it is only asked who wins."""
        start, horizon = question.game.start, question.game.horizon
        if horizon is None or not engine.asks_who:
            return engine.ask(start, question.depth, budget)
        found = engine.try_to(start, question.depth, budget, LEAST)
        if found is None or not (found.won or found.for_ever):
            in_the_end = engine.foresee(start, horizon, budget, 1 if found else QUICK)
            if in_the_end is not None and not in_the_end.won:
                return in_the_end
        return found or engine.ask(start, question.depth, budget)

    def foreseen(self, question: Question, budget: Budget) -> Answer | None:
        """The answer at the end, if it takes no more effort than all that was asked before.

        None also if the player has no win by then, but may have one later.
        """
        if question.game.breaker is question.player:
            return None  # nothing is decided for the Breaker sooner
        try:
            engine = self.engine(question.game, question.player, budget.limit)
            found = engine.foresee(question.game.start, question.depth, budget)
        except OutOfBudget:
            return None
        if found is None:
            return None
        if not (found.won or found.for_ever or question.reaches_horizon):
            return None
        verdict = Verdict.WIN if found.won else Verdict.NO_WIN
        return Answer(
            question.game,
            question.player,
            question.depth,
            verdict,
            method="search",
            refuted_depth=None if found.won else question.depth,
            every_depth=not found.won,
            first_move_numbers=None if found.move is None else (found.move,),
            positions=engine.visited,
        )

    def _completed(
        self, answer: Answer, found: Finding, engine: Engine, question: Question, budget: Budget
    ) -> Answer:
        if not found.won:
            for_ever = found.for_ever or question.reaches_horizon or self._never(question, budget)
            return replace(answer, refuted_depth=question.depth, every_depth=for_ever)
        answer = replace(answer, verdict=Verdict.WIN)
        try:
            moves = self._first_moves(found, engine, question, budget)
        except OutOfBudget as out:
            note = f"not all first moves could be asked about: {out.reason.value}"
            known = None if found.move is None else (found.move,)
            return replace(answer, first_move_numbers=known, detail=note)
        complete = self.all_moves or len(question.game.start.moves()) == 1
        return replace(
            answer, first_move_numbers=moves, first_moves_complete=moves is not None and complete
        )

    def _never(self, question: Question, budget: Budget) -> bool:
        """Whether a player without a win within the depth never has one, in a game without end.

        So it is if the opponent wins by then, or can prevent a win for ever. This search is
        limited to less work than the answer took.
        """
        game, player = question.game, question.player
        if game.horizon is not None:
            return False
        engine = self.engine(game, player, budget.limit)

        def evaluate(here: Situation) -> Evaluation:
            return Evaluation(engine.ask(here.position, here.left, budget).won)

        if self._lost(game, player, question.depth, budget):
            return True
        claim = Claim(game, player, question.depth, False)
        most = HELD + engine.visited // HOLDING
        try:
            return hold_out(claim, evaluate, budget, most) is not None
        except OutOfBudget:
            return False

    def _lost(self, game: Game, player: Player, depth: int, budget: Budget) -> bool:
        """Whether the opponent wins within the depth; False also if time is up."""
        engine = self.engine(game, player.opponent, budget.limit)
        try:
            return engine.ask(game.start, depth, budget).won
        except OutOfBudget:
            return False

    def _first_moves(
        self, found: Finding, engine: Engine, question: Question, budget: Budget
    ) -> tuple[Move, ...] | None:
        start = question.game.start
        if not question.has_first_moves:
            return None
        if found.move is not None and not self.all_moves:
            return (found.move,)
        winning = (
            move
            for move in start.moves()
            if engine.ask(start.play(move), question.depth - 1, budget).won
        )
        return tuple(winning) if self.all_moves else (next(winning),)

    def engine(self, game: Game, player: Player, limit: Limit) -> Engine:
        """The engine for this game, shared by all positions of it."""
        whole = game.rewound()
        known = self._engines.get(player)
        if known is None or known[0] != whole:
            machine = sysconf("SC_PHYS_PAGES") * sysconf("SC_PAGE_SIZE")
            table = TABLE_BYTES if limit.memory is None else min(limit.memory, machine) // 2
            table //= 1 + self.both
            processors = cpu_count() or 1
            threads = min(self.jobs or processors, processors)
            engine = Engine(whole, player, table_bytes=table, threads=threads)
            if self.kept is not None:
                self.kept.restore(player, engine)
            known = self._engines[player] = whole, engine
        return known[1]

    def keep(self, answer: Answer) -> Answer:
        """Save the tables if there is a file for them; the answer says so if that fails."""
        engines = {player: engine for player, (_, engine) in self._engines.items()}
        if self.kept is None or not engines:
            return answer
        try:
            self.kept.save(engines)
        except (UserError, OutOfBudget) as error:
            unsaved = f"the table was not saved: {error}"
            return replace(answer, detail="; ".join(filter(None, (answer.detail, unsaved))))
        return answer

    def evaluator(self, answer: Answer, budget: Budget) -> Evaluator:
        """For extraction: a function that searches from any position of the game."""
        game, player, asker = answer.game, answer.player, self._asker(answer, budget)
        breaker = game.breaker is player
        engine = self.engine(game, asker, budget.limit)
        # A quick win leaves little to prove, but to show that none is quick can be hard.
        hurries = not breaker and (asker is player) is (answer.verdict is Verdict.WIN)

        def evaluate(here: Situation) -> Evaluation:
            if breaker and here.left < (game.horizon or 0) - len(here.path):
                return Evaluation(False)  # the Breaker wins with the last turn, not before
            try:
                if hurries and here.position.to_move is asker:
                    found, plies = self._soonest(engine, here, budget)
                else:
                    found, plies = engine.ask(here.position, here.left, budget), here.left
            except OutOfBudget as out:
                raise Undecided(out.reason) from None
            won = found.won is (asker is player)
            owns = (here.position.to_move is player) is won
            moves = (found.move,) if owns and found.move is not None else ()
            return Evaluation(won, moves, plies if won else None)

        return evaluate

    def linker(self, answer: Answer, budget: Budget) -> Linker:
        """For extraction: a function that finds virtual connections of the owner's borders."""
        wins = answer.verdict is Verdict.WIN
        owner = answer.player if wins else answer.player.opponent
        engine = self.engine(answer.game, self._asker(answer, budget), budget.limit)

        def linker(position: Position, left: int) -> Links:
            most = left if wins else position.game.board.size
            return links_of(engine.links(position, owner, most))

        return linker

    def extractor(self, answer: Answer, budget: Budget) -> Extractor | None:
        """For extraction: a function that finds a whole proof, if listed sets of one player count.

        So it is if the other player has no goal, or blocks the player for ever.
        """
        game, player, wins = answer.game, answer.player, answer.verdict is Verdict.WIN
        theirs = game.goal(player.opponent)
        if wins or not answer.every_depth:
            applies = wins and theirs is None
        else:
            applies = theirs is None or isinstance(theirs, Sets)
        if not applies or not isinstance(game.goal(player), Sets):
            return None
        engine = self.engine(game, player, budget.limit)

        def extractor(
            position: Position, left: int, turns: Sequence[Permutation]
        ) -> Sequence[Proved]:
            fold = set(engine.symmetries) <= set(turns)
            try:
                nodes = engine.proof(position, left, wins, fold, budget)
            except OutOfBudget as out:
                raise Undecided(out.reason) from None
            return [
                Proved(
                    Needs(stones, cells, plies if wins else answer.depth),
                    None if replies else tuple((a, b) for a, b in pairs),
                    tuple((m, None if n < 0 else n, engine.symmetries[t]) for m, n, t in replies),
                )
                for stones, cells, plies, pairs, replies in nodes
            ]

        return extractor

    def _asker(self, answer: Answer, budget: Budget) -> Player:
        """The player about whose win the engine is asked, to prove an answer.

        The Breaker wins if the Maker does not. If exactly one player gets connected, or if the game
        need not end, a win of one player refutes the other at every depth.
        """
        game, player = answer.game, answer.player
        exchanged = game.breaker is player
        if answer.every_depth:
            endless = game.horizon is None and self._lost(game, player, answer.depth, budget)
            exchanged = exchanged or endless or game.offers("transversal")
        return player.opponent if exchanged else player

    def _soonest(self, engine: Engine, here: Situation, budget: Budget) -> tuple[Finding, int]:
        """A win and its plies, as few as are easily found.

        To show that there is no quicker win can be hard, and harder for more plies; only at the
        start, on which all the rest depends, it may take some seconds.
        """
        patience = AT_THE_START if not here.path else 0.0
        since = budget.wall_seconds
        for plies in range(2 - here.left % 2, here.left, 2):
            whole = plies <= SOON or budget.wall_seconds - since <= patience
            found = engine.try_to(here.position, plies, budget, 0 if whole else EASILY)
            if found is None:
                break
            if found.won:
                return found, plies
        return engine.ask(here.position, here.left, budget), here.left


def links_of(found: list[RawLink]) -> Links:
    """The engine's links as those of strategies."""

    def point(number: int) -> Point:
        return None if number < 0 else number

    def way(first: int, cell: int, then: int) -> Way:
        return Way((cell,), (point(first), point(then)))

    return tuple(
        Link(point(one), point(other), tuple(starmap(way, ways))) for one, other, ways in found
    )
