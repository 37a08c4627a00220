"""COR+, the polished corrective encoding (Mayer-Eichberger and Saffidine 2021).

Both players' moves are binary codes; the board is explicit after every ply. White's code of a taken
cell, or of no cell, changes nothing; Black may place no stone. Numbers in parentheses are the
paper's. Clauses of the paper that are not needed are left out:

- Only the player who moves gets new board variables: the others would be copies (5).
- `time` means that the game is not over. It matters only if White can win (otherwise it is true,
  and (1) and (6) vanish), and only before White's turns: one variable for each.
- (3) after White's plies follows from (3) and (4) after Black's next, and Black moves last.
- (6) for White: nothing but (7) ever makes a white stone desirable, and (7) ends with the game.
"""

from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts import boards
from skolemate.encodings.parts.boards import Boards, about, encoded
from skolemate.encodings.parts.problems import SetProblem, Turn, set_problem
from skolemate.formula import FALSE, TRUE, Builder, Literals, constants
from skolemate.games.game import Player


class Corrective:
    """Unrolls the game turn by turn; holds the board and the time reached so far.

    COVER is a subclass: there White may have more codes than there are cells, and other clauses
    state what a code does, what follows from Black's first stone, and when White has won.
    """

    def __init__(self, problem: SetProblem) -> None:
        self.problem = problem
        self.cells = self.white_codes = len(problem.cells)
        self.builder = Builder()
        self.boards = Boards(problem)
        self.black = constants(FALSE, self.cells)  # (2)
        self.white = constants(FALSE, self.cells)
        self.time = TRUE

    def encoded(self, encoding: Encoding) -> Encoded:
        for turn in self.problem.turns:
            if turn.player is Player.WHITE:
                self._white_turn(turn)
            else:
                self._black_turn(turn)
        self._winning()
        return encoded(encoding, self.builder, self.boards)

    def _white_turn(self, turn: Turn) -> None:
        """All codes of a turn are in one ∀ block, the boards between them in the ∃ after it."""
        self._new_time(turn)
        labels = [f"t{ply}" for ply in turn.plies]
        codes = self.builder.forall("move", labels, boards.bit_labels(self.white_codes))
        for ply, bits in zip(turn.plies, codes, strict=True):
            before = self.white
            self.white = boards.new_board(self.builder, self.problem, ply, "board", ["white"])
            self._stones_stay(before, self.white)
            self._white_is_forced(bits, ply)

    def _white_is_forced(self, bits: Literals, ply: int) -> None:
        """(7) the coded cell becomes White's, unless the game is over or Black is there."""
        unless = -self.time, self.black
        boards.stone_is_forced(self.builder, self.problem, ply, bits, self.white, *unless)
        self.boards.note_code(bits, ply, running=self.time)

    def _black_turn(self, turn: Turn) -> None:
        for ply in turn.plies:
            bits = self.builder.exists("move", [f"t{ply}"], boards.bit_labels(self.cells))[0]
            before = self.black
            self.black = boards.new_board(self.builder, self.problem, ply, "board", ["black"])
            self._stones_stay(before, self.black)
            self.builder.add(self.time, before, -self.black)  # (6) no new stone after the end
            # (8), (9) a new black stone is where the bits say
            self.builder.add(
                before[:, None], -self.black[:, None], boards.matching(bits, self.cells)
            )
            self.builder.add(-self.black, -self.white)  # (3) one owner a cell
            self.boards.note_board(Player.BLACK, self.black, ply, bits)
            if ply == 1:
                self._black_has_begun()

    def _black_has_begun(self) -> None:
        """State what follows from Black's first stone: nothing in COR+."""

    def _new_time(self, turn: Turn) -> None:
        if not self.problem.white_sets or turn.plies[0] == 1:
            return  # White cannot win, or nobody can have won yet
        earlier = self.time
        self.time = self.builder.exists("time", [f"t{turn.plies[0]}"])[0]
        self.builder.add(-self.time, earlier)  # (1)

    def _stones_stay(self, before: Literals, after: Literals) -> None:
        self.builder.add(-before, after)  # (4)

    def _winning(self) -> None:
        sets = self.problem.black_sets
        win = boards.owns_a_set(self.builder, sets, self.black)  # (10), (11)
        self._white_has_not_won()
        self.builder.add(win, [-self.problem.rows(self.black, sets, TRUE)])  # (13)

    def _white_has_not_won(self) -> None:
        boards.white_owns_no_set(self.builder, self.problem, self.white)  # (12)


# --- COR+ -----------------------------------------------------------------------------------------


@encoding(
    "cor+",
    paper="Mayer-Eichberger, Saffidine: Positional Games and QBF: A Polished Encoding, 2021",
    views=("hypergraph",),
)
@about(set_problem)
def cor_plus(self: Encoding, problem: SetProblem) -> Encoded:
    """Explicit board after every ply, binary moves, listed winning sets; any schedule."""
    return Corrective(problem).encoded(self)
