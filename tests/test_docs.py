"""Documentation that cannot go stale: its commands and snippets are run."""

from __future__ import annotations

import ast
import json
import re
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

import site_reference as reference
import skolemate
from evaluator import evaluate
from pictures_of_encodings import FOLDER, PICTURES, file_name
from serving import Server
from skolemate.api import Analyst, oracle
from skolemate.ask.search import reference as oracle_method
from skolemate.campaigns.suite import shipped_suites
from skolemate.cli import COMMANDS
from skolemate.encodings import ENCODINGS, encode
from skolemate.formats import DIALECTS, SUFFIXES
from skolemate.formats.pg import SECTIONS
from skolemate.games import Player
from skolemate.games.families import models
from skolemate.games.family import FAMILIES, build
from skolemate.games.game import Question
from skolemate.limits import Reason
from skolemate.play.gtp import GtpEngine
from skolemate.play.match import Thinker
from skolemate.play.session import COMMANDS as PLAY_COMMANDS
from skolemate.play.web.handlers import ENDPOINTS
from skolemate.solvers.program import PROGRAMS
from snippets import ROOT, Reader, blocks, matches, pages, sessions

STATIC = ROOT / "src" / "skolemate" / "play" / "web" / "static"
README = (ROOT / "README.md").read_text(encoding="utf-8")


# Needs a server of its own; see below.
SERVED = ROOT / "docs" / "page.md"
LANGUAGES = {"console", "python", "output", "text", "toml", "json"}


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture
def reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Reader:
    """In a folder of its own, with registries that forget what a page adds."""
    monkeypatch.chdir(tmp_path)
    for registry in (FAMILIES, ENCODINGS, PROGRAMS):
        monkeypatch.setattr(registry, "_items", {item.name: item for item in registry})
    return Reader(tmp_path, capsys)


