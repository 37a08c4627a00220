"""Playing: matches, the opponents, and the loop, without a terminal."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from playing import Script, all_endings
from samples import SMALL
from skolemate import Analyst
from skolemate.ask import Answer, Verdict, qbf
from skolemate.ask.how import How
from skolemate.ask.qbf import Qbf
from skolemate.ask.search import reference
from skolemate.errors import Disagreement, UserError
from skolemate.formats import parse_pg
from skolemate.games import Move, Player, Position
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.games.sensible import ranked
from skolemate.limits import Limit, Reason
from skolemate.loading import load
from skolemate.play.match import ClaimedWin, Follower, Match, OpponentMove, Thinker
from skolemate.play.session import Session

BLACK, WHITE = Player.BLACK, Player.WHITE
METHOD = Analyst(reference)
ORACLE = Thinker(METHOD)

# Who can force a win, where anybody can.
FORCED = {
    "tictactoe(maker_breaker=true)": BLACK,
    "mnk(m=4, n=3, k=3)": BLACK,
    "mnk(m=3, n=3, k=3, black=a1, white=b2 c3, first=white)": WHITE,
    "gomoku(size=5, black=a1 b2 c3 d4 a2 a3 a4 e1, white=b1 b3 b4 c1 c2 d1 d2 e2)": BLACK,
    "harary(shape=el, width=3, height=3)": BLACK,
    "harary(shape=tippy, width=3, height=3, torus=true)": BLACK,
    "gttt(p=2, q=2, shape=el, width=3, height=3, torus=true)": BLACK,
    "qubic(size=2)": BLACK,
    "qubic(size=3, black=a1.1 b2.1 c1.2, white=a2.2 c3.3)": BLACK,
    "hex(size=3)": BLACK,
    "hex(size=3, first=white)": WHITE,
    "hein(4)": BLACK,
    "hein(9)": BLACK,
    "browne(moves=b5 a5 a4)": WHITE,
    "breakthrough(width=2, height=5)": WHITE,
    "knightthrough(width=3, height=4, black=a4 b3, white=c1 b2, first=white)": WHITE,
    "evader_pursuer(size=3, x=1, y=2)": BLACK,
    "evader_pursuer(size=4, x=2, y=3, dual=true)": WHITE,
    "domineering(width=4, height=3)": WHITE,
    "konane(width=4, height=3)": WHITE,
    "cross_purpose(width=4, height=4)": BLACK,
    "tictactoe(maker_breaker=true, moves=b3 b2 c1)": WHITE,  # the Breaker
}


def match_of(name: str) -> Match:
    return Match.of(build(name))


def sitting(
    name: str,
    *lines: str,
    human: Player = BLACK,
    opponent: Thinker | Follower = ORACLE,
    adviser: Thinker = ORACLE,
) -> tuple[Session, str]:
    """A session in which these lines are typed, and what the screen showed."""
    screen = Script(lines)
    session = Session(match_of(name), human, opponent, adviser, screen)
    session.run()
    return session, screen.text


# --- forced wins are never lost -----------------------------------------------------------------


@pytest.mark.parametrize("name", FORCED)
def test_the_oracle_loses_no_forced_win(name: str) -> None:
    computer = FORCED[name]
    for ending in all_endings(match_of(name), computer, ORACLE):
        assert ending.winner is computer, ending.names
        assert ending.claim is None or not ending.broken


@pytest.mark.parametrize(
    "name",
    [
        "hein(4)",
        "hex(size=3, first=white, moves=b2 a1)",
        "qubic(size=2)",
        "harary(shape=el, width=3, height=3, moves=b2 a1)",
        "tictactoe(maker_breaker=true, moves=b3 b2 c1 a3)",
        "evader_pursuer(size=4, x=2, y=3, dual=true)",
    ],
)
def test_the_solvers_lose_no_forced_win(name: str) -> None:
    thinker = Thinker(Analyst(Qbf()))
    match = match_of(name)
    computer = WHITE if "white" in name or "maker" in name or "dual" in name else BLACK
    for ending in all_endings(match, computer, thinker):
        assert ending.winner is computer, ending.names


def test_nobody_loses_what_can_be_held() -> None:
    """Tic-tac-toe is a draw: no reply of the computer's ever loses it."""
    for computer in Player:
        for ending in all_endings(match_of("tictactoe(moves=b2 a1)"), computer, ORACLE):
            assert ending.winner is not computer.opponent, ending.names


