"""Source text with places, so that every reader can say where an input file is wrong.

All formats decode their bytes here. Words are produced one at a time, so that a reader stops at
the first wrong one, however long the file is.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from skolemate.errors import FileError, UserError, brief, printable, reason

STDIN = "stdin"  # how the standard input is called in messages and as a game's name
LARGEST_FILE = 256 * 1024 * 1024  # bytes; the largest sensible file lists a million sets
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_WORD = re.compile(r"\S+")
_HALF_A_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")


class Place(NamedTuple):
    """Line and column in a file, both from 1."""

    line: int
    column: int


class Word(NamedTuple):
    """A piece of text without blanks, and where it begins."""

    text: str
    place: Place

    @property
    def quoted(self) -> str:
        return brief(self.text)


@dataclass(frozen=True)
class Source:
    """The text of a file, with lines that end in a newline whatever the file has.

    >>> source = Source.of("a.pg", "#times\\r\\nt1 t2\\r\\n")
    >>> source.place(source.text.index("t2"))
    Place(line=2, column=4)
    """

    file: str
    text: str

    @classmethod
    def of(cls, file: str, text: str) -> Source:
        return cls(file, text.replace("\r\n", "\n").replace("\r", "\n"))

    @classmethod
    def decode(cls, file: str, data: bytes) -> Source:
        """Bytes in UTF-8; anything else is an error at the first wrong byte."""
        data = data.removeprefix(BYTE_ORDER_MARK)
        try:
            return cls.of(file, data.decode())
        except UnicodeDecodeError as error:
            before = cls.of(file, data[: error.start].decode())
            message = f"byte 0x{data[error.start]:02x} is not UTF-8 text; save the file as UTF-8"
            raise before.error(message, before.end) from None

    @classmethod
    def load(cls, path: str) -> Source:
        """The content of a file; `-` is the standard input."""
        file = STDIN if path == "-" else printable(path)
        try:
            if path == "-":
                data = sys.stdin.buffer.read(LARGEST_FILE + 1)
            else:
                with open(path, "rb") as stream:
                    data = stream.read(LARGEST_FILE + 1)
        except (OSError, ValueError) as error:
            raise UserError(f"cannot read {brief(path, 200)}: {reason(error)}") from None
        if len(data) > LARGEST_FILE:
            raise UserError(
                f"{file} is larger than {LARGEST_FILE >> 20} MiB; this is too large for a game"
            )
        return cls.decode(file, data)

    def place(self, offset: int) -> Place:
        """Line and column of an offset into the text."""
        line_start = self.text.rfind("\n", 0, offset) + 1
        return Place(1 + self.text.count("\n", 0, offset), 1 + offset - line_start)

    @property
    def end(self) -> Place:
        return self.place(len(self.text))

    def error(self, message: str, place: Place) -> FileError:
        return FileError(message, self.file, *place)

    def words(self, start: int, end: int, line: int) -> Iterator[Word]:
        """The words between two offsets of one line, whose number the caller knows."""
        line_start = self.text.rfind("\n", 0, start) + 1
        for match in _WORD.finditer(self.text, start, end):
            yield Word(match[0], Place(line, 1 + match.start() - line_start))


def strict_json(text: str) -> Any:
    """JSON that has one meaning: no key twice, no NaN, no Infinity, no half of a character.

    Raises ValueError; a JSONDecodeError where the place is known.

    >>> strict_json('{"depth": 5, "depth": 7}')
    Traceback (most recent call last):
    ValueError: the key 'depth' is given twice
    """
    value = _JSON.decode(text)
    if _HALF_A_CHARACTER.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode()  # fails for half of a surrogate pair
        except UnicodeEncodeError:
            raise ValueError("half of a character is no text") from None
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {brief(twice)} is given twice")
    return entries


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number in JSON")


_JSON = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)
