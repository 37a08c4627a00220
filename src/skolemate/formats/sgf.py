"""SGF for Hex (FF[4], GM[11]), read and written.

Coordinates are a letter and a number (c3); Little Golem's two letters are read, too. SGF has no
depths and no restricted first moves.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from skolemate.errors import UserError, brief
from skolemate.formats.sgf_tree import Property, SgfNode, escape, main_line, unescape
from skolemate.formats.source import Place, Source
from skolemate.games.board import HexGrid, cell_name, parse_cell
from skolemate.games.family import build
from skolemate.games.game import Game, Move, Player, Position, turns
from skolemate.games.goals import hex_goals
from skolemate.games.positional import PositionalGame
from skolemate.games.symmetry import cells_of

# --- records and writing --------------------------------------------------------------------------


SWAP_PIECES, SWAP_SIDES, SWAP = SWAPS = ("swap-pieces", "swap-sides", "swap")
ENDINGS = ("resign", "forfeit")
MOVES_A_LINE = 10


Sides = tuple[int, int]  # columns and rows


@dataclass(frozen=True)
class Record:
    """The content of a file: size, setup stones, who begins (if stated), and the moves in order.

    A move is a cell, a swap (`swap-pieces`, `swap-sides` or `swap`), `resign` or `forfeit`.
    `properties` are all others of the first node, their values still escaped; `text` reads one.
    `variations` were left out. `rows` are told if there are not as many as columns, `size`.

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
    variations: int = field(default=0, compare=False)
    rows: int | None = None

    @property
    def sides(self) -> Sides:
        return self.size, self.size if self.rows is None else self.rows

    def text(self, name: str) -> str | None:
        """The first value of a property of the game, such as GN, PB, PW or RE."""
        for key, values in self.properties:
            if key == name:
                return unescape(values[0])
        return None

    def game(self) -> PositionalGame:
        """The game with the moves played; swapped pieces become setup stones.

        After swapped pieces the first stone has changed its colour and is mirrored at the long
        diagonal; after swapped sides it stays, and the player who swapped moves again. Where a
        player moves out of turn, all stones before that become setup stones.
        """
        mover, over = self._beginner, False
        game = _hex(self.sides, self.black, self.white, mover)
        position, played = game.start, list[Move]()
        for number, (player, text) in enumerate(self.moves):
            if over:
                raise IllegalRecord("no move may follow a resignation", number)
            if text in ENDINGS:
                over = True
                continue
            if text in SWAPS:
                if number != 1 or self.black or self.white or player is not mover:
                    message = "only the second move of a game from the empty board may be a swap"
                    raise IllegalRecord(message, number)
                if not self._keeps_stones:
                    if self.rows is not None:
                        message = "pieces are swapped on square boards only"
                        raise IllegalRecord(message, number)
                    game = _swapped_pieces(self.sides, self.moves[0][1], player)
                    position, played, mover = game.start, [], player.opponent
                continue
            if player is not mover:
                game = _hex(self.sides, *_stones(position), player)
                position, played = game.start, []
            try:
                played.append(game.parse_move(text, player))
                position = position.play(played[-1])
            except UserError as error:
                raise IllegalRecord(str(error), number) from None
            mover = player.opponent
        several = (
            "variations of its file are" if self.variations > 1 else "variation of its file is"
        )
        left_out = f"{self.variations} {several} left out" if self.variations else None
        return replace(game, played=tuple(played), left_out=left_out)

    @property
    def _keeps_stones(self) -> bool:
        """Whether a swap is one of sides: it is so called, or who swapped moves again."""
        player, text = self.moves[1]
        return text == SWAP_SIDES or any(mover is player for mover, _ in self.moves[2:3])

    @property
    def _beginner(self) -> Player:
        if self.first is not None:
            return self.first
        return self.moves[0][0] if self.moves else Player.BLACK

    def to_sgf(self) -> str:
        """The text of a file; reading it gives this record again."""
        size = str(self.size) if self.rows is None else f"{self.size}:{self.rows}"
        root = [("FF", ("4",)), ("GM", ("11",)), ("SZ", (size,)), *self.properties]
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
    """Whether a game is Hex that SGF can hold."""
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
        rows=None if board.width == board.height else board.height,
    )
    return record.to_sgf()


def _why_not_hex(game: Game) -> str | None:
    if not isinstance(game, PositionalGame) or not isinstance(game.board, HexGrid):
        return "only Hex can"
    board, origin = game.board, game.origin
    if not board.is_whole:
        return "its board has holes"
    if (game.black_goal, game.white_goal) != hex_goals(board):
        return "its goals are not those of Hex"
    first = origin.to_move or Player.BLACK
    if game.schedule != turns(board.size - origin.occupied.bit_count(), first=first):
        return "the players do not take turns"
    if game.first_moves is not None and not game.played:
        return "its first moves are restricted"
    return None


