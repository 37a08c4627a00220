"""Deepening (growing depths), verification by a second method, and alternation of encodings."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from threading import Event

from skolemate.ask.method import Answer, Method, Progress, Stop, Verdict
from skolemate.ask.qbf import Qbf
from skolemate.ask.search import Search
from skolemate.encodings import ENCODINGS, Proof, Unsupported
from skolemate.errors import Disagreement, UserError, brief
from skolemate.games.game import DEEPEST, Game, Player, Question
from skolemate.limits import Budget, Limit, OutOfBudget, Reason, completed
from skolemate.output import plies

Steps = Generator[int, None, Answer]

PATIENCE = 5.0  # seconds to look for a quicker win than one that is known


def deepen(
    method: Method,
    game: Game,
    player: Player,
    max_depth: int | None = None,
    budget: Budget | None = None,
    *,
    patient: bool = True,
) -> Answer:
    """Ask for growing depths until the answer holds for all depths or a limit is reached.

    Depths at which the game cannot be decided for the player are left out. The limit is for
    all depths together. If a one-sided encoding proves nothing, the next depth is asked. Unless
    `patient` or limited, the search for a quicker win than one that is known ends soon.
    """
    budget = Budget.within(budget)
    try:
        with budget.heeded():
            last = last_depth(game, max_depth)
    except OutOfBudget as out:
        return Answer.unasked(game, player, out)
    depths = game.deciding_plies(player, last)
    return finished(deepening(method, game, player, depths, last, budget, patient))


def finished(steps: Steps) -> Answer:
    """Run all steps of a deepening; its answer."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            answer: Answer = end.value
            return answer


def last_depth(game: Game, max_depth: int | None) -> int:
    """The greatest depth to ask about: `max_depth`, the horizon, or the last ply in a file.

    In a game without a horizon, deepening ends with a win, a proof for all depths, or a limit.
    """
    if max_depth is not None and (not isinstance(max_depth, int) or max_depth < 0):
        raise UserError(f"a maximal depth is a number of plies, not {max_depth!r}")
    return min(bound for bound in (game.horizon, max_depth, DEEPEST) if bound is not None)


def deepening(
    method: Method,
    game: Game,
    player: Player,
    depths: Iterable[int],
    last: int,
    budget: Budget,
    patient: bool = True,
) -> Steps:
    """Deepening as a generator: it yields each depth before asking it, and returns the answer.

    After the last of `depths`, up to `last`, nothing new can be decided. Before a depth that is not
    decided at sight, the engine also asks who wins in the end, with as much effort as all depths
    before: what it finds then is not lost.
    A game without a horizon that ends at all mostly does so within as many plies as it has cells,
    or facts in GDL.
    """
    horizon = game.horizon
    end = game.board.size if horizon is None else horizon
    answer: Answer | None = None
    foreseen: Answer | None = None
    limited = budget
    refuted: int | None = None
    all_refuted = True
    asked: list[Answer] = []
    ask = method.within if isinstance(method, Search) else method
    for depth in depths:
        yield depth
        if depth > 0 and all_refuted:
            # Between two deciding plies nothing changes: "no win" holds up to the ply before.
            refuted = depth - 1
        budget.tell(Progress(depth, None, budget.wall_seconds))
        question, answer = Question(game, player, depth), None
        if isinstance(method, Search) and foreseen is None and depth > 0 and end <= last:
            answer = method.at_sight(question, budget)
            asked.append(answer)
            if answer.verdict is Verdict.UNKNOWN:
                foreseen = method.foreseen(Question(game, player, end), budget)
                if foreseen is not None:
                    asked.append(foreseen)
                    if foreseen.verdict is Verdict.NO_WIN:
                        answer = foreseen
                        break
                    if not patient and budget.limit.seconds is None:
                        limited = Budget(Limit(PATIENCE, budget.limit.memory), budget.cancel)
                answer = None
        if answer is None:
            answer = ask(question, limited)
            asked.append(answer)
        budget.tell(Progress(depth, answer.verdict, budget.wall_seconds))
        all_refuted = all_refuted and answer.verdict is Verdict.NO_WIN
        one_sided = answer.reason is Reason.ONE_SIDED
        if answer.every_depth or (answer.verdict is not Verdict.NO_WIN and not one_sided):
            break
    assert answer is not None, "depth 0 is always asked"
    if answer.verdict is Verdict.UNKNOWN and foreseen is not None:
        between = f"the least depth is between {(refuted or 0) + 1} and {foreseen.depth}"
        answer = replace(foreseen, detail=between, positions=answer.positions)
    measured = answer.costing(budget.wall_seconds, asked)
    if answer.verdict is Verdict.WIN:
        sharp = answer.depth == 0 or refuted == answer.depth - 1
        return replace(
            measured, critical_depth=answer.depth if sharp else None, refuted_depth=refuted
        )
    if answer.every_depth:
        return measured
    if answer.verdict is Verdict.UNKNOWN:
        deeper = one_sided and last != horizon
        reason = Reason.DEPTH if deeper else answer.reason
        return replace(measured, refuted_depth=refuted, reason=reason)
    exhausted = replace(measured, depth=last, refuted_depth=last)
    if last == horizon:
        return replace(exhausted, every_depth=True)
    return replace(exhausted, verdict=Verdict.UNKNOWN, reason=Reason.DEPTH)


