"""`solve` and `solvers` as a user calls them, with good programs and bad ones."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path
from threading import Event

import pytest

import skolemate
from commands import command_line
from fake_solvers import HANG, SAY_FALSE, SAY_TRUE, Fakes, real
from skolemate.cli import main
from skolemate.formula.qdimacs import read_qdimacs
from skolemate.limits import Reason
from skolemate.solvers import PROGRAMS, pipeline
from waiting import eventually

Output = pytest.CaptureFixture[str]

# Answers as DepQBF does, and then does something to its assignment.
TRUTHFUL = f'said=$({real("depqbf")} --qdo --no-dynamic-nenofex $1); code=$?; echo "$said"'
SCRAMBLED = {
    "turned round": "sed -e 's/^V -/V +/;t' -e 's/^V /V -/'",
    "all true": "sed 's/^V -/V /'",
    "all false": "sed 's/^V \\([0-9]\\)/V -\\1/'",
    "left out": "grep -v V",
    "of other variables": "sed 's/^V -*/V 7/'",
}
# The number of the call, from 1.
COUNT = "echo >> $FOLDER/calls; call=$(wc -l < $FOLDER/calls)"


def solve(*arguments: str, program: str | None = None) -> int:
    own = ["-p", "qesto", "--program", f"qesto={program}"]
    chosen = ["--engine", "qbf"] if program is None else own
    return main(["solve", *arguments, *chosen])


# --- solve --------------------------------------------------------------------------------------


def test_hein_9_is_solved_with_its_move(capsys: Output) -> None:
    assert solve("hein(9)", "-d", "7") == 10
    shown = capsys.readouterr()
    assert shown.out.startswith("hein(9): Black wins within 7 plies.\n")
    assert "first move: " in shown.out
    assert "Answered by simplify+caqe on mustplay." in shown.out
    assert shown.err == ""
    assert solve("hein(9)", "-d", "5") == 20


@pytest.mark.parametrize("game", ["hein(9)", "hex(size=3)", "tictactoe(moves=b2 a2)"])
def test_all_moves_are_the_oracles(capsys: Output, game: str) -> None:
    main(["oracle", game, "--json"])
    expected = json.loads(capsys.readouterr().out)
    depth = str(expected["critical_depth"])
    assert solve(game, "-d", depth, "--all-moves", "--json") == 10
    found = json.loads(capsys.readouterr().out)
    assert found.keys() == expected.keys()
    assert sorted(found["first_moves"]) == sorted(expected["first_moves"])
    assert found["first_moves_complete"] is True
    assert found["method"] == "qbf"
    assert found["cpu_seconds"] > 0
    assert found["peak_bytes"] is None or found["peak_bytes"] > 0


def test_all_moves_are_those_within_the_depth_and_it_is_told_how_to_have_the_others(
    capsys: Output,
) -> None:
    soon = "Winning first move within 5 plies: b2. Others may win later: -d 9 finds them.\n"
    every = "Winning first moves at any depth: a2, a3, b2, c1, c2.\n"
    for command in (["oracle"], ["solve", "--all-moves"], ["solve", "--all-moves", "-e", "et"]):
        assert main([*command, "hex(size=3)"]) == 10
        assert soon in capsys.readouterr().out
        assert main([*command, "hex(size=3)", "-d", "9"]) == 10
        assert every in capsys.readouterr().out


def test_auto_finds_the_critical_depth(capsys: Output) -> None:
    assert solve("hein(9)", "-d", "auto", "--json") == 10
    assert json.loads(capsys.readouterr().out)["critical_depth"] == 7
    assert solve("tictactoe", "--json") == 20
    assert json.loads(capsys.readouterr().out)["every_depth"] is True


def test_what_is_proved_is_told_when_a_solver_hangs(fakes: Fakes, capsys: Output) -> None:
    fake = fakes.shell(f"{COUNT}; [ $call = 1 ] || {HANG}; {TRUTHFUL}; exit $code")
    arguments = ["hein(9)", "-d", "auto", "-e", "cor+", "--timeout", "2"]
    assert solve(*arguments, program=fake) == 30
    shown = capsys.readouterr().out
    assert "not known whether Black wins (time); proved: no win within 6 plies" in shown


@pytest.mark.parametrize(
    ("script", "reason", "note"),
    [
        ("kill -SEGV $$", "solver_error", "qesto failed: it was ended by signal SIGSEGV"),
        ("echo SAT", "solver_error", "qesto failed: it ended with exit code 0: SAT"),
        ("exec yes", "solver_error", "qesto failed: it wrote more than 64 MB"),
        (HANG, "time", None),
        ("echo 'out of memory'; exit 1", "memory", None),
    ],
)
def test_a_failure_is_unknown_with_its_reason(
    fakes: Fakes, capsys: Output, script: str, reason: str, note: str | None
) -> None:
    limits = ["--timeout", "5" if script != HANG else "1", "--memory", "1G"]
    assert solve("hein(9)", "-d", "7", "--json", *limits, program=fakes.shell(script)) == 30
    answer = json.loads(capsys.readouterr().out)
    assert (answer["verdict"], answer["reason"], answer["detail"]) == ("UNKNOWN", reason, note)


@pytest.mark.parametrize("scramble", SCRAMBLED.values(), ids=SCRAMBLED)
@pytest.mark.parametrize("game", ["hein(9)", "tictactoe(moves=b2 a2)", "hex(size=3)"])
def test_a_wrong_assignment_never_gives_a_wrong_move(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, game: str, scramble: str
) -> None:
    fake = fakes.shell(f"{TRUTHFUL} | {scramble}; exit $code")
    expected = skolemate.oracle(game)
    assert expected.first_moves is not None
    monkeypatch.setenv("SKOLEMATE_QESTO", fake)
    answer = skolemate.solve(game, expected.depth, pipeline="qesto")
    assert answer.verdict is expected.verdict
    assert answer.first_moves is not None
    assert set(answer.first_moves) <= set(expected.first_moves)


def test_a_move_that_could_not_be_asked_about_is_not_shown(fakes: Fakes, capsys: Output) -> None:
    fake = fakes.shell(f"{COUNT}; [ $call = 1 ] || kill -SEGV $$; {SAY_TRUE}")
    assert solve("tictactoe(moves=b2 a2)", "-d", "5", "-e", "cor+", program=fake) == 10
    shown = capsys.readouterr()
    assert "first move" not in shown.out
    assert "Note: not all first moves could be asked about: qesto failed: " in shown.err


def test_a_contradiction_is_told_loudly_and_keeps_its_evidence(
    fakes: Fakes, capsys: Output
) -> None:
    """True, and yet after every first move false: somebody is wrong."""
    fake = fakes.shell(f"{COUNT}; [ $call = 1 ] && {{ {SAY_TRUE}; }}; {SAY_FALSE}")
    assert solve("tictactoe", "-d", "5", "-e", "cor+", program=fake) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "TWO ANSWERS DISAGREE: qesto finds cor+ true for can Black force a win" in shown.err
    [evidence] = fakes.temporary.iterdir()
    assert str(evidence) in shown.err
    formula = read_qdimacs((evidence / "question.qdimacs").read_bytes())
    assert formula.clause_count > 0
    shutil.rmtree(evidence)


def test_what_a_liar_can_and_cannot_hide(fakes: Fakes, capsys: Output) -> None:
    """Who says true to everything contradicts nothing, except where no solver is needed."""
    fake = fakes.shell(SAY_TRUE)
    assert solve("tictactoe", "-d", "5", "-e", "cor+", program=fake) == 10
    assert solve("tictactoe", "-d", "4", "-e", "cor+", program=fake) == 20
    assert solve("tictactoe(moves=b2 a2)", "-e", "cor+", "--json", program=fake) == 10
    assert '"critical_depth": 3' in capsys.readouterr().out


# --- interruptions ------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_leaves_nothing_and_tells_what_is_proved(
    fakes: Fakes, number: signal.Signals
) -> None:
    program = f"qesto={fakes.shell(HANG)}"
    arguments = command_line("solve", "hein(9)", "-p", "qesto", "--program", program)
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as ours:
        assert eventually(fakes.resting)
        ours.send_signal(number)
        assert ours.wait(20) == 130
        assert ours.stdout is not None
        assert "not known whether Black wins (cancelled); proved: no win" in ours.stdout.read()


def test_a_solver_does_not_survive_the_death_of_skolemate(fakes: Fakes) -> None:
    program = f"qesto={fakes.shell(f'exec {HANG}')}"
    arguments = command_line("solve", "hein(9)", "-p", "qesto", "--program", program)
    with subprocess.Popen(arguments) as ours:
        assert eventually(fakes.resting)
        ours.kill()
    assert eventually(lambda: not fakes.processes())
    [left] = fakes.temporary.iterdir()  # the formula: nobody was there to remove it
    with subprocess.Popen(arguments) as ours:  # the next one does, and keeps its own
        assert eventually(fakes.resting)
        [formula] = fakes.temporary.iterdir()
        assert formula != left
        ours.send_signal(signal.SIGINT)


def test_a_call_can_be_cancelled_from_python(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKOLEMATE_QESTO", fakes.shell(HANG))
    cancel = Event()
    cancel.set()
    answer = skolemate.solve("hein(9)", 7, pipeline="qesto", cancel=cancel)
    assert answer.reason is Reason.CANCELLED


# --- programs on the command line ---------------------------------------------------------------


def test_a_program_of_ones_own(fakes: Fakes) -> None:
    script = f'[ "$1" = --flag ] && [ "$3" = end ] || exit 1; shift; {TRUTHFUL}; exit $code'
    own = f"My_own={fakes.shell(script)} --flag {{file}} end"
    arguments = ["solve", "hein(9)", "-d", "7", "-p", "bloqqer+my_own", "--program", own]
    done = subprocess.run(command_line(*arguments), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (10, "")
    assert "Answered by bloqqer+my_own on " in done.stdout


def answered_by(capsys: Output, *arguments: str) -> str:
    main(["solve", *arguments])
    return next(x for x in capsys.readouterr().out.splitlines() if x.startswith("Answered by"))


def test_only_the_programs_that_have_answered_are_named(fakes: Fakes, capsys: Output) -> None:
    hein = ("hein(9)", "-d", "5", "-e", "et", "-p", "qratpre+caqe", "--program")
    failing = f"qratpre={fakes.shell('exit 3', 'failing')}"
    assert answered_by(capsys, *hein, failing) == "Answered by caqe on et."
    deciding = f"qratpre={fakes.shell(SAY_FALSE, 'deciding')}"
    assert answered_by(capsys, *hein, deciding) == "Answered by qratpre on et."
    copying = f"qratpre={fakes.shell('cat $3', 'copying')}"
    assert answered_by(capsys, *hein, copying) == "Answered by qratpre+caqe on et."
    short = ("hein(9)", "-d", "1", "-e", "et", "-p", "qratpre+caqe")
    assert answered_by(capsys, *short) == "Answered by et alone."
    main(["solve", *hein, failing, "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert (answer["pipeline"], answer["encoding"]) == ("caqe", "et")
    assert answer["detail"] == "qratpre was left out: it ended with exit code 3"


def test_an_option_comes_before_the_environment(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKOLEMATE_QESTO", "/nowhere/qesto")
    assert solve("tictactoe", "-d", "5", program=fakes.shell(SAY_FALSE)) == 20


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("/bin/true", "write a program as name=command"),
        ("=/bin/true", "write a program as name=command"),
        ("my=", "write a program as name=command"),
        ("my own=/bin/true", "write a program as name=command"),
        ("a+b=/bin/true", "write a program as name=command"),
        ("my:aiger=/bin/true {file}", "reads qdimacs or qcir, not 'aiger'"),
        ("my='/bin/true", "No closing quotation"),
        ("my=/nowhere/my {file}", "'/nowhere/my' is not a program that can be run"),
        ("my=no-such-program-xyz", "'no-such-program-xyz' is not a program that can be run"),
        ("my=/tmp {file}", "'/tmp' is not a program that can be run"),
        ("depqbf=/nowhere/depqbf", "'/nowhere/depqbf' is not a program that can be run"),
        ("depqbf='/bin/true --flag", "No closing quotation"),
        ("caqe:qcir=/bin/true", "caqe is already known: give its path and options"),
    ],
)
def test_wrong_templates_are_usage_errors(capsys: Output, text: str, message: str) -> None:
    assert main(["solve", "tictactoe", "-d", "3", "--program", text]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("pipeline", "message"),
    [
        ("bloqqer", "ends with a preprocessor"),
        ("caqe+bloqqer", "caqe must come last"),
        ("", "unknown solver ''"),
        ("qesto", "qesto is not installed: build it"),
        ("cage", "unknown solver 'cage': did you mean caqe?"),
    ],
)
def test_wrong_pipelines_are_usage_errors(
    fakes: Fakes, capsys: Output, pipeline: str, message: str
) -> None:
    assert solve("hein(9)", "-d", "7", "-p", pipeline) == 2
    assert message in capsys.readouterr().err


def test_a_broken_configuration_is_a_usage_error(fakes: Fakes, capsys: Output) -> None:
    file = Path(os.environ["XDG_CONFIG_HOME"], "skolemate", "config.toml")
    file.parent.mkdir(parents=True)
    file.write_text("[programs\n", encoding="utf-8")
    for arguments in (["solve", "hein(9)", "-d", "7", "-p", "caqe"], ["solvers"]):
        assert main(arguments) == 2
        assert capsys.readouterr().err.startswith(f"skolemate: {file}: Expected ']'")


# --- solvers ------------------------------------------------------------------------------------

BROKEN = {
    "caqe": ("kill -SEGV $$", "it was ended by signal SIGSEGV"),
    "depqbf": (f'[ "$1" != --version ] || {HANG}; echo hello', "it ended with exit code 0: hello"),
    "qfun": (HANG, "it did not end within 0.5 seconds"),
    "qute": (SAY_TRUE, "it says true of a formula that is false"),
    "rareqs": (SAY_FALSE, "it says false of a formula that is true"),
    "hqspre": ("exit 3", "it ended with exit code 3"),
    "qratpre": (SAY_FALSE, "it says false of a formula that is true"),
    "bloqqer": ("exit 3", "it ended with exit code 1: OSError: "),
    "qesto": ("kill -40 $$", "it was ended by signal 40"),
}


def test_broken_programs_do_not_break_the_listing(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    for name, (script, _) in BROKEN.items():
        monkeypatch.setenv(PROGRAMS[name].variable, fakes.shell(script, name))
    monkeypatch.setenv("SKOLEMATE_GHOSTQ", str(fakes.folder))
    monkeypatch.setattr(pipeline, "SECONDS", 0.5)
    monkeypatch.setattr("skolemate.solvers.program.VERSION_SECONDS", 0.5)
    assert main(["solvers", "--json"]) == 0
    listed = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert listed.keys() == {program.name for program in PROGRAMS}
    for name, (_, detail) in BROKEN.items():
        assert listed[name]["status"] == "broken", listed[name]
        assert detail in listed[name]["detail"]
        assert listed[name]["path"] == str(fakes.folder / name)
    assert "is a directory" in listed["ghostq"]["detail"]


def test_the_listing_has_a_line_for_every_program(capsys: Output) -> None:
    assert main(["solvers"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["program", "status", "version", "reads", "remark"]
    assert [line.split()[0] for line in lines[1:]] == [program.name for program in PROGRAMS]
    assert "research only, not for commercial use" in next(
        line for line in lines if line.startswith("bloqqer")
    )


def test_one_program_is_described(capsys: Output) -> None:
    assert main(["solvers", "DepQBF"]) == 0
    described = dict(line.split(":", 1) for line in capsys.readouterr().out.splitlines())
    assert described["status"].strip() == "works"
    assert described["version"].strip() == "6.03"
    assert "pip install 'skolemate[solvers]'" in described["install"]
    assert main(["solvers", "depqbf", "--json"]) == 0
    assert json.loads(capsys.readouterr().out).keys() == described.keys()
    assert main(["solvers", "kaqe"]) == 2
    assert "unknown solver 'kaqe': did you mean caqe?" in capsys.readouterr().err
