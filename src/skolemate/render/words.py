"""A position in words: the title and the description that a picture carries."""

from __future__ import annotations

from skolemate.games.bits import mask_of
from skolemate.games.game import Game, Move, Player, Position, Stuck
from skolemate.output import sentence
from skolemate.render.borders import loose_borders, side_owners
from skolemate.render.marks import Marks

__all__ = ["description", "goal_sentences", "move_names", "status"]


def status(position: Position) -> str:
    """Whose move it is, or how the game ended."""
    if position.winner is not None:
        return f"{position.winner} has won"
    if position.moves():
        return f"{position.to_move} to move"
    loses = position.game.stuck(position) is Stuck.LOSES
    return f"{position.to_move} cannot move and loses" if loses else "a draw"


def move_names(game: Game, move: Move, player: Player, joined: str = " = ") -> str:
    """A move's name, and the short one that people use if there is one."""
    name, short = game.move_name(move), game.short_name(move, player)
    return name if short == name else f"{name}{joined}{short}"


def goal_sentences(game: Game) -> list[str]:
    """Which borders a player joins, where they are not sides of the board."""
    return [
        f"{player} joins {game.board.named(goal.start) or 'nothing'}"
        f" to {game.board.named(goal.end) or 'nothing'}."
        for player, goal in loose_borders(game).items()
    ]


def description(position: Position, marks: Marks) -> str:
    """Everything that the picture shows.

    >>> from skolemate.games.family import build
    >>> start = build("tictactoe(moves=a1 b2)").start
    >>> description(start, Marks.of(start))
    'Black: a1. White: b2. Black to move.'
    """
    board, sides = position.game.board, side_owners(position.game)
    sentences = [
        f"{player}: {board.named(position.stones(player)) or 'no stones'}." for player in Player
    ]
    sentences.append(sentence(status(position)))
    if sides.rows is not None:
        sentences.append(f"{sides.rows} joins top and bottom.")
    if sides.columns is not None:
        sentences.append(f"{sides.columns} joins left and right.")
    sentences += goal_sentences(position.game)
    if marks.last:
        sentences.append(f"Last move: {board.named(mask_of(marks.last))}.")
    if marks.highlighted:
        sentences.append(f"Highlighted: {board.named(mask_of(marks.highlighted))}.")
    if marks.numbers:
        ordered = sorted(marks.numbers.items(), key=lambda item: (item[1], item[0]))
        numbered = ", ".join(f"{value} on {board.names[cell]}" for cell, value in ordered)
        sentences.append(f"Numbers: {numbered}.")
    if marks.arrows:
        drawn = ", ".join(f"{board.names[a]} to {board.names[b]}" for a, b in marks.arrows)
        sentences.append(f"Arrows: {drawn}.")
    return " ".join(sentences)
