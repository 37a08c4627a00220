"""Reports: ours beside the paper's, what is wrong first, one page that needs nothing else."""

from __future__ import annotations

import csv
import importlib
import io
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from benchexec.tools.template import BaseTool2  # type: ignore[import-untyped]
from benchexec.util import ProcessExitCode  # type: ignore[import-untyped]

from campaign_rows import SUITE, pretended, pretended_suite
from samples import FULL
from skolemate.campaigns.report import gather
from skolemate.campaigns.report.contents import common, compare, duels, faster
from skolemate.campaigns.report.formats import (
    to_csv,
    to_html,
    to_latex,
    to_markdown,
    write_benchexec,
)
from skolemate.campaigns.report.plots import plots
from skolemate.campaigns.row import Job, Row, RunResult
from skolemate.campaigns.runner import open_store
from skolemate.campaigns.suite import Suite, parse_suite
from skolemate.campaigns.totals import counted, wrong_totals
from skolemate.cli import main
from skolemate.solvers import PROGRAMS


@pytest.fixture(scope="module")
def suite() -> Suite:
    return pretended_suite()


@pytest.fixture(scope="module")
def page(suite: Suite) -> str:
    return to_html(gather([suite], pretended(suite)))


class Outline(HTMLParser):
    """The tags that are open, and every address that a page refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.addresses += [v for k, v in attrs if k in ("href", "src", "xlink:href") and v]


def test_the_page_needs_nothing_else(page: str) -> None:
    outline = Outline()
    outline.feed(page)
    assert all(a.startswith(("#", "data:")) for a in outline.addresses), outline.addresses
    assert "link" not in outline.seen
    assert page.count("<svg") == page.count("<figure>") == 3


def test_our_figure_stands_beside_the_papers(page: str) -> None:
    assert re.search(r'<td class="unchecked">[\d.]+ <span class="paper">12.75</span>', page)
    assert re.search(r'<td class="right">450 <span class="paper">450</span></td>', page)
    assert re.search(r'<th>ET caqe</th><td>12</td><td>12 <span class="paper">12</span>', page)
    assert "Pretended &lt;runs&gt; &amp; more" in page


def test_what_needs_attention_comes_first(suite: Suite) -> None:
    rows = pretended(suite)
    wrong = replace(rows[-1], run=replace(rows[-1].run, clauses=451))
    failed = replace(rows[0], run=RunResult("error", "the solver <fell> over"))
    report = gather([suite], [*rows[1:-1], wrong, failed])
    assert [words.partition(":")[0] for words in report.problems] == ["WRONG", "ERROR"]
    page = to_html(report)
    assert page.index("Needs attention") < page.index("In all, as published")
    assert "the solver &lt;fell&gt; over" in page
    assert "WRONG 451 (450)" in to_markdown(report)


def test_a_contradiction_needs_attention(suite: Suite) -> None:
    rows = pretended(suite)
    changed = replace(rows[5], run=replace(rows[5].run, status="NO_WIN", truth=False))
    report = gather([suite], [changed if row is rows[5] else row for row in rows])
    assert any(words.startswith("CONTRADICTION") for words in report.problems)


def test_rows_that_are_not_there_are_counted(suite: Suite) -> None:
    report = gather([suite], [row for row in pretended(suite) if row.job.pipeline != "depqbf"])
    assert report.sections[0].missing == {"depqbf": 24}
    assert "Not run: 24 with depqbf." in to_html(report)


def test_totals_are_compared_where_all_rows_are_there(suite: Suite) -> None:
    rows = pretended(suite)
    (all_there,) = counted(suite, rows)
    assert (all_there.ours["solved"], all_there.wrong) == (12, [])
    stricter = pretended_suite(SUITE.replace('solved = "=12"', 'wins = "=3"'))
    assert wrong_totals(stricter, rows) == ["pretended, ET caqe: wins 12, published 3"]
    assert wrong_totals(stricter, rows[8:]) == []
    open_ends = [replace(row, run=RunResult("time")) for row in rows]  # may all be wins, or none
    assert wrong_totals(stricter, open_ends) == []


def test_duels_count_who_is_faster(suite: Suite) -> None:
    rows = pretended(suite)
    ((names, pairs),) = duels(suite, rows[:-1]).items()
    assert names == ("cor+", "et")
    assert len(pairs) == 24
    wins, of = faster(pairs, 0.1)
    assert 0 < wins < of < 24
    turned = [(b, a) for a, b in pairs]
    assert faster(turned, 0.1) == (of - wins, of)
    lost = [(replace(a, run=RunResult("time")), b) for a, b in pairs]  # counts as the whole limit
    assert faster(lost, 10) == (24, 24)
    failed = [replace(rows[0], run=RunResult("error")), *rows[1:-1]]
    assert len(duels(suite, failed)["cor+", "et"]) == 23
    assert "| et faster than cor+ |" in to_markdown(gather([suite], rows))


def test_groups_have_their_best_means_and_the_scores_of_all() -> None:
    grouped = pretended_suite(SUITE.replace("[[runs]]", "[[runs]]\ngroup = 'Hex'", 1))

    def made(row: Row) -> Row:
        """COR+ misses all of depth 7; ET with DepQBF takes half of the others' time."""
        if row.job.encoding == "cor+" and row.job.depth == 7:
            return replace(row, run=RunResult("time", cpu_seconds=99.0))
        best = row.job.means == "et · depqbf"
        return replace(row, run=RunResult("WIN", truth=True, cpu_seconds=1.0 if best else 2.0))

    _, _, best, scores, *_ = gather([grouped], map(made, pretended(grouped))).sections[0].tables
    found = [cell.ours for cell in best.body[0]]
    assert found == ["Hex", "12 questions", "et", "depqbf", "12/12, 1"]
    assert scores.title.startswith("Hex: 12 questions")
    assert scores.head == ("pipeline", "cor+", "et")
    # Four of twelve are missed within 100 s: (8 · 2 + 4 · 200) / 12.
    assert [[cell.ours for cell in line] for line in scores.body] == [
        ["caqe", "8/12, 68", "12/12, 2"],
        ["depqbf", "8/12, 68", "12/12, 1"],
    ]


