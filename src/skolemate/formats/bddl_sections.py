"""The sections of BDDL files, by the names of the paper."""

from __future__ import annotations

__all__ = ["ACTIONS", "GOALS", "SECTIONS", "section_name"]

ACTIONS = ("#blackactions", "#whiteactions")
GOALS = ("#blackgoals", "#whitegoals")
SECTIONS = ("#boardsize", "#init", "#depth", "#blackturn", *GOALS, *ACTIONS)

_KNOWN = {section.rstrip("s"): section for section in SECTIONS}


def section_name(heading: str) -> str | None:
    """The section that a heading means, with or without the plural, in any case.

    >>> section_name("#BlackGoal"), section_name("#goal")
    ('#blackgoals', None)
    """
    return _KNOWN.get(heading.lower().rstrip("s"))
