"""NET: any GDL game by the network of its rules, with the facts after every ply.

As GD, published for GDL (He, Saffidine and Thielscher 2024): Black's moves have a variable each,
White's a binary code, and whatever the choices so far determine stands before the next choice. What
is different here: only players whose turn it may be have moves at a ply, not every role; what is
constant at a ply gets no variable; facts on which winning does not depend are left out; and an
illegal code loses, which is exact, since every legal move has a code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from skolemate.encodings.encoding import Cube, Encoded, Encoding, ScriptedPly, encoding
from skolemate.encodings.ground import PAPER, encoded
from skolemate.encodings.parts.boards import at_most_one, bit_labels, decided
from skolemate.formula import FALSE, TRUE, Builder
from skolemate.games import Game, Move, Player, Question
from skolemate.games.views import Propnet
from skolemate.limits import breathe


class Evaluation:
    """The literals of a network in one state, as gates of a formula, made when asked for."""

    def __init__(self, net: Propnet, builder: Builder, label: str, state: Sequence[int]) -> None:
        self._net, self._builder, self._label = net, builder, label
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
                values = [self._value(x) for x in inputs]
                self._known[variable] = self._builder.all_of("gate", self._label, values)
        return self._value(literal)

    def _value(self, literal: int) -> int:
        return self._known[literal] if literal > 0 else -self._known[-literal]

    def _gate(self, variable: int) -> Sequence[int]:
        return self._net.gates[variable - self._net.first_gate]


# The literals of moves, and those by which they are seen and made.
Choice = tuple[dict[Move, int], dict[Move, Cube]]


class Statement:
    """States a game ply by ply; holds the facts and whether Black has won by then."""

    def __init__(self, game: Game, depth: int) -> None:
        self.game, self.net, self.builder = game, game.propnet(), Builder()
        self.script: list[ScriptedPly] = []
        self.made: list[dict[Move, int]] = []
        start = game.start.occupied & self.net.relevant
        self.state = [int(TRUE if start >> fact & 1 else FALSE) for fact in range(self.net.facts)]
        self.won = int(FALSE)
        for ply in range(1, depth + 1):
            if not self._ply(f"t{ply}"):
                break
        self._note_win(f"t{depth}")
        self.builder.clause(self.won)

    def _note_win(self, label: str) -> Evaluation:
        """See whether Black has won by now."""
        here = Evaluation(self.net, self.builder, label, self.state)
        met = here[self.net.won[Player.BLACK]]
        self.won = self.builder.any_of("won", label, [self.won, met])
        return here

    def _ply(self, label: str) -> bool:
        """The game is won, or one legal move is made; else Black has lost. Whether any may be."""
        here = self._note_win(label)
        legal: dict[Player, dict[Move, int]] = {player: {} for player in Player}
        for move, owner in enumerate(self.net.owners):
            if (possible := here[self.net.legal[move]]) != FALSE:
                legal[owner][move] = possible
        if not any(legal.values()):
            return False
        self.builder.clause(self.won, *(x for moves in legal.values() for x in moves.values()))
        made, parts = {}, []
        for player, choose in ((Player.BLACK, self._black), (Player.WHITE, self._white)):
            if legal[player]:
                moves, shown = choose(label, legal[player])
                made.update(moves)
                parts.append(ScriptedPly(player, shown, shown, strict=True))
        self.script.append(replace(parts[0], other=parts[1]) if len(parts) > 1 else parts[0])
        self.made.append(made)
        here.make(made)
        relevant, after = self.net.relevant, self.net.next
        self.state = [
            here[after[fact]] if relevant >> fact & 1 else int(FALSE)
            for fact in range(self.net.facts)
        ]
        return True

    def _black(self, label: str, legal: dict[Move, int]) -> Choice:
        """Exactly one of Black's legal moves, if it is his turn and he has not won."""
        names = [self.game.move_name(move) for move in legal]
        variables = self.builder.exists("move", [label], names)[0].tolist()
        moves = dict(zip(legal, variables, strict=True))
        for move, possible in legal.items():
            self.builder.clause(-moves[move], possible)
            self.builder.clause(-moves[move], -self.won)
        able = self.builder.any_of("able", label, legal.values())
        self.builder.clause(self.won, -able, *moves.values())
        at_most_one(self.builder, variables, label)
        return moves, {move: (variable,) for move, variable in moves.items()}

    def _white(self, label: str, legal: dict[Move, int]) -> Choice:
        """The coded move; if it is White's turn and that is not legal, Black has won."""
        bits = self.builder.forall("code", [label], bit_labels(len(legal)))[0].tolist()
        codes: dict[Move, Cube] = {
            move: tuple(bit if code >> place & 1 else -bit for place, bit in enumerate(bits))
            for code, move in enumerate(legal)
        }
        moves = {
            move: self.builder.all_of("move", label, [possible, -self.won, *codes[move]])
            for move, possible in legal.items()
        }
        able = self.builder.any_of("able", label, legal.values())
        moved = self.builder.any_of("moved", label, moves.values())
        cheated = self.builder.all_of("cheated", label, [able, -moved])
        self.won = self.builder.any_of("won", label, [self.won, cheated])
        return moves, codes


@encoding("net", paper=PAPER, views=("propnet",))
def net(self: Encoding, question: Question, symmetry: bool) -> Encoded:
    """Explicit facts after every ply, by the network of a description's rules; GDL games."""
    game = question.game
    if game.start.winner is not None or not game.start.moves() or not question.depth:
        return decided(self, question, game.start.winner is Player.BLACK)
    return encoded(self, question, Statement(game, question.depth), restricted=False)
