"""Views: plain data that encodings and engines read instead of a game's own rules."""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace

from skolemate.games.board import Grid
from skolemate.games.game import Player, Schedule, Stuck
from skolemate.games.goals import Goal, Shape
from skolemate.games.symmetry import Permutation, cells_of, mask_of, move_mask

# --- patterns -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pattern:
    """A condition on the board, as masks: cells that must, or must not, have stones of a colour.

    >>> Pattern(black=0b01, no_black=0b10, no_white=0b10).holds(black=0b01, white=0b00)
    True
    """

    black: int = 0
    white: int = 0
    occupied: int = 0
    no_black: int = 0
    no_white: int = 0

    @classmethod
    def open(cls, cells: int) -> Pattern:
        return cls(no_black=cells, no_white=cells)

    def holds(self, black: int, white: int) -> bool:
        return (
            black & self.black == self.black
            and white & self.white == self.white
            and (black | white) & self.occupied == self.occupied
            and not black & self.no_black
            and not white & self.no_white
        )

    def mapped(self, permutation: Permutation) -> Pattern:
        return Pattern(*(move_mask(permutation, mask) for mask in astuple(self)))


Patterns = tuple[Pattern, ...]  # any of these


# --- views ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hypergraph:
    """A positional game with its winning sets listed; masks over the cells.

    A player without sets is the Breaker of a Maker-Breaker game. The sets still contain the
    cells of stones already placed; `schedule` says who moves at each ply from here on.
    """

    black_sets: tuple[int, ...] | None
    white_sets: tuple[int, ...] | None
    black: int
    white: int
    schedule: Schedule
    first_moves: int | None


@dataclass(frozen=True)
class ShapeGoal:
    """Both players try to build a congruent copy of one polyomino."""

    shape: Shape
    board: Grid


@dataclass(frozen=True)
class Columns:
    """Stones fall to the lowest open cell of a column, and a player wins by owning a set.

    `moves` says which move puts a stone onto a cell; it is the same for both players.
    """

    board: Grid
    black_sets: tuple[int, ...]
    white_sets: tuple[int, ...]
    moves: tuple[int, ...]


@dataclass(frozen=True)
class GroundedAction:
    """One move as masks: what must be on the board, and what its cells become."""

    move: int
    needs: Pattern
    becomes_open: int = 0
    becomes_black: int = 0
    becomes_white: int = 0

    def after(self, black: int, white: int) -> tuple[int, int]:
        """Both players' stones after the move."""
        kept = ~(self.becomes_open | self.becomes_black | self.becomes_white)
        return black & kept | self.becomes_black, white & kept | self.becomes_white


@dataclass(frozen=True)
class Measure:
    """A number that every move makes smaller, by at least `least`, unless it wins.

    It is a sum of weights over the cells: of open ones, and of those with stones of a colour.
    """

    open: tuple[int, ...]
    black: tuple[int, ...]
    white: tuple[int, ...]
    least: int

    def longest_play(self, black: int, white: int) -> int:
        """The last ply at which a game from these stones can be decided.

        The ply at which a player has no move counts.
        """
        total = 0
        for cell, weights in enumerate(zip(self.open, self.black, self.white, strict=True)):
            content = 1 if black >> cell & 1 else 2 if white >> cell & 1 else 0
            total += weights[content]
        return total // self.least + 1


@dataclass(frozen=True)
class Grounded:
    """Rules as masks: everything an engine needs to know of any game.

    `schedule` is None where the players simply alternate for ever, `to_move` first. A player
    whose goal is None, the Breaker, wins when the schedule runs out or the horizon is reached.
    Goals that are patterns may be met by the opponent's moves, too (misère).
    `stuck` is about the plies up to the horizon: beyond it nothing is decided any more.
    """

    cells: int
    black: int
    white: int
    to_move: Player | None
    schedule: Schedule | None
    actions: dict[Player, tuple[GroundedAction, ...]]
    goals: dict[Player, Goal | Patterns | None]
    first_moves: int | None
    stuck: Stuck
    horizon: int | None
    measures: tuple[Measure, ...] = ()


Gate = tuple[int, ...]


@dataclass(frozen=True)
class Propnet:
    """Rules as a propositional network: facts, moves, and gates, each the conjunction of literals.

    Literal 1 is true. Then come the facts, the moves and the gates, in this order; a minus
    negates. A state is a mask of facts. In every state all legal moves belong to one player, whose
    turn it is; without any the game is over, and won by a player whose literal in `won` is true.
    Legal moves need `running`, which is false in terminal states.
    Gates up to `settled` depend on facts alone. `relevant` are the facts on which winning depends.
    """

    facts: int
    owners: tuple[Player, ...]  # of the moves
    gates: tuple[Gate, ...]
    settled: int
    start: int
    legal: tuple[int, ...]
    next: tuple[int, ...]
    won: dict[Player, int]
    relevant: int
    running: int

    def swapped(self) -> Propnet:
        """The same rules with the players exchanged."""
        owners = tuple(owner.opponent for owner in self.owners)
        won = {player: self.won[player.opponent] for player in Player}
        return replace(self, owners=owners, won=won)

    @property
    def key(self) -> tuple[object, ...]:
        """Plain data that is the same for the same rules."""
        won = tuple(self.won[player] for player in Player)
        owners = tuple(owner.value for owner in self.owners)
        return self.start, owners, self.gates, self.legal, self.next, won

    @property
    def first_move(self) -> int:
        return 2 + self.facts

    @property
    def first_gate(self) -> int:
        return self.first_move + len(self.owners)

    def cone(self, literal: int) -> list[int]:
        """The variables on which a literal depends, itself included, inputs before gates."""
        found, waiting = set[int](), [abs(literal)]
        while waiting:
            variable = waiting.pop()
            if variable not in found:
                found.add(variable)
                if variable >= self.first_gate:
                    waiting += map(abs, self.gates[variable - self.first_gate])
        return sorted(found)

    def values(self, state: int) -> list[bool]:
        """The values of all literals in a state, as far as they are settled; no move is made."""
        top = self.first_gate + len(self.gates)
        values = [False] * top + [True] * (top - 1)  # of negations too: they count from the end
        self._set(values, 1)
        for fact in cells_of(state):
            self._set(values, 2 + fact)
        for literal, gate in enumerate(self.gates[: self.settled], self.first_gate):
            if all(map(values.__getitem__, gate)):
                self._set(values, literal)
        return values

    def after(self, settled: list[bool], move: int) -> int:
        """The state after a move, from the values before it."""
        values = list(settled)
        self._set(values, self.first_move + move)
        first = self.first_gate + self.settled
        for literal, gate in enumerate(self.gates[self.settled :], first):
            if all(map(values.__getitem__, gate)):
                self._set(values, literal)
        return mask_of(fact for fact, literal in enumerate(self.next) if values[literal])

    @staticmethod
    def _set(values: list[bool], literal: int) -> None:
        values[literal], values[-literal] = True, False
