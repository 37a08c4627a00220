"""A question cut down to what matters: open cells, winning sets or a graph, and turns.

Stones are folded into the goals; what cannot be completed in time is dropped, and then what is
left without use. Often nothing remains to be asked: then the problem is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TypeVar

from skolemate.ask.question import Question
from skolemate.games.bits import cells_of, mask_of
from skolemate.games.game import Game, Move, Player, Position
from skolemate.games.schedule import Schedule
from skolemate.games.symmetry import move_mask, orbits

__all__ = [
    "AnyProblem",
    "Problem",
    "ProblemOf",
    "Turn",
    "first_codes",
    "trimmed_turns",
]


@dataclass(frozen=True)
class Turn:
    """Plies in a row by one player, counted from 1."""

    player: Player
    plies: tuple[int, ...]

    @classmethod
    def of(cls, schedule: Schedule) -> list[Turn]:
        """A schedule, consecutive plies of one player taken together."""
        plies = groupby(enumerate(schedule, 1), key=lambda item: item[1])
        return [cls(player, tuple(ply for ply, _ in run)) for player, run in plies]


@dataclass(frozen=True)
class Problem:
    """The cells that matter (in order: their codes), the turns up to Black's last, first moves.

    `first` are the codes allowed at the first ply, None if all are.
    """

    question: Question
    cells: tuple[int, ...]
    schedule: Schedule
    first: tuple[int, ...] | None

    @cached_property
    def names(self) -> list[str]:
        board = self.question.game.board
        return [board.names[cell] for cell in self.cells]

    @property
    def turns(self) -> list[Turn]:
        return Turn.of(self.schedule)

    def allowed(self, ply: int) -> list[int]:
        """The codes on which a stone may be placed at a ply, as far as restrictions go."""
        bound = ply == 1 and self.first is not None
        return list(self.first or ()) if bound else list(range(len(self.cells)))

    def first_move(self, codes: Iterable[int]) -> Move | None:
        """A legal move that one of the codes means; any for a pass, which does no harm."""
        legal = self.question.game.start.moves()
        coded = [self.move_onto(self.cells[code]) for code in codes]
        return next(iter((*(move for move in coded if move in legal), *legal)), None)

    def move_onto(self, cell: int) -> Move:
        """The move that puts a stone onto a cell."""
        return cell

    def position(self, black: int, white: int, ply: int) -> Position:
        """The position after a ply, from masks over codes; somebody may have passed before."""
        game = self.question.game
        claimed = [mask_of(self.cells[code] for code in cells_of(m)) for m in (black, white)]
        black, white = game.start.black | claimed[0], game.start.white | claimed[1]
        return Position(game, black, white, self.mover(ply))

    def mover(self, ply: int) -> Player | None:
        """Who moves after a ply."""
        schedule = self.question.game.grounded().schedule or ()
        return schedule[ply] if ply < len(schedule) else None

    @property
    def restricted(self) -> bool:
        """Whether symmetry has bound the first move."""
        bound_by_rules = self.question.game.grounded().first_moves is not None
        return self.first is not None and len(self.first) < len(self.cells) and not bound_by_rules


AnyProblem = TypeVar("AnyProblem", bound=Problem)

# What is left of a question, or its answer if nothing is. The flag: restrict the first move.
ProblemOf = Callable[[Question, bool], AnyProblem | bool]


def trimmed_turns(question: Question, schedule: Schedule) -> Schedule:
    """The plies within the depth, up to Black's last: what White does later changes nothing."""
    within = schedule[: question.depth]
    while within and within[-1] is Player.WHITE:
        within = within[:-1]
    return within


def first_codes(
    game: Game, cells: Iterable[int], restriction: int | None, symmetry: bool
) -> tuple[int, ...] | None:
    """The codes among cells that the rules, or else symmetry, allow at the first ply.

    None if all are allowed.
    """
    allowed = _first_of_orbits(game) if symmetry and restriction is None else restriction
    if allowed is None:
        return None
    return tuple(code for code, cell in enumerate(cells) if allowed >> cell & 1)


def _first_of_orbits(game: Game) -> int:
    """One cell of each orbit, which will do for whoever moves first.

    For the permutations keep the stones and both players' goals.
    """
    start = game.start
    keeping = [
        permutation
        for permutation in game.symmetries
        if move_mask(permutation, start.black) == start.black
        and move_mask(permutation, start.white) == start.white
    ]
    return mask_of(orbit[0] for orbit in orbits(game.board.size, keeping))
