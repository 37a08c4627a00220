"""From the truth of PAIRING to a plan: what White answers, and the pairs in the end.

The formula's outermost block is Black's where he is to move, and then a solver tells nothing. So
the question is asked again after each of his moves, as far as pairs do not suffice yet. Pairs
are believed only if `strategies` finds that they hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from skolemate.ask.question import Question
from skolemate.encodings import Encoded
from skolemate.games.game import Move, Position
from skolemate.solvers import Solved
from skolemate.strategies import Blocking, Pairs, pairs_hold

__all__ = ["Untold", "candidates", "unfold"]

MOST_FORMULAS = 3000  # to be solved for one plan; half a minute or so

Solve = Callable[[Question], tuple[Encoded, Solved]]


class Untold(Exception):
    """A plan that cannot be told, and why."""


def unfold(question: Question, solve: Solve) -> Blocking | None:
    """The plan behind a true formula; None if solvers contradict themselves on the way."""
    unfolding = _Unfolding(question, solve)
    found = unfolding.blocked(question.game.start, (), question.depth)
    return Blocking(question.game, question.player, unfolding.plan) if found else None


@dataclass
class _Unfolding:
    """A plan in the making. Only positions that are known to be blocked are in it."""

    question: Question
    solve: Solve
    plan: dict[Position, Move | Pairs] = field(default_factory=dict)
    asked: int = 0

    def blocked(self, position: Position, moves: tuple[Move, ...], plies: int) -> bool:
        """Extend the plan by what is needed from a position on, so many plies before pairs."""
        player = self.question.player
        if position.winner is not None or not position.moves():
            return position.winner is not player
        if position in self.plan:
            return True
        if position.to_move is not player and plies > 0:
            return self._answered(position, moves, plies)
        found = self._true(moves, 0)
        if found is not None:
            if not self._paired(position, *found):
                raise Untold("the solver does not tell the pairs")
            return True
        return plies > 0 and all(
            self.blocked(position.play(move), (*moves, move), plies - 1)
            for move in position.moves()
        )

    def _answered(self, position: Position, moves: tuple[Move, ...], plies: int) -> bool:
        found = self._true(moves, plies)
        if found is None:
            return False
        encoded, outer = found
        for move in candidates(position, encoded.decode(outer)):
            after = position.play(move)
            if self._paired(after, encoded, outer) or self.blocked(
                after, (*moves, move), plies - 1
            ):
                self.plan[position] = move
                return True
        return False

    def _paired(self, position: Position, encoded: Encoded, outer: Mapping[int, bool]) -> bool:
        """Whether the pairs that an assignment tells hold in a position: then they are kept."""
        pairs = encoded.decode_pairs(outer) if encoded.decode_pairs is not None else ()
        holds = pairs_hold(pairs, position, self.question.player)
        if holds:
            self.plan[position] = pairs
        return holds

    def _true(
        self, moves: tuple[Move, ...], plies: int
    ) -> tuple[Encoded, Mapping[int, bool]] | None:
        """The formula after some moves with a solution of its outermost block, if it is true."""
        self.asked += 1
        if self.asked > MOST_FORMULAS:
            raise Untold("it takes too many positions")
        game = self.question.game.after(moves) if moves else self.question.game
        encoded, solved = self.solve(Question(game, self.question.player, plies))
        if solved.reason is not None:
            raise Untold(solved.message or solved.reason.value)
        return (encoded, solved.outer) if solved.truth else None


def candidates(position: Position, told: Move | None) -> Iterator[Move]:
    """The legal moves, the one that the solver told first."""
    if told is not None:
        yield told
    yield from (move for move in position.moves() if move != told)
