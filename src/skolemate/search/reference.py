"""The reference oracle: who can force a win within d plies, straight from the definitions.

A player wins within d plies from a position if the position is won for that player, or d > 0
and, with the player to move, some move leads to a position won within d - 1 plies; with the
opponent to move, every move does. Having no legal move is a draw or, where the rules say so, a
loss that takes one ply. Nothing is pruned; results are kept by position.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from skolemate.games.game import Move, Player, Position, Stuck


class Reference:
    """Answers for one player. `pulse` is called at every position, and may raise to stop.

    >>> from skolemate.games.family import build
    >>> reference = Reference(Player.BLACK)
    >>> reference.critical_depth(build("hex(size=2)").start, range(5))
    3
    """

    def __init__(self, player: Player, pulse: Callable[[], None] = lambda: None) -> None:
        self._player = player
        self._pulse = pulse
        # A win within d plies is one within every d' > d: two bounds per position say it all.
        self._won_within: dict[Position, int] = {}
        self._not_won_within: dict[Position, int] = {}
        self._effort = 0  # positions evaluated so far

    def wins(self, position: Position, depth: int) -> bool:
        """Can the player force a win within `depth` plies?"""
        won = self._won_within.get(position)
        if won is not None and won <= depth:
            return True
        if self._not_won_within.get(position, -1) >= depth:
            return False
        answer = self._evaluate(position, depth)
        (self._won_within if answer else self._not_won_within)[position] = depth
        return answer

    def winning_moves(self, position: Position, depth: int) -> list[Move]:
        """The moves after which the player still wins within `depth` plies, this one included."""
        if position.to_move is not self._player or depth < 1:
            return []
        return [m for m in position.moves() if self.wins(position.play(m), depth - 1)]

    def critical_depth(self, position: Position, depths: Iterable[int]) -> int | None:
        """The first of these depths, given in ascending order, within which the player wins."""
        return next((depth for depth in depths if self.wins(position, depth)), None)

    def never_wins(self, position: Position, depth: int) -> bool:
        """Whether the player wins at no depth; False also if that takes too long to find out.

        Follows all moves of the player, and of the opponent one that is safe for `depth` plies.
        If no position on the way is won within one ply more, none ever is. The search gives up
        after twice as many positions as were evaluated before.
        """
        limit = 3 * self._effort
        seen, waiting = {position}, [position]
        while waiting:
            here = waiting.pop()
            if self.wins(here, depth + 1) or self._effort > limit:
                return False
            following: Iterator[Position] = (here.game.result(here, move) for move in here.moves())
            if here.to_move is not self._player:
                following = islice((p for p in following if not self.wins(p, depth)), 1)
            fresh = [p for p in following if p not in seen]
            waiting += fresh
            seen.update(fresh)
        return True

    def _evaluate(self, position: Position, depth: int) -> bool:
        self._effort += 1
        self._pulse()
        moves = position.moves()
        if not moves:
            return self._final(position, depth)
        if depth == 0:
            return False
        mine = position.to_move is self._player
        for move in moves:
            following = position.game.result(position, move)  # legal: `moves` lists it
            if self.wins(following, depth - 1) is mine:
                return mine
        return not mine

    def _final(self, position: Position, depth: int) -> bool:
        """Whether the player wins where the game is over: somebody has won, or is stuck."""
        if position.winner is not None:
            return position.winner is self._player
        loses = position.game.stuck(position) is Stuck.LOSES and depth >= 1
        return loses and position.to_move is self._player.opponent
