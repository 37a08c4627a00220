"""Documentation that cannot go stale: its commands and snippets are run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator import evaluate
from serving import Server
from skolemate.api import oracle
from skolemate.ask import Question
from skolemate.ask.reference import reference
from skolemate.cli import main
from skolemate.encodings import ENCODINGS, encode
from skolemate.games import Player
from skolemate.games.family import FAMILIES, build
from skolemate.play.gtp import Engine
from skolemate.play.session import COMMANDS as PLAY_COMMANDS
from skolemate.play.thinker import Thinker
from skolemate.play.web.endpoints import ENDPOINTS

ROOT = Path(__file__).resolve().parents[1]
STATIC = ROOT / "src" / "skolemate" / "play" / "web" / "static"
README = (ROOT / "README.md").read_text(encoding="utf-8")


def sessions() -> list[tuple[str, str]]:
    """The commands in README's console blocks, each with the output printed below it."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def recipe(target: str) -> str:
    """The skolemate command that a make target ends with."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    found = re.search(rf"^{target}:.*\n\t@\$\(BIN\)/(skolemate .*?)( \|\|.*)?$", makefile, re.M)
    assert found, f"make {target} runs no skolemate command"
    return found[1]


def test_readme_commands_print_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)  # some write files that others read
    for command, expected in sessions():
        check_session(command, expected, capsys)


def check_session(command: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    if command == "make test":
        return  # what is running right now
    if command.startswith("make "):
        command = recipe(command.removeprefix("make "))
    program, *arguments = shlex.split(command)
    assert program == "skolemate"
    main(arguments)
    assert capsys.readouterr().out.strip() == expected.strip(), command


def test_readme_shows_both_commands() -> None:
    commands = [command for command, _ in sessions()]
    assert commands[:2] == ["make demo", "make test"]
    assert (ROOT / ".ci" / "run").read_text().count("make test") == 1


def test_readme_lists_every_game() -> None:
    for family in FAMILIES:
        row = f"| `{family.examples[0]}` | {family.summary} |"
        assert row in README, f"add to the table of games: {row}"


def run_snippet(page: str) -> None:
    guide = (ROOT / "docs" / page).read_text(encoding="utf-8")
    snippet = re.search(r"```python\n(.*?)```", guide, re.DOTALL)
    assert snippet
    exec(snippet[1], {"__name__": page})


def test_the_guide_to_adding_a_game_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FAMILIES, "_items", {family.name: family for family in FAMILIES})
    run_snippet("add-a-game.md")
    game = build("corners(size=5)")
    assert game.hypergraph().black_sets == (game.board.cells("a1 c3 e5"),)


def test_the_guide_to_adding_an_encoding_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ENCODINGS, "_items", {entry.name: entry for entry in ENCODINGS})
    run_snippet("add-an-encoding.md")
    won = build("tictactoe(maker_breaker=true, moves=a1 b1 a2 b2 c3 a3 c2 c1)")
    lost = build("tictactoe(maker_breaker=true, moves=a1 b1 a2 a3 b3 b2 c1 c2)")
    for game in (won, lost):
        question = Question(game, Player.BLACK, 1)
        assert evaluate(encode(question, "one").formula) == bool(oracle(game, 1))


def test_the_page_about_strategies_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run_snippet("strategies.md")
    assert capsys.readouterr().out == "Black 7 True\n"


def test_the_snippet_about_proofs_runs() -> None:
    run_snippet("certificates.md")


def test_readmes_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    snippet = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert snippet
    exec(snippet[1], {})
    assert capsys.readouterr().out == "7 ['b2']\n"


def test_every_encoding_is_explained() -> None:
    explained = (ROOT / "docs" / "encodings.md").read_text(encoding="utf-8")
    for entry in ENCODINGS:
        assert re.search(rf"^## .*{re.escape(entry.name)}|\*\*{entry.name}\*\*", explained, re.M)


def transcripts(page: str) -> list[tuple[str, str]]:
    """The blocks of a page that begin with a command, as command and output."""
    guide = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(r"^```\n\$ skolemate (.*)\n([^`]*)^```", guide, re.M)


def run_with(command: str, typed: str) -> str:
    """What a command shows, on both streams, when these lines are typed."""
    done = subprocess.run(
        [sys.executable, "-m", "skolemate", *shlex.split(command)],
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout


def without_trailing_blanks(text: str) -> str:
    return re.sub(r" +$", "", text, flags=re.M)


def test_the_game_in_the_guide_is_played_as_it_says() -> None:
    command, shown = transcripts("play.md")[0]
    typed = re.findall(r"(?:your move|to leave): ?(.*)", shown)
    expected = without_trailing_blanks(shown)
    assert without_trailing_blanks(run_with(command, "\n".join(typed) + "\n")) == expected


def test_the_gtp_session_in_the_guide_goes_as_it_says() -> None:
    command, typed = transcripts("play.md")[1]
    guide = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    answers = re.search(r"answers the last five with\n\n```\n(.*?)\n```", guide, re.DOTALL)
    assert answers
    shown = without_trailing_blanks(run_with(command, typed))
    assert shown == 6 * "=\n\n" + answers[1] + "\n\n"


def test_the_guide_to_playing_has_every_command() -> None:
    guide = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    for usage in PLAY_COMMANDS:
        assert f"`{usage}`" in guide
    listed = Engine(Thinker(reference), reference).answer("list_commands") or ""
    for command in listed.removeprefix("=").split():
        assert re.search(rf"[` ]{command}[` ]", guide), command


def test_the_page_about_the_page_has_every_endpoint_and_key() -> None:
    guide = (ROOT / "docs" / "page.md").read_text(encoding="utf-8")
    for endpoint in ENDPOINTS:
        path, _, last = endpoint.path.rpartition("/")
        exact = f"{endpoint.method} {endpoint.path}`"
        short = f"`…/{last}`" if path.endswith("{strategy}") else exact
        assert exact in guide or short in guide, exact
    for key in re.findall(r"<dt>(.*?)</dt>", (STATIC / "index.html").read_text(encoding="utf-8")):
        for name in key.replace("&nbsp;", " ").split():
            assert f"`{name}`" in guide or name == "?", name


def test_the_python_on_the_page_about_the_page_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    guide = (ROOT / "docs" / "page.md").read_text(encoding="utf-8")
    snippet = re.search(r"```python\n(.*?)```", guide, re.DOTALL)
    assert snippet
    with Server(tmp_path) as server:
        exec(snippet[1].replace("http://127.0.0.1:8351", server.address), {})
    assert capsys.readouterr().out.strip() in snippet[1]


def test_pictures_in_the_guides_are_there() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for picture in re.findall(r"!\[.*?\]\((.*?)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / picture).is_file(), picture
