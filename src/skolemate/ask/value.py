"""The value of a position under best play: who wins and how fast, or a draw.

Both players' questions are asked in turn, by one method, until one player wins or neither can. A
win of one player refutes every win of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from html import escape
from typing import Any

from skolemate.ask.deepening import Steps, deepening, in_turn, last_depth
from skolemate.ask.method import Answer, Method, Progress, Verdict
from skolemate.games.game import Game, Move, Player, Position
from skolemate.games.symmetry import Permutation, move_mask
from skolemate.limits import Budget, OutOfBudget, Reason
from skolemate.output import plies


class Outcome(Enum):
    """Who wins under best play. UNKNOWN proves nothing."""

    BLACK = "black"
    WHITE = "white"
    DRAW = "draw"
    UNKNOWN = "unknown"

    @classmethod
    def of(cls, winner: Player) -> Outcome:
        return cls(winner.value)


@dataclass(frozen=True, repr=False)
class Value:
    """The value of a game's start: the answers for both players, and what follows from them.

    `moves` has the value after each legal move, if that was asked.
    """

    game: Game
    black: Answer
    white: Answer
    moves: tuple[tuple[Move, Value], ...] | None = None

    @classmethod
    def unasked(cls, game: Game, out: OutOfBudget) -> Value:
        """The value if a limit was reached before any method was asked."""
        black, white = (Answer.unasked(game, player, out) for player in Player)
        return cls(game, black, white)

    def answer(self, player: Player) -> Answer:
        """The answer about a player's win."""
        return self.black if player is Player.BLACK else self.white

    @property
    def possible(self) -> tuple[Outcome, ...]:
        """The outcomes that are not excluded: one if the value is known."""
        for player in Player:
            if self.answer(player).verdict is Verdict.WIN:
                return (Outcome.of(player),)
        wins = (p for p in Player if self.answer(p).verdict is Verdict.UNKNOWN)
        return (*map(Outcome.of, wins), *([Outcome.DRAW] if self.game.may_be_drawn else []))

    @property
    def outcome(self) -> Outcome:
        """Who wins under best play, if that is known."""
        possible = self.possible
        return possible[0] if len(possible) == 1 else Outcome.UNKNOWN

    @property
    def winner(self) -> Player | None:
        """Who wins; None for a draw, and where it is not known."""
        won = self.outcome in (Outcome.BLACK, Outcome.WHITE)
        return Player(self.outcome.value) if won else None

    @property
    def plies(self) -> int | None:
        """The plies of a win: the winner can force it in so many, the loser can hold out so long.

        None if nobody wins, or if it is not known exactly.
        """
        return None if self.winner is None else self.answer(self.winner).critical_depth

    @property
    def reason(self) -> Reason | None:
        """Why the value, its plies, or the value of a move is not known."""
        moves = (after.reason for _, after in self.moves or ())
        return self.black.reason or self.white.reason or next(filter(None, moves), None)

    @property
    def halves(self) -> Iterator[Answer]:
        """What strategies can prove, one for each player: together they prove the value.

        The winner has one that wins, the loser one that holds out until then; in a draw each
        player has one that prevents the other's win.
        """
        for player in Player:
            answer = self.answer(player)
            if answer.verdict is Verdict.WIN:
                yield answer
                # Nothing is decided for a Breaker before the last turn, whatever is played.
                if answer.critical_depth and self.game.breaker is not player:
                    yield replace(
                        answer,
                        verdict=Verdict.NO_WIN,
                        depth=answer.critical_depth - 1,
                        critical_depth=None,
                        first_move_numbers=None,
                        first_moves_complete=False,
                    )
            elif answer.verdict is Verdict.NO_WIN and self.winner is None:
                yield answer

    @property
    def best_moves(self) -> tuple[Move, ...]:
        """The moves that keep the value: all of them if `moves` are known, else what is known."""
        mover, plies = self.game.start.to_move, self.plies
        if self.moves is None:
            wins = mover is not None and mover is self.winner
            return self.answer(mover).first_move_numbers or () if mover and wins else ()
        return tuple(
            move
            for move, after in self.moves
            if after.outcome is self.outcome is not Outcome.UNKNOWN
            and (plies is None or after.plies == plies - 1)
        )

    def ranked_moves(self) -> list[tuple[Move, Value]]:
        """The moves with their values, the best for the player to move first."""
        mover = self.game.start.to_move

        def rank(pair: tuple[Move, Value]) -> tuple[int, int]:
            after = pair[1]
            if after.winner is None or mover is None:
                return (1 if after.outcome is Outcome.DRAW else 2), 0
            depth = after.answer(after.winner).depth
            return (0, depth) if after.winner is mover else (3, -depth)

        return sorted(self.moves or (), key=rank)

    def for_player(self, player: Player, played: int = 0) -> str:
        """What this value means for a player, some plies before: "wins in 7", "draws"."""
        words = {Outcome.of(player): "wins", Outcome.DRAW: "draws"}
        words[Outcome.of(player.opponent)] = "loses"
        possible = self.possible
        if self.winner is None:
            return " or ".join(words[o] for o in possible) if len(possible) < 3 else "not known"
        answer = self.answer(self.winner)
        if answer.verdict is not Verdict.WIN:
            return words[self.outcome]
        how = "within" if answer.critical_depth is None else "in"
        return f"{words[self.outcome]} {how} {answer.depth + played}"

    def at(self, twin: Game) -> Value:
        """The value of a game that a symmetry takes this one to."""
        if twin == self.game:
            return self
        black, white = (
            replace(
                self.answer(player), game=twin, first_move_numbers=None, first_moves_complete=False
            )
            for player in Player
        )
        return Value(twin, black, white)

    def as_json(self) -> dict[str, Any]:
        """Plain data; keys are never missing, absent values are None."""
        mover = self.game.start.to_move
        return {
            "game": str(self.game),
            "to_move": mover.value if mover else None,
            "outcome": self.outcome.value,
            "possible": [outcome.value for outcome in self.possible],
            "plies": self.plies,
            "reason": self.reason.value if self.reason else None,
            "detail": self.note,
            "moves": None if self.moves is None else [self._move(*pair) for pair in self.moves],
            "black": self.black.as_json(),
            "white": self.white.as_json(),
        }

    def _move(self, move: Move, after: Value) -> dict[str, Any]:
        """A move as plain data, its plies counted from before it."""
        return {
            "move": self.game.move_name(move),
            "outcome": after.outcome.value,
            "possible": [outcome.value for outcome in after.possible],
            "plies": None if after.plies is None else after.plies + 1,
        }

    @property
    def note(self) -> str | None:
        """Remarks for people."""
        settled = (a for a in (self.black, self.white) if a.verdict is not Verdict.UNKNOWN)
        depth = max((a.settled_depth for a in settled), default=0)
        details = dict.fromkeys((self.black.detail, self.white.detail, self.game.remark(depth)))
        return "; ".join(filter(None, details)) or None

    def _repr_html_(self) -> str:
        """What a notebook shows: the sentence, and the board with the winner's moves."""
        from skolemate.render import board

        mover = self.game.start.to_move or Player.BLACK
        return f"<p>{escape(str(self))}.</p>{board(self.game, self.best_moves, mover)}"

    def __repr__(self) -> str:
        return f"<Value: {self}>"

    def __str__(self) -> str:
        """One sentence for people."""
        if self.outcome is Outcome.DRAW:
            ends = self.game.horizon is not None
            draw = "a draw" if ends else "a draw: each player can prevent a win for ever"
            return f"{self.game}: {draw}"
        winner = self.winner
        if winner is not None and self.answer(winner).verdict is Verdict.WIN:
            depth = self.answer(winner).depth
            how = "within" if self.plies is None else "in"
            won = f"wins {how} {plies(depth)}" if depth else "has won already"
            return f"{self.game}: {winner} {won}"
        return f"{self.game}: {self._partly()}{self._refuted()}"

    def _partly(self) -> str:
        """What is known of a value that is not known, or not in plies, and why no more."""
        why = f"({self.reason.value})" if self.reason else ""
        if self.winner is not None:
            return f"{self.winner} wins; the number of plies is not known {why}"
        for player in Player:
            if self.answer(player.opponent).verdict is Verdict.NO_WIN:
                return f"{player} wins or draws; which is not known {why}"
        return f"not known who wins {why}"

    def _refuted(self) -> str:
        """Within how many plies a win is excluded."""
        open_ = (a for a in (self.black, self.white) if a.verdict is Verdict.UNKNOWN)
        known = [
            f"{a.player} cannot force a win within {plies(a.refuted_depth)}"
            for a in open_
            if a.refuted_depth is not None
        ]
        return "".join(f"; {sentence}" for sentence in known)


