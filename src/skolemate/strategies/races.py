"""Races: proofs that the owner's plan is fast enough if the opponent has winning sets, too.

A node with replies needs its stones and its open cells, the zone. On all other cells the opponent
may have stones, as long as the owner is faster. So a node has a *danger* d(W) for each winning set
W of the opponent: it covers a position only if every W without a stone of the owner lacks at least
d(W) stones there. Stones that the node itself gives to the opponent count as there.

The dangers follow from those of the nodes that the replies lead to. It is the opponent's turn.
- No single stone may complete W: d(W) is at least 2.
- The reply m to the moves X leads to a node with the dangers e. If m is in W, then W is lost for
  the opponent. Otherwise W lacks one stone less if a move of X is in W, and as many less as the
  later node gives to the opponent in W beyond this one. So d(W) is at least e(W) plus these.
- Every W that contains one of the owner's stones has no danger.
- The opponent has no stone in the zone. If W has at least d(W) cells there, it has no danger.

So the owner's plan is carried out, as without the opponent's sets, and none of these is complete
before its end: by induction over the nodes.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from skolemate.games.symmetry import Permutation, cells_of, move_mask

# For k = 1, 2, …: the sets with a danger of at least k, as bits in the order of the sets.
Dangers = tuple[int, ...]


class Answer(NamedTuple):
    """A reply, the moves that it answers, and what the node after it says.

    `against` are the stones that the later node gives to the opponent, `dangers` its dangers.
    """

    move: int
    moves: int
    against: int = 0
    dangers: Dangers = ()


class Races:
    """The winning sets of the opponent on a board of so many cells.

    >>> races = Races([0b0011, 0b1100], 4)
    >>> dangers = races.dangers(0, 0b0001, 0, [Answer(0, 0b1110)])
    >>> races.safe(dangers, own=0, enemy=0), races.safe(dangers, own=0, enemy=0b0100)
    (True, False)
    """

    def __init__(self, sets: Sequence[int], cells: int) -> None:
        self._sets = tuple(sets)
        self._all = (1 << len(sets)) - 1
        self._by_cell = [
            sum(1 << number for number, winning in enumerate(sets) if winning >> cell & 1)
            for cell in range(cells)
        ]
        self._turns: dict[Permutation, list[int]] = {}

    def dangers(self, stones: int, zone: int, against: int, answers: Iterable[Answer]) -> Dangers:
        """The dangers of a node with these stones of the owner, and of the opponent."""
        live = self._all & ~self._through(stones)
        levels = [live, live]
        for move, moves, later_against, later in answers:
            if not moves or not later:
                continue
            more = later_against & ~against
            raised = _raised(later, self._through(moves & ~more))
            for cell in cells_of(more):
                raised = _raised(raised, self._by_cell[cell])
            levels += [0] * (len(raised) - len(levels))
            for k, sets in enumerate(raised):
                levels[k] |= sets & live & ~self._by_cell[move]
        safe = 0
        for k, enough in enumerate(self._with_cells(zone, len(levels))):
            exactly = levels[k] & ~(levels[k + 1] if k + 1 < len(levels) else 0)
            safe |= exactly & enough
        return _trimmed(sets & ~safe for sets in levels)

    def safe(self, dangers: Dangers, own: int, enemy: int) -> bool:
        """Whether the opponent's sets lack enough stones in a position on the opponent's turn."""
        live = self._all & ~self._through(own)
        if not dangers or not dangers[0] & live:
            return True
        missing = self._missing(enemy)
        enough = self._with_cells(missing, len(dangers))
        return not any(sets & live & ~far for sets, far in zip(dangers, enough, strict=True))

    def endangered(self, dangers: Dangers, own: int, enemy: int) -> int:
        """The cells by which the opponent would come too close, if the position is safe."""
        return self._near(dangers, own, enemy, 1) & self._missing(enemy)

    def too_near(self, dangers: Dangers, own: int, enemy: int) -> int:
        """The cells of the sets that lack too few stones."""
        return self._near(dangers, own, enemy, 0)

    def _near(self, dangers: Dangers, own: int, enemy: int, spare: int) -> int:
        """The cells of the live sets that lack fewer stones than their danger and `spare` more."""
        live, cells = self._all & ~self._through(own), 0
        enough = self._with_cells(self._missing(enemy), len(dangers) + spare)[spare:]
        for sets, far in zip(dangers, enough, strict=True):
            for number in cells_of(sets & live & ~far):
                cells |= self._sets[number]
        return cells

    def turned(self, dangers: Dangers, turn: Permutation) -> Dangers:
        """The image of dangers under a symmetry of the game."""
        images = self._turns.get(turn)
        if images is None:
            number = {winning: place for place, winning in enumerate(self._sets)}
            images = [number[move_mask(turn, winning)] for winning in self._sets]
            self._turns[turn] = images
        return tuple(sum(1 << images[s] for s in cells_of(sets)) for sets in dangers)

    def _missing(self, enemy: int) -> int:
        return (1 << len(self._by_cell)) - 1 & ~enemy

    def _through(self, cells: int) -> int:
        """The sets that contain some of these cells."""
        sets = 0
        for cell in cells_of(cells):
            sets |= self._by_cell[cell]
        return sets

    def _with_cells(self, cells: int, most: int) -> list[int]:
        """For k = 1, …, most: the sets that contain at least k of these cells."""
        levels = [0] * most
        for cell in cells_of(cells) if most else ():
            through = self._by_cell[cell]
            for k in range(most - 1, 0, -1):
                levels[k] |= levels[k - 1] & through
            levels[0] |= through
        return levels


def _raised(dangers: Dangers, sets: int) -> Dangers:
    """The dangers with one more for each of these sets that has any.

    >>> _raised((0b11, 0b01), 0b10)
    (3, 3)
    """
    below = (dangers[0], *dangers)
    above = (*dangers, 0)
    return _trimmed(one | less & sets for one, less in zip(above, below, strict=True))


def _trimmed(levels: Iterable[int]) -> Dangers:
    listed = list(levels)
    while listed and not listed[-1]:
        listed.pop()
    return tuple(listed)
