"""Random choices by seed, the same on every version of Python."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from skolemate.errors import UserError
from skolemate.games.game import Game, Move
from skolemate.limits import breathe
from skolemate.output import amount

Item = TypeVar("Item")


class Chance:
    """A source of choices. Of Python's generator only `random` is promised never to change.

    >>> chance = Chance(1)
    >>> chance.pick("abcdef"), chance.some(9, 3)
    ('a', [7, 0, 3])
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def below(self, number: int) -> int:
        """One of the numbers from 0 up."""
        return int(self._random() * number)

    def pick(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    def some(self, number: int, size: int) -> list[int]:
        """So many different numbers below another, in any order."""
        chosen, moved = list[int](), dict[int, int]()  # a shuffle of which only the front is made
        for place in range(size):
            other = place + self.below(number - place)
            chosen.append(moved.get(other, other))
            moved[other] = moved.get(place, place)
        return chosen


def random_moves(game: Game, number: int, seed: int) -> tuple[Move, ...]:
    """Legal moves from the start on, each at random among those that do not end the game.

    >>> from skolemate.games.family import build
    >>> game = build("hex(size=3)")
    >>> print(game.after(random_moves(game, 3, seed=1)))
    hex(size=3, moves=a2 a1 c3)
    """
    chance, position, played = Chance(seed), game.start, list[Move]()
    for _ in range(number):
        breathe()
        moves = position.moves()
        for place in chance.some(len(moves), len(moves)):
            following = position.play(moves[place])
            if following.moves():
                position = following
                played.append(moves[place])
                break
        else:
            least = amount(len(played), "random move")
            raise UserError(f"{game} cannot go on after {least}; ask for fewer, or another seed")
    return tuple(played)
