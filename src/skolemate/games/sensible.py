"""Moves by quick rules of thumb, for positions about which nothing is proved.

Win at once; else prevent an immediate loss; else prefer cells on many winning sets that are
still possible, cells on short paths of both players, and moves that leave the opponent few.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import inf

from skolemate.games.game import Move, Player, Position
from skolemate.games.goals import Connection, Goal
from skolemate.games.positional import PositionalGame
from skolemate.games.symmetry import cells_of

MOST_PAIRS = 2000  # pairs of move and reply that are tried in games where pieces move
MANY_CELLS = 100  # on larger boards fewer pairs are tried, since each takes longer
MOST_IN_SETS = 120_000  # cells of winning sets that are visited; common boards have fewer
MOST_CELLS = 1000  # on larger boards the distance to the middle is ignored
BASE = 4  # a winning set with one stone more is worth so many times as much


def ranked(position: Position) -> Iterator[Move]:
    """The legal moves, the most sensible first.

    >>> from skolemate.games.family import build
    >>> game = build("tictactoe(moves=a1 b2 a2)")
    >>> game.move_name(next(ranked(game.start)))
    'a3'
    """
    game, moves = position.game, position.moves()
    if isinstance(game, PositionalGame) and not game.misere:
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
    """What each cell is worth for a goal."""
    if goal is None:
        return {}
    if isinstance(goal, Connection):
        return _on_short_paths(goal, mine, theirs)
    worth: dict[int, float] = {}
    visited = 0
    for winning in goal.sets:
        visited += winning.bit_count()
        if visited > MOST_IN_SETS:
            break
        if not winning & theirs:
            value = BASE ** (winning & mine).bit_count()
            for cell in cells_of(winning & ~mine):
                worth[cell] = worth.get(cell, 0) + value
    return worth


def _on_short_paths(goal: Connection, mine: int, theirs: int) -> dict[int, float]:
    """For each cell, minus the number of stones that a path through it still needs."""
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
    centrality = []
    for cell in range(len(neighbours)):
        distance, fresh, total = {cell: 0}, [cell], 0
        for here in fresh:  # grows as we go
            total += distance[here]
            for near in neighbours[here]:
                if near not in distance:
                    distance[near] = distance[here] + 1
                    fresh.append(near)
        centrality.append(-total)
    return tuple(centrality)


# --- moving pieces ----------------------------------------------------------------------------


def _movement_worth(position: Position) -> dict[Move, tuple[float, ...]]:
    player = position.to_move
    assert player is not None, "somebody is to move"
    moves = position.moves()
    most = int(MOST_PAIRS * min(1.0, (MANY_CELLS / position.game.board.size) ** 2))
    # On a huge board not all moves are tried; the others come last.
    worth: dict[Move, tuple[float, ...]] = dict.fromkeys(moves, (False, False, -inf))
    pairs = 0
    for move in moves[: most + 1]:
        after = position.play(move)
        replies = after.moves()
        pairs += len(replies)
        wins = after.winner is player
        loses = after.winner is player.opponent
        loses |= pairs <= most and _wins_at_once(after, player.opponent)
        worth[move] = (wins, not loses, -len(replies))
    return worth


def _wins_at_once(position: Position, player: Player) -> bool:
    return any(position.play(reply).winner is player for reply in position.moves())