# --- the computer's moves -----------------------------------------------------------------------


def test_a_win_is_claimed_with_its_depth() -> None:
    reply = ORACLE.reply(match_of("hein(9)"))
    assert reply == OpponentMove(
        build("hein(9)").board.cell("b2"),
        "It wins within 6 more plies, whatever you do.",
        ClaimedWin(BLACK, 7, "reference"),
    )


@pytest.mark.parametrize(
    ("thinker", "name", "remark"),
    [
        (ORACLE, "tictactoe", "Nobody can force a win now."),
        (ORACLE, "hex(size=3, moves=b2)", "It cannot force a win, and plays a sensible move."),
        (
            Thinker(METHOD, depth=2),
            "hex(size=5)",
            "It looks no deeper than 2 plies, and sees no forced win there.",
        ),
        (
            Thinker(METHOD, Limit(0.05)),
            "hex(size=7)",
            "It found no forced win in time; there is none within ",
        ),
    ],
)
def test_without_a_win_it_says_so(thinker: Thinker, name: str, remark: str) -> None:
    match = match_of(name)
    reply = thinker.reply(match)
    assert reply.move in match.position.moves()
    assert reply.remark.startswith(remark)
    assert reply.claim is None


def test_a_failing_method_still_leaves_a_move() -> None:
    thinker = Thinker(Analyst(Unable()))
    match = match_of("tictactoe(moves=a1 b2 a2)")
    reply = thinker.reply(match)
    assert match.base.move_name(reply.move) == "a3"
    assert "(solver_error)" in reply.remark
    claimed = replace(match, claim=ClaimedWin(WHITE, 8, "somebody"))
    kept = thinker.reply(claimed)
    assert (
        kept.remark == "It can no longer follow its win (solver_error), and takes the claim back."
    )
    assert kept.claim is None


class Unable:
    """A method that never knows."""

    def __call__(self, question: Question, *rest: Any, **options: Any) -> Answer:
        return Answer(
            question.game,
            question.player,
            question.depth,
            Verdict.UNKNOWN,
            "nothing",
            Reason.SOLVER_ERROR,
        )


@pytest.mark.parametrize(
    ("name", "move"),
    [
        ("tictactoe(moves=a1 b1 a2 b2)", "a3"),  # wins
        ("tictactoe(moves=a1 b2 c1)", "b1"),  # stops
        ("gomoku(size=9)", "e5"),  # the middle
        ("hex(size=5)", "c3"),
        ("hex(size=3, moves=b2)", "a3"),  # between the stone and the edge
        ("tictactoe(maker_breaker=true, moves=a1 b2 a2)", "a3"),
    ],
)
def test_sensible_moves(name: str, move: str) -> None:
    game = build(name)
    order = list(ranked(game.start))
    assert sorted(order) == sorted(game.start.moves())
    assert game.move_name(order[0]) == move


def test_a_piece_that_can_win_at_once_does() -> None:
    game = build("breakthrough(width=2, height=5, black=a2, white=b4)")
    assert game.start.play(next(ranked(game.start))).winner is BLACK


def test_the_defender_sees_a_threat_where_pieces_move() -> None:
    game = build("breakthrough(width=3, height=5, black=a5 c4, white=c2 a1 b4)")
    after = game.start.play(next(ranked(game.start)))
    assert not any(after.play(reply).winner is WHITE for reply in after.moves())


