"""LIFTED: any BDDL game without grounding, as a circuit about one symbolic cell.

Shaik and van de Pol 2023, §4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise, product
from typing import NamedTuple

import numpy as np

from skolemate.encodings.encoding import (
    Cube,
    Encoded,
    Encoding,
    GoalCase,
    Premise,
    Script,
    ScriptedPly,
    encoding,
)
from skolemate.encodings.parts.boards import bit_labels, decided
from skolemate.encodings.parts.problems import open_sets, trimmed_turns
from skolemate.errors import UserError
from skolemate.formula import FALSE, TRUE, CircuitBuilder, Literals, constants
from skolemate.formula.circuit import equal, equal_to, less_than, minus
from skolemate.games import Game, Move, Player, Position, PositionalGame, Question
from skolemate.games.bddl import model as bddl
from skolemate.games.bddl.analysis import may_complete
from skolemate.games.bddl.from_positional import placement_model, set_goals
from skolemate.games.bddl.game import BddlGame

# --- conditions -----------------------------------------------------------------------------------
# §4.3. Columns and rows are numbered from 0 here. Where the paper adds a shift to the parameters at
# every ply, it is subtracted from the symbolic cell instead, once for all plies.


class CellCode(NamedTuple):
    """The codes of a column and of a row."""

    x: Literals
    y: Literals


class CellState(NamedTuple):
    """The content of the symbolic cell after some ply: two literals."""

    open: np.int32
    white: np.int32


def values_inside(coordinates: list[bddl.Coordinate], last: int) -> range:
    """The values of a parameter with which all cells are on the board (Definition 13)."""
    shifts = [c.number for c in coordinates if c.anchor is bddl.Anchor.PARAMETER]
    return range(max([0, *(-s for s in shifts)]), last - max([0, *shifts]))


@dataclass
class Conditions:
    """States conditions of a model about the symbolic cell S."""

    builder: CircuitBuilder
    model: bddl.Model
    symbolic: CellCode
    _shifted: dict[tuple[int, int], Literals] = field(default_factory=dict)

    def at(self, place: CellCode, part: bddl.Subcondition) -> np.int32:
        """RI, Definition 11: whether S is the cell that a sub-condition at a place is about."""
        return np.int32(
            self.builder.all_of(
                self._met(0, place.x, part.x, self.model.width),
                self._met(1, place.y, part.y, self.model.height),
            )
        )

    def _met(
        self, axis: int, parameter: Literals, coordinate: bddl.Coordinate, last: int
    ) -> Literals:
        symbolic = self.symbolic[axis]
        if coordinate.anchor is not bddl.Anchor.PARAMETER:
            return equal_to(self.builder, symbolic, coordinate.value(0, last) - 1)
        shift = coordinate.number
        if (axis, shift) not in self._shifted:
            self._shifted[axis, shift] = minus(self.builder, symbolic, shift)
        return equal(self.builder, parameter, self._shifted[axis, shift])

    def holds(self, part: bddl.Subcondition, state: CellState) -> np.int32:
        """SC, Definition 12: whether S has the content that a sub-condition asks for."""
        if part.content is bddl.Content.OPEN:
            content = state.open
        else:
            white = state.white if part.content is bddl.Content.WHITE else -state.white
            content = np.int32(self.builder.all_of(-state.open, white))
        return np.int32(-content if part.negated else content)

    def within(self, place: CellCode, condition: bddl.Condition) -> np.int32:
        """BDCIR, Definition 13: whether all cells of a condition at a place are on the board."""
        sides = (
            self._inside(place.x, [part.x for part in condition.parts], self.model.width),
            self._inside(place.y, [part.y for part in condition.parts], self.model.height),
        )
        return np.int32(self.builder.all_of(*sides))

    def _inside(
        self, parameter: Literals, coordinates: list[bddl.Coordinate], last: int
    ) -> Literals:
        values = values_inside(coordinates, last)
        if not values:
            return constants(FALSE)
        above = -less_than(self.builder, parameter, values.start)
        return self.builder.all_of(above, less_than(self.builder, parameter, values.stop))

    def playable(self, place: CellCode, action: bddl.Action) -> np.int32:
        """Whether an action is stated at a place: on the board, and not contradicting itself."""
        clashes = []
        for one, other in combinations(action.effect.parts, 2):
            if one.content is not other.content:
                same_x = self._coincide(place.x, one.x, other.x, self.model.width)
                same_y = self._coincide(place.y, one.y, other.y, self.model.height)
                clashes.append(-self.builder.all_of(same_x, same_y))
        return np.int32(self.builder.all_of(self.within(place, action.all), *clashes))

    def _coincide(
        self, parameter: Literals, one: bddl.Coordinate, other: bddl.Coordinate, last: int
    ) -> Literals:
        """Whether two coordinates mean the same line; one equation in the parameter at most."""
        relative = [c for c in (one, other) if c.anchor is bddl.Anchor.PARAMETER]
        if len(relative) == 1:
            (fixed,) = (c for c in (one, other) if c.anchor is not bddl.Anchor.PARAMETER)
            wanted = fixed.value(0, last) - 1 - relative[0].number
            return equal_to(self.builder, parameter, wanted)
        return constants(TRUE if one.value(1, last) == other.value(1, last) else FALSE)

    def start(self) -> CellState:
        """I: the content of S at the start, by the list of stones."""
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
        return CellState(np.int32(-self.builder.any_of(black, white)), white)


# --- the statement --------------------------------------------------------------------------------
# §4.1 to 4.3. The prefix is
# ∃A¹X¹Y¹gs¹ ∀A²X²Y²gs² ∃lb²P² … ∃B_xB_yB_c ∀W_xW_yW_c ∃W_ce ∀S_xS_y ∃o²w² …. The paper's recursion
# of B^i and W^i is one literal for each ply here, `on`: the game is not over. The state of the
# symbolic cell at the start needs no variables.


HERE = bddl.Coordinate(bddl.Anchor.PARAMETER)


@dataclass(frozen=True)
class PlyVariables:
    """The variables of one ply."""

    player: Player
    actions: tuple[bddl.Action, ...]
    action: Literals  # the number of the action, in binary
    place: CellCode
    stop: np.int32  # the player claims to have won by this move
    given: np.int32  # the opponent claims to have won by it (misère)
    in_bounds: np.int32  # White's indicators: the action is on the board …
    flags: Literals  # … and its preconditions hold


@dataclass(frozen=True)
class Statement:
    """The variables of a game: of its plies, its goals, and the symbolic cell after each ply."""

    turns: list[PlyVariables]
    goals: GoalChoice
    cell: CellCode
    states: list[CellState]


def state_game(
    builder: CircuitBuilder, model: bddl.Model, depth: int, misere: bool = False
) -> Statement:
    """CellState that Black wins within so many plies."""
    turns = _quantified_turns(builder, model, depth, misere)
    goals = GoalChoice.quantified(builder, model)
    cell = CellCode(
        builder.forall("cell_x", bit_labels(model.width)),
        builder.forall("cell_y", bit_labels(model.height)),
    )
    conditions = Conditions(builder, model, cell)
    states = [conditions.start()]
    for ply in range(1, depth + 1):
        time = [f"t{ply}"]
        states.append(CellState(builder.exists("open", time)[0], builder.exists("white", time)[0]))
    on, claims = TRUE, dict.fromkeys(Player, FALSE)
    for turn, (before, after) in zip(turns, pairwise(states), strict=True):
        state_move = _black_move if turn.player is Player.BLACK else _white_move
        played = state_move(conditions, turn, on, before)
        if turn.player is Player.WHITE and turn is turns[-1] and not misere:
            builder.add(-played)  # White, to move last, must have no move
            break
        _effects(conditions, turn, played, before, after)
        claimants = ((turn.player, turn.stop), (turn.player.opponent, turn.given))
        for player, stop in claimants if misere else claimants[:1]:
            claimed = np.int32(builder.all_of(played, stop))
            _unchanged(builder, claimed, after, states[-1])
            claims[player] = np.int32(builder.any_of(claims[player], claimed))
            played = np.int32(builder.all_of(played, -stop))
        on = played
    if misere:
        builder.add(-on)
    goals.state(conditions, claims, states[-1])
    return Statement(turns, goals, cell, states[1:])


def _quantified_turns(
    builder: CircuitBuilder, model: bddl.Model, depth: int, misere: bool
) -> list[PlyVariables]:
    turns = []
    player = model.first
    for ply in range(1, depth + 1):
        quantify = builder.exists if player is Player.BLACK else builder.forall
        actions, time = model.actions_of(player), [f"t{ply}"]
        action = quantify("action", time, bit_labels(len(actions)))[0]
        place = CellCode(
            quantify("x", time, bit_labels(model.width))[0],
            quantify("y", time, bit_labels(model.height))[0],
        )
        last, stop, given = ply == depth, FALSE, FALSE
        in_bounds, flags = TRUE, np.zeros(0, np.int32)
        if player is Player.BLACK and last:
            stop = TRUE  # the last chance
        elif may_complete(model, player, player) if misere else model.goals_of(player) and not last:
            stop = quantify("stop", time)[0]
        if player is Player.WHITE:
            most = max((len(a.precondition.parts) for a in actions), default=0)
            in_bounds = builder.exists("in_bounds", time)[0]
            flags = builder.exists("holds", time, [f"p{k}" for k in range(most)])[0]
        if misere and may_complete(model, player, player.opponent):
            if player is Player.WHITE:
                given = TRUE if last else builder.exists("given", time)[0]
            elif not last:
                given = builder.forall("given", time)[0]
        turns.append(PlyVariables(player, actions, action, place, stop, given, in_bounds, flags))
        player = player.opponent
    return turns


def _black_move(
    conditions: Conditions, turn: PlyVariables, on: np.int32, before: CellState
) -> np.int32:
    """M_b: unless the game is over, Black's move is legal. Returns whether it is played."""
    builder = conditions.builder
    builder.add(-on, less_than(builder, turn.action, len(turn.actions)))
    for number, action in enumerate(turn.actions):
        chosen = equal_to(builder, turn.action, number)
        builder.add(-on, -chosen, conditions.playable(turn.place, action))
        for part in action.precondition.parts:
            here = conditions.at(turn.place, part)
            builder.add(-on, -chosen, -here, conditions.holds(part, before))
    return on


