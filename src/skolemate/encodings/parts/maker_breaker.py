"""What the encodings of Shaik et al. (2023) have in common: their paper, and their games."""

from __future__ import annotations

from itertools import pairwise

from skolemate.ask.question import Question
from skolemate.encodings.parts.problem import trimmed_turns

__all__ = ["PAPER", "refuses_other_games"]

PAPER = (
    "Shaik, Mayer-Eichberger, van de Pol, Saffidine: "
    "Implicit State and Goals in QBF Encodings for Positional Games, 2023"
)


def refuses_other_games(question: Question) -> str | None:
    """These encodings are for Maker-Breaker games in which the players alternate."""
    game = question.game
    if not game.is_maker_breaker:
        return "it is for Maker-Breaker games, and White has a goal of his own"
    schedule = trimmed_turns(question, game.grounded().schedule or ())
    if any(first is second for first, second in pairwise(schedule)):
        return "it is for players who alternate stone by stone"
    return None
