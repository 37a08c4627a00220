"""And-inverter graphs: inputs, conjunctions of two, and negation on the edges.

A literal is twice the number of a node, plus one for its negation; 0 is false and 1 true, as in
AIGER. Nodes are numbered inputs first, conjunctions behind what they read; each is kept once.
Of every node the latest of its inputs is known, as the number of the quantifier block: a function
may only read what is chosen before its own variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

__all__ = ["FALSE", "TRUE", "Aig", "negated"]

FALSE, TRUE = 0, 1


def negated(literal: int) -> int:
    return literal ^ 1


class Aig:
    """A graph that grows.

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
        """What a literal's node reads, if that is a conjunction."""
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
        found = self._known.get((one, other))
        if found is None:
            self.gates.append((one, other))
            self._latest.append(max(self._latest[one >> 1], self._latest[other >> 1]))
            found = self._known[one, other] = 2 * (self.first_gate + len(self.gates) - 1)
        return found

    def all_of(self, literals: Iterable[int]) -> int:
        """A conjunction, as flat as can be."""
        waiting = sorted(set(literals))
        while len(waiting) > 1:
            pairs = zip(waiting[::2], waiting[1::2], strict=False)
            joined = [self.both(one, other) for one, other in pairs]
            waiting = joined + waiting[len(waiting) & ~1 :]
        return waiting[0] if waiting else TRUE

    def any_of(self, literals: Iterable[int]) -> int:
        return self.all_of(literal ^ 1 for literal in literals) ^ 1

    def cube(self, literals: Iterable[int]) -> int:
        """Whether all of these literals of the formula are true; they are inputs."""
        return self.all_of(map(self.literal, literals))

    def substituted(self, root: int, values: Mapping[int, int], into: Aig | None = None) -> int:
        """A literal with others in the place of some variables, here or in another graph."""
        target = self if into is None else into
        made = {0: FALSE}
        for node in self.cone([root]):
            reads = self.gate(2 * node)
            if reads is not None:
                one, other = (made[part >> 1] ^ (part & 1) for part in reads)
                made[node] = target.both(one, other)
            elif node:
                variable = self.variables[node - 1]
                found = values.get(variable)
                made[node] = target.literal(variable) if found is None else found
        return made[root >> 1] ^ (root & 1)

    def fixed(self, root: int, variable: int, value: int) -> int:
        """A literal with FALSE or TRUE in the place of a variable; what cannot read it stays."""
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
