"""Certificates of formulas: a function for each variable of one quantifier, and their check.

Functions are nodes of an and-inverter graph; a SAT solver verifies them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from skolemate.errors import UserError
from skolemate.formula import Formula, Quantifier

if TYPE_CHECKING:
    from pysat.solvers import Solver


# --- and-inverter graphs --------------------------------------------------------------------------
# Inputs, conjunctions of two literals, and negation. A literal is twice the number of a node, plus
# one for its negation; 0 is false and 1 true, as in AIGER. Nodes are numbered inputs first, each
# conjunction after the nodes it reads, and kept once. For every node the innermost quantifier block
# of its inputs is kept: a function may only read what is chosen before its own variable.


FALSE, TRUE = 0, 1


def negated(literal: int) -> int:
    return literal ^ 1


class Aig:
    """An and-inverter graph, to which nodes are added.

    >>> graph = Aig([7, 9])
    >>> x, y = graph.literal(7), graph.literal(-9)
    >>> graph.both(x, y) == graph.both(y, x), graph.both(x, x ^ 1), graph.both(x, 1) == x
    (True, 0, True)
    """

    def __init__(self, variables: Iterable[int], blocks: Mapping[int, int] | None = None) -> None:
        self.variables = list(variables)  # of the formula: the inputs
        self.gates: list[tuple[int, int]] = []
        self._node = {variable: node for node, variable in enumerate(self.variables, 1)}
        self._known: dict[tuple[int, int], int] = {}
        place = blocks or {}
        self._latest = [-1, *(place.get(variable, 0) for variable in self.variables)]

    def literal(self, variable: int) -> int:
        """An input, negated if the variable is."""
        return 2 * self._node[abs(variable)] + (variable < 0)

    @property
    def first_gate(self) -> int:
        """The number of the first node that is a conjunction."""
        return len(self.variables) + 1

    def gate(self, literal: int) -> tuple[int, int] | None:
        """The two literals that a literal's node reads; None if it is an input."""
        place = (literal >> 1) - self.first_gate
        return self.gates[place] if place >= 0 else None

    def latest(self, literal: int) -> int:
        """The innermost block of the variables that a literal depends on; -1 if on none."""
        return self._latest[literal >> 1]

    def both(self, one: int, other: int) -> int:
        """The conjunction of two literals."""
        if one > other:
            one, other = other, one
        if one == FALSE or one ^ other == 1:
            return FALSE
        if one in (TRUE, other):
            return other
        literal = self._known.get((one, other))
        if literal is None:
            self.gates.append((one, other))
            self._latest.append(max(self._latest[one >> 1], self._latest[other >> 1]))
            literal = self._known[one, other] = 2 * (self.first_gate + len(self.gates) - 1)
        return literal

    def all_of(self, literals: Iterable[int]) -> int:
        """A conjunction as a tree of least depth."""
        waiting = sorted(set(literals))
        while len(waiting) > 1:
            pairs = zip(waiting[::2], waiting[1::2], strict=False)
            joined = [self.both(one, other) for one, other in pairs]
            waiting = joined + waiting[len(waiting) & ~1 :]
        return waiting[0] if waiting else TRUE

    def any_of(self, literals: Iterable[int]) -> int:
        return self.all_of(literal ^ 1 for literal in literals) ^ 1

    def cube(self, literals: Iterable[int]) -> int:
        """The conjunction of literals of the formula, which are inputs."""
        return self.all_of(map(self.literal, literals))

    def substituted(self, root: int, values: Mapping[int, int], into: Aig | None = None) -> int:
        """A literal after replacing some variables by other literals, here or in another graph."""
        target = self if into is None else into
        made = {0: FALSE}
        for node in self.cone([root]):
            reads = self.gate(2 * node)
            if reads is not None:
                one, other = (made[part >> 1] ^ (part & 1) for part in reads)
                made[node] = target.both(one, other)
            elif node:
                variable = self.variables[node - 1]
                value = values.get(variable)
                made[node] = target.literal(variable) if value is None else value
        return made[root >> 1] ^ (root & 1)

    def fixed(self, root: int, variable: int, value: int) -> int:
        """A literal after replacing a variable by FALSE or TRUE."""
        node = self._node[variable]
        made = {node: value}
        gates, latest, first, both = self.gates, self._latest, self.first_gate, self.both
        place = latest[node]
        waiting = [root >> 1]
        while waiting:
            here = waiting[-1]
            if here in made:
                waiting.pop()
            elif here < first or latest[here] < place:
                made[here] = 2 * here
            else:
                one, other = gates[here - first]
                missing = [part >> 1 for part in (one, other) if part >> 1 not in made]
                if missing:
                    waiting += missing
                else:
                    made[here] = both(made[one >> 1] ^ (one & 1), made[other >> 1] ^ (other & 1))
        return made[root >> 1] ^ (root & 1)

    def cone(self, roots: Iterable[int]) -> list[int]:
        """The nodes on which some literals depend, in order."""
        seen = {root >> 1 for root in roots}
        waiting = list(seen)
        while waiting:
            reads = self.gate(2 * waiting.pop())
            for part in reads or ():
                if part >> 1 not in seen:
                    seen.add(part >> 1)
                    waiting.append(part >> 1)
        return sorted(seen)


