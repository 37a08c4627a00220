"""What solvers say: the answer and the assignment of the outermost block, in all dialects known.

Statements of an answer: `s cnf 1`, `SAT`, `c Satisfiable`, `TRUE` and their opposites. All that a
program says must agree. Assignments: lines `V 1 -2 0` (or `V  +1 -2`, `v 1 -2 0`), a bare row of
literals, or Qubi's `Example: 1=true 2=false`.
"""

from __future__ import annotations

import re

__all__ = ["read_answer", "read_assignment"]

_STATEMENTS = re.compile(
    r"^(?:s cnf ([01])\b.*|(?:[sr] |Result: )?(SAT|UNSAT|TRUE|FALSE)"
    r"|c (Satisfiable|Unsatisfiable))\s*$",
    re.MULTILINE,
)
_TRUE = {"1", "SAT", "TRUE", "Satisfiable"}
_ROW = re.compile(r"^(?:[Vv]\s+)?([+-]?[0-9]{1,9}(?:\s+[+-]?[0-9]{1,9})*)\s*$", re.MULTILINE)
_EXAMPLE = re.compile(r"^Example: (.*)$", re.MULTILINE)
_VALUE = re.compile(r"(?<!\S)([0-9]{1,9})=(true|false)(?!\S)")


def read_answer(text: str, alone: bool = False) -> bool | None:
    """What the text says; None if it says nothing, or contradicts itself.

    If it is `alone`, with no exit code to confirm it, it must say TRUE or FALSE once, and end with
    a whole line.

    >>> read_answer("c hello\\ns cnf 1 3 4\\n"), read_answer("UNSAT\\n"), read_answer("c SAT?\\n")
    (True, False, None)
    """
    words = ["".join(match) for match in _STATEMENTS.findall(text)]
    if alone and (words not in (["TRUE"], ["FALSE"]) or not text.endswith("\n")):
        return None
    said = {word in _TRUE for word in words}
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
    for line in _EXAMPLE.findall(text):
        values |= {int(variable): value == "true" for variable, value in _VALUE.findall(line)}
    return values
