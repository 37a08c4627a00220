"""THREAT: COR+ in which threats are seen before they are carried out.

Boards, moves and codes are as in COR+ (`cor_plus`): White's code of a taken cell, or of no cell,
changes nothing, Black may place no stone, and White may have more stones than he has placed, which
never helps Black. The difference is what both players know in time. A *threat* is an open cell with
which Black would complete a set.

- White must answer a threat, so he does, whatever his code says. With two threats Black has won.
  Both are exact: if White does anything else, Black completes a set at his next ply; and White has
  no set to complete, as the next rule says.
- White's wins are seen one turn ahead: if White could complete a set in his turn, Black has lost.
  His code is not in these clauses, so the solver knows it while Black moves.
- So the last two turns need no variables: Black must have two threats by then. If answers are not
  forced, it is only the last one.
- After each turn of White's some set has no white stone, unless Black has won. This follows from
  the rest, but solvers do not see it.
- A *double threat* is two sets that Black completes with one stone each, on different cells. Where
  answers are forced, he wins by nothing else, and has it one stone before his last. So after each
  turn of White's some double threat is possible still: there is no white stone in either set, its
  two last cells are not black, and, if it takes all of Black's stones but the last, he has none
  elsewhere.
- After Black's first stone White's first answer is one of each class of symmetric ones, too. The
  other codes change nothing.

Threats are forced and counted only if both turns have one stone. Otherwise, and where the plies
fill the board (refutations are three times as fast then), Black has won before his turn if he can
complete a set within it. So he has by the last one.

Definitions of threats are equivalences, which makes solvers twice as fast; those of boards are
implications: with exact white stones they are several times slower.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, product

from skolemate.encodings.encoding import Cube, Encoded, Encoding, Script, ScriptedPly, encoding
from skolemate.encodings.parts.boards import about, at_most_one, bit_labels, decided, matching
from skolemate.encodings.parts.listed import by_stones
from skolemate.encodings.parts.problems import SetProblem, Turn, set_problem, symmetric_replies
from skolemate.formula import FALSE, TRUE, Builder
from skolemate.games import Move, Player, Position, cells_of, mask_of
from skolemate.limits import breathe

NEVER, ALWAYS = int(FALSE), int(TRUE)


@dataclass(frozen=True)
class Switches:
    """What the formula knows beyond COR+. `threat` chooses; the rest is for measurements."""

    forced: bool = True  # threats are answered, and two of them win
    alive: bool = True  # some set is without a white stone
    doubles: bool = True  # some double threat is possible still
    replies: bool = True  # White's first answer is one of a class


class Statement:
    """States the game turn by turn; holds the board and whether Black has won by then."""

    def __init__(self, problem: SetProblem, switches: Switches) -> None:
        self.problem, self.switches, self.builder = problem, switches, Builder()
        self.cells = range(len(problem.cells))
        self.black, self.white = [NEVER for _ in self.cells], [NEVER for _ in self.cells]
        self.placed = dict.fromkeys(Player, 0)
        self.stones = problem.schedule.count(Player.BLACK)
        self.doubles = double_threats(problem.black_sets, self.stones - 1)
        self.won = NEVER
        self.script: list[ScriptedPly] = []
        self.symmetric: Mapping[int, Sequence[int]] = {}
        self.by_cell: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for winning in problem.black_sets:
            for cell in winning:
                self.by_cell[cell].append(winning)
        self._state(problem.turns)

    def _state(self, turns: Sequence[Turn]) -> None:
        seen = False  # whether all wins at the next turn of Black's are seen already
        for turn, *following in (turns[place:] for place in range(len(turns))):
            stones = len(turn.plies)
            if turn.player is Player.BLACK:
                if not seen:
                    self.won = self.builder.any_of("won", turn.label, [self.won, *self._wins(turn)])
                if not following:
                    self.builder.clause(self.won)
                if not following or self.won == ALWAYS:
                    return
                self._black_turn(turn)
                continue
            self._white_cannot_win(turn)
            threats, seen = [NEVER] * len(self.cells), False
            if self.switches.forced and stones == 1 == len(following[0].plies):
                threats, seen = self._threats(turn), True
                answers = self.problem.allowed(turn.plies[0])
                lost = [threats[cell] for cell in self.cells if cell not in answers]
                two = self._two_of(turn, threats)
                self.won = self.builder.any_of("won", turn.label, [self.won, two, *lost])
                if len(following) == 1:
                    self.builder.clause(self.won)
                    return
            if self.won == ALWAYS:
                return
            self._white_turn(turn, threats, seen)
            if seen and self.switches.doubles and all(len(t.plies) == 1 for t in following):
                self._double_is_possible(turn)

    # --- turns -----------------------------------------------------------------------------------

    def _black_turn(self, turn: Turn) -> None:
        """Black places a stone at each ply, or none."""
        for ply in turn.plies:
            allowed = self.problem.allowed(ply)
            names = [self.problem.names[cell] for cell in allowed]
            before, after = self.black, list(self.black)
            moves = self.builder.exists("move", [f"t{ply}"], names).reshape(-1).tolist()
            stones = self.builder.exists("black", names, [f"t{ply}"]).reshape(-1).tolist()
            for cell, move, stone in zip(allowed, moves, stones, strict=True):
                after[cell] = stone
                self.builder.clause(-before[cell], stone)
                self.builder.clause(before[cell], -stone, move)
                self.builder.clause(-stone, -self.white[cell])
            at_most_one(self.builder, moves, f"t{ply}")
            self.black = after
            self.placed[Player.BLACK] += 1
            kept = self._cubes(allowed, ((after[cell],) for cell in allowed))
            chosen = self._cubes(allowed, ((move,) for move in moves))
            scripted = ScriptedPly(Player.BLACK, kept, chosen, kept=kept, foreseen=True)
            self.script.append(scripted)
        if turn.plies == (1,) and self.switches.replies:
            self.symmetric = symmetric_replies(self.problem)

    def _white_turn(self, turn: Turn, threats: Sequence[int], forced: bool) -> None:
        """White answers a threat, or else places the coded stones."""
        first_stones = self.black
        threatened = self.builder.any_of("threatened", turn.label, threats)
        labels = [f"t{ply}" for ply in turn.plies]
        codes = self.builder.forall("code", labels, bit_labels(len(self.cells)))
        for ply, bits in zip(turn.plies, codes, strict=True):
            allowed = self.problem.allowed(ply)
            before = self.white
            white = self.builder.exists("white", self.problem.names, [f"t{ply}"])
            self.white = white.reshape(-1).tolist()
            coded = [tuple(row) for row in matching(bits, len(self.cells))[allowed].tolist()]
            for cell in self.cells:
                self.builder.clause(-before[cell], self.white[cell])
                self.builder.clause(self.won, -threats[cell], self.white[cell])
            for cell, code in zip(allowed, coded, strict=True):
                others = self.symmetric.get(cell, ()) if ply == 2 else ()
                self.builder.clause(
                    *(self.won, threatened, self.black[cell], self.white[cell]),
                    *(-bit for bit in code),
                    *(first_stones[first] for first in others),
                )
            self.placed[Player.WHITE] += 1
            cubes = self._cubes(allowed, coded)
            kept = self._cubes(self.cells, ((stone,) for stone in self.white))
            seen_on = partial(self._seen, cubes) if forced else None
            self.script.append(ScriptedPly(Player.WHITE, cubes, cubes, kept=kept, seen_on=seen_on))
        if self.switches.alive:
            alive = (
                self.builder.all_of("alive", turn.label, [-self.white[cell] for cell in winning])
                for winning in self.problem.black_sets
            )
            self.builder.clause(self.won, *alive)

    def _double_is_possible(self, turn: Turn) -> None:
        """Unless Black has won, he can still have a double threat one stone before his last."""
        if self.doubles is None:
            return
        possible = []
        for stones, last in self.doubles:
            breathe()
            all_needed = len(stones) == self.stones - 1
            not_black = [cell for cell in self.cells if cell not in stones] if all_needed else last
            free = [-self.white[cell] for cell in (*stones, *last)]
            unused = [-self.black[cell] for cell in not_black]
            possible.append(self.builder.all_of("double", turn.label, [*free, *unused]))
        self.builder.clause(self.won, *possible)

    def _seen(self, coded: Mapping[Move, Cube], black: int, white: int) -> Mapping[Move, Cube]:
        """How White's move is seen on a board: the answer to a threat always, others by code."""
        cells = self.problem.cells
        own, other = (
            mask_of(code for code, cell in enumerate(cells) if stones >> cell & 1)
            for stones in (black, white)
        )
        threats = completing(self.problem, own, other, stones=1)
        return {self.problem.move_onto(cells[code]): () for code in threats[:1]} or coded

    def _cubes(self, allowed: Sequence[int], literals: Iterable[Cube]) -> dict[Move, Cube]:
        onto = (self.problem.move_onto(self.problem.cells[cell]) for cell in allowed)
        return dict(zip(onto, literals, strict=True))

    # --- wins and threats ------------------------------------------------------------------------

    def _wins(self, turn: Turn) -> list[int]:
        """Literals of which one is true if Black can complete a set in this turn."""
        wins = []
        for winning in self.problem.black_sets:
            for rest in self._completed(turn, winning):
                stones = [self.black[cell] for cell in winning if cell not in rest]
                wins.append(
                    self.builder.all_of(
                        "win", turn.label, [*stones, *(-self.white[c] for c in rest)]
                    )
                )
        return wins

    def _white_cannot_win(self, turn: Turn) -> None:
        """Unless Black has won, White completes no set in this turn."""
        for winning in self.problem.white_sets:
            for rest in self._completed(turn, winning):
                white = (-self.white[cell] for cell in winning if cell not in rest)
                self.builder.clause(self.won, *white, *(self.black[cell] for cell in rest))

    def _completed(self, turn: Turn, winning: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The parts of a set that a turn can complete, if the player can have the rest by then."""
        breathe()
        stones = len(turn.plies)
        if len(winning) - stones > self.placed[turn.player]:
            return []
        first = set(self.problem.allowed(turn.plies[0]))
        parts = combinations(winning, min(stones, len(winning)))
        return [part for part in parts if len(part) < stones or not first.isdisjoint(part)]

    def _threats(self, turn: Turn) -> list[int]:
        """For each cell whether it is a threat."""
        threats = []
        for cell in self.cells:
            breathe()
            lines = [
                self.builder.all_of(
                    "line", turn.label, [self.black[other] for other in line if other != cell]
                )
                for line in self.by_cell[cell]
                if len(line) - 1 <= self.placed[Player.BLACK]
            ]
            some = self.builder.any_of("lines", turn.label, lines)
            taken = self.black[cell], self.white[cell]
            threats.append(self.builder.all_of("threat", turn.label, [some, -taken[0], -taken[1]]))
        return threats

    def _two_of(self, turn: Turn, literals: Sequence[int]) -> int:
        """A literal that is true if two of these are."""
        earlier, pairs = NEVER, []
        for literal in literals:
            pairs.append(self.builder.all_of("second", turn.label, [earlier, literal]))
            earlier = self.builder.any_of("first", turn.label, [earlier, literal])
        return self.builder.any_of("two", turn.label, pairs)


MOST_DOUBLES = 1000  # if there are more, the rule is left out: so long a clause says little


def double_threats(
    sets: Sequence[tuple[int, ...]], most: int
) -> list[tuple[tuple[int, ...], tuple[int, int]]] | None:
    """The stones, at most so many, and the two open cells of every double threat.

    None if there are too many.

    >>> double_threats([(0, 1, 2), (1, 2, 3), (4, 5, 6)], 3)
    [((1, 2), (0, 3))]
    """
    found = set()
    for one, other in combinations(map(frozenset, sets), 2):
        breathe()
        if len(one | other) - 2 > most:
            continue
        for last in product(one - other, other - one):
            stones = tuple(sorted((one | other).difference(last)))
            found.add((stones, (min(last), max(last))))
        if len(found) > MOST_DOUBLES:
            return None
    return sorted(found)


# --- decoding -------------------------------------------------------------------------------------


def completing(problem: SetProblem, black: int, white: int, stones: int) -> list[int]:
    """The open cells of all sets that Black completes by so many stones; masks are over codes."""
    masks = (mask_of(winning) for winning in problem.black_sets)
    near = [mask & ~black for mask in masks if not mask & white]
    return sorted({cell for rest in near if rest.bit_count() <= stones for cell in cells_of(rest)})


@dataclass(frozen=True)
class Play:
    """The play that an assignment describes, with the moves that the formula leaves out."""

    problem: SetProblem
    script: Sequence[ScriptedPly]

    def first_move(self, assignment: Mapping[int, bool]) -> Move | None:
        """Black's first move: one that completes a set in his turn, or the assignment's."""
        if self.problem.question.game.start.to_move is not Player.BLACK:
            return None
        placed = self._black(0, 0, 1, assignment)
        if placed is None and self.script:  # a solver may leave the board out
            placed = self._named(self.script[0].chosen, 0, assignment)
        return self.problem.first_move([] if placed is None else [placed])

    def play(self, assignment: Mapping[int, bool]) -> list[Position]:
        """The start and the position after every ply, until Black has won."""
        stones = dict.fromkeys(Player, 0)
        positions = [self.problem.position(0, 0, 0)]
        for ply, player in enumerate(self.problem.schedule, 1):
            if positions[-1].winner is not None:
                break
            choose = self._black if player is Player.BLACK else self._white
            placed = choose(stones[Player.BLACK], stones[Player.WHITE], ply, assignment)
            if placed is not None:
                stones[player] |= 1 << placed
            black, white = stones[Player.BLACK], stones[Player.WHITE]
            positions.append(self.problem.position(black, white, ply))
        return positions

    def _black(
        self, black: int, white: int, ply: int, assignment: Mapping[int, bool]
    ) -> int | None:
        allowed = self.problem.allowed(ply)
        wins = (cell for cell in self._completing(black, white, ply) if cell in allowed)
        placed = next(wins, None)
        return placed if placed is not None else self._assigned(black | white, ply, assignment)

    def _white(
        self, black: int, white: int, ply: int, assignment: Mapping[int, bool]
    ) -> int | None:
        threats = self._completing(black, white, ply + 1)
        forced = ply > len(self.script) or self.script[ply - 1].seen_on is not None
        if threats and forced:
            return threats[0]
        return self._assigned(black | white, ply, assignment)

    def _completing(self, black: int, white: int, ply: int) -> list[int]:
        """The open cells of a set that Black can complete in his turn, from a ply on."""
        turn = next((turn for turn in Turn.of(self.problem.schedule) if ply in turn.plies), None)
        left = 0 if turn is None or turn.player is Player.WHITE else turn.plies[-1] - ply + 1
        return completing(self.problem, black, white, left)

    def _assigned(self, taken: int, ply: int, assignment: Mapping[int, bool]) -> int | None:
        """The open cell that has a new stone."""
        if ply > len(self.script):
            return None
        return self._named(self.script[ply - 1].seen, taken, assignment)

    def _named(
        self, cubes: Mapping[Move, Cube], taken: int, assignment: Mapping[int, bool]
    ) -> int | None:
        codes = {self.problem.move_onto(cell): code for code, cell in enumerate(self.problem.cells)}
        for move, cube in cubes.items():
            named = all(assignment.get(abs(x), x < 0) == (x > 0) for x in cube)
            if named and not taken >> codes[move] & 1:
                return codes[move]
        return None


# --- the encoding ---------------------------------------------------------------------------------


@encoding(
    "threat",
    paper="Skolemate; after Mayer-Eichberger, Saffidine: Positional Games and QBF, 2021",
    views=("hypergraph or stones",),
)
@by_stones
@about(set_problem)
def threat(self: Encoding, problem: SetProblem) -> Encoded:
    """COR+ with forced answers to threats, and wins seen before they are played; any schedule."""
    filled = len(problem.schedule) + 1 >= len(problem.cells)
    return stated(self, problem, Switches(forced=not filled))


def stated(encoding: Encoding, problem: SetProblem, switches: Switches) -> Encoded:
    """The encoding with only some of what it knows."""
    statement = Statement(problem, switches)
    play = Play(problem, statement.script)
    formula = statement.builder.formula()
    if formula.constant is not None:
        whole = decided(encoding, problem.question, formula.constant)
        return replace(whole, decode=play.first_move)
    return Encoded(
        problem.question,
        encoding,
        formula,
        play.first_move,
        play.play,
        restricted=problem.restricted,
        write_script=lambda: Script(statement.script),
    )
