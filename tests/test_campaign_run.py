"""Campaigns: suites are read, runs are kept, and nothing that happens to them loses a row."""

from __future__ import annotations

import gzip
import os
import re
import sqlite3
import subprocess
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from killing import answers, bench, killed_and_undisturbed, stored
from samples import FULL
from skolemate.campaigns.job import signed
from skolemate.campaigns.row import (
    CATEGORIES,
    TASKS,
    Job,
    Row,
    RunResult,
    agrees,
    categorise,
    contradictions,
)
from skolemate.campaigns.runner import Campaign, Local, Store, open_store, plan
from skolemate.campaigns.suite import (
    BLOCK,
    TOTALS,
    Suite,
    find_suite,
    parse_suite,
    selects,
    shipped_suites,
)
from skolemate.cli import main
from skolemate.errors import UserError

TINY = """
title = "Tiny"
seconds = 30
memory = "1G"
[quick]
seconds = 10
[[runs]]
critical = { "hex(size=2)" = 3 }
encodings = ["cor+"]
pipelines = ["depqbf"]
[[runs]]
games = ["harary(shape={shape}, width=3, height={h})"]
shape = ["el", "tic"]
h = [2, 3]
depths = ["horizon"]
methods = ["reference"]
quick = { shape = ["el"] }
"""


FORMULA = "[[runs]]\ngames = ['hex(2)']\ndepths = [3]"
ORACLE = "[[runs]]\ngames = ['hex(2)']\ndepths = [3]\nmethods = ['reference']"


def tiny(quick: bool = False) -> Suite:
    return parse_suite("tiny", TINY, quick)


def a_row(suite: str = "tiny", number: int = 0, status: str = "WIN", **changes: object) -> Row:
    plain = {"task": "solve", "game": "hex(size=2)", "content": None, "player": "black"}
    means = {"method": "qbf", "encoding": "cor+", "pipeline": "depqbf", "symmetry": False}
    limits = {"seconds": 10.0, "memory": 1 << 30}
    fields = {"suite": suite, "number": number, "depth": 3, **plain, **means, **limits, **changes}
    job = Job(**fields)  # type: ignore[arg-type]
    return Row(job, RunResult(status, wall_seconds=1.5), "0", "depqbf 6", "a machine", "2026-01-01")


def campaign_of(suite: Suite, store: Store) -> Campaign:
    campaign = plan([suite], store)
    campaign.run(Local(2), Event(), lambda row: None)
    return campaign


# --- suites ---------------------------------------------------------------------------------------


def test_a_suite_is_the_product_of_its_parts() -> None:
    asked = [(job.game, job.depth, job.method) for job in tiny().jobs]
    assert asked[:2] == [("hex(size=2)", 1, "qbf"), ("hex(size=2)", 3, "qbf")]
    assert ("harary(shape=tic, width=3, height=2)", 6, "reference") in asked
    assert len(asked) == 6
    assert [job.known["verdict"] for job in tiny().jobs[:2]] == ["NO_WIN", "WIN"]


def test_quick_scales_down() -> None:
    assert len(tiny(quick=True).jobs) == 4
    assert {job.seconds for job in tiny(quick=True).jobs} == {10.0}


def test_a_folder_of_files_can_be_asked_about(tmp_path: Path) -> None:
    main(["convert", "hex(size=2)", "-o", str(tmp_path / "small.pg")])
    text = "[[runs]]\nfolder = '.'\ndepths = [3]\nencodings = ['cor+']\npipelines = ['depqbf']"
    (job,) = parse_suite("mine", text, folder=tmp_path).jobs
    assert (job.game, job.folder) == ("small.pg", str(tmp_path))
    assert job.content is not None


