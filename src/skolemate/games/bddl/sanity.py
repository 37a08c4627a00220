"""The sanity conditions of Definition 9: nobody's move may complete the opponent's goal.

Definition 10 and the `lifted` encoding look at a player's goals after that player's moves only,
which is right under this condition. The start must not be won either; that is told when a file
is read, since a position set up later may well be won.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from skolemate.games.bddl.ground import ANYTHING, Allowed, Instance, goal_instances, instances
from skolemate.games.bddl.model import Action, Content, Model
from skolemate.games.game import Player
from skolemate.limits import breathe

__all__ = ["Violation", "violation"]

EFFORT = 1_000_000  # goals looked at in a search; beyond it a model is not shown to be sane


@dataclass(frozen=True)
class Violation:
    """An action that may complete a goal of the opponent, and a state in which it does."""

    mover: Player
    action: Action
    x: int
    y: int
    goal: int  # the number of the opponent's goal
    before: dict[int, Content] | None  # None: no such state was found, nor excluded

    def __str__(self) -> str:
        owner = self.mover.opponent
        played = f"{self.mover}'s {self.action.name}({self.x},{self.y})"
        what = f"complete this goal of {owner}'s"
        if self.before is None:
            return f"it could not be shown that {played} does not {what}"
        return f"{played} can {what}; only {owner}'s own moves may do that"


class _TooLong(Exception):
    """A search has gone on for too long."""


@lru_cache(maxsize=64)
def violation(model: Model) -> Violation | None:
    """The first violation of Definition 9 by a move; None if there is none."""
    for mover in Player:
        goals = goal_instances(model, mover.opponent)
        # Most models never come further: no effect is what a goal of the opponent asks for.
        wanted = {contents for _, goal in goals for contents in goal.values()}
        made = {part.content for a in model.actions_of(mover) for part in a.effect.parts}
        if not any(content in contents for contents in wanted for content in made):
            continue
        for move in instances(model, mover):
            breathe()
            found = _completed(mover, move, goals)
            if found is not None:
                return found
    return None


def _completed(
    mover: Player, move: Instance, goals: tuple[tuple[int, Allowed], ...]
) -> Violation | None:
    for number, goal in goals:
        shared = [cell for cell in goal if cell in move.effect]
        if not shared or any(move.effect[cell] not in goal[cell] for cell in shared):
            continue
        rest: Allowed | None = dict(move.before)
        for cell in goal:
            if cell not in move.effect and rest is not None:
                rest = _narrowed(rest, cell, goal[cell])
        for cell in shared:  # one of them must have been wrong before the move
            wrong = None if rest is None else _narrowed(rest, cell, ANYTHING - goal[cell])
            if wrong is None:
                continue
            place = (mover, move.action, move.x, move.y, number)
            try:
                before = _without_goals(wrong, [other for _, other in goals])
            except _TooLong:
                return Violation(*place, None)
            if before is not None:
                return Violation(*place, {c: _any_of(held) for c, held in before.items()})
    return None


def _any_of(contents: frozenset[Content]) -> Content:
    return min(contents, key=lambda content: content.value)


def _narrowed(allowed: Allowed, cell: int, contents: frozenset[Content]) -> Allowed | None:
    left = allowed.get(cell, ANYTHING) & contents
    return allowed | {cell: left} if left else None


def _without_goals(allowed: Allowed, goals: list[Allowed]) -> Allowed | None:
    """Narrow down what is allowed until no goal can hold; None if that is impossible."""
    waiting, effort = [allowed], 0
    while waiting:
        allowed = waiting.pop()
        effort += len(goals)
        if effort > EFFORT:
            raise _TooLong
        possible = (goal for goal in goals if _can_hold(allowed, goal))
        goal = next(possible, None)
        if goal is None:
            return allowed
        narrower = (_narrowed(allowed, cell, ANYTHING - held) for cell, held in goal.items())
        waiting += [found for found in narrower if found is not None]
    return None


def _can_hold(allowed: Allowed, goal: Allowed) -> bool:
    return all(allowed.get(cell, ANYTHING) & contents for cell, contents in goal.items())
