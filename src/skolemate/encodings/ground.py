"""GROUND: any game whose rules can be listed, with the board after every ply.

In the manner of GD (He, Saffidine and Thielscher 2024): Black's moves have a variable each, White's
a binary code, and whatever the choices so far determine stands before the next choice. The prefix
is ∃ move¹ board¹ ∀ code² ∃ move² board² move³ board³ ∀ code⁴ …. What is different here:

- Only moves and contents of cells that are possible at a ply get variables. *Reachable pairs*, the
  mutexes of planning (Blum and Furst 1997, Haslum and Geffner 2000), tell which these are.
- Moves of which at most one is ever legal share a code: for stones that fall, this is the column.
- An illegal code loses. That is exact, since legal moves have codes, and who has none has lost
  anyway. Where that would be a draw (`Stuck.DRAW`), nobody is ever without a move in time; in GDL
  games that is not known, and Black must see to it that White has a legal move.
- A win is seen before it is played, on the board before the move. If Black can meet a goal, he has
  won; if White can, Black has lost. So a threat of White's stands in Black's block, without any
  code, and no board after a winning move is needed.
- Forced replies need no code. If Black threatens to win and one move alone parries, White makes
  that move whatever his code: all others lose, so ∀ gains nothing by them. Black has won if
  nothing parries, or if he threatens in two ways that no one move parries.
- Misère: a move that completes a goal of the opponent's is no better than an illegal one.
- All definitions are equivalences: with implications alone solvers take ten times as long.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, pairwise, takewhile
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from skolemate.encodings.encoding import Cube, Encoded, Encoding, Script, ScriptedPly, encoding
from skolemate.encodings.explicit import black_path
from skolemate.encodings.parts.boards import at_most_one, bit_labels, decided
from skolemate.encodings.parts.listed import by_list
from skolemate.encodings.parts.problems import ConnectionProblem, connection_problem, open_sets
from skolemate.formula import FALSE, TRUE, Builder
from skolemate.games import Game, Move, Player, Position, Question, cells_of
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
        always, asked = False, _asked(rule.needs, contents)
        for number in dict.fromkeys(n for cell in rule.effect for n in by_cell[cell]):
            needs = rule.meeting(goals[number])
            if needs is not None and reachable.beside(needs) is not None:
                needs = _asked(needs, contents)
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


def _asked(needs: Needs, contents: list[int]) -> Needs:
    """Needs without those that hold in any case."""
    return {
        cell: few
        for cell, wanted in needs.items()
        if (few := wanted & contents[cell]) != contents[cell]
    }


# --- the statement --------------------------------------------------------------------------------


@dataclass
class Board:
    """The literals of the stones after some ply; whether a cell is open gets one when needed."""

    label: str
    contents: list[int]
    black: list[int]
    white: list[int]
    open: dict[int, int] = field(default_factory=dict)


class Grounding:
    """Boards and moves by listed rules, as clauses; holds the present board."""

    def __init__(self, game: Game, contents: list[int], stones: Sequence[int]) -> None:
        """`stones`: what is on each cell at first; `contents`: what the formula may take for it."""
        self.game, self.builder = game, Builder()
        self.board = Board(
            "t0",
            contents,
            [int(TRUE if content == BLACK else FALSE) for content in stones],
            [int(TRUE if content == WHITE else FALSE) for content in stones],
        )
        self.script: list[ScriptedPly] = []
        self.made: list[dict[Move, int]] = []

    def _moves(self, ply: Ply) -> list[int]:
        names = [self.game.move_name(rule.move) for rule in ply.rules]
        found: list[int] = self.builder.exists("move", [ply.label], names).reshape(-1).tolist()
        return found

    def _new(self, name: str, *labels: str) -> int:
        return int(self.builder.exists(name, *([label] for label in labels)).item())

    def _coded(self, ply: Ply, bits: Sequence[int]) -> list[Cube]:
        """The code of each move, as literals that are all true."""
        return [
            tuple(bit if code >> place & 1 else -bit for place, bit in enumerate(bits))
            for code in ply.codes
        ]

    # --- boards ----------------------------------------------------------------------------------

    def _literals(self, needs: Needs) -> list[int]:
        """Literals that are all true if the board has what is needed; those that vary."""
        breathe()
        literals = []
        for cell, wanted in _asked(needs, self.board.contents).items():
            black, white = self.board.black[cell], self.board.white[cell]
            if wanted == OPEN:
                literals += [-black, -white]
            elif wanted == BLACK | WHITE:
                literals.append(-self._open(cell))
            else:
                literals.append(
                    {BLACK: black, WHITE: white, OPEN | WHITE: -black}.get(wanted, -white)
                )
        return [literal for literal in dict.fromkeys(literals) if literal != TRUE]

    def _open(self, cell: int) -> int:
        board = self.board
        if cell not in board.open:
            black, white = board.black[cell], board.white[cell]
            if FALSE in (black, white):
                board.open[cell] = -(white if black == FALSE else black)
            else:
                is_open = self._new("open", board.label, self.game.board.names[cell])
                self.builder.clause(is_open, black, white)
                self.builder.clause(-is_open, -black)
                self.builder.clause(-is_open, -white)
                board.open[cell] = is_open
        return board.open[cell]

    def _after(self, ply: Ply, moves: Sequence[int]) -> None:
        """The board after a ply: a stone appears or goes only by a move that does that."""
        before = self.board
        made: dict[tuple[int, int], list[int]] = defaultdict(list)  # by cell and content
        lost: dict[tuple[int, int], list[int]] = defaultdict(list)
        touched = set()
        for move, rule in zip(moves, ply.rules, strict=True):
            for cell, content in rule.effect.items():
                old = rule.needs.get(cell, ANY) & ply.before[cell]
                if old == content:
                    continue
                touched.add(cell)
                made[cell, content].append(move)
                for other in (BLACK, WHITE):
                    if other != content and old & other:
                        lost[cell, other].append(move)
        still = {cell: literal for cell, literal in before.open.items() if cell not in touched}
        self.board = Board(ply.label, ply.after, list(before.black), list(before.white), still)
        for cell in sorted(touched):
            for name, colour, was, now in (
                ("black", BLACK, before.black, self.board.black),
                ("white", WHITE, before.white, self.board.white),
            ):
                if made[cell, colour] or lost[cell, colour]:
                    now[cell] = self._stone(name, colour, ply, cell)
                    self._changes(was[cell], now[cell], made[cell, colour], lost[cell, colour])
            black, white = self.board.black[cell], self.board.white[cell]
            if black != -white:
                self.builder.clause(-black, -white)

    def _stone(self, name: str, colour: int, ply: Ply, cell: int) -> int:
        """A new literal for a stone on a cell, if that is not known."""
        if not ply.after[cell] & colour:
            return int(FALSE)
        if ply.after[cell] == colour:
            return int(TRUE)
        if colour == WHITE and ply.after[cell] == BLACK | WHITE:
            return -self.board.black[cell]
        return self._new(name, ply.label, self.game.board.names[cell])

    def _changes(self, old: int, new: int, made: Sequence[int], lost: Sequence[int]) -> None:
        for move in made:
            self.builder.clause(-move, new)
        for move in lost:
            self.builder.clause(-move, -new)
        self.builder.clause(old, -new, *made)
        self.builder.clause(-old, new, *lost)


class Statement(Grounding):
    """States a game ply by ply; holds the board and whether Black has won by then."""

    def __init__(self, game: Game, stated: Sequence[Ply], paths: ConnectionProblem | None) -> None:
        super().__init__(game, stated[0].before, stated[0].before)
        self.paths = paths
        self.room = game.grounded().room
        self.won = int(FALSE)
        codes: Iterator[list[int]] = iter(())
        for earlier, ply in pairwise((None, *stated)):
            assert ply is not None
            if ply is stated[-1] and paths is None:
                self._last(ply)
            elif ply.player is Player.BLACK:
                self._black(ply)
            else:
                if earlier is None or earlier.player is Player.BLACK:
                    codes = iter(self._codes(_turn(stated, ply)))
                self._white(ply, next(codes, []))
            if self.won == TRUE:
                return
        if paths is not None:
            self._path(paths)

    # --- plies -----------------------------------------------------------------------------------

    def _last(self, ply: Ply) -> None:
        """Black has won, or wins now; or White has no move, and had none that wins."""
        if ply.player is Player.BLACK:
            self.builder.clause(self.won, *self._wins(ply))
        else:
            for needs in ply.wins:
                self._prevented(self._literals(needs))
            for rule in ply.rules:
                self._prevented(self._legal(ply, rule))
        self._note(ply)

    def _black(self, ply: Ply) -> None:
        """Black has won, or can win now, or makes exactly one move, which is legal."""
        self.won = self.builder.any_of("won", ply.label, [self.won, *self._wins(ply)])
        if self.won == TRUE:
            self._note(ply)
            return
        moves = self._moves(ply)
        for move, rule in zip(moves, ply.rules, strict=True):
            for literal in self._legal(ply, rule):
                self.builder.clause(-move, literal)
            self.builder.clause(-move, -self.won)
        if self.paths is None:
            self.builder.clause(self.won, *moves)
        at_most_one(self.builder, moves, ply.label)
        self._note(ply, moves, [(move,) for move in moves])
        self._after(ply, moves)

    def _codes(self, turn: Sequence[Ply]) -> list[list[int]]:
        """The bits of White's codes for a whole turn: one ∀ block, the boards after it."""
        labels = [bit_labels(1 + max(ply.codes, default=0)) for ply in turn]
        return [
            self.builder.forall("code", [ply.label], bits)[0].tolist()
            for ply, bits in zip(turn, labels, strict=True)
        ]

    def _white(self, ply: Ply, bits: list[int]) -> None:
        """White has no move that wins, and makes the coded or forced one, or else he has lost."""
        for needs in ply.wins:
            self._prevented(self._literals(needs))
        if self.room is not None and ply.number > self.room:
            legal = [self._legal(ply, rule) for rule in ply.rules]
            able = [self.builder.all_of("legal", ply.label, literals) for literals in legal]
            self.builder.clause(self.won, *able)
        forced = self._forced(ply)
        if self.won == TRUE:
            self._note(ply)
            return
        some = self.builder.any_of("forced", ply.label, forced)
        needed = [self._legal(ply, rule) for rule in ply.rules]
        coded, moves = self._coded(ply, bits), self._moves(ply)
        for move, code, literals, alone in zip(moves, coded, needed, forced, strict=True):
            for literal in (*literals, -self.won):
                self.builder.clause(-move, literal)
            for literal in (*code, -some):
                self.builder.clause(-move, alone, literal)
            illegal = [-literal for literal in literals]
            self.builder.clause(move, self.won, *illegal, some, *(-literal for literal in code))
            self.builder.clause(move, self.won, *illegal, -alone)
        self._note(ply, moves, coded)
        self._after(ply, moves)
        self.won = -self.builder.any_of("moved", ply.label, moves)

    def _forced(self, ply: Ply) -> list[int]:
        """For every move: whether it alone parries a threat. If two do, Black has won.

        Two moves with one code are never both legal, so at most one forced move is made.
        """
        alone: list[list[int]] = [[] for _ in ply.rules]
        lost = [self.won]
        threats: dict[tuple[int, ...], list[list[int]]] = defaultdict(list)
        for threat in ply.threats:
            threats[threat.parries].append(self._literals(threat.needs))
        for parries, ways in threats.items():
            threatens = self.builder.any_of(
                "threat", ply.label, [self.builder.all_of("threat", ply.label, way) for way in ways]
            )
            given = set(ways[0]).intersection(*ways[1:])
            for place in parries:
                others = [self._legal(ply, ply.rules[k]) for k in parries if k != place]
                legal = [
                    self.builder.all_of("legal", ply.label, [x for x in o if x not in given])
                    for o in others
                ]
                alone[place].append(
                    self.builder.all_of("alone", ply.label, [threatens, *(-x for x in legal)])
                )
            if not parries:
                lost.append(threatens)
        forced = [self.builder.any_of("forced", ply.label, ways) for ways in alone]
        by_code = defaultdict(list)
        for code, literal in zip(ply.codes, forced, strict=True):
            by_code[code].append(literal)
        one = int(FALSE)  # of the codes so far
        for literals in by_code.values():
            this = self.builder.any_of("forced", ply.label, literals)
            lost.append(self.builder.all_of("both", ply.label, [one, this]))
            one = self.builder.any_of("one", ply.label, [one, this])
        self.won = self.builder.any_of("won", ply.label, lost)
        return forced

    def _path(self, problem: ConnectionProblem) -> None:
        """In the end there is a black path. As stones stay, it need not be seen earlier.

        Then Black may also pass, which never helps him.
        """
        steps = [f"step{i}" for i in range(problem.schedule.count(Player.BLACK))]
        path = self.builder.exists("path", steps, problem.names)
        black = np.array([self.board.black[cell] for cell in problem.cells], np.int32)
        black_path(self.builder, problem.graph(problem.goal), path, black, self.won)

    def _legal(self, ply: Ply, rule: Rule) -> list[int]:
        """Literals that are all true if a move is legal and does not lose at once."""
        lost = [self.builder.all_of("loses", ply.label, self._literals(n)) for n in rule.loses]
        return [*self._literals(rule.needs), *(-literal for literal in lost)]

    def _prevented(self, literals: Sequence[int]) -> None:
        self.builder.clause(self.won, *(-literal for literal in literals))

    def _wins(self, ply: Ply) -> list[int]:
        """Literals of which one is true if Black can meet a goal by one move."""
        return [self.builder.all_of("win", ply.label, self._literals(needs)) for needs in ply.wins]

    def _note(self, ply: Ply, moves: Sequence[int] = (), literals: Sequence[Cube] = ()) -> None:
        """Keep the variables of a ply's moves, and how moves are seen and made by others."""
        shown = {rule.move: cube for rule, cube in zip(ply.rules, literals, strict=False)}
        strict = bool(shown) and (ply.player is Player.WHITE or self.paths is None)
        seen_on = partial(_seen, ply, shown) if ply.threats else None
        foreseen = strict and ply.player is Player.BLACK
        self.script.append(
            ScriptedPly(ply.player, shown, shown, seen_on=seen_on, strict=strict, foreseen=foreseen)
        )
        self.made.append({rule.move: move for rule, move in zip(ply.rules, moves, strict=False)})


