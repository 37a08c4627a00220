"""What people paste: a game string, a link, any file, winning sets, or a drawn board."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from skolemate.errors import UserError
from skolemate.formats.hexworld import is_link, read_link
from skolemate.games import Game, Grid, HexGrid, Player
from skolemate.games.board import column_letters, column_name
from skolemate.play.web import views
from skolemate.play.web.runs import Storage
from skolemate.render.text import STONE

_LABEL = re.compile(r"\s*\d*")  # the number of a row
_CELL = re.compile(r"[XO.*]\d*\*?")  # as the command line draws it: a stone, its number, a star
_WORD = re.compile(r"[^\W\d][\w.]*")
_SETS_OF = re.compile(r"(black|white)\s*:\s*", re.IGNORECASE)


def pasted(storage: Storage, text: str, game: str | None) -> Game:
    """The game in a text. A drawn board needs the game that is open, unless it is a Hex board."""
    drawing = Drawing.parse(text)
    if drawing is not None:
        return drawing.game(storage, game)
    line = text.strip()
    if is_link(line):
        return storage.game(str(read_link(line)))
    if "\n" not in line and not line.startswith(("(", "{", "#")):
        return storage.game(line)
    listed = sets_as_pg(text)
    return storage.keep([("pasted", text) if listed is None else ("pasted.pg", listed)])


# --- drawn boards ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drawing:
    """Rows of X (Black), O (White) and `.`; slanted if each row begins further to the right."""

    rows: tuple[str, ...]
    slanted: bool

    @classmethod
    def parse(cls, text: str) -> Drawing | None:
        r"""A drawn board, with or without coordinates and sides, as `skolemate show` draws it.

        >>> Drawing.parse("  a b\n1 X .\n2[O]X")
        Drawing(rows=('X.', 'OX'), slanted=False)
        >>> Drawing.parse("X . .\n . O .\n  . . .").slanted
        True
        """
        rows: list[str] = []
        starts: list[int] = []
        for line in filter(str.strip, text.splitlines()):
            row = _row(line)
            if row is None:
                if rows and not _is_frame(line):
                    return None
                continue
            rows.append(row)
            starts.append(len(line) - len(line[_end_of_label(line) :].lstrip()))
        if len(rows) < 2:
            return None
        if len(set(map(len, rows))) > 1:
            lengths = " and ".join(str(len(row)) for row in rows)
            raise UserError(f"the rows of the drawn board have {lengths} cells; make them equal")
        return cls(tuple(rows), all(a < b for a, b in pairwise(starts)))

    def cells(self, player: Player) -> list[str]:
        return [
            f"{column_name(x)}{y + 1}"
            for y, row in enumerate(self.rows)
            for x, stone in enumerate(row)
            if stone == STONE[player]
        ]

    def game(self, storage: Storage, text: str | None) -> Game:
        """The game with these stones; who moves follows from their number."""
        width, height = len(self.rows[0]), len(self.rows)
        if self.slanted and width == height:
            text = f"hex(size={width})"
        if text is None:
            raise UserError("a drawn board does not tell its game: open the game, then paste it")
        board = storage.game(text).board
        if not isinstance(board, Grid | HexGrid) or (board.width, board.height) != (width, height):
            raise UserError(f"the drawn board is {width} by {height}, and that of {text} is not")
        black, white = (self.cells(player) for player in Player)
        first = Player.BLACK if len(black) <= len(white) else Player.WHITE
        return views.edited(storage, text, black, white, first.value)


def _end_of_label(line: str) -> int:
    found = _LABEL.match(line)
    assert found is not None, "it may be empty"
    return line.find("\\") + 1 if line.count("\\") == 2 else found.end()


def _row(line: str) -> str | None:
    """The cells of a row; None if the line is none."""
    cells = line[_end_of_label(line) :].rpartition("\\")[0 if line.count("\\") == 2 else 2]
    cells = re.sub(r"[\[\]|~\s]", " ", cells)
    if not cells.strip() or _CELL.sub("", cells).strip():
        return None
    return "".join(cell[0].replace("*", ".") for cell in _CELL.findall(cells))


def _is_frame(line: str) -> bool:
    """Whether a line has only coordinates, or the side of a board."""
    letters = line.split()
    return letters == column_letters(len(letters)) or not re.sub(r"[-~XO\s]", "", line)


# --- winning sets ---------------------------------------------------------------------------------


def sets_as_pg(text: str) -> str | None:
    """Winning sets as a `.pg` file: a set a line, White's after `White:`; None if it is no list.

    Without sets of White's, White is the Breaker.

    >>> print(sets_as_pg("{a, b}\\n{b, c}"))
    #positions
    a b c
    #blackwins
    a b
    b c
    """
    sets: dict[str, list[list[str]]] = {"black": [], "white": []}
    player = "black"
    for line in filter(str.strip, text.splitlines()):
        heading = _SETS_OF.match(line.strip())
        if heading:
            player = heading[1].lower()
            line = line.strip()[heading.end() :]
        words = re.sub(r"[{}(),;\s]+", " ", line).split()
        if not all(map(_WORD.fullmatch, words)):
            return None
        if words:
            sets[player].append(words)
    cells = dict.fromkeys(cell for listed in sets.values() for words in listed for cell in words)
    lines = ["#positions", " ".join(sorted(cells, key=_place))]
    for player, listed in sets.items():
        if listed:
            lines += [f"#{player}wins", *map(" ".join, listed)]
    return "\n".join(lines) if sets["black"] else None


def _place(cell: str) -> list[tuple[bool, int | str]]:
    """Cells in the order in which people count: a2 before a10."""
    parts = re.findall(r"\d+|\D+", cell)
    return [(part.isdigit(), int(part) if part.isdigit() else part) for part in parts]
