"""Problems: questions reduced to their turns, open cells, and minimal winning sets or a graph.

Stones are folded into the goals. Goals that cannot be completed in time are dropped, then cells
without use. If nothing is left, the question is decided and needs no formula.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from skolemate.errors import MissingView
from skolemate.formula import Literals
from skolemate.games.game import Game, Move, Player, Position, Question, Schedule, turns
from skolemate.games.goals import Connection, TooManyPaths, minimal
from skolemate.games.symmetry import Permutation, cells_of, mask_of, move_mask, orbits
from skolemate.games.views import Columns


@dataclass(frozen=True)
class Turn:
    """Plies in a row by one player, counted from 1."""

    player: Player
    plies: tuple[int, ...]

    @property
    def label(self) -> str:
        return f"t{self.plies[0]}"

    @classmethod
    def of(cls, schedule: Schedule) -> list[Turn]:
        """A schedule, consecutive plies of one player taken together."""
        plies = groupby(enumerate(schedule, 1), key=lambda item: item[1])
        return [cls(player, tuple(ply for ply, _ in run)) for player, run in plies]


@dataclass(frozen=True)
class Problem:
    """The cells that matter (in order: their codes), the turns up to Black's last, first moves.

    `first` are the codes allowed at the first ply, None if all are.
    """

    question: Question
    cells: tuple[int, ...]
    schedule: Schedule
    first: tuple[int, ...] | None

    @cached_property
    def names(self) -> list[str]:
        board = self.question.game.board
        return [board.names[cell] for cell in self.cells]

    @property
    def turns(self) -> list[Turn]:
        return Turn.of(self.schedule)

    def allowed(self, ply: int) -> list[int]:
        """The codes on which the restrictions allow a stone at a ply."""
        bound = ply == 1 and self.first is not None
        return list(self.first or ()) if bound else list(range(len(self.cells)))

    def first_move(self, codes: Iterable[int]) -> Move | None:
        """A legal move that one of the codes means; for a pass any legal move: it never hurts."""
        legal = self.question.game.start.moves()
        coded = [self.move_onto(self.cells[code]) for code in codes]
        return next(iter((*(move for move in coded if move in legal), *legal)), None)

    def move_onto(self, cell: int) -> Move:
        """The move that puts a stone onto a cell."""
        return cell

    def position(self, black: int, white: int, ply: int) -> Position:
        """The position after a ply, from masks over codes; there may have been passes."""
        game = self.question.game
        claimed = [mask_of(self.cells[code] for code in cells_of(m)) for m in (black, white)]
        black, white = game.start.black | claimed[0], game.start.white | claimed[1]
        return Position(game, black, white, self.mover(ply))

    def mover(self, ply: int) -> Player | None:
        """Who moves after a ply."""
        schedule = self.question.game.turns_ahead or ()
        return schedule[ply] if ply < len(schedule) else None

    @property
    def restricted(self) -> bool:
        """Whether symmetry restricts the first move."""
        bound_by_rules = self.question.game.first_cells is not None
        return self.first is not None and len(self.first) < len(self.cells) and not bound_by_rules


AnyProblem = TypeVar("AnyProblem", bound=Problem)

# The problem of a question, or its answer if it is decided. The flag: restrict the first move.
ProblemOf = Callable[[Question, bool], AnyProblem | bool]


def trimmed_turns(question: Question, schedule: Schedule) -> Schedule:
    """The plies within the depth, up to Black's last: later moves of White change nothing."""
    within = schedule[: question.depth]
    while within and within[-1] is Player.WHITE:
        within = within[:-1]
    return within


def first_codes(
    game: Game, cells: Iterable[int], restriction: int | None, symmetry: bool
) -> tuple[int, ...] | None:
    """The codes among cells that the rules, or else symmetry, allow at the first ply.

    None if all are allowed.
    """
    allowed = _first_of_orbits(game) if symmetry and restriction is None else restriction
    if allowed is None:
        return None
    return tuple(code for code, cell in enumerate(cells) if allowed >> cell & 1)


def _first_of_orbits(game: Game) -> int:
    """One cell of each orbit under the permutations that keep the stones and both goals.

    The first move can be restricted to these.
    """
    return mask_of(orbit[0] for orbit in orbits(game.board.size, _keeping(game)))


def _keeping(game: Game) -> list[Permutation]:
    """The symmetries that keep the stones; all keep both goals."""
    start = game.start
    return [
        permutation
        for permutation in game.symmetries
        if move_mask(permutation, start.black) == start.black
        and move_mask(permutation, start.white) == start.white
    ]


