"""COVER and PAIRING (Boucher and Villemaire): one-sided encodings for wins and for blocks."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np

from skolemate.encodings.cor_plus import Corrective
from skolemate.encodings.encoding import Encoded, Encoding, Meaning, encoding
from skolemate.encodings.parts import boards
from skolemate.encodings.parts.boards import Boards, about, encoded
from skolemate.encodings.parts.problems import SetProblem, Turn, set_problem
from skolemate.formula import FALSE, TRUE, Builder, Literals, constants
from skolemate.games.game import Player, Question, Schedule
from skolemate.strategies.nodes import Pairs

# --- COVER ----------------------------------------------------------------------------------------
# COR+ around Black's first stone (Boucher and Villemaire 2025). The cover is the union of the
# winning sets that contain this stone. Black plays inside it. White may play there, or outside
# without naming the cell: such stones are only counted, and a set of White's is complete as soon as
# they could fill its cells outside. So a true formula proves a win within the depth; a false one
# proves nothing, since Black may have to leave the cover.
#
# Numbers in parentheses are the paper's. Besides what COR+ leaves out, these are left out:
#
# - incoverS (3.34): a cell is in the cover iff Black's first stone shares a set with it, which
#   (3.35) states directly.
# - the count of zero (3.43), which is true, and all counts if White cannot win.
#
# The paper has polyominoes on an empty board. Only winning sets are used, so the encoding works for
# any positional game in which the players alternate, from Black's first stone on or just after it,
# when the cover is known.


def _refuses_later_positions(question: Question) -> str | None:
    start = question.game.start
    schedule = question.game.turns_ahead or ()
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
    """COR+ with Black's stones near the first one, in sets that contain it. True: a win."""
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
        """The cover of Black's first stone if it is on the board already; else no cell."""
        game = self.problem.question.game
        stone, union = game.start.black, 0
        for winning in game.hypergraph().black_sets or () if stone else ():
            union |= winning if winning & stone else 0
        covered = [union >> cell & 1 for cell in self.problem.cells]
        return np.where(covered, TRUE, FALSE).astype(np.int32)

    def _black_has_begun(self) -> None:
        """(3.34), (3.35), (3.40): the cover is the cells that share a set with the first stone."""
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
        boards.stone_is_forced(self.builder, self.problem, ply, bits, self.white, *unless)
        self.boards.note_code(bits, ply, where=self.in_cover)
        if self.problem.white_sets:
            before = self.outside
            numbers = [str(number + 1) for number in range(len(before))]
            self.outside = self.builder.exists("outside", numbers, [f"t{ply}"])[:, 0]
            fewer = np.concatenate([constants(TRUE, 1), before[:-1]])
            missed = np.tile(boards.unlike(bits, self.white_codes)[-1], (len(before), 1))
            self.builder.add(-before, self.outside)
            self.builder.add([missed], -self.time, -fewer, self.outside)

    def _winning(self) -> None:
        super()._winning()
        self.builder.add(self.in_cover, -self.black)  # (3.36)

    def _white_has_not_won(self) -> None:
        """(3.47): White has no set of which i cells are outside, he has played i stones outside,
        and owns the rest.
        """
        count = [TRUE, *self.outside]
        for winning in self.problem.white_sets:
            rows = [
                [-count[size], *(self.in_cover[c] if c in out else -self.white[c] for c in winning)]
                for size in range(len(winning) + 1)
                for out in map(set, combinations(winning, size))
            ]
            self.builder.add([np.array(rows, np.int32)])


# --- PAIRING --------------------------------------------------------------------------------------
# White blocks by answering in pairs (after Boucher and Villemaire, KI 2021). White is the
# existential player, and truth is about every depth: the formula is true only if White can answer
# Black's moves up to the depth so that afterwards there are disjoint pairs of cells, none of them
# black, and every set of Black's contains a white stone or a pair. From then on White answers each
# stone in a pair with the other cell of it, and Black never completes a set. False proves nothing:
# White may have to answer longer, or in another way.
#
# The paper's clauses were not available; this is a reconstruction from the description in Boucher
# and Villemaire 2025, §2.3. Black's stones are forced by his codes (extra black stones never help
# White); a code of a taken cell, or of no cell, is a pass, which never helps Black. White's moves
# are as Black's in COR+. Only the mover's colour has new variables in a turn.
#
# `pairing-strong` lets White also win: `run` means that the game is not over. It becomes false
# once, before one of Black's turns or at the end, and then White must own a set and Black none.


