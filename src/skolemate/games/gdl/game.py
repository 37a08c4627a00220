"""A GDL description as a game: one role asks, and is Black; all others together are White.

A position is the set of facts that hold. Moves are written as terms, `mark(1,2)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, ClassVar

from skolemate.errors import IllegalMove, MissingView, UserError, brief, suggestion
from skolemate.games.board import Facts
from skolemate.games.game import Game, Move, Player, Position, Stuck, kept, with_argument
from skolemate.games.gdl.cells import Listed, ListedGame
from skolemate.games.gdl.description import Description, written
from skolemate.games.gdl.grounding import Grounding, ground
from skolemate.games.gdl.listed import NotListed, listed
from skolemate.games.gdl.network import Network, network
from skolemate.games.symmetry import Permutation
from skolemate.games.views import Propnet

if TYPE_CHECKING:
    from skolemate.games.gdl.positional import Stones

FULL_GOAL = 100
MOST_STATES = 1000  # whose values are kept


@lru_cache(maxsize=16)
def _network(grounding: Grounding, role: str, goal: int) -> Network:
    return network(grounding, role, goal)


@lru_cache(maxsize=16)
def _listed(grounding: Grounding, role: str, goal: int, exchanged: bool) -> Listed | str:
    """The list of the rules, or why there is none."""
    found = _network(grounding, role, goal)
    try:
        return listed(found, found.net.swapped() if exchanged else found.net)
    except NotListed as reason:
        return str(reason)


@dataclass(frozen=True, eq=False, repr=False)
class GdlGame(Game):
    """Played by the network of its rules. A win is a goal of at least `goal` at the end.

    `exchanged`: Black and White are exchanged, so that the role is White.
    """

    kind: ClassVar = "a GDL game"
    name: str
    grounding: Grounding
    role: str
    goal_value: int = FULL_GOAL
    exchanged: bool = False
    played: tuple[Move, ...] = ()
    depth: int | None = None
    file: str | None = None

    @classmethod
    def of(cls, description: Description, name: str = "") -> GdlGame:
        """The game, asked about for its first role."""
        grounding = ground(description)
        return cls(name, grounding, written(grounding.roles[0]))

    def __post_init__(self) -> None:
        self.start  # noqa: B018  plays the moves, and so checks them

    def __str__(self) -> str:
        asked = self.name or self.kind
        if self.role != self.roles[0]:
            asked = with_argument(asked, f"player={self.role}")
        if self.goal_value != FULL_GOAL:
            asked = with_argument(asked, f"goal={self.goal_value}")
        moves = " ".join(self.move_name(move) for move in self.played)
        return with_argument(asked, f"moves={moves}") if moves else asked

    @property
    def roles(self) -> tuple[str, ...]:
        return tuple(map(written, self.grounding.roles))

    def asked_by(self, player: str | Player) -> tuple[GdlGame, Player]:
        if isinstance(player, Player) or player.lower() in ("black", "white"):
            return self, Player(player)
        return self.asking(player), Player.BLACK

    def asked_for(self, goal: str) -> GdlGame:
        return self.asking(self.role, goal)

    def asking(self, role: str, goal: str = "") -> GdlGame:
        """The same game, asked about for a role; `goal` is what it must be worth at least."""
        if role not in self.roles:
            raise UserError(f"{brief(role)} is no role: {suggestion(role, self.roles)}")
        if goal and not (goal.isascii() and goal.isdigit() and 0 < int(goal[:4]) <= FULL_GOAL):
            raise UserError(f"a goal is a number from 1 to {FULL_GOAL}, not {brief(goal)}")
        value = int(goal) if goal else self.goal_value
        return replace(self, role=role, goal_value=value, exchanged=False)

    def called(self, player: Player) -> str:
        if (player is Player.BLACK) is not self.exchanged:
            return self.role
        others = [role for role in self.roles if role != self.role]
        return others[0] if len(others) == 1 else "the others"

    @property
    def _content(self) -> tuple[object, ...]:
        network = self.network
        return network.facts, network.moves, self.propnet().key, self.played, self.depth

    @property
    def network(self) -> Network:
        return _network(self.grounding, self.role, self.goal_value)

    @cached_property
    def board(self) -> Facts:  # type: ignore[override]  # the rules say which
        return Facts(tuple(map(written, self.network.facts)))

    # --- rules -------------------------------------------------------------------------------

    @kept
    def propnet(self) -> Propnet:
        net = self.network.net
        return net.swapped() if self.exchanged else net

    @cached_property
    def origin(self) -> Position:
        return self._position(self.propnet().start)

    def _position(self, state: int) -> Position:
        net, values = self.propnet(), self._values(state)
        white = any(
            values[literal] and owner is Player.WHITE
            for literal, owner in zip(net.legal, net.owners, strict=True)
        )
        facts = (0, state) if self.exchanged else (state, 0)
        return Position(self, *facts, Player.WHITE if white else Player.BLACK)

    @cached_property
    def _known(self) -> dict[int, list[bool]]:
        return {}

    def _values(self, state: int) -> list[bool]:
        if state not in self._known:
            if len(self._known) >= MOST_STATES:
                self._known.clear()
            self._known[state] = self.propnet().values(state)
        return self._known[state]

    def legal_moves(self, position: Position) -> Sequence[Move]:
        values = self._values(position.occupied)
        return [move for move, literal in enumerate(self.propnet().legal) if values[literal]]

    def result(self, position: Position, move: Move) -> Position:
        net, values = self.propnet(), self._values(position.occupied)
        name = self.move_name(move)
        if not values[net.legal[move]]:
            raise IllegalMove(f"{name} is not legal here")
        return self._position(net.after(values, move))

    def winner(self, position: Position) -> Player | None:
        values = self._values(position.occupied)
        won = self.propnet().won
        return next((player for player in Player if values[won[player]]), None)

    def stuck(self, position: Position) -> Stuck:
        return Stuck.DRAW

    @property
    def horizon(self) -> None:
        return None

    @property
    def symmetries(self) -> tuple[Permutation, ...]:
        return self.board.symmetries

    # --- moves -------------------------------------------------------------------------------

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """The moves' names, with the role before those that several roles of White have."""
        moves, owners = self.network.moves, self.propnet().owners
        count = Counter((owner, term) for owner, (_, term) in zip(owners, moves, strict=True))
        return tuple(
            written(term) if count[owner, term] == 1 else f"{written(role)}:{written(term)}"
            for owner, (role, term) in zip(owners, moves, strict=True)
        )

    def move_name(self, move: Move) -> str:
        if not 0 <= move < len(self._names):
            raise IllegalMove(f"there is no move number {move}")
        return self._names[move]

    @cached_property
    def _numbers(self) -> dict[tuple[Player, str], Move]:
        owners = self.propnet().owners
        return {
            (owner, name): n
            for n, (owner, name) in enumerate(zip(owners, self._names, strict=True))
        }

    def parse_move(self, text: str, player: Player) -> Move:
        move = self._numbers.get((player, text))
        if move is None:
            own = [name for owner, name in self._numbers if owner is player]
            near = suggestion(text[:40], own[:20]) if own else "there are none"
            raise UserError(f"{brief(text)} is no move of {self.called(player)}: {near}")
        return move

    def move_cells(self, move: Move, player: Player) -> tuple[int, ...]:
        return ()

    def move_numbers(self) -> dict[int, int]:
        return {}

    def winning_cells(self, position: Position) -> int:
        return 0

    # --- games made of games -----------------------------------------------------------------

    @kept
    def swapped(self) -> GdlGame:
        return replace(self, exchanged=not self.exchanged)

    def lacks(self, view: str) -> str | None:
        return None if view == "propnet" else super().lacks(view)

    @kept
    def stones(self) -> Stones:
        from skolemate.games.gdl.positional import placing_stones

        try:
            return placing_stones(self)
        except UserError as refused:
            raise MissingView(self, "stones", str(refused)) from None

    @kept
    def listing(self) -> ListedGame:
        rules = _listed(self.grounding, self.role, self.goal_value, self.exchanged)
        if isinstance(rules, str):
            raise MissingView(self, "listing", rules)
        game = ListedGame(self, rules)
        if game.timed is None:
            raise MissingView(self, "listing", "the position decides whose turn it is")
        return game
