"""Pictures of a strategy: a tree of plays as text, DOT or SVG, and a page to step through."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from math import inf
from typing import Any

from skolemate.errors import UserError
from skolemate.games import Move, Player, Position, cells_of
from skolemate.output import finite, plies
from skolemate.render import status, svg
from skolemate.strategies.strategy import Strategy

# --- the tree -------------------------------------------------------------------------------------


# --- the tree -------------------------------------------------------------------------------------


@dataclass
class Branch:
    """A position in the tree, and the move that led there; at the root there is none."""

    position: Position
    left: float
    move: Move | None = None
    mover: Player | None = None
    note: str | None = None  # how the play ends here
    branches: list[Branch] = field(default_factory=list)
    hidden: int = 0  # moves that are not followed

    @property
    def name(self) -> str:
        """The move as people write it."""
        if self.move is None or self.mover is None:
            return "start"
        return self.position.game.short_name(self.move, self.mover)

    def walk(self) -> Iterator[Branch]:
        """This branch and all above it."""
        yield self
        for branch in self.branches:
            yield from branch.walk()


def note(strategy: Strategy, position: Position, left: float) -> str | None:
    """How the play ends here, if it does: by the rules, by pairs, or because no ply is left."""
    if not position.moves():
        return status(position)
    if left == 0:
        return "no ply is left"
    pairs = strategy.pairs(position)
    if pairs is None:
        return None
    names = position.game.board.names
    listed = ", ".join(f"{names[a]}-{names[b]}" for a, b in pairs)
    if not listed:
        return "nothing can be completed in time"
    return f"{strategy.owner} answers within pairs: {listed}"


def linked(strategy: Strategy, position: Position) -> str | None:
    """A note where links join the owner's borders: the tree may end here, or show the rest."""
    carrier = strategy.carrier(position)
    if carrier is None:
        return None
    return f"{strategy.owner} is linked: {position.game.board.named(carrier)}"


def followers(strategy: Strategy, position: Position) -> tuple[Move, ...]:
    """The moves that can follow: the owner's reply, or every move of the opponent."""
    if position.to_move is not strategy.owner:
        return tuple(position.moves())
    reply = strategy.move(position)
    if reply is None:
        raise UserError("this strategy never leads to that position; follow its own replies")
    return (reply,)


def reached(strategy: Strategy, moves: tuple[Move, ...]) -> tuple[Position, float]:
    """The position of a strategy after some moves, and the plies that are left there."""
    position = strategy.game.start
    for move in moves:
        position = position.play(move)
    if strategy.for_ever:
        return position, inf
    if len(moves) > strategy.depth:
        raise UserError(f"the strategy is for {plies(strategy.depth)} only")
    return position, strategy.depth - len(moves)


def grow(
    strategy: Strategy, moves: tuple[Move, ...] = (), plies: int = 3, width: int = 12
) -> Branch:
    """The tree after some moves: `plies` deep, with at most `width` moves of the opponent each."""
    root = Branch(*reached(strategy, moves))
    waiting = [(root, plies)]
    while waiting:
        branch, room = waiting.pop()
        branch.note = note(strategy, branch.position, branch.left)
        if branch.note is None and not room:
            branch.note = linked(strategy, branch.position)
        if branch.note is not None:
            continue
        following = followers(strategy, branch.position)
        shown = following[:width] if room else ()
        branch.hidden = len(following) - len(shown)
        for move in shown:
            after = branch.position.play(move)
            branch.branches.append(Branch(after, branch.left - 1, move, branch.position.to_move))
        waiting += [(above, room - 1) for above in branch.branches]
    return root


# --- drawing --------------------------------------------------------------------------------------


READABLE = 600  # branches of a drawing; more cannot be read
LETTER, GAP, ROW, MARGIN = 7, 46, 22, 16  # pixels


def outline(root: Branch) -> Iterator[str]:
    """Lines of text: a line for each move of the opponent, with the owner's reply behind it.

    `…` stands where the tree goes on.
    """
    chain, last = _chain(root)
    yield chain.strip() or "start"
    yield from _below(last, "")


