"""The file from which an interrupted extraction goes on: the same lines, in any order.

It stands beside the strategy's file, with `.part` behind the name, until that is complete.
"""

from __future__ import annotations

import os
from types import TracebackType
from typing import TextIO

from skolemate.errors import Disagreement, FileError, UserError, brief, reason
from skolemate.games.game import Position
from skolemate.strategies.claim import Claim, packed
from skolemate.strategies.lines import Header, Reader, header_line, node_line
from skolemate.strategies.nodes import Node

__all__ = ["Journal"]


class Journal:
    """Decisions already made, and a place for new ones. What it holds is judged in the end by
    the checker, as everything else is.
    """

    def __init__(self, claim: Claim, file: str) -> None:
        self.path = f"{file}.part"
        self._claim = claim
        self._nodes: dict[tuple[int, float], Node] = {}
        self._stream: TextIO | None = None
        self._ends_well = True  # a last line may lack nothing but its end

    def __enter__(self) -> Journal:
        try:
            whole = self._read() if os.path.exists(self.path) else 0
            # Line by line, so that nothing is lost however this ends.
            self._stream = open(self.path, "a", 1, encoding="utf-8", newline="\n")
            self._stream.truncate(whole)  # a line that was being written is not one
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
        """What was decided here before."""
        return self._nodes.get((packed(position), left))

    def note(self, node: Node) -> None:
        """Keep a decision."""
        key = packed(node.position), node.left
        if key not in self._nodes:
            self._nodes[key] = node
            assert self._stream is not None, "a journal is used inside `with`"
            self._stream.write(node_line(node))

    def done(self) -> None:
        """The strategy is complete and saved: nothing is left to go on with."""
        os.remove(self.path)

    def _read(self) -> int:
        """Read what is there; how many bytes of it are whole lines."""
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
                pass  # torn by the interruption; what stands before it is good
            stream.seek(whole - 1)
            self._ends_well = stream.read(1) == b"\n"
            return whole

    def _another(self) -> UserError:
        return UserError(
            f"{self.path} was left by another question; remove it, or name another strategy file"
        )
