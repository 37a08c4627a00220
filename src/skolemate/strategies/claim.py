"""The claim that a strategy proves, and the digest that ties it to the content of its game."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from itertools import pairwise
from math import inf
from typing import Any

from skolemate.errors import printable
from skolemate.games.family import built, name_of_file
from skolemate.games.game import Game, Player, Position, Stuck
from skolemate.games.goals import Connection, Sets
from skolemate.games.symmetry import Permutation, move_mask
from skolemate.games.views import Grounded
from skolemate.output import plies
from skolemate.strategies.nodes import Links, virtual_connection
from skolemate.strategies.races import Races


class NotProved(Exception):
    """The reason why something is not proved, and perhaps the move concerned."""


@dataclass(frozen=True)
class Claim:
    """`player` can force a win in `game` within `depth` plies; or cannot, if `wins` is false.

    The owner of the strategy is the player if the claim is a win, else the opponent.
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

    @property
    def provenance(self) -> str:
        """Which game this is about, in words: how it is built, and its digest."""
        file = self.game.file
        if file is not None:
            where = "read from " + ("the standard input" if file == "-" else name_of_file(file))
        elif built(self.game.name) == self.game.rewound():
            where = "built from its name"
        else:
            where = "neither built from its name nor read from a file"
        return f"The game is {where}; its content is {self.content[:16]}…"

    def as_json(self) -> dict[str, Any]:
        """Plain data; keys are never missing, absent values are None."""
        return {
            "game": str(self.game),
            "content": self.content,
            "file": None if self.game.file is None else printable(self.game.file),
            "player": self.player.value,
            "depth": self.depth,
            "verdict": self.verdict,
        }

    def sides(self, position: Position) -> tuple[int, int]:
        """The owner's stones, and the opponent's."""
        return position.stones(self.owner), position.stones(self.owner.opponent)

    def by_one(self, player: Player, stones: int) -> int:
        """The cells on which one more stone meets a player's goal; none for a Breaker."""
        goal = self.game.goal(player)
        return 0 if goal is None else goal.by_one(stones)

    def decided(self, position: Position) -> bool:
        """Whether a player has met a goal, also on a board that cannot arise in the game."""
        goals = ((self.game.goal(player), position.stones(player)) for player in Player)
        return any(goal is not None and goal.met(stones) for goal, stones in goals)

    @cached_property
    def races(self) -> Races | None:
        """The opponent's winning sets, if they are listed."""
        goal = self.game.goal(self.owner.opponent)
        return Races(goal.sets, self.game.board.size) if isinstance(goal, Sets) else None

    def plies_by_rules(self, position: Position) -> float | None:
        """When the player wins by the rules alone; None if the game is not decided here.

        0: now. 1: the opponent has no move, which takes one ply. inf: the game is over, not won.
        """
        winner = position.winner
        if winner is not None:
            return 0 if winner is self.player else inf
        if position.game.legal_moves(position):
            return None
        loses = position.game.stuck(position) is Stuck.LOSES
        return 1 if loses and position.to_move is self.player.opponent else inf

    @cached_property
    def monotone(self) -> bool:
        """Whether more stones of the owner and fewer of the opponent never hurt the claim.

        This holds if every move places a stone on an open cell, the players alternate, the player
        wins by owning cells, and there are enough turns to fill the board. Then a strategy for a
        position also works with more stones of the owner or fewer of the opponent: it ignores the
        difference, and where it asks for a cell that the owner has, any other move does as well.
        """
        turns = self.game.turns_ahead
        if turns is None or self.game.first_cells is not None:
            return False
        whole = len(turns) == self.longest
        alternates = all(one is not other for one, other in pairwise(turns))
        return alternates and self.game.goal(self.player) is not None and (whole or not self.wins)

    @cached_property
    def longest(self) -> float:
        """The plies after which the board is full; infinite in games without a schedule."""
        open_cells = self.game.board.size - self.game.start.occupied.bit_count()
        return open_cells if self.game.turns_ahead is not None else inf

    @cached_property
    def path(self) -> Connection | None:
        """The owner's goal, if it is a path and the opponent cannot win once it is complete."""
        goal = self.game.goal(self.owner)
        exclusive = self.game.goal(self.owner.opponent) is None or self.game.offers("transversal")
        return goal if isinstance(goal, Connection) and exclusive and self.monotone else None

    def stones_ahead(self, position: Position, left: float) -> float | None:
        """How many stones the player can place in the plies left; None if ever two in a row."""
        if self.monotone:
            return (left + (position.to_move is self.player)) // 2
        if self.game.turns_ahead is None:
            return None
        ply = position.occupied.bit_count() - self.game.start.occupied.bit_count()
        ahead = self.game.turns_ahead[max(ply, 0) :]
        return (
            None if (self.player,) * 2 in pairwise(ahead) else ahead[: int(left)].count(self.player)
        )

    def bound_by_pairs(
        self, position: Position, left: float, pairs: Sequence[tuple[int, int]]
    ) -> float:
        """The plies for which pairs prove the claim: those left, or inf; raises NotProved.

        By answering within disjoint pairs of open cells the owner gets one cell of each, and the
        opponent never both. This wins if the owner's path is complete with one cell of each pair.
        It prevents a win if every winning set of the opponent contains a pair, a stone of the
        owner, or (then only for the plies left) more open cells than the opponent can fill.
        """
        own, enemy = self.sides(position)
        plies = 2 * len(pairs) - (position.to_move is self.owner)
        if self.path is not None and self.path.met_by_pairs(own, pairs):
            if not self.wins or plies <= left:
                return left if self.wins else inf
        goal, stones = self.game.goal(self.player), self.stones_ahead(position, left)
        if self.wins or goal is None or stones is None:
            needs = f"{self.player} needs a goal, and one stone a turn"
            raise NotProved(f"pairs prove nothing here: {needs}")
        for most, bound in ((inf, inf), (stones, left)):
            near = goal.within_reach(enemy, own, pairs, most)
            if near is None:
                return bound
        listed = self.game.board.named(near or 0)
        raise NotProved(f"{self.player}'s set {listed} is open and contains no pair")

    def bound_by_links(self, position: Position, left: float, links: Links) -> float:
        """The same for links on the opponent's turn, which must connect the owner's borders."""
        path, sides, borders = self.path, self.sides(position), f"{self.owner}'s borders"
        joined = None if path is None else virtual_connection(path, *sides, links, every_way=True)
        if joined is None or not joined.full:
            raise NotProved(f"not all ways of the links hold, or they do not join {borders}")
        if self.wins and joined.carrier.bit_count() > left:
            raise NotProved("the links take more plies than are left")
        return left if self.wins else inf

    def held_by_rules(self, position: Position, left: float) -> bool | None:
        """Whether the claim holds for the plies left; None if the rules alone do not decide."""
        plies = self.plies_by_rules(position)
        if plies is None:
            return None if left > 0 else not self.wins
        return (plies <= left) is self.wins

    def __str__(self) -> str:
        return self.sentence()

    def sentence(self, every_depth: bool = False) -> str:
        """The claim for people."""
        within = "at any depth" if every_depth else f"within {plies(self.depth)}"
        who = self.game.called(self.player)
        if self.wins:
            return f"{self.game}: {who} wins {within}"
        return f"{self.game}: {who} cannot force a win {within}"


