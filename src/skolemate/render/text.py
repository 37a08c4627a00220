"""A position as plain text.

X is a black stone, O a white one, `.` an open cell. `[X]` is the last move, `*` a highlighted
open cell, `X*` a highlighted stone, `X7` a stone with a number.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

from skolemate.games.board import Board, Cube, Facts, Grid, HexGrid, column_letters, column_name
from skolemate.games.game import Game, Move, Player, Position, Stuck
from skolemate.games.goals import Connection
from skolemate.games.symmetry import cells_of, mask_of
from skolemate.output import sentence
from skolemate.render.layout import Marks, coordinates_of, loose_borders, owner_of, side_owners

# --- descriptions ---------------------------------------------------------------------------------
# A position in words; pictures carry them as title and description.


def status(position: Position) -> str:
    """Whose move it is, or how the game ended."""
    called = position.game.called
    if position.winner is not None:
        return f"{called(position.winner)} has won"
    if position.moves():
        assert position.to_move is not None, "somebody can move"
        return f"{called(position.to_move)} to move"
    loses = position.game.stuck(position) is Stuck.LOSES
    return f"{position.to_move} cannot move and loses" if loses else "a draw"


def move_names(game: Game, move: Move, player: Player, joined: str = " = ") -> str:
    """A move's name, and the short one that people use if there is one."""
    name, short = game.move_name(move), game.short_name(move, player)
    return name if short == name else f"{name}{joined}{short}"


def goal_sentences(game: Game) -> list[str]:
    """Which borders a player joins, where they are no sides of the board; who loses by a set."""
    sentences = [
        f"{player} joins {game.board.named(goal.start) or 'nothing'}"
        f" to {game.board.named(goal.end) or 'nothing'}."
        for player, goal in loose_borders(game).items()
    ]
    completed = {p: goal for p in Player if (goal := game.completes(p)) is not None}
    if completed and game.misere:
        what = {p: "path" if isinstance(g, Connection) else "set" for p, g in completed.items()}
        sentences += [f"{p.opponent} wins when {p} completes a {what[p]}." for p in completed]
    return sentences


def description(position: Position, marks: Marks) -> str:
    """Everything that the picture shows.

    >>> from skolemate.games.family import build
    >>> start = build("tictactoe(moves=a1 b2)").start
    >>> description(start, Marks.of(start))
    'Black: a1. White: b2. Black to move.'
    """
    board, sides = position.game.board, side_owners(position.game)
    sentences = [
        f"{player}: {board.named(position.stones(player)) or 'no stones'}." for player in Player
    ]
    sentences.append(sentence(status(position)))
    if sides.rows is not None:
        sentences.append(f"{sides.rows} joins top and bottom.")
    if sides.columns is not None:
        sentences.append(f"{sides.columns} joins left and right.")
    sentences += goal_sentences(position.game)
    if marks.last:
        sentences.append(f"Last move: {board.named(mask_of(marks.last))}.")
    if marks.highlighted:
        sentences.append(f"Highlighted: {board.named(mask_of(marks.highlighted))}.")
    if marks.numbers:
        ordered = sorted(marks.numbers.items(), key=lambda item: (item[1], item[0]))
        numbered = ", ".join(f"{value} on {board.names[cell]}" for cell, value in ordered)
        sentences.append(f"Numbers: {numbered}.")
    if marks.arrows:
        drawn = ", ".join(f"{board.names[a]} to {board.names[b]}" for a, b in marks.arrows)
        sentences.append(f"Arrows: {drawn}.")
    return " ".join(sentences)


# --- boards ---------------------------------------------------------------------------------------


WIDTH = 80  # characters; lists and rows of layers are wrapped there, a single board is never cut
STONE = {Player.BLACK: "X", Player.WHITE: "O"}


@dataclass(frozen=True)
class _Token:
    """The text of one cell; blank where the board has no cell."""

    body: str = ""
    bracketed: bool = False


BLANK = _Token()


