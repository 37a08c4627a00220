"""Playing against the computer: in the terminal, through GTP, or on a page.

`match` has the game so far and the opponents. `session` is the loop for a person at a terminal,
`gtp` talks to other programs, `web` serves the page.
"""