OF_FILES = "[[runs]]\nfolder = 'games'\ndepths = [3]\nmethods = ['reference']"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a suite, and beside it the folder of games that the suite is about."""
    games = tmp_path / "games"
    games.mkdir()
    (tmp_path / "mine.toml").write_text(OF_FILES, encoding="utf-8")
    main(["convert", "hex(size=2)", "-o", str(games / "small.pg")])
    return tmp_path


def key_of(folder: Path, text: str = OF_FILES) -> str:
    (job,) = parse_suite("mine", text, folder=folder).jobs
    return job.key


def test_a_suite_asks_the_same_from_wherever_it_is_started(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for here, suite in ((folder, "mine.toml"), (folder / "games", "../mine.toml")):
        monkeypatch.chdir(here)
        assert main(["bench", "run", suite, "--store", str(folder / "runs.sqlite")]) == 0
    assert "0 runs to do, 1 row done before." in capsys.readouterr().err
    report = str(folder / "report.html")
    assert main(["bench", "report", "--store", str(folder / "runs.sqlite"), "-o", report]) == 0
    assert "Not run" not in Path(report).read_text()
    [row] = stored(folder / "runs.sqlite")
    assert row.job.game == "games/small.pg"


def test_a_file_is_its_content(folder: Path) -> None:
    key, small = key_of(folder), folder / "games" / "small.pg"
    small.rename(folder / "games" / "other.pg")
    assert key_of(folder) == key
    (folder / "games" / "other.pg").rename(folder / "beside.pg")
    named = OF_FILES.replace("folder = 'games'", "games = ['beside.pg']")
    assert key_of(folder, named) == key
    assert key_of(folder, named.replace(".pg", ".pg(moves=a1)")) != key
    text = (folder / "beside.pg").read_text()
    (folder / "beside.pg").write_bytes(text.replace("\n", "\r\n").encode())
    assert key_of(folder, named) == key
    (folder / "beside.pg").write_text(f"{text}% as before\n")
    assert key_of(folder, named) != key  # who describes it otherwise may get another formula


def test_a_problem_is_its_content_and_its_domains(folder: Path) -> None:
    main(["convert", "domineering(width=2, height=2)", "-o", str(folder / "whole.bddl")])
    domain, board, problem = (folder / "whole.bddl").read_text().partition("#boardsize")
    games = folder / "games"
    (games / "small.pg").unlink()
    (games / "problem.bddl").write_text(board + problem)
    (games / "domain.bddl").write_text(domain)
    key = key_of(folder)
    (games / "domain.bddl").write_text(domain.replace("vertical", "upright"))
    assert key_of(folder) != key


def test_a_file_that_changes_while_a_campaign_runs_is_an_error(folder: Path) -> None:
    suite = find_suite(str(folder / "mine.toml"))
    main(["convert", "hex(size=3)", "-o", str(folder / "games" / "small.pg")])
    with open_store(str(folder / "runs.sqlite"), write=True) as store:
        campaign_of(suite, store)
        [row] = store.rows()
    assert (row.category, row.run.detail) == (
        "error",
        "'games/small.pg' has changed since the campaign began",
    )


SHARED = """
encodings = ["et", "cor+", "ground", "gr"]
pipelines = ["caqe"]
[quick]
encodings = ["cor+"]
[[runs]]
group = "Hex"
critical = { "hein(9)" = 7 }
[[runs]]
group = "others"
games = ["tictactoe", "connect(k=3, width=3, height=3)"]
depths = [3]
[[runs]]
games = ["tictactoe"]
depths = [5]
encodings = ["et"]
"""


def test_encodings_of_the_suite_are_asked_where_they_can_state_the_question() -> None:
    suite = parse_suite("mine", SHARED)
    asked: dict[str, set[str | None]] = {}
    for job in suite.jobs:
        asked.setdefault(f"{job.game} {job.depth}", set()).add(job.encoding)
    assert asked == {
        "hein(9) 5": {"et", "cor+", "ground"},
        "hein(9) 7": {"et", "cor+", "ground"},
        "tictactoe 3": {"cor+", "ground"},
        "connect(k=3, width=3, height=3) 3": {"gr", "ground"},
        "tictactoe 5": {"et"},  # the block's own are asked in any case
    }
    assert {suite.groups.get(job.key) for job in suite.jobs} == {"Hex", "others", None}
    quick = parse_suite("mine", SHARED, quick=True)
    assert {job.encoding for job in quick.jobs if job.key in quick.groups} == {"cor+"}


TRUE, FALSE = "p cnf 1 1\ne 1 0\n1 0\n", "p cnf 1 2\ne 1 0\n1 0\n-1 0\n"
FORMULAS = """
[[runs]]
formulas = "theirs"
pipelines = ["simplify+depqbf", "caqe"]
group = "theirs"
"""


def test_a_folder_of_formulas_is_solved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = tmp_path / "theirs" / "inner"
    theirs.mkdir(parents=True)
    (theirs / "no.qdimacs").write_text(FALSE)
    (theirs / "yes.qdimacs.gz").write_bytes(gzip.compress(TRUE.encode()))
    (theirs / "broken.qdimacs.gz").write_bytes(gzip.compress(TRUE.encode())[:-9])
    (theirs / "broken.qdimacs").write_text("p cnf one 1\n")
    (theirs / "notes.txt").write_text("no formula")
    file, store = tmp_path / "mine.toml", str(tmp_path / "s.sqlite")
    file.write_text(FORMULAS)
    assert main(["bench", "run", str(file), "--store", store]) == 0
    with open_store(store) as opened:
        rows = {(Path(row.job.game).name, row.job.pipeline): row for row in opened.rows()}
    assert len(rows) == 8
    for pipeline in ("simplify+depqbf", "caqe"):
        assert rows["no.qdimacs", pipeline].run.status == "FALSE"
        assert rows["yes.qdimacs.gz", pipeline].run.status == "TRUE"
        assert "cannot unpack 'inner/broken" in str(rows["broken.qdimacs.gz", pipeline].run.detail)
        assert "broken.qdimacs:1" in str(rows["broken.qdimacs", pipeline].run.detail)
    report = tmp_path / "report.md"
    assert main(["bench", "report", "--store", store, "-o", str(report)]) == 0
    assert "| inner/no.qdimacs | false |" in report.read_text()
    assert "| caqe | 2/4," in report.read_text()
    capsys.readouterr()
    wrong = FORMULAS.replace("group =", "expect = 'TRUE'\ngroup =")
    [no, *_] = [j for j in parse_suite("w", wrong, folder=tmp_path).jobs if "no." in j.game]
    assert signed(no, RunResult("FALSE", truth=False)).category == "wrong"


def test_a_folder_of_formulas_may_be_absent_or_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, store = tmp_path / "mine.toml", str(tmp_path / "s.sqlite")
    file.write_text(FORMULAS)
    assert main(["bench", "run", str(file), "--store", store]) == 0
    told = (
        f"Left out of mine: there are no formulas in {tmp_path}/theirs; "
        "--files names the folder that has it."
    )
    assert told in capsys.readouterr().err
    run = ["bench", "run", str(file), "--store", store, "--files"]
    assert main([*run, str(tmp_path / "nowhere")]) == 2
    assert "there is no folder" in capsys.readouterr().err
    (tmp_path / "here" / "theirs").mkdir(parents=True)
    (tmp_path / "here" / "theirs" / "yes.qdimacs").write_text(TRUE)
    assert main([*run, str(tmp_path / "here")]) == 0
    with open_store(store) as opened:
        assert [row.run.status for row in opened.rows()] == ["TRUE", "TRUE"]
    report = tmp_path / "report.md"
    assert main(["bench", "report", "--store", store, "-o", str(report)]) == 0
    assert "| theirs | 1 question | files |" in report.read_text()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", r"at least one \[\[runs\]\]"),
        ("[[runs]", "mine.toml"),
        ("titel = 'x'\n[[runs]]", "did you mean title"),
        ("[[runs]]\ngames = ['hxe(2)']\nencodings = ['et']\npipelines = ['caqe']", "hex"),
        ("[[runs]]\ngames = ['hex(2)']\nencodings = ['etc']\npipelines = ['caqe']", "encoding"),
        ("[[runs]]\ngames = ['hex(2)']\nencodings = ['et']\npipelines = ['cage']", "caqe"),
        ("[[runs]]\ngames = ['hex(2)']\nencodings = ['et']", "pipelines"),
        ("[[runs]]\ngames = ['hex(2)']\ndepth = [3]", "did you mean depths"),
        ("[[runs]]\ngames = ['hex(2)']\ndepths = [-1]", "number of plies"),
        ("[[runs]]\ngames = ['hex(2)']\ndepths = [3]\nmethods = ['magic']", "unknown method"),
        ("seconds = 0\n[[runs]]\ngames = ['hex(2)']\nmethods = ['reference']", "above 0"),
        ("memory = 'lots'\n[[runs]]\ngames = ['hex(2)']", "not a size"),
        ("[[runs]]\nfolder = 'nowhere'", "no games in the folder"),
        ("[[runs]]\nformulas = 'x'\nencodings = ['et']", "formulas has no 'encodings'"),
        ("[[runs]]\nformulas = 'x'", "needs pipelines"),
        ("[[runs]]\ntask = 'formula'\ngames = ['hex(2)']", "unknown task 'formula'"),
        ("[[runs]]\nformulas = 'x'\nexpect = 'WIN'", "unknown truth value 'WIN'"),
        ("[quick]\nruns = 3\n[[runs]]\ngames = ['hex(2)']", r"\[quick\] has no 'runs'"),
        ("[[runs]]\ncritical = { 'hex(2)' = 'soon' }", "critical must be a table of whole numbers"),
        ("[[runs]]\nquestions = [{ depth = 3 }]", "a question needs a game"),
        ("[[runs]]\nquick = 3", "quick must be false"),
        ("[[runs]]\ngames = ['hex(2)']\ndepths = [1]\nback = [1]", "moves to take back"),
        (f"{ORACLE}\n[[published]]\nwhere = 3", "where must be a table"),
        (f"{ORACLE}\n[[published]]\nwhere = {{ board = 3 }}", "where has no 'board'"),
        (f"{ORACLE}\n[[published]]\nhead = ['game']\nbody = [[]]", "its head has 1"),
        (f"{ORACLE}\n[[published]]\nspeed = '=3'", "no 'speed' to compare"),
        (f"{ORACLE}\n[[totals]]\nspeed = '=3'", "a total has no 'speed'"),
        (f"scatter = [['en']]\n{ORACLE}", "pairs of encodings"),
        ("[[runs]]\ngames = ['hex(size={0})']\nmethods = ['search']", r"games have \{0\}"),
        ("[[runs]]\ngames = ['hex({)']\nmethods = ['search']", "hex"),
        ("[[runs]]\nquestions = [{ game = 9 }]\nmethods = ['search']", "game must be a text"),
        (f"{ORACLE}\n[[published]]\nclauses = '~12kk'", "'~12kk' is not a figure"),
        (f"{ORACLE}\n[[totals]]\nsolved = '=some'", "'=some' is not a figure"),
        (f"{FORMULA}\nencodings = ['et']\npipelines = ['bloqqer']", "add a solver"),
        (f"{FORMULA}\nencodings = ['et']\npipelines = ['caqe+bloqqer']", "caqe must come last"),
        (f"{FORMULA}\nencodings = ['cor+/pairing']\npipelines = ['caqe']", "for the task settle"),
        ("[[runs]]\ngames = ['hex(2, moves=a1)']\nback = [0]", "from 1 up, not 0"),
    ],
)
def test_mistakes_in_a_suite_are_named(text: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=complaint):
        parse_suite("mine", text, folder=tmp_path)


def test_an_unknown_suite_suggests_the_nearest() -> None:
    with pytest.raises(UserError, match="unknown suite 'hex-puzle': did you mean hex-puzzles"):
        find_suite("hex-puzle")
    with pytest.raises(UserError, match="cannot read"):
        find_suite("nowhere.toml")


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("name", shipped_suites())
def test_shipped_suites_are_sound(name: str, quick: bool) -> None:
    suite = find_suite(name, quick)
    assert suite.jobs
    assert suite.source
    assert len({job.key for job in suite.jobs}) == len(suite.jobs)
    if not quick:
        assert suite.idle == ()
        for total in suite.totals:
            chosen = [job for job in suite.jobs if selects(total.where, job)]
            assert len(chosen) == total.of, total


# --- rows -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("run", "known", "category"),
    [
        (RunResult("WIN"), {"verdict": "WIN"}, "right"),
        (RunResult("WIN"), {"verdict": "NO_WIN"}, "wrong"),
        (RunResult("WIN"), {}, "unchecked"),
        (RunResult("time"), {"verdict": "WIN"}, "unknown"),
        (RunResult("one_sided", truth=False), {"verdict": "WIN"}, "unknown"),
        (RunResult("error"), {"verdict": "WIN"}, "error"),
        (RunResult("DONE", clauses=122_266), {"clauses": "~122k"}, "right"),
        (RunResult("DONE", clauses=132_266), {"clauses": "~122k"}, "wrong"),
        (RunResult("DONE", clauses=132_266), {"clauses": "122k"}, "unchecked"),
        (RunResult("time", clauses=5), {"clauses": "=6"}, "wrong"),  # stated wrongly, if not solved
        (RunResult("WIN", critical_depth=9), {"critical_depth": "=7", "verdict": "WIN"}, "wrong"),
    ],
)
def test_a_run_is_judged_by_what_is_known(
    run: RunResult, known: dict[str, str], category: str
) -> None:
    assert categorise(run, known) == category


@pytest.mark.parametrize(
    ("figure", "ours", "expected"),
    [
        ("=826", 826, True),
        ("=826", 825, False),
        ("<=826", 763, True),
        ("<=826", 827, False),
        ("<=4.5k", 4_550, True),
        ("<=4.5k", 4_600, False),
        ("~5k", 5_344, True),
        ("~5k", 4_500, True),
        ("~5k", 6_000, False),
        ("~1591±0.2%", 1594, True),
        ("~1591±0.2%", 1600, False),
    ],
)
def test_figures_mean_what_papers_print(figure: str, ours: float, expected: bool) -> None:
    assert agrees(figure, ours) is expected


def test_contradictions_are_found_whatever_is_known() -> None:
    win, same = a_row(depth=3), a_row(depth=3, status="NO_WIN", encoding="et")
    deeper, less_deep = a_row(depth=5, status="NO_WIN"), a_row(depth=1, status="NO_WIN")
    assert contradictions([win, less_deep]) == []
    assert len(contradictions([win, same, deeper])) == 2
    settled = a_row(task="settle", depth=9)
    settled = replace(settled, run=replace(settled.run, critical_depth=3))
    assert len(contradictions([settled, deeper])) == 1


def test_a_row_serves_where_asking_again_would_tell_nothing_new() -> None:
    unknown, solved = a_row(status="time"), a_row()
    longer = a_row(seconds=20.0).job
    assert solved.serves(longer)
    assert unknown.serves(unknown.job)
    assert not unknown.serves(longer)


# --- running and keeping --------------------------------------------------------------------------


def test_a_campaign_keeps_every_row_and_asks_nothing_twice(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    with open_store(str(file), write=True) as store:
        campaign = campaign_of(tiny(quick=True), store)
        assert (len(campaign.pending), campaign.wrong) == (4, [])
        first = store.rows()
        assert [row.category for row in first] == ["right", "right", "unchecked", "unchecked"]
        assert plan([tiny(quick=True)], store).pending == []
        again = plan([tiny()], store)  # answered under a smaller limit
        assert [job.game for job in again.pending] == [
            "harary(shape=tic, width=3, height=2)",
            "harary(shape=tic, width=3, height=3)",
        ]
        assert [row.run for row in store.rows()] == [row.run for row in first]
        other = parse_suite("other", TINY, quick=True)  # the same questions in another suite
        assert plan([other], store).pending == []
        assert [row.job.suite for row in store.rows("other")] == ["other"] * 4


def test_easy_rows_come_first(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "runs.sqlite"), write=True) as store:
        depths = [job.depth for job in plan([tiny()], store).pending]
    assert depths == sorted(depths, key=lambda depth: depth or 0)


def test_what_is_known_can_be_mended_afterwards(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "runs.sqlite"), write=True) as store:
        (asked, *_) = tiny().jobs
        misled = replace(asked, known={"verdict": "WIN"})
        store.add(Row(misled, RunResult("NO_WIN"), "0", "", "", ""))
        assert store.rows()[0].category == "wrong"
        plan([tiny()], store)
        assert store.rows()[0].category == "right"


def test_wrong_answers_are_loud(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "wrong.toml"
    suite.write_text(
        '[[runs]]\nquestions = [{ game = "hex(size=2)", depth = 3, expect = "NO_WIN" }]\n'
        'methods = ["reference"]\n',
        encoding="utf-8",
    )
    for _ in range(2):  # also where it was found before
        code = main(["bench", "run", str(suite), "--store", str(tmp_path / "runs.sqlite")])
        assert code == 1
        assert "WRONG ANSWER: hex(size=2), d=3 [reference]: WIN" in capsys.readouterr().err


def test_rows_without_their_program_wait_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = TINY.replace('["depqbf"]', '["qesto"]')
    with open_store(str(tmp_path / "runs.sqlite"), write=True) as store:
        campaign = plan([parse_suite("tiny", text, quick=True)], store)
    assert campaign.missing == {"qesto": 2}
    assert len(campaign.pending) == 2


def test_a_job_that_fails_is_a_row_and_can_be_tried_again(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "runs.sqlite"), write=True) as store:
        store.add(a_row("tiny", status="error", depth=1))
        suite = tiny(quick=True)
        assert len(plan([suite], store).pending) == 3
        assert len(plan([suite], store, retry=True).pending) == 4


def test_failed_rows_are_mentioned_where_they_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite, store = tmp_path / "tiny.toml", str(tmp_path / "runs.sqlite")
    suite.write_text(ORACLE, encoding="utf-8")
    (job,) = find_suite(str(suite)).jobs
    with open_store(store, write=True) as opened:
        opened.add(Row(job, RunResult("error"), "0", "", "", ""))
    assert main(["bench", "run", str(suite), "--store", store]) == 0
    said = (
        "0 runs to do, 1 row done before.\n1 row failed before: --retry runs failed rows again.\n"
    )
    assert said in capsys.readouterr().err
    assert main(["bench", "run", str(suite), "--store", store, "--retry"]) == 0
    assert "failed before" not in capsys.readouterr().err


def test_a_killed_campaign_ends_as_if_undisturbed(tmp_path: Path) -> None:
    """Once killed here, five times in `make test-all`, fifty times in `make kill-campaign`."""
    kills = 5 if FULL else 1
    killed, undisturbed = killed_and_undisturbed(tmp_path, kills, seed=1)
    assert len(undisturbed) == 4 * kills + 2
    assert answers(killed) == answers(undisturbed)


# --- troubles -------------------------------------------------------------------------------------


def add_many(store: Store) -> None:
    for number in range(1000):
        store.add(a_row(number=number, depth=number))


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    file = str(tmp_path / "runs.sqlite")
    with open_store(file, write=True) as store:
        store.add(a_row())
        pages = store._base.execute("PRAGMA page_count").fetchone()[0]
        store._base.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(OSError, match="the disk is full; every finished row is kept"):
            add_many(store)
        kept = store.rows()
    assert kept
    with open_store(file, write=True) as store:
        store.add(a_row("later"))
        assert len(store.rows()) == len(kept) + 1


def test_a_store_that_cannot_be_written_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "runs.sqlite"
    with open_store(str(file), write=True) as store:
        store.add(a_row())
    suite = tmp_path / "tiny.toml"
    suite.write_text(TINY, encoding="utf-8")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # for root, everything is writable
    file.chmod(0o444)
    assert main(["bench", "run", str(suite), "--store", str(file)]) == 1
    assert "the store cannot be written to" in capsys.readouterr().err
    assert len(stored(file)) == 1
    missing = str(tmp_path / "nowhere" / "runs.sqlite")
    assert main(["bench", "run", str(suite), "--store", missing]) == 1
    assert "cannot be written here" in capsys.readouterr().err


def test_two_runners_on_one_store_are_refused(tmp_path: Path) -> None:
    file, suite = tmp_path / "runs.sqlite", tmp_path / "tiny.toml"
    suite.write_text(TINY, encoding="utf-8")
    with open_store(str(file), write=True) as store:
        store.add(a_row())
        second = subprocess.run(
            bench("run", str(suite), "--store", str(file)), capture_output=True, text=True
        )
        assert second.returncode == 2
        assert "another run is writing to" in second.stderr
        assert len(stored(file)) == 1  # reading goes on meanwhile
        assert len(store.rows()) == 1


def test_a_damaged_row_is_named_and_can_be_asked_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, suite = tmp_path / "runs.sqlite", tmp_path / "tiny.toml"
    suite.write_text(TINY, encoding="utf-8")
    run = ["bench", "run", str(suite), "--quick", "--store", str(file)]
    assert main(run) == 0
    with sqlite3.connect(file) as base:
        base.execute("UPDATE runs SET status = 'WIN' WHERE number = 0")
    assert main(run) == 2
    assert "row 0 of suite tiny (hex(size=2)) is damaged" in capsys.readouterr().err
    assert main([*run, "--repair"]) == 0
    assert [row.category for row in stored(file)] == ["right", "right", "unchecked", "unchecked"]


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    file.write_text("not a data base, but quite a long text" * 100, encoding="utf-8")
    with pytest.raises(UserError, match="damaged, or not a store"), open_store(str(file)):
        pass
    with pytest.raises(UserError, match="there is no store"), open_store(str(tmp_path / "none")):
        pass
    other = str(tmp_path / "other.sqlite")
    with open_store(other, write=True) as store:
        store._base.execute("PRAGMA user_version = 1")
    with pytest.raises(UserError, match="another version of Skolemate"), open_store(other):
        pass


def test_listing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    suite = tmp_path / "tiny.toml"
    suite.write_text(TINY, encoding="utf-8")
    assert main(["bench", "list", str(suite)]) == 0
    assert "hex(size=2), d=3 [cor+ · depqbf]" in capsys.readouterr().out
    assert main(["bench", "list"]) == 0
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "tiny.toml"
    other.write_text(TINY, encoding="utf-8")
    assert main(["bench", "run", str(suite), str(other)]) == 2
    assert "two suites are called 'tiny'" in capsys.readouterr().err
    for action in (["list", "all"], ["export", "all", "-o", str(tmp_path / "set")]):
        assert main(["bench", *action]) == 2
        assert "unknown suite 'all'" in capsys.readouterr().err


def test_the_guide_names_every_suite_and_column() -> None:
    guide = (Path(__file__).parents[1] / "docs" / "campaigns.md").read_text(encoding="utf-8")
    for word in (*shipped_suites(), *Row.columns(), "checksum", *BLOCK, *TOTALS, *TASKS):
        assert re.search(rf"[`\s]{re.escape(word)}[`,\s]", guide), word
    for category in CATEGORIES:
        assert f"`{category}`" in guide
    example = re.search(r"```toml[^\n]*\n(title.*?)```", guide, re.DOTALL)
    figures = re.search(r"```toml[^\n]*\n(\[\[published.*?)```", guide, re.DOTALL)
    assert example
    assert figures
    suite = parse_suite("guide", f"{example[1]}\n{figures[1]}")
    assert len(suite.jobs) == 28
    assert suite.totals[0].of == 6
