"""Certificates: functions for the variables of a formula that prove what its truth value is.

A strategy and an encoding give Skolem functions for a win and Herbrand functions for none, so that
a formula is certified whichever solver answered; a SAT solver checks them. Proofs of a QBF solver
give such functions, too, and from these a strategy.
"""

from skolemate.certificates.aig import Aig
from skolemate.certificates.certificate import Certificate
from skolemate.certificates.certify import certify
from skolemate.certificates.verify import Verification, verify

__all__ = ["Aig", "Certificate", "Verification", "certify", "verify"]
