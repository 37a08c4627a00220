"""Reports: ours beside the paper's, what is wrong first, one page that needs nothing else."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

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
from skolemate.campaigns.row import Row, RunResult
from skolemate.campaigns.runner import open_store
from skolemate.campaigns.suite import Suite
from skolemate.campaigns.totals import counted, wrong_totals
from skolemate.cli import main


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
    assert page.count("<svg") == page.count("<figure>") >= 6


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

    _, best, scores, *_ = gather([grouped], map(made, pretended(grouped))).sections[0].tables
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
