"""Schedules: who moves at which ply. One ply is one stone, also when a turn has several."""

from __future__ import annotations

from itertools import groupby

from skolemate.games.game import Player

__all__ = ["Schedule", "continued", "swap_turns", "turns"]

Schedule = tuple[Player, ...]


def turns(length: int, p: int = 1, q: int = 1, first: Player = Player.BLACK) -> Schedule:
    """The (p,q)-schedule: the first player places q stones, then both place p a turn.

    >>> "".join(player.value[0] for player in turns(9, p=2, q=1))
    'bwwbbwwbb'
    """
    schedule = [first] * q
    player = first
    while len(schedule) < length:
        player = player.opponent
        schedule += [player] * p
    return tuple(schedule[:length])


def continued(schedule: Schedule, length: int) -> Schedule:
    """A schedule carried on to a greater length, if its turns are regular; else as it is.

    Files state the turns only up to the depth they ask for. All turns but the first and the
    last must have the same number of stones; a single turn is followed by turns of one.
    """
    runs = [len(list(run)) for _, run in groupby(schedule)]
    stones = runs[1] if len(runs) > 1 else 1
    if not schedule or set(runs[1:-1]) - {stones} or runs[-1] > max(stones, runs[0]):
        return schedule
    regular = turns(length, stones, runs[0], schedule[0])
    return regular if regular[: len(schedule)] == schedule else schedule


def swap_turns(schedule: Schedule) -> Schedule:
    """The schedule with the players exchanged."""
    return tuple(player.opponent for player in schedule)
