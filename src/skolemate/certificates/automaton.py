"""A strategy as an automaton over the variables of a formula.

Its states are positions. It reads the opponent's moves from their variables, and sets the variables
of the owner's replies. If the variables show no legal move, it assumes one: the strategy then
answers in a game that is no better for its owner than the one in the formula.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from skolemate.certificates.certificate import FALSE, TRUE, Aig, negated
from skolemate.encodings import Encoded
from skolemate.encodings.encoding import Cube, Duty, Premise, Script, ScriptedPly
from skolemate.errors import UserError
from skolemate.games.game import Move, Player, Position
from skolemate.strategies import Strategy


class State(NamedTuple):
    """A state of the automaton between two plies.

    `spare` are stones of the owner that the formula demands and that the strategy ignores.
    """

    position: Position
    over: bool
    spare: int = 0
    old: bool = False  # over before this turn


class Automaton:
    """Unrolls a strategy ply by ply into a graph.

    `functions` are those of the variables that the owner sets; `ends` are the final states, each
    with a literal that is true if the state is reached.
    """

    def __init__(self, strategy: Strategy, encoded: Encoded, graph: Aig) -> None:
        self._strategy, self._graph = strategy, graph
        self._cases: dict[int, list[int]] = defaultdict(list)
        self._made: dict[tuple[Player, Move], list[int]] = defaultdict(list)  # when, by whom
        self._swapped = strategy.claim.player is Player.WHITE  # the formula exchanges the colours
        self._claims: list[tuple[int, _Contents]] = []  # claims of the opponent, and the boards
        layer = {self._state(strategy.game.start): TRUE}
        turn = 0
        script = encoded.script or Script()
        for ply in script.plies:
            if ply.turn != turn:
                aged = ((state._replace(old=state.over), met) for state, met in layer.items())
                layer = self._joined(aged)
            turn = ply.turn
            layer = self._after(ply, layer, ply is script.plies[-1])
        self.ends = layer
        self._name_goals(script)
        self.functions = {v: graph.any_of(cases) for v, cases in self._cases.items()}

    def _after(self, ply: ScriptedPly, layer: dict[State, int], last: bool) -> dict[State, int]:
        owns = self._player(ply) is self._strategy.owner
        if self._strategy.claim.wins and ply.running is not None:
            self._tell(ply.running, (met for state, met in layer.items() if not state.over))
        for part in (ply, ply.other):
            if part is not None:
                own = self._player(part) is self._strategy.owner
                for literals in (*part.chosen.values(), part.idle) if own else part.shown.values():
                    self._mention(literals)
        if owns and ply.stop is not None:
            self._mention((ply.stop,))
        if not owns:
            here = _Contents(self._graph, layer, self._swapped)
            for flag, cases in ply.flags.items():
                self._tell(flag, [here.case_of(cases)])
        following = self._joined(
            edge for state, met in layer.items() for edge in self._follow(ply, state, met)
        )
        if not owns and ply.stop is not None:
            self._claims.append((ply.stop, _Contents(self._graph, following, self._swapped)))
        if self._strategy.claim.wins and ply.after:
            self._tell_cell(ply, following, last)
        for move, literals in ply.kept.items() if self._strategy.claim.wins else ():
            self._mention(literals)
            self._set(literals, self._graph.any_of(self._made[ply.player, move]))
        return following

    def _follow(self, ply: ScriptedPly, state: State, met: int) -> Iterator[tuple[State, int]]:
        """The states after a ply of the player whose turn it is."""
        part = ply
        if ply.other is not None and state.position.to_move is not self._player(ply):
            part = ply.other
        owns = self._player(part) is self._strategy.owner
        return (self._replied if owns else self._observed)(part, state, met)

    def _joined(self, edges: Iterable[tuple[State, int]]) -> dict[State, int]:
        """The states to which edges lead, each with the literal for "some edge to it is taken"."""
        by_state: dict[State, list[int]] = defaultdict(list)
        for state, case in edges:
            by_state[state].append(case)
        return {state: self._graph.any_of(cases) for state, cases in by_state.items()}

    # --- the owner's plies -----------------------------------------------------------------------

    def _replied(self, ply: ScriptedPly, state: State, met: int) -> Iterator[tuple[State, int]]:
        if ply.foreseen and not state.over and self._wins_in_turn(state.position):
            state = state._replace(over=True)
        move = None if state.over else self._reply(state.position)
        following = state if move is None else self._state(state.position.play(move), state.spare)
        obliged = ply.duty is Duty.ALWAYS or (ply.duty is Duty.IN_TURN and not state.old)
        if obliged and (move not in ply.chosen or state.spare >> (move or 0) & 1):
            taken = state.position.occupied | state.spare
            spare = next((cell for cell in ply.chosen if not taken >> cell & 1), None)
            if spare is not None:
                following = following._replace(spare=state.spare | 1 << spare)
            move = spare
        chosen = self._on_board(ply.chosen, ply.chosen_on, state.position)
        if move is not None and move in chosen:
            self._set(chosen[move], met)
            self._made[ply.player, move].append(met)
        if ply.stop is not None and move is not None and following.position.winner is not None:
            self._set((ply.stop,), met)
        yield following, met

    def _wins_in_turn(self, position: Position) -> bool:
        """Whether the player to move can win before the other moves."""
        following = (position.play(move) for move in position.moves())
        return any(
            after.winner is position.to_move
            or (after.to_move is position.to_move and self._wins_in_turn(after))
            for after in following
        )

    def _reply(self, position: Position) -> Move:
        reply = self._strategy.move(position)
        if reply is None:
            raise UserError(f"the strategy has no reply here; check it with `check`\n{position}")
        return reply

    # --- the opponent's plies --------------------------------------------------------------------

    def _observed(self, ply: ScriptedPly, state: State, met: int) -> Iterator[tuple[State, int]]:
        """The states after the opponent's ply: of several moves seen, the first one counts.

        If none is seen, any legal move is assumed, or the opponent has lost.
        """
        legal = list(self._possible(ply, state))
        shown, rest = self._on_board(ply.seen, ply.seen_on, state.position), met
        for move, following in legal:
            if move in shown:
                seen = self._graph.cube(shown[move])
                case = self._graph.both(rest, seen)
                rest = self._graph.both(rest, negated(seen))
                self._show(ply, state, move, case)
                yield following, case
        replaced = ply.replaced and any(move in shown for move, _ in legal)
        if ply.strict and not replaced:
            yield state._replace(over=True), rest
        elif legal and not state.over:
            unseen = (item for item in legal if item[0] not in shown)
            move, following = next(unseen, legal[0])
            self._show(ply, state, move, rest)
            yield following, rest
        else:
            yield state, rest

    def _on_board(
        self,
        cubes: Mapping[Move, Cube],
        on: Callable[[int, int], Mapping[Move, Cube]] | None,
        position: Position,
    ) -> Mapping[Move, Cube]:
        """The literals of moves, by a function of the board if there is one."""
        stones = (position.black, position.white)
        return cubes if on is None else on(*(reversed(stones) if self._swapped else stones))

    def _possible(self, ply: ScriptedPly, state: State) -> Iterator[tuple[Move, State]]:
        """The moves of the opponent, each with the state after it."""
        position, player = state.position, self._player(ply)
        if not state.over:
            for move in position.moves():
                yield move, self._state(position.play(move), state.spare)
        elif ply.duty is Duty.ALWAYS:
            for cell in ply.seen:  # after the end stones still take cells from the owner
                if not (position.occupied | state.spare) >> cell & 1:
                    yield cell, state._replace(position=_with_stone(position, player, cell))

    # --- setting variables -----------------------------------------------------------------------

    def _state(self, position: Position, spare: int = 0) -> State:
        return State(position, self._strategy.claim.plies_by_rules(position) is not None, spare)

    def _player(self, ply: ScriptedPly) -> Player:
        return ply.player.opponent if self._swapped else ply.player

    def _show(self, ply: ScriptedPly, state: State, move: Move, case: int) -> None:
        shown = self._on_board(ply.shown, ply.shown_on, state.position)
        self._set(shown.get(move, ()), case)
        self._made[ply.player, move].append(case)

    def _mention(self, literals: Cube) -> None:
        for literal in literals:
            self._cases[abs(literal)]  # no case: false

    def _set(self, literals: Cube, case: int) -> None:
        for literal in literals:
            if literal > 0:
                self._cases[literal].append(case)

    def _tell(self, variable: int, cases: Iterable[int]) -> None:
        self._cases[variable].extend(cases)

    # --- goals that are named in the end ---------------------------------------------------------

    def _tell_cell(self, ply: ScriptedPly, layer: dict[State, int], last: bool) -> None:
        """Set what is on the symbolic cell; at the end, at the time of the opponent's claim."""
        graph, here = self._graph, _Contents(self._graph, layer, self._swapped)
        for literal, cases in ply.after.items():
            value = here.case_of(cases)
            for stop, then in reversed(self._claims) if last else ():
                claimed = graph.literal(stop)
                value = graph.any_of(
                    [
                        graph.both(claimed, then.case_of(cases)),
                        graph.both(negated(claimed), value),
                    ]
                )
            self._tell(literal, [value])

    def _name_goals(self, script: Script) -> None:
        """Name the goal that the owner reaches, and a failing premise of the opponent's goals."""
        owner = Player.BLACK if self._strategy.claim.wins else Player.WHITE
        goals = script.goals.get(owner, ())
        for case in goals:
            self._mention(case.name)
        for state, met in self.ends.items():
            if state.position.winner is self._strategy.owner:
                here = _Contents(self._graph, {state: TRUE}, self._swapped)
                reached = (c for c in goals if all(here.holds(p) == TRUE for p in c.premises))
                named = next(reached, None)
                self._set(named.name if named is not None else (), met)
        if self._strategy.claim.wins:
            self._refute_goals(script)

    def _refute_goals(self, script: Script) -> None:
        """Name the first failing premise of a goal that the opponent claims."""
        for name in script.failing:
            self._mention(name)
        graph, unclaimed = self._graph, TRUE
        for stop, here in self._claims:
            claimed = graph.both(unclaimed, graph.literal(stop))
            unclaimed = graph.both(unclaimed, negated(graph.literal(stop)))
            for case in script.goals.get(Player.WHITE, ()):
                named = graph.both(claimed, graph.cube(case.name))
                for premise, name in zip(case.premises, script.failing, strict=False):
                    held = here.holds(premise)
                    self._set(name, graph.both(named, negated(held)))
                    named = graph.both(named, held)


