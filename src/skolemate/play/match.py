"""Matches and opponents: the moves so far, the computer's moves, and the wins that it has claimed.

Nothing here reads input or prints.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from threading import Event
from typing import NamedTuple, Protocol

from skolemate import Analyst, Answer, Value, Verdict
from skolemate.errors import Disagreement
from skolemate.games import Game, Move, Player, Position, Sets, Stuck
from skolemate.games.sensible import ranked
from skolemate.limits import Budget, Limit, Reason
from skolemate.output import amount, plies
from skolemate.render.text import status
from skolemate.strategies import Strategy

# --- threats --------------------------------------------------------------------------------------


def threats(position: Position, player: Player) -> tuple[Move, ...]:
    """The moves by which a player would win at once if it were that player's turn.

    >>> from skolemate.games.family import build
    >>> game = build("tictactoe(moves=a1 b2 a2)")
    >>> [game.move_name(move) for move in threats(game.start, Player.BLACK)]
    ['a3']
    """
    game, goal = position.game, position.game.goal(player)
    if not position.moves() or game.breaker is player:
        return ()
    if isinstance(goal, Sets):  # the same as below, quicker
        mine, taken = position.stones(player), position.occupied
        missing = {line & ~mine for line in goal.sets if not line & taken & ~mine}
        return tuple(sorted(cell.bit_length() - 1 for cell in missing if cell.bit_count() == 1))
    turn = Position(game, position.black, position.white, player)
    return tuple(
        move for move in game.legal_moves(turn) if game.winner(game.result(turn, move)) is player
    )


# --- the match ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ClaimedWin:
    """A proved win of a player by some ply, whatever the other player does."""

    player: Player
    by_ply: int  # counted from the beginning of the match
    source: str  # who proved it


@dataclass(frozen=True, eq=False)
class Match:
    """The state of a match; playing a move gives a new one, which keeps the one before.

    >>> from skolemate.games.family import build
    >>> match = Match.of(build("tictactoe(moves=b2)"))
    >>> match.result, match.names
    ('unfinished, White to move', ['b2'])
    """

    base: Game  # before any move was played
    moves: tuple[Move, ...] = ()
    claim: ClaimedWin | None = None
    before: Match | None = field(default=None, repr=False)

    @classmethod
    def of(cls, game: Game) -> Match:
        """A match in which the moves of a game have been played already."""
        match = cls(game.rewound())
        for move in game.played:
            match = match.play(move)
        return match

    def play(self, move: Move, claim: ClaimedWin | None = None) -> Match:
        """The match after a move; raises IllegalMove. A claim holds until its player moves."""
        position = self.position.play(move)
        if self.claim is not None and self.position.to_move is not self.claim.player:
            claim = self.claim
        following = Match(self.base, (*self.moves, move), claim, self)
        following.__dict__["position"] = position  # fills the cached property
        return following

    def undone(self, player: Player) -> Match | None:
        """The match as it was before the player's last move, if there was one."""
        match = self.before
        while match is not None and match.position.to_move is not player:
            match = match.before
        return match

    @cached_property
    def position(self) -> Position:
        return self.base.start if self.before is None else self.before.position.play(self.moves[-1])

    @cached_property
    def game(self) -> Game:
        """The game that starts at the present position, for questions."""
        return self.base.after(self.moves)

    @property
    def names(self) -> list[str]:
        """The moves, in full."""
        return [self.base.move_name(move) for move in self.moves]

    @cached_property
    def over(self) -> bool:
        return not self.position.moves()

    @cached_property
    def winner(self) -> Player | None:
        """Who has won, by a goal or because the other one cannot move."""
        here = self.position
        if here.winner is not None or not self.over or here.to_move is None:
            return here.winner
        loses = self.base.stuck(here) is Stuck.LOSES
        return here.to_move.opponent if loses else None

    @property
    def result(self) -> str:
        """How it ended, or whose turn it is."""
        words = status(self.position)
        return words if self.over else f"unfinished, {words}"

    def promised(self, player: Player) -> int | None:
        """The plies left within which the player has claimed to win; None without a claim."""
        if self.claim is None or self.claim.player is not player:
            return None
        return self.claim.by_ply - len(self.moves)

    @property
    def broken(self) -> bool:
        """Whether the game has shown that a claim is wrong, which is a bug in Skolemate."""
        if self.claim is None:
            return False
        late = len(self.moves) >= self.claim.by_ply
        return self.winner is not self.claim.player and (self.over or late)


