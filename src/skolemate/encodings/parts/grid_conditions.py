"""BDDL conditions as circuits about one symbolic cell (Shaik and van de Pol 2023, §4.3).

Columns and rows are numbered from 0 here. Where the paper adds a shift to the parameters at every
ply, the shift is taken off the symbolic cell instead, once for all plies.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

import numpy as np

from skolemate.formula import FALSE, TRUE, CircuitBuilder, Literals, constants
from skolemate.formula.vectors import equal, equal_to, less_than, minus
from skolemate.games.bddl.model import (
    Action,
    Anchor,
    Condition,
    Content,
    Coordinate,
    Model,
    Subcondition,
)

__all__ = ["Cell", "Conditions", "State", "values_inside"]


class Cell(NamedTuple):
    """The codes of a column and of a row."""

    x: Literals
    y: Literals


class State(NamedTuple):
    """What is on the symbolic cell at some time: two literals."""

    open: np.int32
    white: np.int32


def values_inside(coordinates: list[Coordinate], last: int) -> range:
    """The values of a parameter with which all cells are on the board (Definition 13)."""
    shifts = [c.number for c in coordinates if c.anchor is Anchor.PARAMETER]
    return range(max([0, *(-s for s in shifts)]), last - max([0, *shifts]))


@dataclass
class Conditions:
    """States conditions of a model about the symbolic cell S."""

    builder: CircuitBuilder
    model: Model
    symbolic: Cell
    _shifted: dict[tuple[int, int], Literals] = field(default_factory=dict)

    def at(self, place: Cell, part: Subcondition) -> np.int32:
        """RI, Definition 11: whether S is the cell that a sub-condition at a place is about."""
        return np.int32(
            self.builder.all_of(
                self._met(0, place.x, part.x, self.model.width),
                self._met(1, place.y, part.y, self.model.height),
            )
        )

    def _met(self, axis: int, parameter: Literals, coordinate: Coordinate, last: int) -> Literals:
        symbolic = self.symbolic[axis]
        if coordinate.anchor is not Anchor.PARAMETER:
            return equal_to(self.builder, symbolic, coordinate.value(0, last) - 1)
        shift = coordinate.number
        if (axis, shift) not in self._shifted:
            self._shifted[axis, shift] = minus(self.builder, symbolic, shift)
        return equal(self.builder, parameter, self._shifted[axis, shift])

    def holds(self, part: Subcondition, state: State) -> np.int32:
        """SC, Definition 12: whether S has the content that a sub-condition asks for."""
        if part.content is Content.OPEN:
            found = state.open
        else:
            white = state.white if part.content is Content.WHITE else -state.white
            found = np.int32(self.builder.all_of(-state.open, white))
        return np.int32(-found if part.negated else found)

    def within(self, place: Cell, condition: Condition) -> np.int32:
        """BDCIR, Definition 13: whether all cells of a condition at a place are on the board."""
        sides = (
            self._inside(place.x, [part.x for part in condition.parts], self.model.width),
            self._inside(place.y, [part.y for part in condition.parts], self.model.height),
        )
        return np.int32(self.builder.all_of(*sides))

    def _inside(self, parameter: Literals, coordinates: list[Coordinate], last: int) -> Literals:
        values = values_inside(coordinates, last)
        if not values:
            return constants(FALSE)
        above = -less_than(self.builder, parameter, values.start)
        return self.builder.all_of(above, less_than(self.builder, parameter, values.stop))

    def playable(self, place: Cell, action: Action) -> np.int32:
        """Whether an action is stated at a place: on the board, and not contradicting itself."""
        clashes = []
        for one, other in combinations(action.effect.parts, 2):
            if one.content is not other.content:
                same_x = self._coincide(place.x, one.x, other.x, self.model.width)
                same_y = self._coincide(place.y, one.y, other.y, self.model.height)
                clashes.append(-self.builder.all_of(same_x, same_y))
        return np.int32(self.builder.all_of(self.within(place, action.all), *clashes))

    def _coincide(
        self, parameter: Literals, one: Coordinate, other: Coordinate, last: int
    ) -> Literals:
        """Whether two coordinates mean the same line; one equation in the parameter at most."""
        relative = [c for c in (one, other) if c.anchor is Anchor.PARAMETER]
        if len(relative) == 1:
            (fixed,) = (c for c in (one, other) if c.anchor is not Anchor.PARAMETER)
            wanted = fixed.value(0, last) - 1 - relative[0].number
            return equal_to(self.builder, parameter, wanted)
        return constants(TRUE if one.value(1, last) == other.value(1, last) else FALSE)

    def start(self) -> State:
        """I: what is on S in the beginning, told by the list of stones."""
        taken = []
        for mask in (self.model.black, self.model.white):
            cells = [
                self.builder.all_of(
                    equal_to(self.builder, self.symbolic.x, cell // self.model.height),
                    equal_to(self.builder, self.symbolic.y, cell % self.model.height),
                )
                for cell in range(self.model.width * self.model.height)
                if mask >> cell & 1
            ]
            taken.append(np.int32(self.builder.any_of(*cells)) if cells else FALSE)
        black, white = taken
        return State(np.int32(-self.builder.any_of(black, white)), white)