def symmetric_replies(problem: Problem) -> dict[int, list[int]]:
    """By code, the first moves after which White need not answer on it.

    These are the codes that another one stands for, under symmetries that keep the first move as
    well. None if symmetry is not used.
    """
    game = problem.question.game
    replies: dict[int, list[int]] = defaultdict(list)
    if problem.first is None or game.first_cells is not None:
        return replies
    keeping = _keeping(game)
    codes = {cell: code for code, cell in enumerate(problem.cells)}
    for first in problem.first:
        cell = problem.cells[first]
        fixing = [permutation for permutation in keeping if permutation[cell] == cell]
        for orbit in orbits(game.board.size, fixing):
            for other in [codes[cell] for cell in orbit if cell in codes][1:]:
                replies[other].append(first)
    return replies


# --- connection problems --------------------------------------------------------------------------
# Contracted to Generalized Hex without listing paths, as in Shaik, Mayer-Eichberger, van de Pol,
# Saffidine 2023, §4.1.


@dataclass(frozen=True)
class CodedGraph:
    """A goal of connection over codes: the borders, and every edge in both directions."""

    cells: int  # how many codes there are
    start: list[int]
    end: list[int]
    edges: npt.NDArray[np.int64]  # rows (from, to), sorted

    def neighbour_table(self) -> npt.NDArray[np.int64]:
        """One row of neighbours for each cell, filled up with `cells`, the code of no cell."""
        cells = self.cells
        degrees = np.bincount(self.edges[:, 0], minlength=cells)
        table = np.full((cells, int(degrees.max(initial=0))), cells, np.int64)
        rank = np.arange(len(self.edges)) - np.repeat(np.cumsum(degrees) - degrees, degrees)
        table[self.edges[:, 0], rank] = self.edges[:, 1]
        return table


@dataclass(frozen=True)
class ConnectionProblem(Problem):
    """The open cells that lie on some short enough path, and Black's goal on them.

    `goal` still numbers cells as the board does; `graph` restricts a goal to the codes.
    """

    goal: Connection

    def graph(self, goal: Connection) -> CodedGraph:
        code = {cell: number for number, cell in enumerate(self.cells)}
        inside = mask_of(self.cells)
        edges = [
            (code[cell], code[near])
            for cell in self.cells
            for near in cells_of(goal.neighbours[cell] & inside)
        ]
        return CodedGraph(
            len(self.cells),
            [code[cell] for cell in cells_of(goal.start & inside)],
            [code[cell] for cell in cells_of(goal.end & inside)],
            np.array(edges, np.int64).reshape(-1, 2),
        )

    @property
    def given_away(self) -> int:
        """Open cells that are of no use to Black: they count as White's."""
        game = self.question.game
        return ~(game.start.occupied | mask_of(self.cells)) & ((1 << game.board.size) - 1)


def connection_problem(question: Question, symmetry: bool) -> ConnectionProblem | bool:
    """The problem of a question about a path of Black's, or its answer if that is decided."""
    game = question.game
    start = game.start
    if start.winner is not None:
        return start.winner is Player.BLACK
    schedule = trimmed_turns(question, game.turns_ahead or ())
    goal = _on_short_paths(
        game.connection().contracted(start.black, start.white), schedule.count(Player.BLACK)
    )
    cells = mask_of(goal.distances(goal.start))
    if not goal.end & cells:
        return False
    listed = tuple(cells_of(cells))
    first = first_codes(game, listed, game.first_cells, symmetry)
    return ConnectionProblem(question, listed, schedule, first, goal)


def _on_short_paths(goal: Connection, longest: int) -> Connection:
    """The goal without cells through which every path is too long, to a fixpoint."""
    while True:
        near_start, near_end = goal.distances(goal.start), goal.distances(goal.end)
        useful = mask_of(
            cell
            for cell, length in near_start.items()
            if cell in near_end and length + near_end[cell] - 1 <= longest
        )
        useless = mask_of(near_start) & ~useful
        if not useless:
            return goal
        goal = goal.contracted(0, useless)


# --- set problems ---------------------------------------------------------------------------------


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
        """One row for each set; shorter rows are filled up with `cells`, the code of no cell."""
        width = max((len(s) for s in sets), default=0)
        return np.array([[*s, *[cells] * (width - len(s))] for s in sets], np.int64).reshape(
            len(sets), width
        )

    @staticmethod
    def rows(board: Literals, sets: tuple[tuple[int, ...], ...], filling: np.int32) -> Literals:
        """One row of literals for each set; shorter rows are filled up with a constant."""
        return np.append(board, filling)[SetProblem.table(sets, len(board))]


