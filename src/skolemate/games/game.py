"""What a game is, and what is asked about it: players, positions, the interface `Game`, `Question`.

A game is immutable: rules, a start, and the moves played since. A position is two sets of
cells and who is to move; whatever the rules, cells are black, white or open. A move is a
number that only its game understands (in placement games: the cell).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, wraps
from itertools import groupby
from operator import index
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self, TypeVar

from skolemate.errors import IllegalMove, MissingView, UserError, brief
from skolemate.limits import breathe
from skolemate.output import plies, shorten

if TYPE_CHECKING:
    from skolemate.games.bddl.model import Model
    from skolemate.games.board import Board
    from skolemate.games.gdl.positional import Stones
    from skolemate.games.goals import Connection, Goal
    from skolemate.games.symmetry import Permutation
    from skolemate.games.views import Columns, Grounded, Hypergraph, Propnet, ShapeGoal


Move = int

LONGEST_STONES = 60  # characters of a player's stones in a position's `repr`
DEEPEST = 10_000  # plies that anybody may ask about; the engine counts no further


_MOVES = re.compile(
    r"(?:[^\s,(]|\((?:[^()]|\([^()]*\))*\)?)+"
)  # between blanks or commas outside parentheses


def with_argument(name: str, argument: str) -> str:
    """A game string with one more argument.

    >>> with_argument("hein(9)", "moves=c3"), with_argument("browne", "moves=c3")
    ('hein(9, moves=c3)', 'browne(moves=c3)')
    """
    return f"{name[:-1]}, {argument})" if name.endswith(")") else f"{name}({argument})"


class Player(Enum):
    """The two players; Black moves first unless a game says otherwise."""

    BLACK = "black"
    WHITE = "white"

    @classmethod
    def _missing_(cls, value: object) -> Player:
        for player in cls:
            if str(value).lower() == player.value:
                return player
        raise UserError(f"a player is black or white, not {brief(str(value))}")

    @property
    def opponent(self) -> Player:
        return Player.WHITE if self is Player.BLACK else Player.BLACK

    def __str__(self) -> str:
        return self.value.capitalize()


class Stuck(Enum):
    """What it means that the player to move has no legal move."""

    DRAW = "draw"
    LOSES = "loses"


class Position(NamedTuple):
    """A moment of a game. Equal positions have equal futures."""

    game: Game
    black: int
    white: int
    to_move: Player | None  # None once the schedule of turns has run out

    def moves(self) -> Sequence[Move]:
        """The legal moves; none once the game is over."""
        return () if self.winner is not None else self.game.legal_moves(self)

    def move_names(self) -> list[str]:
        """The names of the legal moves.

        >>> from skolemate.games.family import build
        >>> build("tictactoe(moves=b2 a1 a2 c2)").start.move_names()
        ['a3', 'b1', 'b3', 'c1', 'c3']
        """
        return [self.game.move_name(move) for move in self.moves()]

    def play(self, move: Move | str) -> Position:
        """The position after a legal move, given by number or by name; this one stays as it is.

        >>> from skolemate.games.family import build
        >>> build("tictactoe").start.play("b2").play("a1")
        <Position of tictactoe: Black b2, White a1, Black to move>
        """
        if self.winner is not None:
            raise IllegalMove(f"the game is over, {self.winner} has won")
        return self.game.result(self, move if type(move) is int else self._number(move))

    def _number(self, move: Move | str) -> Move:
        if isinstance(move, str):
            # When it is nobody's turn, `result` says so.
            return self.game.parse_move(move, self.to_move or Player.BLACK)
        try:
            return index(move)
        except TypeError:
            raise IllegalMove(f"a move is a name or a number, not {move!r}") from None

    @property
    def winner(self) -> Player | None:
        """Who has won by the rules' goals, if anybody."""
        return self.game.winner(self)

    @property
    def occupied(self) -> int:
        return self.black | self.white

    def stones(self, player: Player) -> int:
        return self.black if player is Player.BLACK else self.white

    def __str__(self) -> str:
        from skolemate.render import text

        return text(self)

    def __repr__(self) -> str:
        from skolemate.render import status

        named = self.game.board.named
        stones = [
            f"{player} {shorten(named(self.stones(player)), LONGEST_STONES)}"
            for player in Player
            if self.stones(player)
        ]
        return f"<Position of {self.game}: {', '.join([*stones, status(self)])}>"

    def _repr_svg_(self) -> str:
        from skolemate.render import svg

        return svg(self)


