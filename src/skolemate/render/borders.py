"""Whose border is where: goals that are paths, as far as a picture shows them.

On a Hex board the borders usually are whole sides, and the picture draws these. Borders that
are not (any other board, or unusual goals) are shown cell by cell.
"""

from __future__ import annotations

from dataclasses import dataclass

from skolemate.games.board import HexGrid
from skolemate.games.game import Game, Player
from skolemate.games.goals import Connection

__all__ = ["Sides", "connections", "loose_borders", "side_owners"]


@dataclass(frozen=True)
class Sides:
    """The owners of the sides of a Hex board."""

    rows: Player | None = None  # who joins the first row to the last: top and bottom
    columns: Player | None = None  # who joins the first column to the last: left and right


def connections(game: Game) -> dict[Player, Connection]:
    """The players whose goal is a path, with that goal."""
    goals = {player: game.goal(player) for player in Player}
    return {player: goal for player, goal in goals.items() if isinstance(goal, Connection)}


def side_owners(game: Game) -> Sides:
    """Who owns which sides of the board; nobody owns any unless it is a Hex board."""
    board = game.board
    if not isinstance(board, HexGrid):
        return Sides()
    goals = connections(game)

    def owner(first: int, last: int, *candidates: Player) -> Player | None:
        for player in candidates:
            if player in goals and {goals[player].start, goals[player].end} == {first, last}:
                return player
        return None

    # On a single cell all sides are the same: the order gives each player two of them.
    return Sides(
        rows=owner(board.row(0), board.row(board.height - 1), Player.BLACK, Player.WHITE),
        columns=owner(board.column(0), board.column(board.width - 1), Player.WHITE, Player.BLACK),
    )


def loose_borders(game: Game) -> dict[Player, Connection]:
    """The path goals whose borders are not sides of the board, hence shown cell by cell."""
    sides = side_owners(game)
    shown = (sides.rows, sides.columns)
    return {player: goal for player, goal in connections(game).items() if player not in shown}
