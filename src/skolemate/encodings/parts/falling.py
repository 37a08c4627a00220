"""Answering in pairs, where stones fall in columns (Connect-c).

A player puts one stone onto the lowest open cell of a column, and wins by a set of his own stones.
The *holder* is the player who is not to move. Cut each column into pairs of cells from its top. If
its number of open cells is odd, the lowest one is left over. The holder answers the lower cell of a
pair by the *upper* one, and a cell that was left over by another such cell. If there is an even
number of open cells, this is always possible, since the opponent can only fill lower cells and
those left over. So the holder gets every upper cell that cannot be filled yet. If each set of the
opponent's contains one of these or a stone of the holder's, the opponent never wins.

The holder may also wait for a cell that completes a set of his, the *top*. The cells above it are
not filled before it is; so its column is cut into pairs from the top downwards, the cells above do
not count, and the opponent's sets that contain one of them are never completed. The holder gets the
top if it cannot be filled yet: when all other cells are filled, at the latest. Then he has won.

For GROUND. The engine does the same in src/engine/falling.hpp, and also uses pairs of cells that
are left over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from skolemate.encodings.parts.plies import BLACK, OPEN, WHITE, Rule, goal_needs
from skolemate.games import Game, Player, Question, cells_of
from skolemate.games.game import Stuck

Supports = dict[int, int | None]  # the cell below each cell; None at the bottom


@dataclass(frozen=True)
class Pairs:
    """The upper cells; the top, or None; the cells above it; how many other cells are open."""

    upper: frozenset[int]
    top: int | None
    above: frozenset[int]
    cells: int


NO_PAIRS = Pairs(frozenset(), None, frozenset(), 0)  # who holds has a stone in every set


@dataclass(frozen=True)
class Falling:
    """The columns from the bottom up, the sets of both players, and the open cells at first."""

    columns: list[list[int]]
    sets: dict[Player, list[frozenset[int]]]
    open_cells: int

    @cached_property
    def below(self) -> dict[int, int]:
        """The cell on which a stone rests, for all cells but those at the bottom."""
        return {cell: low for column in self.columns for low, cell in pairwise(column)}

    def ways(self, ply: int) -> Iterator[Pairs]:
        """The ways to answer in pairs from a ply on: those with an even number of open cells."""
        left = self.open_cells - (ply - 1)
        upper = frozenset().union(*map(_upper, self.columns))
        found = [Pairs(upper, None, frozenset(), left)]
        for column in self.columns:
            for height, top in list(enumerate(column))[1:]:
                above = frozenset(column[height + 1 :])
                cut = upper.difference(column) | _upper(column[: height + 1])
                found.append(Pairs(cut, top, above, left - len(above)))
        return (pairs for pairs in found if pairs.cells % 2 == 0)

    def holds(self, holder: Player, ways: Iterable[Pairs], black: int, white: int) -> bool:
        """Whether the holder holds in one of these ways, on a board of these stones."""
        own = set(cells_of(black if holder is Player.BLACK else white))
        taken = set(cells_of(black | white))
        for pairs in ways:
            gets = own | pairs.above
            gets |= {cell for cell in pairs.upper if self.below[cell] not in taken}
            if pairs.top is not None:
                ready = any(cells - own == {pairs.top} for cells in self.sets[holder])
                if not ready or self.below[pairs.top] in taken:
                    continue
            if all(cells & gets for cells in self.sets[holder.opponent]):
                return True
        return False


def _upper(column: list[int]) -> frozenset[int]:
    """The upper cells of the pairs of a column; one at the bottom is of no pair."""
    return frozenset(column[:0:-2])


def falling(question: Question) -> Falling | None:
    """The columns and sets of a question; None if its game is not one of falling stones."""
    game = question.game
    view = game.grounded()
    supports = _supports(game, Player.BLACK)
    if supports is None or supports != _supports(game, Player.WHITE):
        return None
    if game.misere or view.stuck is not Stuck.DRAW or view.schedule is not None:
        return None
    stones = supports.keys() & set(cells_of(view.black | view.white))
    if any(supports[cell] not in (None, *stones) for cell in stones):
        return None  # a stone over an open cell
    sets = {player: list[frozenset[int]]() for player in Player}
    for player, own in ((Player.BLACK, BLACK), (Player.WHITE, WHITE)):
        for goal in goal_needs(question, player):
            if not goal.keys() <= supports.keys() or set(goal.values()) != {own}:
                return None
            sets[player].append(frozenset(goal))
    columns = [[cell] for cell, low in supports.items() if low is None]
    above = {low: cell for cell, low in supports.items() if low is not None}
    for column in columns:
        while column[-1] in above:
            column.append(above[column[-1]])
    if not above or sum(map(len, columns)) != len(supports):
        return None  # nothing falls; or cells rest on each other in a circle
    return Falling(columns, sets, len(supports) - len(stones))


def _supports(game: Game, player: Player) -> Supports | None:
    """The cell below each cell, if a player only puts one stone on a cell that rests on another."""
    supports: Supports = {}
    own = BLACK if player is Player.BLACK else WHITE
    for rule in map(Rule.of, game.grounded().actions[player]):
        cell = next(iter(rule.effect), -1)
        needs = dict(rule.needs)
        if rule.effect != {cell: own} or needs.pop(cell, None) != OPEN or cell in supports:
            return None
        if list(needs.values()) not in ([], [BLACK | WHITE]):
            return None
        supports[cell] = next(iter(needs), None)
    rests = Counter(low for low in supports.values() if low is not None)
    return supports if all(count == 1 for count in rests.values()) else None