# --- a strategy found before --------------------------------------------------------------------


class StrategyLike:
    """A strategy for Black in three in a row, as far as it goes."""

    owner = BLACK

    def __init__(self, name: str, lines: dict[str, str]) -> None:
        self._moves: dict[Position, Move] = {}
        for played, move in lines.items():
            match = Match.of(build(name))
            for word in played.split():
                match = match.play(match.base.parse_move(word, BLACK))
            self._moves[match.position] = match.base.parse_move(move, BLACK)

    def move(self, position: Position) -> Move | None:
        return self._moves.get(position)


def test_a_strategy_is_followed_and_the_rest_is_solved() -> None:
    game = "tictactoe(maker_breaker=true)"
    strategy = StrategyLike(game, {"": "a1", "a1 b2": "c1"})
    session, shown = sitting(game, "b2", "b1", human=WHITE, opponent=Follower(strategy, ORACLE))
    assert "The computer plays a1. It follows its strategy." in shown
    assert "The computer plays c1. It follows its strategy." in shown
    assert "The strategy has no move here. " in shown
    assert session.match.names[:4] == ["a1", "b2", "c1", "b1"]


def test_a_wrong_strategy_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    lines = {"": "a1", "a1 b2": "a2", "a1 b2 a2 a3": "b1"}
    opponent = Follower(StrategyLike("tictactoe", lines), ORACLE, wins_by=5)
    session, shown = sitting("tictactoe", "b2", "a3", "c1", human=WHITE, opponent=opponent)
    assert "AN ERROR IN SKOLEMATE: the strategy has proved that Black wins by ply 5" in shown
    [report] = tmp_path.iterdir()
    assert session.defect == str(report)
    assert str(report) in shown
    kept = json.loads(report.read_text())
    assert kept["moves"] == ["a1", "b2", "a2", "a3", "b1"]
    assert kept["claim"] == {"player": "black", "by_ply": 5, "source": "the strategy"}
    assert "that did not happen" in kept["defect"]
    assert load(str(report)) == session.match.game


# --- claims -------------------------------------------------------------------------------------


