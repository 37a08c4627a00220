"""Questions, answers, and the methods that answer: all with one signature (see `method`)."""

from skolemate.ask.answer import Answer, Reason, Verdict
from skolemate.ask.deepening import deepen
from skolemate.ask.limit import Limit
from skolemate.ask.question import Question

__all__ = ["Answer", "Limit", "Question", "Reason", "Verdict", "deepen"]
