"""Writing QDIMACS 1.1, in the one canonical form that all solvers read alike.

Header exactly `p cnf n m`, single blanks, comments only in front, every variable of the prefix
quantified once, neighbouring equal blocks joined, no empty block, no ∀ block at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

import numpy as np

from skolemate.formula.comments import write_comments
from skolemate.formula.formula import Formula, Literals, Quantifier
from skolemate.formula.passes import reduced_universally

__all__ = ["to_qdimacs", "write_qdimacs"]

CHUNK = 1 << 20  # literals turned into text at a time: bounds the memory


def write_qdimacs(formula: Formula, stream: TextIO, comments: Iterable[str] = ()) -> None:
    """Write a formula; comments come first, one a line."""
    if formula.prefix and formula.prefix[-1].quantifier is Quantifier.FORALL:
        formula = reduced_universally(formula)
    write_comments(comments, stream, "c")
    top = formula.maximal_variable
    stream.write(f"p cnf {top} {formula.clause_count}\n")
    words = _words(top)
    for block in formula.prefix:
        stream.write(f"{block.quantifier.value} ")
        stream.write("".join(words[block.variables + top].tolist()) + "0\n")
    for text in _clause_texts(formula, words, top):
        stream.write(text)


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


def _words(top: int) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    """Literal + top indexes its text; the entry for 0 ends a clause."""
    words = np.empty(2 * top + 1, object)
    words[:] = [f"{literal} " for literal in range(-top, top + 1)]
    words[top] = "0\n"
    return words


def _clause_texts(
    formula: Formula, words: np.ndarray[tuple[int], np.dtype[np.object_]], top: int
) -> Iterator[str]:
    ended = np.zeros(len(formula.literals) + formula.clause_count, np.int64)
    ended[_places(formula)] = formula.literals
    for start in range(0, len(ended), CHUNK):
        yield "".join(words[ended[start : start + CHUNK] + top].tolist())


def _places(formula: Formula) -> Literals | np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Where each literal goes once every clause before it has got its closing 0."""
    clause_of = np.repeat(np.arange(formula.clause_count), np.diff(formula.offsets))
    return np.arange(len(formula.literals)) + clause_of
