"""All proofs found so far, looked through at once for one that fits a position.

For each cell there is a number with a bit for every proof that needs it: so a few operations on
large numbers compare a position with all proofs.
"""

from __future__ import annotations

from typing import NamedTuple

from skolemate.games.bits import cells_of

__all__ = ["Library", "Proof"]


MOST_COMPARED = 20  # proofs that fit, to choose from


class Proof(NamedTuple):
    """What a proof needs: own stones, cells that are not the opponent's (these among them), and
    the plies within which it wins, or within which the opponent does not.
    """

    stones: int
    cells: int
    plies: int


class Library:
    """Proofs by their numbers.

    >>> library = Library(3, wins=True)
    >>> library.add(Proof(stones=0b001, cells=0b011, plies=2))
    0
    >>> library.find(own=0b000, enemy=0b100, left=4), library.find(own=0b001, enemy=0b010, left=4)
    (0, None)
    """

    def __init__(self, cells: int, wins: bool) -> None:
        self._proofs: list[Proof] = []
        self._wins, self._board = wins, (1 << cells) - 1
        self._free = [0] * cells  # by cell: the proofs that need it free of the opponent
        self._owned = [0] * cells  # by cell: the proofs that need the owner's stone there
        self._by_plies: dict[int, int] = {}

    def __getitem__(self, number: int) -> Proof:
        return self._proofs[number]

    def add(self, proof: Proof) -> int:
        number, bit = len(self._proofs), 1 << len(self._proofs)
        self._proofs.append(proof)
        for needed, by_cell in ((proof.cells, self._free), (proof.stones, self._owned)):
            for cell in cells_of(needed):
                by_cell[cell] |= bit
        self._by_plies[proof.plies] = self._by_plies.get(proof.plies, 0) | bit
        return number

    def find(self, own: int, enemy: int, left: int, waiting: int = 0) -> int | None:
        """A proof that holds after at most one more stone of the owner's, who is to move, with so
        many plies left then: of the latest ones that which needs least of the cells `waiting`.
        """
        fits = 0
        for plies, proofs in self._by_plies.items():
            if plies <= left if self._wins else plies >= left:
                fits |= proofs
        for cell in cells_of(enemy):
            fits &= ~self._free[cell]
        once = twice = 0
        for cell in cells_of(self._board & ~own & ~enemy):
            twice |= once & self._owned[cell]
            once |= self._owned[cell]
        fits &= ~twice
        latest: list[int] = []
        while fits and len(latest) < MOST_COMPARED:
            latest.append(fits.bit_length() - 1)
            fits ^= 1 << latest[-1]
        return min(
            latest,
            key=lambda number: (self._proofs[number].cells & waiting).bit_count(),
            default=None,
        )
