"""Random BDDL models: every construct of the language, on boards small enough for the oracle."""

from __future__ import annotations

import random
from functools import cache

from skolemate.errors import UserError
from skolemate.games import Game, Player
from skolemate.games.bddl import BddlGame, Model
from skolemate.games.bddl.model import (
    Action,
    Anchor,
    Condition,
    Content,
    Coordinate,
    Goals,
    Subcondition,
)
from skolemate.games.family import build

__all__ = [
    "random_bddl_game",
    "random_connect_game",
    "random_model",
    "random_packing_game",
    "random_walking_game",
]

FIRST = ("black", "white")
HERE = Coordinate(Anchor.PARAMETER)
SIZES = ((3, 1), (2, 2), (3, 2), (2, 3), (1, 4), (3, 3), (4, 2))


def random_bddl_game(rng: random.Random) -> BddlGame:
    """Any model that is not won at the start, as a game."""
    while True:
        try:
            game = BddlGame("random", random_model(rng))
        except UserError:  # both have won
            continue
        if game.start.winner is None and (rng.random() < 0.05 or _lively(game)):
            return game


known = cache(build)  # the rules are read once


def random_connect_game(rng: random.Random) -> Game:
    """Connect-c on a small board, perhaps some moves later."""
    k, width, height = rng.choice(
        [(2, 2, 2), (2, 3, 2), (3, 3, 2), (3, 3, 3), (2, 1, 4), (3, 4, 2)]
    )
    game = known(f"connect(k={k}, width={width}, height={height}, first={rng.choice(FIRST)})")
    for _ in range(rng.randrange(5)):
        if game.start.moves():
            game = game.after([rng.choice(game.start.moves())])
    return game


def random_packing_game(rng: random.Random) -> BddlGame:
    """A game in which moves only fill open cells: mostly Domineering, among obstacles or walls."""
    width, height = rng.choice([(3, 3), (4, 3), (3, 4), (4, 4), (5, 3), (6, 3), (7, 3), (7, 2)])
    wall = rng.randrange(1, width) if width > 5 or rng.random() < 0.3 else None  # a full column
    obstacles = [0, 0]
    for cell in range(width * height):
        if rng.random() < 0.25 or cell % width == wall:
            obstacles[rng.randrange(2)] |= 1 << cell
    dominoes = rng.random() < 0.6

    def lays(player: Player) -> tuple[Action, ...]:
        upright = player is Player.BLACK
        shapes = [{(0, 0), (0, 1) if upright else (1, 0)}]
        if not dominoes:
            shapes = [_polyomino(rng) for _ in range(rng.choice([1, 2]))]
        made = []
        for i, shape in enumerate(shapes):
            cells = [
                (Coordinate(Anchor.PARAMETER, x), Coordinate(Anchor.PARAMETER, y)) for x, y in shape
            ]
            before = [Subcondition(Content.OPEN, *cell) for cell in cells]
            effect = [Subcondition(Content.of(player), *cell) for cell in cells]
            name = f"{player.value[0]}-lay_{i}"
            made.append(Action(name, _condition(before), _condition(effect)))
        return tuple(made)

    actions = lays(Player.BLACK), lays(Player.WHITE)
    first = rng.choice(list(Player))
    black, white = obstacles
    return BddlGame("packing", Model(width, height, actions, ((), ()), black, white, first))


