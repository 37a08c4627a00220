"""Strategies with one thing wrong: the checker takes none that loses, and says where it fails."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from following import extracted, holds_against_everything, searched
from skolemate.games import Player
from skolemate.games.family import build
from skolemate.games.symmetry import cells_of
from skolemate.search.reference import Reference
from skolemate.strategies import Node, Strategy, check_file
from skolemate.strategies.claim import packed
from skolemate.strategies.nodes import Way

BLACK, WHITE = Player.BLACK, Player.WHITE

# Game, who asks, depth, folded: wins and refutations, with pairs and symmetries among them.
SOUND: list[tuple[str, Player, int, bool | None]] = [
    ("hein(4)", BLACK, 5, False),
    ("hein(9)", BLACK, 7, False),
    ("hex(size=3)", BLACK, 5, True),
    ("hein(9)", WHITE, 6, False),
    ("tictactoe", BLACK, 9, False),
    ("tictactoe", BLACK, 9, True),
    ("tictactoe(maker_breaker=true)", BLACK, 7, True),
    ("harary(shape=tippy, width=3, height=3, torus=true)", BLACK, 7, True),
    ("harary(shape=elly, width=4, height=3, maker_breaker=true)", BLACK, 7, False),
    ("mnk(m=4, n=3, k=3)", BLACK, 7, True),
    ("harary(shape=elly, width=4, height=4)", BLACK, 7, True),
    ("harary(shape=elly, width=4, height=4, maker_breaker=true)", BLACK, 7, True),
    ("mnk(m=5, n=3, k=3)", BLACK, 7, True),
    ("gttt(p=2, q=1, shape=tic, width=3, height=3)", BLACK, 9, False),
    ("tictactoe(misere=true, moves=b2 a1)", BLACK, 7, True),
    ("hex(size=3, misere=true, moves=b2)", WHITE, 8, False),
    ("tictactoe(misere=true, maker_breaker=true, moves=b2 a1)", BLACK, 7, True),
    ("connect(k=3, width=4, height=3)", BLACK, 9, False),
    ("connect(k=3, width=4, height=3)", BLACK, 7, False),
    ("breakthrough(width=2, height=5)", WHITE, 10, False),
    ("breakthrough(width=2, height=5)", BLACK, 7, False),
    ("domineering(width=4, height=3)", WHITE, 7, True),
    ("evader_pursuer(size=4, x=2, y=3, dual=true)", WHITE, 9, False),
    ("hein(7)", BLACK, 9, None),  # by the engine, with its links
]


def sound(name: str, player: Player, depth: int, fold: bool | None) -> Strategy:
    if fold is None:
        return searched(build(name), player, depth)
    return extracted(build(name), player, depth, fold=fold)


Mutation = Callable[[Strategy, random.Random], Strategy | None]


def changed(strategy: Strategy, place: int, *nodes: Node) -> Strategy:
    """The strategy with one node replaced by others."""
    listed = list(strategy.nodes)
    listed[place : place + 1] = nodes
    return Strategy(strategy.claim, listed, strategy.symmetries)


def some(strategy: Strategy, rng: random.Random, fits: Callable[[Node], bool]) -> int | None:
    """The place of a random node that fits."""
    places = [place for place, node in enumerate(strategy.nodes) if fits(node)]
    return rng.choice(places) if places else None


def reply_line_missing(strategy: Strategy, rng: random.Random) -> Strategy | None:
    place = some(strategy, rng, lambda node: node.move is not None)
    return None if place is None else changed(strategy, place)


def opponents_line_missing(strategy: Strategy, rng: random.Random) -> Strategy | None:
    place = some(strategy, rng, lambda node: node.move is None)
    return None if place is None else changed(strategy, place)


def reply_forgotten(strategy: Strategy, rng: random.Random) -> Strategy | None:
    place = some(strategy, rng, lambda node: node.move is not None)
    return (
        None
        if place is None
        else changed(strategy, place, strategy.nodes[place]._replace(move=None))
    )


def another_legal_reply(strategy: Strategy, rng: random.Random) -> Strategy | None:
    place = some(
        strategy, rng, lambda node: node.move is not None and len(node.position.moves()) > 1
    )
    if place is None:
        return None
    node = strategy.nodes[place]
    others = [move for move in node.position.moves() if move != node.move]
    return changed(strategy, place, node._replace(move=rng.choice(others), via={}))


def an_illegal_reply(strategy: Strategy, rng: random.Random) -> Strategy | None:
    place = some(strategy, rng, lambda node: node.move is not None)
    if place is None:
        return None
    node = strategy.nodes[place]
    legal = set(node.position.moves())
    illegal = [move for move in range(strategy.game.board.size) if move not in legal]
    return changed(strategy, place, node._replace(move=rng.choice(illegal))) if illegal else None


def a_reply_on_the_opponents_turn(strategy: Strategy, rng: random.Random) -> Strategy | None:
    place = some(strategy, rng, lambda node: node.move is None and node.pairs is None)
    if place is None:
        return None
    node = strategy.nodes[place]
    move = rng.choice(node.position.moves() or [0])
    return changed(strategy, place, node._replace(move=move, replies=()))


def plies_miscounted(strategy: Strategy, rng: random.Random) -> Strategy | None:
    place = some(strategy, rng, lambda node: True)
    if place is None:
        return None
    node = strategy.nodes[place]
    return changed(strategy, place, node._replace(left=max(0, node.left + rng.choice([-2, -1, 1]))))


def before_its_children(strategy: Strategy, rng: random.Random) -> Strategy | None:
    place = some(strategy, rng, lambda node: node.left > 2)
    if place is None:
        return None
    nodes = list(strategy.nodes)
    nodes.insert(0, nodes.pop(place))
    return Strategy(strategy.claim, nodes, strategy.symmetries)


def a_stone_more_or_less(strategy: Strategy, rng: random.Random) -> Strategy | None:
    place = some(strategy, rng, lambda node: True)
    if place is None:
        return None
    node = strategy.nodes[place]
    stone = 1 << rng.randrange(strategy.game.board.size)
    black, white = node.position.black ^ stone, node.position.white & ~stone
    return changed(
        strategy, place, node._replace(position=node.position._replace(black=black, white=white))
    )


def the_other_player_to_move(strategy: Strategy, rng: random.Random) -> Strategy | None:
    place = some(strategy, rng, lambda node: True)
    if place is None:
        return None
    node = strategy.nodes[place]
    turn = BLACK if node.position.to_move is WHITE else WHITE
    return changed(strategy, place, node._replace(position=node.position._replace(to_move=turn)))


def a_pair_broken(strategy: Strategy, rng: random.Random) -> Strategy | None:
    place = some(strategy, rng, lambda node: bool(node.pairs))
    if place is None:
        return None
    node = strategy.nodes[place]
    pairs = [list(pair) for pair in node.pairs or ()]
    which = rng.randrange(len(pairs))
    if rng.random() < 0.4:
        del pairs[which]
    else:
        pairs[which][rng.randrange(2)] = rng.randrange(strategy.game.board.size)
    return changed(strategy, place, node._replace(pairs=tuple((a, b) for a, b in pairs)))


def pairs_instead_of_work(strategy: Strategy, rng: random.Random) -> Strategy | None:
    place = some(strategy, rng, lambda node: node.pairs is None and node.left > 1)
    if place is None:
        return None
    node = strategy.nodes[place]
    taken = node.position.occupied
    cells = [cell for cell in range(strategy.game.board.size) if not taken >> cell & 1]
    rng.shuffle(cells)
    pairs = tuple(zip(cells[::2], cells[1::2], strict=False))
    return changed(strategy, place, node._replace(move=None, via={}, replies=(), pairs=pairs))


def a_link_broken(strategy: Strategy, rng: random.Random) -> Strategy | None:
    """A way left out, or through another cell, by another link, or between other points."""
    place = some(strategy, rng, lambda node: bool(node.links))
    if place is None:
        return None
    links, cells = list(strategy.nodes[place].links), range(strategy.game.board.size)
    which = rng.randrange(len(links))
    ways = list(links[which].ways)
    way = rng.randrange(len(ways))
    gap = rng.choice([None, *range(which)])
    steps, gaps = ways[0]
    links[which] = rng.choice(
        [
            links[which]._replace(left=rng.choice(cells)),
            links[which]._replace(ways=tuple(ways[:way] + ways[way + 1 :])),
            links[which]._replace(ways=(Way((rng.choice(cells),), gaps), *ways[1:])),
            links[which]._replace(ways=(Way(steps, (gap, *gaps[1:])), *ways[1:])),
        ]
    )
    return changed(strategy, place, strategy.nodes[place]._replace(links=tuple(links)))


def a_false_automorphism(strategy: Strategy, rng: random.Random) -> Strategy | None:
    if not strategy.symmetries:
        return None
    symmetries = list(strategy.symmetries)
    which = rng.randrange(len(symmetries))
    turn = list(symmetries[which])
    a, b = rng.sample(range(len(turn)), 2)
    turn[a], turn[b] = turn[b], turn[a]
    symmetries[which] = tuple(turn)
    return Strategy(strategy.claim, strategy.nodes, symmetries)


def a_map_changed(strategy: Strategy, rng: random.Random) -> Strategy | None:
    """A cell goes nowhere, or elsewhere; or all go to the next cell, some across the edge."""
    maps = list(strategy.symmetries)
    partial = [number for number, where in enumerate(maps) if None in where]
    if not partial:
        return None
    which, size = rng.choice(partial), strategy.game.board.size
    where = maps[which]
    step = rng.choice([1, size - 1])
    cell = rng.choice([cell for cell, image in enumerate(where) if image is not None])
    maps[which] = rng.choice(
        [
            (*where[:cell], None, *where[cell + 1 :]),
            (*where[:cell], rng.randrange(size), *where[cell + 1 :]),
            tuple(None if image is None else (image + step) % size for image in where),
        ]
    )
    return Strategy(strategy.claim, strategy.nodes, maps)


def another_automorphism(strategy: Strategy, rng: random.Random) -> Strategy | None:
    place = some(strategy, rng, lambda node: bool(node.via))
    if place is None:
        return None
    node = strategy.nodes[place]
    via = dict(node.via)
    via[rng.choice(list(via))] = rng.randrange(len(strategy.symmetries) + 2)
    return changed(strategy, place, node._replace(via=via))


def a_reply_left_out(strategy: Strategy, rng: random.Random) -> Strategy | None:
    place = some(strategy, rng, lambda node: len(node.replies) > 1)
    if place is None:
        return None
    replies = list(strategy.nodes[place].replies)
    del replies[rng.randrange(len(replies))]
    return changed(strategy, place, strategy.nodes[place]._replace(replies=tuple(replies)))


def a_reply_changed(strategy: Strategy, rng: random.Random) -> Strategy | None:
    """Another move, another node behind it, none at all, or another symmetry."""
    place = some(strategy, rng, lambda node: bool(node.replies))
    if place is None:
        return None
    replies = list(strategy.nodes[place].replies)
    which = rng.randrange(len(replies))
    replies[which] = rng.choice(
        [
            replies[which]._replace(move=rng.randrange(strategy.game.board.size)),
            replies[which]._replace(node=rng.randrange(strategy.size)),
            replies[which]._replace(node=None, via=None),
            replies[which]._replace(via=rng.randrange(len(strategy.symmetries) + 1)),
        ]
    )
    return changed(strategy, place, strategy.nodes[place]._replace(replies=tuple(replies)))


def a_zone_changed(strategy: Strategy, rng: random.Random) -> Strategy | None:
    """A stone of the opponent's made blank or the other way round; or other moves omitted."""
    place = some(strategy, rng, lambda node: bool(node.blank))
    if place is None:
        return None
    node = strategy.nodes[place]
    if rng.random() < 0.4:
        return changed(strategy, place, node._replace(blank=node.blank ^ 1 << _white(node, rng)))
    if rng.random() < 0.5:  # a cell of the zone is said to be of no matter
        cell = rng.randrange(strategy.game.board.size)
        white = node.position.white | 1 << cell
        position = node.position._replace(white=white, black=node.position.black & ~(1 << cell))
        return changed(strategy, place, node._replace(position=position, blank=white))
    replies = list(node.replies)
    which = rng.randrange(len(replies))
    omits = rng.choice([0, rng.getrandbits(strategy.game.board.size)])
    replies[which] = replies[which]._replace(omits=omits)
    return changed(strategy, place, node._replace(replies=tuple(replies)))


