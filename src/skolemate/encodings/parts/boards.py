"""Explicit boards, moves as codes of cells, and the way back from assignments to positions.

While it builds a formula, an encoder notes in `Boards` which literals express the moves. `encoded`
and `decided` turn a finished builder into an `Encoded`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial, wraps
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from skolemate.encodings.encoding import (
    Build,
    Cube,
    Duty,
    Encoded,
    Encoding,
    Meaning,
    Script,
    ScriptedPly,
    cube,
)
from skolemate.encodings.parts.problems import AnyProblem, Problem, ProblemOf, SetProblem, Turn
from skolemate.formula import FALSE, TRUE, Builder, CircuitBuilder, Formula, Literals, constants
from skolemate.games import Move, Player, Position, Question, mask_of

# --- boards ---------------------------------------------------------------------------------------
# Explicit boards with a variable for each cell, and moves as binary codes of cells.
#
# For COR, COR+, COVER and PAIRING, and for EA, EN and ET.


# --- codes ----------------------------------------------------------------------------------------
# The code of a cell is its number in ⌈lg N⌉ bits.


def bits_needed(cells: int) -> int:
    """⌈lg N⌉.

    >>> [bits_needed(n) for n in (0, 1, 2, 3, 4, 5)]
    [0, 0, 1, 2, 2, 3]
    """
    return max(cells - 1, 0).bit_length()


def bit_labels(cells: int) -> list[str]:
    return [f"bit{i}" for i in range(bits_needed(cells))]


@cache
def _signs(cells: int) -> Literals:
    """+1 where bit i of cell v is 1, else -1; one row for each cell."""
    numbers = np.arange(cells, dtype=np.int32)[:, None]
    bits = numbers >> np.arange(bits_needed(cells), dtype=np.int32) & 1
    return (2 * bits - 1).astype(np.int32)


def matching(bits: Literals, cells: int) -> Literals:
    """For every cell a row of literals that are all true iff the bits name the cell."""
    return _signs(cells) * bits


def unlike(bits: Literals, cells: int) -> Literals:
    """For every cell a row of literals of which one is true iff the bits do not name the cell."""
    return -matching(bits, cells)


# --- boards ---------------------------------------------------------------------------------------


def new_board(
    builder: Builder, problem: Problem, ply: int, name: str, *axes: Sequence[str]
) -> Literals:
    """A board after a ply, with variables for the cells on which a stone may lie by then."""
    board, allowed = constants(FALSE, len(problem.cells)), problem.allowed(ply)
    names = [problem.names[code] for code in allowed]
    board[allowed] = builder.exists(name, *axes, names, [f"t{ply}"]).reshape(-1)
    return board


def stone_is_forced(
    builder: Builder,
    problem: Problem,
    ply: int,
    bits: Literals,
    stones: Literals,
    *unless: Literals | np.int32,
) -> None:
    """The cell that the bits of a ply name has a stone, unless a literal of `unless` holds."""
    allowed = problem.allowed(ply)
    missed = unlike(bits, 1 << len(bits))[allowed]
    exceptions = [np.broadcast_to(part, stones.shape)[allowed] for part in unless]
    builder.add([missed], *exceptions, stones[allowed])


def at_most_one(builder: Builder, literals: Sequence[int], label: str) -> None:
    """By a ladder: rung i is true if one of the first i literals, counted from 0, is."""
    if len(literals) <= 4:
        for one, other in combinations(literals, 2):
            builder.clause(-one, -other)
        return
    numbers = [str(place) for place in range(len(literals) - 1)]
    rungs = builder.exists("rung", [label], numbers)[0].tolist()
    for literal, rung in zip(literals, rungs, strict=False):
        builder.clause(-literal, rung)
    for literal, rung in zip(literals[1:], rungs, strict=True):
        builder.clause(-literal, -rung)
    for lower, upper in pairwise(rungs):
        builder.clause(-lower, upper)


# --- goals ----------------------------------------------------------------------------------------


def owns_a_set(
    builder: Builder,
    sets: tuple[tuple[int, ...], ...],
    board: Literals,
    name: str = "win",
    unless: np.int32 = FALSE,
) -> Literals:
    """Some win(e) holds, and win(e) implies that the player owns all cells of e. Returns win."""
    win = builder.exists(name, [f"set{number}" for number in range(len(sets))])
    owners, codes = SetProblem.members(sets)
    builder.add(unless, [win])
    builder.add(-win[owners], board[codes])
    return win


def white_owns_no_set(builder: Builder, problem: SetProblem, white: Literals) -> None:
    if problem.white_sets:
        builder.add([-problem.rows(white, problem.white_sets, TRUE)])


# --- decoding -------------------------------------------------------------------------------------


# --- boards ---------------------------------------------------------------------------------------


class _PlyLiterals(NamedTuple):
    """A ply or turn: the literals of the player's board or, with `where`, of the code's bits.

    `bits` is the code that goes with a board, if there is one.
    """

    player: Player
    ply: int
    literals: Literals
    where: Literals | None
    bits: Literals | None


@dataclass
class Boards:
    """The literals that express the moves of a game, noted ply by ply by an encoder.

    The stones of the existential player (usually Black) are read from the board if there is one.
    Those of the other player are read from the codes, since a board may have more of them than
    were placed: that never helps the existential player, so it is not forbidden.

    `script` gives the same plies in the other direction, for certificates.
    """

    problem: Problem
    existential: Player = Player.BLACK
    _turns: list[_PlyLiterals] = field(default_factory=list)
    _plies: list[Callable[[], ScriptedPly]] = field(default_factory=list)  # long, rarely needed

    def note_board(
        self, player: Player, board: Literals, ply: int, bits: Literals | None = None
    ) -> None:
        """After this ply the player owns exactly these cells; the bits are the code of the ply."""
        self._turns.append(_PlyLiterals(player, ply, board, None, bits))
        if bits is not None:
            self._plies.append(partial(self._placed, player, board, ply, bits))

    def note_code(
        self,
        bits: Literals,
        ply: int,
        where: Literals | None = None,
        player: Player | None = None,
        running: np.int32 = TRUE,
        duty: Duty = Duty.NONE,
    ) -> None:
        """At this ply a player, by default the universal one, places a stone on the coded cell.

        `where` says for each cell whether a stone may be placed there (default: yes), `running`
        whether the game is not over, `duty` whether a stone must be placed even then.
        """
        if where is None:
            where = constants(TRUE, len(self.problem.cells))
        player = player or self.existential.opponent
        self._turns.append(_PlyLiterals(player, ply, bits, where, bits))
        self._plies.append(partial(self._coded_ply, player, bits, ply, running, duty))

    def note_turn(
        self,
        turn: Turn,
        onto: Literals,
        idle: Literals,
        codes: Literals | None = None,
        running: np.int32 = TRUE,
    ) -> None:
        """A turn has a literal for each cell that gets a stone. Stones are chosen by these literals
        or, if there are codes, by the codes. All are placed, even if the game ends before.
        """
        for number, ply in enumerate(turn.plies):
            bits = None if codes is None else codes[number]
            scripted = partial(self._turn_ply, turn, ply, onto, idle, bits, running)
            self._plies.append(scripted)

    def note_idle(self, player: Player) -> None:
        """A ply without variables: its stone goes to a cell that matters to nobody."""
        self._plies.append(lambda: ScriptedPly(player, {}, {}))

    # --- from games to variables -----------------------------------------------------------------

    def script(self) -> Script:
        """The noted plies as a script, for certificates."""
        return Script([write() for write in self._plies])

    def _placed(self, player: Player, board: Literals, ply: int, bits: Literals) -> ScriptedPly:
        seen = self._cubes(board[:, None], ply)
        return ScriptedPly(player, seen, self._coded_cubes(bits, ply), kept=seen)

    def _coded_ply(
        self, player: Player, bits: Literals, ply: int, running: np.int32, duty: Duty
    ) -> ScriptedPly:
        cubes = self._coded_cubes(bits, ply)
        return ScriptedPly(player, cubes, cubes, running=_variable(running), duty=duty)

    def _turn_ply(
        self,
        turn: Turn,
        ply: int,
        onto: Literals,
        idle: Literals,
        bits: Literals | None,
        running: np.int32,
    ) -> ScriptedPly:
        placed = self._cubes(onto[:, None], 0)
        cubes = placed if bits is None else self._coded_cubes(bits, ply)
        return ScriptedPly(
            turn.player,
            cubes,
            cubes,
            running=_variable(running),
            shown={} if bits is None else placed,
            idle=tuple(idle.tolist()),
            duty=Duty.IN_TURN,
            turn=turn.plies[0],
        )

    # --- from variables to games -----------------------------------------------------------------

    def first_move(self, assignment: Mapping[int, bool]) -> Move | None:
        """The existential player's first move, read from the board's change or from its code.

        Solvers may leave out the board's variables; then the bits of the code are used.
        """
        if self.problem.question.game.start.to_move is not self.existential:
            return None
        first = self._turns[0] if self._turns else None
        if first is not None and first.where is not None:
            return self.problem.first_move(self._coded(first.literals, assignment))
        claimed = _codes(first.literals, assignment) if first is not None else []
        if not claimed and first is not None and first.bits is not None:
            if all(int(bit) in assignment for bit in first.bits):
                claimed = self._coded(first.bits, assignment)
        return self.problem.first_move(claimed)

    def play(self, assignment: Mapping[int, bool]) -> list[Position]:
        """The start and the position after every ply or turn noted, up to the end of the game."""
        stones = dict.fromkeys(Player, 0)
        positions = [self.problem.position(0, 0, 0)]
        for player, ply, literals, where, _ in self._turns:
            if where is not None:
                allowed = set(self.problem.allowed(ply)) & set(_codes(where, assignment))
                codes = [c for c in self._coded(literals, assignment) if c in allowed]
            else:
                codes = _codes(literals, assignment)
            stones[player] |= mask_of(codes) & ~stones[player.opponent]
            black, white = stones[Player.BLACK], stones[Player.WHITE]
            positions.append(self.problem.position(black, white, ply))
            if positions[-1].winner is not None:
                break
        return positions

    def _coded_cubes(self, bits: Literals, ply: int) -> dict[Move, Cube]:
        return self._cubes(matching(bits, 1 << len(bits)), ply)

    def _cubes(self, rows: Literals, ply: int) -> dict[Move, Cube]:
        """The moves onto the cells that are allowed at a ply, each with its row of literals."""
        cubes = ((code, cube(rows[code].tolist())) for code in self.problem.allowed(ply))
        onto = self.problem.move_onto
        return {
            onto(self.problem.cells[code]): literals
            for code, literals in cubes
            if literals is not None
        }

    def _coded(self, bits: Literals, assignment: Mapping[int, bool]) -> list[int]:
        """The code that bits spell, if it is a cell's."""
        code = sum(_value(bit, assignment) << i for i, bit in enumerate(bits))
        return [code] if code < len(self.problem.cells) else []


