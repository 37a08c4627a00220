"""Answers, and the interface of all methods: what they take, report and return."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from html import escape
from threading import Event
from typing import Any, Protocol

from skolemate.games.game import Game, Move, Player, Question
from skolemate.limits import Budget, OutOfBudget, Reason
from skolemate.output import plies
from skolemate.strategies import Strategy
from skolemate.strategies.claim import Claim
from skolemate.strategies.deciding import Evaluation, Evaluator, Situation, Undecided

# --- answers --------------------------------------------------------------------------------------


class Verdict(Enum):
    """NO_WIN is a proof that there is no win within the depth; UNKNOWN proves nothing."""

    WIN = "WIN"
    NO_WIN = "NO_WIN"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, repr=False)
class Answer:
    """The answer to a question: a verdict, its reason, winning moves, and what it cost.

    `depth` is the depth of the verdict; for UNKNOWN, the depth that was being asked.
    `critical_depth` is the least depth of a win, if known; `refuted_depth` the greatest depth
    within which a win is excluded, also if the verdict is UNKNOWN. `every_depth`: NO_WIN holds at
    every depth (never set for a file that ends with its last turn); `blocking` is the opponent's
    strategy for that, if known. `first_moves` win within `depth`; they are all that do if
    `first_moves_complete` (other moves may win later). `first_move_numbers` are the same moves as
    the game numbers them. Measurements include all that was asked.
    """

    game: Game
    player: Player
    depth: int
    verdict: Verdict
    method: str
    reason: Reason | None = None
    detail: str | None = None  # a solver's message when it failed, or what was left out
    critical_depth: int | None = None
    refuted_depth: int | None = None
    every_depth: bool = False
    first_move_numbers: tuple[Move, ...] | None = None
    first_moves_complete: bool = False
    blocking: Strategy | None = None
    encoding: str | None = None
    pipeline: str | None = None
    symmetry: bool | None = None  # whether the formula has one first move of each symmetric class
    positions: int | None = None  # that a search has visited
    wall_seconds: float | None = None
    cpu_seconds: float | None = None
    peak_bytes: int | None = None

    @classmethod
    def unasked(cls, game: Game, player: Player, out: OutOfBudget) -> Answer:
        """The answer if a limit was reached before any method was asked."""
        return cls(game, player, 0, Verdict.UNKNOWN, "rules", out.reason)

    def __post_init__(self) -> None:
        if (self.verdict is Verdict.UNKNOWN) != (self.reason is not None):
            raise ValueError("a reason belongs to UNKNOWN, and only there")
        if self.every_depth and self.game.last_stated is not None:
            object.__setattr__(self, "every_depth", False)

    def __bool__(self) -> bool:
        if self.verdict is Verdict.UNKNOWN:
            raise ValueError(f"the answer is not known ({self.reason}); look at .verdict")
        return self.verdict is Verdict.WIN

    @property
    def settled_depth(self) -> int:
        """The depth up to which the verdict holds, at most the horizon."""
        horizon = self.game.horizon if self.every_depth else None
        return self.depth if horizon is None else max(self.depth, horizon)

    @property
    def claim(self) -> Claim:
        """The claim that a strategy for this answer has to prove."""
        return Claim(self.game, self.player, self.settled_depth, self.verdict is Verdict.WIN)

    @property
    def first_moves(self) -> tuple[str, ...] | None:
        """The names of the first moves."""
        numbers = self.first_move_numbers
        return None if numbers is None else tuple(self.game.move_name(move) for move in numbers)

    @property
    def first_moves_title(self) -> str:
        """What the first moves are, for people."""
        many = len(self.first_move_numbers or ()) > 1
        moves = "first moves" if many else "first move"
        if not self.first_moves_complete:
            return f"Some winning {moves}" if many else f"A winning {moves}"
        ever = Question(self.game, self.player, self.depth).reaches_horizon
        return f"Winning {moves} {'at any depth' if ever else f'within {plies(self.depth)}'}"

    @property
    def note(self) -> str | None:
        """Remarks for people: the detail, and the game's own remark on the depth."""
        return "; ".join(filter(None, (self.detail, self.game.remark(self.settled_depth)))) or None

    @property
    def source(self) -> str:
        """The method, with encoding and solvers, in words."""
        if self.encoding is None:
            return self.method
        return f"{self.pipeline} on {self.encoding}" if self.pipeline else f"{self.encoding} alone"

    def costing(self, wall_seconds: float, parts: Iterable[Answer]) -> Answer:
        """The same answer with the summed costs of all parts that led to it."""
        listed = list(parts)
        return replace(
            self,
            wall_seconds=wall_seconds,
            cpu_seconds=sum(part.cpu_seconds or 0.0 for part in listed),
            # A short run may end before its memory is measured.
            peak_bytes=max((part.peak_bytes or 0 for part in listed), default=0) or None,
        )

    def as_json(self) -> dict[str, Any]:
        """Plain data; keys are never missing, absent values are None."""
        return {
            "game": str(self.game),
            "player": self.player.value,
            "depth": self.depth,
            "verdict": self.verdict.value,
            "reason": self.reason.value if self.reason else None,
            "detail": self.note,
            "critical_depth": self.critical_depth,
            "refuted_depth": self.refuted_depth,
            "every_depth": self.every_depth,
            "first_moves": None if self.first_moves is None else list(self.first_moves),
            "first_moves_complete": self.first_moves_complete,
            "blocking": None if self.blocking is None else self.blocking.replies(),
            "method": self.method,
            "encoding": self.encoding,
            "pipeline": self.pipeline,
            "symmetry": self.symmetry,
            "positions": self.positions,
            "wall_seconds": self.wall_seconds,
            "cpu_seconds": self.cpu_seconds,
            "peak_bytes": self.peak_bytes,
        }

    def _repr_html_(self) -> str:
        """What a notebook shows: the sentence, and the board with the winning moves."""
        from skolemate.render import board

        moves = self.first_move_numbers or ()
        return f"<p>{escape(str(self))}.</p>{board(self.game, moves, self.player)}"

    def __repr__(self) -> str:
        return f"<Answer: {self}>"

    def __str__(self) -> str:
        """One sentence for people."""
        who = self.game.called(self.player)
        if self.verdict is Verdict.UNKNOWN:
            assert self.reason is not None
            known = ""
            if self.refuted_depth is not None:
                known = f"; proved: no win within {plies(self.refuted_depth)}"
            return f"{self.game}: not known whether {who} wins ({self.reason.value}){known}"
        if self.verdict is Verdict.WIN and self.depth == 0:
            return f"{self.game}: {who} has won already"
        if self.verdict is Verdict.WIN:
            sharp = ", and not sooner" if self.critical_depth == self.depth else ""
            return f"{self.game}: {who} wins within {plies(self.depth)}{sharp}"
        if self.every_depth:
            return f"{self.game}: {who} cannot force a win at any depth"
        return f"{self.game}: {who} cannot force a win within {plies(self.depth)}"