def _white(node: Node, rng: random.Random) -> int:
    return rng.choice(list(cells_of(node.position.white)))


def a_bolder_claim(strategy: Strategy, rng: random.Random) -> Strategy | None:
    claim = strategy.claim
    bolder = rng.choice(
        [
            replace(claim, depth=max(0, claim.depth + (-1 if claim.wins else 1))),
            replace(claim, wins=not claim.wins),
            replace(claim, player=claim.player.opponent),
        ]
    )
    return Strategy(bolder, strategy.nodes, strategy.symmetries)


MUTATIONS: list[Mutation] = [
    reply_line_missing,
    opponents_line_missing,
    reply_forgotten,
    another_legal_reply,
    an_illegal_reply,
    a_reply_on_the_opponents_turn,
    plies_miscounted,
    before_its_children,
    a_stone_more_or_less,
    the_other_player_to_move,
    a_pair_broken,
    a_link_broken,
    pairs_instead_of_work,
    a_false_automorphism,
    a_map_changed,
    another_automorphism,
    a_reply_left_out,
    a_reply_changed,
    a_zone_changed,
    a_bolder_claim,
]
EACH = 8  # of every kind of mistake in every strategy
LEAST = 75  # for each of 17 strategies: over a thousand


@pytest.mark.parametrize(("name", "player", "depth", "fold"), SOUND)
def test_no_mutant_that_loses_is_accepted(
    name: str, player: Player, depth: int, fold: bool | None
) -> None:
    strategy = sound(name, player, depth, fold)
    rng = random.Random(f"{name} {player} {depth} {fold}")
    tally: Counter[str] = Counter()
    for mutation in MUTATIONS:
        for _ in range(EACH):
            mutant = mutation(strategy, rng)
            if mutant is None:
                continue
            report = mutant.check()
            if report.holds:
                # Then it must be as good as any: true, and played to the end against everything.
                claim = mutant.claim
                truth = Reference(claim.player).wins(claim.game.start, claim.depth)
                assert truth is claim.wins, mutation.__name__
                holds_against_everything(mutant)
            else:
                assert report.position is not None
                assert str(report.position.to_move) in str(report)
            tally["accepted" if report.holds else "rejected"] += 1
    assert tally.total() >= LEAST
    assert tally["rejected"] > 4 * tally["accepted"]