def random_walking_game(rng: random.Random) -> BddlGame:
    """A few pieces on their way to goals: mostly forwards, sometimes in any direction."""
    width, height = rng.choice([(2, 4), (3, 3), (3, 4), (4, 3), (2, 5), (1, 6), (3, 5)])
    forwards = rng.random() < 0.7
    directions = [(x, y) for x in range(-2, 3) for y in range(-2, 3) if 0 < x * x + y * y < 6]

    def walks(player: Player) -> tuple[Action, ...]:
        ahead = -1 if player is Player.BLACK else 1
        steps = [(x, y) for x, y in directions if not forwards or y * ahead > 0]
        near = [step for step in steps if max(map(abs, step)) == 1]
        chosen = rng.sample(rng.choice([near, near, steps]), rng.choice([1, 2, 3, 3]))
        own, made = Content.of(player), []
        for i, (x, y) in enumerate(chosen):
            if abs(x) >= width or abs(y) >= height:
                continue
            there = Coordinate(Anchor.PARAMETER, x), Coordinate(Anchor.PARAMETER, y)
            target = rng.choice(
                [
                    Subcondition(Content.OPEN, *there),
                    Subcondition(own, *there, negated=True),
                    Subcondition(Content.of(player.opponent), *there),
                    Subcondition(own, *there, negated=True),
                ]
            )
            before = [Subcondition(own, HERE, HERE), target]
            if rng.random() < 0.1:
                before.append(_part(rng))
            effect = [Subcondition(Content.OPEN, HERE, HERE), Subcondition(own, *there)]
            made.append(_action(rng, f"{player.value[0]}-walk_{i}", before, effect))
        return tuple(made)

    def goals(player: Player) -> Goals:
        last = Coordinate(Anchor.FIRST if player is Player.BLACK else Anchor.LAST)
        home = Condition((Subcondition(Content.of(player), HERE, last),))
        if rng.random() < 0.7:
            return (home,)
        return tuple(_goal(rng, player, width, height, 0.1) for _ in range(rng.randrange(3)))

    while True:
        black = white = 0
        for cell in rng.sample(range(width * height), rng.choice([2, 3, 4, 5])):
            # Cells go down the columns; Black's pieces come mostly from the bottom.
            below = cell % height >= height / 2
            if below is (rng.random() < 0.8):
                black |= 1 << cell
            else:
                white |= 1 << cell
        actions = walks(Player.BLACK), walks(Player.WHITE)
        ends = goals(Player.BLACK), goals(Player.WHITE)
        model = Model(width, height, actions, ends, black, white, rng.choice(list(Player)))
        try:
            game = BddlGame("walking", model)
        except UserError:  # both have won
            continue
        if game.start.winner is None:
            return game


def _polyomino(rng: random.Random) -> set[tuple[int, int]]:
    cells = {(0, 0)}
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        x, y = rng.choice(sorted(cells))
        step = rng.choice([(1, 0), (-1, 0), (0, 1), (0, -1)])
        if max(abs(x + step[0]), abs(y + step[1])) < 3:
            cells.add((x + step[0], y + step[1]))
    return cells


def _lively(game: BddlGame) -> bool:
    """Whether both players find something to do at first."""
    replies = [game.start.play(move) for move in game.start.moves()]
    return any(position.moves() for position in replies)


def random_model(rng: random.Random, foreign: float = 0.1) -> Model:
    """Any model, sane or not; `foreign` is how likely a goal is about more than own stones."""
    width, height = rng.choice(SIZES)
    stones = [rng.choice("bw...") for _ in range(width * height)]
    black, white = (
        sum(1 << cell for cell, stone in enumerate(stones) if stone == colour) for colour in "bw"
    )
    kinds = rng.choice([[_placement], [_step], [_step, _capture, _anything], [_anything]])

    def actions(player: Player) -> tuple[Action, ...]:
        count = rng.choice([1, 1, 2, 3]) if rng.random() < 0.95 else 0
        return tuple(
            rng.choice(kinds)(rng, f"{player.value[0]}-move_{i}", player) for i in range(count)
        )

    def goals(player: Player) -> Goals:
        count = rng.choice([0, 1, 1, 2, 3])
        return tuple(_goal(rng, player, width, height, foreign) for _ in range(count))

    return Model(
        width,
        height,
        (actions(Player.BLACK), actions(Player.WHITE)),
        (goals(Player.BLACK), goals(Player.WHITE)),
        black,
        white,
        rng.choice([Player.BLACK, Player.BLACK, Player.WHITE]),
    )


def _placement(rng: random.Random, name: str, player: Player) -> Action:
    """A stone on an open cell, under some condition, or several stones at once."""
    before = [Subcondition(Content.OPEN, HERE, HERE)]
    effect = [Subcondition(Content.of(player), HERE, HERE)]
    if rng.random() < 0.3:
        x, y = _shifted(rng), _shifted(rng)
        before.append(Subcondition(Content.OPEN, x, y))
        effect.append(Subcondition(Content.of(player), x, y))
    elif rng.random() < 0.5:
        before.append(_part(rng))
    return _action(rng, name, before, effect)


