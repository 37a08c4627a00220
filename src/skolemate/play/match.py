"""A game being played: the moves so far, what the computer has claimed, and the way back.

Nothing here thinks, reads or prints.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from skolemate.games.game import Game, Move, Player, Position, Stuck
from skolemate.render.words import status

__all__ = ["Claim", "Match"]


@dataclass(frozen=True)
class Claim:
    """A proved promise: this player has won by this ply, whatever the other one does."""

    player: Player
    by_ply: int  # counted from the beginning of the match
    source: str  # who proved it


@dataclass(frozen=True, eq=False)
class Match:
    """A moment of a match; playing gives a new one, which knows the one before.

    >>> from skolemate.games.family import build
    >>> match = Match.of(build("tictactoe(moves=b2)"))
    >>> match.result, match.names
    ('unfinished, White to move', ['b2'])
    """

    base: Game  # before any move was played
    moves: tuple[Move, ...] = ()
    claim: Claim | None = None
    before: Match | None = field(default=None, repr=False)

    @classmethod
    def of(cls, game: Game) -> Match:
        """A match in which the moves of a game have been played already."""
        match = cls(game.rewound())
        for move in game.played:
            match = match.play(move)
        return match

    def play(self, move: Move, claim: Claim | None = None) -> Match:
        """The match after a move; raises IllegalMove. A claim stands until the claimant moves."""
        position = self.position.play(move)
        if self.claim is not None and self.position.to_move is not self.claim.player:
            claim = self.claim
        following = Match(self.base, (*self.moves, move), claim, self)
        following.__dict__["position"] = position  # what the property would compute again
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
        """The game that starts here: what questions are asked about."""
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
        """The plies within which the player has claimed to win from here, if so."""
        if self.claim is None or self.claim.player is not player:
            return None
        return self.claim.by_ply - len(self.moves)

    @property
    def broken(self) -> bool:
        """Whether the game has shown a claim to be wrong: that is a defect of ours."""
        if self.claim is None:
            return False
        late = len(self.moves) >= self.claim.by_ply
        return self.winner is not self.claim.player and (self.over or late)
