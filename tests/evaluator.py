"""Truth values of formulas for tests: a small search, and Debian's DepQBF as a second opinion.

The search assigns the variables in the order of the prefix. What keeps it small are the three
textbook rules of QBF search: unit clauses, universal reduction, pure literals.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from skolemate.formula import Formula, Quantifier
from skolemate.formula.passes import reduced_universally
from skolemate.formula.qdimacs import to_qdimacs
from skolemate.limits import Budget, Limit
from skolemate.solvers import Pipeline

__all__ = ["caqe", "depqbf", "evaluate", "expanded", "outer_solutions"]

ANSWERS = {(10, "SAT"): True, (20, "UNSAT"): False}  # DepQBF's exit code and its last line


def evaluate(formula: Formula) -> bool:
    """Whether the formula is true.

    >>> evaluate(Formula.of([("a", [1]), ("e", [2])], [[-1, 2], [1, -2]]))
    True
    >>> evaluate(Formula.of([("e", [2]), ("a", [1])], [[-1, 2], [1, -2]]))
    False
    """
    search = _Search(formula)
    return search.consistent and search.holds()


def outer_solutions(formula: Formula) -> Iterator[frozenset[int]]:
    """All assignments of the outermost block, if it is ∃, under which the rest is true.

    Each is the set of its literals, one for every variable of the block. Without an outermost
    ∃ block, a true formula has the empty assignment and a false one has none.

    >>> formula = Formula.of([("e", [1, 2]), ("a", [3])], [[1, 2], [1, 3], [-1, -2]])
    >>> [sorted(solution) for solution in outer_solutions(formula)]
    [[-2, 1]]
    """
    outer = formula.outermost
    chosen = outer.variables.tolist() if outer and outer.quantifier is Quantifier.EXISTS else []
    search = _Search(formula)
    if search.consistent:
        yield from search.solutions(chosen)


def expanded(formula: Formula) -> Formula:
    """The formula without its innermost ∀ block: a copy of the rest for each of its values.

    Every copy gets variables of its own for what is quantified inside the block. Lifted encodings
    are hopeless for the search otherwise: there nothing follows from a move before ∀ has chosen.

    >>> small = expanded(Formula.of([("e", [1]), ("a", [2]), ("e", [3])], [[1, 2, 3], [-2, -3]]))
    >>> [clause.tolist() for clause in small.clauses()]
    [[-3], [1, 4]]
    """
    levels = [n for n, b in enumerate(formula.prefix) if b.quantifier is Quantifier.FORALL]
    if not levels:
        return formula
    outer, (block, *inner) = formula.prefix[: levels[-1]], formula.prefix[levels[-1] :]
    copied = [v for b in inner for v in b.variables.tolist()]
    top, clauses = formula.maximal_variable, [clause.tolist() for clause in formula.clauses()]
    names: list[int] = []
    rows: list[list[int]] = []
    for values in product((1, -1), repeat=len(block.variables)):
        chosen = {v * sign for v, sign in zip(block.variables.tolist(), values, strict=True)}
        fresh = copied if not names else range(top + 1, top + 1 + len(copied))
        top = top + len(copied) if names else top
        copy = dict(zip(copied, fresh, strict=True))
        names += fresh
        for clause in clauses:
            if chosen.isdisjoint(clause):
                row = [lit for lit in clause if -lit not in chosen]
                rows.append([copy.get(abs(lit), abs(lit)) * (1 if lit > 0 else -1) for lit in row])
    before = [(b.quantifier.value, b.variables.tolist()) for b in outer]
    return Formula.of([*before, ("e", names)], dict.fromkeys(map(tuple, rows)))


def depqbf(formula: Formula, seconds: float = 120) -> bool:
    """What DepQBF says. Anything but a clear answer is an error: no test may pass by silence."""
    formula = reduced_universally(formula)
    if formula.constant is not None:
        return formula.constant
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "formula.qdimacs")
        path.write_text(to_qdimacs(formula), encoding="ascii")
        try:
            run = subprocess.run(
                ["depqbf", str(path)], capture_output=True, text=True, timeout=seconds, check=False
            )
        except FileNotFoundError:
            install = "apt-get update && apt-get install -y depqbf"
            raise RuntimeError(f"depqbf is not installed; type: {install}") from None
    words = run.stdout.split()
    answer = ANSWERS.get((run.returncode, words[-1] if words else ""))
    if answer is None:
        raise RuntimeError(f"depqbf gave no answer: {run!r}")
    return answer


def caqe(formula: Formula) -> bool | None:
    """By another method than DepQBF's: clausal abstraction."""
    return Pipeline.parse("caqe").solve(formula, Budget(Limit(60))).truth