class Liar:
    """A method that claims a win within three plies, and takes it back when asked again."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, question: Question, *rest: Any, **options: Any) -> Answer:
        self.asked += 1
        won = question.depth >= 3 and len(question.game.played) < 2
        return Answer(
            question.game,
            question.player,
            question.depth,
            Verdict.WIN if won else Verdict.NO_WIN,
            "liar",
            first_move_numbers=tuple(question.game.start.moves())[:1] if won else None,
        )


def test_a_claim_that_is_taken_back_is_reported_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    session, shown = sitting("tictactoe", "b2", human=WHITE, opponent=Thinker(Analyst(Liar())))
    assert "It wins within 2 more plies" in shown
    assert "THIS IS AN ERROR IN SKOLEMATE: liar has proved that Black wins within 1 ply" in shown
    assert session.defect is not None


def test_why_finds_a_wrong_claim_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    session, _ = sitting("tictactoe", "why", human=WHITE, opponent=Thinker(Analyst(Liar())))
    assert session.defect is not None


def test_a_claim_stands_until_it_is_kept_or_broken() -> None:
    match = match_of("tictactoe")
    claim = ClaimedWin(BLACK, 3, "somebody")
    claimed = match.play(0, claim)
    assert claimed.promised(BLACK) == 2
    assert claimed.promised(WHITE) is None
    assert claimed.play(1).claim is claim
    assert not claimed.play(1).broken
    assert claimed.play(1).play(2).claim is None
    assert claimed.play(1).play(2, claim).broken
    assert claimed.undone(BLACK) is match


def test_being_beaten_breaks_a_claim() -> None:
    match = match_of("tictactoe(moves=a1 b1 a2 b2 c3)")
    ending = replace(match, claim=ClaimedWin(BLACK, 9, "somebody")).play(
        match.base.board.cell("b3")
    )
    assert ending.winner is WHITE
    assert ending.broken


def test_losing_by_being_stuck_keeps_the_claim() -> None:
    match = match_of("domineering(width=2, height=2)")
    reply = ORACLE.reply(match)
    ending = match.play(reply.move, reply.claim)
    assert ending.over
    assert ending.winner is BLACK
    assert ending.result == "White cannot move and loses"
    assert not ending.broken


# --- what can be typed --------------------------------------------------------------------------


def random_human(name: str, seed: int) -> Session:
    """A session with a person who plays at random, in long names and short ones, until the end."""
    rng = random.Random(seed)

    class Person(Script):
        def ask(self, prompt: str) -> str | None:
            position = session.match.position
            moves = position.moves()
            if not moves:
                return None
            assert position.to_move is human
            move, game = rng.choice(list(moves)), session.match.base
            long, short = game.move_name(move), game.short_name(move, human)
            return rng.choice([long, short, short.upper(), f"  {long} "])

    human = rng.choice(list(Player))
    quick = Thinker(METHOD, depth=2)
    session = Session(match_of(name), human, quick, quick, Person([]))
    session.run()
    return session


@pytest.mark.parametrize("name", SMALL)
def test_a_random_human_plays_every_game_to_its_end(name: str) -> None:
    for seed in range(3):
        session = random_human(name, seed)
        assert session.match.over
        assert session.defect is None


def test_illegal_input_never_ends_the_game() -> None:
    nonsense = [
        "z9",
        "b2 b2",
        "((",
        "\x1b[31m",
        "ñ",
        "x" * 5000,
        "save",
        "undo",
        "0",
        "-1",
        "b2(1,1",
    ]
    session, shown = sitting("tictactoe", *nonsense, "b2")
    assert session.match.names[0] == "b2"
    assert len(session.match.moves) == 2
    assert "There is no cell 'z9' on this board" in shown
    assert "There is no move of yours to take back." in shown
    assert "Give a name, as in save game." in shown
    assert "\x1b" not in shown
    assert "x" * 100 not in shown


def test_commands_in_any_case_and_misspelt() -> None:
    _, shown = sitting("tictactoe", "HELP", "", "hnit", "Quit", "b2")
    assert "Legal moves: a1  a2  a3  b1  b2  b3  c1  c2  c3" in shown
    assert "  undo       take your last move back" in shown
    assert "did you mean hint?" in shown
    assert "The computer plays" not in shown


def test_a_cell_may_be_called_like_a_command() -> None:
    game = parse_pg("#times\nt1 t2\n#blackturns\nt1\n#positions\nquit b\n#blackwins\nquit\n")
    for typed, played in (("quit", []), ("QUIT", ["quit"])):
        session = Session(Match.of(game), BLACK, ORACLE, ORACLE, Script([typed]))
        session.run()
        assert session.match.names == played


def test_empty_input_lists_the_moves_in_full_and_in_short() -> None:
    _, shown = sitting("breakthrough(width=2, height=5)", "", "b4-b3")
    assert "forward(2,4)=b4-b3" in shown
    assert "The computer plays" in shown


def test_hints() -> None:
    _, shown = sitting("hein(9)", "hint")
    assert "b2 wins within 7 plies." in shown
    _, shown = sitting("hein(9)", "hint", adviser=Thinker(METHOD, depth=5))
    assert "You cannot force a win within 5 plies. The computer looks no deeper." in shown
    _, shown = sitting("tictactoe", "hint")
    assert "You cannot force a win. a1 draws." in shown
    _, shown = sitting("tictactoe(moves=b2 a2 a1)", "hint", human=WHITE)
    assert "You cannot force a win. c3 holds out longest, 4 plies." in shown
    _, shown = sitting("hex(size=7)", "hint", adviser=Thinker(METHOD, Limit(0.05)))
    assert "More is not known (time)." in shown


def test_why_shows_an_answer_to_every_move() -> None:
    session, shown = sitting("hein(9)", "why", human=WHITE)
    assert "The computer wins within 6 plies. Its answers:" in shown
    for move in session.match.position.moves():
        assert f"  {session.match.base.move_name(move)}: " in shown
    assert ", a win within 4 plies" in shown
    _, shown = sitting("tictactoe(moves=b2 a1)", "why")
    assert "The computer has claimed no win. Its answers to your moves:" in shown


def test_why_in_turns_of_two_stones_and_at_the_end() -> None:
    _, shown = sitting("gttt(p=2, q=2, shape=el, width=3, height=3, torus=true)", "why")
    assert "a1: it is still your turn" in shown
    _, shown = sitting("tictactoe(moves=a1 b1 a2 b2)", "why")
    assert "a3: Black has won" in shown


def test_why_does_not_take_for_ever() -> None:
    slow = Thinker(METHOD, Limit(0.05))
    _, shown = sitting("hex(size=6)", "why", opponent=slow, adviser=slow)
    assert "The rest would take too long." in shown


def test_undo_takes_back_a_whole_turn() -> None:
    session, _ = sitting("tictactoe", "b2", "undo", "a1")
    assert session.match.names[0] == "a1"
    session, _ = sitting("hein(9)", "a2", "c3", "undo", "undo", human=WHITE)
    assert session.match.names == ["b2"]
    session, shown = sitting("hein(9)", "undo", human=WHITE)
    assert session.match.names == ["b2"]
    assert "There is no move of yours to take back." in shown


def test_undo_takes_back_one_stone_of_two() -> None:
    game = "gttt(p=2, q=2, shape=tic, width=3, height=3)"
    session, _ = sitting(game, "a1", "c3", "undo")
    assert session.match.names == ["a1"]


def test_moves_given_with_the_game_can_be_undone() -> None:
    session, _ = sitting("tictactoe(moves=b2 a1)", "undo")
    assert session.match.moves == ()


def test_the_end_is_told_and_can_be_taken_back() -> None:
    session, shown = sitting("tictactoe(moves=a1 b1 a2 b2)", "a3", "c3", "hint", "undo", "quit")
    assert "Black has won. Undo, save FILE, or Enter to leave:" in shown
    assert "X*" in shown
    assert "The game is over: 'c3' is not possible." in shown
    assert "The game is over: a hint is not possible." in shown
    assert not session.match.over
    session, shown = sitting("tictactoe(moves=a1 b1 a2 b2)", "a3", "", "undo")
    assert session.match.over


def test_a_stuck_player_is_told() -> None:
    _, shown = sitting("konane(width=4, height=3)")
    assert "Black cannot move and loses" in shown


def test_saving_and_going_on(tmp_path: Path) -> None:
    for name, suffix in (("hein(9)", ".sgf"), ("domineering(width=4, height=3)", ".json")):
        file = tmp_path / f"game{suffix}"
        move = build(name).move_name(build(name).start.moves()[0])
        commands = [f"save {tmp_path}/game", move, f"save {tmp_path}/game", f"save {file}"]
        session, shown = sitting(name, *commands)
        assert f"To continue: skolemate play {file}" in shown
        assert shown.count("Saved.") == 3
        game = load(str(file))
        assert Match.of(game).names == session.match.names
        assert game.start.black == session.match.position.black
        file.unlink()


def test_names_with_blanks_are_told_as_a_shell_takes_them(tmp_path: Path) -> None:
    _, shown = sitting("tictactoe", f"save {tmp_path}/my game")
    assert f"skolemate play '{tmp_path}/my game.json'" in shown


def test_saving_overwrites_no_strange_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text("precious")
    _, shown = sitting(
        "tictactoe", f"save {tmp_path}/mine", f"save {file}", f"save {tmp_path}/no/x", "save a.docx"
    )
    assert shown.count("mine.json' exists; choose another name.") == 2
    assert "Cannot write" in shown
    assert "A game is saved as .sgf or .json, not as '.docx'." in shown
    assert file.read_text() == "precious"
    for name in ("~nobody-of-this-name/x", "x" * 5000, "a\0b"):
        _, shown = sitting("tictactoe", f"save {name}", "save")
        assert "Give a name" in shown, "the game went on"
        assert "annot write" in shown
    _, shown = sitting("tictactoe", f"save {tmp_path}/t.sgf")
    assert "cannot be written as SGF: only Hex can." in shown


def test_a_record_says_who_played_and_how_it_ended(tmp_path: Path) -> None:
    file = tmp_path / "end.json"
    sitting("tictactoe(moves=a1 b1 a2 b2)", "a3", f"save {file}")
    record = json.loads(file.read_text())
    assert record["human"] == "black"
    assert (record["over"], record["winner"]) == (True, "black")
    assert record["result"] == "Black has won"
    assert record["claim"] is None


def test_answers_that_disagree_end_the_game_with_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def contradictory(*_: Any, **__: Any) -> Answer:
        raise Disagreement("two solvers differ")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    session, shown = sitting("tictactoe", "b2", opponent=Thinker(Analyst(contradictory)))
    assert "THIS IS AN ERROR IN SKOLEMATE: two solvers differ." in shown
    assert session.defect is not None
    assert load(session.defect) == session.match.game


def without_engine(game: object) -> UserError:
    return UserError("the engine was not compiled")


def test_the_oracle_plays_what_no_encoding_can_state(monkeypatch: pytest.MonkeyPatch) -> None:
    assert How().method(or_slowly=True)(Question(build("hein(4)"), BLACK, 5)).method == "search"
    assert (
        How.parse(encoding="et").method(or_slowly=True)(Question(build("hein(4)"), BLACK, 5)).method
        == "qbf"
    )
    monkeypatch.setattr("skolemate.ask.how.refusal", without_engine)
    question = Question(build("konane(width=4, height=3)"), BLACK, 1)
    assert How().method(or_slowly=True)(question).method == "qbf"
    with monkeypatch.context() as without_lifted:
        without_lifted.setattr(qbf, "DEFAULTS", {"et": qbf.CAQE, "cor+": qbf.DEPQBF})
        assert How().method(or_slowly=True)(question).method == "reference"
    with pytest.raises(UserError, match="en cannot encode tictactoe"):
        How.parse(encoding="en").method(or_slowly=True)(Question(build("tictactoe"), BLACK, 5))
    breaker = Question(build("tictactoe(maker_breaker=true)"), WHITE, 9)
    assert How().method(or_slowly=True)(breaker).method == "qbf"


def test_the_oracle_plays_where_no_solver_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(encoding: str) -> str:
        raise UserError("no QBF solver is installed")

    question = Question(build("hein(4)"), BLACK, 5)
    monkeypatch.setattr("skolemate.ask.how.refusal", without_engine)
    assert How().method(or_slowly=True)(question).method == "qbf"
    monkeypatch.setattr("skolemate.ask.qbf.default_pipeline", none)
    assert How().method(or_slowly=True)(question).method == "reference"


def test_the_opponent_is_stopped_by_its_event() -> None:
    cancel = Event()
    cancel.set()
    reply = ORACLE.reply(match_of("hex(size=5)"), cancel)
    assert "(cancelled)" in reply.remark


def test_a_win_without_time_to_find_its_move_is_called_a_win() -> None:
    """Some answers tell no move; then each is asked about, but only while there is time."""
    asked: list[Question] = []

    def wins(question: Question, *rest: Any, **more: Any) -> Answer:
        asked.append(question)
        return Answer(question.game, question.player, 5, Verdict.WIN, "by magic")

    reply = Thinker(Analyst(wins), Limit(0.0)).reply(Match(build("tictactoe")))
    assert (len(asked), reply.claim) == (1, None)
    assert reply.remark.startswith("It can force a win, but there was no time to find the move.")
