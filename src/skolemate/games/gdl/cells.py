"""A GDL game on cells with contents: its goals, and its moves with their conditions and effects.

`gdl/listed.py` finds the list. `Timed` tells who moves at which ply, if the position need not be
looked at for that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from skolemate.errors import IllegalMove, UserError, brief
from skolemate.games.board import Facts
from skolemate.games.game import DEEPEST, Game, Move, Player, Position, Schedule, Stuck, kept
from skolemate.games.gdl.symmetries import Symmetries
from skolemate.games.symmetry import Permutation, mask_of
from skolemate.games.views import Grounded, GroundedAction, Pattern, Patterns
from skolemate.limits import breathe

if TYPE_CHECKING:
    from skolemate.games.gdl.game import GdlGame

OPEN, BLACK, WHITE = range(3)  # contents
CONTENTS = (OPEN, BLACK, WHITE)

Contents = int  # a set of contents, as a mask of three bits
Needs = frozenset[tuple[int, Contents]]  # cells with the contents that they may have


# A cell is the facts that say its contents: open, black, white. None: no fact says this content; a
# cell has it while none of its facts holds.
Cell = tuple[int | None, int | None, int | None]


class Case(NamedTuple):
    """One way in which a move is made: what it needs, and the new contents of cells."""

    needs: Needs
    effect: frozenset[tuple[int, int]]


def combined(one: Needs, other: Needs) -> Needs | None:
    """Both needs; None if they contradict each other."""
    found = dict(one)
    for cell, contents in other:
        found[cell] = found.get(cell, 0b111) & contents
        if not found[cell]:
            return None
    return frozenset(found.items())


def implies(needs: Needs, wider: Needs) -> bool:
    """Whether the wider needs hold wherever the others do."""
    if len(wider) > len(needs):
        return False
    given = dict(needs)
    return all(given.get(cell, -1) & ~contents == 0 for cell, contents in wider)


def holds(fact: int | None, state: int) -> bool:
    return fact is not None and bool(state >> fact & 1)


@dataclass(frozen=True)
class Listed:
    """Cells with their names, the cases of both players' moves, and goals.

    Cases are numbered; `moves[n]` is the move of which case n is one. A goal is met where all its
    needs hold.
    """

    cells: tuple[Cell, ...]
    names: tuple[str, ...]
    moves: tuple[int, ...]
    cases: dict[Player, tuple[tuple[int, Case], ...]]  # with their numbers
    goal_needs: dict[Player, tuple[Needs, ...]]

    def stones(self, state: int) -> tuple[int, int]:
        """The cells that are black, and those that are white, where these facts hold."""
        black, white = (
            mask_of(n for n, cell in enumerate(self.cells) if holds(cell[content], state))
            for content in (BLACK, WHITE)
        )
        return black, white

    @cached_property
    def actions(self) -> dict[Player, tuple[GroundedAction, ...]]:
        return {
            player: tuple(_action(number, case) for number, case in cases)
            for player, cases in self.cases.items()
        }

    @cached_property
    def goals(self) -> dict[Player, Patterns]:
        return {player: tuple(map(pattern, goals)) for player, goals in self.goal_needs.items()}

    @cached_property
    def by_number(self) -> dict[int, GroundedAction]:
        return {action.move: action for actions in self.actions.values() for action in actions}

    def contents(self, black: int, white: int) -> tuple[Contents, ...]:
        """What the cells of a position contain."""
        return tuple(
            1 << (BLACK if black >> cell & 1 else WHITE if white >> cell & 1 else OPEN)
            for cell in range(len(self.cells))
        )


def _action(number: int, case: Case) -> GroundedAction:
    becomes = [mask_of(cell for cell, made in case.effect if made == c) for c in CONTENTS]
    return GroundedAction(number, pattern(case.needs), *becomes)


def pattern(needs: Needs) -> Pattern:
    """
    >>> pattern(frozenset({(0, 0b010), (1, 0b001)})) == Pattern(black=1, no_black=2, no_white=2)
    True
    """
    by_contents: dict[Contents, int] = defaultdict(int)
    for cell, contents in needs:
        by_contents[contents] |= 1 << cell
    opened = by_contents[0b001]
    return Pattern(
        black=by_contents[0b010],
        white=by_contents[0b100],
        occupied=by_contents[0b110],
        no_black=by_contents[0b101] | opened,
        no_white=by_contents[0b011] | opened,
    )


# --- turns ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Timed:
    """Who moves at which ply, and what cells may contain before it; from `again` on, for ever."""

    movers: tuple[Player, ...]
    states: tuple[tuple[Contents, ...], ...]
    again: int

    @classmethod
    def of(cls, rules: Listed, black: int, white: int) -> Timed | None:
        """The turns from a position on; None if the position may decide whose turn it is."""
        movers: list[Player] = []
        states: list[tuple[Contents, ...]] = []
        state = rules.contents(black, white)
        while state not in states:
            breathe()
            states.append(state)
            possible = {
                player: [
                    case
                    for _, case in cases
                    if all(state[cell] & contents for cell, contents in case.needs)
                ]
                for player, cases in rules.cases.items()
            }
            able = [player for player in Player if possible[player]]
            if len(able) > 1:
                return None
            movers += able or [movers[-1].opponent if movers else Player.BLACK]
            state = _after(state, [case for cases in possible.values() for case in cases])
        return cls(tuple(movers), tuple(states), states.index(state))

    def contents(self, ply: int) -> tuple[Contents, ...]:
        """What cells may contain after so many plies."""
        again = len(self.states) - self.again
        return self.states[ply if ply < self.again else self.again + (ply - self.again) % again]

    def without_clock(self, rules: Listed) -> Listed:
        """The rules without the clock: the cells whose content is known at every ply.

        These are left out if they tell nothing but whose turn it is. So each player has the same
        moves and the same goals at all of his plies, and no goal is met by the clock alone: the
        goals that a player may meet by a move ended the game already if they held before it.

        Cases of a move that are the same then have the number of the first.
        """
        clock = [c for c, contents in enumerate(zip(*self.states, strict=True)) if _known(contents)]
        first: dict[tuple[int, Case], int] = {}  # the number of a move's case without the clock
        cases: dict[Player, set[frozenset[int]]] = {player: set() for player in Player}
        goals: dict[Player, set[frozenset[Needs]]] = {player: set() for player in Player}
        following = [*self.states[1:], self.states[self.again]]
        for mover, state, after in zip(self.movers, self.states, following, strict=True):
            shown = _at(clock, state)
            numbers = []
            for number, case in rules.cases[mover]:
                if combined(case.needs, shown) is not None:
                    rest = Case(_without(case.needs, clock), _without(case.effect, clock))
                    numbers.append(first.setdefault((rules.moves[number], rest), number))
            cases[mover].add(frozenset(numbers))
            before = [goal for p in Player for goal in _goals_at(rules, p, clock, state)]
            met = _goals_at(rules, mover, clock, after)
            if not all(any(implies(goal, wider) for wider in before) for goal in met):
                return rules
            goals[mover].add(frozenset(met))
        if max(map(len, cases.values())) > 1 or max(map(len, goals.values())) > 1:
            return rules
        short = {number: case for (_, case), number in first.items()}
        return replace(
            rules,
            cases={p: tuple((n, short[n]) for k in cases[p] for n in sorted(k)) for p in Player},
            goal_needs={
                p: tuple(g for k in goals[p] for g in sorted(k, key=sorted)) for p in Player
            },
        )


def _goals_at(
    rules: Listed, player: Player, clock: list[int], state: tuple[Contents, ...]
) -> list[Needs]:
    """The goals of a player where the clock has these contents, without the clock."""
    shown = _at(clock, state)
    possible = (goal for goal in rules.goal_needs[player] if combined(goal, shown) is not None)
    return [_without(goal, clock) for goal in possible]


def _after(state: tuple[Contents, ...], cases: list[Case]) -> tuple[Contents, ...]:
    """What the cells may contain after one of these moves."""
    found = [0] * len(state)
    for case in cases:
        needs, effect = dict(case.needs), dict(case.effect)
        for cell, before in enumerate(state):
            made = effect.get(cell)
            found[cell] |= before & needs.get(cell, 0b111) if made is None else 1 << made
    return tuple(found)


def _known(contents: Iterable[Contents]) -> bool:
    return all(one.bit_count() < 2 for one in contents)


def _at(cells: Iterable[int], state: tuple[Contents, ...]) -> Needs:
    return frozenset((cell, state[cell]) for cell in cells)


def _without(
    contents: frozenset[tuple[int, int]], cells: Iterable[int]
) -> frozenset[tuple[int, int]]:
    return frozenset((cell, content) for cell, content in contents if cell not in cells)


# --- the game -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class ListedGame(Game):
    """A GDL game from its start on, played on cells by a list of rules.

    Its moves are the cases of the game's moves: the same moves, each told by where it is made.
    """

    kind: ClassVar = "a GDL game by a list of its rules"
    game: GdlGame
    rules: Listed
    played: tuple[Move, ...] = ()
    depth: int | None = None
    file: str | None = None

    @property
    def name(self) -> str:  # type: ignore[override]
        return str(self.game)

    @property
    def _content(self) -> tuple[object, ...]:
        return (self.game, self.played)

    @cached_property
    def board(self) -> Facts:  # type: ignore[override]
        return Facts(self.rules.names)

    @cached_property
    def origin(self) -> Position:
        return self._position(*self.rules.stones(self.game.start.occupied))

    def _position(self, black: int, white: int) -> Position:
        moves = self.rules.actions[Player.WHITE]
        able = any(action.needs.holds(black, white) for action in moves)
        return Position(self, black, white, Player.WHITE if able else Player.BLACK)

    def legal_moves(self, position: Position) -> Sequence[Move]:
        _, black, white, to_move = position
        actions = self.short.actions[to_move or Player.BLACK]
        return [action.move for action in actions if action.needs.holds(black, white)]

    def result(self, position: Position, move: Move) -> Position:
        _, black, white, to_move = position
        if move not in self.legal_moves(position):
            raise IllegalMove(f"{self.move_name(move)} is not legal here")
        # Of the cases with the clock, one is made here.
        same = self.rules.moves[move]
        made = next(
            action
            for action in self.rules.actions[to_move or Player.BLACK]
            if self.rules.moves[action.move] == same and action.needs.holds(black, white)
        )
        return self._position(*made.after(black, white))

    def winner(self, position: Position) -> Player | None:
        for player, goals in self.rules.goals.items():
            if any(goal.holds(position.black, position.white) for goal in goals):
                return player
        return None

    def stuck(self, position: Position) -> Stuck:
        return Stuck.DRAW

    @property
    def horizon(self) -> None:
        return None

    @property
    def symmetries(self) -> tuple[Permutation, ...]:
        return self.board.symmetries

    @cached_property
    def first_moves_alike(self) -> Sequence[Sequence[Move]]:
        if self.played:
            return ()
        cases = {self.rules.moves[case]: case for case in self.legal_moves(self.start)}
        classes = Symmetries(self.game.propnet()).classes(self.game.start.occupied, cases)
        return [[cases[move] for move in members] for members in classes]

    def move_name(self, move: Move) -> str:
        return self.game.move_name(self.rules.moves[move])

    def parse_move(self, text: str, player: Player) -> Move:
        raise UserError(f"{brief(text)} is ambiguous: name moves of {self.game}")

    def move_cells(self, move: Move, player: Player) -> tuple[int, ...]:
        return ()

    def winning_cells(self, position: Position) -> int:
        return 0

    def swapped(self) -> ListedGame:
        return self.game.swapped().listing()

    @kept
    def grounded(self) -> Grounded:
        start = self.start
        return Grounded(
            cells=self.board.size,
            black=start.black,
            white=start.white,
            to_move=self.timed.movers[0] if self.timed else None,
            schedule=self.turns_ahead,
            actions=self.short.actions,
            goals=dict(self.short.goals),
            first_moves=None,
            stuck=Stuck.DRAW,
            horizon=None,
        )

    @cached_property
    def short(self) -> Listed:
        """The rules without the cells that tell nothing but whose turn it is."""
        return self.rules if self.timed is None else self.timed.without_clock(self.rules)

    @property
    def turns_ahead(self) -> Schedule | None:
        if self.timed is None:
            return None
        movers = self.timed.movers
        again = movers[self.timed.again :]
        turns = (*movers, *again * (DEEPEST // len(again)))[:DEEPEST]
        return None if all(one is not other for one, other in pairwise(turns)) else turns

    @cached_property
    def timed(self) -> Timed | None:
        """Who moves at which ply; None if the position may decide it."""
        return Timed.of(self.rules, self.start.black, self.start.white)
