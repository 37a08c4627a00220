"""The check of a certificate: nothing is believed but a SAT solver.

A certificate holds if it has a function for each variable of its side, if no function reads what is
chosen after its own variable, and if, with the functions in their places, the clauses cannot be
falsified (a true formula) or cannot be satisfied (a false one).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from skolemate.certificates.aig import Aig
from skolemate.certificates.certificate import Certificate, blocks_of, variables_of
from skolemate.errors import UserError
from skolemate.formula import Formula, Quantifier

if TYPE_CHECKING:
    from pysat.solvers import Solver

__all__ = ["Numbering", "Verification", "sat_solver", "verify"]

CHECKER = "cadical195"  # proves; the solver that helps to find functions need not be the same


class Verification(NamedTuple):
    """Whether a certificate holds; if not, why."""

    holds: bool
    reason: str | None = None


def sat_solver(name: str = CHECKER) -> Solver:
    """A SAT solver of python-sat, with a word about where to get it."""
    try:
        from pysat.solvers import Solver
    except ImportError:
        install = "install it with: pip install 'skolemate[solvers]'"
        raise UserError(f"certificates need python-sat: {install}") from None
    return Solver(name)


class Numbering:
    """The variables of a formula and the nodes of a graph in one SAT solver.

    Inputs keep the numbers of their variables; other nodes get numbers behind all variables.
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
        """What makes each variable the value of its function; more literals have theirs."""
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
            found = violated and solver.solve()
        else:
            for literals in formula.clauses():
                solver.add_clause(literals.tolist())
            found = formula.constant is not False and solver.solve()
        if not found:
            return Verification(True)
        if not certificate.true:
            return Verification(False, "the clauses can be satisfied")
        model = set(solver.get_model() or ())
    names = formula.legend.name
    for number, literals in enumerate(formula.clauses(), 1):
        if not model & set(literals.tolist()):
            said = " ∨ ".join(f"{'¬' * (lit < 0)}{names(abs(lit))}" for lit in literals.tolist())
            return Verification(False, f"clause {number} can be falsified: {said}")
    raise AssertionError("a model that falsifies no clause")


def _misfit(formula: Formula, certificate: Certificate) -> str | None:
    """Variables without a function, and functions without a variable."""
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
    """A function that reads what is chosen after its variable."""
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
