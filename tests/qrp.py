"""Q-resolution proofs in the format QRP, traced by DepQBF: read, checked, made functions.

A refutation derives the empty clause from clauses of the formula, by resolution on an existential
variable and by dropping universal literals that no existential one depends on. A proof of truth
derives the empty cube, the other way round, from cubes that satisfy all clauses.

From what is dropped the functions are read off in one pass: where what remains of a clause is
false, the dropped literal is made false, by the first such step of the proof. Then the whole clause
is false, all steps before are sound, and so a clause of the formula is false.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from skolemate.certificates.certificate import (
    FALSE,
    Certificate,
    blocks_of,
    graph_for,
    negated,
    variables_of,
)
from skolemate.errors import FileError, UserError
from skolemate.formula import Formula, Quantifier
from skolemate.limits import Budget
from skolemate.solvers.pipeline import formula_file
from skolemate.solvers.process import run
from skolemate.solvers.program import PROGRAMS

Literals = frozenset[int]


class WrongProof(Exception):
    """A step of a proof that does not follow, with its number."""


@dataclass(frozen=True)
class Step:
    """A clause or cube, and the steps from which it follows: none, one (reduction) or two."""

    number: int
    literals: Literals
    premises: tuple[int, ...]


@dataclass(frozen=True)
class Proof:
    """What was proved, and the steps that lead to the empty clause or cube, in order."""

    true: bool
    steps: tuple[Step, ...]


def read_qrp(text: str, name: str = "proof") -> Proof:
    """Read a trace and leave out what does not lead to its end."""
    steps: dict[int, Step] = {}
    true: bool | None = None
    for place, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0] in ("c", "e", "a"):
            continue
        if words[0] == "p":
            if len(words) != 4 or words[1] != "qrp" or not words[3].isdigit():
                raise FileError("a proof begins with: p qrp VARIABLES CLAUSES", name, place, 1)
        elif words[0] == "r":
            true = words[1:] == ["SAT"]
        else:
            steps |= _step(words, name, place)
    last = next((step for step in reversed(steps.values()) if not step.literals), None)
    if true is None or last is None:
        raise FileError("the proof has no result, or does not reach it", name, 1, 1)
    return Proof(true, _leading_to(last, steps))


def _step(words: list[str], name: str, place: int) -> dict[int, Step]:
    try:
        number, *rest = map(int, words)
        end = rest.index(0)
        premises = tuple(rest[end + 1 : -1])
    except ValueError:
        raise FileError("a step is: NUMBER LITERALS 0 PREMISES 0", name, place, 1) from None
    if rest[-1] != 0 or len(premises) > 2 or 0 in premises:
        raise FileError("a step is: NUMBER LITERALS 0 PREMISES 0", name, place, 1)
    return {number: Step(number, frozenset(rest[:end]), premises)}


def _leading_to(last: Step, steps: dict[int, Step]) -> tuple[Step, ...]:
    used: dict[int, Step] = {}
    waiting = [last]
    while waiting:
        step = waiting.pop()
        if step.number not in used:
            used[step.number] = step
            waiting += [steps[number] for number in step.premises if number in steps]
    return tuple(step for number, step in steps.items() if number in used)


# --- the checker ---------------------------------------------------------------------------------


def check_proof(formula: Formula, proof: Proof) -> None:
    """Raise WrongProof at the first step that does not follow."""
    clauses = {frozenset(clause.tolist()) for clause in formula.clauses()}
    rules = _Rules(formula, proof.true)
    known: dict[int, Literals] = {}
    for step in proof.steps:
        wrong = None
        if any(-literal in step.literals for literal in step.literals):
            wrong = "it contains a variable and its negation"
        elif not rules.knows(step.literals):
            wrong = "it contains a variable that the formula does not have"
        elif not step.premises:
            if proof.true and not all(clause & step.literals for clause in clauses):
                wrong = "this cube does not satisfy every clause"
            if not proof.true and step.literals not in clauses:
                wrong = "this is no clause of the formula"
        elif any(number not in known for number in step.premises):
            wrong = "it follows from nothing above"
        else:
            wrong = rules.objection(step.literals, [known[number] for number in step.premises])
        if wrong is not None:
            raise WrongProof(f"step {step.number}: {wrong}")
        known[step.number] = step.literals
    if frozenset() not in known.values():
        raise WrongProof("the proof does not reach its end")


class _Rules:
    """Resolution and reduction; for cubes the quantifiers change their parts."""

    def __init__(self, formula: Formula, true: bool) -> None:
        self._block = blocks_of(formula)
        kept = Quantifier.FORALL if true else Quantifier.EXISTS
        self._kept = set(variables_of(formula, kept))  # resolved on, never reduced

    def knows(self, literals: Literals) -> bool:
        return all(abs(literal) in self._block for literal in literals)

    def objection(self, result: Literals, premises: list[Literals]) -> str | None:
        whole = premises[0]
        if len(premises) == 2:
            one, other = premises
            pivots = [x for x in one if -x in other]
            if len(pivots) != 1 or abs(pivots[0]) not in self._kept:
                return "there is not one variable to resolve on"
            whole = _resolvent(one, other)
        if not result <= whole:
            return "it contains a literal of none of its premises"
        last = max((self._block[abs(x)] for x in result if abs(x) in self._kept), default=-1)
        for literal in whole - result:
            if abs(literal) in self._kept or self._block[abs(literal)] < last:
                return f"{literal} must not be left out"
        return None


def _resolvent(one: Literals, other: Literals = frozenset()) -> Literals:
    return frozenset(x for x in one if -x not in other) | {x for x in other if -x not in one}


# --- functions -----------------------------------------------------------------------------------


def functions_of(formula: Formula, proof: Proof) -> Certificate:
    """The functions that a checked proof holds."""
    graph = graph_for(formula, proof.true)
    quantifier = Quantifier.EXISTS if proof.true else Quantifier.FORALL
    own = variables_of(formula, quantifier)
    place = {variable: number for number, variable in enumerate(own)}  # outermost first
    rules: dict[int, list[tuple[int, Literals]]] = defaultdict(list)
    for literal, rest in _dropped(proof, place):
        rules[abs(literal)].append((literal, rest))
    value = {variable: graph.literal(variable) for variable in graph.variables}
    for variable in own:
        function = FALSE
        for literal, rest in reversed(rules[variable]):
            sign = proof.true  # cubes are true, clauses false
            met = graph.all_of(value[abs(x)] ^ (x < 0) ^ (not sign) for x in rest)
            if (literal > 0) is sign:
                function = graph.any_of([met, function])
            else:
                function = graph.both(negated(met), function)
        value[variable] = function
    return Certificate(proof.true, graph, {variable: value[variable] for variable in own})


def _dropped(proof: Proof, place: dict[int, int]) -> Iterator[tuple[int, Literals]]:
    """Every dropped literal with what remains; of several, the innermost is dropped first."""
    literals = {step.number: step.literals for step in proof.steps}
    for step in proof.steps:
        if not step.premises:
            continue
        whole = _resolvent(*(literals[number] for number in step.premises))
        rest = set(whole)
        for literal in sorted(whole - step.literals, key=lambda x: -place[abs(x)]):
            rest.remove(literal)
            yield literal, frozenset(rest)


# --- traces ---

# Without these most proofs of true formulas are wrong: what they switch off is not traced.
FLAGS = (
    "--trace",
    "--dep-man=simple",
    "--traditional-qcdcl",
    "--no-qbce-dynamic",
    "--no-dynamic-nenofex",
    "--no-trivial-falsity",
    "--no-trivial-truth",
)
TRACE_BYTES = 1 << 30


def prove(formula: Formula, budget: Budget | None = None) -> Proof:
    """A proof of the formula's truth value by DepQBF, checked; UserError if there is none."""
    solver = PROGRAMS["depqbf"].require()
    with formula_file(formula) as file:
        outcome = run([solver, *FLAGS, file], budget, output_limit=TRACE_BYTES)
    if outcome.code not in (10, 20):
        reason = outcome.stopped.value if outcome.stopped is not None else outcome.complaint()
        raise UserError(f"depqbf gave no proof: {reason}")
    proof = read_qrp(outcome.stdout, "depqbf's proof")
    check_proof(formula, proof)
    return proof
