"""Static analysis of BDDL models: do they obey the definitions, and how long can a game be?"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from skolemate.games.bddl import model as bddl
from skolemate.games.game import Player
from skolemate.games.views import Measure
from skolemate.limits import breathe

# --- sanity ---------------------------------------------------------------------------------------
# Definition 9: nobody's move may complete the opponent's goal. Definition 10 and the encodings
# check a player's goals after that player's moves only, which is right under this condition. Models
# that break it are played as well (misère): then both players' goals are checked after each move,
# the mover's first. The start must not be won; the reader of files checks that, since a position
# set up later may well be won.


EFFORT = 1_000_000  # goals that a search tries; after these it gives up


@dataclass(frozen=True)
class Violation:
    """An action that may complete a goal of the opponent, and a state in which it does."""

    mover: Player
    action: bddl.Action
    x: int
    y: int
    goal: int  # the number of the opponent's goal
    before: dict[int, bddl.Content] | None  # None: whether there is such a state is not known


class _TooLong(Exception):
    """A search has gone on for too long."""


@lru_cache(maxsize=64)
def violation(model: bddl.Model) -> Violation | None:
    """The first violation of Definition 9 by a move; None if there is none."""
    for mover in Player:
        if not may_complete(model, mover, mover.opponent):
            continue  # most models never come further
        goals = bddl.goal_instances(model, mover.opponent)
        for move in bddl.instances(model, mover):
            breathe()
            violated = _completed(mover, move, goals)
            if violated is not None:
                return violated
    return None


def may_complete(model: bddl.Model, mover: Player, owner: Player) -> bool:
    """Whether an effect of the mover's is what a goal of the owner's asks for."""
    made = {part.content for a in model.actions_of(mover) for part in a.effect.parts}
    if not any(made & part.contents for goal in model.goals_of(owner) for part in goal.parts):
        return False  # mostly so, and large boards have many places for a goal
    wanted = {c for _, goal in bddl.goal_instances(model, owner) for c in goal.values()}
    return any(made & contents for contents in wanted)


def _completed(
    mover: Player, move: bddl.Instance, goals: tuple[tuple[int, bddl.Allowed], ...]
) -> Violation | None:
    for number, goal in goals:
        shared = [cell for cell in goal if cell in move.effect]
        if not shared or any(move.effect[cell] not in goal[cell] for cell in shared):
            continue
        rest: bddl.Allowed | None = dict(move.before)
        for cell in goal:
            if cell not in move.effect and rest is not None:
                rest = _narrowed(rest, cell, goal[cell])
        for cell in shared:  # one of them must have been wrong before the move
            wrong = None if rest is None else _narrowed(rest, cell, bddl.ANYTHING - goal[cell])
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


def _any_of(contents: frozenset[bddl.Content]) -> bddl.Content:
    return min(contents, key=lambda content: content.value)


def _narrowed(
    allowed: bddl.Allowed, cell: int, contents: frozenset[bddl.Content]
) -> bddl.Allowed | None:
    left = allowed.get(cell, bddl.ANYTHING) & contents
    return allowed | {cell: left} if left else None


def _without_goals(allowed: bddl.Allowed, goals: list[bddl.Allowed]) -> bddl.Allowed | None:
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
        narrower = (_narrowed(allowed, cell, bddl.ANYTHING - held) for cell, held in goal.items())
        waiting += [found for found in narrower if found is not None]
    return None


def _can_hold(allowed: bddl.Allowed, goal: bddl.Allowed) -> bool:
    return all(allowed.get(cell, bddl.ANYTHING) & contents for cell, contents in goal.items())


# --- the longest play -----------------------------------------------------------------------------
# A game must end if some measure gets smaller with every move that does not win. The measures
# tried are sums of weights over cells and their contents: open cells, stones, and the distance
# that pieces still have to go.


Weight = Callable[[bddl.Content, int], int]  # of a content on a cell


@lru_cache(maxsize=64)
def longest_play(model: bddl.Model, black: int, white: int) -> int | None:
    """The last ply at which a game from these stones can be decided; None if no bound is known."""
    if draws_when_full(model):
        return model.width * model.height - (black | white).bit_count()
    return min((measure.longest_play(black, white) for measure in measures(model)), default=None)


@lru_cache(maxsize=64)
def measures(model: bddl.Model) -> tuple[Measure, ...]:
    """The measures that every move makes smaller."""
    moves = [move for player in Player for move in _playing_on(model, player)]
    found = ((weight, _least_drop(weight, moves)) for weight in _weights(model))
    return tuple(_measure(model, weight, least) for weight, least in found if least > 0)


def _measure(model: bddl.Model, weight: Weight, least: int) -> Measure:
    def weights(content: bddl.Content) -> tuple[int, ...]:
        return tuple(weight(content, cell) for cell in range(model.width * model.height))

    contents = bddl.Content
    return Measure(weights(contents.OPEN), weights(contents.BLACK), weights(contents.WHITE), least)


def draws_when_full(model: bddl.Model) -> bool:
    """Whether this is a game of placing single stones for a goal: a full board is a draw.

    In all other games a player who cannot move has lost (Definition 10).
    """
    if not any(model.goals):
        return False
    for player in Player:
        for action in model.actions_of(player):
            effect = set(action.effect.parts)
            if len(effect) != 1:
                return False
            (stone,) = effect
            if stone.content is not bddl.Content.of(player):
                return False
            if not any(
                part.content is bddl.Content.OPEN
                and not part.negated
                and (part.x, part.y) == (stone.x, stone.y)
                for part in action.precondition.parts
            ):
                return False
    return True


def _weights(model: bddl.Model) -> Iterator[Weight]:
    for counted in (
        {bddl.Content.OPEN},
        {bddl.Content.BLACK},
        {bddl.Content.WHITE},
        {bddl.Content.BLACK, bddl.Content.WHITE},
    ):
        yield lambda content, cell, counted=counted: int(content in counted)  # type: ignore[misc]
    ways = [_way(model, axis, towards_first) for axis in (0, 1) for towards_first in (True, False)]
    for black_way, white_way in product(ways, ways):

        def way_to_go(
            content: bddl.Content,
            cell: int,
            black_way: list[int] = black_way,
            white_way: list[int] = white_way,
        ) -> int:
            if content is bddl.Content.OPEN:
                return 0
            return black_way[cell] if content is bddl.Content.BLACK else white_way[cell]

        yield way_to_go


def _way(model: bddl.Model, axis: int, towards_first: bool) -> list[int]:
    """From each cell the steps to the line before the last: the last step may be a winning one."""
    steps = []
    for place in product(range(model.width), range(model.height)):
        last = (model.width, model.height)[axis] - 1
        far = place[axis] if towards_first else last - place[axis]
        steps.append(max(0, far - 1))
    return steps


def _least_drop(weight: Weight, moves: list[bddl.Instance]) -> int:
    """By how much every move lowers the measure; 0 if some move does not."""
    least: int | None = None
    for move in moves:
        drop = _drop(weight, move)
        if drop <= 0:
            return 0
        least = drop if least is None else min(least, drop)
    return 1 if least is None else least


def _drop(weight: Weight, move: bddl.Instance) -> int:
    """By how much a move lowers the measure at least."""
    breathe()
    return sum(
        min(weight(content, cell) for content in move.before.get(cell, bddl.ANYTHING))
        - weight(after, cell)
        for cell, after in move.effect.items()
    )


def _playing_on(model: bddl.Model, player: Player) -> list[bddl.Instance]:
    """The moves that do not win by their effect alone."""
    goals = [goal for _, goal in bddl.goal_instances(model, player)]

    def wins(move: bddl.Instance) -> bool:
        breathe()
        return any(
            all(move.effect.get(cell) in contents for cell, contents in goal.items())
            for goal in goals
        )

    return [move for move in bddl.instances(model, player) if not wins(move)]
