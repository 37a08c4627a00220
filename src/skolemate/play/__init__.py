"""Playing against the computer: a match, its opponents, and two ways to sit at the board.

`match` is the game so far, `thinker` the opponent that solves, `sensible` what it plays when it
does not know, `session` the loop for a person. `terminal` and `gtp` are the ways in and out.
"""