# --- certificates ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Certificate:
    """Skolem functions if the formula is `true`, Herbrand functions if not.

    The inputs of the graph are the variables of the other quantifier. Variables are numbered as in
    the formula.
    """

    true: bool
    graph: Aig
    functions: Mapping[int, int]

    @property
    def size(self) -> int:
        """The number of gates on which some function depends."""
        used = self.graph.cone(self.functions.values())
        return sum(node >= self.graph.first_gate for node in used)


def variables_of(formula: Formula, quantifier: Quantifier) -> list[int]:
    """The variables under a quantifier, outermost first."""
    blocks = (block for block in formula.prefix if block.quantifier is quantifier)
    return [variable for block in blocks for variable in block.variables.tolist()]


def blocks_of(formula: Formula) -> dict[int, int]:
    """The number of the block of every variable."""
    return {
        variable: number
        for number, block in enumerate(formula.prefix)
        for variable in block.variables.tolist()
    }


def graph_for(formula: Formula, true: bool) -> Aig:
    """An empty graph over the variables that a certificate may read."""
    quantifier = Quantifier.FORALL if true else Quantifier.EXISTS
    return Aig(variables_of(formula, quantifier), blocks_of(formula))


# --- verification ---------------------------------------------------------------------------------
# A certificate holds if it has a function for each variable of its quantifier, if no function reads
# what is chosen after its own variable, and if a SAT solver proves that the clauses with the
# functions inserted cannot be falsified (a true formula) or cannot be satisfied (a false one).


CHECKER = "cadical195"  # the solver that checks; another one may help to find functions


class Verification(NamedTuple):
    """Whether a certificate holds; if not, why."""

    holds: bool
    reason: str | None = None


def sat_solver(name: str = CHECKER) -> Solver:
    """A SAT solver of python-sat; the error says how to install it."""
    try:
        from pysat.solvers import Solver
    except ImportError:
        install = "install it with: pip install 'skolemate[solvers]'"
        raise UserError(f"certificates need python-sat: {install}") from None
    return Solver(name)