def text(
    position: Position,
    *,
    last: Move | str | None = None,
    highlights: Iterable[int | str] = (),
    numbers: Mapping[int, int] | None = None,
    width: int = WIDTH,
) -> str:
    """A position as a drawing in ASCII characters. Moves and cells are given by number or name.

    - `position`: the position to draw.
    - `last`: the last move, shown in brackets: `[X]`.
    - `highlights`: cells to mark with a star.
    - `numbers`: numbers by cell, written behind the stones.
    - `width`: the characters after which lists of cells and rows of layers are wrapped.

    >>> from skolemate.games.family import build
    >>> game = build("tictactoe(moves=b2 a1)")
    >>> print(text(game.start, last="a1"))
      a b c
    1[O]. .
    2 . X .
    3 . . .
    """
    board = position.game.board
    marks = Marks.of(position, last=last, highlights=highlights, numbers=numbers)
    tokens = _tokens(position, marks)
    if isinstance(board, HexGrid):
        lines = _rhombus(position, board, tokens)
    elif isinstance(board, Grid):
        lines = _rectangle(board, tokens)
    elif isinstance(board, Cube):
        lines = _layers(board, tokens, width)
    elif isinstance(board, Facts):
        lines = _facts(position, board, width)
    else:
        lines = _graph(board, tokens, width)
    for goal in goal_sentences(position.game):
        lines += _wrapped(goal, width)
    return "\n".join(line.rstrip() for line in lines)


def _tokens(position: Position, marks: Marks) -> list[_Token]:
    """What is written in every cell: the symbol, its number, and a star on a stone."""
    tokens = []
    for cell in range(position.game.board.size):
        owner = owner_of(position, cell)
        highlighted = cell in marks.highlighted
        symbol = STONE[owner] if owner is not None else "*" if highlighted else "."
        star = "*" if highlighted and owner is not None else ""
        tokens.append(_Token(f"{symbol}{marks.numbers.get(cell, '')}{star}", cell in marks.last))
    return tokens


# --- the parts of all drawings ---------------------------------------------------------------


def _pitch(tokens: Iterable[_Token], letters: Iterable[str]) -> int:
    """The width of a column: its widest content and a gap, in which brackets are written."""
    return 1 + max(len(word) for word in [*(token.body for token in tokens), *letters])


def _row(tokens: Sequence[_Token], pitch: int) -> str:
    """A row of cells, with a gap at both ends."""
    line = [" "] * (len(tokens) * pitch + 1)
    for column, token in enumerate(tokens):
        gap = column * pitch
        end = gap + 1 + len(token.body)
        line[gap + 1 : end] = token.body
        if token.bracketed:
            line[gap] = "|" if line[gap] == "]" else "["  # two neighbours share the gap: [.|X]
            line[end] = "]"
    return "".join(line)


def _table(
    rows: Sequence[Sequence[_Token]],
    letters: Sequence[str],
    first_row: int = 1,
    wrapping: bool = False,
) -> list[str]:
    """A rectangle with its coordinates; `~` along edges that are joined, on a torus."""
    pitch = _pitch((token for row in rows for token in row), letters)
    labels = [str(first_row + y) for y in range(len(rows))]
    label_width = max(len(label) for label in labels)
    left, right = (" ~", "~") if wrapping else ("", "")
    margin = " " * (label_width + len(left))
    wave = [margin + _row([_Token("~")] * len(letters), pitch)] if wrapping else []
    return [
        margin + _row([_Token(letter) for letter in letters], pitch),
        *wave,
        *(
            label.rjust(label_width) + left + _row(row, pitch) + right
            for label, row in zip(labels, rows, strict=True)
        ),
        *wave,
    ]


def _wrapped(sentence: str, width: int) -> list[str]:
    return wrap(sentence, width, break_long_words=False, break_on_hyphens=False)


# --- the kinds of boards ---------------------------------------------------------------------


def _rectangle(board: Grid, tokens: Sequence[_Token]) -> list[str]:
    return _table(_rows(board, tokens), column_letters(board.width), wrapping=board.torus)


def _rows(board: Grid | HexGrid, tokens: Sequence[_Token]) -> list[list[_Token]]:
    """The tokens row by row, with blanks for holes."""
    content = dict(zip(board.places, tokens, strict=True))
    return [[content.get((x, y), BLANK) for x in range(board.width)] for y in range(board.height)]


