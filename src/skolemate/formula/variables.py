"""Named groups of variables: `board(black, c3, t5)` is one variable of an array.

An encoder asks for a group by name and labelled axes, and works with the array; nobody does
arithmetic on variable numbers. The legend gives every variable its name back.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np
import numpy.typing as npt

__all__ = ["Group", "Legend"]


@dataclass(frozen=True)
class Group:
    """Consecutive variables from `first` on, arranged along labelled axes."""

    name: str
    axes: tuple[tuple[str, ...], ...]
    first: int

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(axis) for axis in self.axes)

    @property
    def count(self) -> int:
        return prod(self.shape)

    def variables(self) -> npt.NDArray[np.int32]:
        numbers = np.arange(self.first, self.first + self.count, dtype=np.int32)
        return numbers.reshape(self.shape)

    def label(self, variable: int) -> str:
        place = np.unravel_index(variable - self.first, self.shape)
        labels = [axis[i] for axis, i in zip(self.axes, place, strict=True)]
        return f"{self.name}({', '.join(labels)})"


@dataclass
class Legend:
    """What the variables of a formula mean; grows while an encoder allocates them.

    >>> legend = Legend()
    >>> legend.allocate("board", ["black", "white"], ["a1", "b1"]).tolist()
    [[1, 2], [3, 4]]
    >>> legend.name(3)
    'board(white, a1)'
    """

    groups: list[Group] = field(default_factory=list)

    @property
    def count(self) -> int:
        last = self.groups[-1] if self.groups else None
        return last.first + last.count - 1 if last else 0

    def allocate(self, name: str, *axes: Sequence[str]) -> npt.NDArray[np.int32]:
        """New variables, one for each combination of labels."""
        group = Group(name, tuple(tuple(axis) for axis in axes), self.count + 1)
        if group.count:
            self.groups.append(group)
        return group.variables()

    def name(self, variable: int) -> str:
        """The name of a variable; one that no encoder named is called by its number."""
        place = bisect_right(self.groups, variable, key=lambda group: group.first) - 1
        if place < 0 or variable > self.count:
            return f"x{variable}"
        return self.groups[place].label(variable)

    def group_names(self, variables: npt.NDArray[np.int32]) -> list[str]:
        """The names of the groups to which some variables belong, each once."""
        firsts = np.array([group.first for group in self.groups], np.int32)
        places = np.unique(np.searchsorted(firsts, variables, side="right") - 1)
        return list(dict.fromkeys(self.groups[place].name for place in places.tolist()))

    def names(self) -> Iterator[tuple[int, str]]:
        """Every variable with its name, in order."""
        for group in self.groups:
            for variable in range(group.first, group.first + group.count):
                yield variable, group.label(variable)