# --- verification ---------------------------------------------------------------------------------
# The engine's answer is asked again by formula; a different answer is a Disagreement.


def verified(answer: Answer, ask: Method, budget: Budget) -> Answer:
    """The same answer with the solver that confirms it, or with the reason why none does."""
    confirmed: Answer | None = None
    for question, verdict in _claims(answer):
        try:
            again = ask(question, budget.part())
        except Unsupported as unsupported:
            return replace(answer, detail=f"not verified: {unsupported}")
        if again.verdict is Verdict.UNKNOWN:
            why = again.reason.value if again.reason else ""
            return replace(answer, detail=f"not verified: {again.source} has no answer ({why})")
        if again.verdict is not verdict:
            raise Disagreement(
                f"{answer.method} says {verdict.value}, {again.source} the contrary: {question}"
            )
        budget.tell(Progress(question.depth, verdict, budget.wall_seconds, again.encoding))
        confirmed = again
    if confirmed is None:
        return answer
    partly = answer.every_depth and answer.game.horizon is None
    detail = f"verified within {plies(answer.depth)}" if partly else answer.detail
    return replace(
        answer,
        encoding=confirmed.encoding,
        pipeline=confirmed.pipeline,
        symmetry=confirmed.symmetry,
        detail=detail,
    )


def _claims(answer: Answer) -> Iterator[tuple[Question, Verdict]]:
    """Questions and verdicts that together verify an answer, the easier one first."""
    refuted = answer.refuted_depth
    if answer.critical_depth is not None and refuted is not None:
        yield Question(answer.game, answer.player, refuted), Verdict.NO_WIN
    if answer.verdict is not Verdict.UNKNOWN:
        yield Question(answer.game, answer.player, answer.settled_depth), answer.verdict


# --- alternation ----------------------------------------------------------------------------------
# The player's win and the opponent's block are searched for in turn or in parallel.
#
# Boucher and Villemaire (2021, 2025) ask for odd k whether Black wins within k plies, for even k
# whether White blocks by pairs after k plies, until one is true. Then the game is settled, and a
# lost game need not be searched to the end. Each side deepens by itself. In turn, the side with the
# smaller next depth goes on; in parallel, the first answer that settles the game stops the other.


