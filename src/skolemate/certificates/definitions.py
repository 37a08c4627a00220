"""Functions for all variables except the moves: first those that clauses define, then the others.

Given the moves, most variables of a formula are determined: a board by the board before and a move,
a gate by its inputs. A clause *forces* a literal if its other literals are false. A clause with the
literal x is *ready* if all its other variables have functions that x may depend on. Then x can be
defined as "some ready clause forces x" in each of three cases:

- all clauses with x are ready: nothing else ever needs x to be true;
- one ready clause is false exactly when x must not be true, as in the definition of a gate;
- a SAT solver proves that in no model another clause needs x while no ready clause does.

For then x can be made false in every other model. The same holds for ¬x. Variables that depend on
each other in circles, as cells reached along paths do, get the least solution if their clauses are
Horn clauses.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from skolemate.certificates import certificate
from skolemate.certificates.automaton import State
from skolemate.certificates.certificate import FALSE, Aig, blocks_of, negated, sat_solver
from skolemate.encodings import Encoded
from skolemate.encodings.encoding import Script
from skolemate.errors import UserError
from skolemate.formula import Formula, Quantifier

Clause = list[int]
HELPER = "glucose4"  # a SAT solver that is quick at many small questions
PATIENCE = 300  # conflicts after which a question is given up


class Definitions:
    """Adds definitions to the known functions until no more variable can be defined."""

    def __init__(self, formula: Formula, graph: Aig, known: dict[int, int]) -> None:
        self.graph, self.known = graph, known
        self._block = blocks_of(formula)
        self._clauses: list[Clause] = [clause.tolist() for clause in formula.clauses()]
        self._with: dict[int, list[int]] = defaultdict(list)  # clauses by literal
        self._unknown = [0] * len(self._clauses)
        self._solver = sat_solver(HELPER)
        self._top = formula.maximal_variable
        self._waiting: deque[int] = deque()
        for number, clause in enumerate(self._clauses):
            self._solver.add_clause(clause)
            for literal in clause:
                self._with[literal].append(number)
            self._unknown[number] = sum(abs(literal) not in known for literal in clause)
            self._note(number)
        self._undefined = {v for v in self._block if v not in known}
        self._waiting.extend(sorted(self._undefined))
        self._doubtful: set[int] = set()  # variables about which the solver may be asked

    def close(self) -> set[int]:
        """Define all variables that can be; returns the others."""
        while True:
            while self._waiting:
                variable = self._waiting.popleft()
                if variable in self._undefined and not self._define_at_once(variable):
                    self._doubtful.add(variable)
            self._doubtful &= self._undefined
            if self._doubtful:
                variable = min(self._doubtful)  # the outermost: others may follow at once
                self._doubtful.remove(variable)
                self._define_by_solver(variable)
            elif not self._define_in_circles():
                return self._undefined

    def add(self, variable: int, function: int) -> None:
        """Add the function of a variable."""
        self.known[variable] = function
        self._undefined.discard(variable)
        for sign in (variable, -variable):
            for number in self._with[sign]:
                self._unknown[number] -= 1
                self._note(number)

    def _note(self, number: int) -> None:
        """If a clause has only one undefined variable left, put that variable on the list."""
        if self._unknown[number] == 1:
            variables = map(abs, self._clauses[number])
            self._waiting.append(next(v for v in variables if v not in self.known))

    # --- one variable ----------------------------------------------------------------------------

    def _value(self, literal: int) -> int:
        return self.known[abs(literal)] ^ (literal < 0)

    def _speaks(self, number: int, literal: int) -> bool:
        """Whether a clause is ready for a literal: the literal may depend on all others in it."""
        others = (other for other in self._clauses[number] if other != literal)
        return self._unknown[number] == 1 and all(self._in_time(x, literal) for x in others)

    def _in_time(self, other: int, literal: int) -> bool:
        """Whether a known literal depends on nothing that is chosen later than another literal."""
        return self.graph.latest(self._value(other)) <= self._block[abs(literal)]

    def _implied(self, literal: int, numbers: Iterable[int], value: dict[int, int]) -> int:
        """A function for "some of these clauses force the literal", by the values of the others."""
        rest = ([x for x in self._clauses[number] if x != literal] for number in numbers)
        return self.graph.any_of(
            self.graph.all_of(negated(value[abs(x)] ^ (x < 0)) for x in others) for others in rest
        )

    def _define_at_once(self, variable: int) -> bool:
        """Define a variable by the first two cases: all its clauses are ready, or it is a gate."""
        for literal in (variable, -variable):
            numbers = self._with[literal]
            speaking = [number for number in numbers if self._speaks(number, literal)]
            if len(speaking) < len(numbers):
                speaking = [number for number in speaking if self._is_gate(number, literal)][:1]
            if speaking or not numbers:
                forced = self._implied(literal, speaking, self.known)
                self.add(variable, forced if literal > 0 else negated(forced))
                return True
        return False

    def _is_gate(self, number: int, literal: int) -> bool:
        """Whether a clause forces a literal exactly if no other clause forbids it."""
        clause = self._clauses[number]
        pairs = {x for n in self._with[-literal] if len(c := self._clauses[n]) == 2 for x in c}
        return all(-other in pairs for other in clause if other != literal)

    def _define_by_solver(self, variable: int) -> None:
        """Define a variable by the third case, for which a SAT solver is asked."""
        for literal in (variable, -variable):
            numbers = self._with[literal]
            speaking = [number for number in numbers if self._speaks(number, literal)]
            others = [number for number in numbers if number not in set(speaking)]
            if speaking and not self._is_needed(literal, speaking, others):
                forced = self._implied(literal, speaking, self.known)
                self.add(variable, forced if literal > 0 else negated(forced))
                return

    def _is_needed(self, literal: int, forcing: list[int], others: list[int]) -> bool:
        """Whether in some model one of `others` needs the literal, and none of `forcing` does."""
        guard = self._new()
        for number in forcing:
            self._solver.add_clause([-guard, *(x for x in self._clauses[number] if x != literal)])
        needs = [self._new() for _ in others]
        for need, number in zip(needs, others, strict=True):
            for other in self._clauses[number]:
                if other != literal:
                    self._solver.add_clause([-need, -other])
        self._solver.add_clause([-guard, *needs])
        self._solver.conf_budget(PATIENCE)
        needed = self._solver.solve_limited(assumptions=[guard, literal])
        self._solver.add_clause([-guard])
        return needed is not False

    def _new(self) -> int:
        self._top += 1
        return self._top

    # --- several variables -----------------------------------------------------------------------

    def _define_in_circles(self) -> bool:
        """The least solution of the Horn clauses of as many variables as possible."""
        members = self._horn(self._undefined)
        if not members:
            return False
        values = dict.fromkeys(members, FALSE)
        for _ in members:  # the fixpoint takes at most so many steps
            value = {**self.known, **values}
            values = {v: self._implied(v, self._with[v], value) for v in members}
        for variable, function in values.items():
            self.add(variable, function)
        return True

    def _horn(self, members: set[int]) -> set[int]:
        """The largest set of variables whose clauses otherwise have known and negated members."""
        members = set(members)
        while True:
            fitting = {v for v in members if self._is_horn(v, members)}
            if fitting == members:
                return members
            members = fitting

    def _is_horn(self, variable: int, members: set[int]) -> bool:
        block = self._block[variable]
        return all(
            self._in_time(other, variable)
            if abs(other) in self.known
            else -other in members and self._block[-other] == block
            for number in self._with[variable]
            for other in self._clauses[number]
            if other != variable
        )


# --- variables after the moves --------------------------------------------------------------------
# Witnesses of ∃, cells and halves of ∀. Most of them have definitions. Few are left:
#
# - For a win ∃ chooses a witness, such as the cells of a winning set. It depends on the final
#   position; for each of these a SAT solver finds it, for all choices of ∀ at once.
# - For no win ∀ usually chooses last: its function is the first choice that violates a clause. To
#   decide whether a choice does, the variables after it are expanded.


Choice = tuple[bool, ...]
LARGEST = 3_000_000  # clauses of an expansion at most
MOST_CASES = 100_000  # choices after the moves at most
TAIL_SOLVER = "cadical153"


def define_the_rest(
    encoded: Encoded, graph: certificate.Aig, known: dict[int, int], ends: Mapping[State, int]
) -> None:
    """Add functions for all variables that have none; the moves and all inputs have one."""
    formula = encoded.formula
    known |= dict.fromkeys((encoded.script or Script()).claims, FALSE)
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
            f"no function was found for {name}. Check the strategy with `check`; if it holds, "
            f"please report an error in certifying {encoded.encoding.name}"
        )
    first = min(block[variable] for variable in real)
    return [variable for variable in real if block[variable] == first]


def _last_scripted(encoded: Encoded, block: Mapping[int, int]) -> int:
    """The innermost block with a variable of some move."""
    return max(
        (
            block[abs(literal)]
            for ply in (encoded.script or Script()).plies
            for part in (ply, ply.other)
            if part is not None
            for cubes in (part.seen, part.chosen)
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
            raise UserError(f"this is too large to certify with {encoded.encoding.name}")
        self._given = {v: f for v, f in given.items() if v not in set(graph.variables)}
        self._ends = ends
        self._copies: dict[tuple[int, Choice], int] = {}
        numbering = certificate.Numbering(formula, graph)
        self._top, self._last = numbering.top, last
        with certificate.sat_solver(TAIL_SOLVER) as solver:
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
            raise UserError("this is too large to certify: the moves leave too many choices open")
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
