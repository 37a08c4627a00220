"""The question: can this player force a win in this game within so many plies?"""

from __future__ import annotations

from dataclasses import dataclass

from skolemate.errors import UserError
from skolemate.games.game import DEEPEST, Game, Player
from skolemate.output import plies

__all__ = ["Question"]


@dataclass(frozen=True)
class Question:
    """One ply is one stone or one action, counted from the game's start."""

    game: Game
    player: Player
    depth: int

    def __post_init__(self) -> None:
        if not isinstance(self.depth, int) or not 0 <= self.depth <= DEEPEST:
            raise UserError(f"a depth is a number of plies up to {DEEPEST:,}, not {self.depth!r}")
        last = self.game.last_stated
        if last is not None and self.depth > last:
            raise UserError(
                f"{self.game} holds for {plies(last)} only, and its file does not tell how the "
                f"game goes on: ask within {last}"
            )

    def normalised(self) -> Question:
        """The same question with colours exchanged, if need be, so that Black asks it."""
        if self.player is Player.BLACK:
            return self
        return Question(self.game.swapped(), Player.BLACK, self.depth)

    @property
    def has_first_moves(self) -> bool:
        """Whether the player is to make the first move, if any is still to be made."""
        start = self.game.start
        return start.to_move is self.player and start.winner is None

    @property
    def reaches_horizon(self) -> bool:
        """Whether a deeper question would have the same answer."""
        horizon = self.game.horizon
        return horizon is not None and self.depth >= horizon

    def __str__(self) -> str:
        return f"can {self.player} force a win in {self.game} within {plies(self.depth)}?"
