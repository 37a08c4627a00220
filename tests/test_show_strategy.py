"""`skolemate show STRATEGY`: text, drawings, and the page."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from following import extracted
from skolemate.cli import main
from skolemate.games import Player
from skolemate.games.family import build
from skolemate.strategies import Strategy
from skolemate.strategies.tree import page

Output = pytest.CaptureFixture[str]
BLACK, WHITE = Player.BLACK, Player.WHITE

GAME = "harary(shape=elly, width=4, height=4)"
SHOWN = [
    ("hein(4)", BLACK, 5, False),
    ("tictactoe", BLACK, 9, True),
    ("gttt(p=2, q=1, shape=el, width=3, height=3)", BLACK, 5, False),
    ("harary(shape=tippy, width=3, height=3, torus=true)", BLACK, 7, False),
    ("breakthrough(width=2, height=5)", WHITE, 10, False),
    ("domineering(width=4, height=3)", WHITE, 7, True),
    ("konane(width=4, height=3)", WHITE, 9, False),
]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = str(tmp_path / "strategy.jsonl")
    extracted(build(GAME), BLACK, 7).save(path)
    return path


def test_a_tree_of_moves(file: str, capsys: Output) -> None:
    assert main(["show", file]) == 0
    shown = capsys.readouterr().out
    nodes = Strategy.load(file).size
    assert shown.startswith(
        f"Claimed, not checked here: {GAME}: Black wins within 7 plies.\n"
        f"The strategy is Black's; it has {nodes} nodes.\n"
    )
    assert re.search(r"^→ \w\d$", shown, re.M)
    assert len(re.findall(r"^[├└]─ \w\d → \w\d …$", shown, re.M)) == 12
    assert "└─ … 3 more" in shown


@pytest.mark.parametrize("command", ["show", "check", "certify -e cor"])
def test_a_domain_needs_its_problem(file: str, capsys: Output, command: str) -> None:
    assert main([*command.split(), file, "--domain", "domain.bddl"]) == 2
    assert "--domain needs --game" in capsys.readouterr().err


def test_a_tree_is_limited_and_can_be_opened(file: str, capsys: Output) -> None:
    assert main(["show", file, "--plies", "2", "--width", "2"]) == 0
    shown = capsys.readouterr().out
    assert "└─ … 13 more" in shown
    assert main(["show", file, "--plies", "7"]) == 0
    assert capsys.readouterr().out.count("Black has won") >= 10
    strategy = Strategy.load(file)
    start = strategy.game.start
    reply = strategy.move(start)
    assert reply is not None
    answer = start.play(reply).moves()[0]
    moves = " ".join(map(strategy.game.move_name, (reply, answer)))
    assert main(["show", file, "--moves", moves, "--plies", "5"]) == 0
    shown = capsys.readouterr().out
    assert f"{GAME.removesuffix(')')}, moves={moves}): Black to move" in shown
    assert "Black has won" in shown


@pytest.mark.parametrize(("name", "player", "depth", "fold"), SHOWN)
def test_every_kind_of_game_can_be_shown(
    tmp_path: Path, capsys: Output, name: str, player: Player, depth: int, fold: bool
) -> None:
    path = str(tmp_path / "strategy.jsonl")
    extracted(build(name), player, depth, fold=fold).save(path)
    assert main(["show", path, "--plies", "9", "--width", "3"]) == 0
    assert "The strategy is " in capsys.readouterr().out
    assert main(["show", path, "--svg", "-", "--plies", "3"]) == 0
    assert ET.fromstring(capsys.readouterr().out).tag.endswith("svg")
    assert main(["show", path, "--dot", "-", "--plies", "3"]) == 0
    assert capsys.readouterr().out.startswith("digraph strategy {")
    assert main(["show", path, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["owner"] == Strategy.load(path).owner.value
    assert told["nodes"] == told["replies"] + told["opponents_turns"] + told["pairings"]


def test_a_drawing_that_nobody_can_read_is_refused(tmp_path: Path, capsys: Output) -> None:
    path = str(tmp_path / "strategy.jsonl")
    extracted(build(GAME), BLACK, 7).save(path)
    assert main(["show", path, "--svg", "-", "--plies", "7"]) == 2
    assert "is too large; draw less, as in --plies 3" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--moves", "b2 z9"], "move 2, 'z9'"),
        (["--moves", "a1 b2 a2 a3"], "this strategy never leads to that position"),
        (["--game", "hein(9)"], "belongs to another game than hein(9)"),
        (["--plies", "many"], "is not a number of plies"),
        (["--moves", "b2 a1 c2 a2 a3 b1 c1 c3 b3"], "the strategy is for"),
        (["--moves", "b2 a1 c2 a2 a3 b1 c1 c3 b3", "--html", "-"], "the strategy is for"),
    ],
)
def test_wrong_calls(file: str, capsys: Output, arguments: list[str], message: str) -> None:
    try:
        code = main(["show", file, *arguments])
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    assert code == 2
    assert message in capsys.readouterr().err


def test_only_a_strategy_has_a_page(capsys: Output) -> None:
    assert main(["show", "tictactoe", "--html", "x.html"]) == 2
    assert "skolemate solve GAME --strategy FILE" in capsys.readouterr().err


# --- the page -----------------------------------------------------------------------------------


class Reading(HTMLParser):
    """What a page consists of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.data = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][1].get("id") == "data" and not self.data:
            self.data = data


