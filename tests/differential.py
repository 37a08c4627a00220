"""Encodings against the oracle: random and named questions, and what must hold for each."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from bddl_models import (
    random_bddl_game,
    random_connect_game,
    random_packing_game,
    random_walking_game,
)
from evaluator import expanded, outer_solutions
from formulas import without_unused
from gdl_descriptions import random_gdl_game, random_points
from samples import random_graph_game, random_hypergraph_game, random_shape_game
from skolemate.encodings import ENCODINGS, Encoded, Proof, encode
from skolemate.encodings.parts.problems import Turn
from skolemate.formula import Formula, Quantifier
from skolemate.games import Game, Player, Position, PositionalGame
from skolemate.games.family import build
from skolemate.games.game import Question, Stuck
from skolemate.search.reference import Reference

NAMED = [
    "tictactoe",
    "tictactoe(maker_breaker=true)",
    "tictactoe(moves=b2 a1)",
    "mnk(m=4, n=3, k=3)",
    "harary(shape=el, width=3, height=3)",
    "harary(shape=tic, width=3, height=3, maker_breaker=true)",
    "harary(shape=knobby, width=3, height=3, maker_breaker=true, torus=true, black=a1, white=c3)",
    "harary(shape=domino, width=4, height=2, torus=true)",
    "gttt(p=2, q=1, shape=el, width=3, height=3)",
    "gttt(p=2, q=2, shape=tic, width=3, height=3)",
    "gttt(p=1, q=2, shape=el, width=3, height=2)",
    "hex(size=3)",
    "hex(size=3, first=white)",
    "hein(4)",
    "hein(9)",
    "hein(12)",
]


def random_hex_game(rng: random.Random) -> Game:
    """A random position of Hex, with either player to move."""
    game = build(f"hex(size={rng.choice([2, 3, 3, 3])}, first={rng.choice(['black', 'white'])})")
    position, moves = game.start, []
    for _ in range(rng.randrange(game.board.size - 1)):
        if not position.moves():
            break
        moves.append(rng.choice(position.moves()))
        position = position.play(moves[-1])
    return game.after(moves)


KINDS: dict[str, Callable[[random.Random], Game]] = {
    "sets": lambda rng: random_hypergraph_game(rng, rng.choice([1, 2, 3, 4, 5, 6, 6, 7])),
    "graph": lambda rng: random_graph_game(rng, rng.choice([1, 2, 3, 4, 5, 6, 6, 7])),
    "hex": random_hex_game,
    "shape": random_shape_game,
    "columns": random_connect_game,
    "bddl": random_bddl_game,
    "packing": random_packing_game,
    "walking": random_walking_game,
    "gdl": random_gdl_game,
    "points": random_points,
}


POSITIONAL = ["sets", "graph", "hex", "shape"]


ENOUGH = 30_000  # questions to look at before giving up: no test may look for ever


def questions_for(encoding: str, rng: random.Random) -> Iterator[Question]:
    """Random questions that an encoding can state, without end."""
    views = ENCODINGS[encoding].views
    kinds = [kind for kind in ("shape", "columns") if kind in views] or POSITIONAL
    if "bddl" in views:
        kinds = [*POSITIONAL, "columns"]  # other models are asked about in test_lifted
    if "grounded or listing" in views:
        kinds = [*POSITIONAL, "columns", "bddl", "gdl"]
    if "grounded" in views:
        kinds = ["packing"]
    if "propnet" in views:
        kinds = ["gdl", "points"]
    for question in random_questions(rng, kinds):
        if can_state(encoding, question):
            yield question


def random_questions(rng: random.Random, kinds: Sequence[str] = POSITIONAL) -> Iterator[Question]:
    """Questions without end about small games of these kinds, at every depth."""
    while True:
        game = KINDS[rng.choice(kinds)](rng)
        if game.start.winner is not None and rng.random() < 0.9:
            continue  # a few decided games are enough
        horizon = 5 if game.horizon is None else game.horizon
        if isinstance(game, PositionalGame) and rng.random() < 0.2:
            bound = rng.getrandbits(game.board.size) & ~game.start.occupied
            if bound and not game.played:
                game = with_first_moves(game, bound)
        # Alone, games of packing and walking are asked about to their end: that is another search.
        deepest = horizon if list(kinds) in (["packing"], ["walking"]) else min(horizon, 5)
        yield Question(game, rng.choice(list(Player)), rng.randrange(deepest + 2))


def with_first_moves(game: PositionalGame, cells: int) -> PositionalGame:
    from dataclasses import replace

    return replace(game, first_moves=cells)


def ask(name: str, depth: int, encoding: str, symmetry: bool = False) -> Encoded:
    return encode(Question(build(name), Player.BLACK, depth), encoding, symmetry=symmetry)


def encodings_for(question: Question) -> list[str]:
    """The encodings that can state a question."""
    return [encoding.name for encoding in ENCODINGS if can_state(encoding.name, question)]


def can_state(encoding: str, question: Question) -> bool:
    asked = question.normalised()
    return asked.game.breaker is not Player.BLACK and ENCODINGS[encoding].refusal(asked) is None


CIRCUITS = ["la", "li", "lifted", "ln", "sa", "si", "sn"]  # the others state clauses


def expected(question: Question) -> bool:
    return Reference(question.player).wins(question.game.start, question.depth)


def check_claim(encoded: Encoded, truth: bool, question: Question) -> None:
    """What the truth of a formula proves is so, by the oracle; false may prove nothing."""
    proof, start = encoded.encoding.meaning.proof(truth), question.game.start
    told = f"{encoded.encoding.name} says {truth}, so {proof.value}: {question}"
    if proof is Proof.NEVER:
        assert not Reference(question.player).wins(start, question.game.horizon or 0), told
    elif proof is not Proof.NOTHING:
        assert expected(question) is (proof is Proof.WIN), told


def claims_a_win(encoding: str) -> bool:
    """Whether a true formula is a win, with a first move to be decoded."""
    return ENCODINGS[encoding].meaning.proof(True) is Proof.WIN


def is_manageable(encoded: Encoded, variables: int = 45) -> bool:
    """Whether a formula is small enough for a test: circuits cost solvers more than clauses do."""
    return encoded.circuit is None or encoded.circuit.variable_count <= variables


def searchable(encoded: Encoded) -> Formula:
    """The formula for the search, which copes only with White's moves as a reason for ∀."""
    formula = encoded.formula
    for name in universal_groups(encoded):
        if name in NOT_MOVES:
            formula = expanded(formula)  # these blocks are the innermost ones
    return formula


