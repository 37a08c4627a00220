"""Games with flags for cheating, for DYS and GR: a player who breaks a rule loses.

A time point is a whole turn. Boards are explicit; nearly all clauses are equivalences that do not
apply after the end of the game. Numbers name the parts of §2.3 of Diptarama, Yoshinaka and
Shinohara (2016).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from skolemate.encodings.encoding import Encoded, Encoding
from skolemate.encodings.parts.boards import Boards, encoded
from skolemate.encodings.parts.problems import SetProblem, Turn
from skolemate.formula import TRUE, Builder, Literals
from skolemate.games.game import Player, Position

Sets = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class TurnState:
    """The variables of the state after a turn."""

    stones: dict[Player, Literals]
    win: dict[Player, np.int32]
    cheat: dict[Player, np.int32]
    over: np.int32  # before the next turn
    occupied: Literals


class CheatingGame(ABC):
    """Unrolls the game turn by turn; holds the state before the turn.

    Subclasses define what a move is, what it does, and how a player can cheat by it.
    """

    def __init__(self, problem: SetProblem, black_sets: Sets, white_sets: Sets) -> None:
        self.problem = problem
        self.cells = len(problem.cells)
        self.sets = {Player.BLACK: black_sets, Player.WHITE: white_sets}
        self.builder = Builder()
        self.boards = Boards(problem)
        self.wins = self.builder.exists("win", [player.value for player in Player])
        self.draw = self.builder.exists("draw", ["end"])[0]
        self.over = self.builder.exists("gameover", ["t1"])[0]
        self.occupied = self.builder.exists("occupied", problem.names, ["t1"])[:, 0]
        self.states: list[TurnState] = []
        self.overs = [self.over]

    # --- moves -------------------------------------------------------------------------------

    @abstractmethod
    def places(self) -> list[str]:
        """The names of the places that a move can choose, one variable each."""

    def onto_cells(self, move: Literals) -> Literals:
        """For every cell the literal that chooses it."""
        return move

    @abstractmethod
    def ways_to_cheat(self, turn: Turn) -> list[int]:
        """How many flags there are for each kind of cheating."""

    @abstractmethod
    def stones_appear(self, turn: Turn, move: Literals, state: TurnState) -> None:
        """State which cells get the stones of a move."""

    @abstractmethod
    def cheats_are_flagged(self, turn: Turn, move: Literals, flags: list[Literals]) -> None:
        """State when each flag is true."""

    def is_bound(self, turn: Turn) -> bool:
        """Whether the moves of a turn are restricted."""
        return turn.plies[0] == 1 and self.problem.first is not None

    def flag_all(self, literals: Literals, flags: Literals) -> None:
        """A flag is true iff all literals of its row are, unless the game is over."""
        self.builder.add(self.over, [-literals], flags)
        self.builder.add(self.over, literals, -flags[:, None])

    # --- turns -------------------------------------------------------------------------------

    def encoded(self, encoding: Encoding) -> Encoded:
        self.builder.add(-self.over)
        self.builder.add(-self.occupied)  # initial condition
        for number, turn in enumerate(self.problem.turns, 1):
            self._turn(number, turn)
        self._outcome()
        whole = encoded(encoding, self.builder, self.boards)
        return replace(whole, decode_play=self._play)

    def _turn(self, number: int, turn: Turn) -> None:
        label = [f"t{number}"]
        declare = self.builder.exists if turn.player is Player.BLACK else self.builder.forall
        move = declare("move", [turn.player.value], self.places(), label)[0, :, 0]
        state = self._new_state(number)
        flags = {player: self._new_flags(player, turn, label) for player in Player}
        shapes = {player: self._new_shapes(player, label) for player in Player}
        self.stones_appear(turn, move, state)
        self.cheats_are_flagged(turn, move, flags[turn.player])
        self._cheating(turn.player, flags[turn.player], state)
        self._winning(shapes, state)
        self._board(state)
        self._end(state)
        self.states.append(state)
        self.over, self.occupied = state.over, state.occupied
        self.overs.append(self.over)
        self.boards.note_board(turn.player, state.stones[turn.player], turn.plies[-1])
        self.boards.note_turn(turn, self.onto_cells(move), idle=move)

    # --- variables (2.2) ---------------------------------------------------------------------

    def _new_state(self, number: int) -> TurnState:
        here, after, names = [f"t{number}"], [f"t{number + 1}"], self.problem.names
        players = [player.value for player in Player]
        exists = self.builder.exists
        over = exists("gameover", after)[0]
        occupied = exists("occupied", names, after)[:, 0]
        win, cheat = exists("win", players, here)[:, 0], exists("cheat", players, here)[:, 0]
        stones = exists("board", players, names, here)[:, :, 0]
        return TurnState(
            dict(zip(Player, stones, strict=True)),
            dict(zip(Player, win, strict=True)),
            dict(zip(Player, cheat, strict=True)),
            over,
            occupied,
        )

    def _new_flags(self, player: Player, turn: Turn, label: list[str]) -> list[Literals]:
        """One for each way to break a rule, by kinds."""
        return [
            self.builder.exists(f"cheat{kind}", [player.value], _numbers(count), label)[0, :, 0]
            for kind, count in enumerate(self.ways_to_cheat(turn), 1)
        ]

    def _new_shapes(self, player: Player, label: list[str]) -> Literals:
        numbers = _numbers(len(self.sets[player]))
        return self.builder.exists("shape", [player.value], numbers, label)[0, :, 0]

    # --- clauses (2.3) -----------------------------------------------------------------------

    def _cheating(self, mover: Player, flags: list[Literals], state: TurnState) -> None:
        add, over = self.builder.add, self.over
        cheat, every = state.cheat[mover], np.concatenate(flags)
        add(over, -every, cheat)  # Move rule 6
        add(over, -cheat, [every])
        add(-state.cheat[mover.opponent])  # Winning condition 3, second half

    def _winning(self, shapes: dict[Player, Literals], state: TurnState) -> None:
        add, over = self.builder.add, self.over
        for player in Player:
            shape, win, cheat = shapes[player], state.win[player], state.cheat[player]
            if len(shape):  # Winning condition 1
                rows = self.problem.rows(state.stones[player], self.sets[player], TRUE)
                self.flag_all(rows, shape)
            other_cheat = state.cheat[player.opponent]
            add(over, cheat, -shape, win)  # 2
            add(over, cheat, -other_cheat, win)
            add(over, cheat, -win, other_cheat, [shape])
            add(over, -cheat, -win)  # 3

    def _board(self, state: TurnState) -> None:
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

    def _end(self, state: TurnState) -> None:
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

    # --- decoding ------------------------------------------------------------------------------

    def _play(self, assignment: Mapping[int, bool]) -> list[Position]:
        """The game up to the turn in which White breaks a rule, if he does."""
        legal = 0
        for state in self.states:
            if assignment.get(int(state.cheat[Player.WHITE])):
                break
            legal += 1
        return self.boards.play(assignment)[: legal + 1]


@lru_cache(maxsize=8)  # they are long
def _numbers(count: int) -> list[str]:
    return [str(number) for number in range(1, count + 1)]
