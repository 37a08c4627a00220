"""A strategy in memory: loading, saving and checking it, and looking up its moves."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from math import inf
from os import fspath
from typing import Any, Self

from skolemate.errors import UserError, brief, printable
from skolemate.games import (
    CellMap,
    Game,
    Move,
    Permutation,
    Player,
    Position,
    cells_of,
    inverse,
    move_mask,
)
from skolemate.limits import breathe
from skolemate.loading import load
from skolemate.output import File, amount, write_lines
from skolemate.strategies.cards import Unfolding
from skolemate.strategies.checker import Report, check
from skolemate.strategies.claim import Claim, NotProved, packed, turned
from skolemate.strategies.lines import (
    VERDICTS,
    Header,
    Reader,
    header_line,
    map_line,
    node_line,
    opened,
)
from skolemate.strategies.nodes import (
    Node,
    Pairs,
    repair,
    turned_links,
    virtual_connection,
)
from skolemate.strategies.races import Answer, Dangers

# --- positions without a node of their own --------------------------------------------------------
# Nodes with replies, pairs or links cover further positions. A play that follows the strategy from
# its start goes from node to node; for any other position all nodes are tried.


Turned = tuple[Node, Permutation]  # a node, and the symmetry under which it covers a position


class CoveringNodes:
    """The nodes of a strategy that cover further positions."""

    def __init__(
        self, claim: Claim, nodes: Sequence[Node], symmetries: Sequence[Permutation]
    ) -> None:
        self._claim, self._nodes, self._symmetries = claim, nodes, symmetries
        self._identity = tuple(range(claim.game.board.size))
        self._listed = [node for node in nodes if node.covers]
        self._blank = any(node.blank for node in nodes)
        # The covering node of each position met so far on the opponent's turn, by both's stones.
        self._met: dict[tuple[int, int], Turned] = {
            claim.sides(node.position): (node, self._identity)
            for node in self._listed
            if node.position.to_move is not claim.owner and not node.blank
        }

    def reply(self, position: Position) -> Move | None:
        """The owner's move, if a node covers the position after it."""
        if not self._listed:
            return None
        own, enemy = self._claim.sides(position)
        by_one = self._claim.by_one(self._claim.owner, own)
        for move in position.moves():
            if by_one >> move & 1:
                return move
        for (node, turn), covers in chain(self._following(own, enemy), self._all(position)):
            reply = self._fitting(position, own, enemy, node, turn, covers)
            if reply is not None:
                self._met[own | 1 << reply, enemy] = node, turn
                return reply
        return None

    def met(self, position: Position) -> Turned | None:
        """The node that covers a position on the opponent's turn, if it was met in this play."""
        if position.to_move is self._claim.owner:
            return None
        return self._met.get(self._claim.sides(position))

    def pairs(self, position: Position, node: Node, turn: Permutation) -> Pairs | None:
        """The pairs of a node that are still open in a position; None if it has no pairs."""
        if node.pairs is None:
            return None
        return self._open(_turned(node.pairs, turn), position.occupied)

    def carrier(self, position: Position, node: Node, turn: Permutation) -> int | None:
        """The carrier of a node's links in a position; None if it has no links."""
        path = self._claim.path
        if path is None or not node.links:
            return None
        links = turned_links(path, node.links, turn)
        joined = virtual_connection(path, *self._claim.sides(position), links)
        return None if joined is None else joined.carrier

    def _following(self, own: int, enemy: int) -> Iterator[tuple[Turned, bool]]:
        """The nodes that follow those which cover the position before the opponent's last move.

        Each with whether it may cover the position after one more move: a node whose own pairs or
        links go on may not.
        """
        for cell in cells_of(enemy & ~self._claim.sides(self._claim.game.start)[1]):
            before = self._met.get((own, enemy ^ 1 << cell))
            if before is not None:
                node, turn = before
                if node.pairs is not None or node.links:
                    yield before, False
                for reply in node.replies:
                    if reply.node is not None:
                        first = self._symmetry(reply.via)
                        yield (self._nodes[reply.node], tuple(turn[c] for c in first)), True

    def _all(self, position: Position) -> Iterator[tuple[Turned, bool]]:
        left, monotone = self._left(position) - 1, self._claim.monotone
        for turn in (self._identity, *(self._claim.game.symmetries if self._symmetries else ())):
            for node in self._listed:
                enough = monotone and self._enough(node, left)
                yield (node, turn), enough and node.position.to_move is not self._claim.owner

    def in_time(self, position: Position, node: Node) -> bool:
        """Whether a node about this very position proves enough for the plies left.

        Where stones only help, a node may take longer: it is in the strategy to cover others.
        """
        return not self._claim.monotone or self._enough(node, self._left(position))

    def _enough(self, node: Node, left: int) -> bool:
        return node.left <= left if self._claim.wins else node.left >= left

    def _fitting(
        self,
        position: Position,
        own: int,
        enemy: int,
        node: Node,
        turn: Permutation,
        covers: bool,
    ) -> Move | None:
        """The move after which the node covers the position, or the next move of its plan."""
        stones, given = self._claim.sides(node.position)
        if turn is not self._identity:
            stones, given = move_mask(turn, stones), move_mask(turn, given)
        missing = stones & ~own
        if covers and not enemy & ~given and not missing & (missing - 1):
            move = missing.bit_length() - 1 if missing else position.moves()[0]
            if self._safe(own | 1 << move, enemy, node, turn):
                return move
        if missing:
            return None
        if node.pairs is None:
            return self._linking(position, own, enemy, node, turn)
        return self._within(position, own, enemy, _turned(node.pairs, turn))

    def _safe(self, own: int, enemy: int, node: Node, turn: Permutation) -> bool:
        """Whether the opponent is slower than the plan of a node: see `races`."""
        races = self._claim.races
        if not self._blank or races is None:
            return True
        against = self._claim.sides(node.position)[1] & ~node.blank
        dangers = self._dangers[id(node)]
        if turn is not self._identity:
            against, dangers = move_mask(turn, against), races.turned(dangers, turn)
        return races.safe(dangers, own, enemy | against)

    @cached_property
    def _dangers(self) -> dict[int, Dangers]:
        """By node: its dangers, of a strategy that holds."""
        races, dangers = self._claim.races, dict[int, Dangers]()
        whole = (1 << self._claim.game.board.size) - 1
        if races is None:
            return dangers
        for node in self._nodes:
            own, enemy = self._claim.sides(node.position)
            unanswered, answers = whole & ~own & ~enemy | node.blank, list[Answer]()
            for reply in node.replies:
                moves = unanswered & ~(1 << reply.move | reply.omits)
                if reply.node is not None:
                    then, turn = self._nodes[reply.node], self._symmetry(reply.via)
                    given, blank = (
                        move_mask(turn, cells)
                        for cells in (self._claim.sides(then.position)[1], then.blank)
                    )
                    moves &= given
                    later = races.turned(dangers[id(then)], turn)
                    answers.append(Answer(reply.move, moves, given & ~blank, later))
                unanswered &= ~moves
            dangers[id(node)] = (
                races.dangers(own, whole & ~own & ~enemy, enemy & ~node.blank, answers)
                if node.replies
                else ()
            )
        return dangers

    def _symmetry(self, via: int | None) -> Permutation:
        return self._identity if via is None else self._symmetries[via]

    def _linking(
        self, position: Position, own: int, enemy: int, node: Node, turn: Permutation
    ) -> Move | None:
        """The move that makes the links full again, if enough plies are left for them."""
        path = self._claim.path
        if path is None or not node.links:
            return None
        repaired = repair(path, own, enemy, turned_links(path, node.links, turn))
        if repaired is None or (self._claim.wins and repaired.plies >= self._left(position)):
            return None
        return repaired.move

    def _within(self, position: Position, own: int, enemy: int, pairs: Pairs) -> Move | None:
        """The reply within pairs, if they still hold after it."""
        broken = [
            (a, b)
            for a, b in pairs
            if (enemy >> a | enemy >> b) & 1 and not (own >> a | own >> b) & 1
        ]
        moves, untouched = position.moves(), chain(*self._open(pairs, own | enemy))
        answers = [b if enemy >> a & 1 else a for a, b in broken]
        # If nothing needs an answer, any legal move will do, preferably within the pairs.
        move = next(filter(moves.__contains__, answers or untouched), moves[0])
        if answers not in ([], [move]):
            return None
        after, left = position.play(move), self._left(position) - 1
        if not after.moves() or left < 1:
            return move
        try:
            self._claim.bound_by_pairs(after, left, self._open(pairs, after.occupied))
        except NotProved:
            return None
        return move

    def _left(self, position: Position) -> int:
        start = self._claim.game.start
        return self._claim.depth - (position.occupied & ~start.occupied).bit_count()

    def _open(self, pairs: Pairs, occupied: int) -> Pairs:
        return tuple((a, b) for a, b in pairs if not (occupied >> a | occupied >> b) & 1)