def test_markdown_and_latex_have_every_table(suite: Suite, tmp_path: Path) -> None:
    report = gather([suite], pretended(suite))
    markdown, latex = to_markdown(report), to_latex(report)
    for title in ("In all, as published", "Sizes", "Answers and seconds"):
        assert f"### {title}" in markdown
        assert rf"\subsection*{{{title}}}" in latex
    assert "450 (450)" in markdown
    assert r"Pretended $<$runs$>$ \& more" in latex
    check_latex(latex, tmp_path)
    lines = [line for line in markdown.splitlines() if line.startswith("| hex(size=4), d = 7 |")]
    assert len(lines) == 2


def test_csv_has_every_row(suite: Suite) -> None:
    rows = pretended(suite)
    listed = list(csv.DictReader(io.StringIO(to_csv(gather([suite], rows)))))
    assert len(listed) == len(rows)
    assert listed[0]["game"] == rows[0].job.game


def test_the_same_rows_give_the_same_plots(suite: Suite) -> None:
    section = gather([suite], pretended(suite)).sections[0]
    drawn = plots(section)
    assert plots(section) == drawn
    titles = [plot.title for plot in drawn]
    assert "et against cor+, seconds; dashed: the limit" in titles
    assert "Seconds by depth" in titles


def test_benchexec_opens_the_results(suite: Suite, tmp_path: Path) -> None:
    folder = tmp_path / "results"
    files = write_benchexec(gather([suite], pretended(suite)), str(folder))
    assert len(files) == 5
    runs = ElementTree.parse(files[0]).getroot().findall("run")
    assert len(runs) == 12
    generator = shutil.which("table-generator", path=str(Path(sys.executable).parent))
    assert generator, "BenchExec is not installed: pip install 'skolemate[bench]'"
    command = [generator, *files, "-o", str(tmp_path), "-n", "table", "-q"]
    subprocess.run(command, check=True, timeout=120)
    table = (tmp_path / "table.table.csv").read_text(encoding="utf-8")
    assert "hex(size=5).black.solve.7" in table


