"""Functions for variables that are determined by other variables and the clauses.

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
from collections.abc import Iterable

from skolemate.certificates.certificate import FALSE, Aig, blocks_of, negated, sat_solver
from skolemate.formula import Formula

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
