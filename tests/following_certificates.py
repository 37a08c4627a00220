"""Playing by a certificate: moves go to a SAT solver, as assumptions, together with the functions.

The replies are read off the model; so is the board, off the formula's own variables, to be compared
with what the rules say. Whoever does this against every move has a strategy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from skolemate.certificates.certificate import Certificate, Numbering, blocks_of, sat_solver
from skolemate.encodings import Encoded
from skolemate.encodings.encoding import Cube, Duty, Script, ScriptedPly
from skolemate.errors import Disagreement, UserError
from skolemate.formula import Formula
from skolemate.games.game import Move, Player, Position
from skolemate.games.symmetry import mask_of
from skolemate.strategies import Claim, Node, Strategy
from skolemate.strategies.claim import packed

if TYPE_CHECKING:
    from pysat.solvers import Solver

HONEST = "minisat22"


@dataclass(frozen=True)
class Game:
    """A game that is being played by a certificate, in the real colours.

    `values` are those of the variables that tell it so far. `exact` says that the formula knows as
    much of the board as it can: it does not if it was told another move, or if the owner passed.
    """

    position: Position
    plies: int
    values: Mapping[int, bool]
    exact: bool = True
    seen: tuple[Move, ...] = ()  # the opponent's moves


class Follower:
    """Plays the owner's side of a certificate."""

    def __init__(self, encoded: Encoded, certificate: Certificate) -> None:
        question = encoded.as_asked
        self.claim = Claim(question.game, question.player, question.depth, certificate.true)
        self._encoded, self._formula = encoded, encoded.formula
        self._script = encoded.script or Script()
        plies = self._script.plies
        if not certificate.true and any(p.duty is Duty.ALWAYS or p.after for p in plies):
            raise UserError(
                f"{encoded.encoding.name} has no board to play on without a win; use et or cor+"
            )
        numbering = Numbering(self._formula, certificate.graph)
        self._solver = sat_solver()
        for clause in numbering.clauses(certificate.functions):
            self._solver.add_clause(clause)
        self._cells = self._told_cells()
        self._inputs, self._own = set(certificate.graph.variables), list(certificate.functions)
        self._block = blocks_of(self._formula)
        self._honest = None if certificate.true else _Honesty(self._formula)

    def _told_cells(self) -> int:
        """The cells of which the formula knows: all, or those onto which a move is told."""
        plies = self._script.plies
        if not any(ply.kept or ply.duty is Duty.ALWAYS for ply in plies):
            return (1 << self.claim.game.board.size) - 1
        return mask_of({move for ply in plies for move in ply.seen})

    def begin(self) -> Game:
        return Game(self.claim.game.start, 0, {})

    def is_mine(self, game: Game) -> bool:
        return game.position.to_move is self.claim.owner

    def opponent_plays(self, game: Game, move: Move) -> Game:
        """The game after a legal move of the opponent's."""
        seen, ply = (*game.seen, move), self._ply(game)
        game = replace(game, seen=seen)
        if ply is not None:
            unclaimed = () if ply.stop is None else (ply.stop,)
            mentioned = (*ply.chosen.values(), ply.idle, unclaimed)
            told = ply.chosen.get(move, self._pass(game, ply))
            values = _filled(game.values, mentioned, told or ())
            if self._honest is not None:
                self._honest.tell(ply, values, seen)
            game = replace(game, values=values, exact=game.exact and told is not None)
        return self._moved(game, move)

    def _pass(self, game: Game, ply: ScriptedPly) -> Cube | None:
        """For a move that has no variables: one onto a taken cell, which changes nothing."""
        if self._honest is not None:
            return ()  # a board is told, and no stone appears on it
        legal = set(game.position.moves())
        return next((cube for move, cube in ply.seen.items() if move not in legal), None)

    def reply(self, game: Game) -> tuple[Move, Game]:
        """The owner's move, and the game after it; any move where the formula passes."""
        legal, ply = game.position.moves(), self._ply(game)
        if ply is None:
            return legal[0], self._moved(game, legal[0])
        if self._honest is not None:
            game = replace(game, values=self._honest.completed(game.values, ply))
        model = self.model(game)
        told = (m for m in legal if m in ply.seen and set(ply.seen[m]) <= model)
        found = next(told, None)
        move = legal[0] if found is None else found
        values = {**game.values, **{v: v in model for v in self._chosen_by(ply)}}
        values = _filled(values, ply.shown.values(), ply.shown.get(move, ()))
        exact = game.exact and found is not None
        return move, self._moved(replace(game, values=values, exact=exact), move)

    def _chosen_by(self, ply: ScriptedPly) -> list[int]:
        """The owner's variables up to a ply: also those that no move sets, as of a full column."""
        last = max((self._block[abs(x)] for cube in ply.chosen.values() for x in cube), default=-1)
        return [variable for variable in self._own if self._block[variable] <= last]

    def _moved(self, game: Game, move: Move) -> Game:
        return replace(game, position=game.position.play(move), plies=game.plies + 1)

    def _ply(self, game: Game) -> ScriptedPly | None:
        plies = self._script.plies
        return plies[game.plies] if game.plies < len(plies) else None

    # --- the solver ------------------------------------------------------------------------------

    def model(self, game: Game, more: Iterable[int] = ()) -> set[int]:
        """The literals that are true as the game stands; what comes later is arbitrary."""
        told = [v if value else -v for v, value in game.values.items() if v in self._inputs]
        if not self._solver.solve(assumptions=[*told, *more]):
            raise Disagreement(f"the functions contradict themselves at\n{game.position}")
        return set(self._solver.get_model() or ())

    def board(self, game: Game) -> Position | None:
        """The position as the formula's own variables tell it; None in the middle of a turn."""
        if game.plies == 0:
            return game.position
        ply = self._script.plies[game.plies - 1]
        if ply.after:
            return self._cell_by_cell(game, ply)
        if self._honest is not None:
            following = self._ply(game)
            if following is None or not self.is_mine(game):
                return None  # ∃ has not told the board yet, or never will
            game = replace(game, values=self._honest.completed(game.values, following))
        model = self.model(game)
        top = self._formula.maximal_variable
        assignment = {v: v in model for v in range(1, top + 1)}
        told = self._encoded.decode_play(assignment)
        turns = [ply.turn for ply in self._script.plies]
        whole = self._ply(game) is None or turns[game.plies] != turns[game.plies - 1]
        number = len(set(turns[: game.plies])) if turns[0] else game.plies
        if (turns[0] and not whole) or number >= len(told):
            return None
        return self._real(told[number])._replace(to_move=game.position.to_move)

    def _cell_by_cell(self, game: Game, ply: ScriptedPly) -> Position:
        """∀ asks about one cell after another."""
        masks = {None: 0, Player.BLACK: 0, Player.WHITE: 0}
        is_open, is_white = ply.after
        for name, premise in ply.after[is_open]:
            if not isinstance(premise, bool):
                model = self.model(game, name)
                owner = Player.WHITE if is_white in model else Player.BLACK
                masks[None if is_open in model else owner] |= 1 << premise.cell
        start = self._encoded.question.game.start
        told = Position(start.game, masks[Player.BLACK], masks[Player.WHITE], None)
        return self._real(told)._replace(to_move=game.position.to_move)

    def _real(self, told: Position) -> Position:
        """A position of the formula's in the colours of the question."""
        if self.claim.player is Player.BLACK:
            return Position(self.claim.game, told.black, told.white, told.to_move)
        return Position(self.claim.game, told.white, told.black, told.to_move)

    def compare(self, game: Game) -> bool:
        """Whether the formula's board could be compared with the rules'; they must agree."""
        board = self.board(game) if game.exact and game.plies <= len(self._script.plies) else None
        if board is None:
            return False
        seen = (board.black ^ game.position.black) | (board.white ^ game.position.white)
        if seen & self._cells:
            raise Disagreement(f"the formula's board\n{board}\nis not the rules'\n{game.position}")
        return True


