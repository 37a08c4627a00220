"""The signature that all methods share: reference, engine, QBF."""

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
from skolemate.strategies.deciding import Judge, Opinion, Situation, Undecided

# --- answers --------------------------------------------------------------------------------------
# The answer: three verdicts that are never merged, why, and what it cost.


class Verdict(Enum):
    """NO_WIN is a proof that there is no win within the depth; UNKNOWN is no proof of anything."""

    WIN = "WIN"
    NO_WIN = "NO_WIN"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True)
class Answer:
    """What is known about a question, and who says so.

    `depth` is the depth that the verdict is about: for UNKNOWN the one that was being asked.
    `critical_depth` is the least depth of a win, when that was found; `refuted_depth` the
    greatest depth within which a win was ruled out, also when more could not be learnt;
    `every_depth` says that NO_WIN holds however deep one looks, and `blocking` how the opponent
    sees to that, if it is known; of a file that ends with its last turn it never says so.
    `first_moves` win within `depth`, and are all that do if `first_moves_complete`; others may win
    later. Measurements belong to the whole search.
    """

    game: Game
    player: Player
    depth: int
    verdict: Verdict
    method: str
    reason: Reason | None = None
    detail: str | None = None  # what a solver said when it failed, or what was left out
    critical_depth: int | None = None
    refuted_depth: int | None = None
    every_depth: bool = False
    first_moves: tuple[Move, ...] | None = None
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
        """What is known if a limit was reached while the rules were still being looked at."""
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
        """The depth up to which it speaks: of all depths, those up to the horizon matter."""
        horizon = self.game.horizon if self.every_depth else None
        return self.depth if horizon is None else max(self.depth, horizon)

    @property
    def first_moves_title(self) -> str:
        """What the first moves are, for people."""
        many = len(self.first_moves or ()) > 1
        moves = "first moves" if many else "first move"
        if not self.first_moves_complete:
            return f"Some winning {moves}" if many else f"A winning {moves}"
        ever = Question(self.game, self.player, self.depth).reaches_horizon
        return f"Winning {moves} {'at any depth' if ever else f'within {plies(self.depth)}'}"

    @property
    def note(self) -> str | None:
        """What there is to say beside: the detail, and what was taken from a file's turns."""
        return "; ".join(filter(None, (self.detail, self.game.remark(self.settled_depth)))) or None

    @property
    def source(self) -> str:
        """Who says so."""
        if self.encoding is None:
            return self.method
        return f"{self.pipeline} on {self.encoding}" if self.pipeline else f"{self.encoding} alone"

    def costing(self, wall_seconds: float, parts: Iterable[Answer]) -> Answer:
        """The same answer, with what all the parts that led to it have cost."""
        listed = list(parts)
        return replace(
            self,
            wall_seconds=wall_seconds,
            cpu_seconds=sum(part.cpu_seconds or 0.0 for part in listed),
            # A short run may end before anybody has looked at its memory.
            peak_bytes=max((part.peak_bytes or 0 for part in listed), default=0) or None,
        )

    def as_json(self) -> dict[str, Any]:
        """Plain data; keys are never missing, absent values are None."""
        moves = self.first_moves
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
            "first_moves": None if moves is None else [self.game.move_name(m) for m in moves],
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

        return f"<p>{escape(str(self))}.</p>{board(self.game, self.first_moves or (), self.player)}"

    def __str__(self) -> str:
        """One sentence for people."""
        if self.verdict is Verdict.UNKNOWN:
            assert self.reason is not None
            known = ""
            if self.refuted_depth is not None:
                known = f"; no win within {plies(self.refuted_depth)} is proved"
            return f"{self.game}: not known whether {self.player} wins ({self.reason.value}){known}"
        if self.verdict is Verdict.WIN and self.depth == 0:
            return f"{self.game}: {self.player} has won already"
        if self.verdict is Verdict.WIN:
            sharp = ", and not sooner" if self.critical_depth == self.depth else ""
            return f"{self.game}: {self.player} wins within {plies(self.depth)}{sharp}"
        if self.every_depth:
            return f"{self.game}: {self.player} cannot force a win at any depth"
        return f"{self.game}: {self.player} cannot force a win within {plies(self.depth)}"


# --- methods --------------------------------------------------------------------------------------


# --- stopping -------------------------------------------------------------------------------------


class Stop(Event):
    """Set by us, once the answer is known, or by the user."""

    def __init__(self, cancel: Event | None) -> None:
        super().__init__()
        self._cancel = cancel

    def is_set(self) -> bool:
        return super().is_set() or (self._cancel is not None and self._cancel.is_set())


# --- methods --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Progress:
    """Something worth telling while an answer is on its way."""

    depth: int
    verdict: Verdict | None  # None: this depth has just been taken up
    wall_seconds: float
    encoding: str | None = None  # where two take turns
    nodes: int | None = None  # of a strategy on its way, once the answer is known


Tell = Callable[[Progress], None]


class Method(Protocol):
    """Something that answers questions within limits, and says UNKNOWN when it cannot."""

    def __call__(self, question: Question, budget: Budget | None = ...) -> Answer: ...


# --- judging --------------------------------------------------------------------------------------
# Anything that answers questions as a judge of situations: the question is asked anew.


def asking(ask: Method, claim: Claim, budget: Budget, known: Answer | None = None) -> Judge:
    """A judge that asks; it may be called by several threads if `ask` may.

    What is `known` about the whole claim is not asked again. One question without an answer ends
    everything, so those under way are stopped.
    """
    stop, failures = Stop(budget.cancel), list[Undecided]()

    def judge(here: Situation) -> Opinion:
        if known is not None and not here.path and here.left == known.depth:
            return Opinion(bool(known), known.first_moves or ())
        question = Question(claim.game.after(here.path), claim.player, here.left)
        answer = ask(question, budget.part(stop))
        if answer.verdict is Verdict.UNKNOWN:
            assert answer.reason is not None, "an unknown answer has a reason"
            failures.append(Undecided(answer.reason, answer.detail))
            stop.set()
            raise failures[0]
        return Opinion(bool(answer), answer.first_moves or ())

    return judge


# --- the Breaker's question -----------------------------------------------------------------------
# The Breaker's question, answered by asking the Maker's.


def breakers_answer(ask: Method, name: str, question: Question, budget: Budget | None) -> Answer:
    """The Breaker wins with the last turn, and exactly if the Maker has not won by then."""
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
        first_moves=None,
        first_moves_complete=False,
    )
