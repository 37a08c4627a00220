"""What the tests of pictures share: games on boards of their own, and looking into SVG."""

from __future__ import annotations

from textwrap import dedent
from xml.etree import ElementTree

from skolemate.games import (
    Position,
    PositionalGame,
    Sets,
)
from skolemate.games.board import Board
from skolemate.games.family import FAMILIES
from skolemate.games.game import turns
from skolemate.games.goals import Goal

NAMESPACE = "{http://www.w3.org/2000/svg}"
EXAMPLES = [example for family in FAMILIES for example in family.examples]
EXAMPLES.append("harary(shape=el, width=4, height=3, torus=true)")


def drawing(picture: str) -> str:
    """A drawing in a test, without the indentation of the test."""
    return dedent(picture).strip("\n")


def on(board: Board, moves: str = "", goal: Goal | None = None) -> PositionalGame:
    """A game on a board of one's own; its goal is out of the picture unless given."""
    game = PositionalGame("", board, goal or Sets.of([(1 << board.size) - 1]), None, turns(99))
    return game.after(game.parse_moves(moves))


def parsed(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def of_class(picture: str, *classes: str) -> list[ElementTree.Element]:
    """The elements that have all these classes."""
    return [e for e in parsed(picture).iter() if set(classes) <= set(e.get("class", "").split())]


def words(picture: str, tag: str) -> str:
    return parsed(picture).findtext(f"{NAMESPACE}{tag}") or ""


def centre(element: ElementTree.Element) -> tuple[float, float]:
    return float(element.attrib["cx"]), float(element.attrib["cy"])


def advanced(position: Position, plies: int) -> Position:
    """Some plies on, each the first legal move, while the game lasts."""
    for _ in range(plies):
        moves = position.moves()
        position = position.play(moves[0]) if moves else position
    return position
