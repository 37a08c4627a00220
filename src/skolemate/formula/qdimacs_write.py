"""Writing QDIMACS 1.1, in the one canonical form that all solvers read alike.

Header exactly `p cnf n m`, single blanks, comments only in front, every variable of the prefix
quantified once, neighbouring equal blocks joined, no empty block, no ∀ block at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TextIO

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
    """Literals as texts, each made once; 0 ends a line. A few large numbers need no large table."""

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
    """Where each literal goes once every clause before it has got its closing 0."""
    clause_of = np.repeat(np.arange(formula.clause_count), np.diff(formula.offsets))
    return np.arange(len(formula.literals)) + clause_of
