"""From a strategy and an encoding to a certificate of the formula."""

from dataclasses import dataclass, replace
from typing import Any

from skolemate.certificates.automaton import Automaton
from skolemate.certificates.certificate import (
    Aig,
    Certificate,
    Verification,
    graph_for,
    variables_of,
)
from skolemate.certificates.definitions import define_the_rest, refute_the_rest
from skolemate.encodings import Encoded, Meaning, encode
from skolemate.errors import UserError
from skolemate.formula import Quantifier
from skolemate.games.game import Question
from skolemate.output import amount, plies, sentence
from skolemate.strategies import Claim, Strategy

# --- the result -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Certified:
    """The result of `certify`: a claim, the formula, the certificate and its verification.

    The `claim` of the strategy's file is not trusted: it holds if the certificate proves the
    formula true (for a win) or false (for no win). `shortened` is the number of plies of another
    strategy, used because the given one is longer than the formula allows.
    """

    claim: Claim
    encoded: Encoded
    certificate: Certificate
    verification: Verification
    shortened: int | None = None

    @property
    def truth_value(self) -> bool | None:
        """The truth value of the formula, if the certificate proves it."""
        return self.certificate.true if self.verification.holds else None

    @property
    def holds(self) -> bool:
        return self.truth_value is self.claim.wins

    @property
    def reason(self) -> str | None:
        """Why it does not hold."""
        if self.holds or not self.verification.holds:
            return self.verification.reason
        proved = replace(self.claim, wins=not self.claim.wins)
        return f"the claim is false: the certificate proves that the {self._formula} ({proved})"

    @property
    def _formula(self) -> str:
        truth = "true" if self.certificate.true else "false"
        return f"formula of {self.encoded.encoding.name} is {truth}"

    def as_json(self) -> dict[str, Any]:
        """Plain data; keys are never missing, absent values are None."""
        return self.claim.as_json() | {
            "encoding": self.encoded.encoding.name,
            "symmetry": self.encoded.symmetry,
            "holds": self.holds,
            "truth_value": self.truth_value,
            "reason": self.reason,
            "inputs": len(self.certificate.graph.variables),
            "functions": len(self.certificate.functions),
            "gates": self.certificate.size,
            "shortened": self.shortened,
        }

    def __str__(self) -> str:
        if not self.holds:
            failed = "" if self.verification.holds else "the certificate does not hold: "
            hint = ""
            if self.truth_value is None and self.encoded.restricted:
                hint = " Its formula does not have every move: try without --symmetry."
            return f"{sentence(f'{failed}{self.reason}')}{hint}\n{self.claim.provenance}"
        kind = "Skolem" if self.certificate.true else "Herbrand"
        functions = amount(len(self.certificate.functions), f"{kind} function")
        shorter = f" They play a strategy for {plies(self.shortened)}." if self.shortened else ""
        return (
            f"{self.claim}.\n"
            f"The {self._formula}: {functions} "
            f"of {amount(self.certificate.size, 'gate')}, checked.{shorter}\n"
            f"{self.claim.provenance}"
        )


# --- certifying -----------------------------------------------------------------------------------


def encoded_for(strategy: Strategy, encoding: str, symmetry: bool = False) -> Encoded:
    """The question that a strategy answers, as a formula."""
    claim = strategy.claim
    encoded = encode(Question(claim.game, claim.player, claim.depth), encoding, symmetry=symmetry)
    if encoded.encoding.meaning is not Meaning.EXACT:
        raise UserError(
            f"{encoded.encoding.name} is one-sided, and may exclude this strategy; "
            "use an exact encoding"
        )
    if encoded.script is None:
        raise UserError(
            f"{encoded.encoding.name} cannot be certified: it does not record how moves set "
            "its variables"
        )
    return encoded


def certify(strategy: Strategy, encoded: Encoded) -> Certificate:
    """Functions that prove the formula true if the strategy wins, and false if it prevents a win.

    They are not checked here: see `verify`.
    """
    true, formula = strategy.claim.wins, encoded.formula
    if formula.constant is not None:
        return Certificate(true, Aig([]), {})
    graph = graph_for(formula, true)
    automaton = Automaton(strategy, encoded, graph)
    known = automaton.functions
    if true:
        for variable in graph.variables:
            known[variable] = graph.literal(variable)
        define_the_rest(encoded, graph, known, automaton.ends)
    else:
        refute_the_rest(encoded, graph, known)
    quantifier = Quantifier.EXISTS if true else Quantifier.FORALL
    return Certificate(true, graph, {v: known[v] for v in variables_of(formula, quantifier)})