def test_comparing_names_every_kind_of_change(suite: Suite) -> None:
    rows = pretended(suite)

    def changed(place: int, **changes: object) -> Row:
        return replace(rows[place], run=replace(rows[place].run, **changes))  # type: ignore[arg-type]

    before = [changed(0, status="time", truth=None), *rows[1:]]
    after = [
        rows[0],
        changed(1, status="time", truth=None),
        changed(2, wall_seconds=50.0),
        changed(3, status="NO_WIN", truth=False),
        *rows[4:-1],
        changed(len(rows) - 1, clauses=400),
    ]
    kinds = [change.kind for change in compare(common(before, after))]
    assert kinds == ["disagree", "lost", "solved", "slower", "smaller"]
    assert [c.kind for c in compare(common(after, before))][-2:] == ["faster", "larger"]
    assert compare(common(rows, rows)) == []


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str], suite: Suite) -> None:
    store = str(tmp_path / "runs.sqlite")
    with open_store(store, write=True) as opened:
        opened.note(suite)
        for row in pretended(suite):
            opened.add(row)
    outputs = [str(tmp_path / f"report.{suffix}") for suffix in ("html", "md", "tex", "csv")]
    flags = [word for output in outputs for word in ("-o", output)]
    assert main(["bench", "report", "--store", store, *flags]) == 0
    assert all(Path(output).stat().st_size > 1000 for output in outputs)
    assert main(["bench", "compare", store, store]) == 0
    assert "nothing has changed" in capsys.readouterr().err
    assert main(["bench", "compare", store, store, "--json"]) == 0
    assert capsys.readouterr().out == "[]\n"
    empty = str(tmp_path / "empty.sqlite")
    with open_store(empty, write=True):
        pass
    assert main(["bench", "compare", store, empty]) == 1
    assert capsys.readouterr().err == "0 rows in both stores: nothing to compare.\n"
    assert main(["bench", "report", "--store", store, "-o", "report.pdf"]) == 2
    assert "must end in one of .html" in capsys.readouterr().err
    assert main(["bench", "report", "pretend", "--store", store]) == 2
    assert "did you mean pretended?" in capsys.readouterr().err
    gone = replace(suite, name="gone", text="[[runs]]\ngames = ['gone.pg']")
    with open_store(store, write=True) as opened:
        opened.note(gone)
    assert main(["bench", "report", "--store", store, "-o", outputs[1]]) == 0
    assert "LEFT OUT: gone.toml: " in capsys.readouterr().err
    assert "LEFT OUT: gone.toml: " in Path(outputs[1]).read_text(encoding="utf-8")
    assert main(["bench", "report", "--store", str(tmp_path / "none")]) == 2


# --- the table and the plots for a paper ----------------------------------------------------------


PAPER = """
seconds = 50
[[runs]]
games = ["hex(size={n})"]
n = [2, 3, 4, 5]
depths = [3, 5, 7, 9, 11]
encodings = ["ea", "en", "et"]
pipelines = ["caqe", "depqbf", "bloqqer+caqe"]
"""


REAL = """
seconds = {seconds}
[[runs]]
games = {games}
depths = {depths}
encodings = ["ea", "en", "et"]
pipelines = ["caqe", "depqbf", "bloqqer+caqe"]
"""
SOME = {"games": ["hein(9)"], "depths": [5, 7], "seconds": 20}
ALL = {  # some rows of hein(10) reach the limit
    "games": ["hex(size=3)", "hein(4)", "hein(9)", "hein(12)", "hein(10)"],
    "depths": [3, 5, 7, 9],
    "seconds": 2,
}


