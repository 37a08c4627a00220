"""GDL games stated by listed rules or by winning sets, and moves translated back to GDL.

The game on cells (`Game.listing`) has a list of rules. Its moves are cases of the game's own. Which
case a move is depends on the board, and so do the literals by which it is seen and made. A game of
placing stones (`Game.stones`) is stated by its winning sets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial, wraps
from itertools import pairwise

from skolemate.encodings.encoding import Assignment, Build, Cube, Encoded, Encoding, Script
from skolemate.games.game import Game, Move, Player, Position, Question
from skolemate.games.gdl.cells import ListedGame
from skolemate.games.gdl.positional import Stones
from skolemate.games.symmetry import cells_of

Cubes = Mapping[Move, Cube]


def _about(question: Question, stated: Encoded, back: Back | FromStones) -> Encoded:
    """What was stated, as the formula of the GDL game."""
    return replace(
        stated,
        question=question,
        decode=back.first_move,
        decode_play=back.play,
        write_script=back.script if stated.write_script else None,
    )


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
        return _about(question, stated, Back(cells, stated))

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
                shown_on=partial(self._of_moves, ply.shown, None),
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


def by_stones(build: Build) -> Build:
    """Let an encoding of winning sets state GDL games in which stones are placed, too."""

    @wraps(build)
    def build_either(self: Encoding, question: Question, symmetry: bool) -> Encoded:
        game = question.game
        if not game.offers("stones"):
            return build(self, question, symmetry)
        stones = game.stones()
        stated = build(self, Question(stones.game, question.player, question.depth), symmetry)
        return _about(question, stated, FromStones(game, stones, stated))

    return build_either


class FromStones:
    """The way from a game of placing stones back to the GDL game."""

    def __init__(self, game: Game, stones: Stones, stated: Encoded) -> None:
        self.game, self.stones, self.stated = game, stones, stated

    def first_move(self, assignment: Assignment) -> Move | None:
        cell = self.stated.decode(assignment)
        return None if cell is None else self.stones.moves[Player.BLACK][cell]

    def play(self, assignment: Assignment) -> list[Position]:
        """Up to the first ply at which no stone is placed."""
        positions = [self.game.start]
        for before, after in pairwise(self.stated.decode_play(assignment)):
            mover = before.to_move
            placed = list(cells_of(after.occupied & ~before.occupied))
            if mover is None or not placed:
                break
            positions.append(positions[-1].play(self.stones.moves[mover][placed[0]]))
        return positions

    def script(self) -> Script:
        assert self.stated.script is not None
        plies = []
        for ply in self.stated.script.plies:
            moved = partial(_moved, self.stones.moves[ply.player])
            seen_on = None if ply.seen_on is None else partial(self._seen, moved, ply.seen_on)
            seen, chosen, kept = map(moved, (ply.seen, ply.chosen, ply.kept))
            plies.append(replace(ply, seen=seen, chosen=chosen, kept=kept, seen_on=seen_on))
        return replace(self.stated.script, plies=plies)

    def _seen(
        self,
        moved: Callable[[Cubes], Cubes],
        on: Callable[[int, int], Cubes],
        black: int,
        white: int,
    ) -> Cubes:
        return moved(on(*self.stones.on(black | white)))


def _moved(moves: Mapping[int, Move], cubes: Cubes) -> Cubes:
    """The same literals for the moves that place stones on these cells."""
    return {moves[cell]: cube for cell, cube in cubes.items()}
