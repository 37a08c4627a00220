"""Small files to test with: every dialect, and one puzzle in all of them."""

from __future__ import annotations

from skolemate.games import Connection, Player, PositionalGame
from skolemate.games.family import build
from skolemate.games.symmetry import cells_of

BLACK, WHITE = Player.BLACK, Player.WHITE


HEAD = "#times\nt1 t2 t3\n#blackturns\nt1 t3\n#positions\n"  # lines 1 to 5
SETS = HEAD + "a1 a2 b1 b2\n#blackwins\na1 a2\nb1 b2\n"
GRAPH = HEAD + "p q r\n#neighbours\np q\nq p r\nr q\n#startboarder\np\n#endboarder\nr\n"
EDGES = HEAD + "p q r\n#edges\nS p\np q\nq r\nr T\n#source\nS\n#target\nT\n"
RECORD = "(;FF[4]GM[11]SZ[3]\nAB[a1]AW[b2]PL[B]\n;B[c3]\n;W[c2])\n"

# Piet Hein's puzzle 4 in all four dialects.
HEIN_TIMES = "#times\nt1 t2 t3\n#blackturns\nt1 t3\n"
HEIN_STONES = "#blackinitials\na1\n#whiteinitials\nb1\nc2\n"
HEIN_BOARD = f"""%
{HEIN_STONES}{HEIN_TIMES}#positions
a1 a2 a3 b1 b2 b3 c1 c2 c3
#blackwins
#neighbours
%format: position followed by its neighbours separated by spaces
a1 b1 a2
a2 b2 a1 a3 b1
a3 b3 a2 b2
b1 a1 c1 b2 a2
b2 a2 c2 b1 b3 a3 c1
b3 a3 c3 b2 c2
c1 b1 c2 b2
c2 b2 c1 c3 b3
c3 b3 c2
#startboarder
a1 b1 c1
#endboarder
a3 b3 c3
"""
HEIN_SETS = f"""{HEIN_STONES}{HEIN_TIMES}#positions
a1 a2 a3 b1 b2 b3 c1 c2 c3
#blackwins
a1 a2 a3
a1 a2 b2 b3
c1 b2 a3
c1 b2 b3
"""
HEIN_GEX = f"""#blackinitials
#whiteinitials
{HEIN_TIMES}#positions
a2 a3 b2 b3 c1
#neighbours
a2 b2 a3
a3 a2 b2
b2 a2 b3 a3 c1
b3 b2
c1 b2
#startboarder
a2 c1
#endboarder
a3 b3
"""
HEIN_EGF = f"""{HEIN_TIMES}#positions
a2 a3 b2 b3 c1
#edges
a2 b2
a2 a3
a3 b2
b2 b3
b2 c1
S a2
S c1
T a3
T b3
#source
S
#target
T
"""


def positional(game: object) -> PositionalGame:
    assert isinstance(game, PositionalGame)
    return game


def named(text: str) -> PositionalGame:
    return positional(build(text))


def paths(game: PositionalGame) -> set[frozenset[str]]:
    """Black's minimal winning sets by name: own stones left out, sets with an enemy's dropped."""
    goal, names = game.black_goal, game.board.names
    listed = list(goal.paths()) if isinstance(goal, Connection) else list(goal.sets) if goal else []
    folded = {winning & ~game.black for winning in listed if not winning & game.white}
    least = {s for s in folded if not any(other != s and other & s == other for other in folded)}
    return {frozenset(names[cell] for cell in cells_of(s)) for s in least}