# Which cell of a lifted board, which half of a path, where White sees a goal of his.
NOT_MOVES = ("position", "half", "cell_x", "cell_y", "white_x", "white_y", "white_goal")


def universal_groups(encoded: Encoded) -> list[str]:
    """What the ∀ blocks are about, from the outermost one on."""
    formula = encoded.formula
    return [
        formula.legend.group_names(block.variables)[0]
        for block in formula.prefix
        if block.quantifier is Quantifier.FORALL
    ]


def check_first_moves(encoded: Encoded) -> int:
    """Solutions of the outermost block decode to winning first moves; how many there were."""
    question = encoded.question
    start = question.game.start
    winning = Reference(Player.BLACK).winning_moves(start, question.depth)
    checked = 0
    for solution in outer_solutions(without_unused(searchable(encoded))):
        move = encoded.decode({abs(literal): literal > 0 for literal in solution})
        if start.winner is None and start.to_move is Player.BLACK:
            assert move in winning, f"{question}: {move} is not among {winning}"
        checked += 1
        if checked == 20:
            break
    return checked


def check_play(encoded: Encoded, rng: random.Random) -> bool:
    """Against random codes of White's, a true formula's assignment is a game that Black wins."""
    formula = searchable(encoded)
    if formula.constant is not None:
        return False
    codes = [[literal] for literal in _random_codes(encoded, formula, rng)]
    every = [int(variable) for block in formula.prefix for variable in block.variables]
    play = Formula.of([("e", every)], [*(c.tolist() for c in formula.clauses()), *codes])
    solution = next(iter(outer_solutions(without_unused(play))), None)
    if solution is None:
        return False
    positions = encoded.decode_play({abs(literal): literal > 0 for literal in solution})
    game = encoded.question.game
    assert positions[0] == game.start
    if isinstance(game, PositionalGame) and len(positions) > 1:
        opened = positions[0].occupied ^ positions[1].occupied
        assert not opened or any(opened >> move & 1 for move in game.start.moves())
    for before, after in pairwise(positions):
        if isinstance(game, PositionalGame):
            _check_turn(before, after, whole_turns=encoded.encoding.name in ("cor", "dys"))
        else:
            assert after in [before.play(move) for move in before.moves()]
    assert all(position.winner is None for position in positions[:-1])
    if positions[-1].winner is None:
        stuck = positions[-1].to_move is Player.WHITE and not positions[-1].moves()
        lost = stuck and game.offers("grounded") and game.grounded().stuck is Stuck.LOSES
        assert lost or encoded.encoding.name in CHEATS, "only there White may break a rule"
        return lost
    assert positions[-1].winner is Player.BLACK
    return True