def _white_move(
    conditions: Conditions, turn: PlyVariables, on: np.int32, before: CellState
) -> np.int32:
    """M_w: the indicators say whether White's move is legal. Returns whether it is played."""
    builder = conditions.builder
    stated = []
    for number, action in enumerate(turn.actions):
        chosen = equal_to(builder, turn.action, number)
        stated.append(builder.all_of(chosen, conditions.playable(turn.place, action)))
        parts = action.precondition.parts
        for part, flag in zip(parts, turn.flags, strict=False):
            asked = builder.all_of(on, chosen, conditions.at(turn.place, part))
            holds = conditions.holds(part, before)
            builder.add(-asked, -flag, holds)
            builder.add(-asked, flag, -holds)
        # Flags without a precondition must not make the move illegal.
        builder.add(-on, -chosen, turn.flags[len(parts) :])
    legal = builder.any_of(*stated) if stated else FALSE
    builder.add(-turn.in_bounds, legal)
    builder.add(turn.in_bounds, -legal)
    return np.int32(builder.all_of(on, turn.in_bounds, [turn.flags]))


def _effects(
    conditions: Conditions,
    turn: PlyVariables,
    played: np.int32,
    before: CellState,
    after: CellState,
) -> None:
    """A move that is played changes the cells of its effect, and no others."""
    builder = conditions.builder
    made: dict[bddl.Content, list[Literals]] = {content: [] for content in bddl.Content}
    for number, action in enumerate(turn.actions):
        chosen = equal_to(builder, turn.action, number)
        for part in action.effect.parts:
            made[part.content].append(builder.all_of(chosen, conditions.at(turn.place, part)))
    changed = FALSE
    for content, cells in made.items():
        if cells:
            becomes = builder.any_of(*cells)
            part = bddl.Subcondition(content, HERE, HERE)
            builder.add(-played, -becomes, conditions.holds(part, after))
            changed = np.int32(builder.any_of(changed, becomes))
    _unchanged(builder, np.int32(builder.all_of(played, -changed)), before, after)


