"""The atlas as a static site: an index with tables, and a page for every proof.

The site works from a file and from any web host. A proof is checked before its page is written, and
its folder is called by its content, so that two entries with one proof share a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from os import fspath
from pathlib import Path

from skolemate.campaigns.atlas import KINDS, SECTIONS, Atlas, Entry, Finding
from skolemate.campaigns.atlas_tables import SHAPES, Boards, boards, counts, kind_name
from skolemate.errors import UserError, printable
from skolemate.output import File, amount
from skolemate.publishing import PAGE, filled, write_into, write_page, write_parts

PAGES = "proofs"  # the folder of the pages
LETTERS = 20  # of a proof's SHA-256 in an address


def publish_atlas(atlas: Atlas, asked: Iterable[Entry], site: File) -> tuple[Path, int]:
    """Write the site of those of some entries that were asked; returns its index, and the number of
    proofs. One that does not hold is an error."""
    findings = atlas.findings()
    there = {entry: findings[entry] for entry in asked if entry in findings}
    if not there:
        raise UserError(f"{printable(str(atlas.folder))} has no entry to publish")
    home = Path(fspath(site))
    write_parts(home, "atlas.js")
    proofs = {proof: finding for finding in there.values() for proof in finding.proofs}
    for proof, finding in proofs.items():
        report, strategy = atlas.checked(finding, proof)
        write_page(report, strategy, (home / _address(proof)).parent, above="../..")
    write_into(home, {PAGE: _index(there).encode()})
    return home / PAGE, len(proofs)


def _address(proof: str) -> str:
    return f"{PAGES}/{proof[:LETTERS]}/{PAGE}"


# --- the index ------------------------------------------------------------------------------------


def _index(findings: dict[Entry, Finding]) -> str:
    proved = sum(finding.proof is not None for finding in findings.values())
    sections = [name for name in SECTIONS if any(e.section == name for e in findings)]
    return filled(
        "atlas.html",
        {
            "COUNTED": f"{amount(len(findings), 'entry', 'entries')}, {proved:,} of them proved",
            "KINDS": "".join(f'<th scope="col">{kind_name(*kind)}</th>' for kind in KINDS),
            "LEAST": "\n".join(_least(findings)),
            "SECTIONS": "\n".join(f"<option>{name}</option>" for name in sections),
            "ENTRIES": "\n".join(map(_entry, findings.values())),
            "SUMS": "\n".join(_sums(findings)),
        },
    )


def _row(cells: Iterable[str], attributes: str = "") -> str:
    """A line of a table; its first cell is a head."""
    first, *others = cells
    return f'<tr{attributes}><th scope="row">{first}</th>{"".join(others)}</tr>'


def _number(value: float | None) -> str:
    """A cell with a number, by which the table can be sorted."""
    return "<td></td>" if value is None else f'<td class="number">{value:,.0f}</td>'


def _link(proof: str | None, text: str) -> str:
    return escape(text) if proof is None else f'<a href="{_address(proof)}">{escape(text)}</a>'


def _least(findings: dict[Entry, Finding]) -> Iterator[str]:
    for shape in SHAPES:
        known = [boards(findings, shape, *kind) for kind in KINDS]
        if any(known):
            cells = (_linked(one) for one in known)
            yield _row((f"<code>{shape}</code>", *(f"<td>{cell}</td>" for cell in cells)))


def _linked(known: Boards | None) -> str:
    """The least board and the largest without a win, each a link to its proof."""
    if known is None:
        return ""
    win, loss, without = known.least_win, known.largest_loss, known.largest_without
    parts = [_link(win.proof, known.least)] if win else []
    if without:
        parts.append(_link(loss.proof if loss else None, f"not on {without}"))
    return "; ".join(parts)


def _entry(finding: Finding) -> str:
    results = [_link(finding.proof, finding.result)]
    if finding.sooner:
        results.append(_link(finding.sooner, f"not within {(finding.depth or 0) - 1}"))
    why = f" ({escape(finding.why)})" if finding.why else ""
    kind = "open" if finding.proof is None else finding.verdict
    return _row(
        (
            f"<code>{escape(finding.game)}</code>",
            f"<td>{', '.join(results)}{why}</td>",
            _number(finding.depth if finding.verdict == "WIN" else None),
            _number(finding.nodes),
            f"<td>{finding.section}</td>",
        ),
        f' data-section="{finding.section}" data-kind="{kind}"',
    )


def _sums(findings: dict[Entry, Finding]) -> Iterator[str]:
    for name, *numbers in counts(findings):
        if any(numbers[1:]):
            yield _row((name, *map(_number, numbers)))