def _seen(ply: Ply, coded: Mapping[Move, Cube], black: int, white: int) -> Mapping[Move, Cube]:
    """How White's moves are seen on a board: a forced one always, others by their codes."""

    def holds(needs: Needs) -> bool:
        return all(
            (BLACK if black >> cell & 1 else WHITE if white >> cell & 1 else OPEN) & contents
            for cell, contents in needs.items()
        )

    def legal(rule: Rule) -> bool:
        return holds(rule.needs) and not any(map(holds, rule.loses))

    saving = [
        [ply.rules[place].move for place in threat.parries if legal(ply.rules[place])]
        for threat in ply.threats
        if holds(threat.needs)
    ]
    forced = {tuple(moves) for moves in saving if len(moves) < 2}
    if not forced:
        return coded
    return dict.fromkeys(forced.pop(), ()) if len(forced) == 1 else {}


def _turn(stated: Sequence[Ply], first: Ply) -> list[Ply]:
    """White's plies from one on, up to Black's next, without the last ply of all."""
    following = stated[first.number - 1 : -1]
    return list(takewhile(lambda ply: ply.player is Player.WHITE, following))


# --- the encoding ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Moves:
    """A game and the variables of its moves, ply by ply, from which games are decoded."""

    game: Game
    made: Sequence[Mapping[Move, int]]

    def first_move(self, assignment: Mapping[int, bool]) -> Move | None:
        """Black's first move; any legal one if the assignment has none."""
        start = self.game.start
        if start.to_move is not Player.BLACK:
            return None
        move = self._move(start, self.made[0], assignment)
        return next(iter(start.moves()), None) if move is None else move

    def play(self, assignment: Mapping[int, bool]) -> list[Position]:
        """The start and the positions after each ply, until Black has won or the game is over."""
        positions = [self.game.start]
        for made in self.made:
            move = self._move(positions[-1], made, assignment)
            if move is None:
                break
            positions.append(positions[-1].play(move))
        return positions

    def _move(
        self, position: Position, made: Mapping[Move, int], assignment: Mapping[int, bool]
    ) -> Move | None:
        """A move of Black's that wins, or else the one that the assignment makes, if legal."""
        legal = position.moves()
        if position.to_move is Player.BLACK:
            won = (move for move in legal if position.play(move).winner is Player.BLACK)
            winning = next(won, None)
            if winning is not None:
                return winning
        chosen = (move for move, variable in made.items() if assignment.get(variable))
        return next((move for move in chosen if move in legal), None)