def _unchanged(
    builder: CircuitBuilder, if_true: np.int32, before: CellState, after: CellState
) -> None:
    for one, other in zip(before, after, strict=True):
        builder.add(-if_true, -one, other)
        builder.add(-if_true, one, -other)


@dataclass(frozen=True)
class GoalChoice:
    """The variables of both players' goals: where, which, and which part of White's fails."""

    model: bddl.Model
    black: CellCode
    black_goal: Literals
    white: CellCode
    white_goal: Literals
    failing: Literals

    @classmethod
    def quantified(cls, builder: CircuitBuilder, model: bddl.Model) -> GoalChoice:
        black, white = model.goals
        # A player without goals never claims one, and needs no variables.
        width, height = bit_labels(model.width), bit_labels(model.height)
        none: list[str] = []
        return cls(
            model,
            CellCode(
                builder.exists("black_x", width if black else none),
                builder.exists("black_y", height if black else none),
            ),
            builder.exists("black_goal", bit_labels(len(black))),
            CellCode(
                builder.forall("white_x", width if white else none),
                builder.forall("white_y", height if white else none),
            ),
            builder.forall("white_goal", bit_labels(len(white))),
            builder.exists("failing", bit_labels(max((len(g.parts) for g in white), default=0))),
        )

    def state(self, conditions: Conditions, claims: dict[Player, np.int32], end: CellState) -> None:
        self._black_claim(conditions, claims[Player.BLACK], end)
        self._white_claim(conditions, claims[Player.WHITE], end)

    def _black_claim(self, conditions: Conditions, claimed: np.int32, end: CellState) -> None:
        """G_b: one of Black's goals holds at the end."""
        builder, goals = conditions.builder, self.model.goals_of(Player.BLACK)
        builder.add(-claimed, less_than(builder, self.black_goal, len(goals)))
        for number, goal in enumerate(goals):
            chosen = builder.all_of(claimed, equal_to(builder, self.black_goal, number))
            builder.add(-chosen, conditions.within(self.black, goal))
            for part in goal.parts:
                here = conditions.at(self.black, part)
                builder.add(-chosen, -here, conditions.holds(part, end))

    def _white_claim(self, conditions: Conditions, claimed: np.int32, end: CellState) -> None:
        """G_w: each goal that White may claim fails at the end."""
        builder = conditions.builder
        for number, goal in enumerate(self.model.goals_of(Player.WHITE)):
            chosen = equal_to(builder, self.white_goal, number)
            seen = builder.all_of(claimed, chosen, conditions.within(self.white, goal))
            builder.add(-seen, less_than(builder, self.failing, len(goal.parts)))
            for place, part in enumerate(goal.parts):
                fails = equal_to(builder, self.failing, place)
                here = conditions.at(self.white, part)
                builder.add(-seen, -fails, -here, -conditions.holds(part, end))


