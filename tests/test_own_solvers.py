"""Solvers of the user's own: named in a line, tried, and caught if they lie."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from commands import command_line
from evaluator import evaluate
from fake_solvers import SAY_TRUE, Fakes, fakes, real
from serving import Server, finished
from skolemate.campaigns.runner import open_store
from skolemate.cli import main
from skolemate.errors import UserError
from skolemate.formula import Formula
from skolemate.formula.qdimacs import read_qdimacs
from skolemate.solvers import Pipeline
from skolemate.solvers.pipeline import Reduced
from skolemate.solvers.program import add_foreign
from skolemate.solvers.trial import known_formulas, minimised, tried, truth_of

__all__ = ["fakes"]
Output = pytest.CaptureFixture[str]

SUITE = """
seconds = 20
memory = "1G"
[[runs]]
games = ["hein(4)", "hein(9)"]
depths = [3, 5]
encodings = ["et"]
pipelines = ["depqbf"]
"""


def honest(fakes: Fakes, name: str = "honest", after: str = "") -> str:
    """A script around a real solver."""
    return fakes.shell(f'exec {real("depqbf")} {after} "$1"', name)


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test says about programs is forgotten after it."""
    for name in ("MINE", "LIAR"):
        monkeypatch.setenv(f"SKOLEMATE_{name}", "")


def test_one_flag_is_enough(fakes: Fakes, tmp_path: Path, capsys: Output) -> None:
    own = ["--program", f"mine={honest(fakes)} {{file}}"]
    assert main(["solve", "hein(9)", "-d", "7", "-e", "et", "-p", "mine", *own]) == 10
    assert "Answered by mine on et." in capsys.readouterr().out
    suite, store = tmp_path / "small.toml", str(tmp_path / "s.sqlite")
    suite.write_text(SUITE)
    assert (
        main(["bench", "run", str(suite), "--store", store, "-p", "mine,bloqqer+mine", *own]) == 0
    )
    with open_store(store) as opened:
        rows = opened.rows()
    assert {row.job.pipeline for row in rows} == {"mine", "bloqqer+mine"}
    assert [row.category for row in rows] == ["right"] * 8, "the engine has checked them"
    assert {row.job.known["engine"] for row in rows} == {"WIN", "NO_WIN"}
    # The same rows again: nothing is to do, and what the engine said is kept.
    assert (
        main(["bench", "run", str(suite), "--store", store, "-p", "mine,bloqqer+mine", *own]) == 0
    )
    assert "0 runs to do, 8 rows done before" in capsys.readouterr().err
    with open_store(store) as opened:
        assert [row.category for row in opened.rows()] == ["right"] * 8