class Numbering:
    """The variables of a formula and the nodes of a graph in one SAT solver.

    Inputs keep the numbers of their variables; other nodes get numbers after all variables.
    """

    def __init__(self, formula: Formula, graph: Aig) -> None:
        self._graph = graph
        self._shift = formula.maximal_variable + 1
        self.top = self._shift + len(graph.variables) + len(graph.gates) + 1

    def number(self, literal: int) -> int:
        """A literal of the graph as one of the solver's."""
        node, graph = literal >> 1, self._graph
        inside = 1 <= node < graph.first_gate
        variable = graph.variables[node - 1] if inside else self._shift + node
        return -variable if literal & 1 else variable

    def clauses(
        self, functions: Mapping[int, int], more: Iterable[int] = ()
    ) -> Iterator[list[int]]:
        """Clauses that make each variable equal to its function, and define some more literals."""
        yield [-self.number(0)]
        for node in self._graph.cone([*functions.values(), *more]):
            reads = self._graph.gate(2 * node)
            if reads is not None:
                one, other, gate = map(self.number, (*reads, 2 * node))
                yield from ([-gate, one], [-gate, other], [gate, -one, -other])
        for variable, literal in functions.items():
            number = self.number(literal)
            yield from ([-variable, number], [variable, -number])


def verify(formula: Formula, certificate: Certificate) -> Verification:
    """Whether a certificate proves the truth value of a formula."""
    wrong = _misfit(formula, certificate) or _hindsight(formula, certificate)
    if wrong is not None:
        return Verification(False, wrong)
    numbering = Numbering(formula, certificate.graph)
    with sat_solver() as solver:
        for clause in numbering.clauses(certificate.functions):
            solver.add_clause(clause)
        if certificate.true:
            violated = _some_clause_is_false(solver, formula, numbering.top)
            refuted = violated and solver.solve()
        else:
            for literals in formula.clauses():
                solver.add_clause(literals.tolist())
            refuted = formula.constant is not False and solver.solve()
        if not refuted:
            return Verification(True)
        if not certificate.true:
            return Verification(False, "the clauses can be satisfied")
        model = set(solver.get_model() or ())
    names = formula.legend.name
    for number, literals in enumerate(formula.clauses(), 1):
        if not model & set(literals.tolist()):
            shown = " ∨ ".join(f"{'¬' * (lit < 0)}{names(abs(lit))}" for lit in literals.tolist())
            return Verification(False, f"clause {number} can be falsified: {shown}")
    raise AssertionError("a model that falsifies no clause")


def _misfit(formula: Formula, certificate: Certificate) -> str | None:
    """Why functions and variables do not match; None if they do."""
    sides = (Quantifier.EXISTS, Quantifier.FORALL)
    own, other = sides if certificate.true else sides[::-1]
    for wanted, given, what in (
        (variables_of(formula, other), certificate.graph.variables, "an input"),
        (variables_of(formula, own), list(certificate.functions), "a function"),
    ):
        differing = sorted(set(wanted) ^ set(given))
        if differing or len(given) != len(wanted):
            name = formula.legend.name(differing[0]) if differing else "some variable"
            missing = bool(differing) and differing[0] in set(wanted)
            wrong = f"is not {what}, and should be" if missing else f"must not be {what}"
            return f"it is not for this formula: {name} {wrong}"
    return None


def _hindsight(formula: Formula, certificate: Certificate) -> str | None:
    """A complaint about a function that reads what is chosen after its variable; None if none."""
    block, graph = blocks_of(formula), certificate.graph
    latest = [-1] + [block[variable] for variable in graph.variables]
    for one, other in graph.gates:
        latest.append(max(latest[one >> 1], latest[other >> 1]))
    for variable, literal in certificate.functions.items():
        if latest[literal >> 1] > block[variable]:
            return f"the function of {formula.legend.name(variable)} reads what is chosen later"
    return None


def _some_clause_is_false(solver: Solver, formula: Formula, top: int) -> bool:
    """State that a clause is violated; False if there is none to violate."""
    flags = range(top + 1, top + 1 + formula.clause_count)
    for flag, literals in zip(flags, formula.clauses(), strict=True):
        for literal in literals.tolist():
            solver.add_clause([-flag, -literal])
    solver.add_clause(list(flags))
    return bool(flags)
