"""A report as Markdown, LaTeX, CSV, HTML, and as result files of BenchExec."""

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from skolemate.campaigns.report.contents import CampaignReport, SuiteSection, Table, TableCell
from skolemate.campaigns.report.plots import available, plots
from skolemate.campaigns.row import Row
from skolemate.output import write_text

# --- text -----------------------------------------------------------------------------------------


def to_csv(report: CampaignReport) -> str:
    """One line per row, with every column of the store."""
    rows = (row.values() for section in report.sections for row in section.rows)
    return _csv(Row.columns(), rows)


def _csv(head: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows([head, *lines])
    return stream.getvalue()


def to_markdown(report: CampaignReport) -> str:
    return "\n".join(_markdown(report)) + "\n"


def _markdown(report: CampaignReport) -> Iterator[str]:
    yield "# Campaign report\n"
    yield from _opening(report, "- ")
    for section in report.sections:
        suite = section.suite
        yield f"\n## {suite.title}\n\n{suite.source}\n\n{suite.about}"
        for table in section.tables:
            yield f"\n### {table.title}\n"
            if _has_papers(table):
                yield "Ours (the paper's)\n"
            yield from _markdown_table(table)


def _markdown_table(table: Table) -> Iterator[str]:
    yield "| " + " | ".join(table.head) + " |"
    yield "|" + "---|" * len(table.head)
    for line in table.body:
        yield "| " + " | ".join(_beside(cell).replace("|", "\\|") for cell in line) + " |"


def _has_papers(table: Table) -> bool:
    return any(cell.paper for line in table.body for cell in line)


def to_latex(report: CampaignReport) -> str:
    """A complete LaTeX document; each table can be copied out of it."""
    return "\n".join(_latex(report)) + "\n"


def _latex(report: CampaignReport) -> Iterator[str]:
    yield r"\documentclass{article}"
    yield r"\usepackage[a4paper,landscape,margin=1cm]{geometry}"
    yield r"\usepackage{booktabs,longtable}"
    yield r"\begin{document}\small"
    yield r"\section*{Campaign report}"
    yield r"\begin{itemize}"
    yield from (rf"\item {tex(line)}" for line in _opening(report, ""))
    yield r"\end{itemize}"
    for section in report.sections:
        suite = section.suite
        yield rf"\section*{{{tex(suite.title)}}}"
        yield f"{tex(suite.source)}\n\n{tex(suite.about)}"
        for table in section.tables:
            yield from _latex_table(table)
    yield r"\end{document}"


def _latex_table(table: Table) -> Iterator[str]:
    yield rf"\subsection*{{{tex(table.title)}}}"
    yield from _booktabs(table, "longtable", r"\midrule\endhead")


def _booktabs(table: Table, environment: str, after_head: str) -> Iterator[str]:
    columns = "l" * table.labels + "r" * (len(table.head) - table.labels)
    yield rf"\begin{{{environment}}}{{{columns}}}\toprule"
    yield " & ".join(map(tex, table.head)) + rf" \\ {after_head}"
    for line in table.body:
        yield " & ".join(tex(_beside(cell)) for cell in line) + r" \\"
    yield rf"\bottomrule\end{{{environment}}}"


def _opening(report: CampaignReport, bullet: str) -> Iterator[str]:
    yield f"{bullet}{report.counted}"
    yield from (f"{bullet}{words}" for words in (*report.problems, *report.means))


def _beside(cell: TableCell) -> str:
    loud = f"WRONG {cell.ours}" if cell.category == "wrong" else cell.ours
    return f"{loud} ({cell.paper})" if cell.paper else loud


_TEX: dict[str, str | int | None] = {sign: "\\" + sign for sign in "&%$#_{}"}
_TEX |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_TEX |= {"∃": r"$\exists$", "∀": r"$\forall$", "η": r"$\eta$", "Γ": r"$\Gamma$", "ℓ": r"$\ell$"}
_TEX |= {"−": "--", "–": "--", "·": r"$\cdot$", "…": r"\ldots{}", "<": r"$<$", ">": r"$>$"}


def tex(text: str) -> str:
    return text.translate(str.maketrans(_TEX))


# --- the summary alone ----------------------------------------------------------------------------
# The table for a paper: what each means has solved. In LaTeX it is a tabular to \\input.


def summary_markdown(report: CampaignReport) -> str:
    return "\n".join(_markdown_table(report.summary)) + "\n"


def summary_latex(report: CampaignReport) -> str:
    return "\n".join(_booktabs(report.summary, "tabular", r"\midrule")) + "\n"


def summary_csv(report: CampaignReport) -> str:
    summary = report.summary
    return _csv(summary.head, ([cell.ours for cell in line] for line in summary.body))


# --- HTML -----------------------------------------------------------------------------------------
# One file, with tables, plots and style inside.


def to_html(report: CampaignReport) -> str:
    page = (files(__package__) / "page.html").read_text(encoding="utf-8")
    head, _, tail = page.partition("<!-- report -->")
    return head + "\n".join(_page(report)) + tail


def _page(report: CampaignReport) -> Iterator[str]:
    yield f"<p>{escape(report.counted)}. Last run: {report.finished}.</p>"
    if report.problems:
        yield '<section class="problems"><h2>Needs attention</h2><ul>'
        yield from (f"<li>{escape(words)}</li>" for words in report.problems)
        yield "</ul></section>"
    else:
        yield '<p class="fine">No wrong answers, no contradictions, no errors.</p>'
    yield "<nav>" + " · ".join(
        f'<a href="#{escape(s.suite.name)}">{escape(s.suite.title)}</a>' for s in report.sections
    )
    yield "</nav>"
    for section in report.sections:
        yield from _section(section)
    yield "<h2>What was measured with</h2><ul>"
    yield from (f"<li>{escape(words)}</li>" for words in report.means)
    yield "</ul>"


def _section(section: SuiteSection) -> Iterator[str]:
    suite = section.suite
    yield f'<section id="{escape(suite.name)}"><h2>{escape(suite.title)}</h2>'
    yield f'<p class="source">{escape(suite.source)}</p><p>{escape(suite.about)}</p>'
    if suite.quick:
        yield "<p>Scaled down: fewer rows and shorter limits than the paper's.</p>"
    if section.missing:
        missing = ", ".join(
            f"{rows} with {means}" for means, rows in sorted(section.missing.items())
        )
        yield f"<p>Not run: {escape(missing)}.</p>"
    for table in section.tables:
        yield from _table(table)
    drawn = plots(section) if available() else []
    if drawn:
        yield '<div class="plots">'
        yield from (
            f"<figure>{p.svg}<figcaption>{escape(p.title)}</figcaption></figure>" for p in drawn
        )
        yield "</div>"
    yield "</section>"


def _table(table: Table) -> Iterator[str]:
    yield f"<h3>{escape(table.title)}</h3>"
    if _has_papers(table):
        yield '<p class="note">Ours, and <span class="paper">the paper\'s</span>.</p>'
    yield '<div class="wide"><table><thead><tr>'
    yield "".join(f"<th>{escape(name)}</th>" for name in table.head)
    yield "</tr></thead><tbody>"
    for line in table.body:
        labels = "".join(f"<th>{escape(cell.ours)}</th>" for cell in line[: table.labels])
        yield f"<tr>{labels}{''.join(map(_cell, line[table.labels :]))}</tr>"
    yield "</tbody></table></div>"


def _cell(cell: TableCell) -> str:
    kind = f' class="{cell.category}"' if cell.category else ""
    paper = f' <span class="paper">{escape(cell.paper)}</span>' if cell.paper else ""
    return f"<td{kind}>{escape(cell.ours)}{paper}</td>"


# --- BenchExec ------------------------------------------------------------------------------------
# One file for each suite and means, for its `table-generator`.


DOCTYPE = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<!DOCTYPE result PUBLIC "+//IDN sosy-lab.org//DTD BenchExec result 1.18//EN" '
    '"https://www.sosy-lab.org/benchexec/result-1.18.dtd">\n'
)
CATEGORIES = {"right": "correct", "wrong": "wrong", "error": "error", "unchecked": "missing"}
STATUSES = {
    "WIN": "true",
    "NO_WIN": "false",
    "TRUE": "true",
    "FALSE": "false",
    "DONE": "done",
    "time": "TIMEOUT",
    "memory": "OUT OF MEMORY",
    "error": "ERROR",
    "solver_error": "ERROR",
}


