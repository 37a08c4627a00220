"""Critical depths of Harary's tic-tac-toe on square boards, by exhaustive search."""

from __future__ import annotations

__all__ = ["CRITICAL"]

# By the side of the board. Of the shapes of up to five cells, on 5x5 of up to six, no other wins.
CRITICAL = {
    3: {"elam": 1, "domino": 3, "el": 5, "tippy": 9},
    4: {"elam": 1, "domino": 3, "el": 5, "tic": 5, "elly": 7, "tippy": 9},
    5: {"elam": 1, "domino": 3, "el": 5, "tic": 5, "elly": 7, "knobby": 7, "tippy": 7, "n": 11},
}