# --- stopping -------------------------------------------------------------------------------------


class Stop(Event):
    """An event that is set when the answer is known, or by the user's own event."""

    def __init__(self, cancel: Event | None) -> None:
        super().__init__()
        self._cancel = cancel

    def is_set(self) -> bool:
        return super().is_set() or (self._cancel is not None and self._cancel.is_set())


# --- methods --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Progress:
    """A report while an answer is being computed."""

    depth: int
    verdict: Verdict | None  # None: this depth has just begun
    wall_seconds: float
    encoding: str | None = None  # in an alternation: whose turn it is
    nodes: int | None = None  # of a strategy that is being extracted
    player: Player | None = None  # where both players' questions are asked: whose


Tell = Callable[[Progress], None]


class Method(Protocol):
    """Anything that answers questions within limits; the verdict is UNKNOWN if it cannot."""

    def __call__(self, question: Question, budget: Budget | None = ...) -> Answer: ...


# --- methods for extraction -----------------------------------------------------------------------


def asking(ask: Method, claim: Claim, budget: Budget, known: Answer | None = None) -> Evaluator:
    """A method as a function of situations, by which strategies are extracted.

    Several threads may call it if `ask` allows that. What is `known` about the whole claim is not
    asked again. One question without an answer ends the extraction, so all running ones are
    stopped.
    """
    stop, failures = Stop(budget.cancel), list[Undecided]()

    def evaluate(here: Situation) -> Evaluation:
        if known is not None and not here.path and here.left == known.depth:
            return Evaluation(bool(known), known.first_move_numbers or ())
        question = Question(claim.game.after(here.path), claim.player, here.left)
        answer = ask(question, budget.part(stop))
        if answer.verdict is Verdict.UNKNOWN:
            assert answer.reason is not None, "an unknown answer has a reason"
            failures.append(Undecided(answer.reason, answer.detail))
            stop.set()
            raise failures[0]
        return Evaluation(bool(answer), answer.first_move_numbers or ())

    return evaluate


# --- the Breaker's question -----------------------------------------------------------------------


def breakers_answer(ask: Method, name: str, question: Question, budget: Budget | None) -> Answer:
    """Answer for the Breaker by asking about the Maker.

    The Breaker wins with the last turn, exactly if the Maker has not won by then.
    """
    game, horizon = question.game, question.game.horizon
    if horizon is None or not question.reaches_horizon:
        return Answer(
            game,
            question.player,
            question.depth,
            Verdict.NO_WIN,
            method=name,
            refuted_depth=question.depth,
        )
    answer = ask(Question(game, question.player.opponent, horizon), budget)
    exchanged = {Verdict.WIN: Verdict.NO_WIN, Verdict.NO_WIN: Verdict.WIN}
    verdict = exchanged.get(answer.verdict, answer.verdict)
    no_win = verdict is Verdict.NO_WIN
    return replace(
        answer,
        player=question.player,
        depth=question.depth,
        verdict=verdict,
        refuted_depth=question.depth if no_win else None,
        every_depth=no_win,
        first_move_numbers=None,
        first_moves_complete=False,
    )
