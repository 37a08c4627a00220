"""Skolemate: can this player force a win within d moves, and how?

>>> import skolemate
>>> answer = skolemate.oracle("hex(size=3)")
>>> answer.verdict.name, answer.critical_depth
('WIN', 5)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for editors and mypy; the same names as below
    from skolemate.api import (
        Analyst,
        certify,
        check,
        describe,
        encode,
        oracle,
        prove,
        qbf,
        solve,
        stats,
        value,
    )
    from skolemate.ask import Answer, Progress, Verdict
    from skolemate.ask.how import How
    from skolemate.ask.qbf import default_encoding
    from skolemate.ask.value import Outcome, Value
    from skolemate.encodings import write_formula
    from skolemate.errors import UserError
    from skolemate.formats import read_game, write_game
    from skolemate.games import Game, Player, Position, Question
    from skolemate.limits import Budget, Limit, Reason
    from skolemate.loading import load
    from skolemate.publishing import publish
    from skolemate.render import svg, text
    from skolemate.strategies import Claim, Strategy

    __version__: str

# Loaded on first use: importing the package must stay cheap (see `cli`).
_NAMES = {
    "api": "Analyst certify check describe encode oracle prove qbf solve stats value",
    "ask": "Answer Progress Verdict",
    "ask.how": "How",
    "ask.qbf": "default_encoding",
    "ask.value": "Outcome Value",
    "encodings": "write_formula",
    "errors": "UserError",
    "formats": "read_game write_game",
    "games": "Game Player Position Question",
    "limits": "Budget Limit Reason",
    "loading": "load",
    "publishing": "publish",
    "render": "svg text",
    "strategies": "Claim Strategy",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}

__all__ = [
    "Analyst",
    "Answer",
    "Budget",
    "Claim",
    "Game",
    "How",
    "Limit",
    "Outcome",
    "Player",
    "Position",
    "Progress",
    "Question",
    "Reason",
    "Strategy",
    "UserError",
    "Value",
    "Verdict",
    "__version__",
    "certify",
    "check",
    "default_encoding",
    "describe",
    "encode",
    "load",
    "oracle",
    "prove",
    "publish",
    "qbf",
    "read_game",
    "solve",
    "stats",
    "svg",
    "text",
    "value",
    "write_formula",
    "write_game",
]


if not TYPE_CHECKING:  # who knows the names above must not be told that there are others

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            from importlib.metadata import version

            return version("skolemate")
        if name not in _HOMES:
            raise AttributeError(f"module 'skolemate' has no attribute {name!r}")
        return getattr(importlib.import_module(f"skolemate.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
