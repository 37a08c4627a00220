"""Answers, and the methods that answer questions: all have one signature (see `method`)."""

from skolemate.ask.deepening import deepen, verified
from skolemate.ask.method import Answer, Method, Progress, Tell, Verdict, asking

__all__ = [
    "Answer",
    "Method",
    "Progress",
    "Tell",
    "Verdict",
    "asking",
    "deepen",
    "verified",
]
