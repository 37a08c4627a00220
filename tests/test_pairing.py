"""PAIRING: true only where Black is blocked for ever, by a plan that can be checked."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import islice, pairwise

import pytest

from differential import ENOUGH, questions_for
from evaluator import depqbf, evaluate, outer_solutions
from samples import sample
from skolemate.api import solve
from skolemate.ask import Verdict, qbf
from skolemate.cli import main
from skolemate.encodings import Unsupported, encode
from skolemate.formula import Formula
from skolemate.games import Connection, Game, Grid, Player, PositionalGame, mask_of, turns
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.limits import Reason
from skolemate.search.reference import Reference
from skolemate.strategies import Claim, Node, Strategy, check

BLACK = Player.BLACK

# The least depth at which PAIRING is true, on square boards.
SMALLEST = {
    3: {"tic": 4, "elly": 2, "knobby": 4, "fatty": 0},
    4: {"skinny": 0, "fatty": 0, "knobby": 10},
    5: {"skinny": 4, "fatty": 0, "l": 4, "y": 4} | dict.fromkeys("fiptuvwxz", 0),
}


def harary(shape: str, side: int) -> str:
    return f"harary(shape={shape}, width={side}, height={side})"


def smallest(game: Game, encoding: str = "pairing") -> int | None:
    """The least depth at which White's block is found; he has nothing to answer at odd ones."""
    for depth in range(0, game.board.size + 1, 2):
        if depqbf(encode(Question(game, BLACK, depth), encoding, symmetry=True).formula):
            return depth
    return None


@pytest.mark.parametrize(
    ("side", "shape"), [(n, s) for n, found in SMALLEST.items() for s in found]
)
def test_the_smallest_true_depth(side: int, shape: str) -> None:
    assert smallest(build(harary(shape, side))) == SMALLEST[side][shape]


def test_tic_tac_toe_tells_the_strong_variant_from_the_plain_one() -> None:
    """White draws only because his own threats must be met."""
    game = build("tictactoe")
    assert smallest(game) is None
    assert smallest(game, "pairing-strong") == 8
    assert smallest(build("harary(shape=tippy, width=3, height=3)"), "pairing-strong") is None


def blockable(seed: int, encoding: str) -> Iterator[Question]:
    """Random questions that an encoding of a block can state, asked as deep as the game goes."""
    for question in questions_for(encoding, random.Random(seed)):
        yield Question(question.game, question.player, question.game.horizon or 0)


@pytest.mark.parametrize("encoding", ["pairing", "pairing-strong"])
def test_at_full_depth_it_is_complete(encoding: str) -> None:
    """Plain for Maker-Breaker games, strong for Maker-Maker games, if the board gets full."""
    seen = {True: 0, False: 0}
    for question in islice(blockable(5, encoding), 4000):
        breakers = question.game.goal(question.player.opponent) is None
        full = question.depth == question.game.board.size - question.game.start.occupied.bit_count()
        if full and breakers is (encoding == "pairing"):
            formula = encode(question, encoding).formula
            blocked = not Reference(question.player).wins(question.game.start, question.depth)
            assert evaluate(formula) is blocked, str(question)
            seen[blocked] += formula.constant is None
        if min(seen.values()) >= sample(60):
            break
    assert min(seen.values()) >= sample(60)


@pytest.mark.parametrize("encoding", ["pairing", "pairing-strong"])
def test_every_plan_is_one(encoding: str) -> None:
    checked = 0
    for question in islice(blockable(6, encoding), ENOUGH):
        answer = solve(question.game, question.depth, question.player, encoding=encoding)
        if answer.blocking is not None:
            assert answer.every_depth
            report = answer.blocking.check()
            assert report.holds
            assert report.claim.depth == question.game.horizon
            assert report.claim.player is question.player
            assert report.claim.game == question.game
            checked += bool(answer.blocking.nodes)
        if checked == 25:
            break
    assert checked == 25


@pytest.mark.parametrize("encoding", ["pairing", "pairing-strong"])
def test_decoded_games_are_not_won_by_black(encoding: str) -> None:
    """Against random codes of Black's, a whole assignment is a game in which White holds out."""
    rng = random.Random(encoding)
    played = 0
    for question in islice(blockable(7, encoding), 3000):
        encoded = encode(question, encoding)
        if encoded.formula.constant is None and evaluate(encoded.formula):
            positions = encoded.decode_play(random_play(encoded.formula, rng))
            assert positions[0] == encoded.question.game.start
            for before, after in pairwise(positions):
                assert before.occupied & ~after.occupied == 0
                assert before.stones(Player.WHITE) & after.stones(BLACK) == 0
                assert (after.occupied & ~before.occupied).bit_count() <= 1
            goal = encoded.question.game.goal(BLACK)
            assert goal is not None
            assert not any(goal.met(position.black) for position in positions)
            played += len(positions) > 1
        if played == sample(40):
            break
    assert played == sample(40)


