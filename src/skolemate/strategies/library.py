"""The library of proofs: all proofs found so far, also moved to other places of the board.

For each cell there is an integer with a bit for every proof that needs the cell. So a few
operations on large integers compare a position with all proofs.
"""

from collections.abc import Sequence
from typing import NamedTuple

from skolemate.games.symmetry import CellMap, cells_of, composed, move_mask
from skolemate.strategies.nodes import Reply
from skolemate.strategies.races import Answer, Dangers, Races

MOST_COMPARED = 20  # proofs that fit a position and are compared with each other
MOST_PLACES = 100_000  # in the library; with more, further proofs are kept in their own place only


class Needs(NamedTuple):
    """What the proof of a node needs, whatever else is on the board.

    `stones` must be the owner's, and `cells` (these among them) free of the opponent's stones.
    `plies` is within how many plies the proof wins, or for how many it prevents a win. `against`
    are the stones that it gives to the opponent, and `dangers` how far the opponent's sets must be
    from complete: see `races`. Proofs without dangers give every other cell to the opponent.
    """

    stones: int
    cells: int
    plies: int
    against: int = 0
    dangers: Dangers = ()


class Entry(NamedTuple):
    """A proof at one place: the number of its node, where the node is moved to, and its needs.

    The needs are without dangers if it is moved.
    """

    node: int
    where: CellMap
    needs: Needs


class Library:
    """The needs of all proofs so far, by number of node.

    A proof also serves where one of the `motions` takes it, if that takes each of the owner's
    `sets` in its cells to another one.

    >>> library = Library(3, wins=True, motions=[(1, 2, None)], sets=[0b011, 0b110])
    >>> library.add(Needs(stones=0b001, cells=0b011, plies=2), [Reply(1, None)])
    0
    >>> library.find(own=0b000, enemy=0b100, left=4).where, library.find(0b010, 0b001, 4).where
    ((0, 1, 2), (1, 2, None))
    """

    def __init__(
        self,
        cells: int,
        wins: bool,
        races: Races | None = None,
        motions: Sequence[CellMap] = (),
        sets: Sequence[int] = (),
    ) -> None:
        self._races, self._motions, self._sets = races, motions, frozenset(sets)
        self._wins, self._board, self._identity = wins, (1 << cells) - 1, tuple(range(cells))
        self._proofs: list[tuple[Needs, Sequence[Reply]]] = []  # by number of node
        self._entries: list[Entry] = []
        self._free = [0] * cells  # by cell: the entries that need it free of the opponent
        self._owned = [0] * cells  # by cell: the entries that need the owner's stone there
        self._by_plies: dict[int, int] = {}
        self._vias: dict[CellMap, int] = {}
        self._dangers: dict[tuple[int, CellMap], Dangers] = {}  # by node, and where its cells go

    def __getitem__(self, number: int) -> Needs:
        return self._proofs[number][0]

    @property
    def maps(self) -> Sequence[CellMap]:
        """The symmetries and maps that replies name, by number."""
        return tuple(self._vias)

    def via(self, where: CellMap) -> int | None:
        """The number of a symmetry or map; None for the identity."""
        return None if where == self._identity else self._vias.setdefault(where, len(self._vias))

    # --- adding ----------------------------------------------------------------------------------

    def add(self, proof: Needs, replies: Sequence[Reply] = ()) -> int:
        """Add the proof of the next node; with replies, at all places where it serves."""
        number = len(self._proofs)
        self._proofs.append((proof, replies))
        if self._motions and replies and len(self._entries) < MOST_PLACES:
            self._add_images(number, proof)
        self._enter(Entry(number, self._identity, proof))
        return number

    def _add_images(self, number: int, proof: Needs) -> None:
        sets = [one for one in self._sets if not one & ~proof.cells]
        met = {(proof.stones, proof.cells)}
        for where in self._motions:
            cells = move_mask(where, proof.cells)
            stones = move_mask(where, proof.stones)
            if cells.bit_count() < proof.cells.bit_count() or (stones, cells) in met:
                continue
            met.add((stones, cells))
            if all(move_mask(where, one) in self._sets for one in sets):
                self._enter(Entry(number, where, Needs(stones, cells, proof.plies)))

    def _enter(self, entry: Entry) -> None:
        bit, proof = 1 << len(self._entries), entry.needs
        self._entries.append(entry)
        for needed, by_cell in ((proof.cells, self._free), (proof.stones, self._owned)):
            for cell in cells_of(needed):
                by_cell[cell] |= bit
        self._by_plies[proof.plies] = self._by_plies.get(proof.plies, 0) | bit

    # --- finding ---------------------------------------------------------------------------------

    def find(self, own: int, enemy: int, left: int, waiting: int = 0) -> Entry | None:
        """A proof that applies after at most one more stone of the owner, who is to move.

        `left` are the plies left after that stone. Of the latest proofs that fit, it is the one
        that needs the fewest cells of `waiting`.
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
        latest: list[Entry] = []
        while fits and len(latest) < MOST_COMPARED:
            number = fits.bit_length() - 1
            fits ^= 1 << number
            entry = self._entries[number]
            if self._races is None or self._safe(self._races, entry, own, enemy):
                latest.append(entry)
        return min(
            latest, key=lambda entry: (entry.needs.cells & waiting).bit_count(), default=None
        )

    def _safe(self, races: Races, entry: Entry, own: int, enemy: int) -> bool:
        """Whether the opponent is slower than this proof."""
        needs = self.image(entry.node, entry.where)
        return races.safe(needs.dangers, own | needs.stones, enemy | needs.against)

    # --- images ----------------------------------------------------------------------------------

    def image(self, number: int, where: CellMap) -> Needs:
        """The needs of a proof that is moved by a symmetry, or by a map that has all its cells."""
        proof = self[number]
        if where == self._identity:
            return proof
        stones, cells = move_mask(where, proof.stones), move_mask(where, proof.cells)
        needs = Needs(stones, cells, proof.plies)
        if self._races is None:
            return needs
        turn = tuple(cell for cell in where if cell is not None)
        if len(turn) < len(where):
            return needs._replace(dangers=self._moved_dangers(self._races, number, where))
        dangers = self._races.turned(proof.dangers, turn)
        return needs._replace(against=move_mask(turn, proof.against), dangers=dangers)

    def _moved_dangers(self, races: Races, number: int, where: CellMap) -> Dangers:
        """The dangers of a proof's image under a map, as the checker finds them.

        Nothing outside the image is given to the opponent, and nothing there is omitted.
        """
        proof, replies = self._proofs[number]
        key = number, tuple(where[cell] for cell in cells_of(proof.cells))
        if key not in self._dangers:
            stones, cells = move_mask(where, proof.stones), move_mask(where, proof.cells)
            unanswered, answers = self._board & ~stones, list[Answer]()
            for reply, then, via, omits in replies:
                move = where[reply]
                assert move is not None, "replies are on cells of the proof"
                moves = unanswered & ~(1 << move | move_mask(where, omits & proof.cells))
                if then is not None:
                    further = where if via is None else composed(where, self.maps[via])
                    moves &= ~move_mask(further, self[then].cells)
                    dangers = self._moved_dangers(races, then, further)
                    answers.append(Answer(move, moves, 0, dangers))
                unanswered &= ~moves
            self._dangers[key] = races.dangers(stones, cells & ~stones, 0, answers)
        return self._dangers[key]
