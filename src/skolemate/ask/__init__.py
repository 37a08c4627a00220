"""Questions, answers, and the methods that answer: all with one signature (see `method`)."""

from skolemate.ask.answer import Answer, Verdict
from skolemate.ask.deepening import deepen
from skolemate.ask.question import Question
from skolemate.limits import Limit, Reason

__all__ = ["Answer", "Limit", "Question", "Reason", "Verdict", "deepen"]
