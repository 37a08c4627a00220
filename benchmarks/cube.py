"""Can White block every line of the cube N x N x N? A proof that counts most stones of Black.

White answers every move of Black on a *watched* cell, one on at least seven lines. Stones of Black
on other cells are only counted: it does not matter where they are. So one position stands for very
many. White stops when pairs of cells block all lines that are left, wherever the counted stones
are. The result is a proof that Black never wins, weak or strong. There is no strategy file, because
a file would have to list all places of the counted stones.

usage: cube.py [N [PLAYS]]    (7 and 100)
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product

from skolemate.games import Player, Sets
from skolemate.games.symmetry import Permutation, cells_of, mask_of, move_mask
from skolemate.loading import load

LINES = 7  # a cell on so many lines is watched
REPLIES = 3  # of White, tried for each move of Black
MOST = 12  # stones of White

# Why a safe position is a draw. A line is *live* if it has no white stone. White needs two cells of
# its own for each live line: then White answers in the pair in which Black has moved, and gets a
# cell of every line. For a set X of live lines let N(X) be their cells without the known black
# stones. By Hall's theorem there are such pairs exactly if every X has 2|X| cells that are open.
# The k counted stones take at most k cells of N(X). So |N(X)| >= 2|X| + k for every X that is not
# empty suffices, wherever they are. By the duality of flows and cuts this holds exactly if there
# are pairs, and for every live line a flow that gives this line k cells more. It also shows that
# Black has no line until then: a line of Black would be live, and would have no open cell.


class Pairing:
    """Two cells for each live line, by augmenting paths."""

    def __init__(self, live: Sequence[int], closed: int) -> None:
        self._cells = [tuple(cells_of(line & ~closed)) for line in live]
        self._line = dict[int, int]()  # that a cell is given to
        self.complete = all(self._give(line, set()) for line in range(len(live)) for _ in range(2))

    def _give(self, line: int, seen: set[int]) -> bool:
        """Give a line one cell more; no other line loses any."""
        for cell in self._cells[line]:
            if cell not in self._line:
                self._line[cell] = line
                return True
        for cell in self._cells[line]:
            if cell not in seen and self._line[cell] != line:
                seen.add(cell)
                if self._give(self._line[cell], seen):
                    self._line[cell] = line
                    return True
        return False

    def spares(self, cells: int) -> bool:
        """Whether every line could have so many cells more, each line for itself."""
        pairs = dict(self._line)
        for line in range(len(self._cells)):
            spared = all(self._give(line, set()) for _ in range(cells))
            self._line = dict(pairs)
            if not spared:
                return False
        return True

    def partner(self, cell: int) -> int | None:
        """The other cell of a pair."""
        line = self._line.get(cell)
        return next((c for c, other in self._line.items() if other == line and c != cell), None)


class Block:
    """The search for White's replies on the watched cells."""

    def __init__(
        self, lines: Iterable[int], watched: Iterable[int], symmetries: Iterable[Permutation]
    ) -> None:
        self.lines, self.watched = tuple(lines), tuple(watched)
        self._symmetries = tuple(symmetries)
        self._safe, self._known = dict[tuple[int, int], bool](), dict[tuple[int, int], bool]()
        self.replies = dict[tuple[int, int], int]()  # by the stones with Black's last one

    def __str__(self) -> str:
        proved = sum(self._known.values())
        tests = f"{len(self._safe)} tests, {sum(self._safe.values())} of them safe"
        return f"{len(self._known)} positions, {proved} of them proved; {tests}"

    def safe(self, white: int, black: int) -> bool:
        """Whether pairs block, after equally many moves of both, wherever the other stones are."""
        key = self._alike(white, black)
        if key not in self._safe:
            pairing = Pairing([line for line in self.lines if not line & white], black)
            counted = white.bit_count() - black.bit_count()
            self._safe[key] = pairing.complete and pairing.spares(counted)
        return self._safe[key]

    def holds(self, white: int = 0, black: int = 0) -> bool:
        """Whether White blocks: equally many moves were made, and Black moves next."""
        if self.safe(white, black):
            return True
        if white.bit_count() >= MOST:
            return False
        key = self._alike(white, black)
        if key not in self._known:
            taken = white | black
            moves = [0, *(1 << cell for cell in self.watched if not taken >> cell & 1)]
            different = {self._alike(white, black | move): black | move for move in moves}
            afters = different.values()
            self._known[key] = all(self.reply(white, after) is not None for after in afters)
        return self._known[key]

    def reply(self, white: int, black: int) -> int | None:
        """White's reply to a move of Black that is among the black stones, or was counted."""
        if (white, black) not in self.replies:
            free = [cell for cell in self.watched if not (white | black) >> cell & 1]
            free.sort(key=lambda cell: self._worth(cell, white, black), reverse=True)
            for cell in free[:REPLIES]:
                if self.holds(white | 1 << cell, black):
                    self.replies[white, black] = cell
                    break
        return self.replies.get((white, black))

    def _worth(self, cell: int, white: int, black: int) -> tuple[int, int]:
        """The live lines through a cell, and how many of them have a black stone."""
        live = [line for line in self.lines if line >> cell & 1 and not line & white]
        return len(live), sum(line & black != 0 for line in live)

    def _alike(self, white: int, black: int) -> tuple[int, int]:
        """The same for symmetric positions."""
        return min((move_mask(turn, white), move_mask(turn, black)) for turn in self._symmetries)