# --- decoding -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ActionCodes:
    """A game and the variables of its plies, from which moves and positions are decoded."""

    game: Game
    height: int  # of the model's board, which need not be the game's
    turns: list[PlyVariables]

    def first_move(self, assignment: Mapping[int, bool]) -> Move | None:
        """Black's first move; any legal one if the assignment has none."""
        start = self.game.start
        if start.to_move is not Player.BLACK:
            return None
        legal = start.moves()
        move = self._move(self.turns[0], assignment)
        if move in legal:
            return move
        return legal[0] if legal else None

    def play(self, assignment: Mapping[int, bool]) -> list[Position]:
        """The start and the positions after each ply, until one is illegal or the game over."""
        positions = [self.game.start]
        for turn in self.turns:
            move = self._move(turn, assignment)
            if move is None or move not in positions[-1].moves():
                break
            positions.append(positions[-1].play(move))
            if turn.player is Player.WHITE and _read(np.array([turn.stop]), assignment):
                break  # a false claim of White's: all later moves are arbitrary
        return positions

    def _move(self, turn: PlyVariables, assignment: Mapping[int, bool]) -> Move | None:
        number, x, y = (
            _read(bits, assignment) for bits in (turn.action, turn.place.x, turn.place.y)
        )
        return self.move(turn, number, x, y)

    def move(self, turn: PlyVariables, number: int, x: int, y: int) -> Move | None:
        """The move that an action at a place is; None if it is off the board."""
        if number >= len(turn.actions):
            return None
        if not isinstance(self.game, BddlGame):
            return x * self.height + y
        name = f"{turn.actions[number].name}({x + 1},{y + 1})"
        try:
            return self.game.parse_move(name, turn.player)
        except UserError:  # off the board
            return None


