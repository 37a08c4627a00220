"""GTP as HexGui speaks it, through a pipe; and as somebody does who speaks it badly."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import command_line
from fake_solvers import HANG, Fakes
from skolemate import Analyst, write_game
from skolemate.ask import Answer
from skolemate.ask.search import reference
from skolemate.games import Player
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.limits import Limit
from skolemate.play.gtp import GtpEngine, serve
from skolemate.play.match import Thinker
from skolemate.search.reference import Reference
from terminals import CTRL_C, CTRL_D, Terminal
from waiting import eventually

REQUIRED = """protocol_version name version known_command list_commands quit boardsize
    clear_board play genmove undo showboard""".split()  # noqa: SIM905  easier to read


class HexGui:
    """The other side of the pipe, as strict as HexGui is."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            command_line("gtp", *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def send(self, command: str) -> tuple[bool, str]:
        """Whether a command succeeded, and what was answered."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        lines = []
        while line := self._process.stdout.readline().rstrip("\n"):
            lines.append(line)
        answer = "\n".join(lines)
        assert answer[:2] in ("= ", "? "), f"HexGui rejects {answer!r}"
        return answer[0] == "=", answer[2:].strip()

    def obey(self, command: str) -> str:
        succeeded, answer = self.send(command)
        assert succeeded, f"{command}: {answer}"
        return answer

    def close(self) -> int:
        self._process.stdin.close()  # type: ignore[union-attr]
        self._process.stdout.close()  # type: ignore[union-attr]
        return self._process.wait(60)


@pytest.fixture
def hexgui() -> Iterator[HexGui]:
    program = HexGui()
    yield program
    program.close()


ORACLE = Analyst(reference)


def engine(seconds: float | None = None, depth: int | None = None) -> GtpEngine:
    return GtpEngine(Thinker(ORACLE, Limit(seconds), depth), ORACLE)


def test_hexgui_connects_plays_and_leaves(hexgui: HexGui) -> None:
    assert hexgui.obey("name") == "Skolemate"
    assert hexgui.obey("version")[0].isdigit()
    analyses = [line.split("/") for line in hexgui.obey("hexgui-analyze_commands").splitlines()]
    (*winning, command), (*values, valuing) = analyses
    assert winning == ["plist", "Winning moves"]
    assert values == ["pspairs", "Values of moves"]
    hexgui.obey("boardsize 3 3")
    hexgui.obey("showboard")
    assert hexgui.obey(command.replace("%m", "b")) == "b2"
    assert "b2 W5" in hexgui.obey(valuing.replace("%m", "b"))
    assert hexgui.obey("genmove black") == "b2"
    hexgui.obey("play white a3")
    assert hexgui.obey("genmove black") in ("b1", "c1", "b3")
    shown = hexgui.obey("showboard")
    assert "[X]" in shown
    hexgui.obey("undo")
    hexgui.obey("undo")
    hexgui.obey("play white swap-pieces")
    assert hexgui.obey("showboard").count("O") == 3  # two of them are the borders
    hexgui.obey("play black resign")
    hexgui.obey("quit")
    assert hexgui.close() == 0


def test_all_commands_are_known(hexgui: HexGui) -> None:
    assert hexgui.obey("protocol_version") == "2"
    listed = hexgui.obey("list_commands").split()
    assert set(REQUIRED) < set(listed)
    for command in listed:
        assert hexgui.obey(f"known_command {command}") == "true"
    assert hexgui.obey("known_command komi") == "false"


def test_the_end_of_the_input_is_the_end() -> None:
    assert HexGui().close() == 0


@pytest.mark.parametrize("first", list(Player))
def test_the_computer_wins_what_is_won(first: Player) -> None:
    """On 3x3 who begins in the middle wins: against every second stone, then random ones."""
    player = engine()
    rng = random.Random(3)
    colour, other = first.value, first.opponent.value
    for second in build("hex(3)").board.names:
        assert player.answer("boardsize 3") == "= \n\n"
        reply = player.answer(f"genmove {colour}")
        assert reply == "= b2\n\n"
        free = [name for name in build("hex(3)").board.names if name != "b2"]
        answered = player.answer(f"play {other} {second}")
        while True:
            if answered == "= \n\n":
                reply = player.answer(f"genmove {colour}")
                assert reply is not None
                if not reply.startswith("= "):
                    break
                assert "resign" not in reply
            elif player.answer(f"genmove {colour}") == f"? the game is over, {first} has won\n\n":
                break
            answered = player.answer(f"play {other} {rng.choice(free)}")


def test_a_claimed_win_is_kept_without_asking_anew() -> None:
    """The second move keeps the depth of the first, and nothing else makes it do so."""
    asked: list[int] = []

    def counting(question: Question, *rest: Any, **named: Any) -> Answer:
        asked.append(question.depth)
        return reference(question, *rest, **named)

    player = GtpEngine(Thinker(Analyst(counting)), ORACLE)
    for line in ("boardsize 3", "genmove b"):
        player.answer(line)
    assert asked == [0, 1, 3, 5]
    player.answer("play w a3")
    player.answer("genmove b")
    assert asked[4:] == [3]
    for disturbance in (
        ["undo", "undo", "play w c1"],
        ["play w a1", "play b c3"],
        ["play w resign"],
    ):
        del asked[:]
        for line in ("boardsize 3", "genmove b", "play w a3", *disturbance):
            assert str(player.answer(line)).startswith("=")
        del asked[:]
        player.answer("genmove b")
        assert asked[:2] == [0, 1], "from the beginning"


def test_stones_in_any_order_and_either_colour_to_move() -> None:
    player = engine()
    for line in ("boardsize 4", *[f"play b {c}" for c in ("c4", "d2")]):
        assert player.answer(line) == "= \n\n"
    for cell in ("a1", "b4", "d1"):
        assert player.answer(f"play White {cell.upper()}") == "= \n\n"
    assert player.answer("skolemate-winning_moves b") == "= b2\n\n"  # Piet Hein's puzzle 9
    assert player.answer("skolemate-winning_moves") == "= b2\n\n"
    assert player.answer("3 genmove B") == "=3 b2\n\n"


def test_a_file_is_loaded(tmp_path: Path) -> None:
    """As HexGui and regression tests of Benzene do."""
    player, file = engine(), tmp_path / "hein9.sgf"
    file.write_text("(;GM[11]SZ[4];AB[c4][d2]AW[a1][b4][d1]PL[B];B[b2];W[a3])")
    assert player.answer(f"loadsgf {file}") == "= \n\n"
    assert "[O]" in str(player.answer("showboard"))
    assert player.answer("undo") == "= \n\n"
    assert player.answer(f"loadsgf {file} 1") == "= \n\n"
    assert player.answer("reg_genmove b") == "= b2\n\n"
    assert player.answer("undo") == "? cannot undo\n\n"
    assert player.answer("play b b2") == "= \n\n"
    assert player.answer(f"loadsgf {file} 0") == (
        "? syntax error: '0' is not the number of a move\n\n"
    )
    assert str(player.answer("loadsgf nowhere.sgf")).startswith("? cannot load file: ")
    write_game(build("tictactoe"), tmp_path / "other.pg")
    other = player.answer(f"loadsgf {tmp_path}/other.pg")
    assert other is not None
    assert other.endswith("is not a game of Hex\n\n")


def test_reg_genmove_resigns_where_genmove_does() -> None:
    player = engine()
    for line in ("boardsize 2", "play b a1", "play b a2"):
        player.answer(line)
    assert player.answer("reg_genmove w") == "= resign\n\n"
    assert player.answer("undo") == "= \n\n"
    assert player.answer("reg_genmove b") == "= a2\n\n"


def test_every_move_has_a_value() -> None:
    player = engine()
    for line in ("boardsize 2", "play b a1"):
        assert player.answer(line) == "= \n\n"
    assert player.answer("skolemate-values") == "= a2 W3 b1 L2 b2 L2\n\n"
    assert player.answer("skolemate-values b") == "= a2 W1 b1 W3 b2 W3\n\n"
    assert str(engine(0.0).answer("skolemate-values b")).startswith("= a1 ? a2 ? ")
    assert player.answer("play b a2") == "= \n\n"
    assert player.answer("skolemate-values w") == "= \n\n"  # Black has won


@pytest.mark.parametrize("depth", [None, 5, 7, 9])
def test_the_winning_moves_are_the_oracles(depth: int | None) -> None:
    game = build("hex(size=3)")
    player = engine()
    player.answer("boardsize 3")
    oracle = Reference(Player.BLACK)
    expected = [game.move_name(m) for m in oracle.winning_moves(game.start, depth or 5)]
    suffix = "" if depth is None else f" {depth}"
    assert player.answer(f"skolemate-winning_moves black{suffix}") == f"= {' '.join(expected)}\n\n"
    assert player.answer("skolemate-winning_moves white 3") == "= \n\n"


def test_the_solvers_find_all_winning_moves() -> None:
    player, hexgui = engine(), HexGui("--engine", "qbf")
    player.answer("boardsize 3")
    hexgui.obey("boardsize 3 3")
    for question in ("b 5", "b 9", "w 9"):
        command = f"skolemate-winning_moves {question}"
        assert player.answer(command) == f"= {hexgui.obey(command)}\n\n"
    assert hexgui.close() == 0


def test_what_is_not_known_is_said() -> None:
    player = engine(seconds=0.05)
    player.answer("boardsize 9")
    assert player.answer("skolemate-winning_moves b") == "? not known (time)\n\n"
    assert player.answer("genmove b") == "= e5\n\n", "a sensible move"


def test_the_end_of_a_game() -> None:
    player = engine()
    for line in ("boardsize 2 2", "play b a1", "play b a2"):
        player.answer(line)
    assert player.answer("genmove w") == "= resign\n\n"
    assert player.answer("genmove b") == "? the game is over, Black has won\n\n"
    assert player.answer("skolemate-winning_moves w") == "= \n\n"
    assert player.answer("undo") == "= \n\n"
    assert player.answer("undo") == "= \n\n"
    assert str(player.answer("genmove w")).startswith("= ")


def test_boards_need_not_be_square() -> None:
    player = engine()
    assert player.answer("boardsize 2 3") == "= \n\n"
    assert player.answer("play b b3") == "= \n\n"
    assert player.answer("play w b3") == "? illegal move: b3 is taken\n\n"
    assert str(player.answer("play w c1")).startswith("? invalid color or coordinate")
    assert str(player.answer("play w swap-pieces")).startswith("? illegal move")
    assert str(player.answer("genmove w")).startswith("= ")


def test_swapped_pieces_are_mirrored() -> None:
    player = engine()
    player.answer("boardsize 4")
    player.answer("play b a3")
    assert player.answer("play w swap-pieces") == "= \n\n"
    swapped = player.answer("showboard")
    player.answer("undo")
    player.answer("undo")
    player.answer("play w c1")
    assert player.answer("showboard") == swapped
    assert str(player.answer("play w swap-pieces")).startswith("? illegal move")
    assert player.answer("play black swap") == "= \n\n"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("", None),
        ("   \t ", None),
        ("# interrupt", None),
        ("name # who?", "= Skolemate\n\n"),
        ("  17\tname", "=17 Skolemate\n\n"),
        ("na\x07me", "= Skolemate\n\n"),
        ("17", "?17 unknown command\n\n"),
        ("NAME", "? unknown command\n\n"),
        ("name please", "? syntax error: wrong arguments for name\n\n"),
        ("boardsize", "? syntax error: wrong arguments for boardsize\n\n"),
        ("boardsize x", "? syntax error: write boardsize 11, or boardsize 11 11\n\n"),
        ("boardsize -1", "? syntax error: write boardsize 11, or boardsize 11 11\n\n"),
        (
            "boardsize 0",
            "? unacceptable size: a board needs at least one cell a side, not 0\n\n",
        ),
        (
            "boardsize 9999",
            "? unacceptable size: a board of 99980001 cells is beyond the limit of 10000\n\n",
        ),
        (
            "play red a1",
            "? invalid color or coordinate: 'red' is neither black nor white\n\n",
        ),
        (
            "5 play b l1",
            "?5 invalid color or coordinate: there is no cell 'l1' on this board; "
            "its cells run from a1 to k11\n\n",
        ),
        ("play b", "? syntax error: wrong arguments for play\n\n"),
        ("play b pass", "? invalid color or coordinate: there is no cell 'pass' on this board; "
         "its cells run from a1 to k11\n\n"),
        ("undo", "? cannot undo\n\n"),
        ("genmove", "? syntax error: wrong arguments for genmove\n\n"),
        ("skolemate-winning_moves b x", "? syntax error: 'x' is not a number of plies\n\n"),
        ("💥 \udcff", "? unknown command\n\n"),
        ("٣ name", "? unknown command\n\n"),
    ],
)  # fmt: skip
def test_answers_to_single_lines(line: str, answer: str | None) -> None:
    assert engine().answer(line) == answer


def test_no_answer_contains_an_empty_line() -> None:
    player = engine()
    for line in ("boardsize 5", "play b c3", "showboard", "list_commands", "jump", "genmove x"):
        answer = player.answer(line)
        assert answer is not None
        assert answer.endswith("\n\n")
        assert "\n\n" not in answer[:-2]


def test_after_quit_nothing_is_read() -> None:
    written: list[str] = []
    serve(engine(), ["name\n", "1 quit\n", "name\n"], written.append)
    assert written == ["= Skolemate\n\n", "=1 \n\n"]


def test_noise_is_survived(hexgui: HexGui) -> None:
    rng = random.Random(5)
    letters = "abw123 #\t-play genmove" + "\x00\x1b\x7f\xff"
    for _ in range(200):
        hexgui.send("x" + "".join(rng.choices(letters, k=rng.randrange(1, 40))))
    assert hexgui.obey("name") == "Skolemate"


def test_ctrl_d_and_ctrl_c() -> None:
    for key, code in ((CTRL_D, 0), (CTRL_C, 130)):
        with Terminal("gtp") as terminal:
            terminal.type("name\n")
            terminal.wait_for("= Skolemate")
            terminal.type(key)
            assert terminal.ends() == code
            assert "Traceback" not in terminal.screen


def test_a_solver_of_ones_own_may_have_arguments() -> None:
    program = HexGui("-p", "mine", "--program", "mine=true --flag {file}")
    assert program.send("name")[0]
    program.close()


def test_ctrl_c_while_thinking_leaves_nothing_running(fakes: Fakes) -> None:
    program = f"qesto={fakes.shell(HANG)}"
    with Terminal("gtp", "-p", "qesto", "--program", program, "--timeout", "1000") as terminal:
        terminal.type("boardsize 4\ngenmove b\n")
        assert eventually(fakes.resting)
        terminal.type(CTRL_C)
        assert terminal.ends() == 130
