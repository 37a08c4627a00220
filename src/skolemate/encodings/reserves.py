"""RESERVES: a one-sided encoding for games in which moves only fill open cells.

The board is that of GROUND. But Black follows a plan: each of his moves makes another of his moves
safe, until he shows that he has enough safe moves (parts/reserves.py). Only the first half of the
plies is stated; what comes after it is a count. So the formula is far smaller and easier than that
of GROUND. If it is true, Black wins in time: whatever he plays, the claim at the end is right. If
it is false, he may still win by other moves.
"""

from skolemate.encodings.encoding import Encoded, Encoding, Meaning, encoding
from skolemate.encodings.ground import Statement, encoded, too_large
from skolemate.encodings.parts.boards import decided
from skolemate.encodings.parts.plies import Ply, last_ply, plies
from skolemate.encodings.parts.reserves import MOST_COUNTED, moves_only_fill
from skolemate.games import Player, Question


def _refuses(question: Question) -> str | None:
    if not moves_only_fill(question.game):
        return "it is for games in which moves only fill open cells, and who has none loses"
    if last_ply(question) > 2 * MOST_COUNTED + 2:
        return f"White could have more than {MOST_COUNTED} moves left to be counted"
    return too_large(question)


class Planned(Statement):
    """The first plies, at each of which Black makes a move safe; then he has won."""

    def _state(self) -> None:
        half = self.stated[: len(self.stated) // 2 + 1]
        last = max((ply.number for ply in half if ply.player is Player.BLACK), default=0)
        for ply in half[:last]:
            if ply.player is Player.BLACK:
                self._black(ply)
            else:
                self._white(ply, *self._codes([ply]))
        self.builder.clause(self.won)

    def _black(self, ply: Ply) -> None:
        white = self._options(self.stated[ply.number])
        self._threatening = [
            self.builder.all_of("threatening", ply.label, option.legal) for option in white
        ]
        super()._black(ply)

    def _reserves(self, ply: Ply) -> None:
        """Black has enough, or some move of his is safe that White could spoil before."""
        reserves = self._claim(ply)
        if reserves is None:
            self.builder.clause(self.won)
            return
        white, black = self.stated[ply.number : ply.number + 2]
        made_safe = []
        for safe, option in zip(reserves.safe, self._options(black), strict=True):
            spoiled = [
                literal
                for literal, other in zip(self._threatening, self._options(white), strict=True)
                if other.spoils(option.rule)
            ]
            threatened = self.builder.any_of("threatened", ply.label, spoiled)
            made_safe.append(self.builder.all_of("new", ply.label, [safe, threatened]))
        self.builder.clause(self.won, *made_safe)


@encoding(
    "reserves",
    paper="ours; safe moves: Bullock: Domineering: Solving Large Combinatorial Search Spaces, 2002",
    views=("grounded",),
    refuses=_refuses,
    meaning=Meaning.WIN_IF_TRUE,
)
def reserves(self: Encoding, question: Question, symmetry: bool) -> Encoded:
    """GROUND, but Black makes a move safe at each ply until he has enough. True: a win."""
    game = question.game
    stated = list(plies(question, symmetry)) if game.start.winner is None else []
    if stated and stated[-1].player is Player.BLACK:
        stated.pop()  # this move comes too late: that White has none is seen a ply after it
    if not stated:
        return decided(self, question, game.start.winner is Player.BLACK)
    restricted = symmetry and len(stated[0].rules) < len(next(plies(question, False)).rules)
    return encoded(self, question, Planned(question, stated, None), restricted)