def white_answers_every_stone(schedule: Schedule) -> bool:
    """Whether Black never places two stones without one of White's in between."""
    return (Player.BLACK, Player.BLACK) not in pairwise(schedule)


def disjoint_pairs(
    builder: Builder, problem: SetProblem, black: Literals
) -> tuple[dict[tuple[int, int], int], Callable[[Mapping[int, bool]], Pairs]]:
    """p(u, v) for cells that share a set: neither is black, and no cell is in two pairs.

    Returns the number of each pair's variable, and how to read the pairs.
    """
    sharing = sorted({pair for winning in problem.black_sets for pair in combinations(winning, 2)})
    names = problem.names
    variables = builder.exists("pair", [f"{names[u]}-{names[v]}" for u, v in sharing])
    number = dict(zip(sharing, variables.tolist(), strict=True))
    ends = np.array(sharing, np.int64).reshape(-1, 2)
    builder.add(-variables, -black[ends[:, 0]])
    builder.add(-variables, -black[ends[:, 1]])
    of_cell: dict[int, list[int]] = {}
    for pair, variable in number.items():
        for cell in pair:
            of_cell.setdefault(cell, []).append(variable)
    clashes = {clash for listed in of_cell.values() for clash in combinations(listed, 2)}
    table = np.array(sorted(clashes), np.int32).reshape(-1, 2)
    builder.add(-table[:, 0], -table[:, 1])

    def decode(assignment: Mapping[int, bool]) -> Pairs:
        chosen = [pair for pair, variable in number.items() if assignment.get(variable)]
        return tuple((problem.cells[u], problem.cells[v]) for u, v in chosen)

    return number, decode


def every_set_is_blocked(
    builder: Builder,
    problem: SetProblem,
    white: Literals,
    pair: Mapping[tuple[int, int], int],
    unless: np.int32 = FALSE,
) -> None:
    """Every set of Black's has a white stone or contains a pair."""
    sets = problem.black_sets
    stones = problem.rows(white, sets, FALSE)
    inside = [[pair[two] for two in combinations(winning, 2)] for winning in sets]
    width = max(map(len, inside))
    pairs = [[*row, *[int(FALSE)] * (width - len(row))] for row in inside]
    builder.add([stones], [np.array(pairs, np.int32).reshape(len(sets), width)], unless)


PAPER = "after Boucher, Villemaire: Quantified Boolean Solving for Achievement Games, 2021"


def _refuses_unanswered_stones(question: Question) -> str | None:
    """After the opening, White must move between any two stones of Black."""
    schedule = question.game.turns_ahead or ()
    opening = next((ply for ply, mover in enumerate(schedule) if mover is Player.WHITE), 0)
    if white_answers_every_stone(schedule[opening:]):
        return None
    return "it is for games in which White answers every stone of Black's"


def _refuses_breakers(question: Question) -> str | None:
    if question.game.is_maker_breaker:
        return "White has no goal of his own in this game; pairing says the same"
    return _refuses_unanswered_stones(question)


def _pairing_problem(question: Question, symmetry: bool) -> SetProblem | bool:
    """The plies up to White's last, and all sets that Black can complete at any depth."""
    schedule = question.game.turns_ahead or ()
    problem = set_problem(replace(question, depth=len(schedule)), symmetry)
    if isinstance(problem, bool):
        return not problem
    answered = _answered(schedule[: question.depth])
    if not white_answers_every_stone(schedule[len(answered) :]):
        return False  # pairs would come before the end of the opening
    return replace(problem, question=question, schedule=answered)


