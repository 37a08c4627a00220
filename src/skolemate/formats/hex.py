"""Reading `.hex` files: a Hex puzzle as its side and its stones.

The side comes first, then `b[c4]` and `w[a1]` for each stone, in any order; `%` begins a
comment. Nothing is said of turns and depth: Black moves first, and joins the first row to the
last.
"""

from __future__ import annotations

import re

from skolemate.errors import UserError
from skolemate.formats.pg_sections import Section
from skolemate.formats.sgf_record import Record
from skolemate.formats.source import Place, Source
from skolemate.games.coordinates import parse_cell
from skolemate.games.positional import PositionalGame

__all__ = ["read_hex"]

_STONE = re.compile(r"([bw])\[(\w+)\]", re.IGNORECASE)


def read_hex(source: Source) -> PositionalGame:
    """The position that a source describes.

    >>> print(read_hex(Source.of("a.hex", "% a puzzle\\n2\\nb[a1] w[b2]")).start)
          a b
        --X--
    1   \\ X . \\
     2 O \\ . O \\ O
           --X--
    """
    whole = Section(source, "", Place(0, 1), 0, len(source.text))
    words = whole.words()
    first = next(words, None)
    if first is None or not re.fullmatch("[1-9][0-9]{,2}", first.text):
        place = source.end if first is None else first.place
        raise source.error("a .hex file begins with the side of the board, such as 5", place)
    side, seen = int(first.text), set[tuple[int, int]]()
    stones: dict[str, list[str]] = {"b": [], "w": []}
    for word in words:
        match = _STONE.fullmatch(word.text)
        cell = parse_cell(match[2]) if match else None
        if match is None or cell is None or max(cell) >= side:
            message = f"{word.quoted} is no stone on this board, such as b[a1] or w[a1]"
            raise source.error(message, word.place)
        if cell in seen:
            raise source.error(f"{word.quoted}: the cell has a stone already", word.place)
        seen.add(cell)
        stones[match[1].lower()].append(match[2].lower())
    try:
        return Record(side, tuple(stones["b"]), tuple(stones["w"])).game()
    except UserError as error:  # each stone is right, but not all of them together
        raise source.error(str(error), source.end) from None
