"""Strategies: extracted from whoever answers, checked, played out, saved, and gone on with."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

import skolemate
from following import by_oracle, claim_about, extracted, holds_against_everything
from samples import SMALL, random_hypergraph_game, sample
from skolemate import strategies
from skolemate.ask import Answer, Verdict
from skolemate.ask.method import asking
from skolemate.ask.qbf import Qbf
from skolemate.ask.search import Search, reference
from skolemate.errors import Disagreement, UserError
from skolemate.games import Player
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.limits import Budget, Limit, Reason
from skolemate.search.reference import Reference
from skolemate.strategies import Claim, Node, Strategy, Unfinished, check, check_file, extract
from skolemate.strategies.claim import content
from skolemate.strategies.deciding import Evaluation, Evaluator, Pairings, Situation, Undecided
from skolemate.strategies.lines import header_line, node_line

BLACK, WHITE = Player.BLACK, Player.WHITE


def depths(name: str) -> list[int]:
    """Shallow, middling, and as deep as the oracle soon goes."""
    horizon = build(name).horizon
    limit = 4 if "connect6" in name else 8 if "browne" in name else 9
    deepest = min(9 if horizon is None else horizon, limit)
    return sorted({0, 1, 3, deepest // 2 + 1, deepest - 1, deepest})


@pytest.mark.parametrize("name", SMALL)
def test_both_answers_about_every_game_get_a_strategy(name: str) -> None:
    game = build(name)
    for player in Player:
        oracle = Reference(player)
        for depth in depths(name):
            strategy = extracted(game, player, depth, oracle=oracle)
            assert strategy.check().holds
            holds_against_everything(strategy)


def test_both_answers_are_well_represented() -> None:
    claims = [claim_about(build(name), p, d) for name in SMALL for p in Player for d in (1, 3, 4)]
    assert min(sum(c.wins is answer for c in claims) for answer in (True, False)) >= 20


def test_random_games_with_any_order_of_turns() -> None:
    rng = random.Random(7)
    wins = pairings = folded = 0
    for _ in range(150):
        game = random_hypergraph_game(rng, rng.choice([3, 5, 6, 7]))
        player, depth = rng.choice(list(Player)), rng.randrange(game.horizon + 1)
        strategy = extracted(game, player, depth, fold=rng.random() < 0.5)
        assert strategy.check().holds
        holds_against_everything(strategy)
        wins += strategy.claim.wins
        pairings += strategy.statistics()["pairings"] > 0
        folded += bool(strategy.symmetries)
    assert min(wins, pairings, folded) >= 5


def test_turns_that_end_before_the_board_is_full_and_before_the_depth() -> None:
    rng = random.Random(1)
    answers = Counter[bool]()
    while min(answers[True], answers[False]) < sample(400):
        game = random_hypergraph_game(rng, rng.choice([3, 4, 5, 6]))
        turns = len(game.turns_ahead)
        if turns == game.board.size - game.start.occupied.bit_count():
            continue
        strategy = extracted(game, rng.choice(list(Player)), turns + rng.randrange(1, 3))
        holds_against_everything(strategy)
        answers[strategy.claim.wins] += 1


def test_every_depth_is_told_where_it_is_proved() -> None:
    assert extracted(build("tictactoe"), BLACK, 9).check().every_depth
    assert not extracted(build("hein(9)"), BLACK, 5).check().every_depth
    assert extracted(build("domineering(width=4, height=3)"), BLACK, 9).check().every_depth
    # Fatty cannot be built against pairs of dominoes, on whatever board: one node says it all.
    fatty = extracted(build("harary(shape=fatty, width=3, height=3)"), BLACK, 2)
    assert fatty.size <= 1
    assert extracted(build("harary(shape=fatty, width=3, height=3)"), BLACK, 9).size == 1


def test_the_checker_is_as_short_as_the_readme_says() -> None:
    """With the rules of claims, nodes and links; what else it needs is in test_directions."""
    folder = Path(strategies.__file__).parent
    checker, *rules = (
        (folder / f"{name}.py").read_text(encoding="utf-8").count("\n")
        for name in ("checker", "claim", "nodes", "races")
    )
    assert checker <= 290
    assert 910 <= checker + sum(rules) <= 950


# --- pairings -----------------------------------------------------------------------------------

PAIRED = {3: ["fatty"], 4: ["skinny", "fatty", "x", "w"], 5: ["fatty", "z", "u", "p", "t", "v"]}


@pytest.mark.parametrize(
    ("side", "shape"), [(n, s) for n, shapes in PAIRED.items() for s in shapes]
)
def test_shapes_that_pairs_refute_at_once(side: int, shape: str) -> None:
    game = build(f"harary(shape={shape}, width={side}, height={side})")
    claim = Claim(game, BLACK, side * side, wins=False)
    pairs = Pairings(claim).find(game.start, claim.depth)
    assert pairs is not None
    report = check(claim, [Node(game.start, claim.depth, pairs=pairs)])
    assert report.holds
    assert report.every_depth


def test_pairs_need_one_stone_a_turn() -> None:
    game = build("gttt(p=2, q=1, shape=fatty, width=4, height=4)")
    claim = Claim(game, WHITE, 16, wins=False)
    assert Pairings(claim).find(game.start, 16) is None
    weak = build("harary(shape=fatty, width=4, height=4)")
    pairs = Pairings(Claim(weak, BLACK, 16, False)).find(weak.start, 16)
    report = check(claim, [Node(game.start, 16, pairs=pairs)])
    assert "one stone a turn" in str(report)


# --- from whoever answers -----------------------------------------------------------------------


def yes_or_no(claim: Claim) -> Evaluator:
    """The oracle as a method that tells no moves."""
    told = asking(reference, claim, Budget())
    return lambda here: Evaluation(told(here).wins)


def by_formula(claim: Claim) -> Evaluator:
    return asking(Qbf(), claim, Budget())


def by_engine(claim: Claim) -> Evaluator:
    verdict = Verdict.WIN if claim.wins else Verdict.NO_WIN
    answer = Answer(claim.game, claim.player, claim.depth, verdict, method="search")
    return Search().evaluator(answer, Budget())


@pytest.mark.parametrize("evaluate", [yes_or_no, by_formula, by_engine])
@pytest.mark.parametrize(
    ("name", "depth"),
    [
        ("hein(4)", 5),
        ("hein(4)", 3),
        ("hein(9)", 7),
        ("hein(9)", 5),
        pytest.param("hein(12)", 7, marks=pytest.mark.slow),
        ("tictactoe", 9),
        ("tictactoe(maker_breaker=true)", 7),
        ("harary(shape=el, width=4, height=4)", 5),
        ("harary(shape=tic, width=4, height=4)", 5),
        ("harary(shape=tic, width=4, height=4)", 3),
        ("gttt(p=2, q=1, shape=el, width=3, height=3)", 5),
    ],
)
def test_any_method_will_do(evaluate: Callable[[Claim], Evaluator], name: str, depth: int) -> None:
    game = build(name)
    for player in Player:
        claim = claim_about(game, player, depth)
        for jobs in (1, 3):
            strategy = extract(claim, evaluate(claim), jobs=jobs)
            assert strategy.check().holds
        holds_against_everything(strategy)


def test_one_thread_gives_the_same_bytes_again(tmp_path: Path) -> None:
    written = []
    for name in ("one", "two"):
        claim = Claim(build("hein(9)"), BLACK, 7, wins=True)
        extract(claim, by_oracle(BLACK), file=str(tmp_path / name))
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1]
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["one", "two"]


def test_symmetric_positions_can_share_a_node(tmp_path: Path) -> None:
    for name, depth in [("tictactoe", 9), ("domineering(width=4, height=4)", 8)]:
        game = build(name)
        plain, folded = extracted(game, BLACK, depth), extracted(game, BLACK, depth, fold=True)
        # Where stones only help, symmetries are used in any case.
        assert folded.size < plain.size or plain.symmetries
        assert folded.symmetries
        holds_against_everything(folded)
        file = str(tmp_path / "folded")
        folded.save(file)
        again = Strategy.load(file)
        assert again.check().holds
        holds_against_everything(again)


def test_a_method_that_lies_is_found_out(tmp_path: Path) -> None:
    game = build("tictactoe")
    file = str(tmp_path / "lie")
    with pytest.raises(Disagreement):
        extract(Claim(game, BLACK, 9, wins=True), by_oracle(BLACK))
    with pytest.raises(Disagreement):
        extract(Claim(game, BLACK, 9, wins=True), lambda here: Evaluation(True), file=file)
    with pytest.raises(Disagreement):
        extract(Claim(build("hein(9)"), BLACK, 7, False), lambda here: Evaluation(False), file=file)
    assert not list(tmp_path.iterdir()), "no such strategy is kept"


# --- limits, and going on -----------------------------------------------------------------------


def patient(claim: Claim, answers: int) -> tuple[Evaluator, list[Situation]]:
    """The oracle, which answers so many questions and no more; and what it was asked."""
    oracle, asked = by_oracle(claim.player), list[Situation]()

    def evaluate(here: Situation) -> Evaluation:
        if len(asked) == answers:
            raise Undecided(Reason.TIME, "tired")
        asked.append(here)
        return oracle(here)

    return evaluate, asked


@pytest.mark.parametrize(
    ("name", "depth", "jobs", "answers"),
    [
        ("harary(shape=elly, width=4, height=4)", 7, 1, 8),
        ("connect(k=3, width=4, height=3)", 9, 1, 10),
        ("connect(k=3, width=4, height=3)", 9, 2, 10),
    ],
)
def test_an_interrupted_extraction_goes_on(
    tmp_path: Path, name: str, depth: int, jobs: int, answers: int
) -> None:
    claim, file = Claim(build(name), BLACK, depth, wins=True), tmp_path / "strategy"
    part = tmp_path / "strategy.part"
    needed = patient(claim, 10**9)
    extract(claim, needed[0], reach=0)
    rounds, total, reasons = 0, 0, set()
    while not file.exists():
        assert rounds < 50, "each round decides something"
        evaluate, asked = patient(claim, answers)
        try:
            extract(claim, evaluate, file=str(file), jobs=jobs, reach=0)
        except Unfinished as unfinished:
            reasons.add((unfinished.reason, unfinished.detail))
            # The end of the file is lost, as when the machine stops.
            written = part.read_bytes()
            part.write_bytes(written[: len(written) - rounds % 7])
        rounds, total = rounds + 1, total + len(asked)
    assert rounds > 2
    assert reasons == {(Reason.TIME, "tired")}
    assert total < (2 if jobs == 1 else 5) * len(needed[1])
    assert not part.exists()
    assert check_file(str(file)).holds


def test_what_was_left_by_another_question_is_not_taken(tmp_path: Path) -> None:
    file = tmp_path / "strategy"
    claim = Claim(build("tictactoe"), BLACK, 9, wins=False)
    with pytest.raises(Unfinished):
        extract(claim, patient(claim, 5)[0], file=str(file))
    other = Claim(build("tictactoe"), BLACK, 8, wins=False)
    with pytest.raises(UserError, match="belongs to another question"):
        extract(other, by_oracle(BLACK), file=str(file))
    (tmp_path / "strategy.part").write_text("my diary\n")
    with pytest.raises(UserError, match="belongs to another question"):
        extract(claim, by_oracle(BLACK), file=str(file))
    assert (tmp_path / "strategy.part").read_text() == "my diary\n"


def test_time_ends_an_extraction(tmp_path: Path) -> None:
    claim = Claim(build("hein(8)"), BLACK, 11, wins=True)
    budget = Budget(Limit(seconds=1.0))
    with pytest.raises(Unfinished) as stopped:
        extract(claim, asking(Qbf(), claim, budget), jobs=2, budget=budget)
    assert stopped.value.reason is Reason.TIME


def test_a_question_without_an_answer_ends_those_under_way() -> None:
    """Else they would go on, for hours perhaps, for a strategy that cannot be finished."""
    claim = claim_about(build("tictactoe"), BLACK, 9)

    def ask(question: Question, budget: Budget | None = None) -> Answer:
        assert budget is not None
        assert budget.cancel is not None
        slow = question.depth == 8
        why = Reason.CANCELLED if slow and budget.cancel.wait(60) else Reason.TIME
        return Answer(question.game, BLACK, 8, Verdict.UNKNOWN, method="test", reason=why)

    evaluate = asking(ask, claim, Budget())
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(evaluate, Situation(claim.game.start, 8, ()))
        with pytest.raises(Undecided, match="time"):
            evaluate(Situation(claim.game.start, 7, ()))
        error = slow.exception(30)
    assert isinstance(error, Undecided)
    assert error.reason is Reason.TIME


def test_answers_come_with_strategies(tmp_path: Path) -> None:
    file = str(tmp_path / "strategy")
    assert skolemate.oracle("hein(9)", strategy=file).critical_depth == 7
    assert Strategy.load(file).depth == 7
    assert skolemate.solve("hein(9)", 5, engine="qbf", strategy=file, fold=True).depth == 5
    assert skolemate.check(file).holds
    assert not skolemate.check(file, "hein(12)").holds
    with pytest.raises(UserError, match="belongs to another game"):
        Strategy.load(file, "hein(12)")
    told = Strategy.load(file, "hex(size=4, black=c4 d2, white=a1 b4 d1)").statistics()
    assert (told["verdict"], told["owner"]) == ("NO_WIN", "white")
    assert told["nodes"] == skolemate.check(file).nodes > 0


# --- games by content ---------------------------------------------------------------------------


def test_content_is_what_is_played_not_what_it_is_called() -> None:
    same = ["hein(9)", "hex(size=4, black=c4 d2, white=a1 b4 d1)"]
    assert len({content(build(name)) for name in same}) == 1
    moved = ["tictactoe(moves=a1 b2 c3 c1)", "tictactoe(moves=c3 b2 a1 c1)"]
    assert len({content(build(name)) for name in moved}) == 1
    different = {content(build(name)) for name in SMALL}
    assert len(different) == len(SMALL)
    assert content(build("tictactoe")) != content(build("tictactoe(first=white)"))


def test_a_strategy_for_a_file_names_the_game_to_look_for(tmp_path: Path) -> None:
    puzzle, file = tmp_path / "puzzle.pg", str(tmp_path / "strategy")
    skolemate.write_game(build("hein(9)"), str(puzzle))
    skolemate.oracle(str(puzzle), 7, strategy=file)
    with pytest.raises(UserError, match=r"for 'puzzle\.pg', which cannot be read: .*--game"):
        skolemate.check(file)
    assert skolemate.check(file, str(puzzle)).holds


# --- files that are no strategies ---------------------------------------------------------------


def test_wrong_files_are_refused_with_the_line(tmp_path: Path) -> None:
    game = build("tictactoe(moves=a1 b1 a2 b2)")
    claim = Claim(game, BLACK, 1, wins=True)
    head, node = header_line(claim), json.loads(node_line(Node(game.start, 1, 2)))
    wrong = {
        "": "1:1: not a strategy",
        "{}\n": "1:1: not a strategy",
        "\xff": "1:1: not a strategy",
        head.replace('"version":1', '"version":2'): "version '2' is not 1",
        head.replace("WIN", "MAYBE"): "the verdict is WIN or NO_WIN",
        head.replace('"depth":1', '"depth":true'): "depth is missing, or not a number",
        head.replace('"black"', '"red"'): "player is black or white",
        head.replace("a1 a2 a3 b1", "a2 a1 a3 b1"): "the cells in the header are not those",
        head + "[" * 100_000: "2:1: this line is not JSON",
        head + "7\n": "2:1: a line is a JSON object",
        head + json.dumps(node | {"at": "X"}): "2:1: at needs one of X O .",
        head + json.dumps(node | {"left": -1}): "2:1: left is missing",
        head + json.dumps(node | {"left": 1e99}): "2:1: left is missing",
        head + json.dumps(node | {"move": "z9"}): "2:1: there is no cell 'z9'",
        head + json.dumps(node | {"move": None}): "2:1: move is missing",
        head + json.dumps(node | {"turn": "nobody"}): "2:1: turn is black or white",
        head + json.dumps(node | {"pairs": [["a1"]]}): "2:1: pairs are a list of pairs",
        head + json.dumps(node | {"pairs": 3}): "2:1: pairs are a list of pairs",
        head + json.dumps(node | {"links": []}): "2:1: links are points and ways",
        head + json.dumps(node | {"links": [["a1"]]}): "2:1: links are points and ways",
        head + json.dumps(node | {"links": [["a1", 0]]}): "2:1: links are points and ways",
        head + json.dumps(node | {"links": [["z9", None]]}): "2:1: there is no cell 'z9'",
        head + json.dumps(node | {"links": [[None, None, "a1"]]}): "2:1: a way is cells",
        head + json.dumps(node | {"links": [[None, None, [0, 1]]]}): "2:1: a way is cells",
        head + json.dumps(node | {"links": [[None, None, [-1]]]}): "2:1: a way is cells",
        head + json.dumps(node | {"links": [[None, None, [True]]]}): "2:1: a way is cells",
        head + json.dumps(node | {"via": {"a1": -1}}): "2:1: via gives the number",
        head + json.dumps(node | {"hint": 1}): "2:1: a node has at, turn, left",
        head + '{"symmetry":["a1"]}': "2:1: a symmetry names every cell once",
        head + '{"symmetry":"a1"}': "2:1: a symmetry is a list of cells",
    }
    for text, message in wrong.items():
        file = tmp_path / "wrong"
        file.write_bytes(text.encode("latin-1" if "\xff" in text else "utf-8"))
        for reading in (check_file, Strategy.load):
            with pytest.raises(UserError) as error:
                reading(str(file))
            assert message in str(error.value)
    with pytest.raises(UserError, match="cannot read"):
        check_file(str(tmp_path / "nowhere"))


def test_a_damaged_file_never_gives_a_traceback(tmp_path: Path) -> None:
    rng = random.Random(11)
    file = str(tmp_path / "good")
    extract(claim_about(build("tictactoe"), BLACK, 9), by_oracle(BLACK), file=file, fold=True)
    whole = Path(file).read_bytes()
    damaged = tmp_path / "damaged"
    accepted = 0
    for _ in range(600):
        text = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            place = rng.randrange(len(text)) if rng.random() < 0.7 else rng.randrange(400)
            match rng.randrange(4):
                case 0:
                    text[place] = rng.randrange(256)
                case 1:
                    del text[place : place + rng.randrange(1, 40)]
                case 2:
                    text[place:place] = rng.choice(
                        [b"\n", b'"', b"{", b"9", b"null", b"\xc3", b"[]"]
                    )
                case 3:
                    text[place : place + 9] = text[place : place + 9][::-1]
        damaged.write_bytes(text)
        with suppress(UserError):
            accepted += check_file(str(damaged)).holds
    assert accepted < 120  # most damage is seen; blanks, for one, do no harm
