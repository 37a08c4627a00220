"""The game of a BDDL model as a circuit (Shaik and van de Pol 2023, §4.1 to 4.3).

∃A¹X¹Y¹gs¹ ∀A²X²Y²gs² ∃lb²P² … ∃B_xB_yB_c ∀W_xW_yW_c ∃W_ce ∀S_xS_y ∃o²w² …. The paper's recursion of
B^i and W^i is told by one literal a ply, `on`: whether the game is still on there. The state of the
symbolic cell at the start needs no variables.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from skolemate.encodings.parts.codes import bit_labels
from skolemate.encodings.parts.grid_conditions import Cell, Conditions, State
from skolemate.formula import FALSE, TRUE, CircuitBuilder, Literals
from skolemate.formula.vectors import equal_to, less_than
from skolemate.games.bddl.model import Action, Anchor, Content, Coordinate, Model, Subcondition
from skolemate.games.game import Player

__all__ = ["HERE", "GoalChoice", "PlyVariables", "Statement", "state_game"]

HERE = Coordinate(Anchor.PARAMETER)


@dataclass(frozen=True)
class PlyVariables:
    """The variables of one ply."""

    player: Player
    actions: tuple[Action, ...]
    action: Literals  # the number of the action, in binary
    place: Cell
    stop: np.int32  # the player claims to have won by this move
    in_bounds: np.int32  # White's indicators: the action is on the board …
    flags: Literals  # … and its preconditions hold


@dataclass(frozen=True)
class Statement:
    """The variables of a game: of its plies, its goals, and the symbolic cell after each ply."""

    turns: list[PlyVariables]
    goals: GoalChoice
    cell: Cell
    states: list[State]


def state_game(builder: CircuitBuilder, model: Model, depth: int) -> Statement:
    """State that Black wins within so many plies."""
    turns = _quantified_turns(builder, model, depth)
    goals = GoalChoice.quantified(builder, model)
    cell = Cell(
        builder.forall("cell_x", bit_labels(model.width)),
        builder.forall("cell_y", bit_labels(model.height)),
    )
    conditions = Conditions(builder, model, cell)
    states = [conditions.start()]
    for ply in range(1, depth + 1):
        time = [f"t{ply}"]
        states.append(State(builder.exists("open", time)[0], builder.exists("white", time)[0]))
    on, claims = TRUE, dict.fromkeys(Player, FALSE)
    for turn, (before, after) in zip(turns, pairwise(states), strict=True):
        state_move = _black_move if turn.player is Player.BLACK else _white_move
        played = state_move(conditions, turn, on, before)
        if turn.player is Player.WHITE and turn is turns[-1]:
            builder.add(-played)  # White, to move last, must find no move
            break
        _effects(conditions, turn, played, before, after)
        claimed = np.int32(builder.all_of(played, turn.stop))
        _unchanged(builder, claimed, after, states[-1])
        claims[turn.player] = np.int32(builder.any_of(claims[turn.player], claimed))
        on = np.int32(builder.all_of(played, -turn.stop))
    goals.state(conditions, claims, states[-1])
    return Statement(turns, goals, cell, states[1:])


def _quantified_turns(builder: CircuitBuilder, model: Model, depth: int) -> list[PlyVariables]:
    turns = []
    player = model.first
    for ply in range(1, depth + 1):
        quantify = builder.exists if player is Player.BLACK else builder.forall
        actions, time = model.actions_of(player), [f"t{ply}"]
        action = quantify("action", time, bit_labels(len(actions)))[0]
        place = Cell(
            quantify("x", time, bit_labels(model.width))[0],
            quantify("y", time, bit_labels(model.height))[0],
        )
        stop, in_bounds, flags = FALSE, TRUE, np.zeros(0, np.int32)
        if player is Player.BLACK and ply == depth:
            stop = TRUE  # the last chance
        elif model.goals_of(player) and ply < depth:
            stop = quantify("stop", time)[0]
        if player is Player.WHITE:
            most = max((len(a.precondition.parts) for a in actions), default=0)
            in_bounds = builder.exists("in_bounds", time)[0]
            flags = builder.exists("holds", time, [f"p{k}" for k in range(most)])[0]
        turns.append(PlyVariables(player, actions, action, place, stop, in_bounds, flags))
        player = player.opponent
    return turns


def _black_move(
    conditions: Conditions, turn: PlyVariables, on: np.int32, before: State
) -> np.int32:
    """M_b: while the game is on, Black's move is legal. Returns whether it is played."""
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
    conditions: Conditions, turn: PlyVariables, on: np.int32, before: State
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
    conditions: Conditions, turn: PlyVariables, played: np.int32, before: State, after: State
) -> None:
    """A move that is played changes the cells of its effect, and no others."""
    builder = conditions.builder
    made: dict[Content, list[Literals]] = {content: [] for content in Content}
    for number, action in enumerate(turn.actions):
        chosen = equal_to(builder, turn.action, number)
        for part in action.effect.parts:
            made[part.content].append(builder.all_of(chosen, conditions.at(turn.place, part)))
    changed = FALSE
    for content, cells in made.items():
        if cells:
            becomes = builder.any_of(*cells)
            part = Subcondition(content, HERE, HERE)
            builder.add(-played, -becomes, conditions.holds(part, after))
            changed = np.int32(builder.any_of(changed, becomes))
    _unchanged(builder, np.int32(builder.all_of(played, -changed)), before, after)


