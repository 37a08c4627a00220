"""A claim as a theorem for Coq, whose proof runs the checker in `proof/` on the strategy."""

from collections.abc import Iterable
from dataclasses import astuple
from math import inf
from typing import Protocol

from skolemate.errors import UserError
from skolemate.games.board import HexGrid
from skolemate.games.game import Game, Player, Position, Stuck
from skolemate.games.goals import Connection, Goal, Sets
from skolemate.games.positional import PositionalGame
from skolemate.games.symmetry import Permutation
from skolemate.games.views import GroundedAction, Pattern
from skolemate.strategies.nodes import Link, Node, Reply, Way
from skolemate.strategies.strategy import Strategy

HEADER = """\
From Coq Require Import NArith ZArith List.
From Skolemate Require Import Cells Game Table Links Hex Checker Actions.
Import ListNotations.
Open Scope N_scope.
"""


def coq_theorem(strategy: Strategy) -> str:
    """The text of a file that `coqc` accepts, together with the files in `proof/`."""
    game, claim = strategy.game, strategy.claim
    theory: _Theory = _Placing(game) if _places(game) else _Moving(game)
    nodes, symmetries = strategy.unfolded
    lines = [*map(theory.symmetry, symmetries), *map(theory.node, nodes)]
    listed = ";\n  ".join(lines)
    wins = (
        f"wins ({theory.rules} game) {claim.player} (N.to_nat {claim.depth}) ({theory.start} game)"
    )
    asked = f"{claim.player} {'true' if claim.wins else 'false'} {claim.depth}"
    return "\n".join(
        [
            f"(** {' '.join(str(claim).replace('*', ' ').split())}. Content {claim.content}. *)\n",
            HEADER,
            theory.definitions(),
            f"Definition lines := [\n  {listed}] : list {theory.line}.\n",
            f"Theorem claim : {wins if claim.wins else f'~ {wins}'}.",
            "Proof.",
            f"  apply ({theory.theorem(asked)}).",
            "  vm_compute. reflexivity.",
            "Qed.",
            "",
        ]
    )


def _places(game: Game) -> bool:
    """Whether `proof/Checker.v` is about it: stones are placed, and goals are sets or paths."""
    return isinstance(game, PositionalGame) and not game.misere


class _Theory(Protocol):
    """How a game and the lines of its strategies are written in one of the theories."""

    rules: str
    start: str
    line: str

    def definitions(self) -> str: ...
    def theorem(self, asked: str) -> str: ...
    def symmetry(self, permutation: Permutation) -> str: ...
    def node(self, node: Node) -> str: ...


class _Placing:
    """Games of `proof/Checker.v`."""

    rules, start, line = "positional_rules", "start", "line"

    def __init__(self, game: Game) -> None:
        self._game = game
        grid = game.board if isinstance(game.board, HexGrid) and game.board.is_whole else None
        places = () if grid is None else enumerate(grid.places)
        self._places = _list(f"({cell}, ({x}, {y})%Z)" for cell, (x, y) in places)
        self._size = "0%Z 0%Z" if grid is None else f"{grid.width}%Z {grid.height}%Z"

    def definitions(self) -> str:
        game, turns = self._game, self._game.turns_ahead
        assert turns is not None, "stones are placed in the order of a schedule"
        return (
            "Definition game : positional := Positional\n"
            f"  {_list(range(game.board.size))}\n"
            f"  {_by_player(_goal(game.goal(player)) for player in Player)}\n"
            f"  {_list(turns)}\n"
            f"  {_option(game.first_cells)} (At {game.start.black} {game.start.white} 0).\n\n"
            f"Definition places : list (N * spot) := {self._places}.\n"
        )

    def theorem(self, asked: str) -> str:
        return f"accepts_right game {asked} places {self._size} lines"

    def symmetry(self, permutation: Permutation) -> str:
        return f"Symmetry {_mapping(enumerate(permutation))}"

    def node(self, node: Node) -> str:
        where = f"{_position(self._game, node.position)} {node.position.to_move}"
        return f"Node {where} {_left(node)} {_plan(node)} {_mapping(node.via.items())}"


