"""Documentation that cannot go stale: its commands and snippets are run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from skolemate.cli import main
from skolemate.games.family import FAMILIES, build

ROOT = Path(__file__).resolve().parents[1]
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


@pytest.mark.parametrize(("command", "expected"), sessions())
def test_readme_commands_print_what_it_says(
    command: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if command == "make test":
        return  # what is running right now
    if command.startswith("make "):
        command = recipe(command.removeprefix("make "))
    program, *arguments = shlex.split(command)
    assert program == "skolemate"
    main(arguments)
    assert capsys.readouterr().out.strip() == expected.strip()


def test_readme_shows_both_commands() -> None:
    commands = [command for command, _ in sessions()]
    assert commands[:2] == ["make demo", "make test"]
    assert (ROOT / ".ci" / "run").read_text().count("make test") == 1


def test_readme_lists_every_game() -> None:
    for family in FAMILIES:
        row = f"| `{family.examples[0]}` | {family.summary} |"
        assert row in README, f"add to the table of games: {row}"


def test_the_guide_to_adding_a_game_works(monkeypatch: pytest.MonkeyPatch) -> None:
    guide = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    snippet = re.search(r"```python\n(.*?)```", guide, re.DOTALL)
    assert snippet
    monkeypatch.setattr(FAMILIES, "_items", {family.name: family for family in FAMILIES})
    exec(snippet[1], {"__name__": "corners"})
    game = build("corners(size=5)")
    assert game.hypergraph().black_sets == (game.board.cells("a1 c3 e5"),)
