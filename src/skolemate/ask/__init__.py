"""Answers, and the methods that answer questions: all have one signature (see `method`)."""

from skolemate.ask.deepening import deepen
from skolemate.ask.method import Answer, Verdict
from skolemate.limits import Limit, Reason

__all__ = ["Answer", "Limit", "Reason", "Verdict", "deepen"]