# --- opponents ------------------------------------------------------------------------------------
# `Thinker` solves on the fly; `Follower` plays by a strategy.


class OpponentMove(NamedTuple):
    """The opponent's move, a remark on it, and the win that it claims, if any."""

    move: Move
    remark: str = ""
    claim: ClaimedWin | None = None


class Hint(NamedTuple):
    """Advice: a move and what it does, or only words; and what is to be said before that."""

    move: Move | None
    does: str
    before: str = ""

    def sentence(self, name: str) -> str:
        """The advice in words, with the name of the move."""
        return self.does if self.move is None else f"{self.before} {name} {self.does}.".lstrip()


class Opponent(Protocol):
    """Anything that answers with a move; asked only on its turn in a game that is not over."""

    def reply(self, match: Match, cancel: Event | None = None) -> OpponentMove: ...


class StrategyLike(Protocol):
    """The part of a strategy that playing needs: the owner, and a move for a position."""

    @property
    def owner(self) -> Player: ...

    def move(self, position: Position) -> Move | None: ...


@dataclass(frozen=True)
class Follower:
    """Plays by a strategy; in positions that it does not cover, `otherwise` is asked.

    `wins_by` is the ply by which the strategy wins, counted from the beginning of the match; None
    if it only prevents a win.
    """

    strategy: StrategyLike
    otherwise: Opponent
    wins_by: int | None = None

    @classmethod
    def of(cls, strategy: Strategy, otherwise: Opponent) -> Follower:
        """A follower of a strategy, with the win that the strategy claims."""
        wins_by = len(strategy.game.played) + strategy.depth if strategy.claim.wins else None
        return cls(strategy, otherwise, wins_by)

    def reply(self, match: Match, cancel: Event | None = None) -> OpponentMove:
        move = self.strategy.move(match.position)
        if move is None:
            found = self.otherwise.reply(match, cancel)
            return found._replace(remark=f"The strategy has no move here. {found.remark}".rstrip())
        claim = None
        if self.wins_by is not None:
            claim = ClaimedWin(self.strategy.owner, self.wins_by, "the strategy")
        return OpponentMove(move, "It follows its strategy.", claim)


# --- solving on the fly ---------------------------------------------------------------------------
# The computer plays a forced win if it finds one, else a sensible move. After it has claimed a win,
# it asks for exactly the plies left and without the time limit, since that is part of a question
# that was answered already.


class BrokenClaim(Disagreement):
    """A claimed win turned out to be wrong: a solver, an encoding or Skolemate has a bug."""


