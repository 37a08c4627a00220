"""Links to HexWorld, https://hexworld.org/board/#11,a1b2c3: a game of Hex in an address.

Behind the # stand the size, how the board is drawn (r9, n, c1: ignored), and the moves; after
a second comma those that were taken back. `:s` swaps pieces, `:p` passes, `:rb` and `:fb` say
that Black has resigned or run out of time. The first player joins top and bottom, as Black here.
"""

import re

from skolemate.errors import UserError, brief
from skolemate.formats.sgf import SWAP_PIECES, Record
from skolemate.games.game import Player
from skolemate.games.positional import PositionalGame

_LINK = re.compile(r"(?:https?://)?(?:www\.)?hexworld\.org/board/?(?:#(.*))?", re.S)
_BOARD = re.compile(r"([0-9]{1,3})(?:x([0-9]{1,3}))?((?:[a-z][0-9]*)*)")
_MOVES = re.compile(r":[sp]|:[rf][bw]|[a-z]+[0-9]+|.", re.S)


def is_link(text: str) -> bool:
    """Whether a text is a link to HexWorld."""
    return _LINK.fullmatch(text.strip()) is not None


def read_link(text: str) -> PositionalGame:
    """The game in a link, with its moves played.

    >>> print(read_link("https://hexworld.org/board/#4,a3:sb2d1"))
    hex(size=4, white=c1, moves=b2 d1)
    """
    link = _LINK.fullmatch(text.strip())
    board, _, rest = ((link and link[1]) or "").partition(",")
    size = _BOARD.fullmatch(board)
    if size is None:
        raise UserError(f"{brief(text)} has no size; copy the whole link, as in …/board/#11,a1b2")
    rows = None if size[2] in (None, size[1]) else int(size[2])
    moves = _moves(rest.partition(",")[0])
    return Record(int(size[1]), first=Player.BLACK, moves=moves, rows=rows).game()


def _moves(text: str) -> tuple[tuple[Player, str], ...]:
    """The moves with their players; who passes leaves the next move to the other."""
    player, moves = Player.BLACK, list[tuple[Player, str]]()
    for word in _MOVES.findall(text):
        if word[:2] in (":r", ":f"):
            moves.append((player, "resign"))
            break
        if word == ":s":
            moves.append((player, SWAP_PIECES))
        elif word != ":p":
            moves.append((player, word))
        player = player.opponent
    return tuple(moves)