def _turned(pairs: Pairs, turn: Permutation) -> Pairs:
    return tuple((turn[a], turn[b]) for a, b in pairs)


# --- the strategy ---------------------------------------------------------------------------------


def claim_of(header: Header, game: File | Game | None = None) -> Claim:
    """The claim of a file, about the game that it names or another one with the same content."""
    try:
        about = load(header.game if game is None else game)
    except UserError as error:
        if game is not None:
            raise
        raise UserError(
            f"the strategy is for {brief(header.game, 200)}, which cannot be read: {error}; "
            "name the game with --game, or game= in Python"
        ) from None
    return Claim(about, header.player, header.depth, header.wins)


def check_file(
    path: File, game: File | Game | None = None, expected: Claim | str | None = None
) -> Report:
    """Check a strategy file line by line; the lines themselves are not kept in memory.

    - `path`: the file; `-` is the standard input.
    - `game`: the game to check it for, instead of the one that the file names.
    - `expected`: the claim that the file must make, also in words such as "WIN 7 black".
    """
    path = fspath(path)
    if game is None and isinstance(expected, Claim):
        game = expected.game
    words = None if expected is None else _in_words(expected)
    with opened(path) as stream:
        reader = Reader(stream, path)
        claim = claim_of(reader.header, game)
        if claim.content != reader.header.content:
            why = f"it belongs to another game than {claim.game}"
        elif isinstance(expected, Claim) and expected.content != claim.content:
            why = f"{expected.game} was expected, and {claim.game} is another game"
        elif words is not None and words != _in_words(claim):
            difference = f"{words} was expected, and the file claims {_in_words(claim)}"
            why = f"it is for another claim; {difference}"
        else:
            return check(claim, reader.nodes(claim.game))
        return Report(False, 0, reason=why, claim=claim)