AnyGame = TypeVar("AnyGame", bound="Game")
View = TypeVar("View")


def kept(build: Callable[[AnyGame], View]) -> Callable[[AnyGame], View]:
    """Let a game keep what a method builds, once it is whole."""
    place = f"_kept_{build.__name__}"

    @wraps(build)
    def once(game: AnyGame) -> View:
        if place not in game.__dict__:
            game.__dict__[place] = build(game)
        found: View = game.__dict__[place]
        return found

    return once


class Game(ABC):
    """The interface of all games. Subclasses are frozen dataclasses with these fields."""

    kind: ClassVar[str] = "a game"  # what it is, for people
    name: str  # the string that builds it (or the file it came from), without `played`
    board: Board
    played: tuple[Move, ...]  # moves played from the origin to the start
    depth: int | None  # the depth that a file asks for, counted from the origin
    misere: bool = False  # whether a move may meet a goal of the opponent's
    file: str | None  # where it was read from, if not built

    @property
    @abstractmethod
    def _content(self) -> tuple[object, ...]:
        """What makes two games of a kind the same, whatever their names."""

    @cached_property
    def _hash(self) -> int:
        return hash(self._content)

    def __hash__(self) -> int:
        return self._hash  # positions are hashed in inner loops, and each contains its game

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self is other or self._content == other._content

    # --- rules -----------------------------------------------------------------------------

    @property
    @abstractmethod
    def origin(self) -> Position:
        """The position before the moves in `played`."""

    @abstractmethod
    def legal_moves(self, position: Position) -> Sequence[Move]:
        """The moves of the player to move, in a position that nobody has won."""

    @abstractmethod
    def result(self, position: Position, move: Move) -> Position:
        """The position after the move; raises IllegalMove."""

    @abstractmethod
    def winner(self, position: Position) -> Player | None:
        """Who has won here."""

    @abstractmethod
    def stuck(self, position: Position) -> Stuck:
        """What it means to have no legal move here."""

    @property
    @abstractmethod
    def horizon(self) -> int | None:
        """The last ply, counted from the start, at which anything can be decided, if any."""

    @property
    def turns_ahead(self) -> Schedule | None:
        """Who moves at which ply from the start on; None where the players alternate for ever."""
        return None

    @property
    def first_cells(self) -> int | None:
        """The cells for the first stone from the start on, as a mask; None where any will do."""
        return None

    @property
    @abstractmethod
    def symmetries(self) -> tuple[Permutation, ...]:
        """The symmetries of the board that keep the rules; stones are not looked at."""

    @property
    def first_moves_alike(self) -> Sequence[Sequence[Move]]:
        """Classes of first moves that are as good as each other, where no board tells."""
        return ()

    @property
    def remaining_depth(self) -> int | None:
        """The depth that a file asks for, counted from the start."""
        return None if self.depth is None else max(0, self.depth - len(self.played))

    @property
    def last_stated(self) -> int | None:
        """The last ply from the start with known turns; None if the turns go on by a rule."""
        return None

    def remark(self, depth: int) -> str | None:
        """A note for answers within a depth: how the game's file is read, where that is unclear."""
        return None

    def deciding_plies(self, player: Player, last: int) -> Iterable[int]:
        """The plies up to `last` at which the game can be decided for the player; 0 = already."""
        return range(last + 1)

    # --- moves as text -----------------------------------------------------------------------

    @abstractmethod
    def move_name(self, move: Move) -> str:
        """How a move is written."""

    def short_name(self, move: Move, player: Player) -> str:
        """How people write a player's move, where that is shorter."""
        return self.move_name(move)

    @abstractmethod
    def parse_move(self, text: str, player: Player) -> Move:
        """Read a player's move from text; whether it is legal is checked when it is played."""

    @abstractmethod
    def move_cells(self, move: Move, player: Player) -> tuple[int, ...]:
        """The cells that a player's move changes, the one to draw it on last."""

    @abstractmethod
    def winning_cells(self, position: Position) -> int:
        """The cells by which the winner has won, as a mask; none if there is nothing to show."""

    def move_numbers(self) -> dict[int, int]:
        """For each cell that a move has filled, and none emptied since: the number of that move."""
        numbers: dict[int, int] = {}
        position = self.origin
        for number, move in enumerate(self.played, 1):
            assert position.to_move is not None, "moves were checked when they were played"
            *left, taken = self.move_cells(move, position.to_move)
            for cell in left:
                numbers.pop(cell, None)
            numbers[taken] = number
            position = position.play(move)
        return numbers

    # --- games made of games -----------------------------------------------------------------

    def after(self, moves: str | Iterable[Move | str]) -> Self:
        """The same game, started some legal moves later: numbers, names, or a text of names.

        >>> from skolemate.games.family import build
        >>> build("tictactoe").after("b2 a1")
        <PositionalGame: tictactoe(moves=b2 a1)>
        """
        listed = moves if isinstance(moves, str) else tuple(moves)
        if isinstance(listed, str) or any(isinstance(move, str) for move in listed):
            listed = self.parse_moves(listed)
        return replace(self, played=(*self.played, *listed))  # type: ignore[type-var]

    def rewound(self) -> Self:
        """The same game before any move was played."""
        return replace(self, played=()) if self.played else self  # type: ignore[type-var]

    @abstractmethod
    def swapped(self) -> Self:
        """The same game with the colours of stones, goals and turns exchanged."""

    def set_up(self, black: str, white: str, first: Player | None) -> Self:
        """The same rules with stones on the board, or with the other player to begin."""
        if self.played:
            raise UserError("stones and the first player are set before any move is played")
        stones = self.board.cells(black), self.board.cells(white)
        both = stones[0] & stones[1]
        if both:
            raise UserError(f"both players have a stone on {self.board.named(both)}")
        return self._set_up(*stones, first)

    def _set_up(self, black: int, white: int, first: Player | None) -> Self:
        raise UserError(f"stones cannot be added to {self}")

    def asked_by(self, player: str | Player) -> tuple[Game, Player]:
        """The game and the player for a question about a player, or a role of a description."""
        return self, Player(player)

    def asked_for(self, goal: str) -> Game:
        """The game in which a win is worth at least so much."""
        raise UserError(f"goal values are for GDL games only, and {self} is not one")

    def called(self, player: Player) -> str:
        """How a player is called in sentences."""
        return str(player)

    def renamed(self, name: str) -> Self:
        return replace(self, name=name)  # type: ignore[type-var]  # all games are dataclasses

    @cached_property
    def start(self) -> Position:
        """The position from which questions are asked."""
        position = self.origin
        for move in self.played:
            position = position.play(move)
        return position

    @property
    def last_move(self) -> Move | None:
        return self.played[-1] if self.played else None

    def parse_moves(self, moves: str | Iterable[Move | str]) -> tuple[Move, ...]:
        """The numbers of moves, each checked in its turn; in a text, blanks or commas outside
        parentheses are between them.
        """
        position = self.start
        numbers: list[Move] = []
        for place, word in enumerate(_MOVES.findall(moves) if isinstance(moves, str) else moves, 1):
            try:
                number = position._number(word)
                position = position.play(number)
            except UserError as error:
                raise IllegalMove(f"move {place}, {brief(str(word))}: {error}") from None
            numbers.append(number)
        return tuple(numbers)

    def __str__(self) -> str:
        """The string that builds it; of a game without a name, what it is."""
        moves = " ".join(self.move_name(move) for move in self.played)
        if not self.name:
            return f"{self.kind} on {self.board}" + (f", after {moves}" if moves else "")
        return with_argument(self.name, f"moves={moves}") if moves else self.name

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        from skolemate.render import board

        return board(self)

    def goal(self, player: Player) -> Goal | None:
        """What a player must own to have won, if that is how the player wins."""
        return None

    def completes(self, player: Player) -> Goal | None:
        """What a player's stones may complete, whoever wins by that."""
        return self.goal(player)

    @property
    def breaker(self) -> Player | None:
        """The player without a goal, who wins if the other has not won when the turns are over."""
        return None

    @property
    def is_maker_breaker(self) -> bool:
        """Whether only Black's goal matters: White has none, or it excludes Black's (Hex)."""
        return self.breaker is Player.WHITE or self.offers("transversal")

    @property
    def may_be_drawn(self) -> bool:
        """Whether a game can end without a winner, or not end; True also if that is not known."""
        if self.breaker is not None:
            return False
        turns, taken = self.turns_ahead, self.start.occupied.bit_count()
        full = turns is not None and len(turns) + taken == self.board.size
        return not (full and self.offers("transversal"))

    # --- views: the game as plain data of some kind, or a MissingView with the reason -----------
    # A view that takes work is kept, and what it shares with the same game some moves later is
    # kept with the goals or the model, which both have.

    def offers(self, view: str) -> bool:
        """Whether the game has a view."""
        return self.lacks(view) is None

    def lacks(self, view: str) -> str | None:
        """Why the game does not have a view; None if it does. Large views are not built for it."""
        breathe()
        try:
            getattr(self, view)()
        except MissingView as missing:
            return missing.reason
        return None

    def grounded(self) -> Grounded:
        """Actions and goals as masks, for engines."""
        raise MissingView(self, "grounded", "its rules have no grounding")

    def propnet(self) -> Propnet:
        """Facts, and the rules as a network of gates."""
        raise MissingView(self, "propnet", "it is not described in GDL")

    def listing(self) -> Game:
        """The same game from its start on, played on cells by a list of its rules."""
        raise MissingView(self, "listing", "it is not described in GDL")

    def stones(self) -> Stones:
        """The same game from its start on, as one of placing stones."""
        raise MissingView(self, "stones", "it is not described in GDL")

    def hypergraph(self) -> Hypergraph:
        """Both players' winning sets, listed."""
        raise MissingView(self, "hypergraph", "it is not a positional game")

    def connection(self) -> Connection:
        """Black's goal as a path in a graph; no path is ever listed."""
        raise MissingView(self, "connection", "Black's goal is not a path between two borders")

    def transversal(self) -> Connection:
        """White's graph in a game where exactly one player gets connected."""
        raise MissingView(self, "transversal", "White's goal is not a path that excludes Black's")

    def shape(self) -> ShapeGoal:
        """The polyomino both players try to build, and the board."""
        raise MissingView(self, "shape", "its goal is not one polyomino")

    def columns(self) -> Columns:
        """Stones that fall, as in Connect-4."""
        raise MissingView(self, "columns", "stones do not fall in it")

    def bddl(self) -> Model:
        """The game from here on as a BDDL model."""
        raise MissingView(self, "bddl", "its rules cannot be written in BDDL")


