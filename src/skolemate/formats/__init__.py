"""Reading and writing games: `.pg` in its dialects, Hex, BDDL, GDL, records, drawn boards, graphs.

The suffix of a file decides its format. Where it does not (the standard input, an unknown suffix,
BDDL models called `.pg`) the content does.
"""

import re
from dataclasses import replace
from os import fspath
from pathlib import Path, PurePath

from skolemate.errors import UserError, brief
from skolemate.formats.bddl import to_bddl
from skolemate.formats.bddl_syntax import section_name
from skolemate.formats.drawn import is_drawn, read_drawn, read_graph
from skolemate.formats.pg import SECTIONS as PG_SECTIONS
from skolemate.formats.pg import parse_pg, read_pg
from skolemate.formats.pg_write import DIALECTS, natural_suffix, to_pg
from skolemate.formats.record import read_hex, read_record, to_record
from skolemate.formats.sgf import Record, is_hex, parse_sgf, read_sgf, to_sgf
from skolemate.formats.source import STDIN, Source
from skolemate.games.family import name_of_file
from skolemate.games.game import Game
from skolemate.output import File, write_text

__all__ = [
    "DIALECTS",
    "SUFFIXES",
    "Record",
    "files_of",
    "is_domain",
    "is_hex",
    "natural_suffix",
    "parse_game",
    "parse_pg",
    "parse_sgf",
    "read_game",
    "texts_of",
    "to_bddl",
    "to_pg",
    "to_record",
    "to_sgf",
    "write_game",
]

SUFFIXES = (
    *(".pg", ".sgf", ".hex", ".bddl", ".ig", ".gdl", ".kif", ".json"),
    *(".board", ".edges", ".col"),
)
_BDDL = (".bddl", ".ig")  # the second is how published files are called
_GDL = (".gdl", ".kif")  # and so are these
_GRAPHS = (".edges", ".col")  # the second is the suffix of DIMACS
_HEADING = re.compile(r"^[^\S\n]*(#\w*)", re.MULTILINE)
_RULES = re.compile(r"^[^\S\n]*\(\s*(role|<=)\s", re.MULTILINE | re.IGNORECASE)
_BOARD = re.compile(r"^[^\S\n]*#boardsize", re.MULTILINE | re.IGNORECASE)
_ACTIONS = re.compile(r"^[^\S\n]*#(black|white)action", re.MULTILINE | re.IGNORECASE)


def read_game(path: File, domain: File | None = None) -> Game:
    """Read a game from a file; the game is named after the file.

    - `path`: the file, in any format that `skolemate` reads (`.pg`, `.bddl`, `.ig`, `.sgf`, `.hex`,
      `.gdl`, `.kif`, `.json`, `.board`, `.edges`, `.col`); `-` is the standard input.
    - `domain`: the file with the domain of a BDDL problem. Without it, the domain is in the
      problem's own file or in a file called `domain` beside it.
    """
    path, domain = fspath(path), None if domain is None else fspath(domain)
    if path == domain == "-":
        raise UserError("problem and domain cannot both come from the standard input")
    source = Source.load(path)
    if domain is None and path != "-":
        domain = _domain_beside(source, path)
    game = _game_in(source, path, None if domain is None else Source.load(domain))
    # A record and a drawn board keep the name of their game.
    name = game.name or (STDIN if path == "-" else name_of_file(PurePath(path).name))
    return replace(game, name=name, file=path)  # type: ignore[type-var]  # all are dataclasses


def files_of(path: str) -> list[str]:
    """The files that a game is read from: its own and, if needed, the domain beside it."""
    domain = _domain_beside(Source.load(path), path)
    return [path, *([] if domain is None else [domain])]


def texts_of(path: str) -> list[str]:
    """The texts of the files that a game is read from."""
    return [Source.load(file).text for file in files_of(path)]


def parse_game(name: str, text: str, domain: str | None = None) -> Game:
    """The game in a text; `name` gives the format by its suffix, no such file is opened."""
    rules = None if domain is None else Source.of("domain", domain)
    game = _game_in(Source.of(name, text), name, rules)
    return game if game.name else game.renamed(name)


