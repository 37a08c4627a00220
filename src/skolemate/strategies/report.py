"""What the checker found, in words and as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from skolemate.games.bits import cells_of
from skolemate.games.game import Move, Player, Position
from skolemate.output import amount
from skolemate.strategies.claim import Claim

__all__ = ["Report"]


@dataclass(frozen=True)
class Report:
    """Whether a strategy proves its claim; if not, why, and where. `nodes` were read until then."""

    holds: bool
    nodes: int
    every_depth: bool = False  # there is no win however deep one looks
    reason: str | None = None
    position: Position | None = None
    move: Move | None = None
    claim: Claim = field(kw_only=True, compare=False)  # the same can be found about another

    def as_json(self) -> dict[str, Any]:
        """Plain data; keys are never missing, absent values are None."""
        position, move = self.position, self.move
        turn = position.to_move if position is not None else None
        return self.claim.as_json() | {
            "holds": self.holds,
            "nodes": self.nodes,
            "every_depth": self.every_depth,
            "reason": self.reason,
            "black": None if position is None else self._stones(Player.BLACK),
            "white": None if position is None else self._stones(Player.WHITE),
            "to_move": turn.value if turn is not None else None,
            "move": position.game.move_name(move) if position and move is not None else None,
        }

    def _stones(self, player: Player) -> list[str]:
        assert self.position is not None, "the caller looked"
        names = self.position.game.board.names
        return [names[cell] for cell in cells_of(self.position.stones(player))]

    def __str__(self) -> str:
        """What the strategy proves; or where it fails, and why."""
        if self.holds:
            return (
                f"{self.claim.sentence(self.every_depth)}.\n"
                f"The strategy holds; it has {amount(self.nodes, 'node')}.\n"
                f"{self.claim.provenance}"
            )
        if self.position is None:
            return str(self.reason)
        stones = (f"{player} {' '.join(self._stones(player)) or '-'}" for player in Player)
        name = self.position.game.move_name
        after = "" if self.move is None else f", after {name(self.move)}"
        return f"{', '.join(stones)}, {self.position.to_move} to move{after}: {self.reason}"
