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
  answers are forced, he wins by nothing else, and has it one stone before his last. He had no
  threat before, since White has just answered; so the stone that makes it is in both sets. So after
  each turn of White's some double threat is possible still: there is no white stone in either set,
  its two last cells are not black, and, if it takes all of Black's stones but the last, he has none
  elsewhere.
- If White cannot complete a set by his last turn, his last turn but one and all that follows need
  no variables. Black wins from there exactly if, for every answer of White's, he completes a set
  now, by a threat on another cell, or makes a double threat of open cells apart from the answer,
  which a stone of his completes. Answers on cells that are taken ask for no more than a pass, which
  never helps White.
- A double threat can first be made when Black has all stones but two of a smallest set. There it
  wins before it is made, unless White has all stones but one of a set: White completes nothing in
  his next turn and stops one of the threats. Elsewhere the rule is left out. It is for games with
  more sets than cells, where Black's win is likely.
- A *pairing* is disjoint pairs of cells, of which every set contains one. If Black has no stone in
  a pair, or White has one, White keeps Black from owning it: he answers in the pair. So after each
  turn of White's some pair of every pairing has a black stone and no white one. Pairings of the
  sets without a certain cell bind Black if White has a stone on this cell.
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
from functools import cached_property, partial
from itertools import combinations

