"""The opponent that solves on the fly: a forced win if it finds one, else a sensible move.

A claimed win is kept: the rest of it is asked about at exactly the depth that is left, and
without the time limit, since it is a part of what has been solved already.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event

from skolemate.ask import Answer, Limit, Question, Verdict, deepen
from skolemate.ask.method import Method
from skolemate.errors import Disagreement
from skolemate.games.game import Game, Move, Player
from skolemate.games.sensible import ranked
from skolemate.limits import Budget, Reason
from skolemate.output import amount, plies
from skolemate.play.match import Claim, Match
from skolemate.play.opponent import Reply

__all__ = ["BrokenClaim", "Thinker", "no_hint"]


class BrokenClaim(Disagreement):
    """What was proved is now refuted: a solver, an encoding or we are wrong."""


@dataclass(frozen=True)
class Thinker:
    """Asks a method, depth after depth up to `depth`, within the limit for each move."""

    method: Method
    limit: Limit = Limit()  # noqa: RUF009  a frozen value
    depth: int | None = None

    def reply(self, match: Match, cancel: Event | None = None) -> Reply:
        player = match.position.to_move
        assert player is not None, "nobody is asked when the game is over"
        left = match.promised(player)
        if left is not None:
            return self._keep(match, player, left, cancel)
        budget = Budget(self.limit, cancel)
        answer, move = self.winning_move(match.game, player, budget)
        if move is not None:
            claim = Claim(player, len(match.moves) + answer.depth, answer.source)
            return Reply(move, _announced(answer.depth - 1, ", whatever you do"), claim)
        return self._best_without_a_win(match.game, player, answer, budget)

    def winning_move(
        self, game: Game, player: Player, budget: Budget
    ) -> tuple[Answer, Move | None]:
        """What is known about a win of the player to move, and a move that wins."""
        answer = deepen(
            self.method, game, player, self.depth, budget.remaining(), None, budget.cancel
        )
        return answer, self._first_move(answer, budget)

    def _first_move(self, answer: Answer, budget: Budget) -> Move | None:
        if answer.verdict is not Verdict.WIN or answer.depth == 0:
            return None
        if answer.first_moves:
            return answer.first_moves[0]
        # Some answers (the Breaker's) tell no move: then it is found by asking about each.
        for move in answer.game.start.moves():
            if not _has_time(budget):
                return None
            after = Question(answer.game.after([move]), answer.player, answer.depth - 1)
            rest = self.method(after, budget.remaining(), None, budget.cancel)
            if rest.verdict is Verdict.WIN:
                return move
        return None

    def _keep(self, match: Match, player: Player, left: int, cancel: Event | None) -> Reply:
        assert match.claim is not None, "it has promised something"
        budget = Budget(Limit(memory=self.limit.memory), cancel)
        answer = self.method(Question(match.game, player, left), budget.limit, None, cancel)
        if answer.verdict is Verdict.NO_WIN:
            raise BrokenClaim(
                f"{match.claim.source} has proved that {player} wins within {plies(left)} from "
                f"{match.game}, and {answer.source} proves the contrary"
            )
        move = self._first_move(answer, budget)
        if move is not None:
            return Reply(move, _announced(left - 1), match.claim)
        why = answer.reason.value if answer.reason else "its moves could not be checked"
        remark = f"It can no longer follow its win ({why}), and takes the claim back."
        return Reply(next(ranked(match.position)), remark)

    def _best_without_a_win(
        self, game: Game, player: Player, answer: Answer, budget: Budget
    ) -> Reply:
        """A move against which no win is found, or else the one that holds out longest."""
        candidates = ranked(game.start)
        remark = _why_not(answer)
        hopeless = answer.every_depth and not _may_be_drawn(game)
        won = answer.verdict is Verdict.WIN
        if won or hopeless or answer.reason not in (None, Reason.DEPTH):
            return Reply(next(candidates), remark)
        best, held = None, -1
        for move, rest in self._defences(game, player.opponent, candidates, budget):
            if rest.verdict is Verdict.NO_WIN and answer.every_depth:
                return Reply(move, "Nobody can force a win now.")
            if rest.verdict is Verdict.NO_WIN or rest.reason is Reason.DEPTH:
                return Reply(move, remark)
            if rest.refuted_depth is not None and rest.refuted_depth > held:
                best, held = move, rest.refuted_depth
        return Reply(next(ranked(game.start)) if best is None else best, remark)

    def _defences(
        self, game: Game, enemy: Player, moves: Iterator[Move], budget: Budget
    ) -> Iterator[tuple[Move, Answer]]:
        """The moves while there is time, each with what is known about the enemy's win after it."""
        for move in moves:
            if not _has_time(budget):
                return
            after, left = game.after([move]), budget.remaining()
            yield move, deepen(self.method, after, enemy, self.depth, left, None, budget.cancel)


def _has_time(budget: Budget) -> bool:
    cancelled = budget.cancel is not None and budget.cancel.is_set()
    return not cancelled and budget.remaining().seconds != 0


def _announced(left: int, certainty: str = "") -> str:
    """What is said of a win with so many plies left after the move; the last speaks for itself."""
    return f"It wins within {amount(left, 'more ply', 'more plies')}{certainty}." if left else ""


def _may_be_drawn(game: Game) -> bool:
    """Whether somebody who cannot win may still not lose; yes, where that is not known."""
    return game.breaker is None and not game.offers("transversal")


def _why_not(answer: Answer) -> str:
    if answer.verdict is Verdict.WIN:
        return "It can force a win, but there was no time to find the move. This is a sensible one."
    if answer.every_depth:
        return "It cannot force a win, and plays a sensible move."
    proved = ""
    if answer.refuted_depth:
        proved = f"; there is none within {plies(answer.refuted_depth)}"
    if answer.reason in (None, Reason.DEPTH):
        return f"It looks no deeper than {plies(answer.depth)}, and sees no forced win there."
    why = "in time" if answer.reason is Reason.TIME else f"({answer.reason.value})"
    return f"It found no forced win {why}{proved}. This is only a sensible move."


def no_hint(answer: Answer) -> str:
    """What to tell a player about a win for which there is no move to name."""
    if answer.every_depth:
        return "You cannot force a win."
    if answer.verdict is Verdict.WIN:
        return "You can force a win, but there was no time to find the move."
    proved = ""
    if answer.refuted_depth:
        proved = f"You cannot force a win within {plies(answer.refuted_depth)}. "
    if answer.reason is Reason.DEPTH:
        return f"{proved}The computer looks no deeper."
    why = f" ({answer.reason.value})" if answer.reason else ""
    return f"{proved}More is not known{why}."
