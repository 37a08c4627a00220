"""A BDDL model as data: conditions, actions, goals, a board and what stands on it.

Definitions 1 to 3 of Shaik and van de Pol, "Concise QBF encodings for games on a grid" (2023).
Columns and rows count from 1 here, as in the language; `str` gives the language's own form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, lru_cache

from skolemate.games.board import Grid
from skolemate.games.game import Player
from skolemate.games.views import Pattern
from skolemate.limits import breathe


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
    def is_fixed(self) -> bool:
        """Whether it is about the same cell for all values of the parameters."""
        return Anchor.PARAMETER not in (self.x.anchor, self.y.anchor)

    @property
    def swapped(self) -> Subcondition:
        return replace(self, content=self.content.swapped)

    @property
    def contents(self) -> frozenset[Content]:
        """What the cell may hold."""
        return ANYTHING - {self.content} if self.negated else frozenset({self.content})

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


# --- as masks -------------------------------------------------------------------------------------
# A BDDL model as masks: every action and goal written out for every cell where it fits.
#
# Independent of `meaning`: here an instance is dropped because a cell lies off the board, there
# because Definition 4 says so. A test shows that both play the same games.


ANYTHING = frozenset(Content)

Allowed = dict[int, frozenset[Content]]  # what cells may hold; all others may hold anything


@dataclass(frozen=True)
class Instance:
    """An action at (x, y): what its cells may hold before, and what they hold afterwards."""

    action: Action
    x: int
    y: int
    before: Allowed
    effect: dict[int, Content]

    def becomes(self, content: Content) -> int:
        return sum(1 << cell for cell, after in self.effect.items() if after is content)


@lru_cache(maxsize=64)
def instances(model: Model, player: Player) -> tuple[Instance, ...]:
    """All moves that a player can ever have."""
    moves = []
    for action in model.actions_of(player):
        for x, y in _places(model, action.all):
            before = _allowed(model, action.precondition, x, y)
            effect = _allowed(model, action.effect, x, y)
            if before is None or effect is None:
                continue
            made = {cell: next(iter(contents)) for cell, contents in effect.items()}
            moves.append(Instance(action, x, y, before, made))
    return tuple(moves)


@lru_cache(maxsize=64)
def goal_instances(model: Model, player: Player) -> tuple[tuple[int, Allowed], ...]:
    """All ways to have won: the number of the goal, and what its cells must hold."""
    return tuple(
        (number, allowed)
        for number, goal in enumerate(model.goals_of(player))
        for x, y in _places(model, goal)
        if (allowed := _allowed(model, goal, x, y)) is not None
    )


def pattern(allowed: Allowed) -> Pattern:
    """What cells may hold, as masks."""
    breathe()
    masks = dict.fromkeys(("black", "white", "occupied", "no_black", "no_white"), 0)
    for cell, contents in allowed.items():
        if contents == {Content.BLACK}:
            masks["black"] |= 1 << cell
        elif contents == {Content.WHITE}:
            masks["white"] |= 1 << cell
        elif Content.OPEN not in contents:
            masks["occupied"] |= 1 << cell
        if Content.OPEN in contents and Content.BLACK not in contents:
            masks["no_black"] |= 1 << cell
        if Content.OPEN in contents and Content.WHITE not in contents:
            masks["no_white"] |= 1 << cell
    return Pattern(**masks)


def _places(model: Model, condition: Condition) -> Iterator[tuple[int, int]]:
    """Every (x, y), or one of each kind if a parameter makes no difference."""
    columns = range(1, model.width + 1 if condition.depends_on("x") else 2)
    rows = range(1, model.height + 1 if condition.depends_on("y") else 2)
    return ((x, y) for x in columns for y in rows)


def _allowed(model: Model, condition: Condition, x: int, y: int) -> Allowed | None:
    """What the cells of a condition may hold; None if it leaves the board or never holds."""
    breathe()
    allowed: Allowed = {}
    for part in condition.parts:
        column, row = part.x.value(x, model.width), part.y.value(y, model.height)
        if not (1 <= column <= model.width and 1 <= row <= model.height):
            return None
        cell = model.cell(column, row)
        allowed[cell] = allowed.get(cell, ANYTHING) & part.contents
        if not allowed[cell]:
            return None
    return allowed
