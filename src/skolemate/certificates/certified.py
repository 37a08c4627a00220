"""What `certify` reports: a claim, the formula, the certificate and whether it holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from skolemate.certificates.certificate import Certificate
from skolemate.certificates.verify import Verification
from skolemate.encodings import Encoded
from skolemate.output import amount, plies
from skolemate.strategies import Claim

__all__ = ["Certified"]


@dataclass(frozen=True)
class Certified:
    """A certificate beside what it is about.

    `shortened` is the number of plies of another strategy, found because the one given was longer
    than the formula.
    """

    claim: Claim
    encoded: Encoded
    certificate: Certificate
    verification: Verification
    shortened: int | None = None

    @property
    def holds(self) -> bool:
        return self.verification.holds

    def as_json(self) -> dict[str, Any]:
        """Plain data; keys are never missing, absent values are None."""
        return {
            "game": str(self.claim.game),
            "player": self.claim.player.value,
            "depth": self.claim.depth,
            "verdict": self.claim.verdict,
            "encoding": self.encoded.encoding.name,
            "holds": self.holds,
            "reason": self.verification.reason,
            "inputs": len(self.certificate.graph.variables),
            "functions": len(self.certificate.functions),
            "gates": self.certificate.size,
            "shortened": self.shortened,
        }

    def __str__(self) -> str:
        if not self.holds:
            return f"The certificate does not hold: {self.verification.reason}."
        name, kind = self.encoded.encoding.name, "Skolem" if self.certificate.true else "Herbrand"
        functions = amount(len(self.certificate.functions), f"{kind} function")
        truth = "true" if self.certificate.true else "false"
        shorter = f" They play a strategy for {plies(self.shortened)}." if self.shortened else ""
        return (
            f"{self.claim}.\n"
            f"The formula of {name} is {truth}: {functions} "
            f"of {amount(self.certificate.size, 'gate')}, checked.{shorter}"
        )