CHEATS = ("dys", "gr", "ground", "lifted", "reserves")  # or the play ends by a claim


def _random_codes(encoded: Encoded, formula: Formula, rng: random.Random) -> list[int]:
    """Values of White's variables: random ones, in DYS and GR so many a turn as are due."""
    blocks = [b.variables.tolist() for b in formula.prefix if b.quantifier is Quantifier.FORALL]
    if encoded.encoding.name == "gr":
        chosen = [rng.choice(block) for block in blocks]
        return [v if v in chosen else -v for block in blocks for v in block]
    if encoded.encoding.name != "dys":
        return [rng.choice([variable, -variable]) for block in blocks for variable in block]
    view = encoded.question.game.hypergraph()
    turns = Turn.of(view.schedule[: encoded.question.depth])
    stones = [len(turn.plies) for turn in turns if turn.player is Player.WHITE]
    codes = []
    for block, number in zip(blocks, stones, strict=True):
        placed = rng.sample(block, number)
        codes += [variable if variable in placed else -variable for variable in block]
    return codes


def _check_turn(before: Position, after: Position, whole_turns: bool) -> None:
    """The player to move has placed a stone on an open cell, or passed; COR tells whole turns."""
    mover = before.to_move
    assert mover is not None
    assert before.stones(mover.opponent) == after.stones(mover.opponent)
    assert before.stones(mover) & ~after.stones(mover) == 0, "a stone has gone"
    assert not after.black & after.white
    placed = after.occupied.bit_count() - before.occupied.bit_count()
    assert placed <= (before.game.board.size if whole_turns else 1)


class Tally:
    """How many answers were compared, and how they were distributed."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, bool]] = Counter()

    def add(self, encoding: str, answer: bool) -> None:
        self.counts[encoding, answer] += 1

    def __str__(self) -> str:
        names = sorted({name for name, _ in self.counts})
        return ", ".join(
            f"{name}: {self.counts[name, True]} true {self.counts[name, False]} false"
            for name in names
        )


def compare(
    question: Question,
    symmetry: bool,
    solve: Callable[[Formula], bool],
    tally: Tally,
    encodings: Iterable[str],
) -> None:
    """Every one of the encodings that is of a manageable size agrees with the oracle."""
    for name in encodings:
        encoded = encode(question, name, symmetry=symmetry)
        if not is_manageable(encoded):
            continue
        found = solve(encoded.formula)
        check_claim(encoded, found, question)
        if encoded.formula.constant is None:
            tally.add(name, found)