def set_problem(question: Question, symmetry: bool, keep_cells: bool = False) -> SetProblem | bool:
    """The problem of a question about winning sets, or its answer if that is decided.

    With `keep_cells` open cells outside all sets stay, for encodings that count moves.
    """
    game = question.game
    start = game.start
    if start.winner is not None:
        return start.winner is Player.BLACK
    schedule = trimmed_turns(question, game.turns_ahead or ())
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
        first_codes(game, cells, game.first_cells, symmetry),
        coded_sets(black_sets, cells),
        coded_sets(white_sets, cells),
    )


def coded_sets(sets: Iterable[int], cells: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Sets of cells as tuples of codes."""
    code = {cell: number for number, cell in enumerate(cells)}
    return tuple(tuple(code[cell] for cell in cells_of(winning)) for winning in sets)


def open_sets(question: Question, player: Player, limit: int) -> list[int]:
    """The minimal sets of cells that a player still has to claim to reach the goal in time."""
    game = question.game
    if player is Player.BLACK and game.offers("connection"):
        problem = connection_problem(question, symmetry=False)
        if isinstance(problem, bool):
            return []
        try:
            return problem.goal.paths(limit)  # minimal by themselves
        except TooManyPaths as error:
            raise MissingView(game, "hypergraph", str(error)) from None
    view = game.hypergraph()
    sets = view.black_sets if player is Player.BLACK else view.white_sets
    return left_of(sets or (), game.start, player, limit)


def left_of(sets: Iterable[int], start: Position, player: Player, limit: int) -> list[int]:
    """The open cells of the winning sets that a player can complete in time; minimal ones only."""
    own, enemy = start.stones(player), start.stones(player.opponent)
    rest = (winning & ~own for winning in sets if not winning & enemy)
    return minimal(winning for winning in rest if winning.bit_count() <= limit)


# --- falling stones -------------------------------------------------------------------------------


@dataclass(frozen=True)
class ColumnProblem(SetProblem):
    """Winning sets over the open cells, which are claimed column by column, from below."""

    view: Columns

    @cached_property
    def columns(self) -> list[list[int]]:
        """The codes of the open cells of each column, the lowest first."""
        height = self.view.board.height
        columns: list[list[int]] = [[] for _ in range(self.view.board.width)]
        for code in reversed(range(len(self.cells))):
            columns[self.cells[code] // height].append(code)
        return columns

    def move_onto(self, cell: int) -> Move:
        return self.view.moves[cell]

    def mover(self, ply: int) -> Player | None:
        start = self.question.game.start.to_move
        assert start is not None
        return start if ply % 2 == 0 else start.opponent


def column_problem(question: Question, symmetry: bool) -> ColumnProblem | bool:
    """The problem of a question about falling stones, or its answer if that is decided."""
    game, start = question.game, question.game.start
    if start.winner is not None:
        return start.winner is Player.BLACK
    view = game.columns()
    cells = tuple(cells_of(~start.occupied & ((1 << game.board.size) - 1)))
    schedule = trimmed_turns(question, turns(len(cells), first=start.to_move or Player.BLACK))

    black_sets, white_sets = (
        coded_sets(left_of(sets, start, player, schedule.count(player)), cells)
        for player, sets in ((Player.BLACK, view.black_sets), (Player.WHITE, view.white_sets))
    )
    if not black_sets:
        return False
    first = first_codes(game, cells, None, symmetry)
    return ColumnProblem(question, cells, schedule, first, black_sets, white_sets, view)


# --- games of Shaik et al. (2023) -----------------------------------------------------------------


PAPER = (
    "Shaik, Mayer-Eichberger, van de Pol, Saffidine: "
    "Implicit State and Goals in QBF Encodings for Positional Games, 2023"
)


def refuses_other_games(question: Question) -> str | None:
    """These encodings are for Maker-Breaker games in which the players alternate."""
    game = question.game
    if not game.is_maker_breaker:
        return "it is for Maker-Breaker games, and White has a goal of his own"
    schedule = trimmed_turns(question, game.turns_ahead or ())
    if any(first is second for first, second in pairwise(schedule)):
        return "it is for players who alternate stone by stone"
    return None
