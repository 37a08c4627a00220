"""The meaning of a BDDL model: the oracle plays by Definitions 4 to 8 of the paper about BDDL.

A state gives every cell its content, cells numbered column by column; indices count from 1.
The paper's Definition 4 misprints the interval of rows, and its Definition 7 leaves out that cells
without an effect keep their content; its formulas have both right.
"""

from collections.abc import Iterator, Sequence

from skolemate.games.bddl import model as bddl
from skolemate.games.symmetry import cells_of
from skolemate.limits import breathe

State = Sequence[bddl.Content]


def state_of(model: bddl.Model, black: int, white: int) -> State:
    """The state with these stones, given as masks."""
    state = [bddl.Content.OPEN] * (model.width * model.height)
    for mask, content in ((black, bddl.Content.BLACK), (white, bddl.Content.WHITE)):
        for cell in cells_of(mask):
            state[cell] = content
    return state


def indices(model: bddl.Model, condition: bddl.Condition) -> Iterator[tuple[int, int]]:
    """BD: the (i, j) at which no shifted coordinate leaves the board (Definition 4).

    Of a parameter that the condition ignores only the first value: all mean the same.
    """
    columns = _interval([part.x for part in condition.parts], model.width)
    rows = _interval([part.y for part in condition.parts], model.height)
    for i in columns if condition.depends_on("x") else columns[:1]:
        for j in rows if condition.depends_on("y") else rows[:1]:
            yield i, j


def _interval(coordinates: list[bddl.Coordinate], last: int) -> range:
    shifts = [c.number for c in coordinates if c.anchor is bddl.Anchor.PARAMETER]
    below = max((-shift for shift in shifts if shift < 0), default=0)
    above = max((shift for shift in shifts if shift > 0), default=0)
    return range(1 + below, last - above + 1)


def holds(model: bddl.Model, state: State, condition: bddl.Condition, i: int, j: int) -> bool:
    """s, (i, j) ⊨ C, for (i, j) within the bounds (Definition 6)."""
    return failure(model, state, condition, i, j) is None


def failure(
    model: bddl.Model, state: State, condition: bddl.Condition, i: int, j: int
) -> bddl.Subcondition | None:
    """The first sub-condition that does not hold, if any."""
    for part in condition.parts:
        x, y = part.x.value(i, model.width), part.y.value(j, model.height)
        if (state[model.cell(x, y)] is part.content) is part.negated:
            return part
    return None


def instances(model: bddl.Model, action: bddl.Action) -> Iterator[tuple[int, int]]:
    """The indices for which an action is stated: I_a of Definition 7.

    There is no move where the effect would give one cell two contents: no state satisfies it.
    """
    for i, j in indices(model, action.all):
        breathe()
        after_effect: dict[tuple[int, int], bddl.Content] = {}
        for part in action.effect.parts:
            cell = part.x.value(i, model.width), part.y.value(j, model.height)
            if after_effect.setdefault(cell, part.content) is not part.content:
                break
        else:
            yield i, j


def after(model: bddl.Model, state: State, action: bddl.Action, i: int, j: int) -> State:
    """The state in which the effects hold and all else is as it was (Definition 7)."""
    changed = list(state)
    for part in action.effect.parts:
        x, y = part.x.value(i, model.width), part.y.value(j, model.height)
        changed[model.cell(x, y)] = part.content
    return changed


def won_at(
    model: bddl.Model, state: State, goals: Sequence[bddl.Condition]
) -> tuple[bddl.Condition, int, int] | None:
    """A goal that holds, and where; None if no goal holds anywhere (Definition 8)."""
    for goal in goals:
        for i, j in indices(model, goal):
            if holds(model, state, goal, i, j):
                return goal, i, j
    return None
