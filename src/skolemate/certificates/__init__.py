"""Certificates: functions for the variables of a formula that prove what its truth value is.

A strategy and an encoding give Skolem functions for a win and Herbrand functions for none, so that
a formula is certified whichever solver answered; a SAT solver checks them.
"""

from skolemate.certificates.certificate import Aig, Certificate, Verification, verify
from skolemate.certificates.certify import certify

__all__ = ["Aig", "Certificate", "Verification", "certify", "verify"]
