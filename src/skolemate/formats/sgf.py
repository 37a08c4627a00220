"""SGF for Hex (FF[4], GM[11]), read and written.

Coordinates are a letter and a number (c3). SGF has no depths and no restricted first moves.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from skolemate.errors import FileError, UserError, brief
from skolemate.formats.source import Place, Source
from skolemate.games.board import HexGrid, cell_name, parse_cell
from skolemate.games.family import build
from skolemate.games.game import Game, Move, Player, turns
from skolemate.games.goals import hex_goals
from skolemate.games.positional import PositionalGame
from skolemate.games.symmetry import cells_of

# --- syntax ---------------------------------------------------------------------------------------
# Nodes of properties with values, whatever the game. Of a tree of variations only the main line is
# kept (the first branch everywhere); the others are checked for syntax and left out.


LONGEST_GAME = 200_000  # nodes of the main line; beyond the cells of any board

# Possessive repetition: a value may be as long as the file.
_VALUE = re.compile(r"\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)
_NAME = re.compile(r"[A-Z]+")
_BLANKS = re.compile(r"\s*")


@dataclass(frozen=True)
class Property:
    """A property: its values as they stand in the file, and where the name and each value is."""

    name: str
    place: Place
    values: tuple[str, ...]
    places: tuple[Place, ...]


@dataclass(frozen=True)
class SgfNode:
    """The properties of a node, by name."""

    place: Place
    properties: dict[str, Property] = field(default_factory=dict)


def unescape(value: str) -> str:
    """The text that a value stands for: `\\x` is x, and an escaped line break is nothing.

    >>> unescape("a\\\\] b\\\\\\nc")
    'a] bc'
    """
    return re.sub(r"\\(\n|.)", lambda m: "" if m[1] == "\n" else m[1], value, flags=re.DOTALL)


def escape(text: str) -> str:
    """A text as a value.

    >>> escape("a] b")
    'a\\\\] b'
    """
    return text.replace("\\", "\\\\").replace("]", "\\]")


def main_line(source: Source) -> list[SgfNode]:
    """The nodes of the main line of the only game in a source."""
    return _Scanner(source).game()


class _Scanner:
    """Walks once over the text; holds nothing but the place it has reached."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.offset = 0
        # Places are asked for in order, so that lines are counted once.
        self._counted, self._line, self._line_start = 0, 1, 0
        self._skip_blanks()

    def game(self) -> list[SgfNode]:
        if self._next() != "(":
            what = "the file is empty" if not self._next() else f"{self._here()} is no SGF"
            raise self._error(f"{what}; a game begins with (;")
        nodes: list[SgfNode] = []
        # One entry for each open parenthesis: whether it is on the main line.
        main: list[bool] = []
        branched = False  # whether the main line's innermost variation has been read
        while True:
            character = self._next()
            if character == "(":
                main.append(all(main[-1:]) and not branched)
                self._advance()
                if self._next() != ";":
                    raise self._error(f"a node must follow the (, not {self._here()}; write (;")
            elif character == ";":
                node = self._node()
                if branched and main[-1]:
                    raise self.source.error("no node may follow a variation", node.place)
                if len(nodes) == LONGEST_GAME:
                    raise self.source.error("no game has this many moves", node.place)
                if main[-1]:
                    nodes.append(node)
            elif character == ")":
                branched = branched or main[-1]
                main.pop()
                self._advance()
                if not main:
                    self._nothing_more()
                    return nodes
            else:
                raise self._error(f"{self._here()} is not expected; write ; or ( or )")

    def _node(self) -> SgfNode:
        node = SgfNode(self._place())
        self._advance()
        while self._next() not in ("", "(", ")", ";"):
            entry = self._property()
            if entry.name in node.properties:
                message = f"property {entry.name} is twice in this node; join its values"
                raise self.source.error(message, entry.place)
            node.properties[entry.name] = entry
        return node

    def _property(self) -> Property:
        place = self._place()
        match = _NAME.match(self.source.text, self.offset)
        if match is None:
            raise self._error(f"{self._here()} is no property; their names are capital letters")
        self._advance(len(match[0]))
        values: list[str] = []
        places: list[Place] = []
        while self._next() == "[":
            places.append(self._place())
            value = _VALUE.match(self.source.text, self.offset)
            if value is None:
                raise self._error(f"this value of {brief(match[0])} has no end; close it with ]")
            values.append(value[1])
            self._advance(len(value[0]))
        if not values:
            raise self._error(f"property {brief(match[0])} has no value; write it in [ ]")
        return Property(match[0], place, tuple(values), tuple(places))

    def _nothing_more(self) -> None:
        if self._next() == "(":
            raise self._error("a second game begins here; keep one game a file")
        if self._next():
            raise self._error(f"{self._here()} stands behind the end of the game")

    def _next(self) -> str:
        return self.source.text[self.offset : self.offset + 1]

    def _advance(self, characters: int = 1) -> None:
        self.offset += characters
        self._skip_blanks()

    def _skip_blanks(self) -> None:
        match = _BLANKS.match(self.source.text, self.offset)
        self.offset = match.end() if match else self.offset

    def _here(self) -> str:
        """What stands here, for a message."""
        ahead = self.source.text[self.offset : self.offset + 100].split()
        return brief(ahead[0]) if ahead else "the end of the file"

    def _place(self) -> Place:
        text = self.source.text
        newline = text.rfind("\n", self._counted, self.offset)
        if newline >= 0:
            self._line += text.count("\n", self._counted, self.offset)
            self._line_start = newline + 1
        self._counted = self.offset
        return Place(self._line, 1 + self.offset - self._line_start)

    def _error(self, message: str) -> FileError:
        return self.source.error(message, self._place())