def _answered(schedule: Schedule) -> Schedule:
    """The plies up to White's last: pairs answer what Black does later."""
    while schedule and schedule[-1] is Player.BLACK:
        schedule = schedule[:-1]
    return schedule


@encoding(
    "pairing",
    paper=PAPER,
    views=("hypergraph",),
    refuses=_refuses_unanswered_stones,
    meaning=Meaning.BLOCK_IF_TRUE,
)
@about(_pairing_problem)
def pairing(self: Encoding, problem: SetProblem) -> Encoded:
    """White answers up to the depth, then in pairs, and blocks. True: no win at any depth."""
    return _PairingGame(problem, strong=False).encoded(self)


@encoding(
    "pairing-strong",
    paper=PAPER,
    views=("hypergraph",),
    refuses=_refuses_breakers,
    meaning=Meaning.BLOCK_IF_TRUE,
)
@about(_pairing_problem)
def pairing_strong(self: Encoding, problem: SetProblem) -> Encoded:
    """White blocks as in pairing, or wins on the way. True: no win at any depth."""
    return _PairingGame(problem, strong=True).encoded(self)


class _PairingGame:
    """Unrolls the game turn by turn; holds the board reached so far."""

    def __init__(self, problem: SetProblem, strong: bool) -> None:
        self.problem = problem
        self.strong = strong
        self.cells = len(problem.cells)
        self.builder = Builder()
        self.boards = Boards(problem, existential=Player.WHITE)
        self.black = constants(FALSE, self.cells)
        self.white = constants(FALSE, self.cells)
        self.run = TRUE

    def encoded(self, encoding: Encoding) -> Encoded:
        for turn in self.problem.turns:
            if turn.player is Player.BLACK:
                self._black_turn(turn)
            else:
                self._white_turn(turn)
        self._new_run("end")
        if self.strong:
            self._white_has_won_unless_running()
        pair, decode_pairs = disjoint_pairs(self.builder, self.problem, self.black)
        every_set_is_blocked(self.builder, self.problem, self.white, pair, unless=-self.run)
        return replace(encoded(encoding, self.builder, self.boards), decode_pairs=decode_pairs)

    def _black_turn(self, turn: Turn) -> None:
        labels = [f"t{ply}" for ply in turn.plies]
        self._new_run(labels[0])
        codes = self.builder.forall("move", labels, boards.bit_labels(self.cells))
        before = self.black
        self.black = self.builder.exists("black", self.problem.names, labels[-1:])[:, 0]
        self.builder.add(-before, self.black)
        for ply, bits in zip(turn.plies, codes, strict=True):
            unless = -self.run, self.white
            boards.stone_is_forced(self.builder, self.problem, ply, bits, self.black, *unless)
            self.boards.note_code(bits, ply)

    def _white_turn(self, turn: Turn) -> None:
        for ply in turn.plies:
            bits = self.builder.exists("move", [f"t{ply}"], boards.bit_labels(self.cells))[0]
            before = self.white
            self.white = boards.new_board(self.builder, self.problem, ply, "white")
            self.builder.add(-before, self.white)
            self.builder.add(self.run, before, -self.white)
            self.builder.add(
                before[:, None], -self.white[:, None], boards.matching(bits, self.cells)
            )
            self.builder.add(-self.black, -self.white)
            self.boards.note_board(Player.WHITE, self.white, ply, bits)

    def _new_run(self, label: str) -> None:
        """A new `run` before a turn of Black's, if White may have won by then."""
        if self.strong and Player.WHITE in self.problem.schedule and label != "t1":
            earlier = self.run
            self.run = self.builder.exists("run", [label])[0]
            self.builder.add(-self.run, earlier)

    def _white_has_won_unless_running(self) -> None:
        boards.owns_a_set(self.builder, self.problem.white_sets, self.white, "won", unless=self.run)
        black_rows = self.problem.rows(self.black, self.problem.black_sets, TRUE)
        self.builder.add(self.run, [-black_rows])
