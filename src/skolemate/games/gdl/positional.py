"""A GDL description as a positional game, if it is one: stones are placed to own a winning set.

A description that is exactly such a game becomes one, so that it can be written as `.pg` or BDDL,
and be stated by encodings of such games. Others are refused with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase
from typing import NamedTuple

from skolemate.errors import UserError
from skolemate.games.board import Graph
from skolemate.games.game import Move, Player, turns
from skolemate.games.gdl.cells import OPEN, Cell, Listed, Needs, holds
from skolemate.games.gdl.description import Term, written
from skolemate.games.gdl.game import GdlGame
from skolemate.games.goals import Sets
from skolemate.games.positional import PositionalGame
from skolemate.games.symmetry import mask_of


class Stones(NamedTuple):
    """A GDL game as a positional one, from its start on.

    For both players and every open cell: the move that places a stone there, and the fact that
    then holds.
    """

    game: PositionalGame
    moves: dict[Player, dict[int, Move]]
    facts: dict[Player, dict[int, int]]

    def on(self, state: int) -> tuple[int, int]:
        """The black and the white stones where these facts hold."""
        start = self.game.start
        black, white = (
            mask_of(cell for cell, fact in self.facts[player].items() if holds(fact, state))
            for player in Player
        )
        return start.black | black, start.white | white


def positional(game: GdlGame) -> PositionalGame:
    """The same game from its start on, as a positional one."""
    return placing_stones(game).game


def placing_stones(game: GdlGame) -> Stones:
    """The same game with the way back to its moves and facts."""
    reason = game.lacks("listing")
    if reason is not None:
        raise _refused(game, reason)
    listing = game.listing()
    rules = listing.short
    placed = {player: dict(_stones(game, rules, player)) for player in Player}
    if placed[Player.BLACK].keys() != placed[Player.WHITE].keys():
        raise _refused(game, "the players may place stones on different cells")
    owners = _owners(game, rules, placed)
    goals = {player: _sets(game, rules, player, owners) for player in Player}
    cells = sorted(
        {*placed[Player.BLACK], *(c for sets in goals.values() for s in sets for c in s)}
    )
    number = {cell: place for place, cell in enumerate(cells)}
    stones = dict.fromkeys(Player, 0)
    start = rules.contents(listing.start.black, listing.start.white)
    for cell in cells:
        if start[cell] != 1 << OPEN:
            owner = owners.get(_content(game, rules, cell, start[cell]))
            if owner is None:
                raise _refused(game, "something other than a player's stone is on the board")
            stones[owner] |= 1 << number[cell]
        elif cell not in placed[Player.BLACK]:
            raise _refused(game, "no stone can be placed on a cell of a goal")
    sets = {
        player: Sets.of(mask_of(number[cell] for cell in winning) for winning in goals[player])
        for player in Player
    }
    schedule = listing.turns_ahead or turns(len(cells), first=listing.start.to_move or Player.BLACK)
    same = PositionalGame(
        game.name,
        Graph.of(_names(game, [rules.cells[cell] for cell in cells])),
        sets[Player.BLACK],
        sets[Player.WHITE],
        schedule,
        stones[Player.BLACK],
        stones[Player.WHITE],
        depth=game.remaining_depth,
    )
    moves, facts = (dict[Player, dict[int, int]](), dict[Player, dict[int, int]]())
    for player in Player:
        made = {cell: number for number, case in rules.cases[player] for cell, _ in case.effect}
        moves[player] = {number[cell]: rules.moves[case] for cell, case in made.items()}
        said = (
            (number[cell], rules.cells[cell][content]) for cell, content in placed[player].items()
        )
        facts[player] = {cell: fact for cell, fact in said if fact is not None}
    return Stones(same, moves, facts)


def _refused(game: GdlGame, reason: str) -> UserError:
    return UserError(f"{game} cannot be written as a game of placing stones: {reason}")


def _stones(game: GdlGame, rules: Listed, player: Player) -> Iterator[tuple[int, int]]:
    """The cells on which a player may place a stone, with the content that they then have."""
    for number, case in rules.cases[player]:
        needs, effect = list(case.needs), list(case.effect)
        if len(effect) != 1 or effect[0][1] == OPEN or needs != [(effect[0][0], 1 << OPEN)]:
            move = game.move_name(rules.moves[number])
            raise _refused(game, f"{move} does more than place a stone on an open cell")
        yield effect[0]


def _content(game: GdlGame, rules: Listed, cell: int, contents: int) -> Term:
    """What is said of a cell that has some content: the last argument of its fact."""
    fact = rules.cells[cell][contents.bit_length() - 1]
    assert fact is not None
    term = game.network.facts[fact]
    return term[-1] if isinstance(term, tuple) else term


def _owners(
    game: GdlGame, rules: Listed, placed: dict[Player, dict[int, int]]
) -> dict[Term, Player]:
    """Whose stones are called what: each player's have one name, and not the same."""
    names = {
        player: {_content(game, rules, cell, 1 << content) for cell, content in stones.items()}
        for player, stones in placed.items()
    }
    if any(len(name) != 1 for name in names.values()) or len(set().union(*names.values())) != 2:
        raise _refused(game, "each player's stones must be of one kind, and not of the same")
    return {name: player for player, called in names.items() for name in called}


def _sets(
    game: GdlGame, rules: Listed, player: Player, owners: dict[Term, Player]
) -> list[list[int]]:
    """The winning sets of a player."""

    def own(cell: int, contents: int) -> bool:
        single = contents.bit_count() == 1 and contents != 1 << OPEN
        return single and owners.get(_content(game, rules, cell, contents)) is player

    goals: tuple[Needs, ...] = rules.goal_needs[player]
    if not goals:
        raise _refused(game, f"{game.called(player)} has no goal")
    if not all(own(*need) for goal in goals for need in goal):
        raise _refused(game, f"{game.called(player)} wins by more than stones on some cells")
    return [sorted(cell for cell, _ in goal) for goal in goals]


def _names(game: GdlGame, cells: list[Cell]) -> list[str]:
    """Names of cells by the arguments of their facts: `cell(2,3,x)` is on b3, `cell(b3,x)` too."""
    found = []
    for cell in cells:
        term = game.network.facts[next(fact for fact in cell if fact is not None)]
        place = term[1:-1] if isinstance(term, tuple) else ()
        words = [written(part) for part in place]
        if len(words) == 2 and words[0].isdigit() and 0 < int(words[0]) <= len(ascii_lowercase):
            words[0] = ascii_lowercase[int(words[0]) - 1]
        found.append("".join(words) if len(words) == 2 and words[1].isdigit() else "_".join(words))
    if len(set(found)) < len(found) or "" in found:
        return [f"v{number}" for number in range(1, len(cells) + 1)]
    return found