def test_a_mutant_of_each_kind_that_needs_one_is_rejected() -> None:
    """Where every node counts, as in a strategy without spare lines, no line can be left out."""
    strategy = extracted(build("hein(4)"), BLACK, 5)
    for place in range(strategy.size):
        report = changed(strategy, place).check()
        assert not report.holds
        assert report.move is not None or report.position == strategy.game.start


def test_wrong_games_are_refused(tmp_path: Path) -> None:
    games = [build(name) for name, *_ in SOUND]
    refused = 0
    for name, player, depth, fold in SOUND[:6]:
        file = str(tmp_path / "strategy")
        strategy = sound(name, player, depth, fold)
        strategy.save(file)
        for game in games:
            report = check_file(file, game)
            assert report.holds == (game == strategy.game)
            refused += not report.holds
            # Nor do its nodes pass for the other game's without the tie.
            foreign = Strategy(replace(strategy.claim, game=game), strategy.nodes)
            assert not foreign.check().holds or game == strategy.game or not strategy.size
    assert refused > 50


def test_the_reason_names_position_and_move() -> None:
    strategy = extracted(build("connect(k=3, width=4, height=3)"), BLACK, 9)
    place = next(i for i, node in enumerate(strategy.nodes) if node.left == 3)
    gone = strategy.nodes[place].position
    report = changed(strategy, place).check()
    assert report.position is not None
    assert report.move is not None
    assert packed(report.position.play(report.move)) == packed(gone)
    names, position = strategy.game.board.names, report.position
    black, white = (
        " ".join(name for cell, name in enumerate(names) if stones >> cell & 1)
        for stones in (position.black, position.white)
    )
    assert report.failure == (
        f"Black {black}, White {white}, White to move, after "
        f"{strategy.game.move_name(report.move)}: no line above, and no rule, proves "
        "a win here (plies left: 3)"
    )
    assert str(report).startswith(f"The strategy does not hold: {report.failure}.\nThe game is ")
    assert repr(report) == f"<Report: {strategy.claim}; not proved>"
