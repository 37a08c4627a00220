"""Names of cells: the letter is the column, the number the row, row 1 at the top.

After z comes aa, as in a spreadsheet. Columns and rows count from 0 inside the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

__all__ = ["cell_name", "column_letters", "column_name", "parse_cell", "rectangle"]

_CELL = re.compile(r"([a-z]{1,6})([1-9][0-9]{0,8})")


@cache
def column_name(column: int) -> str:
    """
    >>> [column_name(c) for c in (0, 25, 26, 701, 702)]
    ['a', 'z', 'aa', 'zz', 'aaa']
    """
    letters = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def column_letters(width: int) -> list[str]:
    """The names of the first columns, from left to right."""
    return [column_name(column) for column in range(width)]


def cell_name(column: int, row: int) -> str:
    """
    >>> cell_name(2, 0)
    'c1'
    """
    return f"{column_name(column)}{row + 1}"


def parse_cell(text: str) -> tuple[int, int] | None:
    """Column and row of a cell name, or None if this is not one.

    >>> parse_cell("aa10"), parse_cell("x"), parse_cell("a0")
    ((26, 9), None, None)
    """
    match = _CELL.fullmatch(text.lower())
    if not match:
        return None
    letters, row = match.groups()
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - ord("a") + 1
    return column - 1, int(row) - 1


def rectangle(names: Iterable[str]) -> tuple[int, int] | None:
    """Width and height if these are exactly the cells of a full board, else None.

    >>> rectangle(["a1", "a2", "b2", "b1"]), rectangle(["a1", "b2"])
    ((2, 2), None)
    """
    places = [parse_cell(name) for name in names]
    known = {place for place in places if place is not None}
    if not known or len(known) < len(places):
        return None
    width = 1 + max(column for column, _ in known)
    height = 1 + max(row for _, row in known)
    return (width, height) if width * height == len(known) else None
