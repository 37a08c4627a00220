"""Reading and writing descriptions of games: `.pg` in four dialects, `.sgf` for Hex.

The suffix of a file tells its format; for other files and the standard input, the content does.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from skolemate.errors import UserError, brief
from skolemate.formats.pg import parse_pg, read_pg
from skolemate.formats.pg_write import DIALECTS, to_pg
from skolemate.formats.sgf import parse_sgf, read_sgf
from skolemate.formats.sgf_record import Record, to_sgf
from skolemate.formats.source import STDIN, Source
from skolemate.games.game import Game
from skolemate.output import write_text

__all__ = [
    "DIALECTS",
    "SUFFIXES",
    "Record",
    "parse_pg",
    "parse_sgf",
    "read_game",
    "to_pg",
    "to_sgf",
    "write_game",
]

_READERS: dict[str, Callable[[Source], Game]] = {
    ".pg": read_pg,
    ".sgf": lambda source: read_sgf(source).game(),
}
SUFFIXES = tuple(_READERS)
_BEGINNINGS = {"#": ".pg", "%": ".pg", "(": ".sgf"}


def read_game(path: str) -> Game:
    """The game in a file, named after it; `-` is the standard input."""
    source = Source.load(path)
    suffix = PurePath(path).suffix.lower()
    if suffix not in _READERS:
        suffix = _told_by_content(source)
    name = STDIN if path == "-" else PurePath(path).name
    printable = name.encode(errors="replace").decode()  # a file's name may be any bytes
    return _READERS[suffix](source).renamed(printable)


def write_game(game: Game, path: str, dialect: str | None = None) -> None:
    """Write a game in the format of the suffix; `-` is the standard output, in `.pg`.

    `dialect` is one of `DIALECTS` and belongs to `.pg`.
    """
    suffix = ".pg" if path == "-" else PurePath(path).suffix.lower()
    if suffix == ".pg":
        text = to_pg(game, dialect)
    elif suffix == ".sgf":
        if dialect is not None:
            raise UserError(f"a .sgf file has no dialects such as {brief(dialect)}")
        text = to_sgf(game)
    else:
        raise UserError(f"cannot tell the format of {brief(path, 200)}; {_known()}")
    write_text(path, text)


def _told_by_content(source: Source) -> str:
    first = source.text.lstrip()[:1]
    if first not in _BEGINNINGS:
        raise UserError(f"{source.file} holds no game in a known format; {_known()}")
    return _BEGINNINGS[first]


def _known() -> str:
    return f"known suffixes are {' and '.join(SUFFIXES)}"
