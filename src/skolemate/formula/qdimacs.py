"""QDIMACS, read and written: the format of most QBF solvers."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any, NamedTuple, NoReturn, TextIO

import numpy as np

from skolemate.errors import FileError, brief
from skolemate.formula.formula import (
    Block,
    Formula,
    Literals,
    Numbers,
    Quantifier,
    bound_variables,
    merged,
)
from skolemate.formula.passes import reduced_universally, tidied

# --- comments -------------------------------------------------------------------------------------


def write_comments(comments: Iterable[str], stream: TextIO, mark: str) -> None:
    """Write comments in ASCII, each line after a mark."""
    for comment in comments:
        ascii_only = comment.encode("ascii", "backslashreplace").decode()
        for line in ascii_only.splitlines() or [""]:
            stream.write(f"{mark} {line}".rstrip() + "\n")


# --- words ----------------------------------------------------------------------------------------
# One at a time with their places, or many at once as numbers. The layout of lines is checked here.


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


class Token(NamedTuple):
    """A word, or another part of a line that a message refers to."""

    text: bytes
    line: int
    column: int
    offset: int  # into the whole file

    @property
    def quoted(self) -> str:
        return brief(self.text.decode("ascii", "backslashreplace"))

    @property
    def end(self) -> Token:
        """The place behind the word."""
        return Token(b"", self.line, self.column + len(self.text), self.offset + len(self.text))


@dataclass(frozen=True)
class Text:
    """A file's content, read strictly or tolerantly."""

    data: bytes
    file: str
    tolerant: bool

    def error(self, message: str, word: Token) -> FileError:
        return FileError(message, self.file, word.line, word.column)

    @property
    def end(self) -> Token:
        line_start = self.data.rfind(b"\n") + 1
        column = 1 + len(self.data) - line_start
        return Token(b"", 1 + self.data.count(b"\n"), column, len(self.data))

    def words(self, offset: int, line_number: int, comments: bool) -> Iterator[Token]:
        """The words from the beginning of a line on, without comments.

        The strict reader checks the layout of each line first; `comments` says whether it allows
        any.
        """
        stream = BytesIO(self.data)
        stream.seek(offset)
        for number, line in enumerate(stream, line_number):
            whole = Token(line, number, 1, offset)
            offset += len(line)
            if self.tolerant:
                comment = line.lstrip().startswith(b"c")
            else:
                comment = line.startswith((b"c ", b"c\n"))
                self._check_layout(whole, comment)
                if comment and not comments:
                    raise self.error("a comment after the header; move it before the header", whole)
            if not comment:
                yield from words_of(whole)

    def _check_layout(self, line: Token, comment: bool) -> None:
        bad = (_BAD_IN_COMMENT if comment else _BAD_IN_LINE).search(line.text)
        if bad:
            advice = _ADVICE.get(bad[0], f"byte 0x{bad[0].hex()} is no printable ASCII; remove it")
            raise self.error(advice, line._replace(column=1 + bad.start()))
        if not line.text.endswith(b"\n"):
            message = "the last line has no end, the file may be cut off; add a newline"
            raise self.error(message, line.end)


def words_of(line: Token) -> Iterator[Token]:
    """The words of a line.

    >>> [word.column for word in words_of(Token(b"p cnf 2", 1, 1, 0))]
    [1, 3, 7]
    """
    for match in _WORD.finditer(line.text):
        start = match.start()
        yield Token(match[0], line.line, line.column + start, line.offset + start)


def has_one_clause_a_line(piece: bytes) -> bool:
    """Whether the words of every line are separated by single blanks, the last being its only 0."""
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


# --- reading --------------------------------------------------------------------------------------
# QDIMACS 1.1. A careful reader goes from word to word and has all rules and messages. The clauses,
# nearly all of a large file, are first read in bulk, a piece at a time; from the first irregular
# piece on the careful reader takes over.


LARGEST = 2**30 - 1  # largest variable; the builder's constants come after it
HEADER = "`p cnf VARIABLES CLAUSES`"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

PIECE = 1 << 20  # bytes read in bulk at a time; an irregular piece is read again with care

