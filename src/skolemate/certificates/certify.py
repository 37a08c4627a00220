"""From a strategy and an encoding to a certificate of the formula."""

from __future__ import annotations

from skolemate.ask.question import Question
from skolemate.certificates.aig import Aig
from skolemate.certificates.automaton import Automaton
from skolemate.certificates.certificate import Certificate, graph_for, variables_of
from skolemate.certificates.tail import define_the_rest, refute_the_rest
from skolemate.encodings import Encoded, Meaning, encode
from skolemate.errors import UserError
from skolemate.formula import Quantifier
from skolemate.strategies import Strategy

__all__ = ["certify", "encoded_for"]


def encoded_for(strategy: Strategy, encoding: str, symmetry: bool = False) -> Encoded:
    """The question that a strategy answers, as a formula."""
    claim = strategy.claim
    encoded = encode(Question(claim.game, claim.player, claim.depth), encoding, symmetry=symmetry)
    if encoded.encoding.meaning is not Meaning.EXACT:
        raise UserError(
            f"{encoded.encoding.name} is one-sided, and a strategy need not be one that it allows; "
            "certify with an exact encoding"
        )
    if encoded.script is None:
        raise UserError(f"{encoded.encoding.name} does not tell how a game sets its variables")
    return encoded


def certify(strategy: Strategy, encoded: Encoded) -> Certificate:
    """Functions that prove the formula true if the strategy wins, and false if it holds out.

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
