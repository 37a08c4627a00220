"""Functions for the variables that follow from others by the clauses of their formula.

Once the moves are known, most variables are: a board follows from the board before and a move, a
gate from its inputs. A clause forces a literal if its other literals are false. Consider the
clauses with x that speak, apart from x, only of variables that are known, in time for the block of
x. Then x may be defined as true only if one of these forces it,

- when these are all clauses with x: nothing else ever needs x to be true;
- when one of these is false if and only if x must not be true, as in the definition of a gate;
- when in no model of the clauses another clause needs x to be true and none of these does: so says
  a SAT solver.

For then x can be made false in every other model. The same holds of ¬x. Variables that depend on
each other in circles, as cells reached along paths do, get the least solution if their clauses are
Horn clauses.
"""

from collections import defaultdict, deque
from collections.abc import Iterable

from skolemate.certificates.certificate import FALSE, Aig, blocks_of, negated, sat_solver
from skolemate.formula import Formula

Clause = list[int]
HELPER = "glucose4"  # quick at many small questions
PATIENCE = 300  # conflicts, for one question


class Definitions:
    """Adds definitions to the functions that are known, for as long as there are any."""

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
        """Define what can be defined; returns the variables that are left."""
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
        """A function that was found elsewhere."""
        self.known[variable] = function
        self._undefined.discard(variable)
        for sign in (variable, -variable):
            for number in self._with[sign]:
                self._unknown[number] -= 1
                self._note(number)

    def _note(self, number: int) -> None:
        """A clause has come to have one unknown variable, perhaps."""
        if self._unknown[number] == 1:
            variables = map(abs, self._clauses[number])
            self._waiting.append(next(v for v in variables if v not in self.known))

    # --- one variable ----------------------------------------------------------------------------

    def _value(self, literal: int) -> int:
        return self.known[abs(literal)] ^ (literal < 0)

    def _speaks(self, number: int, literal: int) -> bool:
        """Whether a clause speaks of known variables apart from a literal, in time for it."""
        others = (other for other in self._clauses[number] if other != literal)
        return self._unknown[number] == 1 and all(self._in_time(x, literal) for x in others)

    def _in_time(self, other: int, literal: int) -> bool:
        """Whether a known literal does not depend on anything chosen later than another."""
        return self.graph.latest(self._value(other)) <= self._block[abs(literal)]

    def _implied(self, literal: int, numbers: Iterable[int], value: dict[int, int]) -> int:
        """Whether some of these clauses force a literal, given the values of all others."""
        rest = ([x for x in self._clauses[number] if x != literal] for number in numbers)
        return self.graph.any_of(
            self.graph.all_of(negated(value[abs(x)] ^ (x < 0)) for x in others) for others in rest
        )

    def _define_at_once(self, variable: int) -> bool:
        """Define a variable of which all clauses of a kind speak, or that is a gate."""
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
        """Whether a clause forces a literal exactly where no other clause forbids it."""
        clause = self._clauses[number]
        pairs = {x for n in self._with[-literal] if len(c := self._clauses[n]) == 2 for x in c}
        return all(-other in pairs for other in clause if other != literal)

    def _define_by_solver(self, variable: int) -> None:
        """Define a variable by what forces it, if it is never needed otherwise."""
        for literal in (variable, -variable):
            numbers = self._with[literal]
            speaking = [number for number in numbers if self._speaks(number, literal)]
            others = [number for number in numbers if number not in set(speaking)]
            if speaking and not self._is_needed(literal, speaking, others):
                forced = self._implied(literal, speaking, self.known)
                self.add(variable, forced if literal > 0 else negated(forced))
                return

    def _is_needed(self, literal: int, forcing: list[int], others: list[int]) -> bool:
        """Whether in some model one of the other clauses needs a literal, and no forcing one."""
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
        found = self._solver.solve_limited(assumptions=[guard, literal])
        self._solver.add_clause([-guard])
        return found is not False

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
        for _ in members:  # what follows at all follows in as many steps
            value = {**self.known, **values}
            values = {v: self._implied(v, self._with[v], value) for v in members}
        for variable, function in values.items():
            self.add(variable, function)
        return True

    def _horn(self, members: set[int]) -> set[int]:
        """The most variables whose clauses otherwise speak of known ones and of negated members."""
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