def _below(branch: Branch, indent: str) -> Iterator[str]:
    for place, above in enumerate(branch.branches):
        ends = place == len(branch.branches) - 1 and not branch.hidden
        chain, last = _chain(above)
        yield f"{indent}{'└' if ends else '├'}─ {above.name}{chain}"
        yield from _below(last, indent + ("   " if ends else "│  "))
    if branch.branches and branch.hidden:
        yield f"{indent}└─ … {branch.hidden} more"


def _chain(branch: Branch) -> tuple[str, Branch]:
    """The moves after a branch as long as there is only one each, and the last branch."""
    words = ""
    while len(branch.branches) == 1 and not branch.hidden:
        branch = branch.branches[0]
        words += f" → {branch.name}"
    if branch.note is not None:
        words += f": {branch.note}"
    elif branch.hidden and not branch.branches:
        words += " …"
    return words, branch


def dot(root: Branch) -> str:
    """The tree in Graphviz's language; moves are on the edges, and the plies left in the nodes."""
    numbers = {id(branch): number for number, branch in enumerate(_drawn(root))}
    lines = ["digraph strategy {", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
    for branch in root.walk():
        label = branch.note or (f"{branch.left} left" if branch.left < inf else "for ever") + (
            f", {branch.hidden} more" * bool(branch.hidden)
        )
        lines.append(f"  {numbers[id(branch)]} [label={_quoted(label)}];")
        for above in branch.branches:
            edge = f"{numbers[id(branch)]} -> {numbers[id(above)]}"
            lines.append(f"  {edge} [label={_quoted(f'{above.mover} {above.name}')}];")
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def tree_svg(root: Branch) -> str:
    """The tree as a picture: plies from left to right, a stone for each move."""
    places: dict[int, tuple[float, float]] = {}
    rows = _place(root, 0, 0, places)
    branches = _drawn(root)
    columns = 1 + max(x for x, _ in places.values())
    inner, outer = (
        max((len(_words(b)) for b in branches if bool(b.branches) is has), default=0) * LETTER
        for has in (True, False)
    )
    column = GAP + inner
    width, height = 2 * MARGIN + (columns - 1) * column + GAP + outer, 2 * MARGIN + rows * ROW
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="sans-serif" font-size="12">',
        f"<title>{escape(str(root.position.game))}: a strategy</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="#f6edd8"/>',
    ]
    spots = {
        key: (MARGIN + x * column + 6, MARGIN + (y + 0.5) * ROW) for key, (x, y) in places.items()
    }
    for branch in branches:
        x, y = spots[id(branch)]
        for above in branch.branches:
            to_x, to_y = spots[id(above)]
            path = f"M{x:g} {y:g}C{x + 40:g} {y:g} {to_x - 40:g} {to_y:g} {to_x:g} {to_y:g}"
            lines.append(f'<path d="{path}" fill="none" stroke="#a08e69"/>')
    for branch in branches:
        x, y = spots[id(branch)]
        fill = {Player.BLACK: "#1a1c21", Player.WHITE: "#ffffff", None: "#a8d4f0"}[branch.mover]
        lines.append(f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="{fill}" stroke="#1a1c21"/>')
        halo = 'paint-order="stroke" stroke="#f6edd8" stroke-width="4" fill="#1a1c21"'
        words = escape(_words(branch))
        lines.append(f'<text x="{x + 9:g}" y="{y + 4:g}" {halo}>{words}</text>')
    return "\n".join([*lines, "</svg>", ""])


def _words(branch: Branch) -> str:
    if branch.note is not None:
        return f"{branch.name}: {branch.note}"
    return f"{branch.name} +{branch.hidden}" if branch.hidden else branch.name


def _place(
    branch: Branch, column: int, row: float, places: dict[int, tuple[float, float]]
) -> float:
    """Give every branch its column and row; returns the number of rows used."""
    below = row
    for above in branch.branches:
        below += _place(above, column + 1, below, places)
    height = max(1.0, below - row)
    places[id(branch)] = column, row + (height - 1) / 2
    return height


def _drawn(root: Branch) -> list[Branch]:
    branches = list(root.walk())
    if len(branches) > READABLE:
        raise UserError(
            f"a drawing of {len(branches)} moves is too large; "
            "draw less, as in --plies 3 --width 5, or start later, with --moves"
        )
    return branches


# --- the page -------------------------------------------------------------------------------------
# A strategy as one HTML page that a reader steps through: no network, all data inside.


LARGEST = 30_000  # positions in a page; browsers stay quick
ALL_SHOWN = 1_000  # up to so many positions, the page also plays out links


def page(strategy: Strategy, moves: tuple[Move, ...] = ()) -> str:
    """The page, from the position after some moves on.

    The board is the same picture as everywhere; the page's script only sets the stones.
    """
    game, claim = strategy.game, strategy.claim
    start, left = reached(strategy, moves)
    empty = svg(Position(game, 0, 0, start.to_move))
    linked_somewhere = any(node.links for node in strategy.nodes)
    most = ALL_SHOWN if linked_somewhere else LARGEST
    positions = _positions(strategy, start, left, most, note)
    if not positions and linked_somewhere:
        positions = _positions(strategy, start, left, LARGEST, _note_or_link)
    data = {
        "owner": str(strategy.owner),
        "opponent": str(strategy.owner.opponent),
        "cells": game.board.names,
        "positions": positions,
    }
    if not positions:
        raise UserError(
            f"a page holds {LARGEST} positions, and this strategy has more; "
            "start later in the game, after some moves"
        )
    # "<" could end the script that holds the data.
    embedded = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    template = files("skolemate.strategies").joinpath("page.html").read_text(encoding="utf-8")
    parts = {
        "@TITLE@": escape(claim.sentence(strategy.for_ever)),
        "@BOARD@": empty,
        "@DATA@": embedded,
    }
    for mark, text in parts.items():
        template = template.replace(mark, text)
    return template


def _note_or_link(strategy: Strategy, position: Position, left: float) -> str | None:
    return note(strategy, position, left) or linked(strategy, position)


def _positions(
    strategy: Strategy,
    start: Position,
    left: float,
    most: int,
    ends: Callable[[Strategy, Position, float], str | None],
) -> list[dict[str, Any]]:
    """Every position that can arise, in the order met: stones, status, and the positions after it.

    An empty list if there are more than `most`.
    """
    names = strategy.game.board.names
    numbers = {(start, left): 0}
    listed: list[dict[str, Any]] = []
    waiting = [(start, left)]
    while len(listed) < len(waiting):
        position, left = waiting[len(listed)]
        ending = ends(strategy, position, left)
        following: list[list[object]] = []
        for move in () if ending is not None else followers(strategy, position):
            after = position.play(move), left - 1
            if after not in numbers:
                numbers[after] = len(numbers)
                waiting.append(after)
            assert position.to_move is not None, "somebody moves"
            cells = strategy.game.move_cells(move, position.to_move)
            name = strategy.game.short_name(move, position.to_move)
            following.append([name, numbers[after], [names[cell] for cell in cells]])
        if len(numbers) > most:
            return []
        stones = (
            "X" if position.black >> c & 1 else "O" if position.white >> c & 1 else "."
            for c in range(len(names))
        )
        pairs = enumerate(strategy.pairs(position) or (), 1)
        marks = [[names[cell], place] for place, pair in pairs for cell in pair]
        marks += [[names[cell], "•"] for cell in cells_of(strategy.carrier(position) or 0)]
        listed.append(
            {
                "at": "".join(stones),
                "says": ending or status(position),
                "own": position.to_move is strategy.owner,
                "left": finite(left),
                "next": following,
                "marks": marks if ending is not None else [],
            }
        )
    return listed
