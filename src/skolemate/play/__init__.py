"""Playing against the computer: a match, its opponents, and three ways to sit at the board.

`match` is the game so far, `opponent` whoever answers, `thinker` the one that solves. `session` is
the loop for a person at a `terminal`, `gtp` speaks with other programs, `web` is the page.
"""
