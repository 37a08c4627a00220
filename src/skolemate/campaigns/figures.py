"""Figures as papers print them, and whether ours agree.

`=826` must be met exactly, `<=25.0k` must not be exceeded, `~122k` may have been rounded or cut
off as printed, `~1591±0.2%` leaves that much room; a figure without such a sign is shown beside
ours and not compared: times, above all, belong to the machine on which they were taken.
"""

from __future__ import annotations

import re
from decimal import Decimal

from skolemate.errors import UserError, brief

__all__ = ["agrees", "is_checked", "refuse_unreadable", "shown"]

_FIGURE = re.compile(r"(=|<=|~)\s*(\d+(?:\.\d+)?)([kM]?)(?:±(\d+(?:\.\d+)?)%)?")
_SCALE = {"": Decimal(1), "k": Decimal(1000), "M": Decimal(1_000_000)}


def is_checked(figure: str) -> bool:
    """Whether a figure is one to compare with.

    >>> is_checked("~122k"), is_checked("0.11"), is_checked("TO")
    (True, False, False)
    """
    return figure.startswith(("=", "<=", "~"))


def shown(figure: str) -> str:
    """A figure as the paper has it.

    >>> shown("<=25.0k"), shown("~1591±0.2%"), shown("TO")
    ('25.0k', '1591', 'TO')
    """
    return figure.lstrip("=<~ ").partition("±")[0] if is_checked(figure) else figure


def refuse_unreadable(figure: str) -> None:
    """Refuse a figure that has a sign but cannot be compared with."""
    if is_checked(figure):
        _parts(figure)


def agrees(figure: str, ours: float) -> bool:
    """Whether our number is what the figure says.

    >>> agrees("~122k", 122_266), agrees("~122k", 123_000), agrees("<=25.0k", 25_040)
    (True, False, True)
    """
    sign, digits, suffix, percent = _parts(figure).groups()
    number = Decimal(digits) * _SCALE[suffix]
    unit = Decimal(1).scaleb(-len(digits.partition(".")[2])) * _SCALE[suffix]
    room = number * Decimal(percent) / 100 if percent else Decimal(0)
    found = Decimal(str(ours))
    if sign == "=":
        return abs(found - number) <= room
    least = number - unit / 2 - room if sign == "~" else Decimal(0)
    exact = sign == "<=" and not suffix
    return least <= found and (found <= number if exact else found < number + unit + room)


def _parts(figure: str) -> re.Match[str]:
    match = _FIGURE.fullmatch(figure.strip())
    if match is None:
        raise UserError(f"{brief(figure)} is no figure to compare with; write =826, <=25k or ~122k")
    return match