PAPER = (
    "He, Saffidine, Thielscher: "
    "Solving Two-player Games with QBF Solvers in General Game Playing, 2024"
)


def too_large(question: Question) -> str | None:
    size = question.game.board.size
    return f"a board of {size} cells has too many facts" if size > LARGEST else None


class Stated(Protocol):
    """A game as clauses, with the variables of its moves and the script for each ply."""

    game: Game
    builder: Builder
    made: list[dict[Move, int]]
    script: list[ScriptedPly]


def encoded(encoding: Encoding, question: Question, grounding: Stated, restricted: bool) -> Encoded:
    """The formula stated so far, with the decoders of its moves."""
    moves, formula = Moves(grounding.game, grounding.made), grounding.builder.formula()
    if formula.constant is not None:
        return replace(decided(encoding, question, formula.constant), decode=moves.first_move)
    return Encoded(
        question,
        encoding,
        formula,
        moves.first_move,
        moves.play,
        restricted=restricted,
        write_script=lambda: Script(grounding.script),
    )


@encoding("ground", paper=PAPER, views=("grounded or listing",), refuses=too_large)
@by_list
def ground(self: Encoding, question: Question, symmetry: bool) -> Encoded:
    """Explicit board after every ply, moves of pieces or stones by listed rules; all games."""
    game = question.game
    if game.start.winner is not None:
        return decided(self, question, game.start.winner is Player.BLACK)
    paths = connection_problem(question, symmetry) if game.offers("connection") else None
    stated = list(plies(question, symmetry))
    if not stated or isinstance(paths, bool):
        return decided(self, question, paths is True)
    restricted = symmetry and len(stated[0].rules) < len(next(plies(question, False)).rules)
    return encoded(self, question, Statement(game, stated, paths), restricted)
