"""A report as one page that needs nothing else: tables, plots and style inside."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from skolemate.campaigns.report.contents import Cell, Report, Section, Table
from skolemate.campaigns.report.plots import plots

__all__ = ["to_html"]


def to_html(report: Report) -> str:
    page = (files(__package__) / "page.html").read_text(encoding="utf-8")
    head, _, tail = page.partition("<!-- report -->")
    return head + "\n".join(_page(report)) + tail


def _page(report: Report) -> Iterator[str]:
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


def _section(section: Section) -> Iterator[str]:
    suite = section.suite
    yield f'<section id="{escape(suite.name)}"><h2>{escape(suite.title)}</h2>'
    yield f'<p class="source">{escape(suite.source)}</p><p>{escape(suite.about)}</p>'
    if suite.quick:
        yield "<p>Scaled down: fewer rows and shorter limits than the paper's.</p>"
    if section.missing:
        told = ", ".join(f"{rows} with {means}" for means, rows in sorted(section.missing.items()))
        yield f"<p>Not run: {escape(told)}.</p>"
    for table in section.tables:
        yield from _table(table)
    drawn = plots(section)
    if drawn:
        yield '<div class="plots">'
        yield from (
            f"<figure>{p.svg}<figcaption>{escape(p.title)}</figcaption></figure>" for p in drawn
        )
        yield "</div>"
    yield "</section>"


def _table(table: Table) -> Iterator[str]:
    yield f"<h3>{escape(table.title)}</h3>"
    if any(cell.paper for line in table.body for cell in line):
        yield '<p class="note">Ours, and <span class="paper">the paper\'s</span>.</p>'
    yield '<div class="wide"><table><thead><tr>'
    yield "".join(f"<th>{escape(name)}</th>" for name in table.head)
    yield "</tr></thead><tbody>"
    for line in table.body:
        labels = "".join(f"<th>{escape(cell.ours)}</th>" for cell in line[: table.labels])
        yield f"<tr>{labels}{''.join(map(_cell, line[table.labels :]))}</tr>"
    yield "</tbody></table></div>"


def _cell(cell: Cell) -> str:
    kind = f' class="{cell.category}"' if cell.category else ""
    paper = f' <span class="paper">{escape(cell.paper)}</span>' if cell.paper else ""
    return f"<td{kind}>{escape(cell.ours)}{paper}</td>"