COUNT = re.compile(rb"0|[1-9][0-9]{,9}")
LITERAL = re.compile(rb"-?[1-9][0-9]*")
QUANTIFIERS = {b"e": Quantifier.EXISTS, b"a": Quantifier.FORALL}


def read_qdimacs(text: str | bytes, file: str = "text.qdimacs", tolerant: bool = False) -> Formula:
    """The formula of a QDIMACS file; a FileError names the first defect it meets, with its place.

    The strict reader accepts what the standard describes and solvers agree on, one clause a line
    and one blank between words. It also refuses an empty clause: solvers differ on it, and it is
    more often a lost clause than a formula that is meant to be false.

    The tolerant reader allows comments and blanks anywhere, clauses across lines, a missing
    0 at the end of the file, a wrong number of clauses, neighbouring blocks under one quantifier,
    an innermost ∀ and empty blocks. It binds free variables by an outermost ∃, drops repeated
    literals and tautologies, and keeps an empty clause: the formula is then false.

    >>> formula = read_qdimacs("p cnf 2 1\\ne 1 2 0\\n-1 2 0\\n")
    >>> formula.literals.tolist()
    [-1, 2]
    >>> read_qdimacs("p cnf 2 1\\ne 1 0\\n-1 2 0\\n")
    Traceback (most recent call last):
    skolemate.errors.FileError: text.qdimacs:3:4: variable 2 is free; quantify it in a block
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if tolerant:
        data = data.removeprefix(BYTE_ORDER_MARK)
    return _QdimacsReader(Text(data, file, tolerant)).read()


class _QdimacsReader:
    """Goes through one file; `word` is the next word, None at the end."""

    def __init__(self, text: Text) -> None:
        self.text, self.strict = text, not text.tolerant
        self.variables = 0  # as many as the header promises
        self.blocks: list[Block] = []
        self.bound: dict[int, int] = {}  # variables of the prefix, and the line that binds them
        self.words: Iterator[Token] = text.words(0, 1, comments=True)
        self.word = next(self.words, None)

    def read(self) -> Formula:
        promised = self.read_header()
        while self.word and self.word.text in QUANTIFIERS:
            innermost = self.word
            self.read_block(innermost)
        formula = self.formula(np.concatenate([np.zeros(0, np.int64), *self.clauses()]))
        if self.strict and self.blocks and self.blocks[-1].quantifier is Quantifier.FORALL:
            self.fail("the innermost block is ∀; drop it and its literals", innermost)
        if self.strict and formula.clause_count != int(promised.text):
            counts = f"{promised.text.decode()} clauses, the file has {formula.clause_count}"
            self.fail(f"the header promises {counts}; correct the header", promised)
        return formula

    def read_header(self) -> Token:
        """Read the header, and return the word with the number of clauses."""
        start = self.word
        if start is None:
            message = "no header" if self.text.data else "the file is empty"
            self.fail(f"{message}; begin with {HEADER}", self.text.end)
        if start.text != b"p":
            self.fail(f"expected the header {HEADER}, not {start.quoted}", start)
        rest = self.rest_of_line(start)
        fields = list(words_of(rest))
        if len(fields) != 4 or fields[1].text != b"cnf":
            self.fail(f"the header must be {HEADER}", start)
        for field in fields[2:]:
            if not COUNT.fullmatch(field.text) or int(field.text) > LARGEST:
                self.fail(f"{field.quoted} is no number up to {LARGEST}; write {HEADER}", field)
        self.variables = int(fields[2].text)
        self.go_to(rest.end.offset, start.line + 1)
        return fields[3]

    def read_block(self, quantifier: Token) -> None:
        """Read a block, whose quantifier is the next word."""
        variables = self.block_in_bulk(quantifier)
        if variables is None:
            variables = self.block_with_care(quantifier)
        block = Block(QUANTIFIERS[quantifier.text], variables)
        if self.strict and not len(block.variables):
            self.fail("an empty block; leave it out", quantifier)
        if self.strict and self.blocks and self.blocks[-1].quantifier is block.quantifier:
            self.fail("the same quantifier as in the block before; join the two", quantifier)
        self.blocks.append(block)

    def block_in_bulk(self, quantifier: Token) -> Literals | None:
        """The variables of a block on one regular line; None if it must be read with care."""
        rest = self.rest_of_line(quantifier)
        values = numbers(rest.text[1:])
        if values is None or not len(values) or values[-1]:
            return None
        variables = values[:-1]
        fresh = dict.fromkeys(variables.tolist(), quantifier.line)
        in_range = (variables > 0).all() and (variables <= self.variables).all()
        if not in_range or len(fresh) < len(variables) or not self.bound.keys().isdisjoint(fresh):
            return None
        self.bound.update(fresh)
        self.go_to(rest.end.offset, quantifier.line + 1)
        return variables.astype(np.int32)

    def block_with_care(self, quantifier: Token) -> Literals:
        variables = array("i")
        self.word = next(self.words, None)
        for value, word in self.row(quantifier):
            if value < 0:
                self.fail(f"{word.quoted} in a block; write the variable without its sign", word)
            if value in self.bound:
                message = f"variable {value} is quantified already, in line {self.bound[value]}"
                self.fail(f"{message}; keep one of the two", word)
            self.bound[value] = quantifier.line
            variables.append(value)
        self.finish_row()
        return np.array(variables, np.int32)

    def clauses(self) -> Iterator[Numbers]:
        """The literals of all clauses, with a 0 after each clause, in pieces."""
        data = self.text.data
        while self.word:
            start, line = self.word.offset, self.word.line
            end = data.find(b"\n", start + PIECE) + 1 or len(data)
            piece = data[start:end]
            values = self.clauses_in_bulk(piece)
            if values is None:
                yield self.clauses_with_care()
            else:
                yield values
                self.go_to(end, line + piece.count(b"\n"))

    def clauses_in_bulk(self, piece: bytes) -> Numbers | None:
        """The numbers of a regular piece; None if it must be read with care."""
        if self.strict and not has_one_clause_a_line(piece):
            return None
        values = numbers(piece)
        if values is None or np.abs(values).max(initial=0) > self.variables:
            return None
        if self.strict:
            formula = self.formula(values)
            if len(self.free(formula.literals)) or tidied(formula) is not formula:
                return None
        return values

    def clauses_with_care(self) -> Numbers:
        """All clauses from the next word on, one by one."""
        values = array("i")
        while self.word:
            row = list(self.row(self.word))
            if self.strict:
                self.check_clause(row, self.word)
            values.extend(value for value, _ in row)
            values.append(0)
            self.finish_row()
        return np.array(values, np.int64)

    def check_clause(self, row: list[tuple[int, Token]], end: Token) -> None:
        if not row:
            self.fail("an empty clause: the formula is false; decide it without a solver", end)
        seen: set[int] = set()
        for value, word in row:
            if abs(value) not in self.bound:
                self.fail(f"variable {abs(value)} is free; quantify it in a block", word)
            if value in seen:
                self.fail(f"literal {value} is in the clause twice; drop one", word)
            if -value in seen:
                self.fail(f"a clause with {-value} and {value} is always true; drop it", word)
            seen.add(value)

    def row(self, first: Token) -> Iterator[tuple[int, Token]]:
        """The numbers up to the closing 0, which remains the next word."""
        last = first
        while self.word is None or self.word.text != b"0":
            if self.word is None and not self.strict:
                return
            if self.word is None or (self.strict and self.word.line != first.line):
                self.fail("no 0 at the end of the line; add it", last.end)
            last = self.word
            yield self.literal(last), last
            self.word = next(self.words, None)

    def finish_row(self) -> None:
        """Step over the closing 0."""
        end, self.word = self.word, next(self.words, None)
        if self.strict and end and self.word and end.line == self.word.line:
            self.fail("text after the closing 0; begin a new line", self.word)

    def literal(self, word: Token) -> int:
        if word.text in QUANTIFIERS:
            self.fail(
                "a quantifier among literals; blocks end with 0 and come before all clauses", word
            )
        if word.text == b"p":
            self.fail("a second header; keep one of the two", word)
        if not LITERAL.fullmatch(word.text):
            self.fail(f"{word.quoted} is no literal; write a number such as 3 or -3", word)
        digits = word.text.removeprefix(b"-")
        if len(digits) > 10 or int(digits) > self.variables:
            limit = f"the header promises {self.variables} variables"
            self.fail(f"{word.quoted} is out of range: {limit}; correct one of the two", word)
        return int(word.text)

    def formula(self, values: Numbers) -> Formula:
        """The formula with these clauses, each with a 0 behind it (the last one perhaps not)."""
        if len(values) and values[-1]:
            values = np.append(values, 0)
        ends = np.flatnonzero(values == 0)
        offsets = np.concatenate([[0], ends - np.arange(len(ends))])
        literals = values[values != 0].astype(np.int32)
        if self.strict:
            return Formula(tuple(self.blocks), literals, offsets)
        outermost = Block(Quantifier.EXISTS, self.free(literals))
        return tidied(Formula(merged([outermost, *self.blocks]), literals, offsets))

    def free(self, literals: Literals) -> Literals:
        """The free variables, in order."""
        variables = np.abs(literals)
        return np.unique(variables[~np.isin(variables, bound_variables(self.blocks))])

    def rest_of_line(self, word: Token) -> Token:
        """The line from a word on, with its newline."""
        end = self.text.data.find(b"\n", word.offset) + 1 or len(self.text.data)
        return word._replace(text=self.text.data[word.offset : end])

    def go_to(self, offset: int, line: int) -> None:
        """Continue after the header with the first word from the beginning of a line on."""
        self.words = self.text.words(offset, line, comments=False)
        self.word = next(self.words, None)

    def fail(self, message: str, word: Token) -> NoReturn:
        raise self.text.error(message, word)


# --- writing --------------------------------------------------------------------------------------
# In the one canonical form that all solvers read alike: header exactly `p cnf n m`, single blanks,
# comments only in front, every variable of the prefix quantified once, neighbouring equal blocks
# joined, no empty block, no ∀ block at the end.


CHUNK = 1 << 20  # literals turned into text at a time: bounds the memory


def write_qdimacs(formula: Formula, stream: TextIO, comments: Iterable[str] = ()) -> None:
    """Write a formula; comments come first, one a line."""
    if formula.prefix and formula.prefix[-1].quantifier is Quantifier.FORALL:
        formula = reduced_universally(formula)
    write_comments(comments, stream, "c")
    stream.write(f"p cnf {formula.maximal_variable} {formula.clause_count}\n")
    texts = _Texts(formula)
    for block in formula.prefix:
        stream.write(f"{block.quantifier.value} {texts.of(block.variables)}0\n")
    ended = np.zeros(len(formula.literals) + formula.clause_count, np.int64)
    ended[_places(formula)] = formula.literals
    for start in range(0, len(ended), CHUNK):
        stream.write(texts.of(ended[start : start + CHUNK]))


def to_qdimacs(formula: Formula, comments: Iterable[str] = ()) -> str:
    """The text of a QDIMACS file.

    >>> print(to_qdimacs(Formula.of([("a", [1]), ("e", [2])], [[-1, 2], [1, -2]])), end="")
    p cnf 2 2
    a 1 0
    e 2 0
    -1 2 0
    1 -2 0
    """
    from io import StringIO

    stream = StringIO()
    write_qdimacs(formula, stream, comments)
    return stream.getvalue()


class _Texts:
    """Literals as texts, each made once; 0 ends a line. Few large numbers need no large table."""

    def __init__(self, formula: Formula) -> None:
        used = [formula.literals, *(block.variables for block in formula.prefix)]
        self._top = formula.maximal_variable
        self._listed: np.ndarray[tuple[int], np.dtype[np.int64]] | None = None
        numbers: Iterable[int] = range(-self._top, self._top + 1)
        if self._top > sum(map(len, used)):
            self._listed = np.unique(np.concatenate([np.zeros(1, np.int64), *used]))
            numbers = self._listed.tolist()
        self._texts = np.array([f"{number} " if number else "0\n" for number in numbers], object)

    def of(self, literals: np.ndarray[Any, np.dtype[Any]]) -> str:
        if self._listed is None:
            places = literals + self._top
        else:
            places = np.searchsorted(self._listed, literals)
        return "".join(self._texts[places].tolist())


def _places(formula: Formula) -> Literals | np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The place of each literal when every clause is followed by its closing 0."""
    clause_of = np.repeat(np.arange(formula.clause_count), np.diff(formula.offsets))
    return np.arange(len(formula.literals)) + clause_of
