"""Skolemate: can this player force a win within d moves, and how?

>>> import skolemate
>>> answer = skolemate.oracle("hex(size=3)")
>>> answer.verdict.name, answer.critical_depth
('WIN', 5)
"""

from __future__ import annotations

import importlib
from typing import Any

# Loaded on first use: importing the package must stay cheap (see `cli`).
_EXPORTS = {
    "Answer": "skolemate.ask",
    "Claim": "skolemate.strategies",
    "Game": "skolemate.games",
    "Limit": "skolemate.limits",
    "Player": "skolemate.games",
    "Position": "skolemate.games",
    "Question": "skolemate.ask",
    "Reason": "skolemate.limits",
    "Strategy": "skolemate.strategies",
    "UserError": "skolemate.errors",
    "Verdict": "skolemate.ask",
    "certify": "skolemate.api",
    "check": "skolemate.api",
    "encode": "skolemate.api",
    "load": "skolemate.loading",
    "oracle": "skolemate.api",
    "prove": "skolemate.api",
    "read_game": "skolemate.formats",
    "solve": "skolemate.api",
    "stats": "skolemate.api",
    "svg": "skolemate.render",
    "text": "skolemate.render",
    "write_formula": "skolemate.api",
    "write_game": "skolemate.formats",
}

__all__ = sorted(_EXPORTS)


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module 'skolemate' has no attribute {name!r}")
    return getattr(importlib.import_module(_EXPORTS[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_EXPORTS])