def _game_in(source: Source, name: str, domain: Source | None) -> Game:
    """The game that a text describes, without a name unless it is a record or a drawn board."""
    suffix = _format(source, name)
    if domain is not None and suffix not in _BDDL:
        raise UserError(f"a domain needs a BDDL problem, and {source.file} is not one")
    if suffix == ".json":
        return read_record(source, _described)
    if suffix == ".pg":
        return read_pg(source).renamed("")
    if suffix == ".sgf":
        return read_sgf(source).game().renamed("")
    if suffix == ".hex":
        return read_hex(source).renamed("")
    if suffix in _GDL:
        from skolemate.formats.gdl import read_gdl

        return read_gdl(source)
    if suffix == ".board":
        return read_drawn(source)
    if suffix in _GRAPHS:
        return read_graph(source)
    return _read_bddl(source, domain).renamed("")


def _domain_beside(source: Source, path: str) -> str | None:
    """The file with the domain of a BDDL problem that does not hold it itself."""
    if _format(source, path) not in _BDDL or _ACTIONS.search(source.text):
        return None
    for suffix in dict.fromkeys((PurePath(path).suffix, *_BDDL)):
        beside = Path(path).with_name(f"domain{suffix}")
        if beside.is_file() and beside.name != PurePath(path).name:
            return str(beside)
    return None


def is_domain(text: str) -> bool:
    """Whether a text holds the actions of a BDDL domain, but no board."""
    return bool(_ACTIONS.search(text)) and not _BOARD.search(text)


def _described(source: Source) -> Game:
    """The game in a description that is part of a record."""
    if _suffix_by_content(source) == ".pg":
        return read_pg(source)
    return _read_bddl(source, None)


def _read_bddl(source: Source, domain: Source | None) -> Game:
    from skolemate.formats.bddl import read_bddl

    return read_bddl(source, domain)


def write_game(game: Game, path: File, dialect: str | None = None) -> None:
    """Write a game to a file.

    - `game`: the game; what is written is the position from which questions are asked.
    - `path`: the file; its suffix decides the format. `-` is the standard output, in `.pg`, or in
      BDDL if `.pg` cannot express the rules.
    - `dialect`: how a `.pg` file states the goal: one of `DIALECTS`.
    """
    path = fspath(path)
    suffix = PurePath(path).suffix.lower()
    if path == "-":
        suffix = natural_suffix(game) if dialect is None else ".pg"
    if dialect is not None and suffix in SUFFIXES and suffix != ".pg":
        raise UserError(f"a {suffix} file has no dialects such as {brief(dialect)}")
    if suffix == ".pg":
        text = to_pg(_positional(game), dialect)
    elif suffix == ".sgf":
        text = to_sgf(game)
    elif suffix in _BDDL:
        text = to_bddl(_positional(game))
    elif suffix == ".json":
        text = to_record(game)
    elif suffix == ".hex":
        raise UserError(".hex files cannot be written; write .sgf or .pg")
    elif suffix in _GDL:
        from skolemate.formats.gdl_write import to_gdl

        text = to_gdl(game)
    elif suffix in SUFFIXES:
        raise UserError(f"{suffix} files cannot be written; write .pg")
    else:
        raise UserError(f"cannot tell the format of {brief(path, 200)}; {_known()}")
    write_text(path, text)


def _positional(game: Game) -> Game:
    """A game of GDL as a game of placing stones, if it is one; other games as they are."""
    from skolemate.games.gdl.game import GdlGame

    if not isinstance(game, GdlGame):
        return game
    from skolemate.games.gdl.positional import positional

    return positional(game)


def _format(source: Source, name: str) -> str:
    """The suffix of a source's format: the name's, or else the one that fits the content."""
    suffix = PurePath(name).suffix.lower()
    if suffix == ".pg" and _is_model(source):
        return ".bddl"
    return suffix if suffix in SUFFIXES else _suffix_by_content(source)


def _is_model(source: Source) -> bool:
    """Whether a source is BDDL by its first section (`#blackgoal` also exists in `.pg`)."""
    heading = _HEADING.search(source.text)
    if heading is None or section_name(heading[1]) is None:
        return False
    return heading[1] not in PG_SECTIONS or _BOARD.search(source.text) is not None


def _suffix_by_content(source: Source) -> str:
    if _RULES.search(source.text):
        return ".gdl"
    if source.text.lstrip().startswith("("):
        return ".sgf"
    if source.text.lstrip().startswith("{"):
        return ".json"
    if is_drawn(source):
        return ".board"
    if not _HEADING.search(source.text):
        raise UserError(f"{source.file} has no game in a known format; {_known()}")
    return ".bddl" if _is_model(source) else ".pg"


def _known() -> str:
    return f"known suffixes are {', '.join(SUFFIXES[:-1])} and {SUFFIXES[-1]}"
