"""GR: Connect-c by columns, with flags for cheating (Gent and Rowley 2003).

The paper was not available; this is a reconstruction from Diptarama, Yoshinaka and Shinohara
(2016), who say that DYS is this encoding with other moves, goals and an empty start. A move has one
variable for each column; to choose two columns, none or a full one is to cheat; the stone falls to
the lowest open cell.
"""

from itertools import combinations

import numpy as np

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts import problems
from skolemate.encodings.parts.boards import about
from skolemate.encodings.parts.cheating import CheatingGame, TurnState
from skolemate.formula import TRUE, Literals
from skolemate.games import column_letters

# --- GR -------------------------------------------------------------------------------------------


@encoding(
    "gr",
    paper="Gent, Rowley: Encoding Connect-4 Using Quantified Boolean Formulae, 2003",
    views=("columns",),
)
@about(problems.column_problem)
def gr(self: Encoding, problem: problems.ColumnProblem) -> Encoded:
    """Explicit board after every turn, moves by columns, whoever breaks a rule loses; Connect-c."""
    return _FallingStones(problem).encoded(self)


class _FallingStones(CheatingGame):
    def __init__(self, problem: problems.ColumnProblem) -> None:
        super().__init__(problem, problem.black_sets, problem.white_sets)
        self.columns = problem.columns

    def places(self) -> list[str]:
        return column_letters(len(self.columns))

    def onto_cells(self, move: Literals) -> Literals:
        column = {code: x for x, codes in enumerate(self.columns) for code in codes}
        return move[[column[code] for code in range(self.cells)]]

    def ways_to_cheat(self, turn: problems.Turn) -> list[int]:
        """Two columns, none, a full one; at the first ply one outside those allowed."""
        count = len(self.columns)
        return [count * (count - 1) // 2, 1, count, int(self.is_bound(turn))]

    def stones_appear(self, turn: problems.Turn, move: Literals, state: TurnState) -> None:
        add, over = self.builder.add, self.over
        own, other = state.stones[turn.player], state.stones[turn.player.opponent]
        for column, codes in zip(move, self.columns, strict=True):
            support = TRUE
            for code in codes:
                occupied = self.occupied[code]
                add(over, occupied, -column, -support, own[code])
                add(over, occupied, column, -own[code])
                add(over, occupied, support, -own[code])
                support = occupied
        add(over, self.occupied, -other)

    def cheats_are_flagged(
        self, turn: problems.Turn, move: Literals, flags: list[Literals]
    ) -> None:
        two, none, full, out_of_bounds = flags
        add, over = self.builder.add, self.over
        pairs = np.array(list(combinations(range(len(move)), 2)), np.int64).reshape(-1, 2)
        self.flag_all(move[pairs], two)
        self.flag_all(-move[None, :], none)
        for column, codes, flag in zip(move, self.columns, full, strict=True):
            top = self.occupied[codes[-1]] if codes else TRUE
            add(over, -top, -column, flag)
            add(over, top, -flag)
            add(over, column, -flag)
        if len(out_of_bounds):
            allowed = set(self.problem.allowed(1))
            within = [bool(codes) and codes[0] in allowed for codes in self.columns]
            self.flag_all(-move[None, np.array(within)], out_of_bounds)