def _read(bits: Literals, assignment: Mapping[int, bool]) -> int:
    return sum(1 << place for place, bit in enumerate(bits.tolist()) if assignment.get(bit))


# --- the script -----------------------------------------------------------------------------------


OWNERS = {
    bddl.Content.OPEN: None,
    bddl.Content.BLACK: Player.BLACK,
    bddl.Content.WHITE: Player.WHITE,
}


def grid_script(codes: ActionCodes, model: bddl.Model, statement: Statement) -> Script:
    """The script of a BDDL game: actions at places, legality of White's, goals and premises."""
    writer, goals = _Writer(codes, model), statement.goals
    most = max((len(goal.parts) for goal in model.goals_of(Player.WHITE)), default=0)
    return Script(
        [
            replace(writer.ply(turn), after=writer.after(statement.cell, state))
            for turn, state in zip(statement.turns, statement.states, strict=True)
        ],
        {
            Player.BLACK: list(writer.goals(Player.BLACK, goals.black, goals.black_goal)),
            Player.WHITE: list(writer.goals(Player.WHITE, goals.white, goals.white_goal)),
        },
        [_spelled(goals.failing, part) for part in range(most)],
    )


class _Writer:
    def __init__(self, codes: ActionCodes, model: bddl.Model) -> None:
        self.codes, self.model = codes, model

    def ply(self, turn: PlyVariables) -> ScriptedPly:
        seen: dict[Move, Cube] = {}
        chosen: dict[Move, Cube] = {}
        for number, action in enumerate(turn.actions):
            name = _spelled(turn.action, number)
            along = [self._range(action.all, axis) for axis in ("x", "y")]
            for x, y in product(*along):
                move = self.codes.move(turn, number, x, y)
                if move is not None:
                    seen[move] = name + self._place(turn.place, action.all, x, y)
                    chosen[move] = name + _spelled(turn.place.x, x) + _spelled(turn.place.y, y)
        flags = {int(flag): list(self._flag(turn, k)) for k, flag in enumerate(turn.flags.tolist())}
        stop = None if turn.stop in (TRUE, FALSE) else int(turn.stop)
        return ScriptedPly(turn.player, seen, chosen, stop=stop, flags=flags)

    def after(
        self, cell: CellCode, state: CellState
    ) -> dict[int, list[tuple[Cube, Premise | bool]]]:
        """The content of the symbolic cell, for every cell that it may be."""
        literals = {}
        for literal, content in (
            (state.open, bddl.Content.OPEN),
            (state.white, bddl.Content.WHITE),
        ):
            part = bddl.Subcondition(content, HERE, HERE)
            literals[int(literal)] = [
                (_spelled(cell.x, x) + _spelled(cell.y, y), self._premise(part, x, y))
                for x, y in product(range(1 << len(cell.x)), range(1 << len(cell.y)))
            ]
        return literals

    def _range(self, condition: bddl.Condition, axis: str) -> range:
        size = self.model.width if axis == "x" else self.model.height
        return range(size) if condition.depends_on(axis) else range(1)

    def _place(self, place: CellCode, condition: bddl.Condition, x: int, y: int) -> Cube:
        """The code of a place, without parameters that the condition ignores."""
        columns = _spelled(place.x, x) if condition.depends_on("x") else ()
        return columns + (_spelled(place.y, y) if condition.depends_on("y") else ())

    def _flag(self, turn: PlyVariables, k: int) -> Iterator[tuple[Cube, Premise | bool]]:
        """When the k-th precondition holds, or an action has none; also off the board."""
        for number, action in enumerate(turn.actions):
            name, parts = _spelled(turn.action, number), action.precondition.parts
            if k >= len(parts):
                yield name, True
                continue
            only = bddl.Condition((parts[k],))
            for x, y in self._codes(turn.place, only):
                yield name + self._place(turn.place, only, x, y), self._premise(parts[k], x, y)

    def _codes(self, place: CellCode, condition: bddl.Condition) -> Iterator[tuple[int, int]]:
        """The codes of places that make a difference to a condition."""
        columns = 1 << len(place.x) if condition.depends_on("x") else 1
        rows = 1 << len(place.y) if condition.depends_on("y") else 1
        yield from product(range(columns), range(rows))

    def _premise(self, part: bddl.Subcondition, x: int, y: int) -> Premise | bool:
        """The premise of a part at a place. Codes off the board are cells that are always open."""
        model = self.model
        column = _met(part.x, x, model.width)
        row = _met(part.y, y, model.height)
        if column >= model.width or row >= model.height:
            return (part.content is bddl.Content.OPEN) is not part.negated
        return Premise(column * model.height + row, OWNERS[part.content], part.negated)

    def goals(self, player: Player, place: CellCode, number: Literals) -> Iterator[GoalCase]:
        for which, goal in enumerate(self.model.goals_of(player)):
            name = _spelled(number, which)
            for x, y in product(
                values_inside([p.x for p in goal.parts], self.model.width),
                values_inside([p.y for p in goal.parts], self.model.height),
            ):
                yield GoalCase(
                    name + _spelled(place.x, x) + _spelled(place.y, y),
                    tuple(self._premise(part, x, y) for part in goal.parts),
                )