def write_benchexec(report: CampaignReport, folder: str) -> list[str]:
    """Write the files; returns their names. A win is `true`, no win is `false`."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    written = []
    for section in report.sections:
        by_means: dict[str, list[Row]] = defaultdict(list)
        for row in section.rows:
            by_means[row.job.means].append(row)
        for means, rows in by_means.items():
            name = re.sub(r"[^\w+]+", "-", f"{section.suite.name}.{means}")
            path = str(Path(folder, f"{name}.results.xml"))
            write_text(path, DOCTYPE + _result(section.suite.name, means, rows))
            written.append(path)
    return written


def _result(suite: str, means: str, rows: list[Row]) -> str:
    first = rows[0]
    attributes = {
        "benchmarkname": suite,
        "name": suite,
        "displayName": f"{suite} {means}",
        "date": min(row.finished for row in rows),
        "starttime": min(row.finished for row in rows),
        "endtime": max(row.finished for row in rows),
        "tool": "skolemate",
        "toolmodule": "skolemate",
        "version": first.version,
        "options": means,
        "timelimit": f"{max(row.job.seconds for row in rows):g}s",
        "memlimit": f"{max(row.job.memory for row in rows)}B",
        "generator": f"Skolemate {first.version}",
    }
    root = ElementTree.Element("result", attributes)
    columns = ElementTree.SubElement(root, "columns")
    for title in ("status", "cputime", "walltime", "memory"):
        ElementTree.SubElement(columns, "column", title=title)
    for row in rows:
        root.append(_run(row))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _run(row: Row) -> ElementTree.Element:
    job, run = row.job, row.run
    attributes = {"name": f"{job.game}.{job.player}.{job.task}.{job.depth}", "properties": "win"}
    if "verdict" in job.known:
        attributes["expectedVerdict"] = STATUSES[job.known["verdict"]]
    element = ElementTree.Element("run", attributes)
    values = {
        "status": STATUSES.get(run.status, run.status),
        "category": CATEGORIES.get(row.category, "unknown"),
        "cputime": _unit(run.cpu_seconds, "s"),
        "walltime": _unit(run.wall_seconds, "s"),
        "memory": _unit(run.peak_bytes, "B"),
    }
    for title, value in values.items():
        if value is not None:
            ElementTree.SubElement(element, "column", title=title, value=value)
    return element


def _unit(value: float | None, unit: str) -> str | None:
    return None if value is None else f"{value}{unit}"
