"""A BDDL model as a game, played by the definitions of the paper about BDDL.

Moves are named as in the paper, `forward(2,3)`: the action and its (?x, ?y). People may also write
the cells, `b3-b2`. A name means the same number for both players, whatever it does for each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import ClassVar, NamedTuple

from skolemate.errors import IllegalMove, UserError, brief, suggestion
from skolemate.games.bddl import meaning
from skolemate.games.bddl.analysis import draws_when_full, longest_play, measures, violation
from skolemate.games.bddl.model import Action, Content, Model, goal_instances, instances, pattern
from skolemate.games.board import Grid
from skolemate.games.game import Game, Move, Player, Position, Stuck, kept
from skolemate.games.symmetry import Permutation, mask_of, move_mask
from skolemate.games.views import Columns, Grounded, GroundedAction, Pattern, Patterns

FEW = 4  # models whose masks are kept: of a huge board these take hundreds of megabytes
MOST_WINNERS = 1000  # positions whose winner is kept

_LONG_NAME = re.compile(r"(.+)\(\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*\)")


class Stated(NamedTuple):
    """An action at (i, j)."""

    action: Action
    i: int
    j: int


def _action_names(model: Model) -> tuple[str, ...]:
    """All actions' names, in an order that does not depend on who is who."""
    return tuple(sorted({action.name for actions in model.actions for action in actions}))


def _number(model: Model, names: Sequence[str], stated: Stated) -> Move:
    place = names.index(stated.action.name)
    return place * model.width * model.height + model.cell(stated.i, stated.j)


Winners = dict[tuple[int, int, Player | None], Player | None]


# A game and the same game some moves later have one model, and share what was computed for it.
@lru_cache(maxsize=16)
def _known_winners(model: Model) -> Winners:
    """The winner by position, kept because looking for goals everywhere is slow on large boards."""
    return {}


@lru_cache(maxsize=16)
def _all_moves(model: Model) -> dict[Player, dict[Move, Stated]]:
    names = _action_names(model)
    return {
        player: {
            _number(model, names, stated): stated
            for action in model.actions_of(player)
            for stated in (Stated(action, i, j) for i, j in meaning.instances(model, action))
        }
        for player in Player
    }


@lru_cache(maxsize=FEW)
def _grounded_actions(model: Model) -> dict[Player, tuple[GroundedAction, ...]]:
    names = _action_names(model)
    return {
        player: tuple(
            GroundedAction(
                _number(model, names, Stated(move.action, move.x, move.y)),
                pattern(move.before),
                move.becomes(Content.OPEN),
                move.becomes(Content.BLACK),
                move.becomes(Content.WHITE),
            )
            for move in instances(model, player)
        )
        for player in Player
    }


@lru_cache(maxsize=FEW)
def _grounded_goals(model: Model) -> dict[Player, Patterns]:
    return {
        player: tuple(pattern(goal) for _, goal in goal_instances(model, player))
        for player in Player
    }


@lru_cache(maxsize=16)
def _always_room(model: Model) -> bool:
    """Whether stones are placed, and can be until the board is full."""
    if not draws_when_full(model):
        return False
    cells = range(model.board.size)
    for player in Player:
        moves = {replace(action, move=0) for action in _grounded_actions(model)[player]}
        free = {_stone(cell, player) for cell in cells}
        falling = {_falling(cell, model.height, player) for cell in cells}
        if not (free <= moves or falling <= moves):
            return False
    return True


@lru_cache(maxsize=16)
def _symmetries(model: Model) -> tuple[Permutation, ...]:
    def rules(permutation: Permutation) -> set[tuple[object, ...]]:
        """All rules, moved by a permutation of the cells; names of moves do not count."""
        found: set[tuple[object, ...]] = set()
        for player in Player:
            for goal in _grounded_goals(model)[player]:
                found.add((player, goal.mapped(permutation)))
            for action in _grounded_actions(model)[player]:
                made = (action.becomes_open, action.becomes_black, action.becomes_white)
                moved = (move_mask(permutation, mask) for mask in made)
                found.add((player, action.needs.mapped(permutation), *moved))
        return found

    bare = rules(model.board.symmetries[0])
    return tuple(p for p in model.board.symmetries if rules(p) == bare)


