"""Strategies: extracted by asking questions, saved as lines, looked up, checked by the rules."""

from skolemate.strategies.checker import Report, check
from skolemate.strategies.claim import Claim
from skolemate.strategies.extract import Unfinished, extract
from skolemate.strategies.nodes import Node, Pairs
from skolemate.strategies.strategy import Strategy, check_file

__all__ = [
    "Claim",
    "Node",
    "Pairs",
    "Report",
    "Strategy",
    "Unfinished",
    "check",
    "check_file",
    "extract",
]
