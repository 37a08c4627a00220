"""NET: any GDL game by the network of its rules, with the facts after every ply.

As GD, published for GDL (He, Saffidine and Thielscher 2024): Black's moves have a variable each,
White's a binary code, and whatever the choices so far determine stands before the next choice. If
White's code names no legal move, ∃ makes one for him; that is harmless, since legal moves have
codes. What is different here: only players whose turn it may be have moves at a ply, not every
role; what is constant at a ply, also by counting plies, gets no variable; and facts on which
winning does not depend are left out.

If a count decides the game early (games/gdl/sums.py), Black must not lose by it. White's moves by
which Black would lose at once are not waited for: before White's code it is stated that White has
no such move, or Black has won.

With symmetry, of the first moves that are alike only one is stated, and of two moves that twins
exchange (games/gdl/symmetries.py) the later one is legal only if the twins differ. That is exact at
all plies together: where a move is left out, the state is symmetric, and an earlier move, in the
order of their numbers, is as good for its player; of these the first one is not left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial, reduce
from operator import and_, or_

from skolemate.encodings.encoding import Cube, Encoded, Encoding, ScriptedPly, encoding
from skolemate.encodings.ground import PAPER, encoded
from skolemate.encodings.parts.boards import at_most_one, bit_labels, decided
from skolemate.formula import FALSE, TRUE, Builder
from skolemate.games import Game, Move, Player, Question
from skolemate.games.gdl.sums import decided_early
from skolemate.games.gdl.symmetries import Symmetries, Twins
from skolemate.games.symmetry import cells_of, mask_of
from skolemate.games.views import Propnet
from skolemate.limits import breathe

Way = frozenset[int]  # literals that are all true
MOST_WAYS = 100  # in which a move may lose


class Evaluation:
    """The literals of a network in one state, as gates of a formula, made when asked for."""

    def __init__(
        self, net: Propnet, state: Sequence[int], all_of: Callable[[int, list[int]], int]
    ) -> None:
        """`all_of` makes a gate, which it is told, from the values of its inputs."""
        self._net, self._all_of = net, all_of
        self._known = {1: int(TRUE)} | {2 + fact: value for fact, value in enumerate(state)}

    def make(self, moves: dict[Move, int]) -> None:
        """Say which moves are made; all others are not."""
        first = self._net.first_move
        for move in range(len(self._net.owners)):
            self._known[first + move] = moves.get(move, int(FALSE))

    def __getitem__(self, literal: int) -> int:
        waiting = [abs(literal)]
        while waiting:
            variable = waiting[-1]
            inputs = () if variable in self._known else self._gate(variable)
            missing = [abs(x) for x in inputs if abs(x) not in self._known]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if variable not in self._known:
                breathe()
                self._known[variable] = self._all_of(variable, [self._value(x) for x in inputs])
        return self._value(literal)

    def conditions(self, literal: int) -> tuple[int, ...] | None:
        """Literals that are all true exactly if this one is; None if it is false.

        So a conjunction needs no gate.
        """
        found, waiting = dict[int, None](), [literal]
        while waiting:
            part = waiting.pop()
            if part >= self._net.first_gate:
                waiting += self._gate(part)
            elif (value := self[part]) != TRUE:
                found[value] = None
        return None if any(x == FALSE or -x in found for x in found) else tuple(found)

    def ways(self, literal: int, move: Move, given: Way) -> list[Way] | None:
        """Literals of this state; if all of a way are true, the literal is, after this one move.

        Ways need no gates. They say all of it: if the literal is true, one of the ways is. What is
        given is left out. None if there are too many.
        """
        known: dict[int, list[Way]] = {}
        here = [self._net.next[abs(literal) - 2]]
        for variable in self._net.cone(here[0]):
            for sign in (1, -1):
                known[sign * variable] = self._ways_of(sign * variable, move, given, known)
                if len(known[sign * variable]) > MOST_WAYS:
                    return None
        return known[here[0]]

    def _ways_of(
        self, literal: int, move: Move, given: Way, known: dict[int, list[Way]]
    ) -> list[Way]:
        variable, first = abs(literal), self._net.first_move
        if first <= variable < self._net.first_gate:
            return [Way()] if (variable - first == move) is (literal > 0) else []
        if variable < first:
            value = self[literal]
            if value == TRUE or value in given:
                return [Way()]
            return [] if value == FALSE or -value in given else [Way([value])]
        if literal < 0:
            return _fewest(way for x in self._gate(variable) for way in known[-x])
        ways = [Way()]
        for x in self._gate(variable):
            joined = (one | other for one in ways for other in known[x])
            ways = _fewest(way for way in joined if not any(-y in way for y in way))
            if len(ways) > MOST_WAYS:
                break
        return ways

    def _value(self, literal: int) -> int:
        return self._known[literal] if literal > 0 else -self._known[-literal]

    def _gate(self, variable: int) -> Sequence[int]:
        return self._net.gates[variable - self._net.first_gate]


def _fewest(ways: Iterable[Way]) -> list[Way]:
    """Those ways that do not contain others; the first ones, if they are too many."""
    found: list[Way] = []
    for way in sorted(set(ways), key=lambda way: (len(way), sorted(way))):
        breathe()
        if not any(shorter <= way for shorter in found):
            found.append(way)
        if len(found) > MOST_WAYS:
            break
    return found


class Counts:
    """Tells which gates are false at a ply since there were too few plies before it.

    A fact that is not as at the start was changed by a move. Where such facts are needed together,
    and no move changes two of them, they take a ply each, at which a move of theirs was possible.
    So three in a row are not seen before a player's third stone.
    """

    def __init__(self, net: Propnet, start: int) -> None:
        self._net, self._start = net, start
        self._plies: list[int] = []  # the moves that were possible at each, as masks
        self._changing = {fact: self._moves_changing(fact) for fact in cells_of(net.relevant)}
        self._needed: dict[int, int] = {}  # for each literal, a mask of facts
        for variable in range(1, net.first_gate + len(net.gates)):
            breathe()
            for literal in (variable, -variable):
                self._needed[literal] = self._changed_for(literal)
        self._least: dict[int, tuple[int, int]] = {}  # for a gate: plies, and a mask of moves

    def _moves_changing(self, fact: int) -> int:
        """The moves after which a fact may not be as at the start, if it was before."""
        breathe()
        net = self._net
        every = (1 << len(net.owners)) - 1
        possible = {1: every, -1: 0}  # the moves with which a literal may be true
        for variable in net.cone(net.next[fact]):
            if variable >= net.first_gate:
                inputs = net.gates[variable - net.first_gate]
                possible[variable] = reduce(and_, (possible[x] for x in inputs))
                possible[-variable] = reduce(or_, (possible[-x] for x in inputs))
            elif variable >= net.first_move:
                possible[variable] = 1 << variable - net.first_move
                possible[-variable] = every ^ possible[variable]
            elif variable > 1:
                possible[variable] = possible[-variable] = every
            if variable == 2 + fact:
                possible[self._changed(fact, variable)] = 0
        return possible[self._changed(fact, net.next[fact])]

    def _changed(self, fact: int, literal: int) -> int:
        """The literal, or its negation, that says that a fact is not as at the start."""
        return -literal if self._start >> fact & 1 else literal

    def _changed_for(self, literal: int) -> int:
        """The facts that are not as at the start whenever a literal is true, as far as seen."""
        net = self._net
        if abs(literal) >= net.first_gate:
            inputs = net.gates[abs(literal) - net.first_gate]
            if literal > 0:
                return reduce(or_, (self._needed[x] for x in inputs))
            return reduce(and_, (self._needed[-x] for x in inputs))
        fact = abs(literal) - 2
        needs = fact in self._changing and literal == self._changed(fact, 2 + fact)
        return 1 << fact if needs else 0

    def note(self, possible: Iterable[Move]) -> None:
        """One of these moves has been made."""
        self._plies.append(mask_of(possible))

    def too_early(self, gate: int) -> bool:
        """Whether a gate cannot be true yet."""
        if gate not in self._least:
            count = moves = 0
            needed = (self._changing[fact] for fact in cells_of(self._needed[gate]))
            for changing in sorted(needed, key=int.bit_count):
                if not moves & changing:
                    count, moves = count + 1, moves | changing
            self._least[gate] = count, moves
        count, moves = self._least[gate]
        return count > sum(bool(possible & moves) for possible in self._plies)


# Moves that may be legal, with the literals that must be true for that.
Legal = dict[Move, tuple[int, ...]]
# The literals of moves, and those by which they are seen and made.
Choice = tuple[dict[Move, int], dict[Move, Cube]]


class Statement:
    """States a game ply by ply; holds the facts and whether Black has won by then."""

    def __init__(self, game: Game, depth: int, symmetry: bool) -> None:
        self.game, self.builder = game, Builder()
        self.net, self._lost = decided_early(game.propnet(), game.start.occupied)
        self.restricted = False  # whether any first move was left out
        self._symmetries = Symmetries(self.net) if symmetry else None
        self._twins: list[Twins] = self._symmetries.twins() if self._symmetries else []
        self.script: list[ScriptedPly] = []
        self.made: list[dict[Move, int]] = []
        start = game.start.occupied & self.net.relevant
        self.state = [int(TRUE if start >> fact & 1 else FALSE) for fact in range(self.net.facts)]
        self.won = int(FALSE)
        self._gates: dict[frozenset[int], int] = {}
        self._counts = Counts(self.net, start)
        for ply in range(1, depth + 1):
            if not self._ply(f"t{ply}"):
                break
        self._note_win(f"t{depth}")
        self.builder.clause(self.won)

    def _note_win(self, label: str) -> Evaluation:
        """See whether Black has won by now."""
        here = Evaluation(self.net, self.state, partial(self._gate, label))
        met = here[self.net.won[Player.BLACK]]
        self.won = self.builder.any_of("won", label, [self.won, met])
        if self._lost is not None:
            self.builder.clause(self.won, -here[self._lost])
        return here

    def _avoid_loss(self, here: Evaluation, legal: Legal) -> None:
        """Black has won, or White has no move by which Black loses at once."""
        if self._lost is None:
            return
        now, ways = Way([here[self._lost]]), list[Way]()
        for move, conditions in legal.items():
            found = here.ways(self._lost, move, Way(conditions)) or []
            ways += [way.union(conditions) for way in found if not now <= way]
        for way in _fewest(ways):
            self.builder.clause(self.won, *(-literal for literal in sorted(way)))

    def _gate(self, label: str, variable: int, values: list[int]) -> int:
        """A gate of the network at a ply; equal ones are one, also of different plies."""
        if self._counts.too_early(variable):
            return int(FALSE)
        inputs = frozenset(values)
        if inputs not in self._gates:
            self._gates[inputs] = self.builder.all_of("gate", label, values)
        return self._gates[inputs]

    def _ply(self, label: str) -> bool:
        """The game is won, or one legal move is made; else Black has lost. Whether any may be."""
        here = self._note_win(label)
        legal: dict[Player, Legal] = {player: {} for player in Player}
        for move, owner in enumerate(self.net.owners):
            conditions = here.conditions(self.net.legal[move])
            if conditions is not None:
                legal[owner][move] = conditions
        if not any(legal.values()):
            return False
        self._avoid_loss(here, legal[Player.WHITE])
        self._leave_out_alike(legal)
        waiting = self._waiting(label, legal)
        made, parts = {}, []
        for player, choose in ((Player.BLACK, self._black), (Player.WHITE, self._white)):
            if legal[player]:
                moves, seen = choose(label, legal[player])
                self.builder.clause(self.won, waiting[player], *moves.values())
                made.update(moves)
                shown = {move: (variable,) for move, variable in moves.items()}
                parts.append(ScriptedPly(player, seen, seen, shown=shown))
        self.script.append(replace(parts[0], other=parts[1]) if len(parts) > 1 else parts[0])
        self.made.append(made)
        here.make(made)
        relevant, after = self.net.relevant, self.net.next
        self.state = [
            here[after[fact]] if relevant >> fact & 1 else int(FALSE)
            for fact in range(self.net.facts)
        ]
        self._counts.note(made)
        return True

    def _leave_out_alike(self, legal: dict[Player, Legal]) -> None:
        """Leave out moves for which others, that stay, are as good."""
        if self._symmetries is not None and not self.made:
            for moves in legal.values():
                for _, *others in self._symmetries.classes(self.game.start.occupied, list(moves)):
                    for move in others:
                        del moves[move]
                        self.restricted = True
        for twins in self._twins:
            for later in twins.moves.values():
                for moves in legal.values():
                    if later in moves:
                        differ = self._differ(twins, moves.pop(later))
                        if differ is not None:
                            moves[later] = differ

    def _differ(self, twins: Twins, conditions: tuple[int, ...]) -> tuple[int, ...] | None:
        """The conditions, and that twins differ; None if they do not.

        This is stated if the conditions say, or it is constant, what one of the twins is.
        """
        for fact, twin in (twins.facts, reversed(twins.facts)):
            here, there = self.state[fact], self.state[twin]
            for literal, needed in ((here, -there), (-here, there)):
                if literal == TRUE or literal in conditions:
                    if needed == FALSE or -needed in conditions:
                        return None
                    return tuple(x for x in dict.fromkeys((*conditions, needed)) if x != TRUE)
        return conditions

    def _waiting(self, label: str, legal: dict[Player, Legal]) -> dict[Player, int]:
        """Literals that are true if it is not a player's turn; somebody can move."""
        if not all(legal.values()):
            return dict.fromkeys(Player, int(FALSE))
        always = [
            set(next(iter(moves.values()))).intersection(*moves.values())
            for moves in legal.values()
        ]
        if turns := [literal for literal in always[0] if -literal in always[1]]:
            return dict(zip(legal, (-turns[0], turns[0]), strict=True))
        able = {}
        for player, moves in legal.items():
            each = [self.builder.all_of("legal", label, needs) for needs in moves.values()]
            able[player] = self.builder.any_of("able", label, each)
        self.builder.clause(self.won, *able.values())
        return {player: -literal for player, literal in able.items()}

    def _one_of(self, label: str, legal: Legal) -> dict[Move, int]:
        """One legal move at most."""
        names = [self.game.move_name(move) for move in legal]
        variables = self.builder.exists("move", [label], names)[0].tolist()
        moves = dict(zip(legal, variables, strict=True))
        for move, conditions in legal.items():
            for condition in conditions:
                self.builder.clause(-moves[move], condition)
        at_most_one(self.builder, variables, label)
        return moves

    def _black(self, label: str, legal: Legal) -> Choice:
        moves = self._one_of(label, legal)
        return moves, {move: (variable,) for move, variable in moves.items()}

    def _white(self, label: str, legal: Legal) -> Choice:
        """The coded move if that is legal; else ∃ makes one for White."""
        bits = self.builder.forall("code", [label], bit_labels(len(legal)))[0].tolist()
        codes: dict[Move, Cube] = {
            move: tuple(bit if code >> place & 1 else -bit for place, bit in enumerate(bits))
            for code, move in enumerate(legal)
        }
        moves = self._one_of(label, legal)
        for move, conditions in legal.items():
            failing = [-literal for literal in (*conditions, *codes[move])]
            self.builder.clause(self.won, moves[move], *failing)
        return moves, codes


@encoding("net", paper=PAPER, views=("propnet",))
def net(self: Encoding, question: Question, symmetry: bool) -> Encoded:
    """Explicit facts after every ply, by the network of a description's rules; GDL games."""
    game = question.game
    if game.start.winner is not None or not game.start.moves() or not question.depth:
        return decided(self, question, game.start.winner is Player.BLACK)
    statement = Statement(game, question.depth, symmetry)
    return encoded(self, question, statement, statement.restricted)
