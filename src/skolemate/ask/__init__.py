"""Answers, and the methods that answer questions: all have one signature (see `method`)."""

from skolemate.ask.deepening import deepen, verified
from skolemate.ask.method import Answer, Method, Progress, Tell, Verdict, asking
from skolemate.limits import Limit, Reason

__all__ = [
    "Answer",
    "Limit",
    "Method",
    "Progress",
    "Reason",
    "Tell",
    "Verdict",
    "asking",
    "deepen",
    "verified",
]
