"""A record of a game of Hex, as SGF (FF[4], GM[11]) keeps it: its game, and its text.

Coordinates are a letter and a number (c3). A record knows nothing of depths or restricted
first moves. Reading is in `sgf`.
"""

from __future__ import annotations

from dataclasses import dataclass

from skolemate.errors import UserError
from skolemate.formats.sgf_syntax import escape, unescape
from skolemate.games.bits import cells_of
from skolemate.games.board import HexGrid
from skolemate.games.coordinates import cell_name, parse_cell
from skolemate.games.family import build
from skolemate.games.game import Game, Move, Player
from skolemate.games.goals import hex_goals
from skolemate.games.positional import PositionalGame
from skolemate.games.schedule import turns

__all__ = ["ENDINGS", "SWAPS", "IllegalRecord", "Record", "is_hex", "to_sgf"]

SWAP_PIECES, SWAP_SIDES = SWAPS = ("swap-pieces", "swap-sides")
ENDINGS = ("resign", "forfeit")
MOVES_A_LINE = 10


@dataclass(frozen=True)
class Record:
    """What a file says: size, setup stones, who begins if it says so, and the moves in order.

    A move is a cell, `swap-pieces`, `swap-sides`, `resign` or `forfeit`. `properties` are all
    others of the first node, their values still escaped; `text` reads one.

    >>> black, white = Player.BLACK, Player.WHITE
    >>> record = Record(3, moves=((black, "a2"), (white, "swap-pieces"), (black, "c1")))
    >>> print(record.game())
    hex(size=3, white=b1, moves=c1)
    """

    size: int
    black: tuple[str, ...] = ()
    white: tuple[str, ...] = ()
    first: Player | None = None
    moves: tuple[tuple[Player, str], ...] = ()
    properties: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def text(self, name: str) -> str | None:
        """The first value of a property of the game, such as GN, PB, PW or RE."""
        for found, values in self.properties:
            if found == name:
                return unescape(values[0])
        return None

    def game(self) -> PositionalGame:
        """The game with the moves played; swapped pieces become setup stones.

        After `swap-pieces` the first stone has changed its colour and is mirrored at the long
        diagonal; after `swap-sides` it stays, and the player who swapped moves again.
        """
        first = self._beginner
        game = _hex(self.size, self.black, self.white, first)
        position, mover, over = game.start, first, False
        played: list[Move] = []
        for number, (player, text) in enumerate(self.moves):
            if over:
                raise IllegalRecord("no move may follow a resignation", number)
            if text in ENDINGS:
                over = True
                continue
            if player is not mover:
                raise IllegalRecord(f"it is {mover}'s turn, not {player}'s", number)
            if text in SWAPS:
                if number != 1 or self.black or self.white:
                    message = "only the second move of a game from the empty board may be a swap"
                    raise IllegalRecord(message, number)
                if text == SWAP_PIECES:
                    game = _swapped_pieces(self.size, self.moves[0][1], player)
                    position, mover, played = game.start, first, []
                continue
            try:
                played.append(game.parse_move(text, mover))
                position = position.play(played[-1])
            except UserError as error:
                raise IllegalRecord(str(error), number) from None
            mover = player.opponent
        return game.after(played)

    @property
    def _beginner(self) -> Player:
        if self.first is not None:
            return self.first
        return self.moves[0][0] if self.moves else Player.BLACK

    def to_sgf(self) -> str:
        """The text of a file; reading it gives this record again."""
        root = [("FF", ("4",)), ("GM", ("11",)), ("SZ", (str(self.size),)), *self.properties]
        root += [("AB", self.black)] if self.black else []
        root += [("AW", self.white)] if self.white else []
        root += [("PL", (_letter(self.first),))] if self.first else []
        lines = ["(;" + "".join(name + _values(values) for name, values in root)]
        moves = [f";{_letter(player)}[{text}]" for player, text in self.moves]
        starts = range(0, len(moves), MOVES_A_LINE)
        lines += ["".join(moves[start : start + MOVES_A_LINE]) for start in starts]
        return "\n".join(lines) + ")\n"


class IllegalRecord(UserError):
    """A move of a record that the rules do not allow."""

    def __init__(self, message: str, number: int) -> None:
        super().__init__(f"move {number + 1}: {message}")
        self.number = number


def is_hex(game: Game) -> bool:
    """Whether a game is Hex, which SGF can keep."""
    return _why_not_hex(game) is None


def to_sgf(game: Game) -> str:
    """A game of Hex as the text of an SGF file, with the moves played from its setup.

    >>> from skolemate.games.family import build
    >>> print(to_sgf(build("hex(size=3, white=b2, moves=a1 c3)")), end="")
    (;FF[4]GM[11]SZ[3]CA[UTF-8]GN[hex(size=3, white=b2)]AW[b2]PL[B]
    ;B[a1];W[c3])
    """
    reason = _why_not_hex(game)
    if reason is not None:
        raise UserError(f"{game} cannot be written as SGF: {reason}")
    assert isinstance(game, PositionalGame)
    assert isinstance(game.board, HexGrid)
    board, origin = game.board, game.origin
    first = origin.to_move or Player.BLACK
    record = Record(
        size=board.width,
        black=tuple(board.names[cell] for cell in cells_of(origin.black)),
        white=tuple(board.names[cell] for cell in cells_of(origin.white)),
        first=first if origin.occupied or first is Player.WHITE else None,
        moves=tuple(
            (player, board.names[move])
            for player, move in zip(game.schedule, game.played, strict=False)
        ),
        properties=(("CA", ("UTF-8",)), ("GN", (escape(game.name),))),
    )
    return record.to_sgf()


def _why_not_hex(game: Game) -> str | None:
    if not isinstance(game, PositionalGame) or not isinstance(game.board, HexGrid):
        return "only Hex can"
    board, origin = game.board, game.origin
    if board.width != board.height:
        return "its board is not square"
    if (game.black_goal, game.white_goal) != hex_goals(board):
        return "its goals are not those of Hex"
    first = origin.to_move or Player.BLACK
    if game.schedule != turns(board.size - origin.occupied.bit_count(), first=first):
        return "the players do not take turns"
    if game.first_moves is not None and not game.played:
        return "its first moves are restricted"
    return None


def _hex(
    size: int, black: tuple[str, ...], white: tuple[str, ...], first: Player
) -> PositionalGame:
    arguments = [f"size={size}"]
    arguments += [f"black={' '.join(black)}"] if black else []
    arguments += [f"white={' '.join(white)}"] if white else []
    arguments += ["first=white"] if first is Player.WHITE else []
    game = build(f"hex({', '.join(arguments)})")
    assert isinstance(game, PositionalGame)
    return game


def _swapped_pieces(size: int, stone: str, taker: Player) -> PositionalGame:
    """The game after the first stone went to the other player, mirrored."""
    cells = (_mirrored(stone),)
    if taker is Player.WHITE:
        return _hex(size, (), cells, Player.BLACK)
    return _hex(size, cells, (), Player.WHITE)


def _mirrored(cell: str) -> str:
    """The cell on the other side of the long diagonal.

    >>> _mirrored("c1")
    'a3'
    """
    column, row = parse_cell(cell) or (0, 0)
    return cell_name(row, column)


def _letter(player: Player | None) -> str:
    return "W" if player is Player.WHITE else "B"


def _values(values: tuple[str, ...]) -> str:
    return "".join(f"[{value}]" for value in values)
