"""Deepening, which finds the critical depth, and verification of an answer by another method."""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace

from skolemate.ask.method import Answer, Method, Progress, Verdict
from skolemate.encodings import Unsupported
from skolemate.errors import Disagreement, UserError
from skolemate.games.game import DEEPEST, Game, Player, Question
from skolemate.limits import Budget, OutOfBudget, Reason
from skolemate.output import plies

Steps = Generator[int, None, Answer]


def deepen(
    method: Method,
    game: Game,
    player: Player,
    max_depth: int | None = None,
    budget: Budget | None = None,
) -> Answer:
    """Ask for growing depths until the answer holds for all depths or a limit is reached.

    Depths at which the game cannot be decided for the player are left out. The limit is for
    all depths together. If a one-sided encoding proves nothing, the next depth is asked.
    """
    budget = Budget.within(budget)
    try:
        with budget.heeded():
            last = last_depth(game, max_depth)
    except OutOfBudget as out:
        return Answer.unasked(game, player, out)
    depths = game.deciding_plies(player, last)
    return finished(deepening(method, game, player, depths, last, budget))


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
) -> Steps:
    """Deepening as a generator: it yields each depth before asking it, and returns the answer.

    After the last of `depths`, up to `last`, nothing new can be decided.
    """
    horizon = game.horizon
    answer: Answer | None = None
    refuted: int | None = None
    all_refuted = True
    asked: list[Answer] = []
    for depth in depths:
        yield depth
        if depth > 0 and all_refuted:
            # Between two deciding plies nothing changes: "no win" holds up to the ply before.
            refuted = depth - 1
        budget.tell(Progress(depth, None, budget.wall_seconds))
        answer = method(Question(game, player, depth), budget)
        asked.append(answer)
        budget.tell(Progress(depth, answer.verdict, budget.wall_seconds))
        all_refuted = all_refuted and answer.verdict is Verdict.NO_WIN
        one_sided = answer.reason is Reason.ONE_SIDED
        if answer.every_depth or (answer.verdict is not Verdict.NO_WIN and not one_sided):
            break
    assert answer is not None, "depth 0 is always asked"
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
