"""Schedules: who moves at which ply. One ply is one stone, also when a turn has several."""

from __future__ import annotations

from itertools import groupby

from skolemate.games.game import Player

__all__ = ["Schedule", "continued", "lengths", "swap_turns", "turns"]

Schedule = tuple[Player, ...]


def turns(length: int, p: int = 1, q: int = 1, first: Player = Player.BLACK) -> Schedule:
    """The (p,q)-schedule: the first player places q stones, then both place p a turn.

    >>> "".join(player.value[0] for player in turns(9, p=2, q=1))
    'bwwbbwwbb'
    """
    schedule = [first] * min(q, length)
    player = first
    while len(schedule) < length:
        player = player.opponent
        schedule += [player] * min(p, length - len(schedule))
    return tuple(schedule)


def lengths(schedule: Schedule) -> list[int]:
    """How many stones each turn has, one after the other.

    >>> lengths(turns(6, p=2))
    [1, 2, 2, 1]
    """
    return [len(list(turn)) for _, turn in groupby(schedule)]


def continued(schedule: Schedule, length: int) -> Schedule:
    """A schedule carried on to a greater length, if it tells how; else as it is.

    Files state the turns only up to the depth they ask for. A turn that is neither the first
    nor the last is whole, and tells how many stones a turn has; all such must agree. Where there
    are only a first and a last turn, of one stone each, the players alternate.

    >>> b, w = Player.BLACK, Player.WHITE
    >>> continued((b,), 3) == (b, w, b), continued((b, w, w), 4) == (b, w, w)
    (True, True)
    """
    stones = lengths(schedule)
    whole = set(stones[1:-1] or [1] * (max(stones, default=0) == 1))
    if len(whole) != 1 or stones[-1] > max(whole):
        return schedule
    return turns(max(length, len(schedule)), max(whole), stones[0], schedule[0])


def swap_turns(schedule: Schedule) -> Schedule:
    """The schedule with the players exchanged."""
    return tuple(player.opponent for player in schedule)
