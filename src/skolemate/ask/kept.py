"""The engine's tables in a file, so that a command can use what an earlier one has proved.

The file begins with a line of JSON that says for which game and engine it is. Pieces of tables
follow, each after its player, table, part and length. The last bytes are a digest of all before. So
a damaged file is noticed. One that is forged is not: an answer is as trustworthy as the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from io import SEEK_END
from struct import Struct
from struct import error as StructError
from typing import BinaryIO, NamedTuple, cast

from skolemate.errors import UserError, brief, reason
from skolemate.games.game import Game, Player
from skolemate.limits import breathe
from skolemate.output import File, write_chunks
from skolemate.search.engine import Engine, fingerprint
from skolemate.strategies.claim import content

BEGIN = b'{"skolemate table": '
HEAD = Struct("<BBHQ")  # player, table, part, and the bytes that follow
DIGEST = 32  # bytes
CHUNK = 1 << 20
LONGEST_LINE = 10_000


class Piece(NamedTuple):
    """A part of a table, and where it is in the file."""

    table: int
    part: int
    start: int
    length: int


class KeptTables:
    """A file for the tables of a game's engines; it is read now if it is there.

    A file that is damaged, or for another game or engine, is a UserError.
    """

    def __init__(self, file: File, game: Game) -> None:
        self._name = os.fspath(file)
        self._path = os.path.realpath(self._name)  # a link stays, and what it leads to is replaced
        whole = game.rewound()
        told = {
            "skolemate table": 1,
            "game": str(whole)[:200],
            "content": content(whole),
            "engine": fingerprint(whole),
        }
        self._line = json.dumps(told).encode() + b"\n"
        self._pieces: dict[Player, list[Piece]] = {player: [] for player in Player}
        self._stream: BinaryIO | None = None
        folder = os.path.dirname(self._path)
        if self._name == "-" or not os.access(folder, os.W_OK | os.X_OK):
            raise self._refusal("give the name of a file in a folder where files can be written")
        if not os.path.lexists(self._path):
            return
        if not os.path.isfile(self._path):
            raise self._refusal("it is not a file")
        try:
            self._stream = open(self._path, "rb")  # noqa: SIM115  read when its engine is made
            self._look_through(self._stream)
        except OSError as error:
            raise self._refusal(reason(error)) from None

    def _look_through(self, stream: BinaryIO) -> None:
        size = stream.seek(0, SEEK_END) - DIGEST
        stream.seek(0)
        line = stream.readline(LONGEST_LINE)
        if not line.startswith(BEGIN):
            raise self._refusal("it is no table that Skolemate has saved")
        stream.seek(0)
        digest = blake2b(digest_size=DIGEST)
        for place in range(0, size, CHUNK):
            breathe()
            digest.update(stream.read(min(CHUNK, size - place)))
        if stream.read() != digest.digest():
            raise self._refusal("it is damaged or not complete")
        try:
            if line != self._line:
                raise self._refusal(self._difference(json.loads(line)))
            place = len(line)
            while place < size:
                stream.seek(place)
                player, table, part, length = HEAD.unpack(stream.read(HEAD.size))
                place += HEAD.size + length
                if place > size:
                    raise ValueError("a piece ends after the file")
                piece = Piece(table, part, place - length, length)
                self._pieces[list(Player)[player]].append(piece)
        except (ValueError, KeyError, IndexError, StructError, RecursionError):  # it is made up
            raise self._refusal("it is no table that Skolemate has saved") from None

    def _difference(self, told: Mapping[str, object]) -> str:
        if told["content"] != json.loads(self._line)["content"]:
            return f"it is about another game, {brief(str(told['game']), 200)}"
        return "another version of the engine has saved it"

    def _refusal(self, why: str) -> UserError:
        return UserError(f"the table {brief(self._name, 200)} cannot be used: {why}")

    def restore(self, player: Player, engine: Engine) -> None:
        """Let a new engine know what the file holds about its player."""
        for piece in self._pieces[player]:
            breathe()
            if not engine.restore(piece.table, piece.part, self._read(piece)):
                raise self._refusal("it has entries that do not fit the game")

    def _read(self, piece: Piece) -> bytes:
        stream = cast("BinaryIO", self._stream)
        stream.seek(piece.start)
        return stream.read(piece.length)

    def save(self, engines: Mapping[Player, Engine]) -> None:
        """Write the engines' tables, and those of the file whose engine was not needed."""
        try:
            write_chunks(self._path, _with_digest(self._chunks(engines)))
        finally:
            if self._stream is not None:
                self._stream.close()

    def _chunks(self, engines: Mapping[Player, Engine]) -> Iterator[bytes]:
        yield self._line
        for number, player in enumerate(Player):
            kept = ((p.table, p.part, self._read(p)) for p in self._pieces[player])
            pieces = engines[player].saved() if player in engines else kept
            for table, part, entries in pieces:
                yield HEAD.pack(number, table, part, len(entries))
                yield entries


def _with_digest(chunks: Iterable[bytes]) -> Iterator[bytes]:
    digest = blake2b(digest_size=DIGEST)
    for chunk in chunks:
        digest.update(chunk)
        yield chunk
    yield digest.digest()
