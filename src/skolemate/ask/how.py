"""The choice of a method (engine, encodings, pipelines), and portfolios of several.

Several encodings or pipelines are written as `"cor+,gr"` (in parallel, the first answer counts) or
`"cover/pairing"` (a win and a block, searched for in turn).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from threading import Event
from typing import Any

from skolemate.ask.deepening import Alternation
from skolemate.ask.method import Answer, Method, Stop, Verdict
from skolemate.ask.qbf import Qbf, has_solver
from skolemate.ask.search import Search, needs_no_engine, reference
from skolemate.ask.splitting import Splitting
from skolemate.encodings import ENCODINGS, Unsupported
from skolemate.errors import Disagreement, UserError, brief, suggestion
from skolemate.games.game import Game, Question
from skolemate.limits import Budget, OutOfBudget, Reason, completed
from skolemate.search.engine import refusal
from skolemate.solvers import Pipeline

# --- portfolios -----------------------------------------------------------------------------------
# Several methods answer one question in parallel; the first proof stops the others. Solvers differ
# by orders of magnitude, and it is not known beforehand which one is best for a question. A member
# that proves nothing (a limit, an error, the false of a one-sided encoding) stops no other.


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
                for future in completed(futures):
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


# --- the choice -----------------------------------------------------------------------------------


ALONE = "two encodings in turn cannot be split, or run with others"
ENGINES = ("auto", "search", "qbf", "both", "reference")

Names = str | Iterable[str] | None  # one name, several with commas, or a list of them


@dataclass(frozen=True)
class How:
    """A choice of methods, from which `method` makes one.

    `engine`: "search" (the native engine), "qbf" (formulas), "both" side by side, "reference" (the
    oracle), or "auto": the engine unless a formula is described by the other fields.
    `encodings`, `pipelines`: all pairs of them in parallel; none: the measured best.
    `in_turn`: there are two encodings, of a win and of a block, which take turns.
    `symmetry`: formulas have one first move of each class of symmetric ones; so they do in any case
    if no encoding is named.
    `split`: a question for formulas is divided by so many of its first plies.
    `verify`: the engine's answer is asked by formula, too; of formulas, two must agree.
    `all_moves`: find every winning first move, not only one.
    `jobs`: the number of workers; None: one for each processor.
    """

    engine: str = "auto"
    encodings: tuple[str, ...] = ()
    pipelines: tuple[str, ...] = ()
    in_turn: bool = False
    symmetry: bool = False
    split: int | None = None
    verify: bool = False
    all_moves: bool = False
    jobs: int | None = None

    @classmethod
    def parse(
        cls, engine: str = "auto", encoding: Names = None, pipeline: Names = None, **others: Any
    ) -> How:
        """The choice that these words describe; an error says what is wrong with them.

        >>> How.parse(encoding="COR+,et", pipeline="depqbf").encodings
        ('cor+', 'et')
        >>> How.parse(encoding="cover/pairing").in_turn
        True
        """
        if engine not in ENGINES:
            raise UserError(
                f"there is no engine {brief(str(engine))}: {suggestion(str(engine), ENGINES)}"
            )
        in_turn = isinstance(encoding, str) and "/" in encoding
        if isinstance(encoding, str) and in_turn:
            if "," in encoding:
                raise UserError(ALONE)
            encoding = encoding.split("/")
        return cls(
            engine,
            listed("encoding", encoding, lambda name: ENCODINGS[name].name),
            listed("pipeline", pipeline, lambda name: str(Pipeline.parse(name))),
            in_turn,
            **others,
        ).checked()

    def checked(self) -> How:
        """This choice; an error if its parts contradict each other."""
        for name, number in (("split", self.split), ("jobs", self.jobs)):
            if number is not None and (type(number) is not int or number < 1):
                raise UserError(f"{name} is a number from 1 up, not {number!r}")
        if self.engine in ("search", "reference") and self.by_formula:
            raise UserError(
                f"the engine {self.engine} needs no formulas: "
                "leave out encoding, pipeline, symmetry and split"
            )
        if self.verify and self.engine == "reference":
            raise UserError(
                "the oracle is the reference and needs no verification: leave out verify"
            )
        if self.split is not None and self.engine == "both":
            raise UserError(
                "split works with formulas only, not with the engine: leave out one of them"
            )
        if self.in_turn:
            Alternation.of(self.encodings)
            if len(self.pipelines) > 1 or self.split is not None or self.engine == "both":
                raise UserError(ALONE)
            if self.verify:
                raise UserError("two encodings in turn cannot be verified: leave out verify")
        return self

    @property
    def by_formula(self) -> bool:
        """Whether one of the options for formulas is set."""
        chosen = self.encodings or self.pipelines or self.symmetry
        return bool(chosen) or self.split is not None

    def decided(self, game: Game, or_slowly: bool = False) -> How:
        """The same with "auto" decided for a game: the engine if it can, else formulas.

        No formula is needed if pairs settle a game that is too large for the engine. If no method
        can answer, it is an error or, with `or_slowly`, the oracle.
        """
        if self.engine == "both":
            refused = refusal(game)
            if refused is not None:
                raise refused
        if self.engine != "auto":
            return self._verifiable()
        refused = None if self.by_formula else refusal(game)
        if not self.by_formula and (refused is None or needs_no_engine(game)):
            return replace(self, engine="search")._verifiable()
        if self.pipelines or has_solver():
            return replace(self, engine="qbf")._verifiable()
        if or_slowly:
            return replace(self, engine="reference")
        if refused is None:
            return replace(self, engine="qbf")  # which will say what is missing
        slowly = "skolemate oracle needs neither, but is slow"
        raise UserError(f"{refused}; or for formulas: pip install 'skolemate[solvers]'; {slowly}")

    def _verifiable(self) -> How:
        """This choice; an error if `verify` is set and no second method can verify the answer."""
        if self.verify and self.engine == "search" and not has_solver():
            raise UserError("verify needs a QBF solver: pip install 'skolemate[solvers]'")
        if self.verify and self.engine == "qbf" and not self.runs_side_by_side:
            raise UserError(
                "verify needs a second solver: name two pipelines, as in depqbf,caqe, "
                "or leave out verify"
            )
        return self

    @property
    def runs_side_by_side(self) -> bool:
        """Whether several methods are asked at once."""
        return self.engine == "both" or len(self.formulas) > 1

    @property
    def has_work_for_several(self) -> bool:
        """Whether one question can keep more than one worker busy."""
        return self.engine == "search" or self.split is not None or self.runs_side_by_side

    @property
    def formulas(self) -> tuple[Qbf, ...]:
        """Every encoding with every pipeline."""
        pairs = product(self.encodings or (None,), self.pipelines or (None,))
        return tuple(Qbf(e, p, self.all_moves, symmetry=self.symmetry) for e, p in pairs)

    def names(self, question: Question) -> list[str]:
        """The methods that are asked, as in `caqe on et`; call it after `decided`."""
        if self.engine not in ("qbf", "both"):
            return [self.engine]
        formulas = [formula.name(question) for formula in self.formulas]
        return formulas if self.engine == "qbf" else ["search", *formulas]

    def require(self) -> How:
        """This choice; an error if one of its programs is not installed."""
        for formula in self.formulas:
            formula.require()
        return self

    def alternation(self) -> Alternation:
        """The two encodings that take turns."""
        return Alternation.of(self.encodings, self.formulas[0])

    def method(self, or_slowly: bool = False) -> Method:
        """The method of this choice, for any game; it keeps its results for the next question.

        `or_slowly`: if neither the engine nor formulas can answer, the oracle does.
        """
        if self.in_turn:
            raise UserError(f"{ALONE}: they are for solve alone")
        search = Search(self.all_moves, self.jobs)
        formulas = self._by_formula()

        def ask(question: Question, budget: Budget | None = None) -> Answer:
            how, budget = self, Budget.within(budget)
            if self.engine == "auto":
                try:
                    with budget.heeded():
                        how = self.decided(question.game, or_slowly)
                except OutOfBudget as out:
                    unasked = Answer.unasked(question.game, question.player, out)
                    return replace(unasked, depth=question.depth)
            if how.engine == "search":
                return search(question, budget)
            if how.engine == "reference":
                return reference(question, budget)
            try:
                return formulas(question, budget)
            except Unsupported:
                if not or_slowly or self.encodings or self.engine != "auto":
                    raise
                return reference(question, budget)

        return ask

    def _by_formula(self) -> Method:
        if self.split is None:
            return self.portfolio(self.formulas, self.jobs)
        return self.splitting()

    def splitting(self) -> Splitting:
        """The method that splits a question and answers its parts by formula, without moves."""
        assert self.split is not None, "it is to be divided"
        parts = tuple(replace(formula, moves=False, all_moves=False) for formula in self.formulas)
        return Splitting(self.portfolio(parts), self.split, self.jobs, self.all_moves)

    def portfolio(self, formulas: Sequence[Qbf], jobs: int | None = None) -> Method:
        """Formulas in parallel, with the engine if that is "both"."""
        members: list[Method] = list(formulas)
        if self.engine == "both":
            members.insert(0, Search(formulas[0].all_moves, jobs=1))
        return side_by_side(members, jobs, agreeing=2 if self.verify else 1)


def listed(kind: str, names: Names, known: Callable[[str], str]) -> tuple[str, ...]:
    """The full names; an error if one is unknown or given twice."""
    if names is not None and not isinstance(names, Iterable):
        raise UserError(f"{kind} is a name or a list of names, not {names!r}")
    words = names.split(",") if isinstance(names, str) else list(names or ())
    if not all(isinstance(word, str) for word in words):
        raise UserError(f"{kind} is a name or a list of names, not {names!r}")
    full = tuple(known(word.strip()) for word in words)
    twice = next((name for name in full if full.count(name) > 1), None)
    if twice is not None:
        raise UserError(f"{brief(twice)} is named twice: one of each is enough")
    return full