@dataclass(frozen=True)
class Alternation:
    """An encoding of a win and one of a block, written `cover/pairing`."""

    win: Qbf
    block: Qbf

    @classmethod
    def of(cls, names: Sequence[str], formula: Qbf = Qbf()) -> Alternation:  # noqa: B008  frozen
        """Of the encodings of these names; the rest is as for a formula.

        >>> Alternation.of(("cor+", "pairing")).win.encoding
        'cor+'
        """
        proofs = [ENCODINGS[name].meaning.proof(True) for name in names]
        if proofs != [Proof.WIN, Proof.NEVER]:
            blocking = [e.name for e in ENCODINGS if e.meaning.proof(True) is Proof.NEVER]
            raise UserError(
                f"{brief('/'.join(names))}: write an encoding of a win, a slash and one of a block "
                f"({' or '.join(blocking)}), as in cover/pairing"
            )
        win, block = (replace(formula, encoding=name) for name in names)
        return cls(win, block)

    def __call__(
        self,
        game: Game,
        player: Player,
        max_depth: int | None = None,
        budget: Budget | None = None,
        *,
        side_by_side: bool = False,
    ) -> Answer:
        """Settle a game: a win with its depth, or none at any depth with the plan behind it."""
        if game.breaker is player:
            raise UserError(
                f"{player} is the Breaker of {game}, and wins if {player.opponent} does not: "
                f"ask for {player.opponent}"
            )
        budget, last = Budget.within(budget), last_depth(game, max_depth)
        stop = Stop(budget.cancel)
        sides = [
            _Side(self.win, game, player, list(game.deciding_plies(player, last))),
            _Side(self.block, game, player, _answered_plies(game, player, last)),
        ]
        steps = [side.steps(last, budget, stop) for side in sides]
        try:
            answers = _side_by_side(steps, stop) if side_by_side else in_turn(steps, _settles)
        finally:
            stop.set()
        asked = (answer for side in sides for answer in side.asked)
        return combined(answers).costing(budget.wall_seconds, asked)


@dataclass
class _Side:
    """One of the two deepenings, with all its answers, whose costs are added up."""

    method: Qbf
    game: Game
    player: Player
    depths: Iterable[int]
    asked: list[Answer] = field(default_factory=list, init=False)

    def steps(self, last: int, budget: Budget, stop: Event) -> Steps:
        def named(progress: Progress) -> None:
            budget.tell(replace(progress, encoding=self.method.encoding))

        own = Budget(budget.remaining(), stop, named)
        return deepening(self._ask, self.game, self.player, self.depths, last, own)

    def _ask(self, question: Question, budget: Budget | None = None) -> Answer:
        self.asked.append(self.method(question, budget))
        return self.asked[-1]


def _answered_plies(game: Game, player: Player, last: int) -> list[int]:
    """The depths at which a block may become true: after the opponent's moves, and 0."""
    schedule = game.grounded().schedule or ()
    ahead = enumerate(schedule[:last], 1)
    return [0, *(ply for ply, mover in ahead if mover is player.opponent)]


def _settles(answer: Answer) -> bool:
    return answer.verdict is Verdict.WIN or answer.every_depth


def in_turn(sides: Iterable[Steps], settles: Callable[[Answer], bool]) -> list[Answer]:
    """The side with the smaller depth goes on, until one has settled the game or all have ended."""
    answers: list[Answer] = []
    waiting = {side: next(side) for side in sides}
    while waiting:
        side = min(waiting, key=waiting.__getitem__)
        try:
            waiting[side] = next(side)
        except StopIteration as end:
            answers.append(end.value)
            if settles(end.value):
                break
            del waiting[side]
    return answers


def _side_by_side(sides: list[Steps], stop: Event) -> list[Answer]:
    """Both sides at once, in threads, since solvers' processes do the work.

    An error or a second Ctrl-C, too, stops both sides with their solvers.
    """
    answers: list[Answer] = []
    with ThreadPoolExecutor(len(sides)) as pool:
        futures = [pool.submit(finished, side) for side in sides]
        try:
            for future in completed(futures):
                answers.append(future.result())
                if _settles(answers[-1]):
                    stop.set()
        finally:
            stop.set()
    return answers


def combined(answers: list[Answer]) -> Answer:
    """The answer that settles the game; else UNKNOWN with a reason and the depths refuted."""
    settled = [answer for answer in answers if _settles(answer)]
    if len({answer.verdict for answer in settled}) > 1:
        told = " and ".join(f"{a.encoding} with {a.pipeline}: {a}" for a in settled)
        raise Disagreement(told)
    if settled:
        return settled[0]
    by_refuted = max(answers, key=lambda a: -1 if a.refuted_depth is None else a.refuted_depth)
    reasons = [a.reason for a in answers if a.reason not in (None, Reason.ONE_SIDED)]
    details = [a.detail for a in answers if a.detail]
    return replace(
        by_refuted,
        reason=reasons[0] if reasons else Reason.ONE_SIDED,
        detail="; ".join(details) or None,
    )