def made_up(folder: Path) -> str:
    """A store with 180 rows that nobody ran: three encodings, three pipelines, twenty questions."""
    suite, chance = parse_suite("paper", PAPER), random.Random(5)

    def run(job: Job) -> RunResult:
        answer = "WIN" if job.depth and job.depth > 5 else "NO_WIN"
        status = chance.choice((answer, answer, "time"))
        seconds = chance.uniform(0.01, 50)
        truth = None if status == "time" else status == "WIN"
        return RunResult(status, truth=truth, wall_seconds=seconds, cpu_seconds=seconds / 2)

    file = str(folder / "paper.sqlite")
    with open_store(file, write=True) as store:
        store.note(suite)
        store.add_all([replace(row, run=run(row.job)) for row in pretended(suite)])
    return file


def really_run(folder: Path) -> str:
    """A store with the rows of a suite that `bench run` has run: all 180, or a few of them."""
    file, suite = str(folder / "paper.sqlite"), folder / "paper.toml"
    suite.write_text(REAL.format(**(ALL if FULL else SOME)), encoding="utf-8")
    assert main(["bench", "run", str(suite), "--store", file]) == 0
    return file


@pytest.fixture(scope="module", params=[made_up, really_run])
def paper(request: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(request.param(tmp_path_factory.mktemp("paper")))


@dataclass(frozen=True)
class Kept:
    """A row as SQLite has it: nothing of the report's code has touched it."""

    means: tuple[str, str]
    question: tuple[str, int]
    status: str
    wall: float
    cpu: float
    limit: float

    @property
    def solved(self) -> bool:
        return self.status in ("WIN", "NO_WIN")


def kept_in(file: str) -> list[Kept]:
    columns = "encoding, pipeline, game, depth, status, wall_seconds, cpu_seconds, seconds"
    with closing(sqlite3.connect(file)) as base:
        listed = base.execute(f"SELECT {columns} FROM runs ORDER BY number").fetchall()
    rows = [Kept((e, p), (g, d), status, *numbers) for e, p, g, d, status, *numbers in listed]
    questions = len({row.question for row in rows})
    assert len(rows) == 9 * questions
    assert questions == 20 or not FULL
    return rows


def expected_scores(rows: list[Kept]) -> list[list[str]]:
    """Solved, unique, PAR-2 and the virtual best, computed in another way than the report's."""
    solved_by: dict[Any, set[Any]] = {row.question: set() for row in rows}
    cost = {}
    for row in rows:
        cost[row.means, row.question] = row.cpu if row.solved else 2 * row.limit
        if row.solved:
            solved_by[row.question].add(row.means)
    asked = len(solved_by)
    listed = []
    for encoding in ("ea", "en", "et"):
        for pipeline in ("caqe", "depqbf", "bloqqer+caqe"):
            means = encoding, pipeline
            count = sum(means in by for by in solved_by.values())
            unique = sum(by == {means} for by in solved_by.values())
            par2 = sum(cost[means, question] for question in solved_by) / asked
            listed.append([*means, str(asked), str(count), str(unique), f"{par2:.2f}"])
    each = [min(c for key, c in cost.items() if key[1] == question) for question in solved_by]
    some = sum(map(bool, solved_by.values()))
    best = f"{sum(each) / asked:.2f}"
    return [*listed, ["virtual best", "", str(asked), str(some), "", best]]


def test_the_table_for_a_paper(
    paper: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = expected_scores(kept_in(paper))
    assert main(["bench", "report", "--store", paper]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].split() == [
        "suite",
        "encoding",
        "pipeline",
        "asked",
        "solved",
        "unique",
        "PAR-2",
    ]
    assert [line.split() for line in printed[1:]] == [
        " ".join(["paper", *line]).split() for line in expected
    ]
    outputs = [str(tmp_path / f"table.{suffix}") for suffix in ("tex", "csv", "md")]
    files = [word for output in outputs for word in ("-o", output)]
    assert main(["bench", "report", "--store", paper, "--summary", *files]) == 0
    latex, listed, markdown = (Path(output).read_text(encoding="utf-8") for output in outputs)
    assert list(csv.reader(io.StringIO(listed)))[1:] == [["paper", *line] for line in expected]
    cells = [[c.strip() for c in line.split("|")[1:-1]] for line in markdown.splitlines()[2:]]
    assert cells == [["paper", *line] for line in expected]
    body = re.findall(r"^(paper .*) \\\\$", latex, re.MULTILINE)
    assert [[c.strip() for c in line.split("&")] for line in body] == [
        ["paper", *line] for line in expected
    ]
    head = r"\documentclass{article}\usepackage{booktabs}\begin{document}"
    check_latex(f"{head}{latex}\\end{{document}}\n", tmp_path)


def check_latex(text: str, folder: Path) -> None:
    """Compile a document where LaTeX has booktabs; its braces and environments balance anyway."""
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    begun, ended = re.findall(r"\\begin\{(\w+)\}", text), re.findall(r"\\end\{(\w+)\}", text)
    assert sorted(begun) == sorted(ended)
    latex, finder = shutil.which("pdflatex"), shutil.which("kpsewhich")
    # Debian's texlive-latex-base is without booktabs, which is in texlive-latex-recommended.
    if (
        latex
        and finder
        and not subprocess.call([finder, "booktabs.sty"], stdout=subprocess.DEVNULL)
    ):
        (folder / "text.tex").write_text(text, encoding="utf-8")
        command = [latex, "-interaction=nonstopmode", "-halt-on-error", "text.tex"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)


def test_the_plots_for_a_paper(paper: str, tmp_path: Path) -> None:
    rows = kept_in(paper)
    assert main(["bench", "report", "--store", paper, "--plots", str(tmp_path)]) == 0
    written = {path.name: path for path in tmp_path.iterdir()}
    with open_store(paper) as store:
        suite = store.suites()["paper"]
        assert isinstance(suite, Suite)
        section = gather([suite], store.rows()).sections[0]
    drawn = {plot.name: plot for plot in plots(section)}
    assert set(written) == {f"paper-{n}.{s}" for n in drawn for s in ("pdf", "svg", "tex")}
    assert {"time", "time-true", "time-false", "en-against-ea"} <= set(drawn)
    assert ("depth" in drawn) or not FULL
    assert written["paper-time.pdf"].read_bytes().startswith(b"%PDF")
    # A cactus has the costs of what was solved, in order; the file says the same.
    for name, statuses in (
        ("time", {"WIN", "NO_WIN"}),
        ("time-true", {"WIN"}),
        ("time-false", {"NO_WIN"}),
    ):
        found = {}
        for series in drawn[name].series:
            label, _, count = series.label.rpartition(" (")
            found[tuple(label.split(" · "))] = [y for _, y in series.points]
            assert [x for x, _ in series.points] == list(range(1, int(count[:-1]) + 1))
        costs: dict[Any, list[float]] = {}
        for row in rows:
            if row.status in statuses:
                costs.setdefault(row.means, []).append(max(row.wall, 0.001))
        assert found == {means: sorted(own) for means, own in costs.items()}
        assert sorted(coordinates(written[f"paper-{name}.tex"])) == sorted(
            (place, float(f"{cost:.6g}"))
            for own in costs.values()
            for place, cost in enumerate(sorted(own), 1)
        )
    # A means has one colour in all plots; no two means that are drawn together share it and a dash.
    colours: dict[str, set[tuple[str, bool]]] = {}
    for name in ("time", "time-true", "time-false"):
        for series in drawn[name].series:
            label = series.label.rpartition(" (")[0]
            colours.setdefault(label, set()).add((series.colour, series.dashed))
    for series in drawn["depth"].series if "depth" in drawn else ():
        colours[series.label.rpartition(") ")[2]].add((series.colour, series.dashed))
    assert all(len(found) == 1 for found in colours.values())
    assert len({next(iter(found)) for found in colours.values()}) == len(colours)
    # The scatter plot has a point for each pair of which one is solved; a miss is at the limit.
    at = {(row.means, row.question): row for row in rows}
    expected = []
    for (means, question), row in at.items():
        pair = row, at[("en", means[1]), question]
        if means[0] == "ea" and any(r.solved for r in pair):
            expected.append(tuple(max(r.wall, 0.001) if r.solved else r.limit for r in pair))
    scatter = drawn["en-against-ea"]
    assert sorted(point for series in scatter.series for point in series.points) == sorted(expected)
    for plot in drawn.values():
        assert plot.pgfplots.count(r"\addlegendentry") == len(plot.series)


def coordinates(file: Path) -> list[tuple[float, float]]:
    """The points in a picture of pgfplots."""
    found = re.findall(r"\(([0-9.e+-]+),([0-9.e+-]+)\)", file.read_text(encoding="utf-8"))
    return [(float(x), float(y)) for x, y in found]


def test_a_plot_that_shows_nothing_new_is_left_out() -> None:
    """All formulas are true: a plot of the true ones would be the first one again."""
    suite = pretended_suite()
    section = gather([suite], pretended(suite)).sections[0]
    assert {row.run.truth for row in section.rows if row.job.decides} == {True}
    assert [plot.name for plot in plots(section)] == ["time", "et-against-cor+", "depth"]


def test_the_papers_figures_are_announced_only_where_there_are_some(suite: Suite) -> None:
    markdown = to_markdown(gather([suite], pretended(suite)))
    heads = {part.split("\n")[0]: part for part in markdown.split("\n### ")[1:]}
    assert "Ours (the paper's)" in heads["Answers and seconds"]
    assert "Ours (the paper's)" not in heads["Solved"]


# --- tool-info modules ----------------------------------------------------------------------------


def told(tool: Any, code: int, *output: str, stopped: str | None = None) -> str:
    """What BenchExec is told about a run."""
    run = BaseTool2.Run([], ProcessExitCode.create(value=code), list(output), stopped)
    return str(tool.determine_result(run))


def test_benchexec_can_run_skolemate_and_every_solver() -> None:
    task = BaseTool2.Task.with_files(["f.qdimacs"])
    limits = BaseTool2.ResourceLimits()
    tool = importlib.import_module("skolemate.campaigns.tool_info").Tool()
    assert tool.cmdline("s", ["-p", "caqe"], task, limits) == [
        "s",
        "qbf",
        "-p",
        "caqe",
        "f.qdimacs",
    ]
    assert tool.cmdline("s", ["solve"], task, limits) == ["s", "solve", "f.qdimacs"]
    assert [told(tool, code) for code in (10, 20, 30, 1)] == ["true", "false", "unknown", "ERROR"]
    for program in PROGRAMS:
        if not program.preprocesses and not program.own:
            name = f"skolemate.campaigns.tool_info.{program.name}"
            solver = importlib.import_module(name).Tool()
            assert solver.cmdline("s", [], task, limits)[-1] == "f.qdimacs"
            assert solver.name() == program.title
    depqbf = importlib.import_module("skolemate.campaigns.tool_info.depqbf").Tool()
    assert depqbf.executable(None) == PROGRAMS["depqbf"].find()
    assert depqbf.version(depqbf.executable(None)).startswith("6.")
    assert told(depqbf, 10, "SAT\n") == "true"
    assert told(depqbf, 20, "UNSAT\n") == "false"
    assert told(depqbf, 10, "UNSAT\n") == "ERROR", "exit code and text must agree"
    assert told(depqbf, 0) == "unknown"
