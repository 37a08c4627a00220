"""Reading QDIMACS 1.1: strictly, with the place of every defect, or tolerantly.

A careful reader goes from word to word and knows all rules and messages. The clauses, nearly all
of a large file, are first tried in bulk, a piece at a time; from the first piece that has
anything remarkable about it the careful reader goes on. Writing is `qdimacs_write`.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from typing import NoReturn

import numpy as np

from skolemate.formula.formula import (
    Block,
    Formula,
    Literals,
    Numbers,
    Quantifier,
    bound_variables,
    merged,
)
from skolemate.formula.passes import tidied
from skolemate.formula.qdimacs_words import (
    Text,
    Word,
    has_one_clause_a_line,
    numbers,
    words_of,
)

__all__ = ["read_qdimacs"]

LARGEST = 2**30 - 1  # variable; beyond lie the builder's constants
HEADER = "`p cnf VARIABLES CLAUSES`"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

PIECE = 1 << 20  # bytes read in bulk at a time: what is read again to find the place of a defect

COUNT = re.compile(rb"0|[1-9][0-9]{,9}")
LITERAL = re.compile(rb"-?[1-9][0-9]*")
QUANTIFIERS = {b"e": Quantifier.EXISTS, b"a": Quantifier.FORALL}


def read_qdimacs(text: str | bytes, file: str = "text.qdimacs", tolerant: bool = False) -> Formula:
    """The formula of a QDIMACS file; a FileError names the first defect it meets, with its place.

    The strict reader takes what the standard describes and solvers agree on, one clause a line
    and one blank between words. It also refuses an empty clause: solvers differ on it, and where
    somebody wrote one, a clause got lost more often than the formula was meant to be false.

    The tolerant reader allows for comments and blanks anywhere, clauses across lines, a missing
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
    return _Reader(Text(data, file, tolerant)).read()


class _Reader:
    """Goes through one file; `word` is the next word, None at the end."""

    def __init__(self, text: Text) -> None:
        self.text, self.strict = text, not text.tolerant
        self.variables = 0  # as many as the header promises
        self.blocks: list[Block] = []
        self.bound: dict[int, int] = {}  # variables of the prefix, and the line that binds them
        self.words: Iterator[Word] = text.words(0, 1, comments=True)
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

    def read_header(self) -> Word:
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

    def read_block(self, quantifier: Word) -> None:
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

    def block_in_bulk(self, quantifier: Word) -> Literals | None:
        """What care would find, for a block on one line; None if it deserves a closer look."""
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

    def block_with_care(self, quantifier: Word) -> Literals:
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
        """What care would find in a piece; None if something in it deserves a closer look."""
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

    def check_clause(self, row: list[tuple[int, Word]], end: Word) -> None:
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

    def row(self, first: Word) -> Iterator[tuple[int, Word]]:
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

    def literal(self, word: Word) -> int:
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

    def rest_of_line(self, word: Word) -> Word:
        """The line from a word on, with its newline."""
        end = self.text.data.find(b"\n", word.offset) + 1 or len(self.text.data)
        return word._replace(text=self.text.data[word.offset : end])

    def go_to(self, offset: int, line: int) -> None:
        """Go on with the first word from the beginning of a line on; the header lies behind."""
        self.words = self.text.words(offset, line, comments=False)
        self.word = next(self.words, None)

    def fail(self, message: str, word: Word) -> NoReturn:
        raise self.text.error(message, word)