def packed(position: Position) -> int:
    """A position of a known game as one number."""
    _, black, white, to_move = position
    size = position.game.board.size
    return (black << size | white) << 2 | (0 if to_move is None else 1 + (to_move is Player.BLACK))


def turned(position: Position, turn: Permutation) -> Position:
    """The image of a position under a symmetry."""
    game, black, white, to_move = position
    return Position(game, move_mask(turn, black), move_mask(turn, white), to_move)


def content(game: Game) -> str:
    """The digest of a game's canonical text.

    Two games have the same digest exactly if their cells, stones, turns, moves and goals are the
    same; the name of the game and the moves before its start do not matter.
    """
    return hashlib.sha256(canonical(game).encode()).hexdigest()


def canonical(game: Game) -> str:
    """Everything that decides how a game is played from its start: see docs/strategy-format.md."""
    if game.offers("propnet"):
        net, names = game.propnet(), game.move_name
        moves = [names(move) for move in range(len(net.owners))]
        return _plain([game.board.names, moves, game.start.occupied, net.key[1:]])
    rules = game.grounded()
    facts = [
        game.board.names,
        [rules.black, rules.white, rules.first_moves],
        rules.to_move and rules.to_move.value,
        rules.schedule and [player.value for player in rules.schedule],
        rules.stuck.value,
        [_actions(game, rules, player) for player in Player],
        [_goal(rules, player) for player in Player],
    ]
    return _plain(facts)


def _plain(facts: object) -> str:
    return json.dumps(facts, separators=(",", ":"))


def _actions(game: Game, rules: Grounded, player: Player) -> object:
    return sorted([game.move_name(a.move), *astuple(a)[1:]] for a in rules.actions[player])


def _goal(rules: Grounded, player: Player) -> object:
    goal = rules.goals[player]
    if isinstance(goal, Sets):
        return ["sets", *goal.sets]
    if isinstance(goal, Connection):
        return ["path", goal.neighbours, goal.start, goal.end]
    return goal and ["patterns", *sorted(astuple(pattern) for pattern in goal)]