def _codes(board: Literals, assignment: Mapping[int, bool]) -> list[int]:
    return [code for code, literal in enumerate(board) if _value(literal, assignment)]


def _variable(literal: np.int32) -> int | None:
    """A literal, if it is no constant."""
    return None if literal == TRUE else int(literal)


def _value(literal: np.int32, assignment: Mapping[int, bool]) -> bool:
    if literal in (TRUE, FALSE):
        return bool(literal == TRUE)
    return bool(assignment.get(abs(int(literal)), literal < 0) == (literal > 0))


# --- encoders -------------------------------------------------------------------------------------


def about(
    problem_of: ProblemOf[AnyProblem],
) -> Callable[[Callable[[Encoding, AnyProblem], Encoded]], Build]:
    """Turn a function that encodes problems into one that encodes questions.

    A question that is decided already becomes a constant formula.
    """

    def of_questions(state: Callable[[Encoding, AnyProblem], Encoded]) -> Build:
        @wraps(state)
        def build(self: Encoding, question: Question, symmetry: bool) -> Encoded:
            problem = problem_of(question, symmetry)
            if isinstance(problem, bool):
                return decided(self, question, problem)
            return state(self, problem)

        return build

    return of_questions


def encoded(encoding: Encoding, builder: Builder | CircuitBuilder, boards: Boards) -> Encoded:
    """The formula or circuit built so far, with the decoders of the noted boards."""
    question = boards.problem.question
    return Encoded(
        question,
        encoding,
        builder.formula() if isinstance(builder, Builder) else builder.circuit(),
        boards.first_move,
        boards.play,
        restricted=boards.problem.restricted,
        write_script=boards.script,
    )


def decided(encoding: Encoding, question: Question, answer: bool) -> Encoded:
    """A formula without variables: no clause for true, an empty clause for false."""
    start = question.game.start
    favoured = Player.WHITE if encoding.meaning is Meaning.BLOCK_IF_TRUE else Player.BLACK
    moves = start.moves() if start.to_move is favoured else ()
    return Encoded(
        question,
        encoding,
        Formula.of([], [] if answer else [[]]),
        lambda assignment: moves[0] if moves else None,
        lambda assignment: [start],
        write_script=Script,
    )
