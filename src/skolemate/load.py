"""From a string to a game: a name with parameters, or a file."""

from __future__ import annotations

from pathlib import Path

from skolemate.games.family import FAMILIES, apply_setup, build, split_name
from skolemate.games.game import Game

__all__ = ["load"]


def load(game: str | Game) -> Game:
    """The game that a string means.

    A name of the registry comes first; then anything that looks like a file: it exists, or has
    a suffix or a directory, or is `-` for standard input. Files take `(moves=…)` too.

    >>> str(load("hein(9, moves=b2)"))
    'hein(9, moves=b2)'
    """
    if isinstance(game, Game):
        return game
    name, arguments = split_name(game)
    if name.lower() not in FAMILIES and _looks_like_file(name):
        from skolemate.formats import read_game

        return apply_setup(read_game(name), arguments)
    return build(game)


def _looks_like_file(name: str) -> bool:
    path = Path(name)
    if name == "-" or path.suffix or len(path.parts) > 1:
        return True
    try:
        return path.exists()
    except OSError:  # a name too long for any file
        return False
