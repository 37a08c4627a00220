"""The script of a BDDL game: actions at places, the legality of White's, goals and their parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from skolemate.encodings.parts.grid_conditions import Cell, State, values_inside
from skolemate.encodings.parts.grid_decoding import ActionCodes
from skolemate.encodings.parts.grid_statement import HERE, PlyVariables, Statement
from skolemate.encodings.script import Cube, GoalCase, Premise, Script, ScriptedPly
from skolemate.formula import FALSE, TRUE, Literals
from skolemate.games.bddl.model import (
    Anchor,
    Condition,
    Content,
    Coordinate,
    Model,
    Subcondition,
)
from skolemate.games.game import Move, Player

__all__ = ["grid_script"]

OWNERS = {Content.OPEN: None, Content.BLACK: Player.BLACK, Content.WHITE: Player.WHITE}


def grid_script(codes: ActionCodes, model: Model, statement: Statement) -> Script:
    """How the variables of a statement tell a game."""
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
    def __init__(self, codes: ActionCodes, model: Model) -> None:
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

    def after(self, cell: Cell, state: State) -> dict[int, list[tuple[Cube, Premise | bool]]]:
        """What is on the symbolic cell, whichever it is."""
        told = {}
        for literal, content in ((state.open, Content.OPEN), (state.white, Content.WHITE)):
            part = Subcondition(content, HERE, HERE)
            told[int(literal)] = [
                (_spelled(cell.x, x) + _spelled(cell.y, y), self._premise(part, x, y))
                for x, y in product(range(1 << len(cell.x)), range(1 << len(cell.y)))
            ]
        return told

    def _range(self, condition: Condition, axis: str) -> range:
        size = self.model.width if axis == "x" else self.model.height
        return range(size) if condition.depends_on(axis) else range(1)

    def _place(self, place: Cell, condition: Condition, x: int, y: int) -> Cube:
        """The code of a place, as far as it makes a difference."""
        columns = _spelled(place.x, x) if condition.depends_on("x") else ()
        return columns + (_spelled(place.y, y) if condition.depends_on("y") else ())

    def _flag(self, turn: PlyVariables, k: int) -> Iterator[tuple[Cube, Premise | bool]]:
        """When the k-th precondition holds, or an action has none; also off the board."""
        for number, action in enumerate(turn.actions):
            name, parts = _spelled(turn.action, number), action.precondition.parts
            if k >= len(parts):
                yield name, True
                continue
            only = Condition((parts[k],))
            for x, y in self._codes(turn.place, only):
                yield name + self._place(turn.place, only, x, y), self._premise(parts[k], x, y)

    def _codes(self, place: Cell, condition: Condition) -> Iterator[tuple[int, int]]:
        """All codes of places between which a condition tells."""
        columns = 1 << len(place.x) if condition.depends_on("x") else 1
        rows = 1 << len(place.y) if condition.depends_on("y") else 1
        yield from product(range(columns), range(rows))

    def _premise(self, part: Subcondition, x: int, y: int) -> Premise | bool:
        """What a part asks at a place. Codes off the board name cells that are always open."""
        model = self.model
        column = _met(part.x, x, model.width)
        row = _met(part.y, y, model.height)
        if column >= model.width or row >= model.height:
            return (part.content is Content.OPEN) is not part.negated
        return Premise(column * model.height + row, OWNERS[part.content], part.negated)

    def goals(self, player: Player, place: Cell, number: Literals) -> Iterator[GoalCase]:
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


def _met(coordinate: Coordinate, parameter: int, last: int) -> int:
    """The line that a coordinate means, counted from 0; sums overflow as in the circuit."""
    if coordinate.anchor is not Anchor.PARAMETER:
        return coordinate.value(0, last) - 1
    return (parameter + coordinate.number) % (1 << (last - 1).bit_length())


def _spelled(bits: Literals, number: int) -> Cube:
    """The literals by which bits spell a number."""
    return tuple(bit if number >> i & 1 else -bit for i, bit in enumerate(bits.tolist()))
