"""Functions for the variables quantified after the moves: witnesses of ∃, cells and halves of ∀.

Most of them follow by definitions (see `definitions`). Few are left:

- For a win ∃ chooses a witness, such as the cells of a winning set. It depends on the final
  position; for each of these a SAT solver finds it, for all choices of ∀ at once.
- For no win ∀ usually chooses last: its function is the first choice that violates a clause. To
  decide whether a choice does, the variables after it are expanded.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import product

from skolemate.certificates import certificate
from skolemate.certificates.automaton import State
from skolemate.certificates.definitions import Definitions
from skolemate.encodings import Encoded
from skolemate.encodings.encoding import Script
from skolemate.errors import UserError
from skolemate.formula import Formula, Quantifier

Choice = tuple[bool, ...]
LARGEST = 3_000_000  # clauses of an expansion at most
MOST_CASES = 100_000  # choices after the moves at most
HELPER = "cadical153"


def define_the_rest(
    encoded: Encoded, graph: certificate.Aig, known: dict[int, int], ends: Mapping[State, int]
) -> None:
    """Add functions for all variables that have none; the moves and all inputs have one."""
    formula = encoded.formula
    given = dict(known)
    definitions = Definitions(formula, graph, known)
    witnesses: _Witnesses | None = None
    while left := definitions.close():
        chosen = _outermost(encoded, left)
        if witnesses is None:
            witnesses = _Witnesses(encoded, graph, given, ends)
        for variable in chosen:
            definitions.add(variable, witnesses.function(variable))


def _outermost(encoded: Encoded, left: set[int]) -> list[int]:
    """The undefined variables of the outermost block that has any, without gates."""
    block, circuit = certificate.blocks_of(encoded.formula), encoded.circuit
    last = encoded.formula.maximal_variable if circuit is None else circuit.variable_count
    real = sorted(variable for variable in left if variable <= last)
    if not real or circuit is None:
        name = encoded.formula.legend.name(min(left))
        raise UserError(
            f"no function was found for {name}; does `check` accept the strategy? Then this is a "
            f"defect of how {encoded.encoding.name} is certified"
        )
    first = min(block[variable] for variable in real)
    return [variable for variable in real if block[variable] == first]


def _last_scripted(encoded: Encoded, block: Mapping[int, int]) -> int:
    """The innermost block with a variable of some move."""
    return max(
        (
            block[abs(literal)]
            for ply in (encoded.script or Script()).plies
            for cubes in (ply.seen, ply.chosen)
            for literals in cubes.values()
            for literal in literals
        ),
        default=-1,
    )


# --- witnesses of a win --------------------------------------------------------------------------


class _Witnesses:
    """Values of the variables that ∃ chooses after the moves, by final state and choice of ∀."""

    def __init__(
        self,
        encoded: Encoded,
        graph: certificate.Aig,
        given: dict[int, int],
        ends: Mapping[State, int],
    ) -> None:
        formula = encoded.formula
        self._graph, self._block = graph, certificate.blocks_of(formula)
        last = _last_scripted(encoded, self._block)
        self._choosing = [v for v in graph.variables if self._block[v] > last]
        if formula.clause_count << len(self._choosing) > LARGEST:
            raise UserError(f"this is too large to be certified by {encoded.encoding.name}")
        self._given = {v: f for v, f in given.items() if v not in set(graph.variables)}
        self._ends = ends
        self._copies: dict[tuple[int, Choice], int] = {}
        numbering = certificate.Numbering(formula, graph)
        self._top, self._last = numbering.top, last
        with certificate.sat_solver(HELPER) as solver:
            solver.append_formula(list(numbering.clauses(self._given, ends.values())))
            solver.append_formula(list(self._expanded(formula)))
            self._models = []
            for met in ends.values():
                if solver.solve(assumptions=[numbering.number(met)]):
                    self._models.append((met, set(solver.get_model() or ())))

    def _expanded(self, formula: Formula) -> Iterator[list[int]]:
        """The clauses for every choice of ∀ after the moves."""
        clauses = [clause.tolist() for clause in formula.clauses()]
        for choice in product((False, True), repeat=len(self._choosing)):
            fixed = dict(zip(self._choosing, choice, strict=True))
            number = {v: self._copy(v, choice) for v in self._block if v not in fixed}
            for clause in clauses:
                if not any(fixed.get(abs(x), x < 0) is (x > 0) for x in clause):
                    rest = (x for x in clause if abs(x) not in fixed)
                    yield [number[abs(x)] if x > 0 else -number[abs(x)] for x in rest]

    def _copy(self, variable: int, choice: Choice) -> int:
        """The copy of a variable for a choice of ∀; only the earlier part of the choice matters."""
        if self._block[variable] <= self._last:
            return variable
        key = variable, self._before(variable, choice)
        if key not in self._copies:
            self._top += 1
            self._copies[key] = self._top
        return self._copies[key]

    def _before(self, variable: int, choice: Choice) -> Choice:
        block = self._block
        pairs = zip(self._choosing, choice, strict=True)
        return tuple(value for v, value in pairs if block[v] < block[variable])

    def function(self, variable: int) -> int:
        """The function of a variable: its value for every final state and choice."""
        graph, before = self._graph, self._before(variable, (False,) * len(self._choosing))
        cases = []
        for choice in product((False, True), repeat=len(before)):
            number = self._copies.get((variable, choice), variable)
            met = graph.any_of(met for met, model in self._models if number in model)
            literals = (v if c else -v for v, c in zip(self._choosing, choice, strict=False))
            cases.append(graph.both(met, graph.cube(literals)))
        return graph.any_of(cases)


# --- refutations ---------------------------------------------------------------------------------


def refute_the_rest(encoded: Encoded, graph: certificate.Aig, known: dict[int, int]) -> None:
    """Add functions for the universal variables that have none: they are chosen after the moves."""
    formula = encoded.formula
    universal = certificate.variables_of(formula, Quantifier.FORALL)
    left = [variable for variable in universal if variable not in known]
    if not left:
        return
    refutation = _Refutation(encoded, left)
    for variables in refutation.universal_blocks():
        for variable, function in refutation.functions(variables).items():
            known[variable] = refutation.scratch.substituted(function, known, graph)


class _Refutation:
    """The clauses about variables after the moves, as one literal of a graph over these."""

    def __init__(self, encoded: Encoded, left: list[int]) -> None:
        formula = encoded.formula
        self._block = certificate.blocks_of(formula)
        last = _last_scripted(encoded, self._block)
        self.scratch = certificate.Aig(self._block, self._block)
        early = [v for v in self._block if self._block[v] <= last]
        universal = [
            v for v in certificate.variables_of(formula, Quantifier.FORALL) if v not in set(early)
        ]
        known = {v: self.scratch.literal(v) for v in (*early, *universal)}
        definitions = Definitions(formula, self.scratch, known)
        self._chosen: dict[int, list[int]] = defaultdict(list)
        for variable in left:
            self._chosen[self._block[variable]].append(variable)
        self._universal = set(left)
        self._later: list[int] = []  # variables that are chosen after the present ones
        self._known: dict[tuple[int, int], int] = {}
        while undefined := definitions.close():
            for variable in _outermost(encoded, undefined):
                definitions.add(variable, self.scratch.literal(variable))
                self._chosen[self._block[variable]].append(variable)
        late = [c for c in formula.clauses() if any(self._block[abs(x)] > last for x in c.tolist())]
        self._holds = self.scratch.all_of(
            self.scratch.any_of(known[abs(x)] ^ (x < 0) for x in clause.tolist()) for clause in late
        )

    def universal_blocks(self) -> Iterator[list[int]]:
        for block in sorted(self._chosen):
            if self._universal.issuperset(self._chosen[block]):
                yield self._chosen[block]

    def functions(self, variables: list[int]) -> dict[int, int]:
        """The first choice that leads to a violated clause, whatever is chosen after it."""
        inner = [self._chosen[b] for b in sorted(self._chosen) if b > self._block[variables[0]]]
        cases = 1 << sum(map(len, (variables, *inner)))
        if cases > MOST_CASES:
            raise UserError("there are too many ways to choose after the moves: this is too large")
        self._later, self._known = [v for block in inner for v in block], {}
        none, cases_of = certificate.TRUE, defaultdict[int, list[int]](list)
        for choice, holds in self._cases(self._holds, variables):
            lost = self._lost(holds, 0)
            first = self.scratch.both(none, lost)
            none = self.scratch.both(none, certificate.negated(lost))
            for variable, value in zip(variables, choice, strict=True):
                if value:
                    cases_of[variable].append(first)
        return {variable: self.scratch.any_of(cases_of[variable]) for variable in variables}

    def _cases(self, holds: int, variables: list[int]) -> Iterator[tuple[tuple[int, ...], int]]:
        """Every choice of values, with the literal for "the clauses hold" under it."""
        if not variables:
            yield (), holds
            return
        variable, *others = variables
        for value in (certificate.FALSE, certificate.TRUE):
            fixed = self.scratch.fixed(holds, variable, value)
            for choice, rest in self._cases(fixed, others):
                yield (value, *choice), rest

    def _lost(self, holds: int, place: int) -> int:
        """A literal for "∀ can violate a clause by the later variables from this one on"."""
        if place == len(self._later) or holds in (certificate.FALSE, certificate.TRUE):
            return certificate.negated(holds)
        if (holds, place) not in self._known:
            variable, scratch = self._later[place], self.scratch
            results = [
                self._lost(scratch.fixed(holds, variable, value), place + 1)
                for value in (certificate.FALSE, certificate.TRUE)
            ]
            joined = scratch.any_of if variable in self._universal else scratch.all_of
            self._known[holds, place] = joined(results)
        return self._known[holds, place]
