"""COR+, the polished corrective encoding (Mayer-Eichberger and Saffidine 2021)."""

from __future__ import annotations

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts.corrective import Corrective
from skolemate.encodings.parts.outcome import about
from skolemate.encodings.parts.set_problem import SetProblem, set_problem


@encoding(
    "cor+",
    paper="Mayer-Eichberger, Saffidine: Positional Games and QBF: A Polished Encoding, 2021",
    views=("hypergraph",),
)
@about(set_problem)
def cor_plus(self: Encoding, problem: SetProblem) -> Encoded:
    """Explicit board after every ply, binary moves, listed winning sets; any schedule."""
    return Corrective(problem).encoded(self)
