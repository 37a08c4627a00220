"""The compiled engine: see src/engine/module.cpp. Masks are words of 64 bits, the lowest first."""

from collections.abc import Sequence

from skolemate.games.symmetry import Permutation

Mask = Sequence[int]
Graph = tuple[Sequence[Mask], Mask, Mask]  # neighbours, and the two borders
# Weights of open cells, of black and white stones; the least drop by a move.
Measure = tuple[tuple[Sequence[int], Sequence[int], Sequence[int]], int]
Goal = tuple[Sequence[Mask] | None, Graph | None]  # sets, or a path, or neither

# Stones, cells, plies, pairs of cells, and replies: a move, a node (-1: none), a symmetry.
RawNode = tuple[list[int], list[int], int, list[list[int]], list[list[int]]]

TABLES: int
PARTS: int  # of each table

class Result:
    @property
    def won(self) -> bool | None: ...
    @property
    def for_ever(self) -> bool: ...
    @property
    def move(self) -> int | None: ...

class Engine:
    def ask(
        self, black: Mask, white: Mask, turn: int, left: int, threads: int, most: int
    ) -> Result: ...
    def links(
        self, own: Mask, enemy: Mask, blocking: bool, most: int
    ) -> list[tuple[int, int, list[list[int]]]]: ...
    def prove(
        self, black: Mask, white: Mask, turn: int, left: int, wins: bool, fold: bool
    ) -> list[RawNode]: ...
    def saved(self, table: int, part: int) -> bytes: ...
    def restore(self, table: int, part: int, entries: bytes) -> bool: ...
    def ready(self) -> None: ...
    def stop(self) -> None: ...
    @property
    def visited(self) -> int: ...

def placement(
    cells: int,
    turns: Sequence[int],
    black: Goal,
    white: Goal,
    blocking: Graph | None,
    first_moves: Mask | None,
    symmetries: Sequence[Permutation],
    bytes: int,
    without: Sequence[str],
) -> Engine: ...
def actions(
    cells: int,
    actions: Sequence[Sequence[Sequence[Mask]]],
    goals: Sequence[Sequence[Sequence[Mask]]],
    never_stuck: bool,
    measures: Sequence[Measure],
    symmetries: Sequence[Permutation],
    bytes: int,
    without: Sequence[str],
) -> Engine: ...
def network(
    facts: int,
    owners: Sequence[int],
    gates: Sequence[Sequence[int]],
    settled: int,
    legal: Sequence[int],
    next: Sequence[int],
    won: Sequence[int],
    relevant: Mask,
    bytes: int,
    without: Sequence[str],
) -> Engine: ...
