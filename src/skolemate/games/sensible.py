"""Sensible moves, for when nothing is proved: quick rules of thumb, no search.

Win at once; else stop what would lose at once; else what is good for oneself and bad for the
other: cells on many living winning sets, cells on short paths of both, moves that leave the
other few.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import inf

from skolemate.games.game import Move, Player, Position
from skolemate.games.goals import Connection, Goal
from skolemate.games.positional import PositionalGame
from skolemate.games.symmetry import cells_of

MOST_PAIRS = 2000  # of a move and a reply that are looked at in games where pieces move
MANY_CELLS = 100  # of a board on which fewer are: they get more, and each takes longer
MOST_SETS = 20_000  # winning sets that are gone through; on boards of common sizes there are fewer
MOST_CELLS = 1000  # of a board whose middle is still looked for
BASE = 4  # how much more a winning set with one stone more is worth


def ranked(position: Position) -> Iterator[Move]:
    """The legal moves, the most sensible first.

    >>> from skolemate.games.family import build
    >>> game = build("tictactoe(moves=a1 b2 a2)")
    >>> game.move_name(next(ranked(game.start)))
    'a3'
    """
    game, moves = position.game, position.moves()
    if isinstance(game, PositionalGame):
        worth = _placement_worth(game, position)
    else:
        worth = _movement_worth(position)
    return iter(sorted(moves, key=lambda move: worth[move], reverse=True))


# --- placing stones ---------------------------------------------------------------------------


def _placement_worth(game: PositionalGame, position: Position) -> dict[Move, tuple[float, ...]]:
    player = position.to_move
    assert player is not None, "somebody is to move"
    mine, theirs = position.stones(player), position.stones(player.opponent)
    own, other = game.goal(player), game.goal(player.opponent)
    worth: dict[Move, tuple[float, ...]] = {}
    shares = [_share(own, mine, theirs), _share(other, theirs, mine)]
    central = _centrality(game.board.neighbours)
    for move in position.moves():
        stone = 1 << move
        wins = own is not None and own.met(mine | stone)
        stops = other is not None and other.met(theirs | stone)
        worth[move] = (wins, stops, sum(share.get(move, 0) for share in shares), central[move])
    return worth


def _share(goal: Goal | None, mine: int, theirs: int) -> dict[int, float]:
    """How much each cell would do for a goal."""
    if goal is None:
        return {}
    if isinstance(goal, Connection):
        return _on_short_paths(goal, mine, theirs)
    found: dict[int, float] = {}
    for winning in goal.sets[:MOST_SETS]:
        if not winning & theirs:
            value = BASE ** (winning & mine).bit_count()
            for cell in cells_of(winning & ~mine):
                found[cell] = found.get(cell, 0) + value
    return found


def _on_short_paths(goal: Connection, mine: int, theirs: int) -> dict[int, float]:
    """The fewer stones a path through a cell needs, the better: minus their number."""
    if goal.met(mine):
        return {}
    left = goal.contracted(mine, theirs)
    to_start, to_end = left.distances(left.start), left.distances(left.end)
    nowhere = 2 * len(goal.neighbours)
    return {
        cell: -float(to_start.get(cell, nowhere) + to_end.get(cell, nowhere))
        for cell in range(len(goal.neighbours))
    }


@lru_cache(maxsize=16)
def _centrality(neighbours: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """How near a cell is to all others, as minus the sum of the distances."""
    if len(neighbours) > MOST_CELLS:
        return (0,) * len(neighbours)
    found = []
    for cell in range(len(neighbours)):
        distance, fresh, total = {cell: 0}, [cell], 0
        for here in fresh:  # grows as we go
            total += distance[here]
            for near in neighbours[here]:
                if near not in distance:
                    distance[near] = distance[here] + 1
                    fresh.append(near)
        found.append(-total)
    return tuple(found)


# --- moving pieces ----------------------------------------------------------------------------


def _movement_worth(position: Position) -> dict[Move, tuple[float, ...]]:
    player = position.to_move
    assert player is not None, "somebody is to move"
    moves = position.moves()
    most = int(MOST_PAIRS * min(1.0, (MANY_CELLS / position.game.board.size) ** 2))
    # On a huge board not all moves are looked at; those that are not come last.
    worth: dict[Move, tuple[float, ...]] = dict.fromkeys(moves, (False, False, -inf))
    pairs = 0
    for move in moves[: most + 1]:
        after = position.play(move)
        replies = after.moves()
        pairs += len(replies)
        wins = after.winner is player
        loses = pairs <= most and _wins_at_once(after, player.opponent)
        worth[move] = (wins, not loses, -len(replies))
    return worth


def _wins_at_once(position: Position, player: Player) -> bool:
    return any(position.play(reply).winner is player for reply in position.moves())
