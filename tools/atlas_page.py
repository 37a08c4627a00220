"""The page about the atlas, `docs/atlas.md`, made from the index of an atlas: `make atlas-page`.

With a folder as argument, its index becomes `docs/atlas.jsonl`, one line for each entry, first.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from skolemate.campaigns.atlas import KINDS, SECTIONS, Atlas, Entry, Finding, entries, shape_game
from skolemate.campaigns.atlas_tables import (
    SHAPES,
    Boards,
    Known,
    boards,
    counts,
    kind_name,
    short,
)

__all__ = ["INDEX", "PAGE", "known", "page"]

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE, INDEX = DOCS / "atlas.md", DOCS / "atlas.jsonl"
TEXT = Path(__file__).with_name("atlas_page.md")
GTTT = "Harary's games with q stones in the first turn and p stones in every other turn.\n"
OF_SHAPES = ("3x3", "4x4", "5x5", "6x6", "7x7", "hexominoes")


def known() -> dict[Entry, Finding]:
    """The published index."""
    return Atlas(str(DOCS)).findings()


def page(findings: Known) -> str:
    """The page: the text beside this file, with tables for the words in braces."""
    text = TEXT.read_text(encoding="utf-8")
    tables = {
        "counts": _counts(findings),
        "least": _least(findings),
        "shapes": _shapes(findings),
        "differences": _differences(findings),
        "open": _open(findings),
        "others": _others(findings),
    }
    for word, lines in tables.items():
        text = text.replace(f"{{{word}}}", "\n".join(lines))
    return text


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    heads = list(heads)
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _counts(findings: Known) -> Iterator[str]:
    heads = ("section", "entries", "proved", "wins", "no wins", "open", "files", "CPU s")
    rows = (
        (f"`{name}`" if name in SECTIONS else name, *(f"{number:,.0f}" for number in numbers))
        for name, *numbers in counts(findings)
    )
    yield from _table(heads, rows)


def _summary(known: Boards | None) -> str:
    if known is None:
        return ""
    without = known.largest_without
    return "; ".join(filter(None, (known.least, without and f"not on {without}")))


def _least(findings: Known) -> Iterator[str]:
    rows = (
        (f"`{shape}`", *(_summary(boards(findings, shape, *kind)) for kind in KINDS))
        for shape in SHAPES
    )
    yield from _table(("shape", *(kind_name(*kind) for kind in KINDS)), rows)


def _shapes(findings: Known) -> Iterator[str]:
    columns = [(kind, side) for kind in KINDS for side in ((3, 4, 5) if kind[0] else range(3, 8))]

    def cell(shape: object, kind: tuple[bool, bool], side: int) -> str:
        game = shape_game(shape, side, *kind)
        section = next((s for s in OF_SHAPES if Entry(s, game) in findings), "")
        return short(findings.get(Entry(section, game)))

    heads = (
        f"{'w' if weak else 's'}{side}{'t' if torus else ''}" for (torus, weak), side in columns
    )
    rows = ((f"`{shape}`", *(cell(shape, *column) for column in columns)) for shape in SHAPES)
    yield from _table(("shape", *heads), rows)


def _differences(findings: Known) -> Iterator[str]:
    """The shapes with another result in the weak game than in the strong one."""
    for finding in findings.values():
        weak = f"{finding.game[:-1]}, maker_breaker=true)"
        other = findings.get(finding.entry._replace(game=weak))
        if other is not None and finding.proof and other.proof and short(finding) != short(other):
            yield f"| `{finding.game}` | {short(finding)} | {short(other)} |"


def _open(findings: Known) -> Iterator[str]:
    for entry in entries():
        finding = findings.get(entry)
        if finding is not None and finding.is_open:
            what = str(finding).removeprefix(f"{finding.game}: ")
            yield f"| `{entry.game}` | {what} |"


def _others(findings: Known) -> Iterator[str]:
    for section in SECTIONS:
        if section not in OF_SHAPES:
            yield f"### {section}\n"
            if section == "gttt":
                yield GTTT
            there = [findings[entry] for entry in entries([section]) if entry in findings]
            yield from _table(
                ("game", "asked by", "result", "nodes", "proof"),
                (
                    (
                        f"`{finding.game}`",
                        finding.player,
                        short(finding),
                        f"{finding.nodes:,}" if finding.nodes else "",
                        f"`{finding.proof[:12]}`" if finding.proof else "",
                    )
                    for finding in there
                ),
            )
            yield ""


def main() -> None:
    if sys.argv[1:]:
        findings = Atlas(sys.argv[1]).findings()
        lines = (json.dumps(asdict(findings[e])) for e in entries() if e in findings)
        INDEX.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    PAGE.write_text(page(known()), encoding="utf-8")


if __name__ == "__main__":
    main()
