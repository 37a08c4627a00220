"""From a string to a game: a name with parameters, a file, or a link."""

from os import PathLike, fspath
from pathlib import Path

from skolemate.errors import UserError, brief
from skolemate.games.family import FAMILIES, SETUP, apply_setup, build, built, file_in, split_name
from skolemate.games.game import Game
from skolemate.games.gdl.game import GdlGame
from skolemate.limits import OutOfBudget, patience
from skolemate.output import File

BUILDING = 0.2  # seconds that building a game may always take, whatever the limit


def load(game: File | Game, domain: File | None = None) -> Game:
    """Build a game from its name or read it from a file.

    - `game`: a name with parameters, a file (a string or a path), a link to HexWorld, or a game.
    - `domain`: the file with the domain of a BDDL problem.

    A registered name comes before a file of the same name; `./` before it means the file. Text is
    taken for a file if it is quoted, exists, has a suffix or a directory, or is `-` for the
    standard input. Files take `(moves=…)` too.

    >>> str(load("hein(9, moves=b2)"))
    'hein(9, moves=b2)'
    """
    if isinstance(game, Game):
        return game
    if not isinstance(game, str | PathLike):
        raise UserError(f"a game is a name, a file or a Game, not {game!r:.40}")
    try:
        with patience(BUILDING):  # even an answer that is cancelled at once names its game
            return _loaded(game, None if domain is None else fspath(domain))
    except OutOfBudget as out:
        why = out.reason.value
        raise UserError(f"{brief(str(game))} could not be built within the limit ({why})") from None


def _loaded(game: File, domain: str | None) -> Game:
    if isinstance(game, str) and "hexworld.org" in game:
        from skolemate.formats.hexworld import is_link, read_link

        if is_link(game):
            return read_link(game)
    file, arguments = _file_in(game) if isinstance(game, str) else (fspath(game), [])
    if file is None:
        if domain is not None:
            raise UserError(
                f"a domain needs a BDDL problem in a file, and {brief(str(game))} is not a file"
            )
        return build(str(game))
    from skolemate.formats import read_game

    read = read_game(file, domain)
    known = (*SETUP, "player", "goal") if isinstance(read, GdlGame) else SETUP
    for key, value in arguments:
        if key not in known:
            named = brief(value if key is None else key)
            raise UserError(f"{named} cannot be given with a file; possible are {', '.join(known)}")
    if isinstance(read, GdlGame):
        asked = dict(arguments)
        read = read.asking(asked.get("player", read.role), asked.get("goal", ""))
    return apply_setup(read, arguments)


def _file_in(text: str) -> tuple[str | None, list[tuple[str | None, str]]]:
    """The file that a string names, with the arguments behind it; None if it names none."""
    quoted = file_in(text)
    if quoted is not None:
        return quoted[0], split_name(f"file{quoted[1]}")[1]
    if _exists(text):
        return (None, []) if built(text) else (text, [])  # a name means its game
    for place in (place for place, letter in enumerate(text) if letter == "("):
        if text.endswith(")") and _exists(text[:place]) and not built(text):
            return text[:place], split_name(f"file{text[place:]}")[1]
    name, arguments = split_name(text)
    path = Path(name)
    if name not in FAMILIES and (name == "-" or path.suffix or len(path.parts) > 1):
        return name, arguments
    return None, []


def _exists(name: str) -> bool:
    if name in FAMILIES:
        return False  # even if the folder has a file of that name
    try:
        return Path(name).is_file()
    except OSError:  # a name too long for any file
        return False