@pytest.mark.parametrize("page", [page for page in pages() if page != SERVED], ids=named)
def test_what_a_page_shows_is_so(
    page: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    if page.name == "add-a-game.md":  # its model lies where the shipped ones are
        (reader.folder / "models").symlink_to(reader.folder)
        monkeypatch.setattr(models, "files", lambda package: reader.folder)
    reader.follow(page)


@pytest.mark.parametrize("page", pages(), ids=named)
def test_blocks_say_what_they_are(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    found = list(blocks(page))
    assert 2 * len(found) == len(re.findall(r"^ *```", text, re.M))
    for block in found:
        assert block.language in LANGUAGES, block
        if block.language != "console":
            assert not re.search(r"^(\$ |skolemate )", block.text, re.M), block


def test_readme_shows_both_commands() -> None:
    shown = (b.text for b in blocks(ROOT / "README.md") if b.language == "console")
    commands = [command for text in shown for command, _ in sessions(text)]
    assert [c for c in commands if c.startswith("make ")] == ["make demo", "make test"]
    assert (ROOT / ".ci" / "run").read_text().count("make test") == 1


def test_the_guide_to_adding_an_encoding_is_right(reader: Reader) -> None:
    reader.follow(ROOT / "docs" / "add-an-encoding.md")
    won = build("tictactoe(maker_breaker=true, moves=a1 b1 a2 b2 c2 c1 b3 c3)")
    lost = build("tictactoe(maker_breaker=true, moves=a1 b1 a2 a3 b3 b2 c1 c2)")
    for game, wins in ((won, True), (lost, False)):
        question = Question(game, Player.BLACK, 1)
        assert evaluate(encode(question, "one").formula) == bool(oracle(game, 1)) == wins


def test_every_encoding_is_explained() -> None:
    overview = (ROOT / "docs" / "encodings.md").read_text(encoding="utf-8")
    page_of = {name: page for page, names in reference.EXPLAINED.items() for name in names}
    for entry in ENCODINGS:
        assert f"**{entry.name}**" in overview
        path = ROOT / "docs" / "encodings" / f"{page_of[entry.name]}.md"
        page = path.read_text(encoding="utf-8")
        assert f"](encodings/{path.name})" in overview
        assert f"../pictures/{file_name(entry.name)}" in page
        in_a_table = rf"\$ skolemate stats [^`]*^{re.escape(entry.name)} "
        assert re.search(in_a_table, page, re.M), entry.name
        for section in ("## The formula", "## Size", "## Against the paper", "## Paper"):
            assert f"\n{section}" in page, (entry.name, section)


@pytest.mark.parametrize("name", PICTURES)
def test_drawn_examples_are_up_to_date(name: str) -> None:
    drawn = (FOLDER / file_name(name)).read_text(encoding="utf-8")
    assert drawn == PICTURES[name]() + "\n", "draw them again: make pictures"


def test_every_encoding_has_a_drawn_example() -> None:
    assert set(PICTURES) == {entry.name for entry in ENCODINGS}


def test_the_reference_has_everything() -> None:
    made = reference.pages()
    for page, names in {
        "games": [f"## {family.name}\n" for family in FAMILIES],
        "encodings": [f"## {entry.name}\n" for entry in ENCODINGS],
        "solvers": [f"| `{program.name}` |" for program in PROGRAMS],
        "suites": [f"| `{name}` |" for name in shipped_suites()],
        "commands": [f"usage: skolemate {name} " for name in COMMANDS],
        "python": [
            *(f".{name}\n" for name in skolemate.__all__ if name != "__version__"),
            *(f".{name}\n" for name in ("PositionalGame", "Sets", "Builder", "Splitting")),
        ],
    }.items():
        for name in names:
            assert name in made[f"reference/{page}.md"], name


def test_the_page_about_files_has_every_section_key_and_reason() -> None:
    page = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
    for word in (*SECTIONS, *SUFFIXES, *DIALECTS, *oracle("hein(4)").as_json()):
        assert f"`{word}`" in page, word
    for reason in Reason:
        assert f"`{reason.value}`" in page, reason


def test_links_between_pages_lead_somewhere() -> None:
    for page in pages():
        text = page.read_text(encoding="utf-8")
        for link in re.findall(r"(?<!!)\[[^]]*\]\(([^)#]+)[^)]*\)", text):
            if not link.startswith("https://"):
                assert (page.parent / link).is_file(), (page, link)


def test_the_architecture_lists_every_module_as_it_describes_itself() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    source = ROOT / "src" / "skolemate"
    for file in source.rglob("*.py"):
        if file.name not in ("__init__.py", "__main__.py"):
            described = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
            sentences = described.split("\n\n")[0].replace("\n", " ")
            name = file.relative_to(source).with_suffix("")
            assert f"| `{name}` | {sentences} |" in page, name


def test_the_architecture_names_files_that_are_there() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    source = ROOT / "src"
    rooms = (source / "skolemate", source / "skolemate" / "encodings", source / "engine", ROOT)
    named_files = re.findall(r"`([a-z_/]+\.(?:py|hpp))`", page)
    assert len(named_files) > 20
    for file in named_files:
        assert any((room / file).is_file() for room in rooms), file
    for room in (source / "skolemate").glob("*/__init__.py"):
        assert re.search(rf"\b{room.parent.name}\b", page), room.parent.name


def test_notebooks_come_without_output() -> None:
    notebooks = sorted((ROOT / "notebooks").glob("*.ipynb"))
    assert len(notebooks) == 2
    for notebook in notebooks:
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                assert cell["outputs"] == []
                assert cell["execution_count"] is None


def test_the_guide_to_playing_has_every_command() -> None:
    guide = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    for usage in PLAY_COMMANDS:
        assert f"`{usage}`" in guide
    analyst = Analyst(oracle_method)
    listed = GtpEngine(Thinker(analyst), analyst).answer("list_commands") or ""
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
    shown = {block.language: block.text for block in blocks(SERVED)}
    with Server(tmp_path) as server:
        exec(shown["python"].replace("http://127.0.0.1:8351", server.address), {})
    assert matches(shown["output"], capsys.readouterr().out)


def test_pictures_in_the_guides_are_there() -> None:
    for page in pages():
        for picture in re.findall(r"!\[.*?\]\((.*?)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / picture).is_file(), picture


def test_public_names_mean_one_thing() -> None:
    """A module of the same name would take a function's place as soon as it is imported."""
    for name in skolemate.__all__:
        assert find_spec(f"skolemate.{name}") is None, name
        assert not isinstance(getattr(skolemate, name), ModuleType), name