from skolemate.encodings.encoding import Cube, Encoded, Encoding, Script, ScriptedPly, encoding
from skolemate.encodings.parts.boards import about, at_most_one, bit_labels, decided, matching
from skolemate.encodings.parts.listed import by_stones
from skolemate.encodings.parts.problems import SetProblem, Turn, set_problem, symmetric_replies
from skolemate.encodings.parts.threats import Pairing, Pairings, double_threats
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
    expanded: bool = True  # White's answers before the last double threat need no variables
    making: bool = True  # the first double threat is seen before it is made
    pairs: bool = True  # White has kept no pairing


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
            single = all(len(other.plies) == 1 for other in (turn, *following))
            if turn.player is Player.BLACK:
                if not seen:
                    self.won = self.builder.any_of("won", turn.label, [self.won, *self._wins(turn)])
                if single and self._first_double():
                    made = self._double_is_made(turn)
                    self.won = self.builder.any_of("won", turn.label, [self.won, made])
                if not following:
                    self.builder.clause(self.won)
                if not following or self.won == ALWAYS:
                    return
                self._black_turn(turn)
                continue
            self._white_cannot_win(turn)
            threats, seen = [NEVER] * len(self.cells), False
            if self.switches.forced and len(turn.plies) == 1 == len(following[0].plies):
                threats, seen = self._threats(turn), True
                answers = self.problem.allowed(turn.plies[0])
                lost = [threats[cell] for cell in self.cells if cell not in answers]
                two = self._two_of(turn, threats)
                self.won = self.builder.any_of("won", turn.label, [self.won, two, *lost])
                if len(following) == 1:
                    self.builder.clause(self.won)
                    return
                if single and len(following) == 3 and self._can_be_expanded():
                    self._double_follows(turn, threats)
                    return
            if self.won == ALWAYS:
                return
            self._white_turn(turn, threats, seen)
            if single and self.switches.pairs:
                self._no_pairing_is_kept(turn)
            if single and seen and self.switches.doubles:
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

    def _no_pairing_is_kept(self, turn: Turn) -> None:
        """Unless Black has won, he has broken a pair of every pairing."""
        broken: dict[tuple[int, int], int] = {}
        for one, other in sorted({pair for pairing in self._pairings for pair in pairing.pairs}):
            black = self.builder.any_of("either", turn.label, [self.black[one], self.black[other]])
            unanswered = [black, -self.white[one], -self.white[other]]
            broken[one, other] = self.builder.all_of("broken", turn.label, unanswered)
        for pairing in self._pairings:
            stone = ALWAYS if pairing.stone is None else self.white[pairing.stone]
            self.builder.clause(self.won, -stone, *(broken[pair] for pair in pairing.pairs))

    @cached_property
    def _pairings(self) -> list[Pairing]:
        return Pairings(self.problem.black_sets, len(self.cells)).all()

    def _double_is_possible(self, turn: Turn) -> None:
        """Unless Black has won, he can still have a double threat one stone before his last."""
        if self.doubles is None:
            return
        possible = []
        for double in self.doubles:
            breathe()
            stones, not_black = double.stones, list(double.open)
            if len(stones) == self.stones - 1:
                not_black = [cell for cell in self.cells if cell not in stones]
            free = [-self.white[cell] for cell in (*stones, *double.open)]
            unused = [-self.black[cell] for cell in not_black]
            possible.append(self.builder.all_of("double", turn.label, [*free, *unused]))
        self.builder.clause(self.won, *possible)

    def _can_be_expanded(self) -> bool:
        """Whether White cannot complete a set by the second of the turns that he has left."""
        most = self.placed[Player.WHITE] + 2
        cannot_win = all(len(winning) > most for winning in self.problem.white_sets)
        return self.switches.expanded and cannot_win and self.doubles is not None

    def _double_follows(self, turn: Turn, threats: Sequence[int]) -> None:
        """Unless Black has won, he completes a set or makes a double threat, whatever White does.

        White may pass: so he does with a code that the rules do not allow.
        """
        ready: list[tuple[set[int], int]] = []  # the cells that White must leave open
        for double in self.doubles or ():
            breathe()
            free = [-x[cell] for cell in double.open for x in (self.black, self.white)]
            for last in double.shared:
                black = [self.black[cell] for cell in double.stones if cell != last]
                gate = self.builder.all_of("ready", turn.label, [*black, -self.white[last], *free])
                ready.append(({last, *double.open}, gate))
        for answer in (None, *self.problem.allowed(turn.plies[0])):
            completed = (threats[cell] for cell in self.cells if cell != answer)
            made = (gate for cells, gate in ready if answer not in cells)
            self.builder.clause(self.won, *completed, *made)

    def _seen(self, coded: Mapping[Move, Cube], black: int, white: int) -> Mapping[Move, Cube]:
        """How White's move is seen on a board: the answer to a threat always, others by code."""
        cells = self.problem.cells
        own, other = (
            mask_of(code for code, cell in enumerate(cells) if stones >> cell & 1)
            for stones in (black, white)
        )
        threats = completing(self.problem.black_sets, own, other, stones=1)
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

    def _first_double(self) -> bool:
        """Whether a double threat may be made now, and not before."""
        problem = self.problem
        many = len(problem.black_sets) > len(problem.cells)
        first = self.placed[Player.BLACK] == min(map(len, problem.black_sets)) - 2
        return self.switches.making and many and first

    def _double_is_made(self, turn: Turn) -> int:
        """A literal that is true if a stone makes two threats, and White completes no set then."""
        rest_of: dict[tuple[int, int], list[int]] = defaultdict(list)
        for winning in self.problem.black_sets:
            if len(winning) - 2 <= self.placed[Player.BLACK]:
                for pair in combinations(winning, 2):
                    rest = [self.black[cell] for cell in winning if cell not in pair]
                    rest_of[pair].append(self.builder.all_of("rest", turn.label, rest))
        open_pairs: dict[int, list[int]] = defaultdict(list)  # by cell
        for pair, rests in rest_of.items():
            free = [-x[cell] for cell in pair for x in (self.black, self.white)]
            some = self.builder.any_of("rests", turn.label, rests)
            gate = self.builder.all_of("pair", turn.label, [some, *free])
            for cell in pair:
                open_pairs[cell].append(gate)
        made = [self._two_of(turn, open_pairs[c]) for c in self.problem.allowed(turn.plies[0])]
        safe = [-threat for threat in self._white_threats(turn)]
        return self.builder.all_of(
            "made", turn.label, [self.builder.any_of("making", turn.label, made), *safe]
        )

    def _white_threats(self, turn: Turn) -> list[int]:
        """Literals of which one is true if White could complete a set by one stone."""
        return [
            self.builder.all_of(
                "danger",
                turn.label,
                [*(self.white[c] for c in winning if c != cell), -self.black[cell]],
            )
            for winning in self.problem.white_sets
            if len(winning) - 1 <= self.placed[Player.WHITE]
            for cell in winning
        ]

    def _two_of(self, turn: Turn, literals: Sequence[int]) -> int:
        """A literal that is true if two of these are."""
        earlier, pairs = NEVER, []
        for literal in literals:
            pairs.append(self.builder.all_of("second", turn.label, [earlier, literal]))
            earlier = self.builder.any_of("first", turn.label, [earlier, literal])
        return self.builder.any_of("two", turn.label, pairs)


