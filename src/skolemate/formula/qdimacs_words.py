"""The words of a QDIMACS file: one at a time with their places, or many at once as numbers.

How words must be laid out on lines is known here; what they mean, in `qdimacs_read`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import NamedTuple

import numpy as np

from skolemate.errors import FileError, brief
from skolemate.formula.formula import Numbers

__all__ = ["Text", "Word", "has_one_clause_a_line", "numbers"]


_WORD = re.compile(rb"\S+")
_COMMENT = re.compile(rb"\n[ \t\r\f\v]*c[^\n]*")
_BAD_IN_COMMENT = re.compile(rb"[^ -~\t\n]")
_BAD_IN_LINE = re.compile(rb"[^ -~\n]|^ |(?<= ) | $|^$")
_BLANKS = bytes.maketrans(b"\t\n\v\f\r", b"     ")
_ADVICE = {
    b"\r": "a carriage return; save the file with line ends as on Unix",
    b"\t": "a tab; use one blank",
    b" ": "a blank too many; remove it",
    b"": "an empty line; remove it",
}


class Word(NamedTuple):
    """A word, or another piece of a line that a message points to."""

    text: bytes
    line: int
    column: int
    offset: int  # into the whole file

    @property
    def quoted(self) -> str:
        return brief(self.text.decode("ascii", "backslashreplace"))

    @property
    def end(self) -> Word:
        """The place behind the word."""
        return Word(b"", self.line, self.column + len(self.text), self.offset + len(self.text))


@dataclass(frozen=True)
class Text:
    """A file's content, read strictly or tolerantly."""

    data: bytes
    file: str
    tolerant: bool

    def error(self, message: str, word: Word) -> FileError:
        return FileError(message, self.file, word.line, word.column)

    @property
    def end(self) -> Word:
        line_start = self.data.rfind(b"\n") + 1
        column = 1 + len(self.data) - line_start
        return Word(b"", 1 + self.data.count(b"\n"), column, len(self.data))

    def words(self, offset: int, line_number: int, comments: bool) -> Iterator[Word]:
        """The words from the beginning of a line on, without comments.

        The strict reader looks at the layout of each line first, and may allow no comments.
        """
        stream = BytesIO(self.data)
        stream.seek(offset)
        for number, line in enumerate(stream, line_number):
            whole = Word(line, number, 1, offset)
            offset += len(line)
            if self.tolerant:
                comment = line.lstrip().startswith(b"c")
            else:
                comment = line.startswith((b"c ", b"c\n"))
                self._check_layout(whole, comment)
                if comment and not comments:
                    raise self.error("a comment behind the header; move it in front", whole)
            if not comment:
                yield from words_of(whole)

    def _check_layout(self, line: Word, comment: bool) -> None:
        bad = (_BAD_IN_COMMENT if comment else _BAD_IN_LINE).search(line.text)
        if bad:
            advice = _ADVICE.get(bad[0], f"byte 0x{bad[0].hex()} is no printable ASCII; remove it")
            raise self.error(advice, line._replace(column=1 + bad.start()))
        if not line.text.endswith(b"\n"):
            message = "the last line has no end, the file may be cut off; add a newline"
            raise self.error(message, line.end)


def words_of(line: Word) -> Iterator[Word]:
    """The words of a line.

    >>> [word.column for word in words_of(Word(b"p cnf 2", 1, 1, 0))]
    [1, 3, 7]
    """
    for match in _WORD.finditer(line.text):
        start = match.start()
        yield Word(match[0], line.line, line.column + start, line.offset + start)


def has_one_clause_a_line(piece: bytes) -> bool:
    """Whether every line is words with single blanks between, the last of them its only 0."""
    closed = piece.count(b" 0\n") == piece.count(b"\n") and piece[-1:] in (b"", b"\n")
    strange = (b"  ", b"\n ", b"\n0", b" 0 ", b"\t", b"\r", b"\f", b"\v", b"c")
    return closed and piece[:1] not in (b"0", b" ") and not any(text in piece for text in strange)


def numbers(piece: bytes) -> Numbers | None:
    """The numbers of a text; None if it has anything else but lines of comment below the first.

    >>> numbers(b"1 -20 0\\nc three\\n3 0")
    array([  1, -20,   0,   3,   0])
    >>> [numbers(b"1-2"), numbers(b"- 2"), numbers(b"-0"), numbers(b"007"), numbers(b"two")]
    [None, None, None, None, None]
    """
    if b"c" in piece:
        piece = _COMMENT.sub(b"", piece)
    text = b" " + piece.translate(_BLANKS) + b" "
    if text.translate(None, b"0123456789- "):
        return None
    if text.count(b"-") != text.count(b" -") or b"- " in text:
        return None
    values = np.fromstring(text, np.int64, sep=" ")
    # Numbers in their shortest form have as many characters as the text: no -0, no 007, and
    # nothing beyond 64 bits, which numpy cuts off.
    magnitudes = np.abs(values)
    length, bound = len(values) + int(np.count_nonzero(values < 0)), 10
    while bound < 10**18 and (longer := int(np.count_nonzero(magnitudes >= bound))):
        length, bound = length + longer, bound * 10
    return values if length == len(text) - text.count(b" ") else None
