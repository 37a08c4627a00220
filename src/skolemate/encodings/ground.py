"""GROUND: any game whose rules can be listed, with the board after every ply.

In the manner of GD (He, Saffidine and Thielscher 2024): Black's moves have a variable each, White's
a binary code, and whatever the choices so far determine stands before the next choice. The prefix
is ∃ move¹ board¹ ∀ code² ∃ move² board² move³ board³ ∀ code⁴ …. What is different here:

- Only moves and contents of cells that are possible at a ply get variables. *Reachable pairs*, the
  mutexes of planning (Blum and Furst 1997, Haslum and Geffner 2000), tell which these are.
- Moves of which at most one is ever legal share a code: for stones that fall, this is the column.
- An illegal code loses where being without a move loses. That is exact, since legal moves have
  codes, and who has none has lost anyway. Where that would be a draw (`Stuck.DRAW`), ∃ makes a
  legal move for White instead, which is as harmless; so White has one until Black has won.
- A win is seen before it is played, on the board before the move. If Black can meet a goal, he has
  won; if White can, Black has lost. So a threat of White's stands in Black's block, without any
  code, and no board after a winning move is needed.
- Forced replies need no code. If Black threatens to win and one move alone parries, White makes
  that move whatever his code: all others lose, so ∀ gains nothing by them. Black has won if
  nothing parries, or if he threatens in two ways that no one move parries.
- Where moves only fill open cells, Black has won when he has enough safe moves (reserves.py).
- Where stones fall, Black has won, or has lost, once answering in pairs decides (falling.py).
- Misère: a move that completes a goal of the opponent's is no better than an illegal one. A player
  with no other moves has lost, so at such plies an illegal code loses, also where stuck is a draw.
- All definitions are equivalences: with implications alone solvers take ten times as long.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise, takewhile
from typing import Protocol

import numpy as np

from skolemate.encodings.encoding import Cube, Encoded, Encoding, Script, ScriptedPly, encoding
from skolemate.encodings.explicit import black_path
from skolemate.encodings.parts.boards import at_most_one, bit_labels, decided
from skolemate.encodings.parts.falling import NO_PAIRS, Falling, Pairs, falling
from skolemate.encodings.parts.listed import by_list
from skolemate.encodings.parts.plies import (
    ANY,
    BLACK,
    LARGEST,
    OPEN,
    WHITE,
    Needs,
    Ply,
    Rule,
    plies,
    still_needed,
)
from skolemate.encodings.parts.problems import ConnectionProblem, connection_problem
from skolemate.encodings.parts.reserves import MOST_COUNTED, Option, Reserves, moves_only_fill
from skolemate.formula import FALSE, TRUE, Builder
from skolemate.games import Game, Move, Player, Position, Question
from skolemate.games.game import Stuck
from skolemate.limits import breathe

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
        for cell, wanted in still_needed(needs, self.board.contents).items():
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


class _Conjunctions:
    """Gates of a ply; equal ones are one."""

    def __init__(self, builder: Builder, name: str, label: str) -> None:
        self._builder, self._name, self._label = builder, name, label
        self._known: dict[frozenset[int], int] = {}

    def __call__(self, literals: Iterable[int]) -> int:
        key = frozenset(literals) - {TRUE}
        if key not in self._known:
            self._known[key] = self._builder.all_of(self._name, self._label, sorted(key))
        return self._known[key]


class Statement(Grounding):
    """States a game ply by ply; holds the board and whether Black has won by then."""

    def __init__(
        self, question: Question, stated: Sequence[Ply], paths: ConnectionProblem | None
    ) -> None:
        game = question.game
        super().__init__(game, stated[0].before, stated[0].before)
        self.stated, self.paths, self.fills = stated, paths, moves_only_fill(game)
        self.falls = falling(question)
        self.stuck_draws = game.grounded().stuck is Stuck.DRAW
        self.won = int(FALSE)
        self.claims: list[int] = []  # see `Script`
        self._state()

    def _state(self) -> None:
        stated, paths = self.stated, self.paths
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
            self._not_stuck(ply)
        self._note(ply)

    def _black(self, ply: Ply) -> None:
        """Black has won, or can win now, or makes exactly one move, which is legal."""
        self.won = self.builder.any_of("won", ply.label, [self.won, *self._wins(ply)])
        if self.won == TRUE:
            self._note(ply)
            return
        if self.falls is not None:
            ways = (NO_PAIRS, *self.falls.ways(ply.number))
            for held in self._held(ply, Player.WHITE, ways):
                self.builder.clause(self.won, -held)
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
        if self.fills:
            self._reserves(ply)

    def _winning(self, ply: Ply) -> list[Pairs]:
        """The ways to answer in pairs by which Black may win in the plies from this one on."""
        assert self.falls is not None
        last = self.stated[-1].number
        return [
            pairs
            for pairs in self.falls.ways(ply.number)
            if pairs.top is not None and ply.number + pairs.cells - 1 <= last
        ]

    def _held(self, ply: Ply, holder: Player, ways: Iterable[Pairs]) -> list[int]:
        """For every way to answer in pairs, whether the holder thereby holds (see falling.py)."""
        assert self.falls is not None
        free = _Conjunctions(self.builder, "free", ply.label)
        return [self._holds(self.falls, ply, holder, pairs, free) for pairs in ways]

    def _holds(
        self, falls: Falling, ply: Ply, holder: Player, pairs: Pairs, free: _Conjunctions
    ) -> int:
        """Whether the holder gets the top, if there is one, and a cell of each of the other's sets.

        A set is `free` if it has no stone of the holder's, and all its upper cells can be filled.
        """
        stones = self.board.black if holder is Player.BLACK else self.board.white
        needed = []
        if pairs.top is not None:
            through = [cells for cells in falls.sets[holder] if pairs.top in cells]
            ways = [[stones[cell] for cell in sorted(cells - {pairs.top})] for cells in through]
            complete = [self.builder.all_of("top", ply.label, way) for way in ways]
            needed = [
                self._open(falls.below[pairs.top]),
                self.builder.any_of("top", ply.label, complete),
            ]
        if FALSE in needed:
            return int(FALSE)
        for cells in falls.sets[holder.opponent]:
            if not cells & pairs.above:
                later = [self._open(falls.below[cell]) for cell in sorted(pairs.upper & cells)]
                needed.append(-free([-x for x in (*later, *(stones[cell] for cell in cells))]))
        return self.builder.all_of("held", ply.label, needed)

    def _reserves(self, ply: Ply) -> None:
        """In the last two thirds of the plies Black may show that he has moves enough."""
        if 3 * ply.number > len(self.stated):
            self._claim(ply)

    def _claim(self, ply: Ply) -> Reserves | None:
        """After this ply Black may show that he has moves enough."""
        following = self.stated[ply.number :]
        most = (len(following) - 1) // 2  # moves of White's, with the ply at which he is stuck
        if not 0 < most <= MOST_COUNTED:
            return None
        white, black = map(self._options, following[:2])
        reserves = Reserves(self.builder, ply.label)
        claim = reserves.enough(white, black, self.game.board.names, most)
        self.claims += reserves.variables
        self.won = self.builder.any_of("won", ply.label, [self.won, claim])
        return reserves

    def _options(self, ply: Ply) -> list[Option]:
        """The moves of a later ply, on the present board."""
        return [
            Option(self.game.move_name(rule.move), rule, self._literals(rule.needs))
            for rule in ply.rules
        ]

    def _codes(self, turn: Sequence[Ply]) -> list[list[int]]:
        """The bits of White's codes for a whole turn: one ∀ block, the boards after it."""
        labels = [bit_labels(1 + max(ply.codes, default=0)) for ply in turn]
        return [
            self.builder.forall("code", [ply.label], bits)[0].tolist()
            for ply, bits in zip(turn, labels, strict=True)
        ]

    def _white(self, ply: Ply, bits: list[int]) -> None:
        """White has no move that wins, and makes one: the forced one, or else the coded one.

        If that is not legal, White has lost; or ∃ makes a legal move, if stuck players draw.
        """
        if self.falls is not None:
            held = self._held(ply, Player.BLACK, self._winning(ply))
            self.won = self.builder.any_of("won", ply.label, [self.won, *held])
        for needs in ply.wins:
            self._prevented(self._literals(needs))
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
            for literal in () if self._replaces(ply) else (*code, -some):
                self.builder.clause(-move, alone, literal)
            illegal = [-literal for literal in literals]
            self.builder.clause(move, self.won, *illegal, some, *(-literal for literal in code))
            self.builder.clause(move, self.won, *illegal, -alone)
        if self._replaces(ply):
            self.builder.clause(self.won, *moves)
            at_most_one(self.builder, moves, ply.label)
        else:
            self._not_stuck(ply)
            self.won = -self.builder.any_of("moved", ply.label, moves)
        self._note(ply, moves, coded)
        self._after(ply, moves)

    def _forced(self, ply: Ply) -> list[int]:
        """For every move: whether it alone parries a threat. If two do, or none, Black has won.

        Two moves with one code are never both legal; so if Black has not won, at most one move is
        made by force.
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

            def illegal(place: int, given: set[int] = given) -> int:
                legal = self._legal(ply, ply.rules[place])
                return -self.builder.all_of(
                    "legal", ply.label, [x for x in legal if x not in given]
                )

            for place in parries:
                others = [illegal(k) for k in parries if k != place]
                alone[place].append(self.builder.all_of("alone", ply.label, [threatens, *others]))
            if self.stuck_draws or not parries:  # else an illegal forced move loses anyway
                nothing = [threatens, *map(illegal, parries)]
                lost.append(self.builder.all_of("lost", ply.label, nothing))
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

    def _replaces(self, ply: Ply) -> bool:
        """Whether ∃ makes a legal move for White if his code is illegal; if not, he has lost."""
        return self.stuck_draws and not any(rule.loses for rule in ply.rules)

    def _not_stuck(self, ply: Ply) -> None:
        """Black has won, or White has a legal move, be it one that loses; unless stuck loses."""
        if self.stuck_draws:
            moves = [self._literals(rule.needs) for rule in ply.rules]
            some = [self.builder.all_of("legal", ply.label, literals) for literals in moves]
            self.builder.clause(self.won, *some)

    def _prevented(self, literals: Sequence[int]) -> None:
        self.builder.clause(self.won, *(-literal for literal in literals))

    def _wins(self, ply: Ply) -> list[int]:
        """Literals of which one is true if Black can meet a goal by one move."""
        return [self.builder.all_of("win", ply.label, self._literals(needs)) for needs in ply.wins]

    def _note(self, ply: Ply, moves: Sequence[int] = (), literals: Sequence[Cube] = ()) -> None:
        """Keep the variables of a ply's moves, and how moves are seen and made by others."""
        shown = {rule.move: cube for rule, cube in zip(ply.rules, literals, strict=False)}
        strict = bool(shown) and (ply.player is Player.WHITE or self.paths is None)
        ways = self._winning(ply) if self.falls is not None and ply.player is Player.WHITE else []
        held = partial(self.falls.holds, Player.BLACK, ways) if self.falls and ways else None
        seen_on = partial(_seen, ply, shown, held) if ply.threats or held else None
        black = ply.player is Player.BLACK
        replaced = self._replaces(ply) and not black
        made = {rule.move: (move,) for rule, move in zip(ply.rules, moves, strict=False)}
        self.script.append(
            ScriptedPly(
                ply.player,
                shown,
                shown,
                shown=made if replaced else {},
                seen_on=seen_on,
                strict=strict,
                replaced=replaced,
                foreseen=strict and black,
            )
        )
        self.made.append({rule.move: move for rule, move in zip(ply.rules, moves, strict=False)})


def _seen(
    ply: Ply,
    coded: Mapping[Move, Cube],
    held: Callable[[int, int], bool] | None,
    black: int,
    white: int,
) -> Mapping[Move, Cube]:
    """How White's moves are seen on a board: a forced one always, others by their codes.

    None is seen if Black has won by answering in pairs, which `held` says.
    """
    if held is not None and held(black, white):
        return {}

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


def encoded(
    encoding: Encoding,
    question: Question,
    grounding: Stated,
    restricted: bool,
    claims: Sequence[int] = (),
) -> Encoded:
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
        write_script=lambda: Script(grounding.script, claims=claims),
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
    statement = Statement(question, stated, paths)
    return encoded(self, question, statement, restricted, statement.claims)
