"""From a formula back to the game: what encoders note down, and what they end with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
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
from skolemate.encodings.parts.boards import matching
from skolemate.encodings.parts.problems import AnyProblem, Problem, ProblemOf, Turn
from skolemate.formula import FALSE, TRUE, Builder, CircuitBuilder, Formula, Literals, constants
from skolemate.games.game import Move, Player, Position, Question
from skolemate.games.symmetry import mask_of

# --- boards ---------------------------------------------------------------------------------------
# From assignments back to moves and positions, told by boards of variables or by codes.


class _Told(NamedTuple):
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
    """Which literals tell the game, noted down ply by ply by an encoder.

    The stones of the existential player (Black, as a rule) are told by the board where there is
    one. The other's are told by his codes where the board may show more of them than he placed,
    which never helps the existential player and so is never forbidden.

    `script` tells the same plies the other way, for certificates.
    """

    problem: Problem
    existential: Player = Player.BLACK
    _turns: list[_Told] = field(default_factory=list)
    _plies: list[Callable[[], ScriptedPly]] = field(default_factory=list)  # long, seldom asked for

    def note_board(
        self, player: Player, board: Literals, ply: int, bits: Literals | None = None
    ) -> None:
        """After this ply the player owns exactly these cells; the bits are the code of the ply."""
        self._turns.append(_Told(player, ply, board, None, bits))
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
        """At this ply a player, by default the universal one, places a stone where the bits say.

        `where` tells for each cell whether a stone may come there; by default it may. `running`
        tells whether the game is still on, `duty` whether a stone must be placed anyway.
        """
        if where is None:
            where = constants(TRUE, len(self.problem.cells))
        player = player or self.existential.opponent
        self._turns.append(_Told(player, ply, bits, where, bits))
        self._plies.append(partial(self._coded_ply, player, bits, ply, running, duty))

    def note_turn(
        self,
        turn: Turn,
        onto: Literals,
        idle: Literals,
        codes: Literals | None = None,
        running: np.int32 = TRUE,
    ) -> None:
        """A turn has a literal for each cell onto which a stone comes; stones are chosen by it or,
        where there are codes, by these. All are placed, even if the game is over after some.
        """
        for number, ply in enumerate(turn.plies):
            bits = None if codes is None else codes[number]
            told = partial(self._turn_ply, turn, ply, onto, idle, bits, running)
            self._plies.append(told)

    def note_idle(self, player: Player) -> None:
        """A ply that has no variables: it goes where it does not matter."""
        self._plies.append(lambda: ScriptedPly(player, {}, {}))

    # --- from games to variables -----------------------------------------------------------------

    def script(self) -> Script:
        """The plies noted down, told the other way, for certificates."""
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
        """The existential player's first move, told by its code or by the change of the board.

        Solvers may leave the board's variables out; then the bits tell, as far as they can.
        """
        if self.problem.question.game.start.to_move is not self.existential:
            return None
        told = self._turns[0] if self._turns else None
        if told is not None and told.where is not None:
            return self.problem.first_move(self._coded(told.literals, assignment))
        claimed = _codes(told.literals, assignment) if told is not None else []
        if not claimed and told is not None and told.bits is not None:
            if all(int(bit) in assignment for bit in told.bits):
                claimed = self._coded(told.bits, assignment)
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
        found = ((code, cube(rows[code].tolist())) for code in self.problem.allowed(ply))
        onto = self.problem.move_onto
        return {onto(self.problem.cells[code]): told for code, told in found if told is not None}

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
# What all encoders begin and end with: a problem; a formula and its decoders, or a constant.


def about(
    problem_of: ProblemOf[AnyProblem],
) -> Callable[[Callable[[Encoding, AnyProblem], Encoded]], Build]:
    """Build an encoding of questions from one of problems; a decided one becomes a constant."""

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
    """The formula or circuit stated so far, decoded by the boards noted down."""
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
    """A formula without variables: true has no clause, false an empty one."""
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
