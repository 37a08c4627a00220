"""How the variables of a formula tell a game ply by ply: what is set to move, and what is seen.

This is the way from games to assignments, as `Boards` is the way back. Certificates are made by it:
the opponent's moves are recognised by the variables in which they are seen, the owner's moves set
theirs. What else a formula holds (boards, counters, flags, gates) follows by its own clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from skolemate.formula import FALSE, TRUE
from skolemate.games.game import Move, Player

__all__ = ["Cube", "Duty", "GoalCase", "Premise", "Script", "ScriptedPly", "cube"]

Cube = tuple[int, ...]  # literals that are all true; without constants


@dataclass(frozen=True)
class Premise:
    """That a player's stone is on a cell, or that the cell is open (None); or the contrary."""

    cell: int
    owner: Player | None
    negated: bool = False


@dataclass(frozen=True)
class GoalCase:
    """A goal at a place: how it is named, and what makes it true. A premise may be decided."""

    name: Cube
    premises: tuple[Premise | bool, ...]


class Duty(Enum):
    """Whether a player must place a stone, on a fresh cell, even once the game is over."""

    NONE = "no"
    IN_TURN = "to the end of the turn in which it ended"
    ALWAYS = "as long as there are plies"


@dataclass(frozen=True)
class ScriptedPly:
    """The variables of one ply. A move that they cannot tell is missing.

    `seen` tells that a move was made, `chosen` makes it. If no move is seen, or an illegal one, the
    formula takes it for a pass, for cheating, or for another move: whatever legal move its opponent
    assumes instead does that one no harm.
    """

    player: Player
    seen: Mapping[Move, Cube]
    chosen: Mapping[Move, Cube]
    running: int | None = None  # true as long as the game is not over before the ply
    stop: int | None = None  # true if the player has won by this ply
    shown: Mapping[Move, Cube] = field(default_factory=dict)  # what else ∃ says about the move
    kept: Mapping[Move, Cube] = field(default_factory=dict)  # true from the player's move on
    idle: Cube = ()  # what else the player leaves false
    duty: Duty = Duty.NONE
    turn: int = 0  # the first ply of the turn; 0 if it does not matter
    # What ∃ says of White's move: literals, each with the moves and the premise that make it true.
    flags: Mapping[int, Sequence[tuple[Cube, Premise | bool]]] = field(default_factory=dict)
    # What ∃ says of one cell that ∀ chooses, after the ply: literals with what makes them true.
    after: Mapping[int, Sequence[tuple[Cube, Premise | bool]]] = field(default_factory=dict)


@dataclass(frozen=True)
class Script:
    """The plies, and how goals are named in the end where ∃ and ∀ name them.

    `failing` names, by its number, the premise by which ∃ refutes a goal that White claims.
    """

    plies: Sequence[ScriptedPly] = ()
    goals: Mapping[Player, Sequence[GoalCase]] = field(default_factory=dict)
    failing: Sequence[Cube] = ()


def cube(literals: Iterable[int]) -> Cube | None:
    """Literals without constants; None if they are never all true.

    >>> cube([3, TRUE, -4]), cube([3, FALSE])
    ((3, -4), None)
    """
    listed = [int(literal) for literal in literals]
    if int(FALSE) in listed:
        return None
    return tuple(literal for literal in listed if literal != int(TRUE))