def _met(coordinate: bddl.Coordinate, parameter: int, last: int) -> int:
    """The column or row of a coordinate, counted from 0; sums overflow as in the circuit."""
    if coordinate.anchor is not bddl.Anchor.PARAMETER:
        return coordinate.value(0, last) - 1
    return (parameter + coordinate.number) % (1 << (last - 1).bit_length())


def _spelled(bits: Literals, number: int) -> Cube:
    """The literals by which bits spell a number."""
    return tuple(bit if number >> i & 1 else -bit for i, bit in enumerate(bits.tolist()))


# --- the encoding ---------------------------------------------------------------------------------


PAPER = "Shaik, van de Pol: Concise QBF Encodings for Games on a Grid, 2023"


@encoding("lifted", paper=PAPER, views=("bddl",))
def lifted(self: Encoding, question: Question, symmetry: bool) -> Encoded:
    """One symbolic cell, chosen by ∀; relative conditions; all BDDL games. A circuit."""
    game = question.game
    if game.start.winner is not None:
        return decided(self, question, game.start.winner is Player.BLACK)
    # After the horizon the game is a draw; BDDL has no draws and would count a win.
    bound = question.depth if game.horizon is None else min(question.depth, game.horizon)
    depth = max(game.deciding_plies(Player.BLACK, bound))
    model = _positional(question) if isinstance(game, PositionalGame) else game.bddl()
    if depth == 0 or (isinstance(game, PositionalGame) and not model.goals_of(Player.BLACK)):
        return decided(self, question, False)
    builder = CircuitBuilder()
    statement = state_game(builder, model, depth, game.misere)
    codes = ActionCodes(game, model.height, statement.turns)
    return Encoded(
        question,
        self,
        builder.circuit(),
        codes.first_move,
        codes.play,
        # Scripts know no claims of the player who has not moved.
        write_script=None if game.misere else lambda: grid_script(codes, model, statement),
    )


def _positional(question: Question) -> bddl.Model:
    """The model of a positional game, without sets that are too large for the depth."""
    game = question.game
    assert isinstance(game, PositionalGame)
    model = placement_model(game)
    schedule = game.turns_ahead[: question.depth]
    if not game.misere:
        schedule = trimmed_turns(question, schedule)

    def goals(player: Player) -> bddl.Goals:
        colour = game.colour(player)
        limit, start = schedule.count(colour), game.start
        own, enemy = start.stones(colour), start.stones(colour.opponent)
        if player is Player.BLACK and game.offers("connection"):
            return set_goals(model, player, open_sets(question, player, limit))
        return set_goals(
            model,
            colour,
            game.listed(player) or (),
            lambda winning: not winning & enemy and (winning & ~own).bit_count() <= limit,
        )

    black = goals(Player.BLACK)
    return replace(model, goals=(black, () if game.is_maker_breaker else goals(Player.WHITE)))
