"""A strategy as an automaton over the variables of a formula.

Its states are positions. It reads the opponent's moves off the variables in which they are seen,
and sets those of the owner's replies. Where no legal move is seen, it assumes one: the strategy
then answers in a game that is, for its owner, no better than the one the formula is in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from skolemate.certificates.aig import Aig, negated
from skolemate.encodings import Encoded
from skolemate.encodings.parts.script import Cube, Duty, Facts, ScriptedPly
from skolemate.errors import UserError
from skolemate.games.game import Move, Player, Position
from skolemate.strategies import Strategy

__all__ = ["Automaton", "State"]


class State(NamedTuple):
    """What the automaton knows between two plies.

    `spare` are stones of the owner's that the formula demands and the strategy does not know of.
    """

    position: Position
    over: bool
    spare: int = 0
    old: bool = False  # over before this turn


class Automaton:
    """Unrolls a strategy ply by ply into a graph.

    `functions` are those of the variables that the owner sets, `ends` the states in the end, each
    with the literal that tells whether it is reached.
    """

    def __init__(self, strategy: Strategy, encoded: Encoded, graph: Aig) -> None:
        self._strategy, self._graph = strategy, graph
        self._cases: dict[int, list[int]] = defaultdict(list)
        self._placed: dict[Move, list[int]] = defaultdict(list)  # when the owner has made a move
        self._swapped = strategy.claim.player is Player.WHITE  # then the formula's Black is White
        layer = {self._state(strategy.game.start): 1}
        turn = 0
        for ply in encoded.script or ():
            if ply.turn != turn:
                aged = ((state._replace(old=state.over), met) for state, met in layer.items())
                layer = self._joined(aged)
            turn = ply.turn
            layer = self._after(ply, layer)
        self.ends = layer
        self.functions = {v: graph.any_of(cases) for v, cases in self._cases.items()}

    def _after(self, ply: ScriptedPly, layer: dict[State, int]) -> dict[State, int]:
        owns = self._player(ply) is self._strategy.owner
        if self._strategy.claim.wins and ply.running is not None:
            self._tell(ply.running, (met for state, met in layer.items() if not state.over))
        mentioned = [*ply.chosen.values(), ply.idle] if owns else ply.shown.values()
        for literals in mentioned:
            self._mention(literals)
        follow = self._replied if owns else self._observed
        following = self._joined(
            edge for state, met in layer.items() for edge in follow(ply, state, met)
        )
        if owns and ply.seen != ply.chosen:
            for move, literals in ply.seen.items():  # on a board that keeps its stones
                self._mention(literals)
                self._set(literals, self._graph.any_of(self._placed[move]))
        return following

    def _joined(self, edges: Iterable[tuple[State, int]]) -> dict[State, int]:
        """The states to which edges lead, each with whether some edge to it is taken."""
        found: dict[State, list[int]] = defaultdict(list)
        for state, case in edges:
            found[state].append(case)
        return {state: self._graph.any_of(cases) for state, cases in found.items()}

    # --- the owner's plies -----------------------------------------------------------------------

    def _replied(self, ply: ScriptedPly, state: State, met: int) -> Iterator[tuple[State, int]]:
        move = None if state.over else self._reply(state.position)
        following = state if move is None else self._state(state.position.play(move), state.spare)
        obliged = ply.duty is Duty.ALWAYS or (ply.duty is Duty.IN_TURN and not state.old)
        if obliged and (move not in ply.chosen or state.spare >> (move or 0) & 1):
            taken = state.position.occupied | state.spare
            spare = next((cell for cell in ply.chosen if not taken >> cell & 1), None)
            if spare is not None:
                following = following._replace(spare=state.spare | 1 << spare)
            move = spare
        if move is not None and move in ply.chosen:
            self._set(ply.chosen[move], met)
            self._placed[move].append(met)
        yield following, met

    def _reply(self, position: Position) -> Move:
        reply = self._strategy.move(position)
        if reply is None:
            raise UserError(f"the strategy has no reply here; does `check` accept it?\n{position}")
        return reply

    # --- the opponent's plies --------------------------------------------------------------------

    def _observed(self, ply: ScriptedPly, state: State, met: int) -> Iterator[tuple[State, int]]:
        """Of several moves that are seen the first one counts; of none, any legal one."""
        legal = list(self._possible(ply, state))
        rest = met
        for move, following in legal:
            if move in ply.seen:
                seen = self._graph.cube(ply.seen[move])
                case = self._graph.both(rest, seen)
                rest = self._graph.both(rest, negated(seen))
                self._show(ply, move, case)
                yield following, case
        if legal and not state.over:
            unseen = (item for item in legal if item[0] not in ply.seen)
            move, following = next(unseen, legal[0])
            self._show(ply, move, rest)
            yield following, rest
        else:
            yield state, rest

    def _possible(self, ply: ScriptedPly, state: State) -> Iterator[tuple[Move, State]]:
        """The moves of the opponent, each with the state after it."""
        position, player = state.position, self._player(ply)
        if not state.over:
            for move in position.moves():
                yield move, self._state(position.play(move), state.spare)
        elif ply.duty is Duty.ALWAYS:
            for cell in ply.seen:  # stones still take cells from the owner
                if not (position.occupied | state.spare) >> cell & 1:
                    yield cell, state._replace(position=_with_stone(position, player, cell))

    # --- what is told ----------------------------------------------------------------------------

    def _state(self, position: Position, spare: int = 0) -> State:
        return State(position, self._strategy.claim.plies_by_rules(position) is not None, spare)

    def _player(self, ply: ScriptedPly) -> Player:
        return ply.player.opponent if self._swapped else ply.player

    def _show(self, ply: ScriptedPly, move: Move, case: int) -> None:
        self._set(ply.shown.get(move, ()), case)

    def _mention(self, literals: Cube) -> None:
        for literal in literals:
            self._cases[abs(literal)]  # false unless told otherwise

    def _set(self, literals: Cube, case: int) -> None:
        for literal in literals:
            if literal > 0:
                self._cases[literal].append(case)

    def _tell(self, variable: int, cases: Iterable[int]) -> None:
        self._cases[variable].extend(cases)

    def tell_facts(self, facts: Facts, case: int) -> None:
        """Literals that are true in some cases of a case."""
        for variable, cubes in facts.items():
            listed = self._graph.any_of(map(self._graph.cube, cubes))
            self._cases[variable].append(self._graph.both(case, listed))


def _with_stone(position: Position, player: Player, cell: int) -> Position:
    if player is Player.BLACK:
        return position._replace(black=position.black | 1 << cell)
    return position._replace(white=position.white | 1 << cell)