def _unchanged(builder: CircuitBuilder, if_true: np.int32, before: State, after: State) -> None:
    for one, other in zip(before, after, strict=True):
        builder.add(-if_true, -one, other)
        builder.add(-if_true, one, -other)


@dataclass(frozen=True)
class GoalChoice:
    """The variables of both players' goals: where, which, and which part of White's fails."""

    model: Model
    black: Cell
    black_goal: Literals
    white: Cell
    white_goal: Literals
    failing: Literals

    @classmethod
    def quantified(cls, builder: CircuitBuilder, model: Model) -> GoalChoice:
        black, white = model.goals
        # A player without goals never claims one, and needs no variables.
        width, height = bit_labels(model.width), bit_labels(model.height)
        none: list[str] = []
        return cls(
            model,
            Cell(
                builder.exists("black_x", width if black else none),
                builder.exists("black_y", height if black else none),
            ),
            builder.exists("black_goal", bit_labels(len(black))),
            Cell(
                builder.forall("white_x", width if white else none),
                builder.forall("white_y", height if white else none),
            ),
            builder.forall("white_goal", bit_labels(len(white))),
            builder.exists("failing", bit_labels(max((len(g.parts) for g in white), default=0))),
        )

    def state(self, conditions: Conditions, claims: dict[Player, np.int32], end: State) -> None:
        self._black_claim(conditions, claims[Player.BLACK], end)
        self._white_claim(conditions, claims[Player.WHITE], end)

    def _black_claim(self, conditions: Conditions, claimed: np.int32, end: State) -> None:
        """G_b: one of Black's goals holds in the end."""
        builder, goals = conditions.builder, self.model.goals_of(Player.BLACK)
        builder.add(-claimed, less_than(builder, self.black_goal, len(goals)))
        for number, goal in enumerate(goals):
            chosen = builder.all_of(claimed, equal_to(builder, self.black_goal, number))
            builder.add(-chosen, conditions.within(self.black, goal))
            for part in goal.parts:
                here = conditions.at(self.black, part)
                builder.add(-chosen, -here, conditions.holds(part, end))

    def _white_claim(self, conditions: Conditions, claimed: np.int32, end: State) -> None:
        """G_w: each of White's goals fails in the end, wherever White sees it."""
        builder = conditions.builder
        for number, goal in enumerate(self.model.goals_of(Player.WHITE)):
            chosen = equal_to(builder, self.white_goal, number)
            seen = builder.all_of(claimed, chosen, conditions.within(self.white, goal))
            builder.add(-seen, less_than(builder, self.failing, len(goal.parts)))
            for place, part in enumerate(goal.parts):
                fails = equal_to(builder, self.failing, place)
                here = conditions.at(self.white, part)
                builder.add(-seen, -fails, -here, -conditions.holds(part, end))
