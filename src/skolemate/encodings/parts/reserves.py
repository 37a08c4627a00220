"""Reserves: where moves only fill open cells, a player with enough safe moves has won.

In Domineering and its like, a legal move stays legal unless somebody fills one of the cells that
it needs, and who has no move has lost. It is White's turn. A move of Black's is *safe* if no move
that White has now spoils it. Some cells *cover* White's moves if each of these fills one of them;
then he has at most as many moves left as there are such cells, since two moves that fill the same
cell are never both made. If Black has as many safe moves, none of which spoils another, he answers
each of White's moves by one of them, and White is stuck first.

Black chooses both: the safe moves and the covering cells. So this is stated by implications, and he
may also choose nothing, and play on.

For GROUND and RESERVES. The engine counts the same in src/engine/reserves.hpp.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from skolemate.encodings.parts.plies import OPEN, Rule
from skolemate.formula import Builder
from skolemate.games import Game
from skolemate.games.game import Stuck
from skolemate.limits import breathe

MOST_COUNTED = 12  # moves of White's; with more, large boards would consist of counters


def moves_only_fill(game: Game) -> bool:
    """Whether a move fills open cells, never helps another one, and who has none has lost."""
    view = game.grounded()
    if view.stuck is not Stuck.LOSES or view.schedule is not None or any(view.goals.values()):
        return False
    rules = [Rule.of(action) for actions in view.actions.values() for action in actions]
    return all(contents & OPEN for rule in rules for contents in rule.needs.values()) and all(
        rule.needs.get(cell) == OPEN and content != OPEN
        for rule in rules
        for cell, content in rule.effect.items()
    )


class Option(NamedTuple):
    """A move that a player may have, its name, and the literals that all hold if he has it."""

    name: str
    rule: Rule
    legal: list[int]

    def spoils(self, other: Rule) -> bool:
        """Whether this move takes a cell that the other needs."""
        effect = self.rule.effect
        return any(not other.needs.get(cell, content) & content for cell, content in effect.items())


class Reserves:
    """Black's claim after one ply. All `variables` may be false: then he claims nothing.

    `safe`: for each of Black's moves a literal that implies that he has it, and it is safe.
    """

    def __init__(self, builder: Builder, label: str) -> None:
        self.variables: list[int] = []
        self.safe: list[int] = []
        self._builder, self._label = builder, label

    def enough(
        self, white: Sequence[Option], black: Sequence[Option], names: Sequence[str], most: int
    ) -> int:
        """A literal that implies that White, to move, is stuck after at most so many moves of his.

        `white` are his moves, `black` those of Black's next ply, `names` those of the cells.
        """
        claim, clause = self._new("enough"), self._builder.clause
        cells = sorted({cell for option in white for cell in option.rule.effect})
        cover = {cell: self._new("cover", names[cell]) for cell in cells}
        for option in white:
            covered = (cover[cell] for cell in option.rule.effect)
            clause(-claim, *(-literal for literal in option.legal), *covered)
        self.safe = safe = [self._new("safe", option.name) for option in black]
        for literal, option in zip(safe, black, strict=True):
            breathe()
            for needed in option.legal:
                clause(-literal, needed)
            for other in white:
                if other.spoils(option.rule):
                    clause(-literal, *(-x for x in other.legal if x not in option.legal))
        for (literal, option), (rival, other) in combinations(zip(safe, black, strict=True), 2):
            if option.spoils(other.rule) or other.spoils(option.rule):
                clause(-literal, -rival)
        moves, answers = self._at_most(list(cover.values()), most), self._at_least(safe, most)
        for number, some in enumerate(moves):
            clause(-claim, -some, *answers[number : number + 1])
        return claim

    def _at_most(self, literals: Sequence[int], most: int) -> list[int]:
        """Of the literals at most so many hold; number k of the result holds if more than k do."""
        before: list[int] = []
        for place, literal in enumerate(literals, 1):
            now = [self._new("moves", f"{place}.{k}") for k in range(min(place, most))]
            for fewer, same in zip(before, now, strict=False):
                self._builder.clause(-fewer, same)
            self._builder.clause(-literal, *now[:1])
            for k, some in enumerate(before, 1):
                self._builder.clause(-literal, -some, *now[k : k + 1])
            before = now
        return before

    def _at_least(self, literals: Sequence[int], most: int) -> list[int]:
        """Number k of the result implies that more than k of the literals hold."""
        before: list[int] = []
        for place, literal in enumerate(literals, 1):
            now = [self._new("answers", f"{place}.{k}") for k in range(min(place, most))]
            for k, some in enumerate(now):
                self._builder.clause(-some, *before[k : k + 1], literal)
                if k:
                    self._builder.clause(-some, *before[k : k + 1], before[k - 1])
            before = now
        return before

    def _new(self, name: str, *labels: str) -> int:
        axes = ([label] for label in (self._label, *labels))
        self.variables.append(int(self._builder.exists(name, *axes).item()))
        return self.variables[-1]
