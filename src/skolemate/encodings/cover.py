"""COVER: COR+ around Black's first stone (Boucher and Villemaire 2025).

The cover is the union of the sets that contain Black's first stone. Black plays inside it. White
may play there, or outside without saying where: such stones are only counted, and a set of White's
counts as his as soon as they could fill what lies outside. So a true formula is a win within the
depth; false proves nothing, since Black may have to leave the cover.

Numbers in parentheses are the paper's. Besides what COR+ leaves out, these are left out:

- incoverS (3.34): a cell is in the cover iff Black's first stone shares a set with it, which (3.35)
  can say at once.
- the count of zero (3.43), which is true, and all counts if White cannot win.

The paper speaks of polyominoes on an empty board. Winning sets are all that is used, so any
positional game will do in which the players alternate, beginning with Black's first stone or just
after it, when the cover is known.
"""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np

from skolemate.ask.question import Question
from skolemate.encodings.cor_plus import Corrective
from skolemate.encodings.encoding import Encoded, Encoding, Meaning, encoding
from skolemate.encodings.parts.boards import stone_is_forced, unlike
from skolemate.encodings.parts.decoding import about
from skolemate.encodings.parts.problem import SetProblem, set_problem
from skolemate.formula import FALSE, TRUE, Literals, constants
from skolemate.games.game import Player


def _refuses_later_positions(question: Question) -> str | None:
    start = question.game.start
    schedule = question.game.grounded().schedule or ()
    if any(first is second for first, second in pairwise(schedule)):
        return "it is for players who alternate stone by stone"
    begun = start.to_move is not Player.BLACK and start.black.bit_count() == 1
    if start.white or not (begun or (start.to_move is Player.BLACK and not start.black)):
        return "it begins with Black's first stone on an empty board, or just after it"
    return None


@encoding(
    "cover",
    paper="Boucher, Villemaire: The QBF Cover encoding for Harary's Tic-Tac-Toe, 2025",
    views=("hypergraph",),
    refuses=_refuses_later_positions,
    meaning=Meaning.WIN_IF_TRUE,
)
@about(set_problem)
def cover(self: Encoding, problem: SetProblem) -> Encoded:
    """COR+ with Black confined to the sets around his first stone. True: a win."""
    return _Cover(problem).encoded(self)


class _Cover(Corrective):
    """`outside[i]`: White has played outside the cover i + 1 times at least (3.6)."""

    def __init__(self, problem: SetProblem) -> None:
        super().__init__(problem)
        self.in_cover = self._known_cover()
        if problem.white_sets:
            self.white_codes = self.cells + 1  # the last one: out of cover
        largest = max(map(len, problem.white_sets), default=0)
        self.outside = constants(FALSE, largest)

    def _known_cover(self) -> Literals:
        """The cover of a first stone that lies on the board; if there is none, nothing."""
        game = self.problem.question.game
        stone, union = game.start.black, 0
        for winning in game.hypergraph().black_sets or () if stone else ():
            union |= winning if winning & stone else 0
        covered = [union >> cell & 1 for cell in self.problem.cells]
        return np.where(covered, TRUE, FALSE).astype(np.int32)

    def _black_has_begun(self) -> None:
        """(3.34), (3.35), (3.40): a cell is in the cover iff the first stone is near it."""
        near: list[set[int]] = [set() for _ in range(self.cells)]
        for winning in self.problem.black_sets:
            for cell in winning:
                near[cell] |= set(winning)
        first = set(self.problem.allowed(1))
        self.builder.add([self.black[sorted(first)]])
        reached = [cell for cell in range(self.cells) if near[cell] & first]
        names = [self.problem.names[cell] for cell in reached]
        self.in_cover[reached] = self.builder.exists("incover", names)
        for cell in reached:
            stones = self.black[sorted(near[cell] & first)]
            self.builder.add(-self.in_cover[cell], [stones])
            self.builder.add(self.in_cover[cell], -stones)

    def _white_is_forced(self, bits: Literals, ply: int) -> None:
        """(3.41) a coded cell of the cover becomes White's; (3.42), (3.44) the rest is counted."""
        unless = -self.time, self.black, -self.in_cover
        stone_is_forced(self.builder, self.problem, ply, bits, self.white, *unless)
        self.boards.note_code(bits, ply, where=self.in_cover)
        if self.problem.white_sets:
            before = self.outside
            numbers = [str(number + 1) for number in range(len(before))]
            self.outside = self.builder.exists("outside", numbers, [f"t{ply}"])[:, 0]
            fewer = np.concatenate([constants(TRUE, 1), before[:-1]])
            missed = np.tile(unlike(bits, self.white_codes)[-1], (len(before), 1))
            self.builder.add(-before, self.outside)
            self.builder.add([missed], -self.time, -fewer, self.outside)

    def _winning(self) -> None:
        super()._winning()
        self.builder.add(self.in_cover, -self.black)  # (3.36)

    def _white_has_not_won(self) -> None:
        """(3.47): in no set White owns all but i cells that lie outside, having played i there."""
        count = [TRUE, *self.outside]
        for winning in self.problem.white_sets:
            rows = [
                [-count[size], *(self.in_cover[c] if c in out else -self.white[c] for c in winning)]
                for size in range(len(winning) + 1)
                for out in map(set, combinations(winning, size))
            ]
            self.builder.add([np.array(rows, np.int32)])
