"""Writing BDDL in the paper's form, domain and problem in one file.

As in `.pg` files, the position is written from which questions are asked, not the moves before.
"""

from __future__ import annotations

from skolemate.errors import UserError
from skolemate.games.bddl.model import Action, Condition, Model
from skolemate.games.bits import cells_of
from skolemate.games.game import DEEPEST, Game, Player

__all__ = ["to_bddl"]


def to_bddl(game: Game) -> str:
    """The text of a `.bddl` file.

    >>> from skolemate.games.family import build
    >>> text = to_bddl(build("harary(shape=domino, width=2, height=2, moves=a1)"))
    >>> print(text[text.index("#boardsize"):], end="")
    #boardsize
    2 2
    #blackturn
    second
    #init
    (black(1,1))
    #depth
    3
    #blackgoals
    (black(?x,?y) black(?x,?y+1))
    (black(?x,?y) black(?x+1,?y))
    #whitegoals
    (white(?x,?y) white(?x,?y+1))
    (white(?x,?y) white(?x+1,?y))
    """
    model = game.bddl()
    if game.start.winner is not None:  # Definition 9 would make a reader refuse it
        raise UserError(f"{game} cannot be written in BDDL: {game.start.winner} has won already")
    depth = game.horizon if game.remaining_depth is None else game.remaining_depth
    remarks = [*str(game).splitlines(), "", *str(game.start).splitlines(), ""]
    lines = [f"% {line}".rstrip() for line in remarks]
    for player in Player:
        lines.append(f"#{player.value}actions")
        for action in model.actions_of(player):
            lines += _action(action)
    lines += ["#boardsize", f"{model.width} {model.height}"]
    if model.first is Player.WHITE:
        lines += ["#blackturn", "second"]
    lines += ["#init", _start(model)]
    if depth is not None and depth <= DEEPEST:
        lines += ["#depth", str(depth)]
    for player in Player:
        lines.append(f"#{player.value}goals")
        lines += map(str, model.goals_of(player))
    return "\n".join(lines) + "\n"


def _action(action: Action) -> list[str]:
    conditions: list[tuple[str, Condition]] = [
        (":precondition", action.precondition),
        (":effect", action.effect),
    ]
    return [
        f":action {action.name}",
        ":parameters (?x,?y)",
        *(f"{name} {condition}" for name, condition in conditions),
    ]


def _start(model: Model) -> str:
    stones = [
        f"{player.value}({x + 1},{y + 1})"
        for player, mask in ((Player.BLACK, model.black), (Player.WHITE, model.white))
        for x, y in (divmod(cell, model.height) for cell in cells_of(mask))
    ]
    return f"({' '.join(stones)})"
