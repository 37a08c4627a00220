"""GDL games stated by a list of their rules, and the translation of moves back to GDL.

What is stated is the game on cells (`Game.listing`), whose moves are cases of the game's own. Which
case a move is depends on the board, and so do the literals by which it is seen and made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial, wraps
from itertools import pairwise

from skolemate.encodings.encoding import Assignment, Build, Cube, Encoded, Encoding, Script
from skolemate.games.game import Move, Position, Question
from skolemate.games.gdl.cells import ListedGame

Cubes = Mapping[Move, Cube]


def by_list(build: Build) -> Build:
    """Let an encoding of grounded rules state GDL games, too."""

    @wraps(build)
    def build_either(self: Encoding, question: Question, symmetry: bool) -> Encoded:
        game = question.game
        if not game.offers("listing"):
            return build(self, question, symmetry)
        cells = game.listing()
        assert isinstance(cells, ListedGame)
        stated = build(self, Question(cells, question.player, question.depth), symmetry)
        back = Back(cells, stated)
        return replace(
            stated,
            question=question,
            decode=back.first_move,
            decode_play=back.play,
            write_script=back.script if stated.write_script else None,
        )

    return build_either


class Back:
    """The way from a game on cells back to the GDL game."""

    def __init__(self, cells: ListedGame, stated: Encoded) -> None:
        self.cells, self.stated = cells, stated

    def first_move(self, assignment: Assignment) -> Move | None:
        case = self.stated.decode(assignment)
        return None if case is None else self.cells.rules.moves[case]

    def play(self, assignment: Assignment) -> list[Position]:
        positions = [self.cells.game.start]
        for before, after in pairwise(self.stated.decode_play(assignment)):
            case = next(case for case in before.moves() if before.play(case) == after)
            positions.append(positions[-1].play(self.cells.rules.moves[case]))
        return positions

    def script(self) -> Script:
        """The literals of moves, where they depend on the board by a function of it."""
        assert self.stated.script is not None
        plies = [
            replace(
                ply,
                seen_on=partial(self._of_moves, ply.seen, ply.seen_on),
                chosen_on=partial(self._of_moves, ply.chosen, None),
            )
            for ply in self.stated.script.plies
        ]
        return replace(self.stated.script, plies=plies)

    def _of_moves(
        self, cubes: Cubes, on: Callable[[int, int], Cubes] | None, black: int, white: int
    ) -> Cubes:
        """The literals of the moves that are legal where these facts hold."""
        rules = self.cells.short
        stones = rules.stones(black | white)
        return {
            rules.moves[case]: cube
            for case, cube in (cubes if on is None else on(*stones)).items()
            if rules.by_number[case].needs.holds(*stones)
        }
