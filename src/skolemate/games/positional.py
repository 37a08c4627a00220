"""Positional games: players claim cells, and the first to reach a goal has won.

Maker-Maker: both players have a goal; a full board is a draw. Maker-Breaker: one player has
none, and wins when the board is full (or the turns are over) and the other has not won.

Misère: a player's goal is met by the opponent's stones, so that who completes a set has lost. A
full board is a draw; in an Avoider-Enforcer game, where only the Enforcer has a goal, the Avoider
wins then. An extra stone can hurt there, so nothing that rests on monotony sees these goals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from typing import ClassVar

from skolemate.errors import IllegalMove, MissingView, UserError
from skolemate.games import game
from skolemate.games.bddl.from_positional import lacks_model, positional_model
from skolemate.games.bddl.model import Model
from skolemate.games.board import Board, Grid, HexGrid
from skolemate.games.goals import TOO_MANY_PATHS, Connection, Goal, Sets, Shape, hex_goals
from skolemate.games.symmetry import Permutation, cells_of, move_mask
from skolemate.games.views import Grounded, GroundedAction, Hypergraph, Pattern, Patterns, ShapeGoal
from skolemate.output import plies

COMPLETING_LOSES = "who completes a set loses"


@lru_cache(maxsize=4)
def _stones(cells: int) -> dict[game.Player, tuple[GroundedAction, ...]]:
    """The moves as masks: they are the same on all boards of so many cells."""
    places = [(cell, 1 << cell, Pattern.open(1 << cell)) for cell in range(cells)]
    return {
        game.Player.BLACK: tuple(
            GroundedAction(c, need, becomes_black=stone) for c, stone, need in places
        ),
        game.Player.WHITE: tuple(
            GroundedAction(c, need, becomes_white=stone) for c, stone, need in places
        ),
    }


@lru_cache(maxsize=4)
def _patterns(sets: tuple[int, ...] | None, colour: game.Player) -> Patterns | None:
    """Sets as patterns of stones of a colour."""
    return None if sets is None else tuple(Pattern(**{colour.value: stones}) for stones in sets)


@dataclass(frozen=True, eq=False, repr=False)
class PositionalGame(game.Game):
    """Rules and stones of a positional game; see the module's docstring.

    `schedule` begins at the origin and never exceeds the open cells there; `first_moves`
    restricts its first ply. If `misere`, goals are met by the opponent's stones. Two games are
    equal when they are played the same way, whatever their names.
    """

    kind: ClassVar = "a positional game"
    name: str
    board: Board
    black_goal: Goal | None
    white_goal: Goal | None
    schedule: game.Schedule
    black: int = 0
    white: int = 0
    first_moves: int | None = None
    misere: bool = False
    polyomino: Shape | None = None
    played: tuple[game.Move, ...] = ()
    depth: int | None = None
    file: str | None = None
    stated: int | None = None  # plies whose turns a file states
    carried_on: bool = True  # whether the turns go on by a rule after these
    left_out: str | None = None  # what its file has besides, in words

    @classmethod
    def of_sets(
        cls,
        board: Board,
        sets: Sets,
        schedule: game.Schedule,
        maker_breaker: bool,
        misere: bool = False,
        polyomino: Shape | None = None,
    ) -> PositionalGame:
        """Both players have the same sets, or only Black has any."""
        white_goal = None if maker_breaker else sets
        return cls("", board, sets, white_goal, schedule, misere=misere, polyomino=polyomino)

    def __post_init__(self) -> None:
        self._check_masks()
        open_cells = self.board.size - (self.black | self.white).bit_count()
        object.__setattr__(self, "schedule", self.schedule[:open_cells])
        goals = self._goals.items()
        met = [goal.met(self.origin.stones(self.colour(player))) for player, goal in goals]
        if met == [True, True]:
            raise UserError("both players have already won")
        self.start  # noqa: B018  plays the moves, and so checks them

    def _check_masks(self) -> None:
        both = self.black & self.white
        if both:
            raise UserError(f"both players have a stone on {self.board.named(both)}")
        if self.black_goal is None and self.white_goal is None:
            raise UserError("neither player has a goal")
        sets = (goal.sets for goal in self._goals.values() if isinstance(goal, Sets))
        masks = chain((self.black, self.white, self.first_moves or 0), *sets)
        if max(masks) >> self.board.size:
            raise UserError(f"a cell lies off the board of {self.board.size} cells")
        if self.first_moves is not None:
            if self.first_moves & (self.black | self.white):
                raise UserError("a first move is allowed on a cell that has a stone")
            if not self.first_moves:
                raise UserError("no first move is allowed")

    @cached_property
    def _goals(self) -> dict[game.Player, Goal]:
        """The goals of the players who have one, whoever's stones meet them."""
        goals = zip(game.Player, (self.black_goal, self.white_goal), strict=True)
        return {player: goal for player, goal in goals if goal is not None}

    def colour(self, player: game.Player) -> game.Player:
        """Whose stones meet a player's goal."""
        return player.opponent if self.misere else player

    @cached_property
    def _content(self) -> tuple[object, ...]:
        return (
            *(self.board, self.black_goal, self.white_goal, self.schedule, self.black, self.white),
            *(self.first_moves, self.misere, self.polyomino, self.played, self.depth),
        )

    # --- rules -----------------------------------------------------------------------------

    @cached_property
    def origin(self) -> game.Position:
        return game.Position(
            self, self.black, self.white, self.schedule[0] if self.schedule else None
        )

    @cached_property
    def _stones_at_origin(self) -> int:
        return (self.black | self.white).bit_count()

    def _ply(self, occupied: int) -> int:
        """Plies since the origin: every ply places one stone."""
        return occupied.bit_count() - self._stones_at_origin

    def _allowed(self, position: game.Position) -> int:
        """The cells on which the player to move may place a stone."""
        if position.to_move is None:
            return 0
        occupied = position.black | position.white
        if self.first_moves is not None and not self._ply(occupied):
            return self.first_moves
        return ~occupied & ((1 << self.board.size) - 1)

    def legal_moves(self, position: game.Position) -> Sequence[game.Move]:
        return tuple(cells_of(self._allowed(position)))

    def result(self, position: game.Position, move: game.Move) -> game.Position:
        if not 0 <= move < self.board.size:
            raise IllegalMove(f"there is no cell number {move}")
        stone = 1 << move
        if not self._allowed(position) & stone:
            raise IllegalMove(self._why_not(position, move))
        _, black, white, to_move = position
        if to_move is game.Player.BLACK:
            black |= stone
        else:
            white |= stone
        ply = self._ply(black | white)
        following = self.schedule[ply] if ply < len(self.schedule) else None
        return game.Position(self, black, white, following)

    def _why_not(self, position: game.Position, move: game.Move) -> str:
        name = self.board.names[move]
        if position.occupied >> move & 1:
            return f"{name} is taken"
        if position.to_move is None:
            return "the game is over, no turn is left"
        return f"{name} is not among the allowed first moves"

    def winner(self, position: game.Position) -> game.Player | None:
        black, white = position.black, position.white
        if self.misere:
            black, white = white, black
        if self.black_goal is not None and self.black_goal.met(black):
            return game.Player.BLACK
        if self.white_goal is not None and self.white_goal.met(white):
            return game.Player.WHITE
        return self.breaker if position.to_move is None else None

    @property
    def breaker(self) -> game.Player | None:
        if self.black_goal is None:
            return game.Player.BLACK
        return game.Player.WHITE if self.white_goal is None else None

    def goal(self, player: game.Player) -> Goal | None:
        return None if self.misere else self._goals.get(player)

    def completes(self, player: game.Player) -> Goal | None:
        return self._goals.get(self.colour(player))

    def stuck(self, position: game.Position) -> game.Stuck:
        return game.Stuck.DRAW

    @property
    def horizon(self) -> int:
        return len(self.schedule) - len(self.played)

    @property
    def last_stated(self) -> int | None:
        if self.stated is None or self.carried_on:
            return None
        return max(0, self.stated - len(self.played))

    def remark(self, depth: int) -> str | None:
        return "; ".join(filter(None, (self._remark_on_turns(depth), self.left_out))) or None

    def _remark_on_turns(self, depth: int) -> str | None:
        if self.stated is None:
            return None
        stated = f"the file states {plies(self.stated)}"
        if not self.carried_on:
            return f"{stated}, and the game ends there" if depth >= self.horizon else None
        if min(depth, self.horizon) + len(self.played) <= self.stated:
            return None
        stones = max(game.lengths(self.schedule)[1:])
        many = "one stone" if stones == 1 else f"{stones} stones"
        return f"{stated}; from then on each player in turn places {many}"

    @cached_property
    def turns_ahead(self) -> game.Schedule:
        return self.schedule[len(self.played) :]

    @property
    def first_cells(self) -> int | None:
        return None if self.played else self.first_moves

    def deciding_plies(self, player: game.Player, last: int) -> Iterable[int]:
        # Goals are met by stones of one colour only; the Breaker wins when the last turn is over.
        ahead, colour = self.turns_ahead, self.colour(player)
        yield 0
        for ply in range(1, min(last, len(ahead)) + 1):
            if ahead[ply - 1] is colour if player is not self.breaker else ply == len(ahead):
                yield ply

    @cached_property
    def symmetries(self) -> tuple[Permutation, ...]:
        bound = self.first_cells or 0
        return tuple(
            permutation
            for permutation in self.board.symmetries
            if move_mask(permutation, bound) == bound
            and all(goal.mapped(permutation) == goal for goal in self._goals.values())
        )

    # --- moves as text -----------------------------------------------------------------------

    def move_name(self, move: game.Move) -> str:
        return self.board.names[move]

    def parse_move(self, text: str, player: game.Player) -> game.Move:
        return self.board.cell(text)

    def move_cells(self, move: game.Move, player: game.Player) -> tuple[int, ...]:
        return (move,)

    def winning_cells(self, position: game.Position) -> int:
        winner = position.winner
        goal = None if winner is None else self._goals.get(winner)
        if winner is None or goal is None:
            return 0
        return goal.witness(position.stones(self.colour(winner))) or 0

    # --- games made of games -----------------------------------------------------------------

    @game.kept
    def swapped(self) -> PositionalGame:
        return replace(
            self,
            black_goal=self.white_goal,
            white_goal=self.black_goal,
            black=self.white,
            white=self.black,
            schedule=game.swap_turns(self.schedule),
        )

    def _set_up(self, black: int, white: int, first: game.Player | None) -> PositionalGame:
        """More stones besides those at the start."""
        for cell in cells_of((black | white) & self.origin.occupied):
            raise UserError(f"there is a stone on {self.board.names[cell]} already")
        turn = self.schedule and first is not None and self.schedule[0] is not first
        return replace(
            self,
            black=self.black | black,
            white=self.white | white,
            schedule=game.swap_turns(self.schedule) if turn else self.schedule,
        )

    # --- views -------------------------------------------------------------------------------

    def lacks(self, view: str) -> str | None:
        if view == "grounded":
            return self.lacks_sets() if self.misere else None
        if view == "hypergraph":
            return COMPLETING_LOSES if self.misere else self.lacks_sets()
        return lacks_model(self) if view == "bddl" else super().lacks(view)

    def lacks_sets(self) -> str | None:
        """Why the goals cannot be listed as sets; the goals keep the paths counted for this."""
        listed = all(goal.listed is not None for goal in self._goals.values())
        return None if listed else TOO_MANY_PATHS

    def listed(self, player: game.Player) -> tuple[int, ...] | None:
        """The sets that meet a player's goal; None if there is no goal."""
        goal = self._goals.get(player)
        return None if goal is None else goal.listed

    @game.kept
    def hypergraph(self) -> Hypergraph:
        reason, start = self.lacks("hypergraph"), self.start
        if reason is not None:
            raise MissingView(self, "hypergraph", reason)
        black, white = map(self.listed, game.Player)
        return Hypergraph(
            black, white, start.black, start.white, self.turns_ahead, self.first_cells
        )

    def connection(self) -> Connection:
        goal = self.goal(game.Player.BLACK)
        return goal if isinstance(goal, Connection) else super().connection()

    def transversal(self) -> Connection:
        # On a Hex board exactly one player gets connected, so Black wins by cutting White off.
        white_goal = self.goal(game.Player.WHITE)
        whole = isinstance(self.board, HexGrid) and self.board.is_whole
        if isinstance(white_goal, Connection) and whole:
            goals = hex_goals(self.board)
            if (self.black_goal, self.white_goal) in (goals, goals[::-1]):
                return white_goal
        return super().transversal()

    def shape(self) -> ShapeGoal:
        if self.misere:
            raise MissingView(self, "shape", COMPLETING_LOSES)
        if self.polyomino is not None and isinstance(self.board, Grid) and self.board.is_whole:
            return ShapeGoal(self.polyomino, self.board)
        return super().shape()

    @game.kept
    def bddl(self) -> Model:
        return positional_model(self)

    @game.kept
    def grounded(self) -> Grounded:
        start = self.start
        goals: dict[game.Player, Goal | Patterns | None]
        goals = {game.Player.BLACK: self.black_goal, game.Player.WHITE: self.white_goal}
        if self.misere:
            reason = self.lacks_sets()
            if reason is not None:
                raise MissingView(self, "grounded", reason)
            goals = {p: _patterns(self.listed(p), self.colour(p)) for p in game.Player}
        return Grounded(
            cells=self.board.size,
            black=start.black,
            white=start.white,
            to_move=start.to_move,
            schedule=self.turns_ahead,
            actions=_stones(self.board.size),
            goals=goals,
            first_moves=self.first_cells,
            stuck=game.Stuck.DRAW,
            horizon=self.horizon,
        )
