"""The Breaker's question, answered by asking the Maker's."""

from __future__ import annotations

from dataclasses import replace
from threading import Event

from skolemate.ask.answer import Answer, Verdict
from skolemate.ask.method import Method, Tell
from skolemate.ask.question import Question
from skolemate.limits import Limit

__all__ = ["breakers_answer"]


def breakers_answer(
    ask: Method,
    name: str,
    question: Question,
    limit: Limit,
    progress: Tell | None,
    cancel: Event | None,
) -> Answer:
    """The Breaker wins with the last turn, and exactly if the Maker has not won by then."""
    game, horizon = question.game, question.game.horizon
    if horizon is None or not question.reaches_horizon:
        return Answer(
            game,
            question.player,
            question.depth,
            Verdict.NO_WIN,
            method=name,
            refuted_depth=question.depth,
        )
    answer = ask(Question(game, question.player.opponent, horizon), limit, progress, cancel)
    exchanged = {Verdict.WIN: Verdict.NO_WIN, Verdict.NO_WIN: Verdict.WIN}
    verdict = exchanged.get(answer.verdict, answer.verdict)
    no_win = verdict is Verdict.NO_WIN
    return replace(
        answer,
        player=question.player,
        depth=question.depth,
        verdict=verdict,
        refuted_depth=question.depth if no_win else None,
        every_depth=no_win,
        first_moves=None,
        first_moves_complete=False,
    )