def random_play(formula: Formula, rng: random.Random) -> dict[int, bool]:
    """A solution of the clauses for random values of the universal variables."""
    every = [(b.quantifier.value, int(v)) for b in formula.prefix for v in b.variables]
    codes = [[rng.choice([v, -v])] for letter, v in every if letter == "a"]
    clauses = [clause.tolist() for clause in formula.clauses()]
    play = Formula.of([("e", [v for _, v in every])], [*clauses, *codes])
    return {abs(literal): literal > 0 for literal in next(outer_solutions(play))}


def test_a_strategy_with_a_hole_blocks_nobody() -> None:
    blocking = solve(harary("knobby", 3), 4, encoding="pairing").blocking
    assert blocking is not None
    assert blocking.check().every_depth
    needed = 0
    for node in blocking.nodes:
        others = [other for other in blocking.nodes if other is not node]
        needed += not Strategy(blocking.claim, others).check().every_depth
        if node.pairs is not None:
            twice = node._replace(pairs=(*node.pairs, (0, 1), (0, 2)))
            assert not check(blocking.claim, [twice]).holds
        elif node.move is not None:
            taken = next(c for c in range(9) if node.position.occupied >> c & 1)
            assert not check(blocking.claim, [node._replace(move=taken)]).holds
    assert needed > 20
    assert not Strategy(blocking.claim, []).check().holds


@pytest.mark.parametrize(
    ("game", "player", "depth"),
    [
        ("hein(9, moves=c3)", "black", 1),
        ("hex(size=3)", "white", 4),
        ("hex(size=3, moves=a1 c3 a2)", "black", 3),
    ],
)
def test_paths_are_blocked_by_pairs_too(game: str, player: str, depth: int) -> None:
    answer = solve(game, depth, player, encoding="pairing")
    assert answer.blocking is not None
    assert answer.blocking.check().every_depth


def test_a_breaker_blocks_a_path_without_one_of_his_own() -> None:
    """Black must join the left side to the right one; White has no goal."""
    board = Grid(4, 3)
    left, right = (mask_of(board.cell(f"{column}{row}") for row in (1, 2, 3)) for column in "ad")
    goal = Connection.of(board.neighbours, start=left, end=right)
    game = PositionalGame("", board, goal, None, turns(12))
    assert not Reference(BLACK).wins(game.start, 12)
    answer = solve(game, 12, encoding="pairing")
    assert answer.blocking is not None
    assert answer.blocking.check().every_depth


def test_pairs_need_an_answer_to_every_stone() -> None:
    blocking = solve(harary("fatty", 4), 0, encoding="pairing").blocking
    assert blocking is not None
    [node] = blocking.nodes
    assert node.pairs
    doubled = build("gttt(p=2, q=1, shape=fatty, width=4, height=4)")
    claim = Claim(doubled, BLACK, 16, False)
    assert not check(claim, [Node(doubled.start, 16, pairs=node.pairs)]).holds


def test_a_false_pairing_is_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    for depth in (0, 7, 9):
        answer = solve(harary("elly", 4), depth, encoding="pairing")
        assert (answer.verdict, answer.reason) == (Verdict.UNKNOWN, Reason.ONE_SIDED)
        assert answer.refuted_depth is None
    assert solve("tictactoe", encoding="pairing").reason is Reason.ONE_SIDED
    assert solve("tictactoe", encoding="pairing", max_depth=5).reason is Reason.DEPTH
    assert main(["solve", "tictactoe", "-e", "pairing", "--json"]) == 30
    told = json.loads(capsys.readouterr().out)
    assert (told["verdict"], told["reason"], told["blocking"]) == ("UNKNOWN", "one_sided", None)


def test_the_opening_may_have_several_stones() -> None:
    """In GTTT(1,2) pairs hold once Black's two stones lie; in GTTT(2,1) never."""
    game = build("gttt(p=1, q=2, shape=fatty, width=4, height=3)")
    assert not evaluate(encode(Question(game, BLACK, 1), "pairing").formula)
    answer = solve(game, encoding="pairing")
    assert answer.every_depth
    assert not Reference(BLACK).wins(game.start, 12)
    with pytest.raises(Unsupported, match="White answers every stone"):
        encode(Question(build("gttt(p=2)"), BLACK, 5), "pairing")


def test_the_block_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", harary("fatty", 3), "-e", "pairing"]) == 20
    assert "White answers in pairs: " in capsys.readouterr().out
    assert main(["solve", harary("elly", 3), "-d", "2", "-e", "pairing"]) == 20
    assert "White answers a1 with " in capsys.readouterr().out
    assert main(["solve", "tictactoe(moves=a1)", "-d", "6", "-e", "pairing-strong"]) == 20
    assert "White begins with b2; " in capsys.readouterr().out


def test_a_long_plan_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qbf, "MOST_FORMULAS", 3)
    answer = solve(harary("tic", 3), 4, encoding="pairing")
    assert answer.every_depth
    assert answer.blocking is None
    assert answer.detail == "the plan of White is not shown: it has too many positions"
