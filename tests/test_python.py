"""The Python door: types for every tool, mistakes in words of Python, one choice of methods."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import skolemate
from skolemate.ask.how import How
from skolemate.ask.qbf import Qbf
from skolemate.campaigns import job as jobs
from skolemate.campaigns.row import Job
from skolemate.cli import main, play
from skolemate.errors import UserError
from skolemate.games import Question
from skolemate.limits import Budget
from skolemate.play.web import handlers

ROOT = Path(__file__).resolve().parents[1]

SCRIPT = """
import skolemate

game: skolemate.Game = skolemate.load("hein(9)")
answer: skolemate.Answer = skolemate.solve(game, 7, encoding=["et", "en"], timeout=60)
question = skolemate.Question(game, skolemate.Player.BLACK, 7)
if answer.verdict is skolemate.Verdict.WIN:
    print(skolemate.text(game.start), answer.critical_depth, question)
    skolemate.prove(answer, "hein9.jsonl")
    print(skolemate.check("hein9.jsonl").holds, skolemate.__version__)
"""


def test_type_checkers_know_every_export(tmp_path: Path) -> None:
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(SCRIPT)
    wrong.write_text(SCRIPT.replace("critical_depth", "critcal_depth").replace("load(", "laod("))
    command = [sys.executable, "-m", "mypy", "--strict", str(right), str(wrong)]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    said = checked.stdout
    assert 'Module has no attribute "laod"' in said
    assert '"Answer" has no attribute "critcal_depth"; maybe "critical_depth"?' in said
    assert "right.py" not in said


def test_the_names_for_type_checkers_are_those_at_run_time() -> None:
    assert sorted([*skolemate._HOMES, "__version__"]) == sorted(skolemate.__all__)
    assert all(getattr(skolemate, name) is not None for name in skolemate.__all__)


def test_importing_it_loads_nothing() -> None:
    code = "import sys, skolemate; print([m for m in sys.modules if 'skolemate' in m])"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = [name for name in eval(ended.stdout) if not name.startswith("_")]
    assert modules == ["skolemate"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: skolemate.solve(9), "a game is a name, a file or a Game, not 9"),  # type: ignore[arg-type]
        (
            lambda: skolemate.solve("hein(9)", engine="foo"),  # type: ignore[arg-type]
            "there is no engine 'foo': choose one of auto, both, qbf, reference, search",
        ),
        (lambda: skolemate.solve("hein(9)", jobs=-1), "jobs is a number from 1 up, not -1"),
        (
            lambda: skolemate.solve("hein(9)", split="2"),  # type: ignore[arg-type]
            "split is a number from 1 up, not '2'",
        ),
        (
            lambda: skolemate.solve("hein(9)", timeout="x"),  # type: ignore[arg-type]
            "timeout is a number of seconds, not 'x'",
        ),
        (
            lambda: skolemate.solve("hein(9)", memory=-1),
            "memory is a number of bytes, or a text such as '4G', not -1",
        ),
        (lambda: skolemate.solve("hein(9)", memory="much"), "'much' is not a size"),
        (
            lambda: skolemate.solve("hein(9)", max_depth="7"),  # type: ignore[arg-type]
            "a maximal depth is a number of plies, not '7'",
        ),
        (
            lambda: skolemate.solve("hein(9)", encoding=7),  # type: ignore[arg-type]
            "encoding is a name or a list of names, not 7",
        ),
        (
            lambda: skolemate.solve("hein(9)", pipeline=["depqbf", 7]),  # type: ignore[list-item]
            "pipeline is a name or a list of names",
        ),
        (
            lambda: skolemate.encode("hein(9)", 7, encoding=None),  # type: ignore[arg-type]
            "encoding is a name, not None",
        ),
        (lambda: skolemate.encode("hein(9)", encoding="et"), "states no depth: give one"),
        (lambda: skolemate.load(Path("nowhere.pg")), "cannot read 'nowhere.pg'"),
        (
            lambda: skolemate.load("hein(9)").start.play(1.0),  # type: ignore[arg-type]
            "a move is a name or a number, not 1.0",
        ),
        (
            lambda: skolemate.load("hein(9)").after([None]).start,  # type: ignore[list-item]
            "a move is a name or a number, not None",
        ),
        (
            lambda: skolemate.solve("hein(9)", strategy=Path("-")),
            "a strategy cannot be written to standard output",
        ),
        (
            lambda: skolemate.prove(skolemate.solve("hein(4)"), "x", encoding="cor+/pairing"),
            "a strategy can be extracted with one encoding",
        ),
        (
            lambda: skolemate.solve("hein(4)", engine="reference", verify=True),  # type: ignore[arg-type]
            "leave out verify",
        ),
    ],
)
def test_mistakes_are_told_in_words_of_python(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)) as error:
        call()
    assert not re.search(r"(^|\s)--?[a-z]", str(error.value)), "options are for the command line"


def test_a_formula_that_was_answered_is_not_asked_again_for_the_strategy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int]] = []
    answer = Qbf.__call__

    def noted(self: Qbf, question: Question, budget: Budget | None = None) -> skolemate.Answer:
        asked.append((str(question.game), question.depth))
        return answer(self, question, budget)

    monkeypatch.setattr(Qbf, "__call__", noted)
    skolemate.solve("hein(9)", 7, encoding="et", strategy=tmp_path / "hein9.jsonl")
    assert len(asked) > 5
    assert len(set(asked)) == len(asked)
    assert asked[0] == ("hein(9)", 7)
    assert max(depth for _, depth in asked[1:]) == 5


def test_what_people_write_in_python_works(tmp_path: Path) -> None:
    file, strategy = tmp_path / "hein9.pg", tmp_path / "hein9.jsonl"
    skolemate.write_game(skolemate.load("hein(9)"), file)
    assert skolemate.load(file) == skolemate.read_game(file)
    assert skolemate.solve(file, "auto", memory="4G", strategy=strategy).critical_depth == 7
    assert skolemate.check(strategy, file).holds
    for encodings in ("et,en", ["et", "en"], ("ET", " en")):
        assert skolemate.solve("hein(9)", 7, encoding=encodings).encoding in ("et", "en")
        listed = skolemate.stats("hein(9)", 7, encoding=encodings)
        assert [row["encoding"] for row in listed] == ["et", "en"]


# --- one chooser ----------------------------------------------------------------------------------

CHOICES = [
    ("auto", None, None),
    ("auto", "cor+", None),
    ("auto", "COR+,gr", "depqbf,bloqqer+caqe"),
    ("qbf", None, "depqbf"),
    ("both", "gr", None),
    ("search", None, None),
]


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[How]:
    """Every choice that is read, before anything is done about it."""
    seen: list[How] = []
    parse = How.parse.__func__  # type: ignore[attr-defined]

    def noted(cls: type[How], *words: Any, **others: Any) -> How:
        seen.append(parse(cls, *words, **others))
        return seen[-1]

    monkeypatch.setattr(How, "parse", classmethod(noted))
    return seen


@pytest.mark.parametrize("choice", CHOICES)
def test_all_doors_read_a_choice_alike(parsed: list[How], choice: tuple[Any, ...]) -> None:
    engine, encoding, pipeline = choice
    expected = How.parse(engine, encoding, pipeline)
    parsed.clear()
    skolemate.solve("tictactoe", 1, engine=engine, encoding=encoding, pipeline=pipeline)
    words = ["--engine", engine]
    words += [] if encoding is None else ["-e", encoding]
    words += [] if pipeline is None else ["-p", pipeline]
    assert main(["solve", "tictactoe", "-d", "1", *words]) == 20
    assert main(["value", "tictactoe", "--max-depth", "1", *words]) == 30
    for command in ("play", "gtp"):
        parser = argparse.ArgumentParser()
        getattr(play, f"configure_{command}")(parser)
        game = ["tictactoe"] if command == "play" else []
        play.how_of(parser.parse_args([*game, *words]))
    handlers._how(engine, encoding, pipeline)
    assert [replaced_jobs(how) for how in parsed] == [expected] * 6
    parsed.clear()
    if engine in ("search", "qbf") and "," not in f"{encoding}{pipeline}":
        means = (engine, encoding, pipeline, False)
        job = Job("suite", 1, "solve", "tictactoe", None, "black", 1, *means, 10.0, 1 << 30)
        assert replaced_jobs(jobs._how(job)) == expected


def test_encodings_in_turn_are_for_solving_alone() -> None:
    how = How.parse(encoding="cor+/pairing")
    with pytest.raises(UserError, match="they are for solve alone"):
        how.method()
    with pytest.raises(UserError, match="not in turn"):
        handlers._how("auto", "cor+/pairing", None)


def replaced_jobs(how: How) -> How:
    """Without the number of workers, which each door may choose for itself."""
    return How(**{**vars(how), "jobs": None})
