"""Moves as codes without boards, and witnesses of goals: for the lifted and stateless encodings."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from skolemate.encodings.encoding import Duty
from skolemate.encodings.parts import problems
from skolemate.encodings.parts.boards import Boards, bit_labels, bits_needed, matching
from skolemate.formula import FALSE, TRUE, CircuitBuilder, Literals, constants, less_than
from skolemate.games import Grid, Player, Question, cells_of

# --- moves ----------------------------------------------------------------------------------------
# ∃M^1 ∀M^2 ∃M^3 …. Black must place a stone on an open cell at each of his plies, even after he has
# won; so there are never more plies than cells. White passes by a code of a taken cell or of none.


@dataclass(frozen=True)
class CodedMove:
    """One ply: the bits of its code, and a literal `counts` that is true if the code is a move."""

    ply: int
    player: Player
    bits: Literals
    counts: np.int32


def fitted(
    problem_of: problems.ProblemOf[problems.AnyProblem],
) -> problems.ProblemOf[problems.AnyProblem]:
    """The same problems with at most as many plies as cells: the last turns are left out.

    That changes no answer: when all cells are taken nothing more happens, and if White passes so
    that some are left, Black does not need them to win.
    """

    def fitted_problem(question: Question, symmetry: bool) -> problems.AnyProblem | bool:
        problem = problem_of(question, symmetry)
        if isinstance(problem, bool):
            return problem
        schedule = problem.schedule
        while len(schedule) - _is_idle(problem) > len(problem.cells):
            schedule = schedule[:-2]
        if Player.BLACK not in schedule[_is_idle(problem) :]:
            return False
        return replace(problem, schedule=schedule)

    return fitted_problem


def _is_idle(problem: problems.Problem) -> bool:
    """Whether the first stone must go to a cell that matters to nobody."""
    return problem.first == ()


def coded_moves(
    builder: CircuitBuilder, problem: problems.Problem, boards: Boards
) -> list[CodedMove]:
    """Quantify the codes of a fitted problem; Black's are codes of cells on which he may play."""
    moves: list[CodedMove] = []
    cells = len(problem.cells)
    for ply, player in enumerate(problem.schedule, 1):
        if ply == 1 and _is_idle(problem):
            boards.note_board(player, constants(FALSE, cells), ply)
            boards.note_idle(player)
            continue
        quantify = builder.exists if player is Player.BLACK else builder.forall
        bits = quantify("move", [f"t{ply}"], bit_labels(cells))[0]
        boards.note_code(bits, ply, player=player, duty=Duty.ALWAYS)
        counts = TRUE
        if ply == 1 and problem.first is not None:
            counts = np.int32(is_one_of(builder, bits, list(problem.first), cells))
        moves.append(CodedMove(ply, player, bits, counts))
    black = [move for move in moves if move.player is Player.BLACK]
    builder.add(less_than(builder, bits_of(black), cells))  # BR
    builder.add(np.array([move.counts for move in black], np.int32))
    return moves


def black_stones(moves: list[CodedMove]) -> int:
    """How many stones Black places."""
    return sum(move.player is Player.BLACK for move in moves)


def bits_of(moves: list[CodedMove]) -> Literals:
    """The codes of several moves, one row for each move."""
    return np.stack([move.bits for move in moves])


def is_one_of(builder: CircuitBuilder, bits: Literals, codes: list[int], cells: int) -> Literals:
    """Whether the bits name one of `codes`, out of `cells` cells."""
    chosen = matching(bits, cells)[..., np.array(codes, np.int64), :]
    return builder.any_of([builder.all_of([chosen])])


# --- witnesses: winning sets ----------------------------------------------------------------------
# Shaik et al. 2023, Definition 5: for LA and SA.


def witness_set(builder: CircuitBuilder, problem: problems.SetProblem) -> Literals:
    """Quantify a witness and state that it is a winning set. Returns its cells, one row each.

    It has as many cells as the largest set; for smaller sets the others may be any cells of it.
    """
    cells, sets = len(problem.cells), problem.black_sets
    table = problem.table(sets, cells)
    labels = [f"cell{number}" for number in range(table.shape[1])]
    witness = builder.exists("witness", labels, bit_labels(cells))
    named = np.stack([builder.all_of([matching(bits, cells)]) for bits in witness], axis=1)
    named = np.append(named, np.full((1, len(witness)), TRUE), axis=0)  # the code of no cell
    builder.add([builder.all_of([named[table, np.arange(len(witness))]])])
    return witness


# --- witnesses: paths -----------------------------------------------------------------------------
# Shaik et al. 2023, §4.3 and 4.4.


def witness_path(builder: CircuitBuilder, stones: int, cells: int) -> Literals:
    """Quantify a path of as many cells as Black has stones; one row for each cell.

    Shorter paths stay on their last cell.
    """
    labels = [f"step{number}" for number in range(stones)]
    return builder.exists("witness", labels, bit_labels(cells))


def joins_borders(
    builder: CircuitBuilder, graph: problems.CodedGraph, source: Literals, target: Literals
) -> None:
    """Definition 9: the path begins on the first border and ends on the second."""
    builder.add(is_one_of(builder, source, graph.start, graph.cells))
    builder.add(is_one_of(builder, target, graph.end, graph.cells))


