"""Problems of connection: contracted to Generalized Hex, without listing any path.

After Shaik, Mayer-Eichberger, van de Pol, Saffidine 2023, §4.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from skolemate.ask.question import Question
from skolemate.encodings.parts.problem import Problem, first_codes, trimmed_turns
from skolemate.games.bits import cells_of, mask_of
from skolemate.games.game import Player
from skolemate.games.goals import Connection

__all__ = ["ConnectionProblem", "Graph", "connection_problem"]


@dataclass(frozen=True)
class Graph:
    """A goal of connection over codes: the borders, and every edge in both directions."""

    cells: int  # how many codes there are
    start: list[int]
    end: list[int]
    edges: npt.NDArray[np.int64]  # rows (from, to), sorted

    def neighbour_table(self) -> npt.NDArray[np.int64]:
        """One row of neighbours a cell, filled up with `cells`, the code of no cell."""
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

    def graph(self, goal: Connection) -> Graph:
        code = {cell: number for number, cell in enumerate(self.cells)}
        inside = mask_of(self.cells)
        edges = [
            (code[cell], code[near])
            for cell in self.cells
            for near in cells_of(goal.neighbours[cell] & inside)
        ]
        return Graph(
            len(self.cells),
            [code[cell] for cell in cells_of(goal.start & inside)],
            [code[cell] for cell in cells_of(goal.end & inside)],
            np.array(edges, np.int64).reshape(-1, 2),
        )

    @property
    def given_away(self) -> int:
        """Open cells that are of no use to Black: White may have them."""
        game = self.question.game
        return ~(game.start.occupied | mask_of(self.cells)) & ((1 << game.board.size) - 1)


def connection_problem(question: Question, symmetry: bool) -> ConnectionProblem | bool:
    """What is left of a question about a path of Black's, or its answer if nothing is."""
    game = question.game
    start = game.start
    if start.winner is not None:
        return start.winner is Player.BLACK
    schedule = trimmed_turns(question, game.grounded().schedule or ())
    goal = _on_short_paths(
        game.connection().contracted(start.black, start.white), schedule.count(Player.BLACK)
    )
    cells = mask_of(goal.distances(goal.start))
    if not goal.end & cells:
        return False
    listed = tuple(cells_of(cells))
    first = first_codes(game, listed, game.grounded().first_moves, symmetry)
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