@lru_cache(maxsize=16)
def _columns(model: Model) -> Columns | None:
    """The view of falling stones, if stones fall and all goals are sets to own."""
    moves: dict[Player, list[Move]] = {}
    sets: dict[Player, tuple[int, ...]] = {}
    for player in Player:
        falling = [_falling(cell, model.height, player) for cell in range(model.board.size)]
        actions = sorted(_grounded_actions(model)[player], key=lambda a: a.needs.no_black)
        if [replace(action, move=0) for action in actions] != falling:
            return None
        goals = [goal for _, goal in goal_instances(model, player)]
        own = frozenset({Content.of(player)})
        if any(set(goal.values()) != {own} for goal in goals):
            return None
        moves[player] = [action.move for action in actions]
        sets[player] = tuple(sorted({mask_of(goal) for goal in goals}))
    if moves[Player.BLACK] != moves[Player.WHITE]:
        return None
    return Columns(model.board, sets[Player.BLACK], sets[Player.WHITE], tuple(moves[Player.BLACK]))


@dataclass(frozen=True, eq=False, repr=False)
class BddlGame(Game):
    """The players alternate, the model's first player begins (Definition 10).

    Two games are equal when they are played the same way, whatever their names.
    """

    kind: ClassVar = "a BDDL game"
    name: str
    model: Model
    played: tuple[Move, ...] = ()
    depth: int | None = None
    file: str | None = None

    def __post_init__(self) -> None:
        state = self._state(self.origin)
        if all(meaning.won_at(self.model, state, goals) for goals in self.model.goals):
            raise UserError("both players have already won; set up fewer stones")
        self.start  # noqa: B018  plays the moves, and so checks them

    @property
    def board(self) -> Grid:  # type: ignore[override]  # the model says which
        return self.model.board

    @property
    def misere(self) -> bool:  # type: ignore[override]  # the model says whether
        return violation(self.model) is not None

    @property
    def _content(self) -> tuple[object, ...]:
        return self.model, self.played, self.depth

    # --- rules -------------------------------------------------------------------------------

    @cached_property
    def origin(self) -> Position:
        return Position(self, self.model.black, self.model.white, self.model.first)

    def legal_moves(self, position: Position) -> Sequence[Move]:
        state = self._state(position)
        return tuple(
            move
            for move, (action, i, j) in self._stated[_mover(position)].items()
            if meaning.holds(self.model, state, action.precondition, i, j)
        )

    def result(self, position: Position, move: Move) -> Position:
        state, mover = self._state(position), _mover(position)
        if move not in self._stated[mover]:
            raise IllegalMove(f"{mover} has no such move as {self.move_name(move)} on this board")
        action, i, j = self._stated[mover][move]
        wrong = meaning.failure(self.model, state, action.precondition, i, j)
        if wrong is not None:
            x, y = wrong.x.value(i, self.model.width), wrong.y.value(j, self.model.height)
            needed = f"not {wrong.content.value}" if wrong.negated else wrong.content.value
            cell = self.board.names[self.model.cell(x, y)]
            raise IllegalMove(f"{self.move_name(move)} needs {cell} to be {needed}")
        changed = meaning.after(self.model, state, action, i, j)
        black, white = (
            mask_of(cell for cell, content in enumerate(changed) if content is colour)
            for colour in (Content.BLACK, Content.WHITE)
        )
        return Position(self, black, white, mover.opponent)

    def winner(self, position: Position) -> Player | None:
        known, key = self._winners, position[1:]
        try:
            return known[key]
        except KeyError:
            winner = self._find_winner(position)
        if len(known) >= MOST_WINNERS:
            known.clear()
        known[key] = winner
        return winner

    @cached_property
    def _winners(self) -> Winners:
        return _known_winners(self.model)

    def _find_winner(self, position: Position) -> Player | None:
        state, mover = self._state(position), _mover(position)
        for player in (mover.opponent, mover):
            if meaning.won_at(self.model, state, self.model.goals_of(player)) is not None:
                return player
        return self.breaker if self._is_full(position) else None

    def _is_full(self, position: Position) -> bool:
        return position.occupied.bit_count() == self.board.size

    def stuck(self, position: Position) -> Stuck:
        drawn = self._is_full(position) and draws_when_full(self.model)
        return Stuck.DRAW if drawn else Stuck.LOSES

    @cached_property
    def breaker(self) -> Player | None:
        # As in positional games, where nobody is stuck as long as there is room.
        without = [player for player in Player if not self.model.goals_of(player)]
        return without[0] if len(without) == 1 and _always_room(self.model) else None

    @cached_property
    def horizon(self) -> int | None:
        return longest_play(self.model, self.start.black, self.start.white)

    @property
    def symmetries(self) -> tuple[Permutation, ...]:
        return _symmetries(self.model)

    def deciding_plies(self, player: Player, last: int) -> Iterable[int]:
        # A player wins by a goal on an own ply, or on a ply at which the opponent has no move;
        # the Breaker wins with the last stone.
        has_goals = bool(self.model.goals_of(player)) or self.breaker is player
        begins = self.start.to_move is player
        return (
            ply for ply in range(last + 1) if ply == 0 or has_goals or (ply % 2 == 1) is not begins
        )

    def _state(self, position: Position) -> meaning.State:
        return meaning.state_of(self.model, position.black, position.white)

    # --- moves -------------------------------------------------------------------------------

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return _action_names(self.model)

    def _number(self, stated: Stated) -> Move:
        return _number(self.model, self._names, stated)

    @cached_property
    def _stated(self) -> dict[Player, dict[Move, Stated]]:
        """Every move that a player may ever have."""
        return _all_moves(self.model)

    def move_name(self, move: Move) -> str:
        place, cell = divmod(move, self.board.size)
        if not 0 <= place < len(self._names):
            raise IllegalMove(f"there is no move number {move}")
        x, y = self.board.places[cell]
        return f"{self._names[place]}({x + 1},{y + 1})"

    def short_name(self, move: Move, player: Player) -> str:
        """The first cell and the last, where no other move of the player has the same."""
        short = self._cells_in_short(move, player)
        return short if short in self._by_short_name[player] else self.move_name(move)

    def parse_move(self, text: str, player: Player) -> Move:
        short = self._by_short_name[player].get(text.lower())
        if short is not None:
            return short
        long = _LONG_NAME.fullmatch(text)
        if long is None:
            raise UserError(f"{brief(text)} is no move of {player}'s; {self._how_to_write(player)}")
        name, x, y = long[1].lower(), int(long[2]), int(long[3])
        action = {a.name.lower(): a for a in self.model.actions_of(player)}.get(name)
        if action is None:
            choices = suggestion(name, (a.name for a in self.model.actions_of(player)))
            raise UserError(f"{player} has no action {brief(long[1])}: {choices}")
        if not (1 <= x <= self.model.width and 1 <= y <= self.model.height):
            raise UserError(f"({x},{y}) is not on the board")
        # All values of a parameter that the action ignores mean the same move.
        i, j = x if action.all.depends_on("x") else 1, y if action.all.depends_on("y") else 1
        return self._number(Stated(action, i, j))

    def _how_to_write(self, player: Player) -> str:
        for move in self._stated[player]:
            names = dict.fromkeys((self.move_name(move), self.short_name(move, player)))
            return f"write it as {' or '.join(names)}"
        return "there are none"

    def move_cells(self, move: Move, player: Player) -> tuple[int, ...]:
        """Cells that are left or captured, then cells that are taken.

        Without corners of the board that the action changes wherever it is made.
        """
        action, i, j = self._stated[player][move]
        moving = [part for part in action.effect.parts if not part.is_fixed]
        parts = sorted(
            moving or action.effect.parts, key=lambda part: part.content is not Content.OPEN
        )
        places = [
            self.model.cell(part.x.value(i, self.model.width), part.y.value(j, self.model.height))
            for part in parts
        ]
        return tuple(dict.fromkeys(places))

    def _cells_in_short(self, move: Move, player: Player) -> str:
        cells = self.move_cells(move, player)
        return "-".join(self.board.names[cell] for cell in dict.fromkeys((cells[0], cells[-1])))

    @cached_property
    def _by_short_name(self) -> dict[Player, dict[str, Move]]:
        by_name: dict[Player, dict[str, Move]] = {}
        for player in Player:
            shorts = [(self._cells_in_short(move, player), move) for move in self._stated[player]]
            count = Counter(short for short, _ in shorts)
            by_name[player] = {short: move for short, move in shorts if count[short] == 1}
        return by_name

    def winning_cells(self, position: Position) -> int:
        winner = self.winner(position)
        if winner is None:
            return 0
        met = meaning.won_at(self.model, self._state(position), self.model.goals_of(winner))
        if met is None:  # the Breaker has won
            return 0
        goal, i, j = met
        stones = position.occupied if self.misere else position.stones(winner)
        return stones & mask_of(
            self.model.cell(part.x.value(i, self.model.width), part.y.value(j, self.model.height))
            for part in goal.parts
        )

    # --- games made of games -----------------------------------------------------------------

    @kept
    def swapped(self) -> BddlGame:
        return replace(self, model=self.model.swapped)

    def _set_up(self, black: int, white: int, first: Player | None) -> BddlGame:
        """These stones instead of those at the start: where pieces move, stones are a position."""
        if not (black or white):
            black, white = self.model.black, self.model.white
        first = first or self.model.first
        return replace(self, model=replace(self.model, black=black, white=white, first=first))

    # --- views -------------------------------------------------------------------------------

    def lacks(self, view: str) -> str | None:
        return None if view in ("grounded", "bddl") else super().lacks(view)

    @kept
    def bddl(self) -> Model:
        start = self.start
        return replace(self.model, black=start.black, white=start.white, first=_mover(start))

    @kept
    def grounded(self) -> Grounded:
        start, goals = self.start, _grounded_goals(self.model)
        return Grounded(
            cells=self.board.size,
            black=start.black,
            white=start.white,
            to_move=start.to_move,
            schedule=None,
            actions=_grounded_actions(self.model),
            goals={player: None if player is self.breaker else goals[player] for player in Player},
            first_moves=None,
            stuck=Stuck.DRAW if _always_room(self.model) else Stuck.LOSES,
            horizon=self.horizon,
            measures=measures(self.model),
        )

    def columns(self) -> Columns:
        return _columns(self.model) or super().columns()


def _falling(cell: int, height: int, player: Player) -> GroundedAction:
    """A stone that comes to lie on a cell: at the bottom, or on another stone."""
    free = _stone(cell, player)
    if (cell + 1) % height == 0:
        return free
    return replace(free, needs=replace(free.needs, occupied=1 << cell + 1))


def _stone(cell: int, player: Player) -> GroundedAction:
    """A stone on an open cell."""
    stone = 1 << cell
    if player is Player.BLACK:
        return GroundedAction(0, Pattern.open(stone), becomes_black=stone)
    return GroundedAction(0, Pattern.open(stone), becomes_white=stone)


def _mover(position: Position) -> Player:
    assert position.to_move is not None, "the players alternate for ever"
    return position.to_move