@dataclass(frozen=True)
class Thinker:
    """Asks an analyst, depth after depth up to `depth`, within the limit for each move."""

    analyst: Analyst
    limit: Limit = Limit()  # noqa: RUF009  a frozen value
    depth: int | None = None

    def reply(self, match: Match, cancel: Event | None = None) -> OpponentMove:
        player = match.position.to_move
        assert player is not None, "nobody is asked when the game is over"
        left = match.promised(player)
        if left is not None:
            return self._keep(match, player, left, cancel)
        budget = Budget(self.limit, cancel)
        answer = self._deepened(match.game, player, budget)
        move = self._first_move(answer, budget)
        if move is not None:
            claim = ClaimedWin(player, len(match.moves) + answer.depth, answer.source)
            return OpponentMove(move, _announced(answer.depth - 1, ", whatever you do"), claim)
        return self._best_without_a_win(match.game, player, answer, budget)

    def hint(self, game: Game, player: Player, cancel: Event | None = None) -> Hint:
        """Advice to the player to move: a move that wins, else one that draws or loses last."""
        budget = Budget(self.limit, cancel)
        answer = self._deepened(game, player, budget)
        move = self._first_move(answer, budget)
        if move is not None:
            return Hint(move, f"wins within {plies(answer.depth)}")
        if answer.verdict is Verdict.NO_WIN:
            value = self.value(game, budget)
            if value.best_moves:
                does = (
                    "draws" if value.plies is None else f"holds out longest, {plies(value.plies)}"
                )
                return Hint(value.best_moves[0], does, no_hint(answer))
        return Hint(None, no_hint(answer))

    def value(self, game: Game, budget: Budget) -> Value:
        """The values of all moves, as far as they are found within the limits."""
        return self.analyst.value(game, all_moves=True, max_depth=self.depth, budget=budget)

    def _deepened(self, game: Game, player: Player, budget: Budget) -> Answer:
        return self.analyst.solve(game, "auto", player, max_depth=self.depth, budget=budget)

    def _first_move(self, answer: Answer, budget: Budget) -> Move | None:
        if answer.verdict is not Verdict.WIN or answer.depth == 0:
            return None
        if answer.first_move_numbers:
            return answer.first_move_numbers[0]
        # Some answers (the Breaker's) have no move: then each move is asked about.
        for move in answer.game.start.moves():
            if budget.exceeded is not None:
                return None
            after, left = answer.game.after([move]), answer.depth - 1
            rest = self.analyst.solve(after, left, answer.player, budget=budget)
            if rest.verdict is Verdict.WIN:
                return move
        return None

    def _keep(self, match: Match, player: Player, left: int, cancel: Event | None) -> OpponentMove:
        assert match.claim is not None, "it has promised something"
        budget = Budget(Limit(memory=self.limit.memory), cancel)
        answer = self.analyst.solve(match.game, left, player, budget=budget)
        if answer.verdict is Verdict.NO_WIN:
            raise BrokenClaim(
                f"{match.claim.source} has proved that {player} wins within {plies(left)} from "
                f"{match.game}, and {answer.source} proves the contrary"
            )
        move = self._first_move(answer, budget)
        if move is not None:
            return OpponentMove(move, _announced(left - 1), match.claim)
        why = answer.reason.value if answer.reason else "its moves could not be checked"
        remark = f"It can no longer follow its win ({why}), and takes the claim back."
        return OpponentMove(next(ranked(match.position)), remark)

    def _best_without_a_win(
        self, game: Game, player: Player, answer: Answer, budget: Budget
    ) -> OpponentMove:
        """A move after which no win of the enemy is found, or else the one that delays it most."""
        candidates = ranked(game.start)
        remark = _why_not(answer)
        hopeless = answer.every_depth and not game.may_be_drawn
        won = answer.verdict is Verdict.WIN
        if won or hopeless or answer.reason not in (None, Reason.DEPTH):
            return OpponentMove(next(candidates), remark)
        best, held = None, -1
        for move, rest in self._defences(game, player.opponent, candidates, budget):
            if rest.verdict is Verdict.NO_WIN and answer.every_depth:
                return OpponentMove(move, "Nobody can force a win now.")
            if rest.verdict is Verdict.NO_WIN or rest.reason is Reason.DEPTH:
                return OpponentMove(move, remark)
            if rest.refuted_depth is not None and rest.refuted_depth > held:
                best, held = move, rest.refuted_depth
        return OpponentMove(next(ranked(game.start)) if best is None else best, remark)

    def _defences(
        self, game: Game, enemy: Player, moves: Iterator[Move], budget: Budget
    ) -> Iterator[tuple[Move, Answer]]:
        """Moves until time is up, each with the answer about the enemy's win after it."""
        for move in moves:
            if budget.exceeded is not None:
                return
            yield move, self._deepened(game.after([move]), enemy, budget)


def _announced(left: int, certainty: str = "") -> str:
    """The announcement of a win with so many plies left after the move; empty for the last move."""
    return f"It wins within {amount(left, 'more ply', 'more plies')}{certainty}." if left else ""


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
    """A hint for a player for whom there is no winning move to name."""
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