def _filled(values: Mapping[int, bool], mentioned: Iterable[Cube], true: Cube) -> dict[int, bool]:
    """Values, with some literals made true, and mentioned variables false that have no value."""
    filled = dict(values)
    for literals in mentioned:
        for literal in literals:
            filled.setdefault(abs(literal), False)
    for literal in true:
        filled[abs(literal)] |= literal > 0
    return filled


class _Honesty:
    """Values for all variables of ∃ while ∃ is the opponent, who plays and does not cheat.

    The clauses about what has been chosen so far are satisfied, with as little true as a solver
    that tries false first makes true.
    """

    def __init__(self, formula: Formula) -> None:
        self._block = blocks_of(formula)
        listed = [clause.tolist() for clause in formula.clauses()]
        self._clauses = [
            (max((self._block[abs(x)] for x in clause), default=-1), clause) for clause in listed
        ]
        self._solvers: dict[int, Solver] = {}

    def tell(self, ply: ScriptedPly, values: dict[int, bool], seen: tuple[Move, ...]) -> None:
        """The board after some moves of ∃, and that the game is still on."""
        for move, literals in ply.kept.items():
            values.update((abs(x), (x > 0) is (move in seen)) for x in literals)
        if ply.running is not None:
            values[ply.running] = True

    def completed(self, values: Mapping[int, bool], ply: ScriptedPly) -> dict[int, bool]:
        """Values of all variables that are chosen before those of a ply."""
        chosen = [abs(x) for literals in ply.chosen.values() for x in literals]
        last = min((self._block[v] for v in chosen), default=0) - 1
        if ply.running is not None:
            values = {**values, ply.running: True}
        told = [v if value else -v for v, value in values.items() if self._block[v] <= last]
        solver = self._solver(last)
        if not solver.solve(assumptions=told):
            raise Disagreement("the formula does not allow a legal move")
        model = set(solver.get_model() or ())
        return {**values, **{v: v in model for v, block in self._block.items() if block <= last}}

    def _solver(self, last: int) -> Solver:
        if last not in self._solvers:
            self._solvers[last] = sat_solver(HONEST)
            for block, clause in self._clauses:
                if block <= last:
                    self._solvers[last].add_clause(clause)
        return self._solvers[last]


def strategy_of(follower: Follower) -> Strategy:
    """The strategy that a certificate plays, against every move."""
    nodes: dict[int, Node] = {}
    _grow(follower, follower.begin(), nodes)
    return Strategy(follower.claim, list(nodes.values()))


def _grow(follower: Follower, game: Game, nodes: dict[int, Node]) -> None:
    claim, position = follower.claim, game.position
    left = claim.depth - game.plies
    key = packed(position)
    if key in nodes or claim.held_by_rules(position, left) is not None:
        return
    follower.compare(game)
    if follower.is_mine(game):
        move, after = follower.reply(game)
        _grow(follower, after, nodes)
        nodes[key] = Node(position, left, move)
    else:
        for move in position.moves():
            _grow(follower, follower.opponent_plays(game, move), nodes)
        nodes[key] = Node(position, left)
