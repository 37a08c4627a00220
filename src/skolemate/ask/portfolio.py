"""A portfolio: several methods side by side on one question; the first sound answer ends the rest.

Solvers differ by orders of magnitude, and nobody knows beforehand which one a question suits. What
proves nothing (a limit, an error, the false of a one-sided encoding) is no answer, and ends nobody.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from threading import Event

from skolemate.ask.method import Answer, Method, Stop, Verdict
from skolemate.encodings import Unsupported
from skolemate.errors import Disagreement
from skolemate.games.game import Question
from skolemate.limits import Budget, Reason


def side_by_side(members: Sequence[Method], jobs: int | None = None, agreeing: int = 1) -> Method:
    """One method as it is, several as a portfolio."""
    return members[0] if len(members) == 1 else Portfolio(tuple(members), jobs, agreeing)


@dataclass(frozen=True)
class Portfolio:
    """The method: its members are asked at the same time, `jobs` of them if that is given.

    `agreeing` is how many of them must have the answer for it to be one. Those that cannot state
    a question are left out, unless all are.
    """

    members: tuple[Method, ...]
    jobs: int | None = None
    agreeing: int = 1

    def __call__(self, question: Question, budget: Budget | None = None) -> Answer:
        """The first answer that is one, or why there is none; the costs are those of all."""
        budget, settled = Budget.within(budget), Event()
        stop = Stop(budget.cancel)
        answers: list[Answer] = []
        refusals: list[Unsupported] = []

        def ask(member: Method) -> Answer | None:
            if settled.is_set():
                return None  # it waited for its turn, and that is not needed any more
            return member(question, budget.part(stop))

        # Threads, since the work is done by solvers' processes and by the engine.
        with ThreadPoolExecutor(self.jobs or len(self.members)) as pool:
            futures = [pool.submit(ask, member) for member in self.members]
            try:
                for future in as_completed(futures):
                    try:
                        answer = future.result()
                    except Unsupported as refusal:
                        refusals.append(refusal)
                        continue
                    if answer is not None:
                        answers.append(answer)
                    if len(_sound(answers)) >= self.agreeing:
                        settled.set()
                        stop.set()
            finally:  # whatever ends this, also an error or a second Ctrl-C, stops all members
                settled.set()
                stop.set()
        if not answers:
            raise refusals[0]
        return self._together(answers).costing(budget.wall_seconds, answers)

    def _together(self, answers: list[Answer]) -> Answer:
        """What the answers say, in the order in which they came."""
        sound = _sound(answers)
        if len({answer.verdict for answer in sound}) > 1:
            told = ", ".join(f"{a.source} says {a.verdict.value}" for a in sound)
            first = sound[0]
            raise Disagreement(f"{told}: {Question(first.game, first.player, first.depth)}")
        if len(sound) >= self.agreeing:
            agree = [f"{answer.source} agrees" for answer in sound[1 : self.agreeing]]
            details = [sound[0].detail, *agree] if sound[0].detail else agree
            return replace(sound[0], detail="; ".join(details) or None)
        unknown = [answer for answer in answers if answer.verdict is Verdict.UNKNOWN]
        if not unknown:
            lone, reason, details = sound[0], Reason.UNSUPPORTED, []
        else:
            # A member that proves nothing by its nature is the last one to blame.
            lone = min(unknown, key=lambda answer: answer.reason is Reason.ONE_SIDED)
            reason = lone.reason or Reason.UNSUPPORTED
            details = [f"{a.source}: {a.detail}" for a in unknown if a.detail]
        if sound:
            details = [f"only {sound[0].source} says {sound[0].verdict.value}", *details]
        return Answer(
            lone.game,
            lone.player,
            lone.depth,
            Verdict.UNKNOWN,
            method=lone.method,
            reason=reason,
            detail="; ".join(details) or None,
            encoding=lone.encoding,
            pipeline=lone.pipeline,
            symmetry=lone.symmetry,
            positions=lone.positions,
        )


def _sound(answers: list[Answer]) -> list[Answer]:
    return [answer for answer in answers if answer.verdict is not Verdict.UNKNOWN]
