"""Reports: ours beside the paper's, what is wrong first, one page that needs nothing else."""

from __future__ import annotations

import csv
import importlib
import io
import random
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from benchexec.tools.template import BaseTool2  # type: ignore[import-untyped]
from benchexec.util import ProcessExitCode  # type: ignore[import-untyped]

from campaign_rows import SUITE, pretended, pretended_suite
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
    assert (all_there.ours["solved"], all_there.wrong) == (12, ())
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


def test_markdown_and_latex_have_every_table(suite: Suite) -> None:
    report = gather([suite], pretended(suite))
    markdown, latex = to_markdown(report), to_latex(report)
    for title in ("In all, as published", "Sizes", "Answers and seconds"):
        assert f"### {title}" in markdown
        assert rf"\subsection*{{{title}}}" in latex
    assert "450 (450)" in markdown
    assert r"Pretended $<$runs$>$ \& more" in latex
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
    assert capsys.readouterr().err == "0 rows in both stores: nothing can be compared.\n"
    assert main(["bench", "report", "--store", store, "-o", "report.pdf"]) == 2
    assert "known are .html" in capsys.readouterr().err
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


def paper_store(folder: Path) -> tuple[str, list[Row]]:
    """A store with 180 rows: three encodings, three pipelines, twenty questions."""
    suite, chance = parse_suite("paper", PAPER), random.Random(5)

    def run(job: Job) -> RunResult:
        answer = "WIN" if job.depth and job.depth > 5 else "NO_WIN"
        status = chance.choice((answer, answer, "time"))
        seconds = chance.uniform(0.01, 50)
        truth = None if status == "time" else status == "WIN"
        return RunResult(status, truth=truth, wall_seconds=seconds, cpu_seconds=seconds / 2)

    rows = [replace(row, run=run(row.job)) for row in pretended(suite)]
    file = str(folder / "paper.sqlite")
    with open_store(file, write=True) as store:
        store.note(suite)
        store.add_all(rows)
    return file, rows


def expected_scores(rows: list[Row]) -> list[list[str]]:
    """Solved, unique, PAR-2 and the virtual best, computed in another way than the report's."""
    cost: dict[Any, tuple[bool, float]] = {}
    for row in rows:
        means = row.job.encoding, row.job.pipeline
        solved = row.run.status in ("WIN", "NO_WIN")
        cost[means, row.job.game, row.job.depth] = (
            solved,
            row.run.cpu_seconds or 0.0 if solved else 100.0,
        )
    questions = sorted({key[1:] for key in cost})
    assert (len(rows), len(questions)) == (180, 20)
    listed = []
    for encoding in ("ea", "en", "et"):
        for pipeline in ("caqe", "depqbf", "bloqqer+caqe"):
            own = [cost[(encoding, pipeline), *q] for q in questions]
            unique = sum(
                cost[(encoding, pipeline), *q][0]
                and sum(c[0] for key, c in cost.items() if key[1:] == q) == 1
                for q in questions
            )
            par2 = sum(c[1] for c in own) / 20
            count = sum(c[0] for c in own)
            listed.append([encoding, pipeline, "20", str(count), str(unique), f"{par2:.2f}"])
    each = [[c for key, c in cost.items() if key[1:] == q] for q in questions]
    best = sum(min(c[1] for c in of) for of in each) / 20
    some = sum(any(c[0] for c in of) for of in each)
    return [*listed, ["virtual best", "", "20", str(some), "", f"{best:.2f}"]]


def test_the_table_for_a_paper(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, rows = paper_store(tmp_path)
    expected = expected_scores(rows)
    assert main(["bench", "report", "--store", file]) == 0
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
    assert main(["bench", "report", "--store", file, "--summary", *files]) == 0
    latex, listed, markdown = (Path(output).read_text(encoding="utf-8") for output in outputs)
    assert list(csv.reader(io.StringIO(listed)))[1:] == [["paper", *line] for line in expected]
    cells = [[c.strip() for c in line.split("|")[1:-1]] for line in markdown.splitlines()[2:]]
    assert cells == [["paper", *line] for line in expected]
    body = re.findall(r"^(paper .*) \\\\$", latex, re.MULTILINE)
    assert [[c.strip() for c in line.split("&")] for line in body] == [
        ["paper", *line] for line in expected
    ]
    check_latex(
        rf"\documentclass{{article}}\usepackage{{booktabs}}\begin{{document}}{latex}", tmp_path
    )


def check_latex(text: str, folder: Path) -> None:
    """Compile a document where LaTeX is installed; its braces and environments balance anyway."""
    text += "\\end{document}\n"
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    begun, ended = re.findall(r"\\begin\{(\w+)\}", text), re.findall(r"\\end\{(\w+)\}", text)
    assert sorted(begun) == sorted(ended)
    latex = shutil.which("pdflatex")
    if latex is not None:
        (folder / "text.tex").write_text(text, encoding="utf-8")
        command = [latex, "-interaction=nonstopmode", "-halt-on-error", "text.tex"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)


def test_the_plots_for_a_paper(tmp_path: Path) -> None:
    file, rows = paper_store(tmp_path)
    assert main(["bench", "report", "--store", file, "--plots", str(tmp_path / "plots")]) == 0
    written = sorted(path.name for path in (tmp_path / "plots").iterdir())
    names = ("depth", "en-against-ea", "time", "time-false", "time-true")
    assert set(written) == {f"paper-{n}.{s}" for n in names for s in ("pdf", "svg", "tex")}
    assert (tmp_path / "plots" / "paper-time.pdf").read_bytes().startswith(b"%PDF")
    section = gather([parse_suite("paper", PAPER)], rows).sections[0]
    drawn = {plot.name: plot for plot in plots(section)}
    # A cactus has the costs of what was solved, in order.
    for series in drawn["time"].series:
        means = series.label.rpartition(" (")[0]
        own = [row for row in rows if row.job.means == means and row.run.status != "time"]
        assert [y for _, y in series.points] == sorted(row.run.wall_seconds for row in own)  # type: ignore[type-var]
        assert [x for x, _ in series.points] == list(range(1, len(own) + 1))
    # A means has one colour in all plots; no two means that are drawn together share it and a dash.
    colours: dict[str, set[tuple[str, bool]]] = {}
    for name in ("time", "time-true", "time-false"):
        for series in drawn[name].series:
            means = series.label.rpartition(" (")[0]
            colours.setdefault(means, set()).add((series.colour, series.dashed))
    for series in drawn["depth"].series:
        means = series.label.rpartition(") ")[2]
        colours[means].add((series.colour, series.dashed))
    assert all(len(found) == 1 for found in colours.values())
    assert len({next(iter(found)) for found in colours.values()}) == 9
    # The scatter plot has a point for each pair of which one is solved.
    by_key = {(r.job.encoding, r.job.pipeline, r.job.game, r.job.depth): r for r in rows}
    solved = [
        key
        for key, row in by_key.items()
        if key[0] == "ea" and (row.run.solved or by_key["en", *key[1:]].run.solved)
    ]
    scatter = drawn["en-against-ea"]
    assert sum(len(series.points) for series in scatter.series) == len(solved)
    for plot in drawn.values():
        points = [point for series in plot.series for point in series.points]
        text = plot.pgfplots
        assert len(re.findall(r"\([0-9.e+-]+,[0-9.e+-]+\)", text)) >= len(points)
        assert text.count(r"\addlegendentry") == len(plot.series)


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
