"""DepQBF's proofs: run it with a trace, read and check what it wrote."""

from __future__ import annotations

from skolemate.certificates.qrp import Proof, check_proof, read_qrp
from skolemate.errors import UserError
from skolemate.formula import Formula
from skolemate.limits import Limit
from skolemate.solvers.files import formula_file
from skolemate.solvers.process import run
from skolemate.solvers.program import PROGRAMS

__all__ = ["prove"]

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


def prove(formula: Formula, limit: Limit | None = None) -> Proof:
    """A proof of the formula's truth value by DepQBF, checked; UserError if there is none."""
    solver = PROGRAMS["depqbf"].require()
    with formula_file(formula) as file:
        outcome = run([solver, *FLAGS, file], limit, output_limit=TRACE_BYTES)
    if outcome.code not in (10, 20):
        reason = outcome.stopped.value if outcome.stopped is not None else outcome.complaint()
        raise UserError(f"depqbf gave no proof: {reason}")
    proof = read_qrp(outcome.stdout, "depqbf's proof")
    check_proof(formula, proof)
    return proof
