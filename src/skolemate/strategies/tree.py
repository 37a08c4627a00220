"""A strategy unfolded into a tree of plays, as far as somebody wants to see it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf

from skolemate.errors import UserError
from skolemate.games.game import Move, Player, Position
from skolemate.output import plies
from skolemate.render.words import status
from skolemate.strategies.strategy import Strategy

__all__ = ["Branch", "followers", "grow", "linked", "note", "reached"]


@dataclass
class Branch:
    """A position in the tree, and the move that led there; at the root there is none."""

    position: Position
    left: float
    move: Move | None = None
    mover: Player | None = None
    note: str | None = None  # how the play ends here
    branches: list[Branch] = field(default_factory=list)
    hidden: int = 0  # moves that are not followed

    @property
    def name(self) -> str:
        """The move as people write it."""
        if self.move is None or self.mover is None:
            return "start"
        return self.position.game.short_name(self.move, self.mover)

    def walk(self) -> Iterator[Branch]:
        """This branch and all above it."""
        yield self
        for branch in self.branches:
            yield from branch.walk()


def note(strategy: Strategy, position: Position, left: float) -> str | None:
    """How the play ends here, if it does: by the rules, in pairs, or for want of plies."""
    if not position.moves():
        return status(position)
    if left == 0:
        return "no ply is left"
    pairs = strategy.pairs(position)
    if pairs is None:
        return None
    names = position.game.board.names
    listed = ", ".join(f"{names[a]}-{names[b]}" for a, b in pairs)
    if not listed:
        return "nothing can be completed in time"
    return f"{strategy.owner} answers within pairs: {listed}"


def linked(strategy: Strategy, position: Position) -> str | None:
    """Where the owner's borders are linked: that this is so. The play may end here, or be shown."""
    carrier = strategy.carrier(position)
    if carrier is None:
        return None
    return f"{strategy.owner} is linked: {position.game.board.named(carrier)}"


def followers(strategy: Strategy, position: Position) -> tuple[Move, ...]:
    """The moves that can follow: the owner's reply, or every move of the opponent."""
    if position.to_move is not strategy.owner:
        return tuple(position.moves())
    reply = strategy.move(position)
    if reply is None:
        raise UserError("this strategy never leads to that position; follow its own replies")
    return (reply,)


def reached(strategy: Strategy, moves: tuple[Move, ...]) -> tuple[Position, float]:
    """The position after some moves, and the plies that are left there."""
    position = strategy.game.start
    for move in moves:
        position = position.play(move)
    if strategy.for_ever:
        return position, inf
    if len(moves) > strategy.depth:
        raise UserError(f"the strategy is for {plies(strategy.depth)} only")
    return position, strategy.depth - len(moves)


def grow(
    strategy: Strategy, moves: tuple[Move, ...] = (), plies: int = 3, width: int = 12
) -> Branch:
    """The tree after some moves: so many plies deep, so many of the opponent's moves wide."""
    root = Branch(*reached(strategy, moves))
    waiting = [(root, plies)]
    while waiting:
        branch, room = waiting.pop()
        branch.note = note(strategy, branch.position, branch.left)
        if branch.note is None and not room:
            branch.note = linked(strategy, branch.position)
        if branch.note is not None:
            continue
        following = followers(strategy, branch.position)
        shown = following[:width] if room else ()
        branch.hidden = len(following) - len(shown)
        for move in shown:
            after = branch.position.play(move)
            branch.branches.append(Branch(after, branch.left - 1, move, branch.position.to_move))
        waiting += [(above, room - 1) for above in branch.branches]
    return root
