"""What solvers say: the answer and the assignment of the outermost block, in all dialects known.

Statements of an answer: `s cnf 1`, `SAT`, `c Satisfiable`, `TRUE` and their opposites. All that a
program says must agree. Assignments: lines `V 1 -2 0` (or `V  +1 -2`), or a bare row of literals.
"""

from __future__ import annotations

import re

__all__ = ["read_answer", "read_assignment"]

_STATEMENTS = re.compile(
    r"^(?:s cnf ([01])\b.*|(?:[sr] )?(SAT|UNSAT|TRUE|FALSE)|c (Satisfiable|Unsatisfiable))\s*$",
    re.MULTILINE,
)
_TRUE = {"1", "SAT", "TRUE", "Satisfiable"}
_ROW = re.compile(r"^(?:V\s+)?([+-]?[0-9]{1,9}(?:\s+[+-]?[0-9]{1,9})*)\s*$", re.MULTILINE)


def read_answer(text: str) -> bool | None:
    """What the text says; None if it says nothing, or contradicts itself.

    >>> read_answer("c hello\\ns cnf 1 3 4\\n"), read_answer("UNSAT\\n"), read_answer("c SAT?\\n")
    (True, False, None)
    """
    said = {"".join(filter(None, match)) in _TRUE for match in _STATEMENTS.findall(text)}
    return said.pop() if len(said) == 1 else None


def read_assignment(text: str) -> dict[int, bool]:
    """The values of variables in the text.

    >>> read_assignment("s cnf 1\\nV  +1 -2\\nV 3 0\\n")
    {1: True, 2: False, 3: True}
    """
    values: dict[int, bool] = {}
    for match in _ROW.finditer(text):
        for word in match[1].split():
            if int(word):
                values[abs(int(word))] = int(word) > 0
    return values
