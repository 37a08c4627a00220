"""Problems of winning sets: stones folded in, useless sets and cells dropped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skolemate.ask.question import Question
from skolemate.encodings.parts.connection_problem import connection_problem
from skolemate.encodings.parts.problem import (
    Problem,
    first_codes,
    trimmed_turns,
)
from skolemate.errors import MissingView
from skolemate.formula import Literals
from skolemate.games.bits import cells_of
from skolemate.games.game import Player, Position
from skolemate.games.goals import TooManyPaths

__all__ = ["SetProblem", "coded_sets", "left_of", "minimal", "open_sets", "set_problem"]

Table = npt.NDArray[np.int64]


@dataclass(frozen=True)
class SetProblem(Problem):
    """Winning sets as tuples of codes; White's are empty in a Maker-Breaker game."""

    black_sets: tuple[tuple[int, ...], ...]
    white_sets: tuple[tuple[int, ...], ...]

    @staticmethod
    def members(sets: tuple[tuple[int, ...], ...]) -> tuple[Table, Table]:
        """All pairs (number of a set, code of a member), as two columns."""
        owners = np.repeat(np.arange(len(sets)), [len(s) for s in sets])
        return owners, np.array([code for s in sets for code in s], np.int64)

    @staticmethod
    def table(sets: tuple[tuple[int, ...], ...], cells: int) -> Table:
        """One row a set; shorter rows are filled up with `cells`, the code of no cell."""
        width = max((len(s) for s in sets), default=0)
        return np.array([[*s, *[cells] * (width - len(s))] for s in sets], np.int64).reshape(
            len(sets), width
        )

    @staticmethod
    def rows(board: Literals, sets: tuple[tuple[int, ...], ...], filling: np.int32) -> Literals:
        """The literals of each set, one row a set; shorter rows are filled up with a constant."""
        return np.append(board, filling)[SetProblem.table(sets, len(board))]


def set_problem(question: Question, symmetry: bool, keep_cells: bool = False) -> SetProblem | bool:
    """What is left of a question about winning sets, or its answer if nothing is.

    With `keep_cells` open cells outside all sets stay, for encodings that count moves.
    """
    game = question.game
    start = game.start
    if start.winner is not None:
        return start.winner is Player.BLACK
    view_schedule = game.grounded().schedule or ()
    schedule = trimmed_turns(question, view_schedule)
    limits = {player: schedule.count(player) for player in Player}
    black_sets = open_sets(question, Player.BLACK, limits[Player.BLACK])
    if not black_sets:
        return False
    white_sets: list[int] = []
    if not game.is_maker_breaker:
        white_sets = open_sets(question, Player.WHITE, limits[Player.WHITE])
    used = 0
    for winning in (*black_sets, *white_sets):
        used |= winning
    if keep_cells:
        used = ~start.occupied & ((1 << game.board.size) - 1)
    cells = tuple(cells_of(used))
    return SetProblem(
        question,
        cells,
        schedule,
        first_codes(game, cells, game.grounded().first_moves, symmetry),
        coded_sets(black_sets, cells),
        coded_sets(white_sets, cells),
    )


def coded_sets(sets: Iterable[int], cells: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Sets of cells as tuples of codes."""
    code = {cell: number for number, cell in enumerate(cells)}
    return tuple(tuple(code[cell] for cell in cells_of(winning)) for winning in sets)


def open_sets(question: Question, player: Player, limit: int) -> list[int]:
    """What a player still has to claim, for each goal that can be reached in time; minimal."""
    game = question.game
    if player is Player.BLACK and game.offers("connection"):
        problem = connection_problem(question, symmetry=False)
        if isinstance(problem, bool):
            return []
        try:
            return problem.goal.paths(limit)  # minimal by themselves
        except TooManyPaths as error:
            raise MissingView(game, "hypergraph", f"it has {error}") from None
    view = game.hypergraph()
    sets = view.black_sets if player is Player.BLACK else view.white_sets
    return left_of(sets or (), game.start, player, limit)


def left_of(sets: Iterable[int], start: Position, player: Player, limit: int) -> list[int]:
    """What a player still has to claim of the sets that he can own in time; minimal."""
    own, enemy = start.stones(player), start.stones(player.opponent)
    rest = (winning & ~own for winning in sets if not winning & enemy)
    return minimal(winning for winning in rest if winning.bit_count() <= limit)


def minimal(sets: Iterable[int]) -> list[int]:
    """The sets that contain no other, in order.

    >>> minimal([0b111, 0b011, 0b100])
    [3, 4]
    """
    kept: list[int] = []
    by_lowest: dict[int, list[int]] = defaultdict(list)
    for candidate in sorted(set(sets), key=lambda s: (s.bit_count(), s)):
        # A subset's lowest cell is a cell of the candidate.
        smaller = (s for cell in cells_of(candidate) for s in by_lowest[cell])
        if not any(s & candidate == s for s in smaller):
            kept.append(candidate)
            by_lowest[(candidate & -candidate).bit_length() - 1].append(candidate)
    return sorted(kept)