class _Contents:
    """The content of each cell in a layer of states, as literals."""

    def __init__(self, graph: Aig, layer: Mapping[State, int], swapped: bool) -> None:
        self._graph, self._layer, self._swapped = graph, layer, swapped
        self._stones: dict[tuple[int, Player], int] = {}

    def holds(self, premise: Premise | bool) -> int:
        """Whether a premise holds, in the formula's colours."""
        if isinstance(premise, bool):
            return TRUE if premise else FALSE
        if premise.owner is None:
            taken = self._graph.any_of(self._stone(premise.cell, player) for player in Player)
            return taken ^ (not premise.negated)
        return self._stone(premise.cell, premise.owner) ^ premise.negated

    def case_of(self, cases: Iterable[tuple[Cube, Premise | bool]]) -> int:
        """Whether one of these cubes is true together with its premise."""
        graph = self._graph
        return graph.any_of(graph.both(graph.cube(cube), self.holds(p)) for cube, p in cases)

    def _stone(self, cell: int, player: Player) -> int:
        if (cell, player) not in self._stones:
            owner = player.opponent if self._swapped else player
            self._stones[cell, player] = self._graph.any_of(
                met
                for state, met in self._layer.items()
                if state.position.stones(owner) >> cell & 1
            )
        return self._stones[cell, player]


def _with_stone(position: Position, player: Player, cell: int) -> Position:
    if player is Player.BLACK:
        return position._replace(black=position.black | 1 << cell)
    return position._replace(white=position.white | 1 << cell)