# --- questions ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """Can this player force a win in this game within `depth` plies?

    One ply is one stone or one action, counted from the game's start.
    """

    game: Game
    player: Player
    depth: int

    def __post_init__(self) -> None:
        if not isinstance(self.depth, int) or not 0 <= self.depth <= DEEPEST:
            raise UserError(f"a depth is a number of plies up to {DEEPEST:,}, not {self.depth!r}")
        last = self.game.last_stated
        if last is not None and self.depth > last:
            raise UserError(
                f"{self.game} is valid for {plies(last)} only, since its file does not say how the "
                f"game continues: ask for at most {last}"
            )

    def normalised(self) -> Question:
        """The same question asked for Black: colours are exchanged if it is about White."""
        if self.player is Player.BLACK:
            return self
        return Question(self.game.swapped(), Player.BLACK, self.depth)

    @property
    def has_first_moves(self) -> bool:
        """Whether the player is to make the first move, if any is still to be made."""
        start = self.game.start
        return start.to_move is self.player and start.winner is None

    @property
    def reaches_horizon(self) -> bool:
        """Whether a deeper question would have the same answer."""
        horizon = self.game.horizon
        return horizon is not None and self.depth >= horizon

    def __str__(self) -> str:
        who = self.game.called(self.player)
        return f"can {who} force a win in {self.game} within {plies(self.depth)}?"


# --- turns ----------------------------------------------------------------------------------------
# A schedule says who moves at each ply. One ply is one stone, also when a turn has several.


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
    """A schedule extended to a greater length, if its turns show how; else as it is.

    Files state the turns only up to the depth they ask for. A turn that is neither the first
    nor the last is complete and shows how many stones a turn has; all of these must agree. If
    there are only a first and a last turn, of one stone each, the players alternate.

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