# --- records and writing --------------------------------------------------------------------------


SWAP_PIECES, SWAP_SIDES = SWAPS = ("swap-pieces", "swap-sides")
ENDINGS = ("resign", "forfeit")
MOVES_A_LINE = 10


@dataclass(frozen=True)
class Record:
    """The content of a file: size, setup stones, who begins (if stated), and the moves in order.

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
        for key, values in self.properties:
            if key == name:
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


# --- reading --------------------------------------------------------------------------------------
# Setup stones are in the first node; of the nodes after it only the moves count.


DEFAULT_SIZE = 11
COLOURS = {"B": Player.BLACK, "W": Player.WHITE}


def parse_sgf(text: str, file: str = "text.sgf") -> Record:
    """The record in a text, checked: its game can be played through.

    >>> record = parse_sgf("(;FF[4]GM[11]SZ[3]PB[Piet Hein];B[C3];W[resign])")
    >>> record.text("PB"), str(record.game())
    ('Piet Hein', 'hex(size=3, moves=c3)')
    """
    return read_sgf(Source.of(file, text))


def read_sgf(source: Source) -> Record:
    """The record in a source."""
    nodes = main_line(source)
    reader = _HexReader(source, nodes[0])
    size = reader.size()
    moves: list[tuple[Player, str]] = []
    places: list[Place] = []
    for node in nodes:
        for player, text, place in reader.moves(node, size):
            moves.append((player, text))
            places.append(place)
    record = Record(
        size,
        reader.stones("AB", size),
        reader.stones("AW", size),
        reader.first(),
        tuple(moves),
        reader.properties(),
    )
    reader.check_stones(size)
    try:
        record.game()
    except IllegalRecord as error:
        raise source.error(str(error), places[error.number]) from None
    except UserError as error:
        raise source.error(str(error), nodes[0].place) from None
    return record


@dataclass(frozen=True)
class _HexReader:
    """Reads the properties of the nodes as a game of Hex."""

    source: Source
    root: SgfNode

    def size(self) -> int:
        self._only("FF", "4", "FF[4]", required=False)
        self._only("GM", "11", "GM[11], which is Hex", required=True)
        entry = self.root.properties.get("SZ")
        if entry is None:
            return DEFAULT_SIZE
        value, place = self._single(entry)
        match = re.fullmatch(r"([0-9]{1,3})(?::([0-9]{1,3}))?", value)
        if match is None:
            message = f"the size {brief(value)} is no number; write it as in SZ[11]"
            raise self.source.error(message, place)
        if match[2] not in (None, match[1]):
            message = f"a board of {match[1]} by {match[2]} is not square, as Hex boards are here"
            raise self.source.error(message, place)
        try:
            return HexGrid(int(match[1]), int(match[1])).width
        except UserError as error:
            raise self.source.error(str(error), place) from None

    def stones(self, name: str, size: int) -> tuple[str, ...]:
        return tuple(cell for cell, _ in self._setup(name, size))

    def check_stones(self, size: int) -> None:
        """No cell is given twice."""
        seen: set[str] = set()
        for name in ("AB", "AW"):
            for cell, place in self._setup(name, size):
                if cell in seen:
                    raise self.source.error(f"there is a stone on {cell} already", place)
                seen.add(cell)

    def first(self) -> Player | None:
        entry = self.root.properties.get("PL")
        if entry is None:
            return None
        value, place = self._single(entry)
        player = COLOURS.get(value[:1].upper())
        if player is None or value.lower() not in (value[:1].lower(), player.value):
            raise self.source.error(f"{brief(value)} is no player; write PL[B] or PL[W]", place)
        return player

    def properties(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        understood = ("FF", "GM", "SZ", "AB", "AW", "PL", *COLOURS)
        entries = self.root.properties.values()
        return tuple((p.name, p.values) for p in entries if p.name not in understood)

    def moves(self, node: SgfNode, size: int) -> Iterator[tuple[Player, str, Place]]:
        for name in ("AB", "AW", "AE", "PL"):
            if name in node.properties and (node is not self.root or name == "AE"):
                message = f"{name} changes the position; put all setup stones into the first node"
                raise self.source.error(message, node.properties[name].place)
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
            text = word if special else self._cell(word, size, place)
            yield COLOURS[move.name], text, place

    def _setup(self, name: str, size: int) -> Iterator[tuple[str, Place]]:
        """The cells of AB or AW; `a1:b2` stands for the rectangle between two corners."""
        entry = self.root.properties.get(name)
        for value, place in zip(entry.values, entry.places, strict=True) if entry else ():
            corners = [
                parse_cell(self._cell(corner, size, place)) or (0, 0)
                for corner in unescape(value).strip().lower().split(":", 1)
            ]
            (left, top), (right, bottom) = corners[0], corners[-1]
            if right < left or bottom < top:
                message = f"{brief(value)} runs backwards; begin at the upper left corner"
                raise self.source.error(message, place)
            for column in range(left, right + 1):
                for row in range(top, bottom + 1):
                    yield cell_name(column, row), place

    def _cell(self, word: str, size: int, place: Place) -> str:
        coordinates = parse_cell(word) if len(word) < 10 else None
        if coordinates is None:
            message = f"{brief(word)} is no cell; write a letter and a number, as in c3"
            raise self.source.error(message, place)
        if max(coordinates) >= size:
            message = f"there is no cell {word} on this board; its last is "
            raise self.source.error(message + cell_name(size - 1, size - 1), place)
        return word

    def _single(self, entry: Property) -> tuple[str, Place]:
        """The value of a property that has only one, and its place."""
        if len(entry.values) > 1:
            message = f"{entry.name} takes one value, not {len(entry.values)}"
            raise self.source.error(message, entry.places[1])
        return unescape(entry.values[0]).strip(), entry.places[0]

    def _only(self, name: str, wanted: str, meaning: str, required: bool) -> None:
        entry = self.root.properties.get(name)
        if entry is None and required:
            raise self.source.error(f"{name} is missing; write {meaning}", self.root.place)
        if entry is not None:
            value, place = self._single(entry)
            if value != wanted:
                message = f"{name}[{value[:20]}] is not understood; only {meaning}"
                raise self.source.error(message, place)
