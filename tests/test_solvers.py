"""Solvers, preprocessors and pipelines: what is believed, what is an error, what is combined."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from pathlib import Path

import pytest

from circuits import quantified, random_circuit
from evaluator import evaluate
from fake_solvers import HANG, SAY_FALSE, SAY_TRUE, Fakes
from formulas import by_table, clauses, prefix, random_formula
from samples import sample
from skolemate.campaigns.job import signed
from skolemate.campaigns.row import Job, RunResult
from skolemate.encodings import encode
from skolemate.errors import UserError
from skolemate.formula import Formula, Quantifier
from skolemate.formula.qdimacs import to_qdimacs
from skolemate.games import Player
from skolemate.games.family import build
from skolemate.games.game import Question
from skolemate.limits import Budget, Limit, Reason
from skolemate.solvers import PROGRAMS, Pipeline, Program, Solved
from skolemate.solvers.pipeline import FALSE, TRUE, examine
from skolemate.solvers.process import Outcome
from skolemate.solvers.program import add_foreign, configuration_file, read_answer, read_assignment

QUESTIONS = sample(100)  # random formulas a pipeline
BUNDLED = ["caqe", "depqbf", "qfun", "qute", "rareqs"]


# --- what is believed ---------------------------------------------------------------------------


def solver(path: str) -> Pipeline:
    return Pipeline((), replace(PROGRAMS["qesto"], executables=(path,)))


def preprocessor(path: str) -> Pipeline:
    """A fake preprocessor before a real solver."""
    return Pipeline((replace(PROGRAMS["qratpre"], executables=(path,)),), PROGRAMS["depqbf"])


LIBRARY = "error while loading shared libraries: libboost.so.9: cannot open shared object file"
FAILURES = {
    "exits with 10 and says UNSAT": (
        "echo 's cnf 0'; exit 10",
        "its exit code is 10, but its text says: it is false",
    ),
    "exits with 20 and says SAT": (
        "echo SAT; exit 20",
        "its exit code is 20, but its text says: the formula is true",
    ),
    "exits with 0 and says SAT": ("echo SAT", "it ended with exit code 0: SAT"),
    "says both": ("echo SAT; echo UNSAT; exit 10", "but its text says: nothing clear"),
    "prints garbage": ("echo 'p xyz 7'; echo '% 12'; exit 10", "its text says: nothing clear"),
    "prints nothing": ("exit 10", "its exit code is 10, but its text says: nothing clear"),
    "does nothing": ("exit 0", "it ended with exit code 0"),
    "says SAT where nobody listens": ("echo SAT >&2; exit 10", "its text says: nothing clear"),
    "prints bytes": (r"printf '\377\000\376'; exit 10", "its text says: nothing clear"),
    "answers and crashes": ("echo SAT; kill -SEGV $$", "it was ended by signal SIGSEGV: SAT"),
    "answers and never stops": ("trap 'exit 10' TERM; echo SAT; yes", "it wrote more than 64 MB"),
    "lacks a library": (f"echo 'x: {LIBRARY}' >&2; exit 127", f"exit code 127: x: {LIBRARY}"),
    "is asked for its usage": ("echo 'unknown option' >&2; exit 1", "exit code 1: unknown option"),
}


@pytest.mark.parametrize(("script", "message"), FAILURES.values(), ids=FAILURES)
def test_anything_but_a_clear_answer_is_an_error(fakes: Fakes, script: str, message: str) -> None:
    solved = solver(fakes.shell(script)).solve(TRUE)
    assert (solved.truth, solved.reason, solved.outer) == (None, Reason.SOLVER_ERROR, {})
    assert solved.message.startswith("qesto failed: ")
    assert message in solved.message
    assert solved.outcome is not None, "the evidence is kept"


def test_an_answer_needs_no_assignment(fakes: Fakes) -> None:
    assert solver(fakes.shell(SAY_TRUE)).solve(TRUE).truth is True
    assert solver(fakes.shell(SAY_FALSE)).solve(FALSE).truth is False


def test_only_variables_of_the_outermost_block_are_told(fakes: Fakes) -> None:
    solved = solver(fakes.shell(f"echo 'V 1 -2 3 99 0'; {SAY_TRUE}")).solve(TRUE)
    assert solved.outer == {1: True}
    huge = "1" * 5000
    assert solver(fakes.shell(f"echo 'V {huge} 0'; {SAY_TRUE}")).solve(TRUE).outer == {}


def test_constants_need_no_solver(fakes: Fakes) -> None:
    pipeline = solver(fakes.shell("kill -SEGV $$"))
    assert pipeline.solve(Formula.of([("e", [1])], [])).truth is True
    assert pipeline.solve(Formula.of([("e", [1])], [[1], []])).truth is False
    assert pipeline.solve(Formula.of([("a", [1, 2])], [[1, 2]])).truth is False


def test_limits_are_the_pipelines(fakes: Fakes) -> None:
    hanging = solver(fakes.shell(HANG))
    assert hanging.solve(TRUE, Budget(Limit(seconds=0.3))).reason is Reason.TIME
    eating = fakes.python("kept = []\nwhile True: kept.append(b'x' * 10_000_000)")
    solved = solver(eating).solve(TRUE, Budget(Limit(seconds=60, memory=100 << 20)))
    assert (solved.truth, solved.reason) == (None, Reason.MEMORY)


@pytest.mark.parametrize("name", BUNDLED)
def test_a_memory_limit_is_no_crash_of_a_real_solver(fakes: Fakes, name: str) -> None:
    question = Question(build("mnk(m=6, n=5, k=4)"), Player.BLACK, 15)
    formula = encode(question, "cor+").formula
    solved = Pipeline.parse(name).solve(formula, Budget(Limit(seconds=60, memory=5 << 20)))
    assert (solved.truth, solved.reason, solved.message) == (None, Reason.MEMORY, "")


def test_a_program_that_has_gone_is_told(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(fakes.shell(SAY_TRUE))
    monkeypatch.setenv("SKOLEMATE_QESTO", str(path))
    pipeline = Pipeline.parse("qesto")
    assert pipeline.solve(TRUE).truth is True
    path.chmod(0o644)
    assert pipeline.solve(TRUE).message == f"qesto failed: {path} is not executable"
    path.unlink()
    assert pipeline.solve(TRUE).message == f"qesto failed: {path} is not there"
    path.mkdir()
    assert pipeline.solve(TRUE).message == f"qesto failed: {path} is a directory"


WHOLE = {"s cnf 1 3 4": True, "r SAT": True, "Result: TRUE": True, "FALSE": False, "s cnf 0": False}
UNCLEAR = (
    "",
    "\n",
    "s cnf -1\n",
    "Result: TRU",
    "Result: TRUE or FALSE\n",
    "Result: \nTRUE?\n",
    "TRUE\nFALSE\n",
    "Result: TRUE\nUNSAT\n",
    "Usage: solve the formula: TRUE\n",
)
CODES = (0, 1, 10, 20, 137, -9)


@pytest.mark.parametrize(
    "program", [p for p in PROGRAMS if not p.preprocesses], ids=lambda program: program.name
)
def test_whatever_a_solver_does_only_a_matching_code_and_line_are_an_answer(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    pipeline = Pipeline((), replace(program, bundled=None, executables=("/bin/sh",)))

    def said(outcome: Outcome) -> bool | None:
        monkeypatch.setattr("skolemate.solvers.pipeline.run", lambda *_: outcome)
        return pipeline.solve(TRUE).truth

    alone = program.name == "qubi"  # it exits with 0 in any case
    codes = {True: 0, False: 0} if alone else {True: 10, False: 20}
    for code in CODES:
        for line, truth in WHOLE.items():
            known = not alone or line.endswith(("TRUE", "FALSE"))
            right = truth if known and code == codes[truth] else None
            assert said(Outcome(code, f"c hello\n{line}\n")) is right, (code, line)
            assert said(Outcome(code, f"{line}\n", stopped=Reason.MEMORY)) is None
            assert said(Outcome(code, f"{line}\n", failure="it wrote too much")) is None
            assert said(Outcome(code, "c hello\n", stderr=f"{line}\n")) is None
        for text in UNCLEAR:
            assert said(Outcome(code, text)) is None, (code, text)


# --- preprocessors ------------------------------------------------------------------------------

REDUCED = to_qdimacs(TRUE)
LEFT_OUT = {
    "crashes": ("kill -SEGV $$", "it was ended by signal SIGSEGV"),
    "prints garbage": ("echo 'hello'", "it did not write a complete formula"),
    "prints nothing": ("exit 0", "it did not write a complete formula"),
    "writes only its first lines": (f"echo '{REDUCED}' | head -n 4", "complete formula"),
    "writes half of a line": (f"printf '{REDUCED[:-3]}'", "it did not write a complete formula"),
    "fails after its work": (f"echo '{REDUCED}'; exit 1", "it ended with exit code 1: 1 2 -3 0"),
    "exits with 20 and says SAT": ("echo SAT; exit 20", "it ended with exit code 20: SAT"),
    "exits with 20 and says nothing": ("exit 20", "it ended with exit code 20"),
    "says nothing understandable": (r"printf '\377'", "it did not write a complete formula"),
}


@pytest.mark.parametrize(("script", "note"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_a_preprocessor_that_fails_is_left_out(fakes: Fakes, script: str, note: str) -> None:
    pipeline = preprocessor(fakes.shell(script))
    for formula, truth, outer in ((TRUE, True, {1: True}), (FALSE, False, {})):
        solved = pipeline.solve(formula)
        assert (solved.truth, solved.outer) == (truth, outer)
        [told] = solved.notes
        assert told.startswith("qratpre was left out: ")
        assert note in told


def test_a_preprocessor_may_use_up_the_time_but_not_the_memory(fakes: Fakes) -> None:
    solved = preprocessor(fakes.shell(HANG)).solve(TRUE, Budget(Limit(seconds=0.5)))
    assert (solved.truth, solved.reason) == (None, Reason.TIME)
    eating = fakes.python("kept = []\nwhile True: kept.append(b'x' * 10_000_000)")
    solved = preprocessor(eating).solve(TRUE, Budget(Limit(seconds=60, memory=150 << 20)))
    assert solved.truth is True
    assert solved.notes == ("qratpre was left out: it ran out of memory",)


def test_a_preprocessor_may_decide(fakes: Fakes) -> None:
    for script in (SAY_FALSE, "printf 'p cnf 0 1\\n0\\n'; exit 20", "printf 'p cnf 0 1\\n0\\n'"):
        solved = preprocessor(fakes.shell(script)).solve(FALSE)
        assert (solved.truth, solved.notes, solved.outcome) == (False, (), None)


def test_values_are_told_only_if_the_preprocessor_keeps_them(fakes: Fakes) -> None:
    path = fakes.shell(f"echo '{REDUCED}'")
    pipeline = preprocessor(path)
    assert pipeline.solve(TRUE).outer == {1: True}
    (first,) = pipeline.preprocessors
    renames = replace(pipeline, preprocessors=(replace(first, keeps_outer=False),))
    assert (renames.solve(TRUE).truth, renames.solve(TRUE).outer) == (True, {})


# --- programs that users bring, as fakes that say what the real ones say ------------------------

# Versions 1.0 and 1.4 print comments and a verdict, and write the formula where they are told.
HQSPRE = """
[ "$1" = --outfile ] && [ $# = 3 ] || { echo "unrecognised option '$1'" >&2; exit 134; }
echo 'c This is the HQS Preprocessor, compiled on Nov 16 2026 at 11:29:36'
echo 's preprocessed'; echo 'c clauses_before = 4'
"""
QUBI = """
[ "$*" = "-v=0 -w=1 -t=26 -e $5" ] || { echo "Error: Couldn't parse argument"; exit 255; }
grep -q '^exists(' "$5" || exit 255
"""
QESTO = "echo 'c qesto, v1.0' >&2; echo 'c (C) 2015 Mikolas Janota, m.j@gmail.com' >&2; exit 100"
CQESTO = "echo 'c solver MINISAT'; echo 'c cqesto, v01.0, , '; exit 109"
QRATPRE = "[ $* = --version ] && echo 'QRATPre+ 2.0' && echo 'Copyright 2019 Florian Lonsing'"


def hqspre(fakes: Fakes, script: str) -> Pipeline:
    path = fakes.shell(HQSPRE + script, "hqspre")
    return Pipeline((replace(PROGRAMS["hqspre"], executables=(path,)),), PROGRAMS["depqbf"])


def test_hqspre_writes_a_formula_into_a_file(fakes: Fakes) -> None:
    pipeline = hqspre(fakes, 'cp "$3" "$2"; echo "c clauses = 4 / 4"')
    for formula, truth in ((TRUE, True), (FALSE, False)):
        solved = pipeline.solve(formula)
        assert (solved.truth, solved.notes, solved.by) == (truth, (), "hqspre+depqbf")
        assert solved.outer == {}, "it renames variables"


@pytest.mark.parametrize(
    ("formula", "words", "code", "truth"),
    [
        ("p cnf 0 0", "Preprocessor determined satisfiability.", 10, True),
        ("p cnf 0 0", "[INFO] Preprocessor determined satisfiability.", 10, True),
        ("p cnf 0 1\\n0", "UNSAT", 20, False),
        ("p cnf 0 1\\n0", "", 0, False),
    ],
)
def test_hqspre_may_decide(fakes: Fakes, formula: str, words: str, code: int, truth: bool) -> None:
    script = f"printf '{formula}\\n' >\"$2\"; echo '{words}'; exit {code}"
    solved = hqspre(fakes, script).solve(TRUE)
    assert (solved.truth, solved.notes, solved.by) == (truth, (), "hqspre")


@pytest.mark.parametrize(
    "script",
    [
        "exit 10",
        "exit 20",
        "echo UNSAT; printf 'p cnf 0 0\\n' >\"$2\"; exit 10",
        "echo UNSAT; printf 'p cnf 0 0\\n' >\"$2\"; exit 20",
        "echo UNSAT; printf 'p cnf 0 0\\n' >\"$2\"",
        "printf 'p cnf 0 0\\n' >\"$2\"; exit 20",
        "printf 'p cnf 0 1\\n' >\"$2\"; exit 20",
        "printf 'p cnf 0 1\\n0\\n' >\"$2\"; exit 10",
        "printf 'p cnf 0 1\\n0\\n' >\"$2\"; kill -KILL $$",
        'head -n 5 "$3" >"$2"',
        'cp "$3" "$2"; exit 134',
    ],
)
def test_hqspre_is_left_out_unless_its_work_is_whole(fakes: Fakes, script: str) -> None:
    for formula, truth in ((TRUE, True), (FALSE, False)):
        solved = hqspre(fakes, script).solve(formula)
        assert (solved.truth, solved.by) == (truth, "depqbf")
        assert solved.notes[0].startswith("hqspre was left out: ")


def test_qubi_answers_by_its_text_alone(fakes: Fakes) -> None:
    example = "echo 'Result: TRUE'; echo 'Example: 1=true '"
    qubi = replace(PROGRAMS["qubi"], executables=(fakes.shell(QUBI + example, "qubi"),))
    solved = Pipeline((), qubi).solve(TRUE)
    assert (solved.truth, solved.outer, solved.by) == (True, {1: True}, "qubi")
    fakes.shell(f"{QUBI} echo 'Result: FALSE'; echo 'No example'", "qubi")
    assert Pipeline((), qubi).solve(FALSE).truth is False
    fakes.shell(f"{QUBI} echo 'Result: FALSE'; kill -KILL $$", "qubi")
    assert Pipeline((), qubi).solve(FALSE).message == (
        "qubi failed: it was ended by signal SIGKILL: Result: FALSE"
    )
    fakes.shell(f"{QUBI} printf 'Result: TR'", "qubi")
    assert Pipeline((), qubi).solve(TRUE).message == (
        "qubi failed: its exit code is 0, but its text says: nothing clear"
    )


@pytest.mark.parametrize(
    ("name", "script", "version"),
    [("qesto", QESTO, "1.0"), ("cqesto", CQESTO, "01.0"), ("qratpre", QRATPRE, "2.0")],
)
def test_versions_are_read_off_banners(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, name: str, script: str, version: str
) -> None:
    monkeypatch.setenv(PROGRAMS[name].variable, f"{fakes.shell(script)} --fast")
    assert examine(PROGRAMS[name]).version == version


def test_rows_keep_versions_and_options(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKOLEMATE_QRATPRE", fakes.shell(QRATPRE, "qratpre"))
    monkeypatch.setenv("SKOLEMATE_QUABS", f"{fakes.shell(SAY_TRUE, 'quabs')} --preprocessing 0")
    means = ("qbf", "et", "qratpre+quabs", True)
    job = Job("tiny", 1, "solve", "hein(9)", None, "black", 7, *means, seconds=1, memory=1 << 30)
    row = signed(job, RunResult("WIN"))
    assert row.programs == "qratpre 2.0, quabs of unknown version with --preprocessing 0"


# --- real programs ------------------------------------------------------------------------------


def solves(formula: Formula, solved: Solved, chosen: int) -> bool:
    """Whether the assignment wins, with this sign for the variables that it leaves out."""
    assert formula.outermost is not None
    units = [
        [variable if solved.outer.get(variable, chosen > 0) else -variable]
        for variable in formula.outermost.variables.tolist()
    ]
    return evaluate(Formula.of(prefix(formula), [*clauses(formula), *units]))


@pytest.mark.parametrize(
    "text",
    [
        *BUNDLED,
        "depqbf5",
        "bloqqer+depqbf",
        "bloqqer+caqe",
        "bloqqer+bloqqer+rareqs",
        "simplify+caqe",
        "simplify+bloqqer+depqbf",
    ],
)
def test_real_programs_are_right_on_random_formulas(fakes: Fakes, text: str) -> None:
    pipeline = Pipeline.parse(text)
    rng, asked, assigned = random.Random(text), 0, 0
    while asked < QUESTIONS:
        formula = random_formula(rng)
        solved = pipeline.solve(formula)
        assert solved.truth is evaluate(formula), f"{prefix(formula)} {clauses(formula)}: {solved}"
        assert solved.notes == ()
        if solved.outcome is None and not pipeline.preprocessors:
            continue  # a constant tells nothing about a solver
        asked += 1
        outermost = formula.outermost
        if solved.truth and outermost and outermost.quantifier is Quantifier.EXISTS:
            assigned += 1
            if text != "qfun":  # it tells none
                assert solves(formula, solved, 1)
                assert solves(formula, solved, -1)
    assert assigned > QUESTIONS / 4


CAQE = 'c CommonSolverConfig { filename: Some("t"), verbosity: Warn, statistics: None }\n'
RAREQS = "c hybrid 3\nc pure 1\nc blocking 1\nc unit 2\nc universal_reduction 0\n"
QFUN = "c qfun, v01.0, , \nc verbosity: 0\nc done reading: 0.00158\nc sum learning time: 0\n"
OUTPUTS = [
    ("s cnf 1 3 4\nV 1 0\nV -2 0\n", True, {1: True, 2: False}),  # DepQBF
    ("s cnf 0 3 5\n", False, {}),
    ("SAT\n", True, {}),
    ("UNSAT\n", False, {}),
    (f"{CAQE}s cnf 1 3 4\nV 1 0\nV -3 0\n\nc Satisfiable\n", True, {1: True, 3: False}),
    (f"{CAQE}s cnf 0 3 5\n\nc Unsatisfiable\n", False, {}),
    ("SAT\n1 -2 0\n", True, {1: True, 2: False}),  # Qute
    (f"{RAREQS}V  +1 -2\ns cnf 1\n", True, {1: True, 2: False}),
    (f"{RAREQS}s cnf 0\n", False, {}),
    (f"{QFUN}s cnf 1\n", True, {}),
    (f"{QFUN}s cnf 0\n", False, {}),
    ("V 1 -2 0\nr SAT\n", True, {1: True, 2: False}),  # QuAbS
    ("c cqesto, v01.0, , \nv 1 -2 0\nc solved 0\ns cnf 1\n", True, {1: True, 2: False}),
    ("Result: TRUE\nExample: 1=true 2=false \n", True, {1: True, 2: False}),  # Qubi
    ("Result: FALSE\nNo example\n", False, {}),
    ("r UNSAT\r\n", False, {}),
    ("s cnf -1 3 4\n", None, {}),  # QDIMACS: not known
    ("c Unknown\n", None, {}),
    ("SAT\nUNSAT\n", None, {}),
    ("s cnf 1\nUNSAT\n", None, {}),
    ("c is it SAT?\nSATISFACTION\nc UNSAT\nUNSATURATED 1\n", None, {}),
    ("", None, {}),
]


@pytest.mark.parametrize(("text", "answer", "assignment"), OUTPUTS)
def test_outputs_are_read(text: str, answer: bool | None, assignment: dict[int, bool]) -> None:
    assert read_answer(text) is answer
    assert read_assignment(text) == assignment


# --- programs: where they are found -------------------------------------------------------------


def configure(text: str) -> None:
    file = configuration_file()
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")


def test_the_bundle_comes_before_the_path(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    path = fakes.shell(SAY_TRUE, "caqe")
    monkeypatch.setenv("PATH", str(fakes.folder), os.pathsep)
    caqe = PROGRAMS["caqe"]
    assert replace(caqe, bundled=None).find() == path
    assert str(caqe.find()).endswith("/pyqbf_caqe")


def test_the_bundle_is_found_wherever_it_is_installed(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    site = tmp_path / "user-site"
    (site / "pyqbf-1.0.dist-info").mkdir(parents=True)
    (site / "pyqbf-1.0.dist-info/METADATA").write_text("Name: pyqbf\nVersion: 1.0\n")
    program = site / "cmeel.prefix/bin/pyqbf_caqe"
    program.parent.mkdir(parents=True)
    program.touch()
    monkeypatch.syspath_prepend(str(site))
    assert PROGRAMS["caqe"].find() == str(program)


def test_the_environment_comes_before_the_configuration(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(fakes.folder), os.pathsep)
    path = fakes.shell(SAY_TRUE, "mine")
    configure("[programs]\ndepqbf = '~/own/depqbf'\nqesto = 'mine'\ncaqe = 'nowhere'\n")
    assert PROGRAMS["depqbf"].find() == os.path.expanduser("~/own/depqbf")
    assert PROGRAMS["qesto"].find() == path, "a name is looked for on the PATH"
    assert PROGRAMS["caqe"].find() is None, "what the user says is not replaced"
    with pytest.raises(UserError, match=r"config.toml says 'nowhere', which is not on the PATH"):
        PROGRAMS["caqe"].require()
    monkeypatch.setenv("SKOLEMATE_CAQE", "nosuch")
    assert (
        examine(PROGRAMS["caqe"]).remark == "SKOLEMATE_CAQE says 'nosuch', which is not on the PATH"
    )
    monkeypatch.setenv("SKOLEMATE_DEPQBF", "/from/the/environment")
    assert PROGRAMS["depqbf"].find() == "/from/the/environment"


ARGUMENTS = 'for word; do echo "c <$word>"; done; echo "s cnf 1"; exit 10'


def called(program: Program) -> str:
    """What a program that tells its arguments was called with; its file is `f`."""
    outcome = Pipeline((), program).solve(TRUE).outcome
    assert outcome is not None, outcome
    assert outcome.code == 10
    words = [line[3:-1] for line in outcome.stdout.splitlines() if line.startswith("c <")]
    return " | ".join("f" if word.endswith("/formula.qdimacs") else word for word in words)


def test_options_stand_behind_the_place(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    path, caqe = fakes.shell(ARGUMENTS, "my caqe"), PROGRAMS["caqe"]
    plain = fakes.shell(ARGUMENTS, "plain")
    written = {
        plain: "--qdo | f",
        f"{plain} --fast -n 3": "--qdo | --fast | -n | 3 | f",
        f"{plain} --name='a b' \"\"": "--qdo | --name=a b |  | f",
        f"{plain} {{file}} --late": "--qdo | f | --late",
        path: "--qdo | f",
        f"'{path}' --fast": "--qdo | --fast | f",
        path.replace(" ", r"\ ") + " --fast": "--qdo | --fast | f",
    }
    for text, words in written.items():
        monkeypatch.setenv("SKOLEMATE_CAQE", text)
        assert (caqe.find(), called(caqe)) == (path if "my" in text else plain, words)
    for text in (f"caqe='{path}' --slow", f"caqe={path}", f"caqe={plain} --slow"):
        assert add_foreign(text) is caqe
        assert called(caqe) == ("--qdo | --slow | f" if "slow" in text else "--qdo | f")
    assert examine(replace(caqe, version_arguments=())).as_json()["options"] == "--slow"


def test_options_stand_in_the_configuration_too(fakes: Fakes) -> None:
    configure(f'[programs]\ncaqe = "{fakes.shell(ARGUMENTS)} --fast"\n')
    assert called(PROGRAMS["caqe"]) == "--qdo | --fast | f"


def test_options_that_cannot_be_read_are_told(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKOLEMATE_CAQE", "/opt/caqe --name='a")
    with pytest.raises(UserError, match=r"^SKOLEMATE_CAQE: .*: No closing quotation$"):
        PROGRAMS["caqe"].find()
    monkeypatch.setenv("SKOLEMATE_BLOQQER", "/opt/bloqqer.so --fast")
    with pytest.raises(UserError, match=r"^SKOLEMATE_BLOQQER: bloqqer takes no options$"):
        PROGRAMS["bloqqer"].find()
    monkeypatch.setenv("SKOLEMATE_CAQE", " ")
    assert PROGRAMS["caqe"].options == ()
    assert str(PROGRAMS["caqe"].find()).endswith("/pyqbf_caqe")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[programs\n", "Expected ']'"),
        ("programs = 3\n", r"\[programs\] must be names with paths"),
        ("[programs]\ndepqbf = 3\n", r"\[programs\] must be names with paths"),
    ],
)
def test_a_broken_configuration_is_told_with_its_file(
    fakes: Fakes, text: str, message: str
) -> None:
    configure(text)
    with pytest.raises(UserError, match=message) as raised:
        PROGRAMS["depqbf"].find()
    assert str(configuration_file()) in str(raised.value)


def test_an_unreadable_configuration_is_named_once(fakes: Fakes) -> None:
    configuration_file().mkdir(parents=True)
    with pytest.raises(UserError) as raised:
        PROGRAMS["depqbf"].find()
    assert str(raised.value) == f"{configuration_file()}: Is a directory"


def test_no_home_is_no_configuration(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", "/dev/null")
    assert PROGRAMS["depqbf"].find() is not None


@pytest.mark.parametrize("program", list(PROGRAMS), ids=lambda program: program.name)
def test_a_missing_program_says_how_to_get_it(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    monkeypatch.setenv("PATH", str(fakes.folder))
    missing = replace(program, bundled=None, module=None)
    assert examine(missing).status == "missing"
    assert examine(missing).remark == program.install != ""
    with pytest.raises(UserError, match=f"^{program.name} is not installed: ."):
        missing.require()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "unknown solver '': choose one of"),
        ("depqfb", "unknown solver 'depqfb': did you mean depqbf?"),
        ("bloqqer+", "unknown solver ''"),
        ("bloqqer", "ends with a preprocessor; add a solver: bloqqer\\+depqbf"),
        ("depqbf+bloqqer", "depqbf must come last: it is a solver"),
        ("depqbf+caqe", "depqbf must come last: it is a solver"),
    ],
)
def test_wrong_pipelines_are_told(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        Pipeline.parse(text)


def test_pipelines_are_read_in_any_case() -> None:
    assert str(Pipeline.parse(" Bloqqer + bloqqer+DepQBF")) == "bloqqer+bloqqer+depqbf"


def test_the_installed_programs_work() -> None:
    for name in [*BUNDLED, "bloqqer", "depqbf5", "simplify"]:
        examined = examine(PROGRAMS[name])
        assert (examined.status, examined.detail) == ("works", None), examined
    versions = {name: examine(PROGRAMS[name]).version for name in BUNDLED}
    assert versions == {
        "caqe": "4.0.1",
        "depqbf": "6.03",
        "qfun": "01.0",
        "qute": "1.1",
        "rareqs": None,
    }


def test_a_program_that_hangs_is_told(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skolemate.solvers.pipeline.SECONDS", 0.5)
    monkeypatch.setattr("skolemate.solvers.program.VERSION_SECONDS", 0.5)
    hanging = fakes.shell(HANG)
    for name in ("qesto", "qratpre"):
        examined = examine(replace(PROGRAMS[name], executables=(hanging,)))
        assert examined.remark == "it did not end within 0.5 seconds"


def test_circuits_reach_solvers_in_their_format(monkeypatch: pytest.MonkeyPatch) -> None:
    """Qute reads both; as a solver that reads only circuits it gets clauses as a circuit too."""
    only = replace(PROGRAMS["qute"], name="only", formats=("qcir",))
    monkeypatch.setattr(PROGRAMS, "_items", {p.name: p for p in [*PROGRAMS, only]})
    rng = random.Random(7)
    truths = []
    for _ in range(sample(60)):
        circuit, meant = random_circuit(rng)
        truth = quantified(circuit, meant)
        truths.append(truth)
        for pipeline in ("qute", "only", "depqbf", "bloqqer+only"):
            solved = Pipeline.parse(pipeline).solve(circuit)
            assert solved.truth is truth, (pipeline, solved.message)
            if truth and circuit.outermost and solved.outer:
                assert set(solved.outer) <= set(circuit.outermost.variables.tolist())
    assert min(truths.count(True), truths.count(False)) >= sample(10)
    for _ in range(sample(30)):
        formula = random_formula(rng)
        assert Pipeline.parse("only").solve(formula).truth is by_table(formula)
    assert examine(only).status == "works"
