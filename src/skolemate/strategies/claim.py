"""The claim that a strategy proves, and how it is tied to its game by content."""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple, dataclass
from functools import cached_property
from math import inf

from skolemate.errors import MissingView
from skolemate.games.game import Game, Player, Position, Stuck
from skolemate.games.goals import Connection, Sets
from skolemate.games.symmetry import Permutation, move_mask
from skolemate.games.views import Grounded, Hypergraph

__all__ = ["Claim", "content", "packed", "turned"]


@dataclass(frozen=True)
class Claim:
    """`player` can force a win in `game` within `depth` plies; or cannot, if `wins` is false.

    The strategy's owner is who proves it: the player, or else the opponent.
    """

    game: Game
    player: Player
    depth: int
    wins: bool

    @property
    def owner(self) -> Player:
        return self.player if self.wins else self.player.opponent

    @property
    def verdict(self) -> str:
        return "WIN" if self.wins else "NO_WIN"

    @cached_property
    def content(self) -> str:
        return content(self.game)

    def plies_by_rules(self, position: Position) -> float | None:
        """When the player has won as the rules alone tell: now (0), as the opponent cannot move
        (1), or never, since the game is over (inf). None: that is not decided yet.
        """
        winner = position.winner
        if winner is not None:
            return 0 if winner is self.player else inf
        if position.game.legal_moves(position):
            return None
        loses = position.game.stuck(position) is Stuck.LOSES
        return 1 if loses and position.to_move is self.player.opponent else inf

    @cached_property
    def hypergraph(self) -> Hypergraph | MissingView:
        """The sets that pairs must spoil, or why they cannot be had."""
        try:
            return self.game.hypergraph()
        except MissingView as error:
            return error

    @cached_property
    def _rules(self) -> Grounded:
        return self.game.grounded()

    @property
    def places_stones(self) -> bool:
        """Whether every move is a stone on an open cell, for good."""
        return self._rules.schedule is not None

    def idle(self, position: Position, cell: int, left: int) -> bool:
        """Whether a stone of the opponent's, placed already, cannot serve his own goal in the plies
        left: he has none, or it is met only if the owner's is not; or each set through the cell
        has a stone of the owner, or more open cells than the opponent has stones to place.
        """
        opponent = self.owner.opponent
        goal, schedule = self.game.goal(opponent), self._rules.schedule
        if schedule is None or not isinstance(goal, Sets):
            exclusive = goal is None or self.game.offers("transversal")
            return schedule is not None and exclusive
        own, enemy = position.stones(self.owner), position.stones(opponent)
        ply = position.occupied.bit_count() - self.game.start.occupied.bit_count()
        stones = schedule[ply : ply + left].count(opponent)
        return all(
            winning & own or (winning & ~enemy).bit_count() > stones
            for winning in goal.sets
            if winning >> cell & 1
        )

    def held_by_rules(self, position: Position, left: int) -> bool | None:
        """Whether the claim holds here for the plies left, if the rules alone tell."""
        plies = self.plies_by_rules(position)
        if plies is None:
            return None if left > 0 else not self.wins
        return (plies <= left) is self.wins

    def __str__(self) -> str:
        return self.sentence()

    def sentence(self, every_depth: bool = False) -> str:
        """The claim for people."""
        plies = "1 ply" if self.depth == 1 else f"{self.depth} plies"
        within = "at any depth" if every_depth else f"within {plies}"
        if self.wins:
            return f"{self.game}: {self.player} wins {within}"
        return f"{self.game}: {self.player} cannot force a win {within}"


def packed(position: Position) -> int:
    """A position of a known game as one number."""
    _, black, white, to_move = position
    size = position.game.board.size
    return (black << size | white) << 2 | (0 if to_move is None else 1 + (to_move is Player.BLACK))


def turned(position: Position, turn: Permutation) -> Position:
    """The position that a symmetry makes of another."""
    game, black, white, to_move = position
    return Position(game, move_mask(turn, black), move_mask(turn, white), to_move)


def content(game: Game) -> str:
    """A digest of everything that decides how a game is played from its start.

    The same for two games exactly if their cells, stones, turns, moves and goals are the same;
    how the game or the moves before its start are called does not matter.
    """
    rules = game.grounded()
    said = [
        game.board.names,
        [rules.black, rules.white, rules.first_moves],
        rules.to_move and rules.to_move.value,
        rules.schedule and [player.value for player in rules.schedule],
        rules.stuck.value,
        [_actions(game, rules, player) for player in Player],
        [_goal(rules, player) for player in Player],
    ]
    return hashlib.sha256(json.dumps(said, separators=(",", ":")).encode()).hexdigest()


def _actions(game: Game, rules: Grounded, player: Player) -> object:
    return sorted([game.move_name(a.move), *astuple(a)[1:]] for a in rules.actions[player])


def _goal(rules: Grounded, player: Player) -> object:
    goal = rules.goals[player]
    if isinstance(goal, Sets):
        return ["sets", *goal.sets]
    if isinstance(goal, Connection):
        return ["path", goal.neighbours, goal.start, goal.end]
    return goal and ["patterns", *sorted(astuple(pattern) for pattern in goal)]
