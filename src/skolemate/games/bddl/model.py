"""A BDDL model as data: conditions, actions, goals, a board and what stands on it.

Definitions 1 to 3 of Shaik and van de Pol, "Concise QBF encodings for games on a grid" (2023).
Columns and rows count from 1 here, as in the language; `str` gives the language's own form.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

from skolemate.games.board import Grid
from skolemate.games.game import Player


class Content(Enum):
    """What is on a cell: the predicates of the language."""

    OPEN = "open"
    BLACK = "black"
    WHITE = "white"

    @classmethod
    def of(cls, player: Player) -> Content:
        return cls.BLACK if player is Player.BLACK else cls.WHITE

    @property
    def swapped(self) -> Content:
        return _SWAPPED[self]


_SWAPPED = {
    Content.OPEN: Content.OPEN,
    Content.BLACK: Content.WHITE,
    Content.WHITE: Content.BLACK,
}


class Anchor(Enum):
    """What a coordinate is counted from."""

    PARAMETER = "?"  # ?x or ?y, plus a shift
    NUMBER = ""
    FIRST = "min"
    LAST = "max"


@dataclass(frozen=True)
class Coordinate:
    """`?x+2`, `?y-1`, `7`, `xmin` or `ymax`; its place in a pair says which axis it is on."""

    anchor: Anchor
    number: int = 0  # the shift of a parameter, or the number itself

    def value(self, parameter: int, last: int) -> int:
        """The column or row for a value of the parameter; `last` is the last column or row."""
        if self.anchor is Anchor.PARAMETER:
            return parameter + self.number
        if self.anchor is Anchor.NUMBER:
            return self.number
        return 1 if self.anchor is Anchor.FIRST else last

    def written(self, axis: str) -> str:
        """
        >>> Coordinate(Anchor.PARAMETER, -1).written("x"), Coordinate(Anchor.LAST).written("y")
        ('?x-1', 'ymax')
        """
        if self.anchor is Anchor.PARAMETER:
            return f"?{axis}{self.number:+d}" if self.number else f"?{axis}"
        return str(self.number) if self.anchor is Anchor.NUMBER else axis + self.anchor.value


@dataclass(frozen=True)
class Subcondition:
    """A cell has this content, or has not."""

    content: Content
    x: Coordinate
    y: Coordinate
    negated: bool = False

    @property
    def swapped(self) -> Subcondition:
        return replace(self, content=self.content.swapped)

    def __str__(self) -> str:
        inner = f"{self.content.value}({self.x.written('x')},{self.y.written('y')})"
        return f"NOT({inner})" if self.negated else inner


@dataclass(frozen=True)
class Condition:
    """All of these hold (Definition 1)."""

    parts: tuple[Subcondition, ...]

    @property
    def swapped(self) -> Condition:
        return Condition(tuple(part.swapped for part in self.parts))

    def depends_on(self, axis: str) -> bool:
        """Whether the parameter of an axis, x or y, makes any difference."""
        return any(getattr(part, axis).anchor is Anchor.PARAMETER for part in self.parts)

    def __str__(self) -> str:
        return f"({' '.join(str(part) for part in self.parts)})"


@dataclass(frozen=True)
class Action:
    """A kind of move, stated for any cell (?x, ?y) (Definition 2)."""

    name: str
    precondition: Condition
    effect: Condition

    @property
    def swapped(self) -> Action:
        return replace(self, precondition=self.precondition.swapped, effect=self.effect.swapped)

    @property
    def all(self) -> Condition:
        """Precondition and effect together."""
        return Condition(self.precondition.parts + self.effect.parts)


Goals = tuple[Condition, ...]  # any of these (Definition 8)


@dataclass(frozen=True)
class Model:
    """Domain and problem together; stones as masks over cells numbered column by column."""

    width: int
    height: int
    actions: tuple[tuple[Action, ...], tuple[Action, ...]]  # Black's, White's
    goals: tuple[Goals, Goals]
    black: int = 0
    white: int = 0
    first: Player = Player.BLACK

    @cached_property
    def _hash(self) -> int:
        return hash(
            (self.width, self.height, self.actions, self.goals, self.black, self.white, self.first)
        )

    def __hash__(self) -> int:
        return self._hash  # caches are keyed by the model

    def actions_of(self, player: Player) -> tuple[Action, ...]:
        return self.actions[player is Player.WHITE]

    def goals_of(self, player: Player) -> Goals:
        return self.goals[player is Player.WHITE]

    def cell(self, x: int, y: int) -> int:
        """The number of a cell, from 0, as on a board."""
        return (x - 1) * self.height + y - 1

    @cached_property
    def board(self) -> Grid:
        return Grid(self.width, self.height)

    @cached_property
    def swapped(self) -> Model:
        """The same game with the colours exchanged."""
        black_actions, white_actions = self.actions
        black_goals, white_goals = self.goals
        return replace(
            self,
            actions=(
                tuple(action.swapped for action in white_actions),
                tuple(action.swapped for action in black_actions),
            ),
            goals=(
                tuple(goal.swapped for goal in white_goals),
                tuple(goal.swapped for goal in black_goals),
            ),
            black=self.white,
            white=self.black,
            first=self.first.opponent,
        )
