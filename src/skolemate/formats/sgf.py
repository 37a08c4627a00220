"""Reading games of Hex from SGF (FF[4], GM[11]).

Coordinates are a letter and a number (c3), in either case. Setup stones stand in the first
node. Of the nodes after it only the moves count; side variations are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from skolemate.errors import UserError, brief
from skolemate.formats.sgf_record import ENDINGS, SWAPS, IllegalRecord, Record
from skolemate.formats.sgf_syntax import Node, Property, main_line, unescape
from skolemate.formats.source import Place, Source
from skolemate.games.board import HexGrid
from skolemate.games.coordinates import cell_name, parse_cell
from skolemate.games.game import Player

__all__ = ["parse_sgf", "read_sgf"]

DEFAULT_SIZE = 11
COLOURS = {"B": Player.BLACK, "W": Player.WHITE}


def parse_sgf(text: str, file: str = "text.sgf") -> Record:
    """The record in a text, checked: its game can be played through.

    >>> record = parse_sgf("(;FF[4]GM[11]SZ[3]PB[Piet Hein];B[C3];W[resign])")
    >>> record.text("PB"), str(record.game())
    ('Piet Hein', 'hex(size=3, moves=c3)')
    """
    return read_sgf(Source.of(file, text))


def read_sgf(source: Source) -> Record:
    """The record in a source."""
    nodes = main_line(source)
    reader = _Reader(source, nodes[0])
    size = reader.size()
    moves: list[tuple[Player, str]] = []
    places: list[Place] = []
    for node in nodes:
        for player, text, place in reader.moves(node, size):
            moves.append((player, text))
            places.append(place)
    record = Record(
        size,
        reader.stones("AB", size),
        reader.stones("AW", size),
        reader.first(),
        tuple(moves),
        reader.properties(),
    )
    reader.check_stones(size)
    try:
        record.game()
    except IllegalRecord as error:
        raise source.error(str(error), places[error.number]) from None
    except UserError as error:
        raise source.error(str(error), nodes[0].place) from None
    return record


@dataclass(frozen=True)
class _Reader:
    """What the properties of the nodes mean in Hex."""

    source: Source
    root: Node

    def size(self) -> int:
        self._only("FF", "4", "FF[4]", required=False)
        self._only("GM", "11", "GM[11], which is Hex", required=True)
        found = self.root.properties.get("SZ")
        if found is None:
            return DEFAULT_SIZE
        value, place = self._single(found)
        match = re.fullmatch(r"([0-9]{1,3})(?::([0-9]{1,3}))?", value)
        if match is None:
            message = f"the size {brief(value)} is no number; write it as in SZ[11]"
            raise self.source.error(message, place)
        if match[2] not in (None, match[1]):
            message = f"a board of {match[1]} by {match[2]} is not square, as Hex boards are here"
            raise self.source.error(message, place)
        try:
            return HexGrid(int(match[1]), int(match[1])).width
        except UserError as error:
            raise self.source.error(str(error), place) from None

    def stones(self, name: str, size: int) -> tuple[str, ...]:
        return tuple(cell for cell, _ in self._setup(name, size))

    def check_stones(self, size: int) -> None:
        """No cell is given twice."""
        seen: set[str] = set()
        for name in ("AB", "AW"):
            for cell, place in self._setup(name, size):
                if cell in seen:
                    raise self.source.error(f"there is a stone on {cell} already", place)
                seen.add(cell)

    def first(self) -> Player | None:
        found = self.root.properties.get("PL")
        if found is None:
            return None
        value, place = self._single(found)
        player = COLOURS.get(value[:1].upper())
        if player is None or value.lower() not in (value[:1].lower(), player.value):
            raise self.source.error(f"{brief(value)} is no player; write PL[B] or PL[W]", place)
        return player

    def properties(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        understood = ("FF", "GM", "SZ", "AB", "AW", "PL", *COLOURS)
        found = self.root.properties.values()
        return tuple((p.name, p.values) for p in found if p.name not in understood)

    def moves(self, node: Node, size: int) -> Iterator[tuple[Player, str, Place]]:
        for name in ("AB", "AW", "AE", "PL"):
            if name in node.properties and (node is not self.root or name == "AE"):
                message = f"{name} changes the position; put all setup stones into the first node"
                raise self.source.error(message, node.properties[name].place)
        found = [node.properties[name] for name in COLOURS if name in node.properties]
        if len(found) > 1:
            message = "a node has one move; begin a new node with ;"
            raise self.source.error(message, max(found, key=lambda p: p.place).place)
        for move in found:
            value, place = self._single(move)
            word = value.lower()
            if word in ("", "pass"):
                raise self.source.error("there is no passing in Hex", place)
            special = word in (*SWAPS, *ENDINGS)
            text = word if special else self._cell(word, size, place)
            yield COLOURS[move.name], text, place

    def _setup(self, name: str, size: int) -> Iterator[tuple[str, Place]]:
        """The cells of AB or AW; `a1:b2` stands for the rectangle between two corners."""
        found = self.root.properties.get(name)
        for value, place in zip(found.values, found.places, strict=True) if found else ():
            corners = [
                parse_cell(self._cell(corner, size, place)) or (0, 0)
                for corner in unescape(value).strip().lower().split(":", 1)
            ]
            (left, top), (right, bottom) = corners[0], corners[-1]
            if right < left or bottom < top:
                message = f"{brief(value)} runs backwards; begin at the upper left corner"
                raise self.source.error(message, place)
            for column in range(left, right + 1):
                for row in range(top, bottom + 1):
                    yield cell_name(column, row), place

    def _cell(self, word: str, size: int, place: Place) -> str:
        found = parse_cell(word) if len(word) < 10 else None
        if found is None:
            message = f"{brief(word)} is no cell; write a letter and a number, as in c3"
            raise self.source.error(message, place)
        if max(found) >= size:
            message = f"there is no cell {word} on this board; its last is "
            raise self.source.error(message + cell_name(size - 1, size - 1), place)
        return word

    def _single(self, found: Property) -> tuple[str, Place]:
        """The value of a property that has only one, and its place."""
        if len(found.values) > 1:
            message = f"{found.name} takes one value, not {len(found.values)}"
            raise self.source.error(message, found.places[1])
        return unescape(found.values[0]).strip(), found.places[0]

    def _only(self, name: str, wanted: str, meaning: str, required: bool) -> None:
        found = self.root.properties.get(name)
        if found is None and required:
            raise self.source.error(f"{name} is missing; write {meaning}", self.root.place)
        if found is not None:
            value, place = self._single(found)
            if value != wanted:
                message = f"{name}[{value[:20]}] is not understood; only {meaning}"
                raise self.source.error(message, place)