class _Search:
    """A partial assignment, its clauses, and the search below it."""

    def __init__(self, formula: Formula) -> None:
        self.order: list[int] = []  # the variables, outermost first
        self.level: dict[int, int] = {}  # the number of a variable's block
        self.universal: set[int] = set()
        for level, block in enumerate(formula.prefix):
            for variable in block.variables.tolist():
                assert variable not in self.level, f"variable {variable} is quantified twice"
                self.order.append(variable)
                self.level[variable] = level
                if block.quantifier is Quantifier.FORALL:
                    self.universal.add(variable)
        sets = [frozenset(clause.tolist()) for clause in formula.clauses()]
        self.clauses = [clause for clause in sets if not any(-lit in clause for lit in clause)]
        self.containing: dict[int, list[frozenset[int]]] = {
            literal: [] for variable in self.order for literal in (variable, -variable)
        }
        for clause in self.clauses:
            for literal in clause:
                self.containing[literal].append(clause)  # a KeyError is a free variable
        self.true: set[int] = set()
        self.trail: list[int] = []  # the true literals in the order of their assignment
        self.consistent = self.propagate(self.clauses)

    def holds(self, place: int = 0) -> bool:
        """Whether the formula is true below the present assignment, to which the caller returns.

        All variables before `place` in the prefix have a value.
        """
        for variable in self.order[place:]:
            place += 1
            if variable in self.true or -variable in self.true:
                continue
            *others, last = self.choices(variable)
            for literal in others:
                before = len(self.trail)
                value = self.assign(literal) and self.holds(place)
                self.undo(before)
                if value is not (variable in self.universal):
                    return value
            if not self.assign(last):  # now all depends on the last choice
                return False
        return True

    def choices(self, variable: int) -> list[int]:
        """The values to try: both, or the better one for the quantifier if it is never worse."""
        useful = [
            literal
            for literal in (variable, -variable)
            if any(self.true.isdisjoint(clause) for clause in self.containing[literal])
        ]
        if len(useful) == 2:
            return useful
        better = useful[0] if useful else variable
        return [-better if variable in self.universal else better]

    def solutions(self, chosen: list[int]) -> Iterator[frozenset[int]]:
        """The assignments of the chosen outermost variables under which the rest is true."""
        mark = len(self.trail)
        open_variables = [v for v in chosen if v not in self.true and -v not in self.true]
        if open_variables:
            for literal in (open_variables[0], -open_variables[0]):
                if self.assign(literal):
                    yield from self.solutions(chosen)
                self.undo(mark)
        elif self.holds():
            yield frozenset(v if v in self.true else -v for v in chosen)

    def assign(self, literal: int) -> bool:
        """Make a literal true, with all that follows; False if a clause is violated."""
        self.true.add(literal)
        self.trail.append(literal)
        return self.propagate(self.containing[-literal])

    def propagate(self, clauses: list[frozenset[int]]) -> bool:
        """Look at clauses that may have become units; False if a clause is violated."""
        waiting = list(clauses)
        while waiting:
            clause = waiting.pop()
            if not self.true.isdisjoint(clause):
                continue
            open_literals = [literal for literal in clause if -literal not in self.true]
            existential = [lit for lit in open_literals if abs(lit) not in self.universal]
            if not existential:  # ∀ falsifies whatever is left
                return False
            if len(existential) == 1 and self.others_inside(existential[0], open_literals):
                self.true.add(existential[0])
                self.trail.append(existential[0])
                waiting += self.containing[-existential[0]]
        return True

    def others_inside(self, existential: int, open_literals: list[int]) -> bool:
        """Whether all other open literals are inside this one, so that ∀ may falsify them."""
        level = self.level[abs(existential)]
        return all(self.level[abs(literal)] >= level for literal in open_literals)

    def undo(self, mark: int) -> None:
        while len(self.trail) > mark:
            self.true.remove(self.trail.pop())
