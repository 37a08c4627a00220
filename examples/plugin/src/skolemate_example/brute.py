"""A QBF solver of forty lines: it tries out every value, outermost variable first.

Exit code and last line are those of all QBF solvers: 10 for true, 20 for false.
"""

import sys
from pathlib import Path

Clauses = list[list[int]]


def main() -> int:
    prefix, clauses = read(Path(sys.argv[1]).read_text(encoding="ascii"))
    sys.setrecursionlimit(10_000)
    true = holds(prefix, clauses)
    print(f"s cnf {int(true)}")
    return 10 if true else 20


def read(text: str) -> tuple[list[int], Clauses]:
    """The variables in order, universal ones negative, and the clauses of a QDIMACS file."""
    prefix, clauses = [], []
    for line in text.splitlines():
        match line.split():
            case ["c" | "p", *_] | []:
                pass
            case ["e" | "a" as quantifier, *words]:
                sign = 1 if quantifier == "e" else -1
                prefix += [sign * int(word) for word in words[:-1]]
            case words:
                clauses.append([int(word) for word in words[:-1]])
    return prefix, clauses


def holds(prefix: list[int], clauses: Clauses) -> bool:
    if not clauses or [] in clauses:
        return not clauses
    variable, rest = prefix[0], prefix[1:]
    branches = (holds(rest, assigned(clauses, literal)) for literal in (variable, -variable))
    return any(branches) if variable > 0 else all(branches)


def assigned(clauses: Clauses, literal: int) -> Clauses:
    """What is left of the clauses once the literal is true."""
    return [[other for other in c if other != -literal] for c in clauses if literal not in c]


if __name__ == "__main__":
    sys.exit(main())
