"""The native engine in Python's types: a fast search for games stated as masks or as a network.

The engine answers only for Black, so colours are exchanged for White. Its transposition table is
kept from one question to the next. Several threads may ask; they are answered in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple
from functools import partial
from hashlib import sha256
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from struct import unpack
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from skolemate.errors import COMPILER, MissingView, UserError
from skolemate.games.game import Game, Move, Player, Position, Stuck, turns
from skolemate.games.goals import Connection, Sets
from skolemate.games.symmetry import Permutation, move_mask
from skolemate.games.views import Grounded, GroundedAction, Patterns, Propnet
from skolemate.limits import PAUSE, Budget, OutOfBudget, Reason, Result, watched

if TYPE_CHECKING:
    from skolemate.search import _engine

# The engine's methods besides plain search. Each can be switched off without changing any answer.
METHODS = (
    "table",
    "symmetry",
    "threats",
    "time",
    "must_play",
    "domination",
    "pairing",
    "relaxation",
    "links",
    "reserves",
    "inferior",
    "proof_numbers",
    "depth_first",
    "sequences",
    "races",
    "parts",
)
TABLE_BYTES = 512 << 20
LARGEST_GROUP = 400  # symmetries; a torus of 7x7 has 392
MOST_MISSING = 16  # stones that must be added before a symmetry of the board can be of use
MOST_CELLS = 384
MOST_ACTIONS = 0xFFFE  # of a player: the engine counts moves in 16 bits
LEAST = 100  # positions that any question may take
QUICK = 20_000  # positions, mostly some hundredths of a second: searched by one thread
SMALL = 128  # cells; up to here these positions take half a second at most, and nobody watches

Raw = Sequence[int]  # a mask in words of 64 bits
# Stones, cells, plies, pairs of cells, and replies: a move, a node (-1: none), a symmetry.
RawProof = tuple[int, int, int, list[list[int]], list[list[int]]]
# Two end points (-1: a border), and ways: gap, cell, gap. A gap is a link's number, -1 for none.
RawLink = tuple[int, int, list[list[int]]]


class Finding(NamedTuple):
    """Whether the player wins; if not, whether at no depth at all; a proving move, if known."""

    won: bool
    for_ever: bool
    move: Move | None


def refusal(game: Game) -> UserError | None:
    """Why the engine cannot search a game, if it cannot."""
    if find_spec("skolemate.search._engine") is None:
        return UserError(f"the engine was not compiled when Skolemate was installed: {COMPILER}")
    if game.board.size > MOST_CELLS:
        return UserError(f"{game} has more than the {MOST_CELLS} cells that the engine can hold")
    try:
        actions = _numbered(game)
    except MissingView:
        return UserError(f"the engine needs the rules of {game} as masks")
    if game.misere and not _alternates(game.rewound()):
        needs = "turns of one stone until the board is full, and any first move"
        return UserError(
            f"where completing a set loses, the engine needs {needs}: not so in {game}"
        )
    if max(map(len, actions.values())) > MOST_ACTIONS:
        most = f"{MOST_ACTIONS:,} moves that the engine can number"
        return UserError(f"{game} has more than the {most}")
    return None


def _numbered(game: Game) -> dict[Player, Sequence[Move]]:
    """The moves of both players, in the order in which the engine numbers them."""
    if game.offers("propnet"):
        return dict.fromkeys(Player, range(len(game.propnet().owners)))
    actions = game.grounded().actions
    return {player: [action.move for action in actions[player]] for player in Player}


def fingerprint(game: Game) -> str:
    """The digest of what the entries of tables depend on besides the game's rules.

    That is the engine, as it is compiled and called, and the order in which it numbers moves.
    """
    from skolemate.search import _engine

    digest = sha256()
    for file in (_engine.__file__, __file__):
        digest.update(Path(file).read_bytes())
    moves = [[game.move_name(move) for move in listed] for listed in _numbered(game).values()]
    digest.update(repr(moves).encode())
    return digest.hexdigest()


def _alternates(game: Game) -> bool:
    """Whether the players simply alternate, until the board is full if there is a schedule."""
    rules, open_cells = game.grounded(), game.board.size - game.start.occupied.bit_count()
    whole = turns(open_cells, first=rules.to_move or Player.BLACK)
    return rules.first_moves is None and rules.schedule in (None, whole)


class Engine:
    """Answers for one player of one game.

    >>> from skolemate.games.family import build
    >>> game = build("hex(size=4)")
    >>> Engine(game, Player.BLACK).ask(game.start, 9, Budget()).won
    True
    """

    def __init__(
        self,
        game: Game,
        player: Player,
        *,
        table_bytes: int = TABLE_BYTES,
        threads: int = 1,
        without: Iterable[str] = (),
    ) -> None:
        refused = refusal(game)
        if refused is not None:
            raise refused
        self._swapped = player is Player.WHITE
        self._game = game.swapped() if self._swapped else game
        self.threads = threads
        self._stones = game.start.occupied.bit_count()
        everywhere = Position(game, (1 << game.board.size) - 1, 0, Player.BLACK)
        self._moves = _numbered(self._game)
        self._foreseen: dict[Position, Finding] = {}
        self.asks_who = False
        self._asked = Lock()
        self._foreseeing = 0  # positions
        self._native: _engine.Engine
        off = set(without)
        methods = sorted(off - {"symmetry"})
        if self._game.offers("propnet"):
            self._alternating, self._full_is_draw = True, False
            with _accidents():
                self._native = _network(self._game.propnet(), table_bytes, methods)
            return
        rules = self._game.grounded()
        self._alternating = rules.schedule is None or game.misere
        self._full_is_draw = game.stuck(everywhere) is Stuck.DRAW
        # Whether at full depth it is only asked who wins, by another search than within some plies.
        ends = rules.measures and not self._full_is_draw and rules.stuck is Stuck.LOSES
        self.asks_who = bool(ends) or self._game.offers("transversal")
        self.symmetries = _symmetries(self._game, fold="symmetry" not in off)
        make = _actions if self._alternating else _placement
        with _accidents():
            self._native = make(self._game, rules, self.symmetries, table_bytes, methods)

    @property
    def visited(self) -> int:
        """Positions searched so far."""
        return self._native.visited

    def ask(self, position: Position, left: int, budget: Budget) -> Finding:
        """Whether the player wins from a position within the plies left.

        Raises OutOfBudget, also if the engine gets no memory or fails.
        """
        found = self.try_to(position, left, budget, 0)
        assert found is not None, "it was not stopped"
        return found

    def foresee(
        self, position: Position, left: int, budget: Budget, least: int | None = None
    ) -> Finding | None:
        """The same at the horizon, if that takes no more positions than all before; else None.

        It may take `least` positions in any case: by default a moment where it is only asked who
        wins.
        """
        if position not in self._foreseen:
            if least is None:
                least = QUICK if self.asks_who else LEAST
            before = self.visited
            found = self.try_to(position, left, budget, max(least, before - 2 * self._foreseeing))
            self._foreseeing += self.visited - before
            if found is None:
                return None
            self._foreseen[position] = found
        return self._foreseen[position]

    def try_to(self, position: Position, left: int, budget: Budget, most: int) -> Finding | None:
        """The same with at most so many positions, None if they do not suffice; 0: no limit."""
        question = self._question(position, left)
        with self._at_work(budget):
            ask = partial(self._native.ask, *question)
            quickly = partial(ask, 1, min(QUICK, most or QUICK))
            small = self._game.board.size <= SMALL
            result = quickly() if small else self._watched(quickly, budget)
            if result.won is None and not 0 < most <= QUICK:
                result = self._watched(partial(ask, self.threads, most), budget)
        if result.won is None:
            return None
        move, mover = result.move, position.to_move
        if move is not None and mover is not None:
            move = self._moves[mover.opponent if self._swapped else mover][move]
        return Finding(result.won, result.for_ever, move)

    def _watched(self, work: Callable[[], Result], budget: Budget) -> Result:
        self._native.ready()
        return watched(work, self._native.stop, budget)

    def _question(self, position: Position, left: int) -> tuple[Raw, Raw, int, int]:
        black, white, mover = position.black, position.white, position.to_move
        taken, size = position.occupied.bit_count(), self._game.board.size
        if self._full_is_draw:
            left = min(left, size - taken)
        if self._swapped:
            black, white, mover = white, black, mover and mover.opponent
        turn = int(mover is Player.WHITE) if self._alternating else taken - self._stones
        return _raw(black, size), _raw(white, size), turn, left

    @contextmanager
    def _at_work(self, budget: Budget) -> Iterator[None]:
        """One question at a time."""
        budget.check()
        while not self._asked.acquire(timeout=PAUSE):
            budget.check()
        try:
            with _accidents():
                self._native.ready()
                yield
        finally:
            self._asked.release()

    def saved(self) -> Iterator[tuple[int, int, bytes]]:
        """What the tables hold: numbers of a table and of a part, and its entries as bytes."""
        from skolemate.search import _engine

        for table, part in product(range(_engine.TABLES), range(_engine.PARTS)):
            with self._asked, _accidents():
                entries = self._native.saved(table, part)
            if entries:
                yield table, part, entries

    def restore(self, table: int, part: int, entries: bytes) -> bool:
        """Take in what an engine for the same player of the same game has saved; False if none."""
        with self._asked, _accidents():
            return self._native.restore(table, part, entries)

    def links(self, position: Position, owner: Player, most: int) -> list[RawLink]:
        """Links with a carrier of at most `most` cells that fully connect a player's borders.

        Each may use earlier ones. The list is empty if none were found.
        """
        own, enemy = position.stones(owner), position.stones(owner.opponent)
        blocking = (owner is Player.WHITE) is not self._swapped
        with self._asked, _accidents():
            size = self._game.board.size
            self._native.ready()
            return self._native.links(_raw(own, size), _raw(enemy, size), blocking, most)

    def proof(
        self, position: Position, left: int, wins: bool, fold: bool, budget: Budget
    ) -> list[RawProof]:
        """Nodes that prove that the player wins within the plies left, or never does.

        It is the other player's turn in a game of listed sets; only the player's own goal counts.
        Children come first. Images of positions under `symmetries` may share a node if `fold`.
        The list is empty if there is no such proof.
        """
        question = self._question(position, left)
        with self._at_work(budget):
            nodes = self._watched(lambda: self._native.prove(*question, wins, fold), budget)
        return [(_mask(node[0]), _mask(node[1]), *node[2:]) for node in nodes]


@contextmanager
def _accidents() -> Iterator[None]:
    """Turn failures of the engine into OutOfBudget with a reason."""
    try:
        yield
    except (OutOfBudget, UserError):
        raise
    except MemoryError:
        raise OutOfBudget(Reason.MEMORY) from None
    except Exception as error:
        raise OutOfBudget(Reason.SOLVER_ERROR, f"the engine failed: {error}") from error


def _raw(mask: int, cells: int) -> Raw:
    return _raws([mask], cells)[0]


def _raws(masks: Iterable[int], cells: int) -> list[Raw]:
    words = max(1, (cells + 63) // 64)
    whole = b"".join([mask.to_bytes(8 * words, "little") for mask in masks])
    flat = unpack(f"<{len(whole) // 8}Q", whole)
    return [flat[start : start + words] for start in range(0, len(flat), words)]


def _mask(raw: Raw) -> int:
    return sum(word << 64 * place for place, word in enumerate(raw))


def _placement(
    game: Game, rules: Grounded, turns: list[Permutation], table_bytes: int, without: list[str]
) -> _engine.Engine:
    from skolemate.search import _engine

    size = rules.cells
    blocking = None
    white = rules.goals[Player.WHITE]
    if game.offers("transversal"):
        # Exactly one player gets connected, so White's goal is that Black's is never met.
        blocking, white = game.transversal(), None
    if blocking is not None or isinstance(white, Sets):
        table_bytes //= 2  # there are two: for some plies, and for full depth
    return _engine.placement(
        cells=size,
        turns=[0 if turn is Player.BLACK else 1 for turn in rules.schedule or ()],
        black=_goal(rules.goals[Player.BLACK], size),
        white=_goal(white, size),
        blocking=None if blocking is None else _graph(blocking, size),
        first_moves=None if rules.first_moves is None else _raw(rules.first_moves, size),
        symmetries=turns,
        bytes=table_bytes,
        without=without,
    )


def _goal(goal: object, size: int) -> _engine.Goal:
    if isinstance(goal, Sets):
        return _raws(goal.sets, size), None
    if isinstance(goal, Connection):
        return None, _graph(goal, size)
    return None, None


def _graph(goal: Connection, size: int) -> _engine.Graph:
    start, end = _raws((goal.start, goal.end), size)
    return _raws(goal.neighbours, size), start, end


def _actions(
    game: Game, rules: Grounded, turns: list[Permutation], table_bytes: int, without: list[str]
) -> _engine.Engine:
    from skolemate.search import _engine

    if game.misere:  # races are won by own moves alone
        without = sorted({*without, "races"})
    if any(action.becomes_black for action in rules.actions[Player.WHITE]):
        without = sorted({*without, "time"})  # which counts the stones of Black's own moves

    def masks(action: GroundedAction) -> Iterable[int]:
        made = (action.becomes_open, action.becomes_black, action.becomes_white)
        return (*astuple(action.needs), *made)

    actions = [
        [_raws(masks(action), rules.cells) for action in rules.actions[player]] for player in Player
    ]
    goals = [
        [_raws(astuple(pattern), rules.cells) for pattern in _patterns(rules, p)] for p in Player
    ]
    if rules.measures and rules.stuck is Stuck.LOSES:
        table_bytes //= 2  # there are two: for some plies, and for full depth
    return _engine.actions(
        cells=rules.cells,
        actions=actions,
        goals=goals,
        never_stuck=rules.stuck is Stuck.DRAW,
        measures=[((m.open, m.black, m.white), m.least) for m in rules.measures],
        symmetries=turns,
        bytes=table_bytes,
        without=without,
    )


def _network(net: Propnet, table_bytes: int, without: list[str]) -> _engine.Engine:
    from skolemate.search import _engine

    return _engine.network(
        facts=net.facts,
        owners=[int(owner is Player.WHITE) for owner in net.owners],
        gates=net.gates,
        settled=net.settled,
        legal=net.legal,
        next=net.next,
        won=[net.won[player] for player in Player],
        relevant=_raw(net.relevant, net.facts),
        bytes=table_bytes,
        without=without,
    )


def _patterns(rules: Grounded, player: Player) -> Patterns:
    goal = rules.goals[player]
    return goal if isinstance(goal, tuple) else ()


def _missing(position: Position, turn: Permutation) -> int:
    """How many stones must be added before the image of a position can arise from it."""
    colours = (position.black, position.white)
    return sum((move_mask(turn, stones) & ~stones).bit_count() for stones in colours)


def _symmetries(game: Game, fold: bool) -> list[Permutation]:
    """The identity first, then the others, unless there are too many or they would be of no use."""
    identity = tuple(range(game.board.size))
    others = [turn for turn in game.board.symmetries if turn != identity]
    # With very many, testing which keep the rules takes longer than they save.
    if not fold or len(others) >= LARGEST_GROUP:
        return [identity]
    stays = game.turns_ahead is not None  # whatever is placed
    if stays and all(_missing(game.start, turn) > MOST_MISSING for turn in others):
        return [identity]
    return [identity, *(turn for turn in game.symmetries if turn != identity)]
