"""Playing against the computer: a match, its opponents, and a way to sit at the board.

`match` is the game so far, `thinker` the opponent that solves, `sensible` what it plays when it
does not know, `session` the loop for a person. `terminal` is the way in and out.
"""
