"""SGF of any game as a tree of nodes with properties; only the main line is kept."""

import re
from dataclasses import dataclass, field

from skolemate.errors import FileError, brief
from skolemate.formats.source import Place, Source

LONGEST_GAME = 200_000  # nodes of the main line; beyond the cells of any board

# Possessive repetition: a value may be as long as the file.
_VALUE = re.compile(r"\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)
_NAME = re.compile(r"[A-Z]+")
_BLANKS = re.compile(r"\s*")


@dataclass(frozen=True)
class Property:
    """A property: its values as they stand in the file, and where the name and each value is."""

    name: str
    place: Place
    values: tuple[str, ...]
    places: tuple[Place, ...]


@dataclass(frozen=True)
class SgfNode:
    """The properties of a node, by name."""

    place: Place
    properties: dict[str, Property] = field(default_factory=dict)


def unescape(value: str) -> str:
    """The text that a value stands for: `\\x` is x, and an escaped line break is nothing.

    >>> unescape("a\\\\] b\\\\\\nc")
    'a] bc'
    """
    return re.sub(r"\\(\n|.)", lambda m: "" if m[1] == "\n" else m[1], value, flags=re.DOTALL)


def escape(text: str) -> str:
    """A text as a value.

    >>> escape("a] b")
    'a\\\\] b'
    """
    return text.replace("\\", "\\\\").replace("]", "\\]")


def main_line(source: Source) -> tuple[list[SgfNode], int]:
    """The nodes of the main line of the only game in a source, and how many variations it has.

    The main line takes the first branch everywhere; the others are checked for syntax only.
    """
    scanner = _Scanner(source)
    return scanner.game(), scanner.variations


class _Scanner:
    """Walks once over the text; holds nothing but the place it has reached."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.offset = 0
        self.variations = 0  # left out so far; those inside another do not count
        # Places are asked for in order, so that lines are counted once.
        self._counted, self._line, self._line_start = 0, 1, 0
        self._skip_blanks()

    def game(self) -> list[SgfNode]:
        if self._next() != "(":
            what = "the file is empty" if not self._next() else f"{self._here()} is no SGF"
            raise self._error(f"{what}; a game begins with (;")
        nodes: list[SgfNode] = []
        # One entry for each open parenthesis: whether it is on the main line.
        main: list[bool] = []
        branched = False  # whether the main line's innermost variation has been read
        while True:
            character = self._next()
            if character == "(":
                self.variations += branched and main[-1]
                main.append(all(main[-1:]) and not branched)
                self._advance()
                if self._next() != ";":
                    raise self._error(f"a node must follow the (, not {self._here()}; write (;")
            elif character == ";":
                node = self._node()
                if branched and main[-1]:
                    raise self.source.error("no node may follow a variation", node.place)
                if len(nodes) == LONGEST_GAME:
                    raise self.source.error("no game has this many moves", node.place)
                if main[-1]:
                    nodes.append(node)
            elif character == ")":
                branched = branched or main[-1]
                main.pop()
                self._advance()
                if not main:
                    self._nothing_more()
                    return nodes
            else:
                raise self._error(f"{self._here()} is not expected; write ; or ( or )")

    def _node(self) -> SgfNode:
        node = SgfNode(self._place())
        self._advance()
        while self._next() not in ("", "(", ")", ";"):
            entry = self._property()
            if entry.name in node.properties:
                message = f"property {entry.name} is twice in this node; join its values"
                raise self.source.error(message, entry.place)
            node.properties[entry.name] = entry
        return node

    def _property(self) -> Property:
        place = self._place()
        match = _NAME.match(self.source.text, self.offset)
        if match is None:
            raise self._error(
                f"{self._here()} is not a property; property names are capital letters"
            )
        self._advance(len(match[0]))
        values: list[str] = []
        places: list[Place] = []
        while self._next() == "[":
            places.append(self._place())
            value = _VALUE.match(self.source.text, self.offset)
            if value is None:
                raise self._error(f"this value of {brief(match[0])} has no end; close it with ]")
            values.append(value[1])
            self._advance(len(value[0]))
        if not values:
            raise self._error(f"property {brief(match[0])} has no value; write it in [ ]")
        return Property(match[0], place, tuple(values), tuple(places))

    def _nothing_more(self) -> None:
        if self._next() == "(":
            raise self._error("a second game begins here; keep one game a file")
        if self._next():
            raise self._error(f"{self._here()} comes after the end of the game")

    def _next(self) -> str:
        return self.source.text[self.offset : self.offset + 1]

    def _advance(self, characters: int = 1) -> None:
        self.offset += characters
        self._skip_blanks()

    def _skip_blanks(self) -> None:
        match = _BLANKS.match(self.source.text, self.offset)
        self.offset = match.end() if match else self.offset

    def _here(self) -> str:
        """What stands here, for a message."""
        ahead = self.source.text[self.offset : self.offset + 100].split()
        return brief(ahead[0]) if ahead else "the end of the file"

    def _place(self) -> Place:
        text = self.source.text
        newline = text.rfind("\n", self._counted, self.offset)
        if newline >= 0:
            self._line += text.count("\n", self._counted, self.offset)
            self._line_start = newline + 1
        self._counted = self.offset
        return Place(self._line, 1 + self.offset - self._line_start)

    def _error(self, message: str) -> FileError:
        return self.source.error(message, self._place())
