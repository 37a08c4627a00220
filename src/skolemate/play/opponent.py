"""Opponents: whatever answers a move with a move.

`Thinker` (in its own module) solves on the fly. `Follower` plays by a strategy that was found
before; any object with a player and a function from positions to moves will do.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, NamedTuple, Protocol

from skolemate.games.game import Move, Player, Position
from skolemate.play.match import Claim, Match

if TYPE_CHECKING:
    from skolemate.strategies import Strategy

__all__ = ["Book", "Follower", "Opponent", "Reply"]


class Reply(NamedTuple):
    """A move, what there is to say about it, and what is proved about the rest of the game."""

    move: Move
    remark: str = ""
    claim: Claim | None = None


class Opponent(Protocol):
    """Somebody to play against; asked only when it is its turn and the game is not over."""

    def reply(self, match: Match, cancel: Event | None = None) -> Reply: ...


class Book(Protocol):
    """A strategy, as far as playing needs it."""

    @property
    def owner(self) -> Player: ...

    def move(self, position: Position) -> Move | None: ...


@dataclass(frozen=True)
class Follower:
    """Plays by the book; where the book has nothing to say, somebody else is asked.

    `wins_by` is the ply by which the book's player has won, counted from the beginning of the
    match; None if the book promises no win.
    """

    book: Book
    otherwise: Opponent
    wins_by: int | None = None

    @classmethod
    def of(cls, strategy: Strategy, otherwise: Opponent) -> Follower:
        """By a strategy, with what it claims."""
        wins_by = len(strategy.game.played) + strategy.depth if strategy.claim.wins else None
        return cls(strategy, otherwise, wins_by)

    def reply(self, match: Match, cancel: Event | None = None) -> Reply:
        move = self.book.move(match.position)
        if move is None:
            found = self.otherwise.reply(match, cancel)
            return found._replace(remark=f"The strategy has no move here. {found.remark}".rstrip())
        claim = None
        if self.wins_by is not None:
            claim = Claim(self.book.owner, self.wins_by, "the strategy")
        return Reply(move, "It follows its strategy.", claim)
