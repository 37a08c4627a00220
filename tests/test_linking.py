"""Links: what holds is held to the end, what engine and file say of them, and who follows them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from following import extracted, found, holds_against_everything, searched
from samples import random_links, sample
from skolemate.ask.search import links_of
from skolemate.games import Player, Position
from skolemate.games.family import build
from skolemate.games.goals import Connection
from skolemate.games.symmetry import cells_of, mask_of
from skolemate.search.engine import Engine
from skolemate.strategies import Claim, Node, Report, Strategy, check
from skolemate.strategies.nodes import (
    Link,
    Links,
    Reply,
    VirtualConnection,
    Way,
    repair,
    turned_links,
    virtual_connection,
)

BLACK, WHITE = Player.BLACK, Player.WHITE


def scattered(rng: random.Random, size: int, open_cells: int) -> tuple[int, int]:
    """Random stones of two players on a board of which so many cells stay open."""
    cells = rng.sample(range(size), size)[open_cells:]
    cut = rng.randrange(len(cells) + 1)
    return mask_of(cells[:cut]), mask_of(cells[cut:])


def joins(goal: Connection, own: int, enemy: int, first: bool, plies: int, size: int) -> bool:
    """Whether a player gets from border to border within the plies, by trying everything."""
    if goal.met(own):
        return True
    moves = list(cells_of((1 << size) - 1 & ~(own | enemy)))
    if not plies or not moves:
        return False
    if first:
        return any(joins(goal, own | 1 << m, enemy, False, plies - 1, size) for m in moves)
    return all(joins(goal, own, enemy | 1 << m, True, plies - 1, size) for m in moves)


def follow(goal: Connection, own: int, enemy: int, links: Links, rng: random.Random) -> None:
    """Play whole links out against random moves, most of them intrusions: they stay whole."""
    board = (1 << len(goal.neighbours)) - 1
    found = virtual_connection(goal, own, enemy, links, every_way=True)
    assert found is not None
    plies = found.carrier.bit_count()
    while not goal.met(own):
        assert plies > 1
        near = board & ~(own | enemy)
        if rng.random() < 0.8:
            near = mask_of(c for link in links for way in link.ways for c in way.cells) & near
        enemy |= 1 << rng.choice(list(cells_of(near)))
        answer = repair(goal, own, enemy, links)
        assert answer is not None
        assert answer[0] <= plies - 2
        plies, own = plies - 2, own | 1 << answer[1]


def test_links_that_hold_join_the_borders() -> None:
    """Whatever somebody writes down: what is said to hold does, and within so many plies."""
    rng, game = random.Random(3), build("hex(size=3)")
    goal, size = game.goal(BLACK), game.board.size
    assert isinstance(goal, Connection)
    tally: Counter[str] = Counter()
    for _ in range(sample(60_000)):
        own, enemy = scattered(rng, size, rng.randrange(1, 8))
        links = random_links(rng, size)
        found = virtual_connection(goal, own, enemy, links)
        kind = "lost" if found is None else "whole" if found.full else "half"
        tally[kind] += 1
        if found is None or tally[kind] > sample(1500):
            continue
        assert not found.carrier & (own | enemy)
        plies = found.carrier.bit_count()
        assert joins(goal, own, enemy, not found.full, plies, size), (own, enemy, links)
        if found.full and virtual_connection(goal, own, enemy, links, every_way=True) is not None:
            tally["followed"] += 1
            follow(goal, own, enemy, links, rng)
    assert min(tally.values()) > sample(1000), tally


def test_every_way_keeps_off_other_links() -> None:
    """Of two ways to X the shorter counts; but once the other is shorter, it meets the bridge."""
    x, s, t, a, b, c, d, i, k, j = range(10)
    near = {s: [a, b, x], t: [c, i, k, j], x: [c, d, k, j, s]}
    neighbours = [
        sorted({*near.get(cell, []), *(other for other in near if cell in near[other])})
        for cell in range(10)
    ]
    path = Connection.of(neighbours, start=mask_of((a, b, c, i)), end=mask_of((c, d)))

    def bridge(left: int | None, right: int | None, *cells: int) -> Link:
        return Link(left, right, tuple(Way((cell,), (None, None)) for cell in cells))

    bridges = (
        bridge(None, s, a, b),
        bridge(None, t, c, i),
        bridge(t, x, k, j),
        bridge(x, None, c, d),
    )
    ways = Way((s,), (0, None)), Way((t,), (1, 2))
    last = Link(None, None, (Way((x,), (4, 3)),))
    own = mask_of((x, s, t))
    for number, holds in ((1, True), (2, False)):
        links = (*bridges, Link(None, x, ways[:number]), last)
        assert virtual_connection(path, own, 0, links) == VirtualConnection(
            mask_of((a, b, c, d)), True
        )
        assert (virtual_connection(path, own, 0, links, every_way=True) is not None) is holds


@pytest.mark.parametrize("player", Player)
def test_the_engines_links_hold(player: Player) -> None:
    """For both players, whoever the engine asks for: they have won, as trying everything tells."""
    rng, game = random.Random(5), build("hex(size=4)")
    goal, size = game.goal(player), game.board.size
    assert isinstance(goal, Connection)
    engines = [Engine(game, asker) for asker in Player]
    found_some, longest = 0, 0
    for _ in range(sample(400)):
        own, enemy = scattered(rng, size, rng.randrange(4, 13))
        black, white = (own, enemy) if player is BLACK else (enemy, own)
        position = Position(game, black, white, player.opponent)
        if position.winner is not None:
            continue
        links = [engine.links(position, player, size) for engine in engines]
        assert links[0] == links[1]
        if not links[0]:
            continue
        found_some += 1
        told = links_of(links[0])
        held = virtual_connection(goal, own, enemy, told, every_way=True)
        assert held is not None
        assert held.full
        assert joins(goal, own, enemy, False, held.carrier.bit_count(), size)
        assert not engines[0].links(position, player, 1)
        follow(goal, own, enemy, told, rng)
        longest = max(longest, len(told))
    assert found_some > sample(40)
    assert longest > 6


def test_turned_links_hold_where_they_are_turned_to() -> None:
    game = build("hex(size=4)")
    goal = game.goal(BLACK)
    assert isinstance(goal, Connection)
    turn = next(t for t in game.symmetries if t != tuple(range(16)))
    start = game.start.play(game.board.cell("b3"))
    links = links_of(Engine(game, BLACK).links(start, BLACK, 16))
    held = virtual_connection(goal, start.black, 0, links)
    assert held is not None
    own = mask_of(turn[cell] for cell in cells_of(start.black))
    carrier = mask_of(turn[cell] for cell in cells_of(held.carrier))
    assert own != start.black
    assert virtual_connection(goal, own, 0, turned_links(goal, links, turn)) == VirtualConnection(
        carrier, True
    )
    unturned = virtual_connection(goal, own, 0, links)
    assert unturned is None or not unturned.full
    assert turned_links(goal, turned_links(goal, links, turn), turn) == links


# --- in strategies -------------------------------------------------------------------------------

HEX = build("hex(size=3)")
B1, C1, B2, A3, B3 = map(HEX.board.cell, ("b1", "c1", "b2", "a3", "b3"))
BRIDGES = (
    Link(None, B2, (Way((B1,), (None, None)), Way((C1,), (None, None)))),
    Link(B2, None, (Way((A3,), (None, None)), Way((B3,), (None, None)))),
    Link(None, None, (Way((B2,), (0, 1)),)),
)
LINKED = Node(HEX.start.play(B2), 4, links=BRIDGES)
START = Node(HEX.start, 5, B2)


def judged(*nodes: Node, depth: int = 5, player: Player = BLACK, wins: bool = True) -> Report:
    return check(Claim(HEX, player, depth, wins), nodes)


def test_links_prove_a_win_and_that_there_is_none() -> None:
    assert judged(LINKED, START) == found(True, 2)
    report = judged(LINKED._replace(left=3), START)
    assert report.reason == "the links take more plies than are left"
    counter = judged(LINKED, START._replace(left=4), depth=4, player=WHITE, wins=False)
    assert counter == found(True, 2, every_depth=True)
    # Such a node stands for others.
    assert Strategy(Claim(HEX, BLACK, 5, True), [LINKED, START]).statistics()["linkings"] == 1
    assert LINKED.covers


@pytest.mark.parametrize(
    "links",
    [
        BRIDGES[:2],  # the last is not of the borders
        (BRIDGES[0]._replace(ways=BRIDGES[0].ways[:1]), *BRIDGES[1:]),  # half a bridge
        (BRIDGES[1], BRIDGES[0], BRIDGES[2]),  # links of other points
        (*BRIDGES[:2], Link(None, None, (Way((B2,), (0, 2)),))),  # one that rests on itself
        (*BRIDGES[:2], Link(None, None, (Way((B2,), (0, None)),))),  # b2 is on no border
        (*BRIDGES[:2], Link(None, None, (Way((B2, B2), (0, None, 1)),))),  # nor beside itself
        (BRIDGES[0]._replace(ways=(*BRIDGES[0].ways, Way((B3,), (None, None)))), *BRIDGES[1:]),
        (Link(None, None, ()),),
    ],
)
def test_links_that_do_not_hold_are_refused(links: Links) -> None:
    report = judged(LINKED._replace(links=links), START)
    assert (report.holds, report.nodes) == (False, 1)
    assert report.reason == "not all ways of the links hold, or they do not join Black's borders"


def test_a_node_says_one_thing() -> None:
    """Otherwise what is followed might not be what was checked."""
    moved, replied = LINKED._replace(move=B1), LINKED._replace(replies=(Reply(B1),))
    for node in (moved, replied, LINKED._replace(pairs=())):
        report = judged(node, START)
        assert report.reason == "a node has a move, or pairs, replies or links, and no two of them"


def test_a_slow_node_does_not_mislead() -> None:
    """A node that takes longer than there is time is true, and of no use where links win sooner."""
    a1 = HEX.board.cell("a1")
    below = extracted(build("hex(size=3, moves=b2 b1 a1)"), BLACK, 4)
    nodes = [node._replace(position=node.position._replace(game=HEX)) for node in below.nodes]
    slow = Node(HEX.start.play(B2).play(B1), 5, a1)
    strategy = Strategy(Claim(HEX, BLACK, 5, True), [*nodes, slow, LINKED, START])
    assert strategy.check().holds
    assert strategy.node(slow.position) == slow
    assert strategy.move(slow.position) == C1
    holds_against_everything(strategy)


def test_a_way_has_one_gap_more_than_cells() -> None:
    with pytest.raises(ValueError, match="argument"):
        judged(LINKED._replace(links=(BRIDGES[0], Link(None, None, (Way((B2,), (0,)),)))), START)


def test_links_belong_on_the_opponents_turn_in_games_of_paths() -> None:
    report = judged(Node(HEX.start, 5, links=BRIDGES))
    assert report.reason == "a reply belongs where Black is to move, and only there"
    squares = build("tictactoe")
    node = Node(squares.start.play(4), 8, links=(Link(None, None, (Way((4,), (None, None)),)),))
    report = check(Claim(squares, BLACK, 9, True), [node])
    assert report.reason == "not all ways of the links hold, or they do not join Black's borders"


@pytest.mark.parametrize("name", ["hein(2)", "hein(8)", "hein(10)", "hein(16)"])
def test_links_shorten_proofs(name: str, tmp_path: Path) -> None:
    """The same claims with links and without; and the file says the same again."""
    game = build(name)
    linked, plain = (searched(game, BLACK, game.horizon or 0, links=yes) for yes in (True, False))
    file = str(tmp_path / "strategy")
    linked.save(file)
    assert list(Strategy.load(file).nodes) == list(linked.nodes)
    assert linked.claim == plain.claim
    assert linked.statistics()["linkings"] > 0
    assert plain.statistics()["linkings"] == 0
    assert linked.size < plain.size


@pytest.mark.parametrize(
    ("name", "player", "depth"),
    [
        ("hex(size=4, moves=b3)", BLACK, 12),
        ("hex(size=4, moves=b3)", WHITE, 15),
        ("hein(6)", BLACK, 13),
        ("hein(7)", WHITE, 10),
        ("hein(12)", BLACK, 9),
        ("hein(16)", BLACK, 13),
    ],
)
def test_linked_strategies_are_followed_to_the_end(name: str, player: Player, depth: int) -> None:
    strategy = searched(build(name), player, depth)
    assert strategy.statistics()["linkings"] > 0
    assert strategy.check().holds
    met = holds_against_everything(strategy)
    assert met > strategy.size


def test_a_way_between_far_fights_needs_no_more_nodes() -> None:
    """Hein's 18: White holds two fights at once, each of which multiplies the other's positions."""
    game = build("hein(18)")
    strategy = searched(game, BLACK, game.horizon or 0)
    assert strategy.claim.verdict == "NO_WIN"
    assert strategy.size == 1
    assert strategy.check() == found(True, 1, every_depth=True)
    rng = random.Random(7)
    for _ in range(sample(200)):
        position = game.start
        while position.winner is None:
            move = strategy.move(position)
            position = position.play(rng.choice(position.moves()) if move is None else move)
        assert position.winner is WHITE


def test_links_prove_no_quicker_win_than_they_make() -> None:
    """Search knows a win within 20 plies; the links that win within 24 do not prove it."""
    strategy = searched(build("hein(18)"), WHITE, 24)
    assert strategy.size == 1
    claim = replace(strategy.claim, depth=22)
    assert not check(claim, strategy.nodes).holds
    shorter = check(claim, [strategy.nodes[0]._replace(left=22)])
    assert shorter.reason == "the links take more plies than are left"
