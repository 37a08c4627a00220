"""A BDDL model as masks: every action and goal written out for every cell where it fits.

Independent of `meaning`: here an instance is dropped because a cell lies off the board, there
because Definition 4 says so. A test shows that both play the same games.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from skolemate.games.bddl.model import Action, Condition, Content, Model
from skolemate.games.game import Player
from skolemate.games.views import Pattern
from skolemate.limits import breathe

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
        contents = ANYTHING - {part.content} if part.negated else frozenset({part.content})
        allowed[cell] = allowed.get(cell, ANYTHING) & contents
        if not allowed[cell]:
            return None
    return allowed