def read(html: str) -> tuple[Reading, dict[str, Any]]:
    reading = Reading()
    reading.feed(html)
    data: dict[str, Any] = json.loads(reading.data)
    return reading, data


@pytest.mark.parametrize(("name", "player", "depth", "fold"), SHOWN)
def test_the_page_holds_every_play(name: str, player: Player, depth: int, fold: bool) -> None:
    game = build(name)
    strategy = extracted(game, player, depth, fold=fold)
    reading, data = read(page(strategy))
    positions = data["positions"]
    cells = {a["data-cell"] for _, a in reading.tags if "data-cell" in a}
    assert cells == set(game.board.names) == set(data["cells"])
    waiting, met = [(game.start, 0)], {0}
    while waiting:
        position, number = waiting.pop()
        said = positions[number]
        stones = "".join(
            "X" if position.black >> c & 1 else "O" if position.white >> c & 1 else "."
            for c in range(game.board.size)
        )
        assert said["at"] == stones
        assert said["own"] == (position.to_move is strategy.owner)
        for word, to, touched in said["next"]:
            assert position.to_move is not None
            assert set(touched) <= cells
            after = position.play(game.parse_move(word, position.to_move))
            if to not in met:
                met.add(to)
                waiting.append((after, to))
        if said["next"] and not said["own"]:
            assert len(said["next"]) == len(position.moves())
    assert met == set(range(len(positions)))


def test_the_page_needs_no_network_and_no_mouse(file: str, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    assert main(["show", file, "--html", str(out)]) == 0
    html = out.read_text(encoding="utf-8")
    reading, data = read(html)
    assert not [a for _, a in reading.tags if "src" in a or "href" in a]
    assert set(re.findall(r"https?://[^\"' ]+", html)) == {"http://www.w3.org/2000/svg"}
    assert "@" not in re.sub(r"\{.*\}", "", html).replace("@media", "")
    buttons = [a["id"] for tag, a in reading.tags if tag == "button"]
    assert buttons == ["first", "back", "forward"]
    assert any(a.get("aria-live") == "polite" for _, a in reading.tags)
    assert all(key in html for key in ("ArrowLeft", "ArrowRight", "Home"))
    assert data["owner"] == "Black"


def test_names_cannot_break_out_of_the_page(tmp_path: Path) -> None:
    evil = "</script><b>"
    game_file = tmp_path / "evil.pg"
    game_file.write_text(
        f"#times\nt1 t2 t3\n#blackturns\nt1 t3\n#positions\n{evil} b c\n#blackwins\n{evil} b\nb c\n"
    )
    path = str(tmp_path / "strategy.jsonl")
    main(["oracle", str(game_file), "--strategy", path])
    html = page(Strategy.load(path, str(game_file)))
    reading, data = read(html)
    assert evil in data["cells"]
    assert "b" not in [tag for tag, _ in reading.tags]
