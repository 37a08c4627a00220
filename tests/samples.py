"""Games to test with, one small game of every kind and random ones; and how many of them."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TypeVar

from skolemate.errors import UserError
from skolemate.games import Game, Graph, Grid, Player, Position, PositionalGame, Sets, Stuck
from skolemate.games.family import build
from skolemate.games.game import turns, with_argument
from skolemate.games.goals import Connection, Shape, polyominoes
from skolemate.games.symmetry import move_mask
from skolemate.strategies.nodes import Link, Links, Way

# `make test` looks at a part of every random sample, `make test-all` at the whole.
FULL = {"": False, "full": True}[os.environ.get("SKOLEMATE_SAMPLES", "")]
SHARE = 4  # the part is a fourth

Case = TypeVar("Case")


def sample(cases: int) -> int:
    """How many random cases a test looks at, out of so many in `make test-all`."""
    return cases if FULL else -(-cases // SHARE)


def part(cases: Sequence[Case], turn: int) -> Sequence[Case]:
    """The cases whose turn it is: after SHARE turns each has had one. `make test-all` has all."""
    return cases if FULL else cases[turn % SHARE :: SHARE]


# Every family, board, goal and schedule, small enough for the oracle.
SMALL = [
    "tictactoe",
    "tictactoe(maker_breaker=true)",
    "mnk(m=4, n=3, k=3)",
    "mnk(m=3, n=3, k=3, black=a1, white=b2 c3, first=white)",
    "gomoku(size=5, black=a1 b2 c3 d4 a2 a3 a4 e1, white=b1 b3 b4 c1 c2 d1 d2 e2)",
    "harary(shape=el, width=3, height=3)",
    "harary(shape=tippy, width=3, height=3, torus=true)",
    "harary(shape=elly, width=4, height=3, maker_breaker=true)",
    "gttt(p=2, q=1, shape=tic, width=3, height=3)",
    "gttt(p=2, q=2, shape=el, width=3, height=3, torus=true)",
    "connect6(size=6, black=a1 b1 c1 d1, white=a2 b2 c2 d2)",
    "qubic(size=2)",
    "tictactoe(misere=true)",
    "tictactoe(misere=true, maker_breaker=true)",
    "hex(size=3, misere=true)",
    "sim(n=4)",
    "clique(n=4, k=3, maker_breaker=true)",
    "vdw(n=7, k=3)",
    "cube(n=2, d=3, misere=true)",
    "plane(q=3)",
    "plane(q=2, kind=projective, misere=true)",
    "qubic(size=3, black=a1.1 b2.1 c1.2, white=a2.2 c3.3)",
    "hex(size=3)",
    "hex(size=3, first=white)",
    "hex(width=3, height=2)",
    "hex(board=.../.#./...)",
    "mnk(k=3, board=...#/..../#X..)",
    "harary(shape=el tic, board=.#./.../.#.)",
    "domination(width=3, height=2)",
    "hein(4)",
    "hein(9)",
    "browne(moves=b5 a5 a4)",
    "random_hypergraph(cells=6, sets=7, size=3, seed=2)",
    "random_harary(cells=3, width=3, height=2, seed=1)",
    "connect(k=3, width=4, height=3)",
    "connect(k=2, width=3, height=2, misere=true)",
    "notakto(k=3, width=3, height=2)",
    "breakthrough(width=2, height=5)",
    "knightthrough(width=3, height=4, black=a4 b3, white=c1 b2, first=white)",
    "evader_pursuer(size=3, x=1, y=2)",
    "evader_pursuer(size=4, x=2, y=3, dual=true)",
    "domineering(width=4, height=3)",
    "clobber(width=3, height=3)",
    "col(width=3, height=3)",
    "snort(width=3, height=2)",
    "konane(width=4, height=3)",
    "cross_purpose(width=4, height=4)",
]


def random_position(game: Game, rng: random.Random) -> Position:
    """A position some random moves into the game, often near its end."""
    position = game.start
    for _ in range(rng.randrange(game.board.size + 1)):
        moves = position.moves()
        if not moves:
            break
        position = position.play(rng.choice(moves))
    return position


def random_schedule(rng: random.Random, cells: int) -> tuple[Player, ...]:
    """Regular turns of one to three stones, or any order at all; either player begins."""
    if rng.random() < 0.3:
        return tuple(rng.choice(list(Player)) for _ in range(rng.randrange(1, cells + 1)))
    stones = [1, 1, 1, 2, 3]
    return turns(cells, rng.choice(stones), rng.choice(stones), rng.choice(list(Player)))


def random_hypergraph_game(rng: random.Random, cells: int = 6) -> PositionalGame:
    """Random sets, schedule and stones: Maker-Maker or Maker-Breaker.

    Sometimes the sets are closed under a rotation of the cells, so that there are symmetries.
    """
    names = [f"v{i}" for i in range(cells)]
    cycle = [(names[i], names[(i + 1) % cells]) for i in range(cells) if cells > 2]
    rotation = tuple((i + 1) % cells for i in range(cells))
    symmetric = rng.random() < 0.3
    board = Graph.of(names, cycle if symmetric else [])
    has_black, has_white = rng.choice([(True, True), (True, True), (True, False), (False, True)])

    def sets() -> Sets:
        found = {
            sum(
                1 << v for v in rng.sample(range(cells), min(cells, rng.choice([1, 2, 2, 3, 3, 4])))
            )
            for _ in range(rng.randrange(1, 7))
        }
        for _ in range(cells if symmetric else 0):
            found |= {move_mask(rotation, winning) for winning in found}
        return Sets.of(found)

    while True:
        shared = sets()
        marks = [rng.choice("bw....") for _ in range(cells)]
        if symmetric and rng.random() < 0.7:
            marks = ["."] * cells
        black, white = (sum(1 << v for v in range(cells) if marks[v] == colour) for colour in "bw")
        black_goal = shared if has_black else None
        white_goal = (shared if rng.random() < 0.5 else sets()) if has_white else None
        won = [
            goal is not None and goal.met(own)
            for goal, own in [(black_goal, black), (white_goal, white)]
        ]
        if not any(won):
            break
    schedule = random_schedule(rng, cells)
    return PositionalGame("random", board, black_goal, white_goal, schedule, black, white)


def random_misere_game(rng: random.Random, cells: int = 6) -> PositionalGame:
    """Random sets that lose for who completes them, or an Avoider-Enforcer game; mostly the
    players alternate.
    """
    while True:
        game = random_hypergraph_game(rng, cells)
        if rng.random() < 0.8:
            game = replace(game, schedule=turns(cells, first=rng.choice(list(Player))))
        try:
            return replace(game, misere=True)
        except UserError:  # both have lost
            continue


def random_graph_game(rng: random.Random, cells: int = 6) -> PositionalGame:
    """Maker-Breaker on a random graph: Black joins two random borders."""
    names = [f"v{i}" for i in range(cells)]
    edges = [(a, b) for a in names for b in names if a < b and rng.random() < 0.4]
    board = Graph.of(names, edges)
    start, end = (rng.randrange(1, 1 << cells) & rng.randrange(1 << cells) for _ in range(2))
    goal = Connection.of(board.neighbours, start, end)
    taken = rng.sample(range(cells), min(cells, 2))
    black, white = 1 << taken[0], 1 << taken[1] if cells > 1 else 0
    first = rng.choice(list(Player))
    return PositionalGame("random", board, goal, None, turns(cells, first=first), black, white)


SHAPES = ["elam 2 1", "domino 3 2", "el 3 2", "tic 3 2", "el 3 3", "tic 3 3", "elly 3 3"]


def random_drawn_game(rng: random.Random) -> Game:
    """Lines, polyominoes, Hex or domination on a small board with holes and stones."""
    family = rng.choice(
        [
            *(f"mnk(k={rng.choice([2, 3, 3])})", f"harary(shape={rng.choice(DRAWN)})"),
            *("hex", "hex(misere=true)", "domination"),
        ]
    )
    while True:
        width, height = rng.choice([(2, 2), (3, 2), (2, 3), (4, 2), (3, 3)])
        symbols = rng.choices(".#XO", weights=[5, 2, 1, 1], k=width * height)
        rows = ["".join(symbols[y * width : (y + 1) * width]) for y in range(height)]
        name = with_argument(family, f"board={'/'.join(rows)}")
        name = with_argument(name, f"first={rng.choice(['black', 'white'])}")
        if family.startswith("harary"):
            name = with_argument(name, f"maker_breaker={rng.random() < 0.3}")
        try:
            game = build(name)
        except UserError:  # no line fits, or both have won
            continue
        if symbols.count(".") <= 6:
            return game


DRAWN = ["domino", "el", "tic", "el tic", "elly tic"]


def random_weak_shape_game(rng: random.Random) -> Game:
    """Maker-Breaker on a small board or torus with stones: Black builds a polyomino."""
    shape, width, height = rng.choice([*SHAPES, "knobby 3 3", "tippy 4 2"]).split()
    torus = rng.choice(["false", "true"])
    rules = f"shape={shape}, width={width}, height={height}, torus={torus}, maker_breaker=true"
    game = build(f"harary({rules})")
    names = rng.sample(game.board.names, game.board.size)
    black, placed = rng.randrange(3), rng.randint(max(2, game.board.size - 6), 5)
    stones = " ".join(names[:black]), " ".join(names[black:placed])
    return game.set_up(*stones, rng.choice(list(Player)))


@cache
def shapes_on(board: Grid) -> list[Shape]:
    """The polyominoes of two to four cells that fit, the trominoes twice."""
    return [s for n in (2, 3, 3, 4) for s in polyominoes(n) if s.placements(board)]


def random_shape_game(rng: random.Random) -> Game:
    """GTTT(p,q) on a board of a few cells, perhaps some moves later."""
    width, height = rng.choice([(2, 2), (2, 2), (3, 1), (4, 1), (5, 1), (3, 2)])
    torus, weak = rng.random() < 0.3, rng.random() < 0.2
    board = Grid(width, height, torus)
    shapes = shapes_on(board)
    p, q = rng.choice([(1, 1), (1, 1), (1, 2), (2, 1), (2, 2)])
    game = build(
        f"gttt(p={p}, q={q}, shape={rng.choice(shapes)}, width={width}, height={height}, "
        f"torus={torus}, maker_breaker={weak})"
    )
    position, moves = game.start, []
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        if not position.moves():
            break
        moves.append(rng.choice(position.moves()))
        position = position.play(moves[-1])
    return game.after(moves)


def wins_by_definition(position: Position, player: Player, depth: int) -> bool:
    """The definitions read once more, without memory and without a class."""
    if position.winner is not None:
        return position.winner is player
    if not position.moves():
        loses = position.game.stuck(position) is Stuck.LOSES
        return depth >= 1 and loses and position.to_move is player.opponent
    if depth == 0:
        return False
    following = (position.play(move) for move in position.moves())
    outcomes = [wins_by_definition(after, player, depth - 1) for after in following]
    return any(outcomes) if position.to_move is player else all(outcomes)


def random_links(rng: random.Random, size: int) -> Links:
    """Links as anybody might write them: many are nonsense, some hold."""
    links: list[Link] = []
    points = [*range(size), None, None, None]
    for number in range(rng.randrange(1, 9)):
        left, right = rng.choice(points), rng.choice(points)
        ways = []
        for _ in range(rng.randrange(1, 4)):
            cells = tuple(rng.choice(range(size)) for _ in range(rng.choice([0, 1, 1, 1, 2])))
            ends = left, *cells, right
            gaps = []
            for pair in pairwise(ends):
                known = [n for n in range(number) if links[n][:2] == pair]
                gaps.append(rng.choice([None, *known, *known]))
            ways.append(Way(cells, tuple(gaps)))
        links.append(Link(left, right, tuple(ways)))
    last = [n for n in range(len(links)) if links[n][:2] == (None, None)]
    return tuple(links[: last[-1] + 1]) if last else tuple(links)
