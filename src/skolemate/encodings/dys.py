"""DYS: explicit boards and flags for cheating (Diptarama, Yoshinaka and Shinohara 2016).

For GTTT(p,q). A time point is a whole turn; a move is one variable a cell, so that a player could
place any stones, and whoever breaks a rule loses: by too many stones, too few, a taken cell, or a
first stone outside the part of the board that symmetry leaves. Nearly all clauses are
equivalences, void once the game is over. The parts of the paper's §2.3 are named in the comments;
its misprints are mended (p and q in C1 and C2, the category of item 4, ⋀ over z in item 6 and up to
Z in "Others", singular cheat variables in "Winning condition" 2 and 3).

Sizes are those of the published files. They quantify the cheats of both players at every turn;
those of the player who does not move occur in no clause. And they list each orientation of the
polyomino at each cell, though on a torus some of these are the same cells.

Beyond the paper: stones on the board are folded into the sets as everywhere, and a turn that the
depth cuts off has so many stones fewer, so that every depth can be asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from skolemate.ask.question import Question
from skolemate.encodings.encoding import Encoded, Encoding, encoding
from skolemate.encodings.parts.decoding import Boards
from skolemate.encodings.parts.outcome import decided, encoded
from skolemate.encodings.parts.problem import Turn
from skolemate.encodings.parts.set_problem import SetProblem, set_problem
from skolemate.encodings.parts.winning_sets import rows_of
from skolemate.formula import TRUE, Builder, Literals
from skolemate.games.game import Player, Position

Sets = tuple[tuple[int, ...], ...]

LARGEST = 10_000_000  # clauses about too many stones; they grow like a power of the board


def _refuses_too_many_ways_to_cheat(question: Question) -> str | None:
    game = question.game
    cells = game.board.size - game.start.occupied.bit_count()
    schedule = (game.grounded().schedule or ())[: question.depth]
    stones = [len(turn.plies) for turn in Turn.of(schedule)]
    if sum(comb(cells, number + 1) * (number + 2) for number in stones) > LARGEST:
        return "it lists all ways to place a stone too many, and here are too many of them"
    return None


@encoding(
    "dys",
    paper="Diptarama, Yoshinaka, Shinohara: QBF Encoding of Generalized Tic-Tac-Toe, 2016",
    views=("shape", "hypergraph"),
    refuses=_refuses_too_many_ways_to_cheat,
)
def dys(self: Encoding, question: Question, symmetry: bool) -> Encoded:
    """Explicit board after every turn, whoever breaks a rule loses; GTTT(p,q)."""
    problem = set_problem(question, symmetry, keep_cells=True)
    if isinstance(problem, bool):
        return decided(self, question, problem)
    schedule = (question.game.grounded().schedule or ())[: question.depth]
    return _Encoder(replace(problem, schedule=schedule)).encoded(self)


@dataclass(frozen=True)
class _State:
    """The variables of a turn that tell how it ended."""

    stones: dict[Player, Literals]
    win: dict[Player, np.int32]
    cheat: dict[Player, np.int32]
    over: np.int32  # before the next turn
    occupied: Literals


class _Encoder:
    """Unrolls the game turn by turn; holds what was so before the turn."""

    def __init__(self, problem: SetProblem) -> None:
        self.problem = problem
        self.cells = len(problem.cells)
        self.sets = {player: _placements(problem, player) for player in Player}
        self.builder = Builder()
        self.boards = Boards(problem)
        self.wins = self.builder.exists("win", [player.value for player in Player])
        self.draw = self.builder.exists("draw", ["end"])[0]
        self.over = self.builder.exists("gameover", ["t1"])[0]
        self.occupied = self.builder.exists("occupied", problem.names, ["t1"])[:, 0]
        self.states: list[_State] = []
        self.overs = [self.over]

    def encoded(self, encoding: Encoding) -> Encoded:
        self.builder.add(-self.over)
        self.builder.add(-self.occupied)  # initial condition
        for number, turn in enumerate(self.problem.turns, 1):
            self._turn(number, turn)
        self._outcome()
        whole = encoded(encoding, self.builder, self.boards)
        return replace(whole, decode_play=self._play)

    def _turn(self, number: int, turn: Turn) -> None:
        label, names = [f"t{number}"], self.problem.names
        declare = self.builder.exists if turn.player is Player.BLACK else self.builder.forall
        move = declare("move", [turn.player.value], names, label)[0, :, 0]
        state = self._new_state(number)
        flags = {player: self._new_flags(player, turn, label) for player in Player}
        shapes = {player: self._new_shapes(player, label) for player in Player}
        self._move(turn.player, move, state)
        self._cheating(turn, move, flags[turn.player], state)
        self._winning(shapes, state)
        self._board(state)
        self._end(state)
        self.states.append(state)
        self.over, self.occupied = state.over, state.occupied
        self.overs.append(self.over)
        self.boards.note_board(turn.player, state.stones[turn.player], turn.plies[-1])

    # --- variables (2.2) ---------------------------------------------------------------------

    def _new_state(self, number: int) -> _State:
        here, after, names = [f"t{number}"], [f"t{number + 1}"], self.problem.names
        players = [player.value for player in Player]
        exists = self.builder.exists
        over = exists("gameover", after)[0]
        occupied = exists("occupied", names, after)[:, 0]
        win, cheat = exists("win", players, here)[:, 0], exists("cheat", players, here)[:, 0]
        stones = exists("board", players, names, here)[:, :, 0]
        return _State(
            dict(zip(Player, stones, strict=True)),
            dict(zip(Player, win, strict=True)),
            dict(zip(Player, cheat, strict=True)),
            over,
            occupied,
        )

    def _new_flags(self, player: Player, turn: Turn, label: list[str]) -> list[Literals]:
        """One for each way to break a rule: too many, too few, on a taken cell, out of bounds."""
        stones = len(turn.plies)
        ways = [
            len(_subsets(self.cells, stones + 1)),
            len(_subsets(self.cells, self.cells - stones + 1)),
            self.cells,
            int(turn.plies[0] == 1 and self.problem.first is not None),
        ]
        return [
            self.builder.exists(f"cheat{kind}", [player.value], _numbers(count), label)[0, :, 0]
            for kind, count in enumerate(ways, 1)
        ]

    def _new_shapes(self, player: Player, label: list[str]) -> Literals:
        numbers = _numbers(len(self.sets[player]))
        return self.builder.exists("shape", [player.value], numbers, label)[0, :, 0]

    # --- clauses (2.3) -----------------------------------------------------------------------

    def _move(self, mover: Player, move: Literals, state: _State) -> None:
        add, over, occupied = self.builder.add, self.over, self.occupied
        own, other = state.stones[mover], state.stones[mover.opponent]
        add(over, occupied, -move, own)  # Move rule 1
        add(over, occupied, move, -own)
        add(over, occupied, -other)  # 2

    def _cheating(self, turn: Turn, move: Literals, flags: list[Literals], state: _State) -> None:
        add, over, stones = self.builder.add, self.over, len(turn.plies)
        many, few, taken, out_of_bounds = flags
        chosen = move[_subsets(self.cells, stones + 1)]  # 3
        add(over, [-chosen], many)
        add(over, chosen, -many[:, None])
        left_out = move[_subsets(self.cells, self.cells - stones + 1)]  # 4
        add(over, [left_out], few)
        add(over, -left_out, -few[:, None])
        add(over, -self.occupied, -move, taken)  # 5
        add(over, self.occupied, -taken)
        add(over, move, -taken)
        if len(out_of_bounds):  # Symmetry breaking: no stone lies where one must
            within = move[self.problem.allowed(1)]
            add(over, [within[None, :]], out_of_bounds)
            add(over, -within, -out_of_bounds[0])
        cheat, every = state.cheat[turn.player], np.concatenate(flags)
        add(over, -every, cheat)  # 6
        add(over, -cheat, [every])
        add(-state.cheat[turn.player.opponent])  # Winning condition 3, second half

    def _winning(self, shapes: dict[Player, Literals], state: _State) -> None:
        add, over = self.builder.add, self.over
        for player in Player:
            shape, win, cheat = shapes[player], state.win[player], state.cheat[player]
            if len(shape):  # Winning condition 1
                table = self.problem.table(self.sets[player], self.cells)
                owned = rows_of(state.stones[player], table, TRUE)
                add(over, [-owned], shape)
                add(over, owned, -shape[:, None])
            other_cheat = state.cheat[player.opponent]
            add(over, cheat, -shape, win)  # 2
            add(over, cheat, -other_cheat, win)
            add(over, cheat, -win, other_cheat, [shape])
            add(over, -cheat, -win)  # 3

    def _board(self, state: _State) -> None:
        add, over = self.builder.add, self.over
        black, white = state.stones[Player.BLACK], state.stones[Player.WHITE]
        add(over, -black, -white)  # Board management 1
        add(over, -black, state.occupied)  # 2
        add(over, -white, state.occupied)
        add(over, black, white, -state.occupied)
        if self.states:
            before = self.states[-1]
            for player in Player:  # 3
                add(self.overs[-2], -before.stones[player], state.stones[player])

    def _end(self, state: _State) -> None:
        add, over, win = self.builder.add, self.over, state.win
        add(-over, state.over)  # Others 1
        for player in Player:
            add(over, -win[player], state.over)
            add(-over, -win[player])  # 2
        add(over, win[Player.BLACK], win[Player.WHITE], -state.over)

    def _outcome(self) -> None:
        """The winner is who wins at some turn; it must be Black."""
        add = self.builder.add
        for player, winner in zip(Player, self.wins, strict=True):  # Winning condition 4
            at_turns = np.array([state.win[player] for state in self.states], np.int32)
            add(np.array(self.overs[:-1], np.int32), -at_turns, winner)
            add(-winner, [at_turns])  # a win at a turn means that the game was not over: Others 2
        black, white = self.wins
        add(black)  # Others 3
        add(black, white, self.draw)
        add(-black, -white)
        add(-black, -self.draw)
        add(-white, -self.draw)
        add(self.over, self.draw)
        add(-self.over, -self.draw)

    # --- back ----------------------------------------------------------------------------------

    def _play(self, assignment: Mapping[int, bool]) -> list[Position]:
        """The game up to the turn in which White breaks a rule, if he does."""
        legal = 0
        for state in self.states:
            if assignment.get(int(state.cheat[Player.WHITE])):
                break
            legal += 1
        return self.boards.play(assignment)[: legal + 1]


def _placements(problem: SetProblem, player: Player) -> Sets:
    """What a player still has to claim, for each orientation of the shape at each cell."""
    game = problem.question.game
    if game.goal(player) is None:
        return ()
    goal, own = game.shape(), game.start.stones(player)
    code = {cell: number for number, cell in enumerate(problem.cells)}
    listed = []
    for orientation in goal.shape.orientations:
        for x, y in goal.board.places:
            cells = {goal.board.at(x + dx, y + dy) for dx, dy in orientation}
            left = [cell for cell in cells if cell is None or not own >> cell & 1]
            if len(cells) == len(orientation) and all(cell in code for cell in left):
                listed.append(tuple(sorted(code[cell] for cell in left if cell is not None)))
    return tuple(listed)


@cache
def _subsets(cells: int, size: int) -> npt.NDArray[np.int64]:
    """All sets of so many cells, one a row."""
    listed = combinations(range(cells), size) if size <= cells else ()
    return np.array(list(listed), np.int64).reshape(-1, size)


@cache
def _numbers(count: int) -> list[str]:
    return [str(number) for number in range(1, count + 1)]
