"""Listed rules, ply by ply: the moves, contents of cells, wins and threats possible at each ply.

*Reachable pairs* of facts, the mutexes of planning (Blum and Furst 1997, Haslum and Geffner 2000),
tell which contents two cells can have at the same time after so many plies. Moves whose needs are
never met together are left out, and moves of which at most one is ever legal share a code.

For GROUND, GB and GD.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from skolemate.encodings.parts.problems import open_sets
from skolemate.games import Game, Move, Player, Question, cells_of
from skolemate.games.game import Stuck
from skolemate.games.symmetry import Permutation, move_mask
from skolemate.games.views import Grounded, GroundedAction, Pattern
from skolemate.limits import breathe

# --- rules ----------------------------------------------------------------------------------------
# What a cell may contain is a set of contents, as a mask of three bits.


OPEN, BLACK, WHITE = 1, 2, 4
ANY = OPEN | BLACK | WHITE

Needs = dict[int, int]  # the contents that cells must have, by cell


def needs_of(pattern: Pattern) -> Needs:
    """
    >>> needs_of(Pattern(black=0b01, no_white=0b10)) == {0: BLACK, 1: OPEN | BLACK}
    True
    """
    needs: Needs = {}
    for mask, contents in (
        (pattern.black, BLACK),
        (pattern.white, WHITE),
        (pattern.occupied, BLACK | WHITE),
        (pattern.no_black, OPEN | WHITE),
        (pattern.no_white, OPEN | BLACK),
    ):
        for cell in cells_of(mask):
            needs[cell] = needs.get(cell, ANY) & contents
    return needs


class Rule(NamedTuple):
    """A move: what it needs, and the contents that it gives to cells.

    `loses`: needs under which it completes a goal of the opponent's.
    """

    move: Move
    needs: Needs
    effect: dict[int, int]
    loses: Sequence[Needs] = ()

    @classmethod
    def of(cls, action: GroundedAction) -> Rule:
        made = (
            (action.becomes_open, OPEN),
            (action.becomes_black, BLACK),
            (action.becomes_white, WHITE),
        )
        effect = {cell: content for mask, content in made for cell in cells_of(mask)}
        return cls(action.move, needs_of(action.needs), effect)

    @property
    def in_black(self) -> Rule:
        """The same move with black stones."""
        effect = {cell: min(content, BLACK) for cell, content in self.effect.items()}
        return self._replace(effect=effect)

    def meeting(self, goal: Needs) -> Needs | None:
        """What must hold before the move so that it meets a goal; None if it does not."""
        needs = dict(self.needs)
        for cell, contents in goal.items():
            if cell not in self.effect:
                needs[cell] = needs.get(cell, ANY) & contents
            elif not self.effect[cell] & contents:
                return None
        return needs if all(needs.values()) else None


# --- what is possible -----------------------------------------------------------------------------


Facts = npt.NDArray[np.bool_]  # by fact: 3 * cell + the place of the content's bit


def facts(cell: int, contents: int) -> list[int]:
    return [3 * cell + bit for bit in range(3) if contents >> bit & 1]


@dataclass(frozen=True)
class Reachable:
    """The pairs of facts that may hold together after some ply: never too few of them."""

    pairs: Facts

    @classmethod
    def at(cls, cells: int, black: int, white: int) -> Reachable:
        """A position: every two facts about it hold together."""
        held = np.zeros(3 * cells, np.bool_)
        for cell in range(cells):
            content = BLACK if black >> cell & 1 else WHITE if white >> cell & 1 else OPEN
            held[facts(cell, content)] = True
        return cls(np.outer(held, held))

    @property
    def contents(self) -> list[int]:
        """What each cell may contain."""
        held = self.pairs.diagonal().reshape(-1, 3)
        return [int(contents) for contents in held @ (OPEN, BLACK, WHITE)]

    def beside(self, needs: Needs) -> Facts | None:
        """The facts that may hold together with some needs; None if these never hold."""
        breathe()
        held = self.pairs.diagonal().copy()
        for cell, contents in needs.items():
            held &= self.pairs[facts(cell, contents)].any(axis=0)
        met = all(held[facts(cell, contents)].any() for cell, contents in needs.items())
        return held if met else None

    def after(self, rules: Sequence[Rule], beside: Sequence[Facts]) -> Reachable:
        """What may hold after one of these moves, each given with the facts beside its needs."""
        pairs = self.pairs.copy()
        for rule, held in zip(rules, beside, strict=True):
            kept = held.copy()
            made = [fact for cell, content in rule.effect.items() for fact in facts(cell, content)]
            for cell in rule.effect:
                kept[facts(cell, ANY)] = False
            kept[made] = True
            pairs[made] |= kept
            pairs[:, made] |= kept[:, None]
        return Reachable(pairs)


def shared_codes(rules: Sequence[Rule], beside: Sequence[Facts]) -> list[int]:
    """A code for every move; moves share one only if no two of them are ever legal together.

    This is to colour a graph, done greedily, beginning with the moves that have most rivals.
    """
    count = len(rules)
    needed = [(place, *item) for place, rule in enumerate(rules) for item in rule.needs.items()]
    owners, cells, wanted = np.array(needed, np.int64).reshape(-1, 3).T
    contents = (wanted[:, None] >> np.arange(3) & 1).astype(np.bool_)
    rivals = np.ones((count, count), np.bool_)
    for place, held in enumerate(beside):
        breathe()
        met = (held.reshape(-1, 3)[cells] & contents).any(axis=1)
        rivals[place, owners[~met]] = False
    codes = np.full(count, count)
    for place in np.argsort(-rivals.sum(axis=1), kind="stable"):
        breathe()
        codes[place] = np.setdiff1d(np.arange(count), codes[rivals[place]])[0]
    return [int(code) for code in codes]


class Threat(NamedTuple):
    """Needs under which Black wins at his next ply unless White makes one of some moves.

    `parries` are the places of these moves in the ply's rules: those that undo one of the needs.
    """

    needs: Needs
    parries: tuple[int, ...]


@dataclass(frozen=True)
class Ply:
    """One ply: what cells may contain before and after it, and the moves that matter.

    `wins` are needs under which some move wins; `rules` the moves without those that always do;
    `threats` are Black's before White's ply.
    """

    number: int
    player: Player
    before: list[int]
    wins: list[Needs]
    rules: list[Rule]
    codes: list[int]
    after: list[int]
    threats: Sequence[Threat] = ()

    @property
    def label(self) -> str:
        return f"t{self.number}"


LARGEST = 2000  # cells: of more the pairs would take gigabytes


def plies(question: Question, symmetry: bool) -> Iterator[Ply]:
    """The plies of a question, up to the last at which Black may win."""
    for (ply, before), (following, _) in pairwise(
        chain(_plies(question, symmetry), [(None, None)])
    ):
        assert ply is not None
        assert before is not None
        if ply.player is Player.WHITE and following and following.player is Player.BLACK:
            yield replace(ply, threats=list(_threats(ply, before, following.wins)))
        else:
            yield ply


def _plies(question: Question, symmetry: bool) -> Iterator[tuple[Ply, Reachable]]:
    """The plies without threats, each with what is reachable before it."""
    game = question.game
    view = game.grounded()
    rules = {player: [Rule.of(action) for action in view.actions[player]] for player in Player}
    goals = {player: list(goal_needs(question, player)) for player in Player}
    asked = [rule.needs for moves in rules.values() for rule in moves]
    asked += [goal for player in Player for goal in goals[player]]
    if game.offers("connection") or _colour_matters(asked):
        reachable = Reachable.at(view.cells, view.black, view.white)
    else:
        rules = {player: [rule.in_black for rule in moves] for player, moves in rules.items()}
        reachable = Reachable.at(view.cells, view.black | view.white, 0)
    for number in range(1, last_ply(question) + 1):
        player = mover(view, number)
        legal = rules[player]
        if number == 1:
            legal = first_rules(game, view, legal, symmetry)
        possible = [
            (rule, held) for rule in legal if (held := reachable.beside(rule.needs)) is not None
        ]
        wins, others = _without_wins(possible, goals[player], reachable)
        moves, beside = [rule for rule, _ in others], [held for _, held in others]
        if game.misere:
            moves = [_with_losses(rule, goals[player.opponent], reachable) for rule in moves]
        before, reachable = reachable, reachable.after(moves, beside)
        codes = shared_codes(moves, beside)
        ply = Ply(number, player, before.contents, wins, moves, codes, reachable.contents)
        yield ply, before


FEW = 2  # parries: of more, one alone is seldom left


def _threats(ply: Ply, before: Reachable, wins: Sequence[Needs]) -> Iterator[Threat]:
    """The wins of Black's next ply that he may threaten before White's, with few parries each."""
    made = defaultdict(list)
    for place, rule in enumerate(ply.rules):
        for cell, content in rule.effect.items():
            made[cell].append((place, content))
    for needs in wins:
        undoing = {
            place
            for cell, contents in needs.items()
            for place, content in made[cell]
            if not content & contents
        }
        parries = tuple(
            place
            for place in sorted(undoing)
            if all(
                ply.rules[place].needs.get(cell, ANY) & contents & ply.before[cell]
                for cell, contents in needs.items()
            )
        )
        if len(parries) <= FEW and before.beside(needs) is not None:
            yield Threat(needs, parries)


def _colour_matters(asked: Iterable[Needs]) -> bool:
    """Whether something needs stones of one colour; else all can be black, as in Domineering."""
    return any(contents & ~OPEN in (BLACK, WHITE) for needs in asked for contents in needs.values())


def last_ply(question: Question) -> int:
    """The last ply at which Black may win: by a goal at a ply of his, or if White is stuck.

    In misère games, Black's goals are met at White's plies.
    """
    game, view = question.game, question.game.grounded()
    bound = question.depth if game.horizon is None else min(question.depth, game.horizon)
    last = max(game.deciding_plies(Player.BLACK, bound))
    never_stuck = view.stuck is Stuck.DRAW
    while last and never_stuck and not game.misere and mover(view, last) is Player.WHITE:
        last -= 1
    return last


def mover(view: Grounded, ply: int) -> Player:
    if view.schedule is not None:
        return view.schedule[ply - 1]
    assert view.to_move is not None, "the players alternate for ever"
    return view.to_move if ply % 2 else view.to_move.opponent


def goal_needs(question: Question, player: Player) -> Iterator[Needs]:
    """The goals of a player as needs; sets without those that take too long, and no paths."""
    game = question.game
    goal = game.grounded().goals[player]
    irrelevant = game.is_maker_breaker and player is Player.WHITE
    if isinstance(goal, tuple):
        yield from map(needs_of, goal)
    elif goal is not None and not irrelevant and not game.offers("connection"):
        own = BLACK if player is Player.BLACK else WHITE
        for winning in open_sets(question, player, question.depth):
            yield dict.fromkeys(cells_of(winning), own)


def first_rules(game: Game, view: Grounded, rules: list[Rule], symmetry: bool) -> list[Rule]:
    """The moves for the first ply: all that the rules allow or, by symmetry, one of a class."""
    if view.first_moves is not None:
        return [rule for rule in rules if view.first_moves >> rule.move & 1]
    if not symmetry:
        return rules
    if game.first_moves_alike:
        others = {move for _, *others in game.first_moves_alike for move in others}
        return [rule for rule in rules if rule.move not in others]
    keeping = [
        permutation
        for permutation in game.symmetries
        if all(move_mask(permutation, stones) == stones for stones in (view.black, view.white))
    ]
    first: dict[frozenset[object], Rule] = {}
    for rule in rules:
        images = frozenset(_image(rule, permutation) for permutation in keeping)
        first.setdefault(images, rule)
    return list(first.values())


def _image(rule: Rule, permutation: Permutation) -> tuple[frozenset[tuple[int, int]], ...]:
    """What a move needs and does after a permutation of the cells."""
    return tuple(
        frozenset((permutation[cell], contents) for cell, contents in part.items())
        for part in (rule.needs, rule.effect)
    )


def _without_wins(
    possible: list[tuple[Rule, Facts]], goals: list[Needs], reachable: Reachable
) -> tuple[list[Needs], list[tuple[Rule, Facts]]]:
    """The needs of moves that win, and the moves that do not always win if they are legal."""
    by_cell = defaultdict(list)
    for number, goal in enumerate(goals):
        for cell in goal:
            by_cell[cell].append(number)
    contents = reachable.contents
    wins: dict[frozenset[tuple[int, int]], Needs] = {}
    others = []
    for rule, held in possible:
        always, asked = False, still_needed(rule.needs, contents)
        for number in dict.fromkeys(n for cell in rule.effect for n in by_cell[cell]):
            needs = rule.meeting(goals[number])
            if needs is not None and reachable.beside(needs) is not None:
                needs = still_needed(needs, contents)
                always |= needs == asked
                wins[frozenset(needs.items())] = needs
        if not always:
            others.append((rule, held))
    return list(wins.values()), others


def _with_losses(rule: Rule, goals: list[Needs], reachable: Reachable) -> Rule:
    """The move with the needs, besides its own, under which it meets a goal of the opponent's."""
    met = (rule.meeting(goal) for goal in goals if not rule.effect.keys().isdisjoint(goal))
    possible = [needs for needs in met if needs is not None and reachable.beside(needs) is not None]
    return rule._replace(loses=[dict(needs.items() - rule.needs.items()) for needs in possible])


def still_needed(needs: Needs, contents: list[int]) -> Needs:
    """Needs without those that hold in any case."""
    return {
        cell: few
        for cell, wanted in needs.items()
        if (few := wanted & contents[cell]) != contents[cell]
    }
