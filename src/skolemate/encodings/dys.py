"""DYS: explicit boards and flags for cheating (Diptarama, Yoshinaka and Shinohara 2016).

For GTTT(p,q). A time point is a whole turn; a move has one variable for each cell, so that a player
could place any stones. A player who breaks a rule loses: too many stones, too few, a taken cell, or
a first stone outside the part of the board that symmetry leaves. Nearly all clauses are
equivalences that do not apply after the end of the game. Comments name the parts of the paper's
§2.3; its misprints are corrected (p and q in C1 and C2, the category of item 4, ⋀ over z in item 6
and up to Z in "Others", singular cheat variables in "Winning condition" 2 and 3).

Sizes are those of the published files. They quantify the cheats of both players at every turn;
those of the player who does not move occur in no clause. And they list each orientation of the
polyomino at each cell, though on a torus some of these are the same cells.

Beyond the paper: stones on the board are folded into the sets as in all encodings, and a turn that
the depth cuts off has fewer stones, so that every depth can be asked.
"""

from dataclasses import replace
from functools import lru_cache, partial
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts.boards import about
from skolemate.encodings.parts.cheating import CheatingGame, Sets, TurnState
from skolemate.encodings.parts.problems import SetProblem, Turn, set_problem
from skolemate.formula import Literals
from skolemate.games.game import Player, Question

LARGEST = 10_000_000  # clauses about too many stones; they grow like a power of the board


def _refuses_too_many_ways_to_cheat(question: Question) -> str | None:
    game = question.game
    cells = game.board.size - game.start.occupied.bit_count()
    schedule = (game.turns_ahead or ())[: question.depth]
    stones = [len(turn.plies) for turn in Turn.of(schedule)]
    if sum(comb(cells, number + 1) * (number + 2) for number in stones) > LARGEST:
        return "it lists all ways to place a stone too many, and there are too many of them here"
    return None


@encoding(
    "dys",
    paper="Diptarama, Yoshinaka, Shinohara: QBF Encoding of Generalized Tic-Tac-Toe, 2016",
    views=("shape", "hypergraph"),
    refuses=_refuses_too_many_ways_to_cheat,
)
@about(partial(set_problem, keep_cells=True))
def dys(self: Encoding, problem: SetProblem) -> Encoded:
    """Explicit board after every turn, whoever breaks a rule loses; GTTT(p,q)."""
    question = problem.question
    schedule = (question.game.turns_ahead or ())[: question.depth]
    return _PlacedStones(replace(problem, schedule=schedule)).encoded(self)


class _PlacedStones(CheatingGame):
    def __init__(self, problem: SetProblem) -> None:
        black, white = (_placements(problem, player) for player in Player)
        super().__init__(problem, black, white)

    def places(self) -> list[str]:
        return self.problem.names

    def ways_to_cheat(self, turn: Turn) -> list[int]:
        """Too many stones, too few, one on a taken cell, the first outside the part allowed."""
        stones = len(turn.plies)
        return [
            len(_subsets(self.cells, stones + 1)),
            len(_subsets(self.cells, self.cells - stones + 1)),
            self.cells,
            int(self.is_bound(turn)),
        ]

    def stones_appear(self, turn: Turn, move: Literals, state: TurnState) -> None:
        add, over, occupied = self.builder.add, self.over, self.occupied
        own, other = state.stones[turn.player], state.stones[turn.player.opponent]
        add(over, occupied, -move, own)  # Move rule 1
        add(over, occupied, move, -own)
        add(over, occupied, -other)  # 2

    def cheats_are_flagged(self, turn: Turn, move: Literals, flags: list[Literals]) -> None:
        add, over, stones = self.builder.add, self.over, len(turn.plies)
        many, few, taken, out_of_bounds = flags
        self.flag_all(move[_subsets(self.cells, stones + 1)], many)  # 3
        self.flag_all(-move[_subsets(self.cells, self.cells - stones + 1)], few)  # 4
        add(over, -self.occupied, -move, taken)  # 5
        add(over, self.occupied, -taken)
        add(over, move, -taken)
        if len(out_of_bounds):  # Symmetry breaking: no stone in the part that is left
            self.flag_all(-move[None, self.problem.allowed(1)], out_of_bounds)


def _placements(problem: SetProblem, player: Player) -> Sets:
    """What a player still has to claim, for each orientation of the shape at each cell."""
    game = problem.question.game
    if game.goal(player) is None:
        return ()
    goal, own = game.shape(), game.start.stones(player)
    code = {cell: number for number, cell in enumerate(problem.cells)}
    listed = []
    for orientation in goal.shape.orientations:
        for x, y in goal.board.places:
            cells = {goal.board.at(x + dx, y + dy) for dx, dy in orientation}
            left = [cell for cell in cells if cell is None or not own >> cell & 1]
            if len(cells) == len(orientation) and all(cell in code for cell in left):
                listed.append(tuple(sorted(code[cell] for cell in left if cell is not None)))
    return tuple(listed)


@lru_cache(maxsize=4)  # they are large
def _subsets(cells: int, size: int) -> npt.NDArray[np.int64]:
    """All sets of so many cells, one a row."""
    listed = combinations(range(cells), size) if size <= cells else ()
    return np.array(list(listed), np.int64).reshape(-1, size)