class _Moving:
    """Games of `proof/Actions.v`: their moves are numbered."""

    rules, start, line = "moving_rules", "moving_start", "moving_line"

    def __init__(self, game: Game) -> None:
        if not game.offers("grounded"):
            raise UserError("theorems are written about games whose moves can be listed")
        self._game, self._grounded = game, game.grounded()
        self._numbers = {
            player: {action.move: number for number, action in enumerate(actions)}
            for player, actions in self._grounded.actions.items()
        }

    def definitions(self) -> str:
        rules, size = self._grounded, self._game.board.size
        schedule = None if rules.schedule is None else _list(rules.schedule)
        actions = (_list(map(_numbered, enumerate(rules.actions[player]))) for player in Player)
        aims = (self._aims(player) for player in Player)
        return (
            "Definition game : moving := Moving\n"
            f"  {(1 << size) - 1}\n"
            f"  {_by_player(actions)}\n"
            f"  {_by_player(aims)}\n"
            f"  {_option(schedule)} {_option(rules.first_moves)}\n"
            f"  {_position(self._game, self._game.start)}\n"
            f"  {'true' if rules.stuck is Stuck.LOSES else 'false'}.\n"
        )

    def theorem(self, asked: str) -> str:
        cells = _list(range(self._game.board.size))
        return f"moving_accepts_right game {cells} {asked} lines"

    def symmetry(self, permutation: Permutation) -> str:
        return f"Turned {_mapping(enumerate(permutation))}"

    def node(self, node: Node) -> str:
        turn = node.position.to_move
        assert turn is not None, "a game that is over has no node"
        numbers = self._numbers[turn]
        where = f"{_position(self._game, node.position)} {turn}"
        move = None if node.move is None else numbers[node.move]
        via = _mapping((numbers[move], number) for move, number in node.via.items())
        return f"Single {where} {_left(node)} {_option(move)} {via}"

    def _aims(self, player: Player) -> str:
        goal = self._grounded.goals[player]
        assert not isinstance(goal, Sets | Connection), "such goals belong to the other theory"
        return "None" if goal is None else f"Some {_list(map(_pattern, goal))}"


# --- values ---------------------------------------------------------------------------------------


def _list(items: Iterable[object]) -> str:
    return f"[{'; '.join(map(str, items))}]"


def _mapping(items: Iterable[tuple[object, object]]) -> str:
    return _list(f"({one}, {other})" for one, other in items)


def _option(value: object) -> str:
    return "None" if value is None else f"(Some {value})"


def _by_player(values: Iterable[str]) -> str:
    cases = (f"{player} => {value}" for player, value in zip(Player, values, strict=True))
    return f"(fun player => match player with {' | '.join(cases)} end)"


def _goal(goal: Goal | None) -> str:
    if goal is None:
        return "None"
    if isinstance(goal, Sets):
        return f"Some (Owns {_list(goal.sets)})"
    return f"Some (Path {_mapping(enumerate(goal.neighbours))} {goal.start} {goal.end})"


def _pattern(pattern: Pattern) -> str:
    return f"(Pattern {' '.join(map(str, astuple(pattern)))})"


def _numbered(numbered: tuple[int, GroundedAction]) -> str:
    number, action = numbered
    effects = action.becomes_open, action.becomes_black, action.becomes_white
    return f"({number}, Action {_pattern(action.needs)} {' '.join(map(str, effects))})"


def _left(node: Node) -> str:
    return "Ever" if node.left == inf else f"(Plies {node.left})"


def _position(game: Game, position: Position) -> str:
    """A position with its clock: the plies since the start, or whose turn it is."""
    turns = game.turns_ahead
    if turns is None:
        clock = int(position.to_move is Player.WHITE)
    else:
        clock = position.occupied.bit_count() - game.start.occupied.bit_count()
        if clock < 0:  # no position of the game: nobody's turn
            clock = len(turns)
    return f"(At {position.black} {position.white} {clock})"


def _plan(node: Node) -> str:
    if node.move is not None:
        return f"(Move {node.move})"
    if node.pairs is not None:
        return f"(Pairing {_list(node.pairs)})"
    if node.replies:
        return f"(Replies {node.blank} {_list(map(_reply, node.replies))})"
    return f"(Linking {_list(map(_link, node.links))})" if node.links else "Every"


def _reply(reply: Reply) -> str:
    return f"Reply {reply.move} {_option(reply.node)} {_option(reply.via)} {reply.omits}"


def _link(link: Link) -> str:
    return f"Link {_option(link.left)} {_option(link.right)} {_list(map(_way, link.ways))}"


def _way(way: Way) -> str:
    *gaps, last = way.gaps
    steps = (f"({_option(gap)}, {cell})" for gap, cell in zip(gaps, way.cells, strict=True))
    return f"Way {_list(steps)} {_option(last)}"