def _step(rng: random.Random, name: str, player: Player) -> Action:
    """A piece moves to a cell that is not its owner's, and may capture there."""
    own = Content.of(player)
    x, y = _shifted(rng), _shifted(rng)
    target = rng.choice([Subcondition(Content.OPEN, x, y), Subcondition(own, x, y, negated=True)])
    before = [Subcondition(own, HERE, HERE), target]
    effect = [Subcondition(Content.OPEN, HERE, HERE), Subcondition(own, x, y)]
    return _action(rng, name, before, effect)


def _capture(rng: random.Random, name: str, player: Player) -> Action:
    """A piece jumps over another."""
    own, enemy = Content.of(player), Content.of(player.opponent)
    over, there = Coordinate(Anchor.PARAMETER, 1), Coordinate(Anchor.PARAMETER, 2)
    if rng.random() < 0.5:
        over, there = Coordinate(Anchor.PARAMETER, -1), Coordinate(Anchor.PARAMETER, -2)
    cells = [(HERE, HERE), (over, HERE), (there, HERE)]
    if rng.random() < 0.5:
        cells = [(y, x) for x, y in cells]
    contents = zip((own, enemy, Content.OPEN), (Content.OPEN, Content.OPEN, own), strict=True)
    pairs = list(zip(contents, cells, strict=True))
    before = [Subcondition(old, *cell) for (old, _), cell in pairs]
    return _action(rng, name, before, [Subcondition(new, *cell) for (_, new), cell in pairs])


def _anything(rng: random.Random, name: str, player: Player) -> Action:
    before = [_part(rng) for _ in range(rng.randrange(3))]
    effect = [_part(rng, negatable=False) for _ in range(rng.choice([1, 1, 2, 3]))]
    return _action(rng, name, before, effect)


def _action(
    rng: random.Random, name: str, before: list[Subcondition], effect: list[Subcondition]
) -> Action:
    if before and rng.random() < 0.2:
        before = [*before, rng.choice(before)]  # as files in the wild repeat themselves
    return Action(name, _condition(before), _condition(effect))


def _condition(parts: list[Subcondition]) -> Condition:
    """Without contradictions: what is said first of a cell stays."""
    said: dict[tuple[Coordinate, Coordinate], Subcondition] = {}
    kept = [part for part in parts if said.setdefault((part.x, part.y), part) == part]
    return Condition(tuple(kept))


def _goal(rng: random.Random, player: Player, width: int, height: int, foreign: float) -> Condition:
    """Mostly own cells; sometimes anything, which Definition 9 seldom lets pass."""
    own = Content.of(player)
    parts = []
    for _ in range(rng.choice([1, 2, 2, 3])):
        x, y = _coordinate(rng, width), _coordinate(rng, height)
        part = Subcondition(own, x, y)
        if rng.random() < foreign:
            part = Subcondition(rng.choice(list(Content)), x, y, rng.random() < 0.5)
        parts.append(part)
    return _condition(parts)


def _part(rng: random.Random, negatable: bool = True) -> Subcondition:
    x, y = _coordinate(rng), _coordinate(rng)
    return Subcondition(rng.choice(list(Content)), x, y, negatable and rng.random() < 0.3)


def _coordinate(rng: random.Random, last: int | None = None) -> Coordinate:
    """Numbers only where the board is known: in goals."""
    if last is not None and rng.random() < 0.15:
        return Coordinate(Anchor.NUMBER, rng.randint(1, last))
    if rng.random() < 0.2:
        return Coordinate(rng.choice([Anchor.FIRST, Anchor.LAST]))
    return _shifted(rng, 3 if last is None else last)


def _shifted(rng: random.Random, last: int = 3) -> Coordinate:
    """A shift that fits between the first and the last line."""
    shifts = [shift for shift in (0, 0, 0, 1, -1, 1, -1, 2, -2) if abs(shift) < last]
    return Coordinate(Anchor.PARAMETER, rng.choice(shifts))