def _rhombus(position: Position, board: HexGrid, tokens: Sequence[_Token]) -> list[str]:
    """Each row half a cell to the right of the one above; the owner's letter on each side."""
    owners = side_owners(position.game)
    letters = column_letters(board.width)
    pitch = _pitch(tokens, letters)
    pitch += pitch % 2  # so that half a cell is a whole number of characters
    label_width = len(str(board.height))
    edge = (STONE[owners.rows] if owners.rows else "-").center(board.width * pitch + 1, "-")
    flank = STONE[owners.columns] if owners.columns else " "
    lines = [
        " " * (label_width + 4) + _row([_Token(letter) for letter in letters], pitch),
        " " * (label_width + 3) + edge,
    ]
    for y, row in enumerate(_rows(board, tokens)):
        owner = flank if y == board.height // 2 else " "  # outside, lest it look like a stone
        cells = _row(row, pitch)
        indent = " " * (y * pitch // 2)
        lines.append(f"{indent}{y + 1:>{label_width}} {owner} \\{cells}\\ {owner}")
    # The half-turn of the board takes the upper edge to the lower one.
    lines.append(" " * (label_width + 3 + (board.height + 1) * pitch // 2) + edge)
    return lines


def _layers(board: Cube, tokens: Sequence[_Token], width: int) -> list[str]:
    """The layers side by side, in as many rows as they need."""
    side = board.side
    blocks = []
    for z in range(side):
        layer = tokens[z::side]
        table = _table([layer[y::side] for y in range(side)], column_letters(side))
        heading = " " * (len(str(side)) + 1) + f"layer {z + 1}"
        blocks.append([heading, *table])
    block_width = max(len(line.rstrip()) for block in blocks for line in block) + 3
    per_row = max(1, (width + 3) // block_width)
    lines: list[str] = []
    for first in range(0, side, per_row):
        if first:
            lines.append("")
        abreast = zip(*blocks[first : first + per_row], strict=True)
        lines += ["".join(line.rstrip().ljust(block_width) for line in row) for row in abreast]
    return lines


def _graph(board: Board, tokens: Sequence[_Token], width: int) -> list[str]:
    """A table if the names of all cells are coordinates, else a list of cells."""
    places = coordinates_of(board)
    if places is None:
        items = [
            f"{name}:[{token.body}]" if token.bracketed else f"{name}:{token.body}"
            for name, token in zip(board.names, tokens, strict=True)
        ]
        return _wrapped(" ".join(items), width)
    content = dict(zip(places, tokens, strict=True))
    columns = range(min(x for x, _ in places), max(x for x, _ in places) + 1)
    rows = range(min(y for _, y in places), max(y for _, y in places) + 1)
    return _table(
        [[content.get((x, y), BLANK) for x in columns] for y in rows],
        [column_name(x) for x in columns],
        first_row=rows[0] + 1,
    )


BLANKS = ("b", "blank", "empty")  # contents that are shown as open cells
_CELL = re.compile(r"(\w+)\(([0-9]{1,2}),([0-9]{1,2}),([^(),]+)\)")


def _facts(position: Position, board: Facts, width: int) -> list[str]:
    """Facts such as cell(1,2,x) as boards, columns by the first number; the others in a list."""
    every = {name: match for name in board.names if (match := _CELL.fullmatch(name))}
    holding = [board.names[cell] for cell in cells_of(position.occupied)]
    lines: list[str] = []
    for relation in dict.fromkeys(match[1] for match in every.values()):
        places = [(int(m[2]), int(m[3])) for m in every.values() if m[1] == relation]
        content = {
            (int(m[2]), int(m[3])): _Token("." if m[4] in BLANKS else m[4])
            for name in holding
            if (m := every.get(name)) and m[1] == relation
        }
        columns, rows = (range(min(n), max(n) + 1) for n in zip(*places, strict=True))
        lines += _table(
            [[content.get((x, y), _Token(".")) for x in columns] for y in rows],
            [str(x) for x in columns],
            first_row=rows[0],
        )
    rest = " ".join(name for name in holding if name not in every)
    return lines + _wrapped(rest, width)