def play(block: Block, cells: int, rng: random.Random) -> None:
    """A game against a Black who prefers lines that White has not hit; an error if Black wins."""
    white = black = known = 0
    watched = mask_of(block.watched)
    pairing: Pairing | None = None
    while white | black != (1 << cells) - 1:
        live = [line for line in block.lines if not line & white]
        if pairing is None and block.safe(white, known):
            pairing = Pairing(live, black)
            assert pairing.complete, "pairs block wherever the counted stones are"
        free = [cell for cell in range(cells) if not (white | black) >> cell & 1]
        nearest = max(((line & black).bit_count(), rng.random(), line) for line in live or [0])
        near = nearest[2] if rng.random() < 0.7 else -1
        move = rng.choice([cell for cell in free if near >> cell & 1] or free)
        black |= 1 << move
        assert not any(line & ~black == 0 for line in block.lines), "Black has a line"
        if pairing is None:
            known = black & watched
            cell = block.reply(white, known)
            assert cell is not None, "White has a reply in every position that arises"
        else:
            cell = pairing.partner(move)
        if cell in free:
            white |= 1 << cell
        elif len(free) > 1:  # any other cell is as good
            white |= 1 << rng.choice([cell for cell in free if cell != move])


def symmetries(side: int, lines: Iterable[int]) -> Iterator[Permutation]:
    """The symmetries of the lines: those of the cube, and permutations of the numbers 0 to side - 1
    for all coordinates at once. These keep opposite numbers opposite, and so lines are lines.
    """
    last, known = side - 1, set(lines)
    inner = [p for p in permutations(range(side)) if all(p[last - i] == last - p[i] for i in p)]
    points = [(cell % side, cell // side % side, cell // side**2) for cell in range(side**3)]
    for axes, turned, p in product(permutations(range(3)), product((0, last), repeat=3), inner):
        if p[0] > last // 2:
            continue  # the same with all axes turned round
        turn = tuple(
            sum(abs(turned[axis] - p[at[axis]]) * side**i for i, axis in enumerate(axes))
            for at in points
        )
        assert all(move_mask(turn, line) in known for line in known), "lines go to lines"
        yield turn


def main() -> None:
    side, plays = (*map(int, sys.argv[1:]), *(7, 100)[len(sys.argv) - 1 :])
    goal = load(f"cube(n={side}, d=3, maker_breaker=true)").goal(Player.BLACK)
    assert isinstance(goal, Sets)
    through = [sum(line >> cell & 1 for line in goal.sets) for cell in range(side**3)]
    watched = [cell for cell, lines in enumerate(through) if lines >= LINES]
    since = time.process_time()
    block = Block(goal.sets, watched, symmetries(side, goal.sets))
    holds = block.holds()
    print(f"{len(goal.sets)} lines, {len(watched)} cells watched")
    print("White blocks every line" if holds else "not proved")
    print(f"{block}; {time.process_time() - since:.1f} s of CPU")
    rng = random.Random(side)
    for _ in range(plays if holds else 0):
        play(block, side**3, rng)
    if holds:
        print(f"{plays} plays against a player that attacks: Black has won none")


if __name__ == "__main__":
    main()
