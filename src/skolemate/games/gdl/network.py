"""From ground rules to a propositional network in which one role moves at a time.

In GDL all roles move at every step. Mostly one of them has a choice and the others wait, by moves
on which nothing depends. Where that is proved, a step is one ply: a move of the role that does not
wait. Otherwise a step has a ply for every role: first the role that asks chooses, then the others
one after the other, who so know what was chosen before; until the last has chosen, the choices are
facts, `does(role,move)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, product

from skolemate.games.game import Player
from skolemate.games.gdl.description import Atom, Term, components, written
from skolemate.games.gdl.grounding import Body, Grounding, TooLarge
from skolemate.games.symmetry import mask_of
from skolemate.games.views import Gate, Propnet
from skolemate.limits import breathe

TRUE, FALSE = 1, -1
MOST_GATES = 1_000_000


@dataclass(frozen=True)
class Network:
    """A network with the names of its facts and moves; `moves` are pairs of role and move."""

    net: Propnet
    facts: tuple[Term, ...]
    moves: tuple[tuple[Term, Term], ...]
    sequential: bool  # every step is one ply


# --- gates ----------------------------------------------------------------------------------------


@dataclass
class Gates:
    """Collects gates over so many inputs; equal ones are one."""

    inputs: int
    gates: list[Gate] = field(default_factory=list)
    _known: dict[Gate, int] = field(default_factory=dict)

    def all_of(self, literals: Iterable[int]) -> int:
        different = set(literals) - {TRUE}
        if FALSE in different or any(-literal in different for literal in different):
            return FALSE
        if len(different) < 2:
            return next(iter(different), TRUE)
        gate = tuple(sorted(different, key=lambda literal: (abs(literal), literal)))
        if gate not in self._known:
            breathe()
            if len(self.gates) == MOST_GATES:
                raise TooLarge(f"the rules need more than {MOST_GATES:,} gates", (1, 1))
            self._known[gate] = 2 + self.inputs + len(self.gates)
            self.gates.append(gate)
        return self._known[gate]

    def any_of(self, literals: Iterable[int]) -> int:
        return -self.all_of([-literal for literal in literals])

    def gate(self, literal: int) -> Gate:
        """The inputs of a literal's gate; none if it is no gate's."""
        place = abs(literal) - 2 - self.inputs
        return self.gates[place] if place >= 0 else ()

    def cone(self, literals: Iterable[int]) -> set[int]:
        """The variables on which some literals depend, gates included."""
        found: set[int] = set()
        waiting = [abs(literal) for literal in literals]
        while waiting:
            variable = waiting.pop()
            if variable not in found:
                found.add(variable)
                waiting += map(abs, self.gate(variable))
        return found


def defined(
    gates: Gates, given: Mapping[Atom, int], rules: Mapping[Atom, Iterable[Body]]
) -> dict[Atom, int]:
    """A literal for every atom: given ones, and those that rules define.

    Atoms that depend on each other get the least fixed point: what holds after no step, after one,
    and so on until no more of them can change.
    """
    literals = dict(given)
    moves = {literal for atom, literal in given.items() if atom[0] == "does"}

    def any_body(bodies: Iterable[Body]) -> int:
        """Whether a body holds. Those that differ only in the move become one."""
        alike: dict[frozenset[int], list[int]] = {}
        for body in bodies:
            values = {
                -literals.get(condition.atom, FALSE)
                if condition.negated
                else literals.get(condition.atom, FALSE)
                for condition in body
            }
            made = values & moves
            alike.setdefault(frozenset(values - made), []).append(gates.all_of(made))
        ways = [gates.all_of([gates.any_of(made), *rest]) for rest, made in alike.items()]
        return gates.any_of(ways)

    needs = {
        head: [c.atom for conditions in bodies for c in conditions if c.atom in rules]
        for head, bodies in rules.items()
    }
    for component in components(needs):
        literals.update(dict.fromkeys(component, FALSE))
        recursive = len(component) > 1 or component[0] in needs[component[0]]
        for _ in component if recursive else (None,):
            before = {atom: literals[atom] for atom in component}
            now = {atom: any_body(rules[atom]) for atom in component}
            literals.update(now)
            if now == before:
                break
    return literals


# --- turns ----------------------------------------------------------------------------------------


MOST_WAYS = 3000  # pairs of alternatives that are looked at
MOST_FACTS = 16  # that tell whose turn it is
OFTEN = 0.1  # the share of a role's moves that need such a fact
FEW = 3  # alternatives within an alternative

Pair = frozenset[int]


@dataclass
class Exclusion:
    """Shows that literals are never true together, given pairs of facts that never are.

    `moves` has the role of every move and whether it is legal: who makes a move makes no other, and
    is allowed to.
    """

    gates: Gates
    moves: Mapping[int, tuple[Term, int]]
    pairs: frozenset[Pair] = frozenset()
    _implied: dict[int, frozenset[int]] = field(default_factory=dict)

    def implied(self, literal: int) -> frozenset[int]:
        """Some literals that are true whenever this one is."""
        if literal not in self._implied:
            for variable in sorted(self.gates.cone([literal])):
                for sign in (1, -1):
                    parts = [self._implied[sign * x] for x in self.gates.gate(variable)]
                    join = frozenset[int].union if sign > 0 else frozenset[int].intersection
                    found = join(*parts) if parts else frozenset()
                    self._implied[sign * variable] = found | {sign * variable}
        return self._implied[literal]

    def ways(self, literal: int) -> list[frozenset[int]]:
        """For each alternative of a literal, some literals that are true with it."""
        found, waiting = [], [literal]
        while waiting:
            way = waiting.pop()
            inputs = self.gates.gate(way)
            if way < 0 and inputs:
                waiting += [-x for x in inputs]
                continue
            inner = [x for x in inputs if x < 0 and 0 < len(self.gates.gate(x)) <= FEW]
            choices = product(*([-y for y in self.gates.gate(x)] for x in inner[:FEW]))
            found += [self.implied(way).union(*map(self.implied, chosen)) for chosen in choices]
        return list(dict.fromkeys(found))

    def exclude(self, one: int, other: int) -> bool:
        """Whether no alternative of one goes together with any of the other."""
        ways = [set(self.ways(one)), set(self.ways(other))]
        if len(ways[0]) * len(ways[1]) > MOST_WAYS:  # by the pairs alone
            ways = [{way & self._members for way in side} for side in ways]
        few = len(ways[0]) * len(ways[1]) <= MOST_WAYS
        return few and all(self._contradict(a | b) for a, b in product(*ways))

    def _contradict(self, literals: frozenset[int]) -> bool:
        made = [literal for literal in literals if literal in self.moves]
        literals = literals.union(*(self.implied(self.moves[move][1]) for move in made))
        known = [literal for literal in literals if literal in self._members]
        return (
            FALSE in literals
            or any(-literal in literals for literal in literals)
            or any(frozenset(pair) in self.pairs for pair in combinations(known, 2))
            or len({self.moves[move][0] for move in made}) < len(made)
        )

    def opposites(self) -> dict[int, int]:
        """Facts that are true exactly if another is not, with the negation of the other."""
        found: dict[int, int] = {}
        for fact, other in combinations(
            sorted(literal for literal in self._members if literal > 0), 2
        ):
            both = frozenset((fact, other)), frozenset((-fact, -other))
            if other not in found and all(pair in self.pairs for pair in both):
                found[other] = -found.get(fact, fact)
        return found

    @cached_property
    def _members(self) -> frozenset[int]:
        return frozenset[int]().union(*self.pairs)


def take_turns(
    plain: Exclusion, active: list[int], facts: Mapping[int, int], start: set[int]
) -> Exclusion | None:
    """What shows that no two roles are ever active together, if anything does.

    `facts` says what each fact is at the next step, `start` which are true at first. Of the facts
    that the moves of only one role need, as `control(xplayer)`, and of their negations it is found
    by induction which two are never true together: not at the start, and not after a step, if no
    such two were before it.
    """
    needed = [Counter(x for way in plain.ways(role) for x in way if x in facts) for role in active]
    share = {
        fact: count / len(plain.ways(role))
        for role, needs in zip(active, needed, strict=True)
        for fact, count in needs.items()
        if sum(fact in others for others in needed) == 1
    }
    often = sorted(share, key=lambda fact: (-share[fact], fact))[:MOST_FACTS]
    turns = [fact for fact in often if share[fact] >= OFTEN]
    after = {sign * fact: sign * facts[fact] for fact in turns for sign in (1, -1)}
    pairs = frozenset(
        frozenset(pair)
        for pair in combinations(after, 2)
        if not all((abs(literal) in start) is (literal > 0) for literal in pair)
    )
    while True:
        guess = replace(plain, pairs=pairs)
        kept = frozenset(
            pair for pair in pairs if guess.exclude(*(after[literal] for literal in pair))
        )
        if kept == pairs:
            shown = all(guess.exclude(one, other) for one, other in combinations(active, 2))
            return guess if shown else None
        pairs = kept


# --- networks -------------------------------------------------------------------------------------


def network(grounding: Grounding, role: Term, goal: int) -> Network:
    """The network for the question whether a role reaches a goal of at least this value.

    The role is Black, all others together are White.
    """
    stated = _Statement(grounding, role, goal, taking_turns=True)
    if not stated.sequential:
        stated = _Statement(grounding, role, goal, taking_turns=False)
    return stated.network()


class _Statement:
    """The rules over a network's inputs, for steps of one ply or of one for every role."""

    def __init__(self, grounding: Grounding, role: Term, goal: int, *, taking_turns: bool) -> None:
        self.roles = [role, *(other for other in grounding.roles if other != role)]
        self.moves = grounding.moves
        self.start = grounding.start
        pending: list[tuple[Term, Term]] = []
        if not taking_turns:
            pending = [move for move in self.moves if move[0] != self.roles[-1]]
        self.facts: tuple[Term, ...] = (*grounding.facts, *(("does", *move) for move in pending))
        self.gates = Gates(len(self.facts) + len(self.moves))
        self.fact = {fact: 2 + number for number, fact in enumerate(self.facts)}
        self.move = {move: 2 + len(self.facts) + number for number, move in enumerate(self.moves)}
        does = self.move | {move: self.fact["does", *move] for move in pending}
        given: dict[Atom, int] = {("true", fact): self.fact[fact] for fact in grounding.facts}
        given |= {("does", *move): literal for move, literal in does.items()}
        atoms = defined(self.gates, given, grounding.rules)
        self.running = -atoms.get(("terminal",), FALSE)
        self.legal = {move: atoms.get(("legal", *move), FALSE) for move in self.moves}
        self.next = {fact: atoms.get(("next", fact), FALSE) for fact in grounding.facts}
        reached = {
            who: self.gates.any_of(
                literal
                for atom, literal in atoms.items()
                if atom[:2] == ("goal", who)
                and written(atom[2]).isdigit()
                and int(written(atom[2])) >= goal
            )
            for who in self.roles
        }
        black = self.gates.all_of([-self.running, reached[role]])
        others = self.gates.any_of(reached[other] for other in self.roles[1:])
        self.won = {
            Player.BLACK: black,
            Player.WHITE: self.gates.all_of([-self.running, others, -black]),
        }
        self.opposites: dict[int, int] = {}
        self.sequential = taking_turns and self._one_at_a_time()
        if not taking_turns:
            self._one_after_the_other(pending)
        for move, literal in self.legal.items():
            self.legal[move] = self.gates.all_of([self.running, literal])

    def _one_at_a_time(self) -> bool:
        """Whether the roles take turns; then those who wait have no move."""
        used = self.gates.cone(self.next.values())

        def able(role: Term, idly: bool) -> int:
            """Whether a role has a legal move on which nothing depends, or one of the others."""
            return self.gates.any_of(
                literal
                for move, literal in self.legal.items()
                if move[0] == role and (self.move[move] not in used) is idly
            )

        active = {role: able(role, idly=False) for role in self.roles}
        facts = {self.fact[fact]: literal for fact, literal in self.next.items()}
        start = {self.fact[fact] for fact in self.start}
        made = {self.move[move]: (move[0], literal) for move, literal in self.legal.items()}
        different = [literal for literal in active.values() if literal != FALSE]
        proof = take_turns(Exclusion(self.gates, made), different, facts, start)
        if proof is None:
            return False
        self.opposites = proof.opposites()
        # If all roles wait, time goes on by a move of the first one.
        waiting = [able(role, idly=True) for role in self.roles]
        idle = self.gates.all_of([*waiting, *(-literal for literal in active.values())])
        if any(proof.exclude(one, other) for one, other in combinations(waiting, 2)):
            idle = FALSE
        for move in self.moves:
            if self.move[move] not in used:  # a way to wait, or to pass in one's own turn
                turn = [active[move[0]], idle if move[0] == self.roles[0] else FALSE]
                if proof.exclude(self.legal[move], active[move[0]]):
                    turn[0] = FALSE
                self.legal[move] = self.gates.all_of([self.legal[move], self.gates.any_of(turn)])
        return True

    def _one_after_the_other(self, pending: list[tuple[Term, Term]]) -> None:
        """Every role has a ply; the last one's ends the step."""
        chosen = {
            role: self.gates.any_of(self.fact["does", *move] for move in pending if move[0] == role)
            for role in self.roles[:-1]
        }
        last = chosen[self.roles[-2]]
        chosen[self.roles[-1]] = FALSE
        before = dict(zip(self.roles, (TRUE, *chosen.values()), strict=False))
        for move in self.moves:
            turn = (before[move[0]], -chosen[move[0]])
            self.legal[move] = self.gates.all_of([self.legal[move], *turn])
        for fact, literal in self.next.items():
            kept = self.gates.all_of([-last, self.fact[fact]])
            self.next[fact] = self.gates.any_of([kept, self.gates.all_of([last, literal])])
        for move in pending:
            fact = ("does", *move)
            made = self.gates.any_of([self.fact[fact], self.move[move]])
            self.next[fact] = self.gates.all_of([-last, made])

    def network(self) -> Network:
        """The network of what is used, gates that depend on no move first."""
        self._look_at_few_moves()
        outputs = [*self.legal.values(), *self.next.values(), *self.won.values(), self.running]
        first_gate = 2 + self.gates.inputs
        settled, later = list[int](), list[int]()
        dependent = set(self.move.values())
        for variable in sorted(self.gates.cone(outputs)):
            if variable >= first_gate:
                depends = any(abs(x) in dependent for x in self.gates.gate(variable))
                (later if depends else settled).append(variable)
                if depends:
                    dependent.add(variable)
        ordered = settled + later
        number = {variable: variable for variable in range(1, first_gate)}
        number |= {variable: first_gate + place for place, variable in enumerate(ordered)}

        def renumbered(literal: int) -> int:
            return number[literal] if literal > 0 else -number[-literal]

        net = Propnet(
            facts=len(self.facts),
            owners=tuple(
                Player.BLACK if role == self.roles[0] else Player.WHITE for role, _ in self.moves
            ),
            gates=tuple(tuple(map(renumbered, self.gates.gate(v))) for v in ordered),
            settled=len(settled),
            start=mask_of(self.fact[fact] - 2 for fact in self.start),
            legal=tuple(renumbered(self.legal[move]) for move in self.moves),
            next=tuple(renumbered(self.next[fact]) for fact in self.facts),
            won={player: renumbered(literal) for player, literal in self.won.items()},
            relevant=self._relevant(),
            running=renumbered(self.running),
        )
        return Network(net, self.facts, self.moves, self.sequential)

    def _look_at_few_moves(self) -> None:
        """Say "none of these moves" as "one of the others" where those are fewer.

        Of two facts that are opposites, such as whose turn it is, only one is looked at. One move
        is made at every ply, so "none of these" is the same. What a move does not touch stays, as
        most descriptions say by a rule for every other move; now it needs those that touch it.
        """
        possible = {self.move[move] for move, legal in self.legal.items() if legal != FALSE}
        changed = Gates(self.gates.inputs)
        literals = {variable: variable for variable in range(1, 2 + self.gates.inputs)}
        literals |= self.opposites

        def now(literal: int) -> int:
            return literals[literal] if literal > 0 else -literals[-literal]

        for variable, gate in enumerate(self.gates.gates, 2 + self.gates.inputs):
            moves = possible.intersection(-literal for literal in gate)
            if len(moves) == len(gate) > len(possible) / 2:
                literals[variable] = changed.any_of(possible - moves)
            else:
                literals[variable] = changed.all_of(map(now, gate))
        self.gates = changed
        self.legal = {move: now(literal) for move, literal in self.legal.items()}
        self.next = {fact: now(literal) for fact, literal in self.next.items()}
        self.won = {player: now(literal) for player, literal in self.won.items()}
        self.running = now(self.running)

    def _relevant(self) -> int:
        """The facts on which legal moves or the outcome depend, now or later."""
        found: set[Term] = set()
        outputs = [*self.legal.values(), *self.won.values()]
        while True:
            cone = self.gates.cone(outputs)
            more = {fact for fact in self.facts if self.fact[fact] in cone} - found
            if not more:
                return mask_of(self.fact[fact] - 2 for fact in found)
            found |= more
            outputs += [self.next[fact] for fact in more]
