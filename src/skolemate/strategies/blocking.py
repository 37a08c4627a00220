"""How a player is kept from winning for ever: some answers, then pairs. And the check of it.

A plan gives the blocking player's answer in each position in which that player is to move, and
pairs where they suffice from then on: whenever the opponent takes one cell of a pair, take the
other. What is accepted here is right whatever produced it; only the game's own rules are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from skolemate.games.game import Game, Move, Player, Position
from skolemate.games.symmetry import cells_of
from skolemate.strategies.nodes import Pairs

Plan = Mapping[Position, Move | Pairs]


@dataclass(frozen=True)
class Blocking:
    """A plan against `player`, from the game's start."""

    game: Game
    player: Player
    plan: Plan

    @property
    def pairs(self) -> Pairs | None:
        """The pairs, if they suffice from the start."""
        found = self.plan.get(self.game.start)
        return found if isinstance(found, tuple) else None

    def answers(self) -> dict[Move | None, Move]:
        """The blocking player's first move, under None, or the answer to each first move."""
        start = self.game.start
        steps: dict[Move | None, Move | Pairs | None] = {None: self.plan.get(start)}
        if start.to_move is self.player and self.pairs is None:
            steps = {move: self.plan.get(start.play(move)) for move in start.moves()}
        return {move: step for move, step in steps.items() if isinstance(step, int)}

    def as_json(self) -> list[dict[str, Any]]:
        """Every position of the plan with its answer or its pairs."""
        name = self.game.board.names
        return [
            {
                "black": [name[cell] for cell in cells_of(position.black)],
                "white": [name[cell] for cell in cells_of(position.white)],
                "answer": name[step] if isinstance(step, int) else None,
                "pairs": [[name[a], name[b]] for a, b in step] if isinstance(step, tuple) else None,
            }
            for position, step in self.plan.items()
        ]


def blocks(plan: Plan, position: Position, player: Player) -> bool:
    """Whether nobody who follows the plan from here on ever lets the player win."""
    if position.winner is not None or not position.moves():
        return position.winner is not player
    step = plan.get(position)
    if isinstance(step, tuple):
        return pairs_hold(step, position, player)
    if position.to_move is player:
        return all(blocks(plan, position.play(move), player) for move in position.moves())
    if step is None or step not in position.moves():
        return False
    return blocks(plan, position.play(step), player)


def pairs_hold(pairs: Pairs, position: Position, player: Player) -> bool:
    """Whether answering in these pairs keeps the player from every set still within reach."""
    view, start = position.game.hypergraph(), position.game.start
    sets = view.black_sets if player is Player.BLACK else view.white_sets
    own, enemy = position.stones(player), position.stones(player.opponent)
    ahead = view.schedule[(position.occupied & ~start.occupied).bit_count() :]
    cells = [cell for pair in pairs for cell in pair]
    return (
        len(set(cells)) == len(cells)
        and not any(own >> cell & 1 for cell in cells)
        and all(
            s & enemy
            or any(s >> a & s >> b & 1 for a, b in pairs)
            or (s & ~own).bit_count() > ahead.count(player)
            for s in sets or ()
        )
        and (player, player) not in pairwise(ahead)
    )
