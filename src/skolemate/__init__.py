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
    from skolemate.api import Unproved as Unproved
    from skolemate.api import certify as certify
    from skolemate.api import check as check
    from skolemate.api import describe as describe
    from skolemate.api import encode as encode
    from skolemate.api import oracle as oracle
    from skolemate.api import prove as prove
    from skolemate.api import solve as solve
    from skolemate.api import stats as stats
    from skolemate.ask import Answer as Answer
    from skolemate.ask import Verdict as Verdict
    from skolemate.encodings import write_formula as write_formula
    from skolemate.errors import UserError as UserError
    from skolemate.formats import read_game as read_game
    from skolemate.formats import write_game as write_game
    from skolemate.games import Game as Game
    from skolemate.games import Player as Player
    from skolemate.games import Position as Position
    from skolemate.games import Question as Question
    from skolemate.limits import Limit as Limit
    from skolemate.limits import Reason as Reason
    from skolemate.loading import load as load
    from skolemate.render import svg as svg
    from skolemate.render import text as text
    from skolemate.strategies import Claim as Claim
    from skolemate.strategies import Strategy as Strategy

    __version__: str

# Loaded on first use: importing the package must stay cheap (see `cli`).
_NAMES = {
    "api": "Unproved certify check describe encode oracle prove solve stats",
    "ask": "Answer Verdict",
    "encodings": "write_formula",
    "errors": "UserError",
    "formats": "read_game write_game",
    "games": "Game Player Position Question",
    "limits": "Limit Reason",
    "loading": "load",
    "render": "svg text",
    "strategies": "Claim Strategy",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}

__all__ = [
    *_HOMES,
    "__version__",
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