# --- decoding -------------------------------------------------------------------------------------


def completing(sets: Iterable[tuple[int, ...]], own: int, other: int, stones: int) -> list[int]:
    """The open cells of all sets that a player completes by so many stones; masks of codes."""
    near = [mask & ~own for mask in map(mask_of, sets) if not mask & other]
    return sorted({cell for rest in near if rest.bit_count() <= stones for cell in cells_of(rest)})


@dataclass(frozen=True)
class Play:
    """The play that an assignment describes, with the moves that the formula leaves out."""

    problem: SetProblem
    script: Sequence[ScriptedPly]

    def first_move(self, assignment: Mapping[int, bool]) -> Move | None:
        """Black's first move: one that completes a set, a double threat, or the assignment's."""
        if self.problem.question.game.start.to_move is not Player.BLACK:
            return None
        placed = self._black(0, 0, 1, assignment, at_once=True)
        if placed is None and self.script:  # a solver may leave the board out
            placed = self._named(self.script[0].chosen, 0, assignment)
        return self.problem.first_move([] if placed is None else [placed])

    def play(self, assignment: Mapping[int, bool]) -> list[Position]:
        """The start and the position after every ply, until Black has won.

        If he has not, the formula saw a double threat, and left his later moves open.
        """
        positions = self._played(assignment, at_once=False)
        if positions[-1].winner is Player.BLACK:
            return positions
        return self._played(assignment, at_once=True)

    def _played(self, assignment: Mapping[int, bool], at_once: bool) -> list[Position]:
        """The positions; Black makes a double threat as soon as he can, or when nothing is left."""
        stones = dict.fromkeys(Player, 0)
        positions = [self.problem.position(0, 0, 0)]
        for ply, player in enumerate(self.problem.schedule, 1):
            if positions[-1].winner is not None:
                break
            black, white = stones[Player.BLACK], stones[Player.WHITE]
            if player is Player.BLACK:
                placed = self._black(black, white, ply, assignment, at_once)
            else:
                placed = self._white(black, white, ply, assignment)
            if placed is not None:
                stones[player] |= 1 << placed
            black, white = stones[Player.BLACK], stones[Player.WHITE]
            positions.append(self.problem.position(black, white, ply))
        return positions

    def _black(
        self, black: int, white: int, ply: int, assignment: Mapping[int, bool], at_once: bool
    ) -> int | None:
        wins, doubles = self._completing(black, white, ply), self._doubling(black, white, ply)
        assigned = self._assigned(black | white, ply, assignment)
        choices = [*doubles, assigned] if at_once else [assigned, *doubles]
        return next((cell for cell in (*wins, *choices) if cell is not None), None)

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
        cells = completing(self.problem.black_sets, black, white, left)
        return [cell for cell in cells if cell in self.problem.allowed(ply)]

    def _doubling(self, black: int, white: int, ply: int) -> list[int]:
        """The cells with which Black makes a double threat, if White cannot win before it."""
        problem, following = self.problem, self.problem.schedule[ply - 1 :]
        if following[:3] != (Player.BLACK, Player.WHITE, Player.BLACK):
            return []
        if completing(problem.white_sets, white, black, 1):
            return []
        opened = (cell for cell in problem.allowed(ply) if not (black | white) >> cell & 1)
        return [
            cell
            for cell in opened
            if len(completing(problem.black_sets, black | 1 << cell, white, 1)) > 1
        ]

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
    return stated(self, problem, best_switches(problem))


def best_switches(problem: SetProblem) -> Switches:
    """The rules for a problem: answers are forced unless the plies fill the board."""
    return Switches(forced=len(problem.schedule) + 1 < len(problem.cells))


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
