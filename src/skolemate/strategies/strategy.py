"""A strategy in memory: what the owner plays, to be looked up, saved and loaded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from skolemate.errors import UserError
from skolemate.games.bits import cells_of
from skolemate.games.game import Game, Move, Player, Position
from skolemate.games.symmetry import Permutation
from skolemate.loading import load
from skolemate.output import write_lines
from skolemate.strategies.checker import check
from skolemate.strategies.claim import Claim, packed, turned
from skolemate.strategies.lines import (
    Header,
    Node,
    Pairs,
    Reader,
    header_line,
    node_line,
    opened,
    symmetry_line,
)
from skolemate.strategies.report import Report

__all__ = ["Strategy", "check_file", "claim_of"]


def claim_of(header: Header, game: str | Game | None = None) -> Claim:
    """What a file claims, about the game that it names or about another with the same content."""
    try:
        about = load(header.game if game is None else game)
    except UserError as error:
        if game is not None:
            raise
        raise UserError(
            f"the strategy is for {header.game}, and that cannot be had: {error}; "
            "name the game with --game, or game= in Python"
        ) from None
    return Claim(about, header.player, header.depth, header.wins)


def check_file(path: str, game: str | Game | None = None) -> tuple[Claim, Report]:
    """Check a file, line by line; never more of it is held than what has been proved."""
    with opened(path) as stream:
        reader = Reader(stream, path)
        claim = claim_of(reader.header, game)
        if claim.content != reader.header.content:
            return claim, Report(False, 0, reason=f"it is tied to another game than {claim.game}")
        return claim, check(claim, reader.nodes(claim.game))


@dataclass
class Strategy:
    """Replies that prove a claim, for every position that can arise while they are followed.

    >>> from skolemate.games.family import build
    >>> game = build("tictactoe(moves=a1 b1 a2 b2)")
    >>> strategy = Strategy(Claim(game, Player.BLACK, 1, True), [Node(game.start, 1, 2)])
    >>> strategy.check().holds, game.move_name(strategy.move(game.start))
    (True, 'a3')
    """

    claim: Claim
    nodes: Sequence[Node]  # children first
    symmetries: Sequence[Permutation] = ()
    _best: dict[int, Node] = field(init=False, repr=False)
    _pairings: list[Node] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._best = {}
        for node in self.nodes:
            key = packed(node.position)
            known = self._best.get(key)
            # A win is best soon, and holding out is best for long.
            if known is None or (node.left < known.left) is self.claim.wins:
                self._best[key] = node
        # Several may fit a position; the one that holds to the latest ply comes first.
        self._pairings = sorted(
            (node for node in self._best.values() if node.pairs is not None),
            key=lambda node: -(node.left + node.position.occupied.bit_count()),
        )

    # --- files -----------------------------------------------------------------------------------

    @classmethod
    def load(cls, path: str, game: str | Game | None = None) -> Self:
        """Read a file (`-`: standard input). It is not checked: see `check`."""
        with opened(path) as stream:
            reader = Reader(stream, path)
            claim = claim_of(reader.header, game)
            if claim.content != reader.header.content:
                raise UserError(f"{path} is tied to another game than {claim.game}")
            nodes, symmetries = [], []
            for line in reader.nodes(claim.game):
                if isinstance(line, Node):
                    nodes.append(line)
                else:
                    symmetries.append(line)
        return cls(claim, nodes, symmetries)

    def save(self, path: str) -> None:
        """Write a file (`-`: standard output); the same strategy gives the same bytes."""
        write_lines(path, self._lines())

    def _lines(self) -> Iterator[str]:
        yield header_line(self.claim)
        for permutation in self.symmetries:
            yield symmetry_line(self.game, permutation)
        yield from map(node_line, self.nodes)

    # --- what it says ----------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        return self.claim.game

    @property
    def owner(self) -> Player:
        """Whose strategy it is."""
        return self.claim.owner

    @property
    def depth(self) -> int:
        return self.claim.depth

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.nodes)

    def check(self) -> Report:
        """Ask the independent checker."""
        return check(self.claim, (*self.symmetries, *self.nodes))

    def node(self, position: Position) -> Node | None:
        """The node for a position, if it has one of its own."""
        return self._best.get(packed(position))

    def move(self, position: Position) -> Move | None:
        """The owner's reply; None where he is not to move, or where this strategy never leads.

        >>> from skolemate.games.family import build
        >>> tictactoe = build("tictactoe")
        >>> pairs = ((0, 1), (2, 5), (6, 7))
        >>> claim = Claim(tictactoe, Player.BLACK, 9, False)
        >>> strategy = Strategy(claim, [Node(tictactoe.start, 9, pairs=pairs)])
        >>> strategy.move(tictactoe.start.play(2))
        5
        """
        if position.to_move is not self.owner or not position.moves():
            return None
        found = self._reply(position)
        return self._mirrored(position) if found is None and self.symmetries else found

    def pairs(self, position: Position) -> Pairs | None:
        """The pairs by which the owner goes on from this very position, if it does so from here."""
        for turn in self.game.symmetries if self.symmetries else (range(self.game.board.size),):
            node = self.node(turned(position, tuple(turn)))
            if node is not None:
                back = {image: cell for cell, image in enumerate(turn)}
                return node.pairs and tuple((back[a], back[b]) for a, b in node.pairs)
        return None

    def _reply(self, position: Position) -> Move | None:
        node = self.node(position)
        if node is not None and node.move is not None:
            return node.move
        return self._carried(position) if self.claim.wins else self._paired(position)

    def _carried(self, position: Position) -> Move | None:
        """The reply by which a win goes on from which the opponent's last moves took nothing."""
        enemy = position.stones(self.owner.opponent)
        for node, needed in self._wins.get(position.stones(self.owner), ()):
            more = enemy & ~node.position.stones(self.owner.opponent)
            if needed & enemy or node.position.to_move is not position.to_move:
                continue
            if all(self.claim.idle(position, cell, node.left) for cell in cells_of(more)):
                return node.move
        return None

    @cached_property
    def _wins(self) -> dict[int, list[tuple[Node, int]]]:
        """By the owner's stones: his replies, and the open cells that the win then needs."""
        needed: dict[int, int] = {}
        found: dict[int, list[tuple[Node, int]]] = {}
        if not any(node.like for node in self.nodes):
            return found
        for node in self.nodes:
            moves = node.position.moves() if node.move is None else (node.move,)
            cells = 0 if node.move is None else 1 << node.move
            for move in moves:
                if move in node.via:
                    cells = -1  # perhaps all
                elif move not in node.like:
                    after = node.position.game.result(node.position, move)
                    cells |= needed.get(packed(after), 0)
            needed[packed(node.position)] = cells
            if node.move is not None:
                found.setdefault(node.position.stones(self.owner), []).append((node, cells))
        return found

    def _paired(self, position: Position) -> Move | None:
        """The reply within a pairing that holds here, by whichever way the game came here."""
        for node in self._pairings:
            before, asked = node.position, self.claim.player
            if before.black & ~position.black or before.white & ~position.white:
                continue
            own, rest = position.stones(self.owner), position.stones(asked)
            halves = [p for p in map(_mask, node.pairs or ()) if p & rest and not p & own]
            if not halves:
                return _any_move(position)
            if len(halves) == 1 and halves[0] & ~rest:
                return (halves[0] & ~rest).bit_length() - 1
        return None

    def _mirrored(self, position: Position) -> Move | None:
        """The reply in a position that a symmetry makes of this one, turned back."""
        for turn in self.game.symmetries:
            image = turned(position, turn)
            reply = self._reply(image)
            if reply is not None:
                after = image.play(reply)
                return next(m for m in position.moves() if turned(position.play(m), turn) == after)
        return None

    def statistics(self) -> dict[str, Any]:
        """Plain data about the strategy."""
        kinds = Counter(map(_kind, self.nodes))
        return {
            "game": str(self.game),
            "player": self.claim.player.value,
            "depth": self.depth,
            "verdict": self.claim.verdict,
            "owner": self.owner.value,
            "nodes": self.size,
            "replies": kinds["reply"],
            "opponents_turns": kinds["turn"],
            "pairings": kinds["pairing"],
            "symmetries": len(self.symmetries),
            "by_plies_left": dict(sorted(Counter(node.left for node in self.nodes).items())),
        }


def _kind(node: Node) -> str:
    return "pairing" if node.pairs is not None else "turn" if node.move is None else "reply"


def _mask(pair: tuple[int, int]) -> int:
    return 1 << pair[0] | 1 << pair[1]


def _any_move(position: Position) -> Move:
    """Any move will do; one that wins is the nicest."""
    moves: Iterable[Move] = position.moves()
    wins = (m for m in moves if position.play(m).winner is position.to_move)
    return next(wins, position.moves()[0])