def test_one_line_of_configuration_is_enough(fakes: Fakes, tmp_path: Path, capsys: Output) -> None:
    """A table says how the program differs: here its exit codes and its lines."""
    odd = 'if "$REAL" "$1" >/dev/null; [ $? = 10 ]; then echo yes; exit 3; else echo no; exit 4; fi'
    path = fakes.shell(odd.replace("$REAL", real("depqbf")), "odd")
    conventions = 'exit_codes = [3, 4], answers = ["yes", "no"]'
    line = f'lined = {{command = "{path} {{file}}", {conventions}}}'
    file = tmp_path / "skolemate" / "config.toml"
    file.parent.mkdir()
    file.write_text(f"[programs]\n{line}\n", encoding="utf-8")
    environment = os.environ | {"XDG_CONFIG_HOME": str(tmp_path)}
    for command, code, said in (
        (["solve", "hein(9)", "-d", "5", "-e", "et", "-p", "lined"], 20, "Answered by lined on et"),
        (["solvers", "lined"], 0, "works"),
    ):
        done = subprocess.run(
            command_line(*command), env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (code, "")
        assert said in done.stdout
    suite, store = tmp_path / "small.toml", str(tmp_path / "s.sqlite")
    suite.write_text(SUITE)
    run = command_line("bench", "run", str(suite), "--store", store, "-p", "lined")
    subprocess.run(run, env=environment, capture_output=True, check=True)
    with open_store(store) as opened:
        assert [row.category for row in opened.rows()] == ["right"] * 4


def test_the_page_takes_one(fakes: Fakes, tmp_path: Path) -> None:
    own = f"mine={honest(fakes)} {{file}}"
    with Server(tmp_path, "--program", own) as server, server.client() as client:
        assert "mine" in [entry["name"] for entry in client.get("/api/solvers").json()]
        asked = {
            "game": "hein(9)",
            "player": "black",
            "depth": 7,
            "encoding": "et",
            "pipeline": "mine",
            "engine": "qbf",
        }
        run = finished(client, client.post("/api/solve", json=asked).json())
    answer = run["result"]["answer"]
    assert (answer["verdict"], answer["pipeline"]) == ("WIN", "mine"), run


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mine={command = 3}", "command is a text, not '3'"),
        ("mine={comand = 'x'}", "did you mean command"),
        ("mine={command = 'true', exit_codes = [1]}", "exit_codes is two numbers"),
        ("mine={command = 'true', format = 'aiger'}", "format is qdimacs or qcir"),
        ("mine={command = }", "mine: "),
        ("mine={outer = 'x'}", "a program needs a command"),
        ("my-own=true", "a name has letters, digits and _"),
        ("caqe={command = 'true', exit_codes = [0, 1]}", "caqe is already known"),
    ],
)
def test_wrong_settings_are_told(text: str, message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        add_foreign(text)


# --- trying ---------------------------------------------------------------------------------------


def test_the_known_formulas_are_what_they_are_said_to_be() -> None:
    formulas = list(known_formulas())
    small = formulas[:-2]
    assert [truth for _, truth in small].count(True) == len(small) / 2 >= 20
    for formula, truth in small:
        assert truth_of(formula) is evaluate(formula) is truth
        assert Reduced.of(formula).truth is None, "it would not reach a solver"
    for formula, truth in formulas[-2:]:
        assert Pipeline.parse("caqe").solve(formula).truth is truth


LIARS = {
    "always true": SAY_TRUE,
    "always false": "echo 's cnf 0'; exit 20",
    "turned round": '$REAL "$1" >/dev/null; '
    "if [ $? = 10 ]; then echo 's cnf 0'; exit 20; else echo 's cnf 1'; exit 10; fi",
    "wrong with an outermost forall": 'grep -q "^e" "$1" && '
    '[ "$(grep -m1 "^[ae]" "$1" | cut -c1)" = a ] && { echo "s cnf 1"; exit 10; }; exec $REAL "$1"',
}


@pytest.mark.parametrize("script", LIARS.values(), ids=LIARS.keys())
def test_a_liar_is_found_with_a_small_formula(fakes: Fakes, script: str, capsys: Output) -> None:
    path = fakes.shell(script.replace("$REAL", real("depqbf")), "liar")
    assert main(["solvers", "liar", "--try", "--json", "--program", f"liar={path}"]) == 1
    [found] = json.loads(capsys.readouterr().out)
    assert (found["name"], found["status"]) == ("liar", "WRONG")
    formula = read_qdimacs(found["formula"])
    answer = Pipeline.parse("liar").solve(formula).truth
    assert answer is (not evaluate(formula)), "what is shown is wrong indeed"
    assert formula.sizes.clauses <= 4


def test_other_failures_are_told_apart(fakes: Fakes, capsys: Output) -> None:
    silent = tried(add_foreign(f"mine={fakes.shell('exit 10')}"))
    assert (silent.status, silent.right, silent.formula) == ("fails", 0, None)
    assert "its exit code is 10, but its text says: nothing clear" in str(silent.trouble)
    right = tried(add_foreign(f"mine={honest(fakes)}"))
    assert (right.status, right.right, right.trouble) == ("right", right.asked, None)
    assert main(["solvers", "mine", "--try", "--program", f"mine={honest(fakes)}"]) == 0
    assert "42/42" in capsys.readouterr().out


def test_minimising_keeps_what_is_wrong() -> None:
    """The smallest formula that has the clause (1, -2) is that clause."""
    clauses = [[1, -2], [2, 3], [-1, 3, 4], [-3, -4], [1, 4]]
    formula = Formula.of([("e", [1]), ("a", [2]), ("e", [3, 4])], clauses)
    asked = []

    def has_it(candidate: Formula) -> bool:
        asked.append(candidate)
        return [1, -2] in [clause.tolist() for clause in candidate.clauses()]

    small = minimised(formula, has_it)
    assert [clause.tolist() for clause in small.clauses()] == [[1, -2]]
    assert len(small.prefix) == 2
    assert minimised(formula, lambda candidate: False).sizes == formula.sizes


def test_a_campaign_catches_a_liar(fakes: Fakes, tmp_path: Path, capsys: Output) -> None:
    suite, store = tmp_path / "small.toml", str(tmp_path / "s.sqlite")
    suite.write_text(SUITE)
    own = ["--program", f"liar={fakes.shell(SAY_TRUE, 'liar')}"]
    run = ["bench", "run", str(suite), "--store", store, "-p", "bloqqer+liar,liar,depqbf", *own]
    assert main(run) == 1
    told = capsys.readouterr().err
    assert "WRONG ANSWER: hein(4), d=3 [et · liar]: WIN; known is engine NO_WIN" in told
    file = Path(f"{store}.wrong", "liar.qdimacs")
    assert f"WRONG ANSWER: liar is wrong: {file} is a formula to report" in told
    formula = read_qdimacs(file.read_bytes())
    assert evaluate(formula) is False
    assert formula.sizes.clauses <= 4
    with open_store(store) as opened:
        categories = {(row.job.pipeline, row.category) for row in opened.rows()}
    assert ("depqbf", "right") in categories
    assert ("liar", "wrong") in categories
    assert not {c for p, c in categories if p == "depqbf"} - {"right"}