def _in_words(claim: Claim | str) -> str:
    """A claim without its game in canonical words.

    >>> _in_words("no_win 5 Black")
    'NO_WIN 5 black'
    """
    if isinstance(claim, Claim):
        return f"{claim.verdict} {claim.depth} {claim.player.value}"
    match str(claim).split():
        case [verdict, depth, player] if (
            verdict.upper() in VERDICTS and depth.isdecimal() and len(depth) < 10
        ):
            return f"{verdict.upper()} {int(depth)} {Player(player).value}"
    raise UserError(
        f"a claim is a verdict, a depth and a player, as in WIN 7 black: {brief(str(claim))}"
    )


@dataclass(repr=False)
class Strategy:
    """Replies that prove a claim, for every position that can arise while they are followed.

    >>> from skolemate.games.family import build
    >>> game = build("tictactoe(moves=a1 b1 a2 b2)")
    >>> strategy = Strategy(Claim(game, Player.BLACK, 1, True), [Node(game.start, 1, 2)])
    >>> strategy
    <Strategy: tictactoe(moves=a1 b1 a2 b2): Black wins within 1 ply; 1 node>
    >>> strategy.check().holds, game.move_name(strategy.move(game.start))
    (True, 'a3')
    """

    claim: Claim
    nodes: Sequence[Node]  # children first
    symmetries: Sequence[CellMap] = ()  # and maps after them
    _best: dict[int, Node] = field(init=False)

    def __post_init__(self) -> None:
        self._best = {}
        for node in self.nodes:
            key = packed(node.position)
            known = self._best.get(key)
            # Prefer the quickest win, and the longest defence.
            if known is None or (node.left < known.left) is self.claim.wins:
                self._best[key] = node

    # --- files -----------------------------------------------------------------------------------

    @classmethod
    def load(cls, path: File, game: File | Game | None = None) -> Self:
        """Read a file (`-`: standard input). It is not checked: see `check`."""
        path = fspath(path)
        with opened(path) as stream:
            reader = Reader(stream, path)
            claim = claim_of(reader.header, game)
            if claim.content != reader.header.content:
                raise UserError(f"{printable(path)} belongs to another game than {claim.game}")
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
        for where in self.symmetries:
            yield map_line(self.game, where)
        yield from map(node_line, self.nodes)

    # --- lookups ---------------------------------------------------------------------------------

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
    def for_ever(self) -> bool:
        """Whether the owner prevents a win for ever, in a game that may never end."""
        node = self.node(self.game.start)
        return node is not None and node.left == inf

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.nodes)

    def __repr__(self) -> str:
        return f"<Strategy: {self.claim}; {amount(self.size, 'node')}>"

    def replies(self) -> list[dict[str, Any]]:
        """Every position in which the owner moves or has pairs to answer in, as plain data."""
        name = self.game.board.names
        return [
            {
                "black": [name[cell] for cell in cells_of(node.position.black)],
                "white": [name[cell] for cell in cells_of(node.position.white)],
                "answer": None if node.move is None else self.game.move_name(node.move),
                "pairs": None
                if node.pairs is None
                else [[name[a], name[b]] for a, b in node.pairs],
            }
            for node in self.nodes
            if node.move is not None or node.pairs is not None
        ]

    def check(self) -> Report:
        """Ask the independent checker."""
        return check(self.claim, self._unless_out_of_budget())

    def _unless_out_of_budget(self) -> Iterator[Node | CellMap]:
        lines: Iterable[Node | CellMap] = chain(self.symmetries, self.nodes)
        for line in lines:
            breathe()
            yield line

    def node(self, position: Position) -> Node | None:
        """The node for a position, if it has one of its own."""
        return self._best.get(packed(position))

    def move_name(self, position: Position) -> str | None:
        """The name of `move`."""
        move = self.move(position)
        return None if move is None else position.game.move_name(move)

    def move(self, position: Position) -> Move | None:
        """The owner's reply; None on the opponent's turn and where this strategy never leads.

        >>> from skolemate.games.family import build
        >>> squares = build("harary(shape=fatty, width=3, height=3)")
        >>> pairs = ((1, 2), (3, 4), (5, 7))
        >>> claim = Claim(squares, Player.BLACK, 9, False)
        >>> strategy = Strategy(claim, [Node(squares.start, 9, pairs=pairs)])
        >>> strategy.move_name(squares.start.play("c2"))
        'b3'
        """
        if position.to_move is not self.owner or not position.moves():
            return None
        node = self.node(position)
        if node is not None and node.move is not None and self._covering.in_time(position, node):
            return node.move
        reply = self._covering.reply(position)
        return self._mirrored(position) if reply is None and self.symmetries else reply

    def pairs(self, position: Position) -> Pairs | None:
        """The pairs within which the owner answers from this position on, if there are any."""
        node = self._about(position)
        return None if node is None else self._covering.pairs(position, *node)

    def carrier(self, position: Position) -> int | None:
        """The carrier of the links by which the owner wins from here on, if there are any."""
        node = self._about(position)
        return None if node is None else self._covering.carrier(position, *node)

    def _about(self, position: Position) -> Turned | None:
        """The node for this very position, or one that covers it, and under which symmetry."""
        identity = tuple(range(self.game.board.size))
        for turn in self.game.symmetries if self.symmetries else (identity,):
            node = self.node(turned(position, turn))
            if node is not None:
                return node, inverse(turn)
        return self._covering.met(position)

    @cached_property
    def _covering(self) -> CoveringNodes:
        nodes, symmetries = self.unfolded
        return CoveringNodes(self.claim, nodes, symmetries)

    @cached_property
    def unfolded(self) -> tuple[Sequence[Node], Sequence[Permutation]]:
        """The nodes and symmetries of the same strategy without maps."""
        unfolding, nodes, symmetries = Unfolding(self.claim), list[Node](), list[Permutation]()
        for line in self._unless_out_of_budget():
            for plain in unfolding.plain(line):
                if isinstance(plain, Node):
                    nodes.append(plain)
                else:
                    symmetries.append(plain)
        return nodes, symmetries

    def _mirrored(self, position: Position) -> Move | None:
        """The reply in a symmetric position, mapped back."""
        for turn in self.game.symmetries:
            image = turned(position, turn)
            node = self.node(image)
            if node is not None and node.move is not None:
                after = image.play(node.move)
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
            "linkings": kinds["linking"],
            "symmetries": len(self.symmetries),
            "by_plies_left": dict(
                sorted(Counter(node.left for node in self.nodes if node.left < inf).items())
            ),
            "for_ever": sum(node.left == inf for node in self.nodes),
        }


def _kind(node: Node) -> str:
    if node.links:
        return "linking"
    return "pairing" if node.pairs is not None else "turn" if node.move is None else "reply"
