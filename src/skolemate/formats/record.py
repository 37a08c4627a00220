"""Records of games as JSON, and `.hex` puzzles.

A record holds a game, the moves played from its beginning, and any remarks. A game that its name
alone does not build is described in the record itself, so that a record needs no other file.
"""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from skolemate.errors import UserError, brief
from skolemate.formats.bddl import to_bddl
from skolemate.formats.pg import Section
from skolemate.formats.pg_write import natural_suffix, to_pg
from skolemate.formats.sgf import Record
from skolemate.formats.source import Place, Source, strict_json
from skolemate.games import DEEPEST, Game, PositionalGame, parse_cell
from skolemate.games.family import build, built, file_in, name_of_file
from skolemate.output import shorten

LONGEST_NAME = 200  # characters
KIND = "game"  # the value of `skolemate` in a record, so that other JSON is not mistaken for one


def to_record(game: Game, **remarks: Any) -> str:
    """The text of a file that holds a game with the moves played in it.

    >>> print(to_record(build("tictactoe(moves=b2 a1)"), human="black"), end="")
    {
      "skolemate": "game",
      "game": "tictactoe",
      "description": null,
      "depth": null,
      "moves": ["b2", "a1"],
      "human": "black"
    }
    """
    # The depth is an entry of its own.
    base = replace(game.rewound(), depth=None)  # type: ignore[type-var]  # all are dataclasses
    named = built(base.name) == base
    moves = [game.move_name(move) for move in game.played]
    entries: dict[str, Any] = {
        "skolemate": KIND,
        "game": base.name if named else _own_name(base.name),
        "description": None if named else _described(base),
        "depth": game.depth,
        "moves": moves,
        **remarks,
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in entries.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _described(game: Game) -> str:
    return to_pg(game) if natural_suffix(game) == ".pg" else to_bddl(game)


def read_record(source: Source, parse: Callable[[Source], Game]) -> Game:
    """The game in a record; `parse` reads a description."""
    try:
        entries = strict_json(source.text)
    except json.JSONDecodeError as error:
        place = Place(error.lineno, error.colno)
        raise source.error(f"this is not JSON: {error.msg.lower()}", place) from None
    except (RecursionError, ValueError) as error:  # a number of thousands of digits, too
        raise source.error(f"this is not a game record: {error}", Place(1, 1)) from None
    start = Place(1, 1)
    if not isinstance(entries, dict) or entries.get("skolemate") != KIND:
        raise source.error(f'this is not a game record: "skolemate": "{KIND}" is missing', start)
    name, described, moves = (entries.get(key) for key in ("game", "description", "moves"))
    if not isinstance(name, str) or not isinstance(described, str | None):
        raise source.error("game must be a name, and description a text or null", start)
    depth = entries.get("depth")
    if depth is not None and (type(depth) is not int or not 0 <= depth <= DEEPEST):
        raise source.error(f"depth must be a number of plies up to {DEEPEST:,}, or null", start)
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise source.error("moves must be a list of names", start)
    try:
        game = build(name) if described is None else _parsed(source, name, described, parse)
        game = replace(game, depth=depth)  # type: ignore[type-var]  # all games are dataclasses
        return game.after(" ".join(moves))
    except UserError as error:
        raise source.error(f"{brief(name)}: {error}", start) from None


def _parsed(source: Source, name: str, described: str, parse: Callable[[Source], Game]) -> Game:
    """The game that is described, under a name that builds no other."""
    game = parse(Source.of(f"{source.file}, description", described))
    named = built(name)
    if named is None:
        return game.renamed(_own_name(name))
    if (named.board.names, named.grounded()) != (game.board.names, game.grounded()):
        raise UserError("the description does not match the game of this name")
    return named


def _own_name(name: str) -> str:
    """A name for a described game that no registered family or file name can equal."""
    file = file_in(name)
    return name_of_file(shorten(name if file is None else "".join(file), LONGEST_NAME))


# --- .hex puzzles ---------------------------------------------------------------------------------
# The side comes first, then `b[c4]` and `w[a1]` for each stone, in any order; `%` begins a
# comment. The format has no turns and no depth: Black moves first, and joins the first row to the
# last.


_STONE = re.compile(r"([bw])\[(\w+)\]", re.IGNORECASE)


def read_hex(source: Source) -> PositionalGame:
    """The position that a source describes.

    >>> print(read_hex(Source.of("a.hex", "% a puzzle\\n2\\nb[a1] w[b2]")).start)
          a b
        --X--
    1   \\ X . \\
     2 O \\ . O \\ O
           --X--
    """
    whole = Section(source, "", Place(0, 1), 0, len(source.text))
    words = whole.words()
    first = next(words, None)
    if first is None or not re.fullmatch("[1-9][0-9]{,2}", first.text):
        place = source.end if first is None else first.place
        raise source.error("a .hex file begins with the side of the board, such as 5", place)
    side, seen = int(first.text), set[tuple[int, int]]()
    stones: dict[str, list[str]] = {"b": [], "w": []}
    for word in words:
        match = _STONE.fullmatch(word.text)
        cell = parse_cell(match[2]) if match else None
        if match is None or cell is None or max(cell) >= side:
            message = f"{word.quoted} is no stone on this board, such as b[a1] or w[a1]"
            raise source.error(message, word.place)
        if cell in seen:
            raise source.error(f"{word.quoted}: the cell has a stone already", word.place)
        seen.add(cell)
        stones[match[1].lower()].append(match[2].lower())
    try:
        return Record(side, tuple(stones["b"]), tuple(stones["w"])).game()
    except UserError as error:  # each stone is right, but not all of them together
        raise source.error(str(error), source.end) from None