def settle(
    method: Method,
    game: Game,
    max_depth: int | None = None,
    budget: Budget | None = None,
) -> Value:
    """The value of a game: both players' questions, depth after depth, until it is known.

    The limit is for both together. Where one player's question stays open, the other's is still
    asked.
    """
    budget = Budget.within(budget)
    try:
        with budget.heeded():
            last = last_depth(game, max_depth)
    except OutOfBudget as out:
        return Value.unasked(game, out)

    def asked(player: Player) -> Steps:
        def named(progress: Progress) -> None:
            budget.tell(replace(progress, player=player))

        own = Budget(budget.limit, budget.cancel, named)
        depths = game.deciding_plies(player, last)
        return deepening(method, game, player, depths, last, own, patient=False)

    found = {
        answer.player: answer
        for answer in in_turn(map(asked, Player), lambda answer: answer.verdict is Verdict.WIN)
    }
    for answer in list(found.values()):
        if answer.verdict is Verdict.WIN:
            found[answer.player.opponent] = _beaten(answer)
    return Value(game, found[Player.BLACK], found[Player.WHITE])


def _beaten(answer: Answer) -> Answer:
    """The answer about the opponent of a player who wins."""
    return Answer(
        answer.game,
        answer.player.opponent,
        answer.depth,
        Verdict.NO_WIN,
        method=answer.method,
        refuted_depth=answer.depth,
        every_depth=True,
        encoding=answer.encoding,
        pipeline=answer.pipeline,
        symmetry=answer.symmetry,
    )


def with_moves(method: Method, value: Value, max_depth: int | None, budget: Budget) -> Value:
    """The same value with that of every legal move; symmetric moves are asked about once."""
    game, known = value.game, dict[tuple[int, int], Value]()
    left = None if max_depth is None else max(0, max_depth - 1)

    def after(move: Move) -> Value:
        try:
            with budget.heeded():
                budget.check()
                following = game.after([move])  # on a large board, thousands take a while
                key = _class(following.start, game.symmetries)
        except OutOfBudget as out:
            return Value.unasked(game, out)
        if key not in known:
            known[key] = settle(method, following, left, budget.part())
        return known[key].at(following)

    return replace(value, moves=tuple((move, after(move)) for move in game.start.moves()))


def _class(position: Position, turns: Iterable[Permutation]) -> tuple[int, int]:
    """The same for all positions that these symmetries take to each other."""
    black, white = position.black, position.white
    return min([(move_mask(t, black), move_mask(t, white)) for t in turns], default=(black, white))
