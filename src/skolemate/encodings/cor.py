"""COR, the corrective encoding (Mayer-Eichberger and Saffidine, SAT 2020).

A time point is a whole turn, of one stone or several. Moves have one variable for each cell, and
White's are forced by universal binary codes. If a code names no open cell, a counter makes the
existential player choose a legal move for White: this is the correction. All open cells are
kept, since the counter demands an exact number of new stones in every turn.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts.boards import Boards, about, bit_labels, encoded, stone_is_forced
from skolemate.encodings.parts.problems import SetProblem, Turn, set_problem
from skolemate.formula import FALSE, TRUE, Builder, Literals, constants
from skolemate.games.game import Player


@encoding(
    "cor",
    paper="Mayer-Eichberger, Saffidine: Positional Games and QBF: The Corrective Encoding, 2020",
    views=("hypergraph",),
)
@about(partial(set_problem, keep_cells=True))
def cor(self: Encoding, problem: SetProblem) -> Encoded:
    """Explicit board after every turn, moves counted and corrected, listed winning sets."""
    return _CorrectedGame(problem).encoded(self)


class _CorrectedGame:
    """Unrolls the game turn by turn; holds the board and the time reached so far."""

    def __init__(self, problem: SetProblem) -> None:
        self.problem = problem
        self.cells = len(problem.cells)
        self.names = problem.names
        self.builder = Builder()
        self.boards = Boards(problem)
        nothing = constants(FALSE, self.cells)
        self.board = dict.fromkeys(Player, nothing)
        self.occupied = nothing
        self.time = TRUE

    def encoded(self, encoding: Encoding) -> Encoded:
        for number, turn in enumerate(self.problem.turns, 1):
            self._turn(turn, [f"t{number}"])
        win = {player: self._owned_sets(player) for player in Player}
        self.builder.add(win[Player.BLACK])
        self.builder.add(-win[Player.WHITE])
        return encoded(encoding, self.builder, self.boards)

    def _turn(self, turn: Turn, label: Sequence[str]) -> None:
        add, player = self.builder.add, turn.player
        earlier, before, occupied = self.time, self.board, self.occupied
        self.time = self.builder.exists("time", label)[0]
        add(-self.time, earlier)  # a game that is over stays over
        codes = None
        if player is Player.WHITE:
            stones = [f"stone{i}" for i in range(1, len(turn.plies) + 1)]
            codes = self.builder.forall("choose", label, stones, bit_labels(self.cells))[0]
        move = self.builder.exists("move", [player.value], self.names, label)[0, :, 0]
        self.occupied = self.builder.exists("occupied", self.names, label)[:, 0]
        board = self.builder.exists("board", [p.value for p in Player], self.names, label)
        self.board = dict(zip(Player, board[:, :, 0], strict=True))
        for owner in Player:
            was, now = before[owner], self.board[owner]
            add(-was, now)  # stones stay
            add(self.time, was, -now)  # no new stone after the end
            if owner is player:
                add(was, -now, move)  # a new stone needs a move
            else:
                add(was, -now)  # none in the opponent's turn
            add(-now, self.occupied)
        add(-self.occupied, self.board[Player.BLACK], self.board[Player.WHITE])
        add(-self.board[Player.BLACK], -self.board[Player.WHITE])
        add(-move, self.board[player])
        add(-move, -occupied)
        add(-move, self.time)
        if codes is not None:
            self._white_is_forced(codes, move, occupied, turn)
        if turn.plies[0] == 1 and self.problem.first is not None:
            add(-self.time, [move[self.problem.allowed(1)]])  # one stone on an allowed cell
        self._count(player, move, len(turn.plies), label)
        self.boards.note_board(player, self.board[player], turn.plies[-1])
        self.boards.note_turn(turn, move, move[:0], codes, running=self.time)

    def _white_is_forced(
        self, codes: Literals, move: Literals, occupied: Literals, turn: Turn
    ) -> None:
        """Each code that names an open cell is a move."""
        for ply, bits in zip(turn.plies, codes, strict=True):
            stone_is_forced(self.builder, self.problem, ply, bits, move, -self.time, occupied)

    def _count(self, player: Player, move: Literals, stones: int, label: Sequence[str]) -> None:
        """A sequential counter: never more moves than stones, and exactly so many in time.

        count[v, n]: among the cells up to v there are at least n + 1 moves.
        """
        numbers = [str(n) for n in range(1, stones + 1)]
        count = self.builder.exists("count", [player.value], self.names, numbers, label)[0, ..., 0]
        add = self.builder.add
        before = np.vstack([constants(FALSE, 1, stones), count[:-1]])
        fewer = np.hstack([constants(TRUE, self.cells, 1), before[:, :-1]])
        moved = move[:, None]
        add(-before, count)
        add(-moved, -fewer, count)
        add(-count, before, moved)
        add(-count, before, fewer)
        add(-move, -before[:, -1])
        add(-self.time, count[-1, -1])

    def _owned_sets(self, player: Player) -> np.int32:
        """win(a) iff some win(a, e) iff all cells of e are a's in the end."""
        sets = self.problem.black_sets if player is Player.BLACK else self.problem.white_sets
        win: np.int32 = self.builder.exists("win", [player.value])[0]
        labels = [f"set{number}" for number in range(len(sets))]
        owned = self.builder.exists("win", [player.value], labels)[0]
        self.builder.add(-win, [owned])
        if sets:
            board = self.board[player]
            owners, codes = self.problem.members(sets)
            self.builder.add(-owned, win)
            self.builder.add(-owned[owners], board[codes])
            self.builder.add(owned, [-self.problem.rows(board, sets, TRUE)])
        return win
