"""A claim as a theorem for Coq, proved by computing the checker in `proof/` on its lines."""

from collections.abc import Iterable
from math import inf

from skolemate.errors import UserError
from skolemate.games.board import HexGrid
from skolemate.games.game import Player, Position
from skolemate.games.goals import Goal, Sets
from skolemate.games.positional import PositionalGame
from skolemate.games.symmetry import Permutation
from skolemate.strategies.nodes import Link, Node, Reply, Way
from skolemate.strategies.strategy import Strategy

HEADER = """\
From Coq Require Import NArith ZArith List.
From Skolemate Require Import Cells Game Table Links Hex Checker.
Import ListNotations.
Open Scope N_scope.
"""


def coq_theorem(strategy: Strategy) -> str:
    """The text of a file that `coqc` accepts, together with the files in `proof/`."""
    game, claim = strategy.game, strategy.claim
    if not isinstance(game, PositionalGame):
        raise UserError("theorems are written about positional games only")
    if any(node.blank or any(reply.omits for reply in node.replies) for node in strategy.nodes):
        raise UserError("the proved checker does not cover zones, which this strategy has")
    grid = game.board if isinstance(game.board, HexGrid) else None
    coords = (
        [] if grid is None else [f"({c}, ({x}, {y})%Z)" for c, (x, y) in enumerate(grid.places)]
    )
    size = "0%Z 0%Z" if grid is None else f"{grid.width}%Z {grid.height}%Z"
    start, first = game.start, game.first_cells
    goals = (f"{player} => {_goal(game.goal(player))}" for player in Player)
    lines = [*map(_symmetry, strategy.symmetries), *(_node(game, node) for node in strategy.nodes)]
    listed = ";\n  ".join(lines)
    wins = f"wins (positional_rules game) {claim.player} (N.to_nat {claim.depth}) (start game)"
    win = "true" if claim.wins else "false"
    return "\n".join(
        [
            f"(** {' '.join(str(claim).replace('*', ' ').split())}. Content {claim.content}. *)\n",
            HEADER,
            "Definition game : positional := Positional",
            f"  {_list(range(game.board.size))}",
            f"  (fun player => match player with {' | '.join(goals)} end)",
            f"  {_list(game.turns_ahead)}",
            f"  {_option(first)} (At {start.black} {start.white} 0).\n",
            f"Definition places : list (N * spot) := {_list(coords)}.\n",
            f"Definition lines : list line := [\n  {listed}].\n",
            f"Theorem claim : {wins if claim.wins else f'~ {wins}'}.",
            "Proof.",
            f"  apply (accepts_right game {claim.player} {win} {claim.depth} places {size} lines).",
            "  vm_compute. reflexivity.",
            "Qed.",
            "",
        ]
    )


def _list(items: Iterable[object]) -> str:
    return f"[{'; '.join(map(str, items))}]"


def _option(value: object) -> str:
    return "None" if value is None else f"(Some {value})"


def _goal(goal: Goal | None) -> str:
    if goal is None:
        return "None"
    if isinstance(goal, Sets):
        return f"Some (Owns {_list(goal.sets)})"
    graph = _list(f"({cell}, {near})" for cell, near in enumerate(goal.neighbours))
    return f"Some (Path {graph} {goal.start} {goal.end})"


def _symmetry(permutation: Permutation) -> str:
    return f"Symmetry {_list(f'({c}, {image})' for c, image in enumerate(permutation))}"


def _node(game: PositionalGame, node: Node) -> str:
    left = "Ever" if node.left == inf else f"(Plies {node.left})"
    via = _list(f"({move}, {number})" for move, number in node.via.items())
    return (
        f"Node {_position(game, node.position)} {node.position.to_move} {left} {_plan(node)} {via}"
    )


def _position(game: PositionalGame, position: Position) -> str:
    plies = position.occupied.bit_count() - game.start.occupied.bit_count()
    clock = plies if plies >= 0 else len(game.turns_ahead)  # no position of the game: nobody's turn
    return f"(At {position.black} {position.white} {clock})"


def _plan(node: Node) -> str:
    if node.move is not None:
        return f"(Move {node.move})"
    if node.pairs is not None:
        return f"(Pairing {_list(node.pairs)})"
    if node.replies:
        return f"(Replies {_list(map(_reply, node.replies))})"
    return f"(Linking {_list(map(_link, node.links))})" if node.links else "Every"


def _reply(reply: Reply) -> str:
    return f"Reply {reply.move} {_option(reply.node)} {_option(reply.via)}"


def _link(link: Link) -> str:
    return f"Link {_option(link.left)} {_option(link.right)} {_list(map(_way, link.ways))}"


def _way(way: Way) -> str:
    *gaps, last = way.gaps
    steps = (f"({_option(gap)}, {cell})" for gap, cell in zip(gaps, way.cells, strict=True))
    return f"Way {_list(steps)} {_option(last)}"
