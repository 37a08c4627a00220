"""A portfolio: several methods in parallel on one question; the first proof stops the others.

Solvers differ by orders of magnitude, and it is not known beforehand which one is best for a
question. A member that proves nothing (a limit, an error, the false of a one-sided encoding) stops
no other.
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
    """A method as it is if there is only one, else a portfolio."""
    return members[0] if len(members) == 1 else Portfolio(tuple(members), jobs, agreeing)


@dataclass(frozen=True)
class Portfolio:
    """The method: all members are asked in parallel, or at most `jobs` of them at a time.

    The answer is final when `agreeing` members have given it. Members that cannot state a question
    are left out, unless none can.
    """

    members: tuple[Method, ...]
    jobs: int | None = None
    agreeing: int = 1

    def __call__(self, question: Question, budget: Budget | None = None) -> Answer:
        """The first answer that is proved, or why there is none; with the costs of all members."""
        budget, settled = Budget.within(budget), Event()
        stop = Stop(budget.cancel)
        answers: list[Answer] = []
        refusals: list[Unsupported] = []

        def ask(member: Method) -> Answer | None:
            if settled.is_set():
                return None  # the answer was known before this member's turn
            return member(question, budget.part(stop))

        # Threads are enough: solvers' processes and the engine do the work.
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
            finally:  # an error or a second Ctrl-C, too, stops all members
                settled.set()
                stop.set()
        if not answers:
            raise refusals[0]
        return self._together(answers).costing(budget.wall_seconds, answers)

    def _together(self, answers: list[Answer]) -> Answer:
        """The members' answers, in the order in which they came, as one."""
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
            # That a one-sided member proves nothing is the least interesting reason.
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