def steps_along_edges(
    builder: CircuitBuilder,
    graph: problems.CodedGraph,
    before: Literals,
    after: Literals,
    may_stay: Iterable[int],
) -> None:
    """Each cell of `after` is a neighbour of that of `before`, or the same one of `may_stay`."""
    cells = graph.cells
    table = np.concatenate([graph.neighbour_table(), np.full((cells, 1), cells)], axis=1)
    stay = np.fromiter(may_stay, np.int64)
    table[stay, -1] = stay
    for one, other in zip(np.atleast_2d(before), np.atleast_2d(after), strict=True):
        here = builder.all_of([matching(one, cells)])
        there = np.append(builder.all_of([matching(other, cells)]), FALSE)
        builder.add(-here, [there[table]])


def halved_path(
    builder: CircuitBuilder, stones: int, cells: int
) -> tuple[Literals, Literals, Literals, Literals]:
    """Iterative squaring: a path is halved until one step is left; ∀ chooses the half each time.

    Each level is ∃ middle ∀ half ∃ (from, to), where (from, to) is the first or the second half of
    the pair before. Returns source and target, and the innermost pair, which must be equal or
    neighbours. ⌈lg ℓ⌉ levels are enough for ℓ steps.
    """
    bits = bit_labels(cells)
    source, target = builder.exists("end", ["source", "target"], bits)
    pair = np.stack([source, target])
    for number in range(bits_needed(stones - 1)):
        level = [f"level{number}"]
        middle = builder.exists("middle", level, bits)[0]
        second = builder.forall("half", level)[0]
        half = builder.exists("pair", level, ["from", "to"], bits)[0]
        for other, whole in ((second, [pair[0], middle]), (-second, [middle, pair[1]])):
            builder.add(other, -half, np.stack(whole))
            builder.add(other, half, -np.stack(whole))
        pair = half
    return source, target, pair[0], pair[1]


# --- witnesses: polyominoes -----------------------------------------------------------------------
# Shaik et al. 2023, §6: cells related by "right" and "up", here along a spanning tree of the shape:
# the paper's chain p0, p1, … does not exist for the T-tetromino. Turned and mirrored copies are
# different shapes, of which Black builds one.


Place = tuple[int, int]
Branch = tuple[int, int, Place]  # cell number, cell number of its child, the step between them


def witness_shape(builder: CircuitBuilder, problem: problems.Problem) -> tuple[Literals, Literals]:
    """Quantify a witness and state that it is a copy of the shape.

    Returns its cells, one row each, and for each whether it is an older stone of Black's: the codes
    of these follow those of the open cells.
    """
    goal, start = problem.question.game.shape(), problem.question.game.start
    stones = list(cells_of(start.black))
    cells = [*problem.cells, *stones]
    labels = [f"cell{number}" for number in range(len(goal.shape))]
    witness = builder.exists("witness", labels, bit_labels(len(cells)))
    named = builder.all_of([matching(witness[:, None], len(cells))])
    named = np.append(named, np.full((len(witness), 1), FALSE), axis=1)  # the code of no cell
    copies = []
    for copy in goal.shape.orientations:
        if goal.board.torus and _overlaps_itself(copy, goal.board):
            continue
        related = [
            _related(builder, named[one], named[other], _shifted(goal.board, cells, step))
            for one, other, step in spanning_tree(copy)
        ]
        copies.append(builder.all_of([np.array(related, np.int32)]))
    builder.add([np.array(copies, np.int32)])
    old = list(range(len(problem.cells), len(cells)))
    return witness, is_one_of(builder, witness[:, None], old, len(cells))


def spanning_tree(places: tuple[Place, ...]) -> list[Branch]:
    """The cells of a connected shape from the first one on, each reached from one before.

    >>> spanning_tree(((0, 0), (1, 0), (1, 1), (2, 0)))
    [(0, 1, (1, 0)), (1, 2, (0, 1)), (1, 3, (1, 0))]
    """
    branches: list[Branch] = []
    reached = [0]
    for one in reached:  # grows in the loop
        x, y = places[one]
        for other, (u, v) in enumerate(places):
            if abs(u - x) + abs(v - y) == 1 and other not in reached:
                branches.append((one, other, (u - x, v - y)))
                reached.append(other)
    return branches


def _related(
    builder: CircuitBuilder, one: Literals, other: Literals, shifted: list[int]
) -> Literals:
    """Whether one cell is a step away from the other; `one` and `other` name a cell each."""
    return builder.all_of([builder.any_of(-one[:-1], other[shifted])])


def _shifted(board: Grid, cells: list[int], step: Place) -> list[int]:
    """For each code the code of the cell a step away, or the code of no cell."""
    code = {cell: number for number, cell in enumerate(cells)}
    shifted = []
    for cell in cells:
        x, y = board.places[cell]
        near = board.at(x + step[0], y + step[1])
        shifted.append(code.get(near, len(cells)) if near is not None else len(cells))
    return shifted


def _overlaps_itself(copy: tuple[Place, ...], board: Grid) -> bool:
    """Whether a copy, laid round a torus, would have a cell twice."""
    return len({(x % board.width, y % board.height) for x, y in copy}) < len(copy)
