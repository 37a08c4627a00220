"""GB and GD: any game by its listed rules, as published (He, Saffidine and Thielscher 2024).

At every ply stand all moves that the player ever has: a variable each, of which exactly one is true
until the game is over, and a legal one. White's follow from a binary code; if the coded move is
illegal, ∃ makes any legal move for him, which is harmless: legal moves have codes of their own. The
board after every ply follows by the rules, and Black must have won when the game is first over.

In GB whatever is no move stands in the innermost block. In GD, the *dependency-based* form, it
stands in the outermost block that determines it. There every role moves at every step, with a move
for waiting; here only the player whose turn it is. `ground` is GD with much less to state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from skolemate.encodings.encoding import Encoded, Encoding, ScriptedPly, encoding
from skolemate.encodings.ground import (
    ANY,
    BLACK,
    OPEN,
    PAPER,
    WHITE,
    Grounding,
    Ply,
    Rule,
    encoded,
    first_rules,
    goal_needs,
    last_ply,
    mover,
    too_large,
)
from skolemate.encodings.parts.boards import at_most_one, bit_labels, decided
from skolemate.encodings.parts.listed import by_list
from skolemate.formula import FALSE
from skolemate.games import Player, Question
from skolemate.games.game import Stuck


class Choice(NamedTuple):
    """The variables of a ply: the bits of White's code, if it is his, and the moves."""

    bits: list[int]
    moves: list[int]


class General(Grounding):
    """States all plies; `dependent`: definitions stand where they are determined, as in GD."""

    def __init__(self, question: Question, symmetry: bool, dependent: bool) -> None:
        game, view = question.game, question.game.grounded()
        cells = range(view.cells)
        stones = [
            BLACK if view.black >> cell & 1 else WHITE if view.white >> cell & 1 else OPEN
            for cell in cells
        ]
        super().__init__(game, [ANY] * view.cells, stones)
        self.goals = {player: list(goal_needs(question, player)) for player in Player}
        self.stuck_loses = view.stuck is Stuck.LOSES
        self.over = self.won = int(FALSE)
        self.plies = list(all_moves(question, symmetry))
        choices = map(self._choice, self.plies)
        ahead = choices if dependent else iter(list(choices))
        for ply in self.plies:
            self._ply(ply, ahead)
        self.builder.clause(self.won)

    def _choice(self, ply: Ply) -> Choice:
        bits: list[int] = []
        if ply.player is Player.WHITE:
            labels = bit_labels(len(ply.rules))
            bits = self.builder.forall("code", [ply.label], labels)[0].tolist()
        return Choice(bits, self._moves(ply))

    def _ply(self, ply: Ply, choices: Iterator[Choice]) -> None:
        """Legality before the choice; after it one legal move, the board and the outcome."""
        legal = [
            self.builder.all_of("legal", ply.label, self._literals(rule.needs))
            for rule in ply.rules
        ]
        stuck = -self.builder.any_of("able", ply.label, legal)
        ended = self.builder.any_of("ended", ply.label, [self.over, stuck])
        bits, moves = next(choices)
        coded = self._coded(ply, bits)
        for move, possible, code in zip(moves, legal, coded, strict=True):
            self.builder.clause(-move, possible)
            self.builder.clause(-move, -self.over)
            if ply.player is Player.WHITE:
                self.builder.clause(move, self.over, -possible, *(-bit for bit in code))
        self.builder.clause(ended, *moves)
        at_most_one(self.builder, moves, ply.label)
        made = {rule.move: move for rule, move in zip(ply.rules, moves, strict=True)}
        shown = {move: (variable,) for move, variable in made.items()}
        codes = dict(zip(made, coded, strict=True))
        seen = shown if ply.player is Player.BLACK else codes
        self.script.append(ScriptedPly(ply.player, seen, seen, shown=shown))
        self.made.append(made)
        self._after(ply, moves)
        self._outcome(ply, ended, stuck)

    def _outcome(self, ply: Ply, ended: int, stuck: int) -> None:
        """Over is over; else who moves may have met a goal, and who cannot move may have lost.

        In misère games, who moves may have met a goal of the opponent's and have lost by that.
        """
        met, lost = self._met(ply, ply.player), stuck if self.stuck_loses else int(FALSE)
        over = self.builder.any_of("over", ply.label, [ended, met])
        if self.game.misere:
            given = self._met(ply, ply.player.opponent)
            over = self.builder.any_of("over", ply.label, [over, given])
            given = self.builder.all_of("given", ply.label, [given, -met])
            lost = self.builder.any_of("lost", ply.label, [lost, given])
        way = met if ply.player is Player.BLACK else lost
        self.won = self.builder.any_of(
            "won", ply.label, [self.won, self.builder.all_of("now", ply.label, [-self.over, way])]
        )
        self.over = over

    def _met(self, ply: Ply, player: Player) -> int:
        """Whether a goal of a player's holds after the ply."""
        goals = self.goals[player]
        if self.game.misere:  # only goals that the ply may meet
            goals = [g for g in goals if any(rule.meeting(g) is not None for rule in ply.rules)]
        met = [self.builder.all_of("met", ply.label, self._literals(goal)) for goal in goals]
        return self.builder.any_of("goal", ply.label, met)


def all_moves(question: Question, symmetry: bool) -> Iterator[Ply]:
    """The plies, each with all moves that the player ever has."""
    view = question.game.grounded()
    rules = {player: [Rule.of(action) for action in view.actions[player]] for player in Player}
    anything = [ANY] * view.cells
    for number in range(1, last_ply(question) + 1):
        player = mover(view, number)
        listed = rules[player]
        if number == 1:
            listed = first_rules(question.game, view, listed, symmetry)
        codes = list(range(len(listed)))
        yield Ply(number, player, anything, [], listed, codes, anything)


def _refuses(question: Question) -> str | None:
    if question.game.offers("connection"):
        return "its goal is a path, and the paths are not listed"
    return too_large(question)


def _stated(self: Encoding, question: Question, symmetry: bool, dependent: bool) -> Encoded:
    game = question.game
    if game.start.winner is not None:
        return decided(self, question, game.start.winner is Player.BLACK)
    if not last_ply(question):
        return decided(self, question, False)
    general = General(question, symmetry, dependent)
    whole = next(all_moves(question, symmetry=False))
    restricted = len(general.plies[0].rules) < len(whole.rules)
    return encoded(self, question, general, restricted)


@encoding("gb", paper=PAPER, views=("grounded or listing",), refuses=_refuses)
@by_list
def gb(self: Encoding, question: Question, symmetry: bool) -> Encoded:
    """Explicit board, all listed moves at every ply, definitions innermost; no paths."""
    return _stated(self, question, symmetry, dependent=False)


@encoding("gd", paper=PAPER, views=("grounded or listing",), refuses=_refuses)
@by_list
def gd(self: Encoding, question: Question, symmetry: bool) -> Encoded:
    """As gb, but definitions in the outermost block that determines them; no paths."""
    return _stated(self, question, symmetry, dependent=True)
