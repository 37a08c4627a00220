"""A report as Markdown, as LaTeX, and its rows as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from skolemate.campaigns.report.contents import Cell, Report, Table
from skolemate.campaigns.row import Row

__all__ = ["to_csv", "to_latex", "to_markdown"]


def to_csv(report: Report) -> str:
    """One line per row, with every column of the store."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(Row.columns())
    for section in report.sections:
        writer.writerows(row.values() for row in section.rows)
    return stream.getvalue()


def to_markdown(report: Report) -> str:
    return "\n".join(_markdown(report)) + "\n"


def _markdown(report: Report) -> Iterator[str]:
    yield "# Campaign report\n"
    yield from _opening(report, "- ")
    for section in report.sections:
        suite = section.suite
        yield f"\n## {suite.title}\n\n{suite.source}\n\n{suite.about}"
        for table in section.tables:
            yield f"\n### {table.title}\n\nOurs (the paper's)\n"
            yield "| " + " | ".join(table.head) + " |"
            yield "|" + "---|" * len(table.head)
            for line in table.body:
                yield "| " + " | ".join(_beside(cell).replace("|", "\\|") for cell in line) + " |"


def to_latex(report: Report) -> str:
    """A document of its own; each table can be taken out of it."""
    return "\n".join(_latex(report)) + "\n"


def _latex(report: Report) -> Iterator[str]:
    yield r"\documentclass{article}"
    yield r"\usepackage[a4paper,landscape,margin=1cm]{geometry}"
    yield r"\usepackage{booktabs,longtable}"
    yield r"\begin{document}\small"
    yield r"\section*{Campaign report}"
    yield r"\begin{itemize}"
    yield from (rf"\item {_tex(line)}" for line in _opening(report, ""))
    yield r"\end{itemize}"
    for section in report.sections:
        suite = section.suite
        yield rf"\section*{{{_tex(suite.title)}}}"
        yield f"{_tex(suite.source)}\n\n{_tex(suite.about)}"
        for table in section.tables:
            yield from _latex_table(table)
    yield r"\end{document}"


def _latex_table(table: Table) -> Iterator[str]:
    yield rf"\subsection*{{{_tex(table.title)}}}"
    columns = "l" * table.labels + "r" * (len(table.head) - table.labels)
    yield rf"\begin{{longtable}}{{{columns}}}\toprule"
    yield " & ".join(map(_tex, table.head)) + r" \\ \midrule\endhead"
    for line in table.body:
        yield " & ".join(_tex(_beside(cell)) for cell in line) + r" \\"
    yield r"\bottomrule\end{longtable}"


def _opening(report: Report, bullet: str) -> Iterator[str]:
    yield f"{bullet}{report.counted}"
    yield from (f"{bullet}{words}" for words in (*report.problems, *report.means))


def _beside(cell: Cell) -> str:
    loud = f"WRONG {cell.ours}" if cell.category == "wrong" else cell.ours
    return f"{loud} ({cell.paper})" if cell.paper else loud


_TEX: dict[str, str | int | None] = {sign: "\\" + sign for sign in "&%$#_{}"}
_TEX |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_TEX |= {"∃": r"$\exists$", "∀": r"$\forall$", "η": r"$\eta$", "Γ": r"$\Gamma$", "ℓ": r"$\ell$"}
_TEX |= {"−": "--", "–": "--", "·": r"$\cdot$", "…": r"\ldots{}", "<": r"$<$", ">": r"$>$"}


def _tex(text: str) -> str:
    return text.translate(str.maketrans(_TEX))
