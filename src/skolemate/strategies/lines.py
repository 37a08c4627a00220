"""Strategies as JSON Lines: a header, then one line for each node, children first.

    {"format": "skolemate strategy", "version": 1, "game": "hein(9)", "content": "…", …}
    {"at": "OX..X…", "turn": "black", "left": 1, "move": "b3"}

- `at` has a letter for every cell in the order of the header's `cells`: X black, O white.
- `left` is the number of plies left; null if the owner prevents a win for ever (such a line may
  lead to a later one).
- `move` is the owner's reply.
- `pairs`: from here on the owner answers within these pairs of cells.
- `via` maps moves to lines {"symmetry": […]}, counted from 0: the symmetry takes the position after
  the move to a node.
- {"map": {"a1": "c3", …}} is a partial symmetry: see `cards`. It is counted with the symmetries.
- `replies` on the opponent's turn, [["c3",17],["d4"]], answer every move: each is a move of the
  owner, the number of an earlier node that covers the position after it, and perhaps a symmetry
  or map to be applied to that node. Without a node the move meets the owner's goal. A list of
  cells at the end are moves that the reply is not meant to answer: ["c3",17,null,["a1"]].
- `?` in `at`, with replies: the cell may be anybody's, as long as the opponent is slower.
- `links` on the opponent's turn are virtual connections that join the owner's borders,
  [[null,"b3",["a4"],["a5"]],[null,null,[0,"b3"]]]: each has two end points, null for a border, and
  the ways between them. A way lists its cells and, where one is not beside the next, the number of
  an earlier link between them. Every way must hold.

A line with none of these is the opponent's turn, and every legal move leads to an earlier line.
Positions that the rules decide have no line. A line with pairs, replies or links also covers
positions in which the owner has more stones, and the opponent fewer.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from math import inf
from types import TracebackType
from typing import IO, Any, NamedTuple, TextIO

from skolemate.errors import Disagreement, FileError, UserError, brief, reason
from skolemate.formats.source import strict_json
from skolemate.games import CellMap, Game, Move, Permutation, Player, Position, cells_of, mask_of
from skolemate.output import finite
from skolemate.strategies.claim import Claim, packed
from skolemate.strategies.nodes import (
    NO_EDGES,
    Link,
    Links,
    Node,
    Pairs,
    Point,
    Reply,
    Way,
)

FORMAT, VERSION = "skolemate strategy", 1
VERDICTS = ("WIN", "NO_WIN")
LONGEST = 1 << 24  # bytes of a line; the largest boards stay far below
BLACK, WHITE, BLANK = (str.maketrans("XO.?", digits) for digits in ("1000", "0100", "0001"))


class Header(NamedTuple):
    """The claim in a file, with the game still as a string."""

    game: str
    content: str
    player: Player
    depth: int
    wins: bool


# --- writing -------------------------------------------------------------------------------------


def header_line(claim: Claim) -> str:
    """The first line of a file."""
    return _line(
        {
            "format": FORMAT,
            "version": VERSION,
            "game": str(claim.game),
            "content": claim.content,
            "player": claim.player.value,
            "depth": claim.depth,
            "verdict": claim.verdict,
            "cells": " ".join(claim.game.board.names),
        }
    )


def node_line(node: Node) -> str:
    """One node as it is written."""
    game, names = node.position.game, node.position.game.board.names
    _, black, white, to_move = node.position
    assert to_move is not None, "a game that is over has no node"
    letters = [
        "?" if node.blank >> c & 1 else "X" if black >> c & 1 else "O" if white >> c & 1 else "."
        for c in range(len(names))
    ]
    entry: dict[str, object] = {
        "at": "".join(letters),
        "turn": to_move.value,
        "left": finite(node.left),
    }
    if node.move is not None:
        entry["move"] = game.move_name(node.move)
    if node.pairs is not None:
        entry["pairs"] = [[names[a], names[b]] for a, b in node.pairs]
    if node.via:
        entry["via"] = {game.move_name(move): number for move, number in node.via.items()}
    if node.replies:
        entry["replies"] = [_reply(reply, game) for reply in node.replies]
    if node.links:
        entry["links"] = [_link(link, names) for link in node.links]
    return _line(entry)


def _reply(reply: Reply, game: Game) -> list[object]:
    entry: list[object] = [game.move_name(reply.move), reply.node, reply.via]
    if reply.omits:
        return [*entry, [game.board.names[cell] for cell in cells_of(reply.omits)]]
    return [part for part in entry if part is not None]


def _link(link: Link, names: Sequence[str]) -> list[object]:
    entry: list[object] = [None if cell is None else names[cell] for cell in link[:2]]
    for cells, (first, *gaps) in link.ways:
        steps = [first, *chain.from_iterable(zip((names[c] for c in cells), gaps, strict=True))]
        entry.append([step for step in steps if step is not None])
    return entry


def map_line(game: Game, where: CellMap) -> str:
    """A symmetry: where each cell goes, in the order of the cells. A map: where some cells go."""
    names = game.board.names
    images = {names[c]: names[cell] for c, cell in enumerate(where) if cell is not None}
    if len(images) < len(names):
        return _line({"map": images})
    return _line({"symmetry": list(images.values())})


def _line(entry: Mapping[str, object]) -> str:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n"


# --- reading -------------------------------------------------------------------------------------


@contextmanager
def opened(path: str) -> Iterator[IO[bytes]]:
    """A file to be read; `-` is the standard input."""
    if path == "-":
        yield sys.stdin.buffer
        return
    try:
        stream = open(path, "rb")  # noqa: SIM115  closed below; errors while reading are others
    except (OSError, ValueError) as error:
        raise UserError(f"cannot read {brief(path, 200)}: {reason(error)}") from None
    with stream:
        yield stream


def is_strategy(path: str) -> bool:
    """Whether this is the name of a file that begins as a strategy does."""
    try:
        with open(path, "rb") as stream:
            return FORMAT.encode() in stream.read(100)
    except (OSError, ValueError):
        return False


class Reader:
    """Reads one file line by line; every defect is a FileError with the line's number.

    The header is read at once. The rest needs the game: see `nodes`.
    """

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream, self._name = stream, name
        self.line = 0
        try:
            entry = self._next() or {}
        except FileError as error:
            raise self._wrong(f"not a strategy: {error.message}") from None
        if entry.get("format") != FORMAT:
            raise self._wrong(f'not a strategy: the first line lacks "format": "{FORMAT}"')
        version = entry.get("version")
        if type(version) is not int or version != VERSION:  # true is 1 in Python, and so is 1.0
            raise self._wrong(f"version {brief(str(version))} is not {VERSION}")
        verdict = self._text(entry, "verdict")
        if verdict not in VERDICTS:
            raise self._wrong(f"the verdict is {' or '.join(VERDICTS)}, not {brief(verdict)}")
        self.header = Header(
            self._text(entry, "game"),
            self._text(entry, "content"),
            self._player(entry, "player"),
            self._count(entry, "depth"),
            verdict == "WIN",
        )
        self._cells = self._text(entry, "cells")

    def nodes(self, game: Game) -> Iterator[Node | CellMap]:
        """All lines in their order; `line` is the number of the last one read."""
        if self._cells != " ".join(game.board.names):
            raise self._wrong(f"the cells in the header are not those of {game}")
        self._game, self._moves = game, dict[tuple[str, Player], Move]()
        while True:
            entry = self._next()
            if entry is None:
                return
            try:
                if "symmetry" in entry:
                    yield self._symmetry(entry)
                else:
                    yield self._map(entry) if "map" in entry else self._node(entry)
            except FileError:
                raise
            except UserError as error:
                raise self._wrong(str(error)) from None

    def _node(self, entry: dict[str, Any]) -> Node:
        if not entry.keys() <= {"at", "turn", "left", "move", "pairs", "via", "replies", "links"}:
            more = "move, pairs, via, replies or links"
            raise self._wrong(f"a node has at, turn, left and perhaps {more}, no more")
        letters, turn = self._text(entry, "at"), self._player(entry, "turn")
        if len(letters) != self._game.board.size or letters.strip("XO.?"):
            raise self._wrong(f"at needs one of X O . ? for each of {self._game.board.size} cells")
        black, white, blank = (int(letters.translate(c)[::-1], 2) for c in (BLACK, WHITE, BLANK))
        if turn is Player.BLACK:
            black |= blank
        else:
            white |= blank
        position = Position(self._game, black, white, turn)
        move = pairs = None
        if "move" in entry:
            move = self._move(self._text(entry, "move"), turn)
        if "pairs" in entry:
            pairs = self._pairs(entry["pairs"])
        via = self._via(entry["via"], turn) if "via" in entry else NO_EDGES
        replies = self._replies(entry["replies"], turn) if "replies" in entry else ()
        links = self._links(entry["links"]) if "links" in entry else ()
        for_ever = "left" in entry and entry["left"] is None
        left = inf if for_ever else self._count(entry, "left")
        return Node(position, left, move, pairs, via, replies, links, blank)

    def _move(self, text: str, turn: Player) -> Move:
        move = self._moves.get((text, turn))
        if move is None:
            move = self._moves[text, turn] = self._game.parse_move(text, turn)
            self._one_name(text, self._game.move_name(move))
        return move

    def _cell(self, text: str) -> Move:
        cell = self._game.board.cell(text)
        self._one_name(text, self._game.board.names[cell])
        return cell

    def _one_name(self, text: str, name: str) -> None:
        """A player may write a move in several ways; in a file it has one name."""
        if text != name:
            raise self._wrong(f"write {name} in a strategy, not {brief(text)}")

    def _pairs(self, entry: object) -> Pairs:
        pairs = []
        for pair in entry if isinstance(entry, list) else [None]:
            match pair:
                case [str(one), str(other)]:
                    pairs.append((self._cell(one), self._cell(other)))
                case _:
                    raise self._wrong('pairs are a list of pairs of cells: [["a1","b1"],…]')
        return tuple(pairs)

    def _via(self, entry: object, turn: Player) -> dict[Move, int]:
        if not isinstance(entry, dict) or any(type(n) is not int or n < 0 for n in entry.values()):
            raise self._wrong("via gives the number of a symmetry for each move that needs one")
        return {self._move(move, turn): number for move, number in entry.items()}

    def _replies(self, entry: object, turn: Player) -> tuple[Reply, ...]:
        replies = []
        for reply in entry if isinstance(entry, list) and entry else [None]:
            match reply:
                case [str(move), *numbers] if len(numbers) <= 2 and all(
                    type(number) is int and number >= 0 for number in numbers
                ):
                    replies.append(Reply(self._move(move, turn.opponent), *numbers))
                case [str(move), node, via, [str(), *_] as names] if all(
                    number is None or (type(number) is int and number >= 0)
                    for number in (node, via)
                ) and all(isinstance(name, str) for name in names):
                    omits = mask_of(map(self._cell, names))
                    replies.append(Reply(self._move(move, turn.opponent), node, via, omits))
                case _:
                    raise self._wrong('replies are moves with earlier nodes: [["c3",17],["d4"],…]')
        return tuple(replies)

    def _links(self, entry: object) -> Links:
        links = []
        for link in entry if isinstance(entry, list) and entry else [None]:
            match link:
                case [str() | None as left, str() | None as right, *ways]:
                    ends = (self._point(left), self._point(right))
                    links.append(Link(*ends, tuple(map(self._way, ways))))
                case _:
                    raise self._wrong('links are points and ways: [[null,"b3",["a4"],["a5"]],…]')
        return tuple(links)

    def _point(self, name: str | None) -> Point:
        return None if name is None else self._cell(name)

    def _way(self, entry: object) -> Way:
        cells, gaps = list[Move](), list[int | None]([None])
        for step in entry if isinstance(entry, list) else [None]:
            if isinstance(step, str):
                cells.append(self._cell(step))
                gaps.append(None)
            elif type(step) is int and step >= 0 and gaps[-1] is None:
                gaps[-1] = step
            else:
                raise self._wrong('a way is cells with earlier links between them: ["b3",0,"c4"]')
        return Way(tuple(cells), tuple(gaps))

    def _symmetry(self, entry: dict[str, Any]) -> Permutation:
        images, size = entry["symmetry"], self._game.board.size
        if len(entry) > 1:
            raise self._wrong("a line with a symmetry has nothing else")
        if not isinstance(images, list) or not all(isinstance(name, str) for name in images):
            raise self._wrong("a symmetry is a list of cells: where each cell goes")
        permutation = tuple(self._cell(name) for name in images)
        if mask_of(permutation) != (1 << size) - 1 or len(permutation) != size:
            raise self._wrong("a symmetry names every cell once")
        return permutation

    def _map(self, entry: dict[str, Any]) -> CellMap:
        images, size = entry["map"], self._game.board.size
        if len(entry) > 1:
            raise self._wrong("a line with a map has nothing else")
        if not isinstance(images, dict) or not all(isinstance(to, str) for to in images.values()):
            raise self._wrong('a map says where some cells go: {"a1":"c3",…}')
        where = {self._cell(cell): self._cell(image) for cell, image in images.items()}
        if len(set(where.values())) < len(where) or len(where) == size:
            raise self._wrong("a map takes different cells to different cells, and not all cells")
        return tuple(map(where.get, range(size)))

    def _next(self) -> dict[str, Any] | None:
        line = self._stream.readline(LONGEST)
        self.line += 1
        if not line:
            return None
        if len(line) == LONGEST:
            raise self._wrong("this line is far too long for a strategy")
        try:
            entry = strict_json(line.decode())
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
            raise self._wrong("this line is not JSON") from None
        except ValueError as error:
            raise self._wrong(str(error)) from None
        if not isinstance(entry, dict):
            raise self._wrong("a line is a JSON object")
        return entry

    def _text(self, entry: dict[str, Any], key: str) -> str:
        value = entry.get(key)
        if not isinstance(value, str):
            raise self._wrong(f"{key} is missing, or not a text")
        return value

    def _count(self, entry: dict[str, Any], key: str) -> int:
        value = entry.get(key)
        if type(value) is not int or not 0 <= value < 1 << 31:
            raise self._wrong(f"{key} is missing, or not a number of plies")
        return value

    def _player(self, entry: dict[str, Any], key: str) -> Player:
        value = entry.get(key)
        if value not in ("black", "white"):
            raise self._wrong(f"{key} is black or white")
        return Player(value)

    def _wrong(self, message: str) -> FileError:
        return FileError(message, self._name, self.line, 1)


# --- the journal ----------------------------------------------------------------------------------
# An interrupted extraction goes on from this file. It has the same lines in any order, and is
# beside the strategy's file, with `.part` appended to the name, until that is complete.


class Journal:
    """The decisions so far. They need no check here: the checker has to accept the whole."""

    def __init__(self, claim: Claim, file: str) -> None:
        self.path = f"{file}.part"
        self._claim = claim
        self._nodes: dict[tuple[int, float], Node] = {}
        self._stream: TextIO | None = None
        self._ends_well = True  # whether the last line ends with a newline

    def __enter__(self) -> Journal:
        try:
            whole = self._read() if os.path.exists(self.path) else 0
            # Line by line, so that nothing is lost however this ends.
            self._stream = open(self.path, "a", 1, encoding="utf-8", newline="\n")
            self._stream.truncate(whole)  # drops a line that was only half written
        except OSError as error:
            raise UserError(f"cannot write {brief(self.path, 200)}: {reason(error)}") from None
        if not whole:
            self._stream.write(header_line(self._claim))
        elif not self._ends_well:
            self._stream.write("\n")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._stream is not None:
            self._stream.close()
            misled = kind is not None and issubclass(kind, Disagreement)
            if misled or (kind is not None and not self._nodes):
                os.remove(self.path)  # nothing to go on from

    def known(self, position: Position, left: int) -> Node | None:
        """An earlier decision for this position."""
        return self._nodes.get((packed(position), left))

    def note(self, node: Node) -> None:
        """Add a decision."""
        key = packed(node.position), node.left
        if key not in self._nodes:
            self._nodes[key] = node
            assert self._stream is not None, "a journal is used inside `with`"
            self._stream.write(node_line(node))

    def done(self) -> None:
        """Remove the journal: the strategy is complete and saved."""
        os.remove(self.path)

    def _read(self) -> int:
        """Read the file; the number of bytes that are complete lines."""
        claim = self._claim
        with open(self.path, "rb") as stream:
            try:
                reader = Reader(stream, self.path)
            except FileError:
                stream.seek(0)
                header = header_line(claim).encode()
                if not header.startswith(stream.read(len(header))):
                    raise self._another() from None
                return 0  # interrupted within the first line
            expected = Header(str(claim.game), claim.content, claim.player, claim.depth, claim.wins)
            if reader.header._replace(game=expected.game) != expected:
                raise self._another()
            whole = stream.tell()
            try:
                for line in reader.nodes(claim.game):
                    if isinstance(line, Node):
                        self._nodes[packed(line.position), line.left] = line
                    whole = stream.tell()
            except FileError:
                pass  # half written when interrupted; the lines before it are good
            stream.seek(whole - 1)
            self._ends_well = stream.read(1) == b"\n"
            return whole

    def _another(self) -> UserError:
        return UserError(
            f"{self.path} belongs to another question; remove it, or name another strategy file"
        )