def _hex(
    sides: Sides, black: tuple[str, ...], white: tuple[str, ...], first: Player
) -> PositionalGame:
    arguments = [HexGrid(*sides).sides]
    arguments += [f"black={' '.join(black)}"] if black else []
    arguments += [f"white={' '.join(white)}"] if white else []
    arguments += ["first=white"] if first is Player.WHITE else []
    game = build(f"hex({', '.join(arguments)})")
    assert isinstance(game, PositionalGame)
    return game


def _stones(position: Position) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of Black's and White's cells."""
    names = position.game.board.names
    black, white = (tuple(names[cell] for cell in cells_of(position.stones(p))) for p in Player)
    return black, white


def _swapped_pieces(sides: Sides, stone: str, taker: Player) -> PositionalGame:
    """The game after the first stone went to the other player, mirrored."""
    cells = (_mirrored(stone),)
    if taker is Player.WHITE:
        return _hex(sides, (), cells, Player.BLACK)
    return _hex(sides, cells, (), Player.WHITE)


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


# --- reading --------------------------------------------------------------------------------------
# Setup stones of a later node change the position there: what was played before is set up, too.


DEFAULT_SIZE = 11
COLOURS = {"B": Player.BLACK, "W": Player.WHITE}
SETUP = ("AB", "AW", "AE", "PL")
HEX_EVENT = re.compile(r"(?:hex\b.*|null)?", re.I | re.S)  # Little Golem's EV of a game of Hex


def parse_sgf(text: str, file: str = "text.sgf") -> Record:
    """The record in a text, checked: its game can be played through.

    >>> record = parse_sgf("(;FF[4]GM[11]SZ[3]PB[Piet Hein];B[C3];W[resign])")
    >>> record.text("PB"), str(record.game())
    ('Piet Hein', 'hex(size=3, moves=c3)')
    """
    return read_sgf(Source.of(file, text))


def read_sgf(source: Source) -> Record:
    """The record in a source."""
    nodes, variations = main_line(source)
    reader = _HexReader(source, nodes[0])
    width, height = reader.sides()
    rows = None if width == height else height
    record = Record(width, properties=reader.properties(), variations=variations, rows=rows)
    moves: list[tuple[Player, str]] = []
    places: list[Place] = [nodes[0].place]

    def playable() -> Record:
        whole = replace(record, moves=tuple(moves))
        try:
            whole.game()
        except IllegalRecord as error:
            raise source.error(str(error), places[1 + error.number]) from None
        except UserError as error:
            raise source.error(str(error), places[0]) from None
        return whole

    for node in nodes:
        if any(name in node.properties for name in SETUP):
            record = reader.set_up(playable(), node)
            moves, places = [], [node.place]
        for player, text, place in reader.moves(node, record.sides):
            moves.append((player, text))
            places.append(place)
    return playable()


@dataclass(frozen=True)
class _HexReader:
    """Reads the properties of the nodes as a game of Hex."""

    source: Source
    root: SgfNode

    @property
    def _golem(self) -> bool:
        """Whether it is Little Golem's: without GM, White begins and joins top and bottom."""
        return "GM" not in self.root.properties

    def _player(self, letter: str) -> Player:
        player = COLOURS[letter]
        return player.opponent if self._golem else player

    def sides(self) -> Sides:
        self._only("FF", "4", "FF[4]")
        self._only("GM", "11", "GM[11], which is Hex")
        event = self.root.properties.get("EV")
        if self._golem and event is not None and not HEX_EVENT.fullmatch(event.values[0]):
            message = f"EV[{event.values[0][:20]}] is another game's; if it is Hex, add GM[11]"
            raise self.source.error(message, event.place)
        entry = self.root.properties.get("SZ")
        if entry is None:
            return DEFAULT_SIZE, DEFAULT_SIZE
        value, place = self._single(entry)
        match = re.fullmatch(r"([0-9]{1,3})(?::([0-9]{1,3}))?", value)
        if match is None:
            message = f"the size {brief(value)} is no number; write it as in SZ[11] or SZ[11:9]"
            raise self.source.error(message, place)
        sides = int(match[1]), int(match[2] or match[1])
        try:
            HexGrid(*sides)
            return sides
        except UserError as error:
            raise self.source.error(str(error), place) from None

    def set_up(self, record: Record, node: SgfNode) -> Record:
        """The record with the stones of a node, and with those that were played before it."""
        game = record.game()
        if record.moves:
            black, white = map(dict.fromkeys, _stones(game.start))
        else:
            black, white = map(dict.fromkeys, (record.black, record.white))
        for cell, place in self._cells(node, "AE", record.sides):
            if cell not in black | white:
                raise self.source.error(f"there is no stone on {cell}", place)
            for stones in (black, white):
                stones.pop(cell, None)
        added: set[str] = set()
        for name, mine, theirs in (("AB", black, white), ("AW", white, black)):
            if self._golem:
                mine, theirs = theirs, mine
            for cell, place in self._cells(node, name, record.sides):
                if cell in added:
                    raise self.source.error(f"there is a stone on {cell} already", place)
                added.add(cell)
                mine[cell] = None
                theirs.pop(cell, None)
        first = self._first(node) or (game.start.to_move if record.moves else record.first)
        return replace(
            record,
            black=tuple(black),
            white=tuple(white),
            first=first,
            moves=(),
        )

    def _first(self, node: SgfNode) -> Player | None:
        entry = node.properties.get("PL")
        if entry is None:
            return None
        value, place = self._single(entry)
        letter = value[:1].upper()
        if letter not in COLOURS or value.lower() not in (letter.lower(), COLOURS[letter].value):
            raise self.source.error(f"{brief(value)} is no player; write PL[B] or PL[W]", place)
        return self._player(letter)

    def properties(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        understood = ("FF", "GM", "SZ", *SETUP, *COLOURS)
        entries = [p for p in self.root.properties.values() if p.name not in understood]
        if not self._golem:
            return tuple((p.name, p.values) for p in entries)
        # Colours are exchanged, so the names of the players and the winner are, too.
        others = {"PB": "PW", "PW": "PB", "B": "W", "W": "B"}
        return tuple(
            (others.get(p.name, p.name), tuple(others.get(v, v) for v in p.values))
            if p.name in ("PB", "PW", "RE")
            else (p.name, p.values)
            for p in entries
        )

    def moves(self, node: SgfNode, sides: Sides) -> Iterator[tuple[Player, str, Place]]:
        entries = [node.properties[name] for name in COLOURS if name in node.properties]
        if len(entries) > 1:
            message = "a node has one move; begin a new node with ;"
            raise self.source.error(message, max(entries, key=lambda p: p.place).place)
        for move in entries:
            value, place = self._single(move)
            word = value.lower()
            if word in ("", "pass"):
                raise self.source.error("there is no passing in Hex", place)
            special = word in (*SWAPS, *ENDINGS)
            text = word if special else self._cell(word, sides, place)
            yield self._player(move.name), text, place

    def _cells(self, node: SgfNode, name: str, sides: Sides) -> Iterator[tuple[str, Place]]:
        """The cells of a property; `a1:b2` stands for the rectangle between two corners."""
        entry = node.properties.get(name)
        for value, place in zip(entry.values, entry.places, strict=True) if entry else ():
            corners = [
                parse_cell(self._cell(corner, sides, place)) or (0, 0)
                for corner in unescape(value).strip().lower().split(":", 1)
            ]
            (left, top), (right, bottom) = corners[0], corners[-1]
            if right < left or bottom < top:
                message = f"{brief(value)} runs backwards; begin at the upper left corner"
                raise self.source.error(message, place)
            for column in range(left, right + 1):
                for row in range(top, bottom + 1):
                    yield cell_name(column, row), place

    def _cell(self, word: str, sides: Sides, place: Place) -> str:
        if re.fullmatch("[a-z]{2}", word):  # Little Golem's
            word = f"{word[0]}{1 + ord(word[1]) - ord('a')}"
        coordinates = parse_cell(word) if len(word) < 10 else None
        if coordinates is None:
            message = f"{brief(word)} is no cell; write a letter and a number, as in c3"
            raise self.source.error(message, place)
        if any(at >= side for at, side in zip(coordinates, sides, strict=True)):
            last = cell_name(sides[0] - 1, sides[1] - 1)
            message = f"there is no cell {word} on this board; its last is {last}"
            raise self.source.error(message, place)
        return word

    def _single(self, entry: Property) -> tuple[str, Place]:
        """The value of a property that has only one, and its place."""
        if len(entry.values) > 1:
            message = f"{entry.name} takes one value, not {len(entry.values)}"
            raise self.source.error(message, entry.places[1])
        return unescape(entry.values[0]).strip(), entry.places[0]

    def _only(self, name: str, wanted: str, meaning: str) -> None:
        entry = self.root.properties.get(name)
        if entry is not None:
            value, place = self._single(entry)
            if value != wanted:
                message = f"{name}[{value[:20]}] is not understood; only {meaning}"
                raise self.source.error(message, place)
