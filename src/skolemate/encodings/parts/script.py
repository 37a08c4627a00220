"""How the variables of a formula tell a game ply by ply: what is set to move, and what is seen.

This is the way from games to assignments, as `Boards` is the way back. Certificates are made by it:
the opponent's moves are recognised by the variables in which they are seen, the owner's moves set
theirs. What else a formula holds (boards, counters, flags, gates) follows by its own clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from skolemate.formula import FALSE, TRUE
from skolemate.games.game import Move, Player, Position

__all__ = ["Cube", "Duty", "Facts", "ScriptedPly", "cube"]

Cube = tuple[int, ...]  # literals that are all true; without constants
Facts = Mapping[int, Iterable[Cube]]  # literals, each with the cases in which it is true


class Duty(Enum):
    """Whether a player must place a stone, on a fresh cell, even once the game is over."""

    NONE = "no"
    IN_TURN = "to the end of the turn in which it ended"
    ALWAYS = "as long as there are plies"


@dataclass(frozen=True)
class ScriptedPly:
    """The variables of one ply. A move that they cannot tell is missing.

    `seen` tells that a move was made, `chosen` makes it; where they differ, what is seen is a stone
    on a board, which stays. If no move is seen, or an illegal one, the
    formula takes it for a pass, for cheating, or for another move: whatever legal move its opponent
    assumes instead does that one no harm.
    """

    player: Player
    seen: Mapping[Move, Cube]
    chosen: Mapping[Move, Cube]
    running: int | None = None  # true as long as the game is not over before the ply
    stop: int | None = None  # true if the player has won by this ply
    shown: Mapping[Move, Cube] = field(default_factory=dict)  # what else ∃ says about the move
    idle: Cube = ()  # what else the player leaves false
    duty: Duty = Duty.NONE
    turn: int = 0  # the number of the turn; 0 if it does not matter
    legality: Callable[[Position], Facts] | None = None  # what ∃ says about all moves here


def cube(literals: Iterable[int]) -> Cube | None:
    """Literals without constants; None if they are never all true.

    >>> cube([3, TRUE, -4]), cube([3, FALSE])
    ((3, -4), None)
    """
    listed = [int(literal) for literal in literals]
    if int(FALSE) in listed:
        return None
    return tuple(literal for literal in listed if literal != int(TRUE))
