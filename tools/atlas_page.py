"""The page about the atlas, `docs/atlas.md`, made from the index of an atlas: `make atlas-page`.

With a folder as argument, its index becomes `docs/atlas.jsonl`, one line for each entry, first.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from skolemate.campaigns.atlas import (
    KINDS,
    SECTIONS,
    Atlas,
    Boards,
    Entry,
    Finding,
    boards,
    entries,
    shape_game,
)
from skolemate.games.goals import polyominoes

__all__ = ["INDEX", "PAGE", "known", "page"]

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE, INDEX = DOCS / "atlas.md", DOCS / "atlas.jsonl"
TEXT = Path(__file__).with_name("atlas_page.md")
SHAPES = [shape for cells in range(1, 7) for shape in polyominoes(cells)]
OF_SHAPES = ("3x3", "4x4", "5x5", "6x6", "7x7", "hexominoes")
Known = Mapping[Entry, Finding]


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
    def row(name: str, asked: list[Entry]) -> list[str]:
        there = [findings[entry] for entry in asked if entry in findings]
        proved = [finding for finding in there if finding.proof is not None]
        wins = sum(finding.verdict == "WIN" for finding in proved)
        proofs = {proof for finding in proved for proof in finding.proofs}
        cpu = sum(finding.cpu_seconds for finding in there)
        numbers = (len(asked), len(proved), wins, len(proved) - wins, len(asked) - len(proved))
        return [name, *(f"{number:,}" for number in (*numbers, len(proofs))), f"{cpu:,.0f}"]

    heads = ("section", "entries", "proved", "wins", "no wins", "open", "files", "CPU s")
    asked = {name: entries([name]) for name in SECTIONS}
    rows = [row(f"`{name}`", listed) for name, listed in asked.items()]
    yield from _table(heads, [*rows, row("all", entries())])


def _kind(torus: bool, weak: bool) -> str:
    return f"{'weak' if weak else 'strong'}, {'torus' if torus else 'board'}"


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
    yield from _table(("shape", *(_kind(*kind) for kind in KINDS)), rows)


def _cell(finding: Finding | None) -> str:
    """Plies of a win, – for none, and what is known where the proof is missing, with a ?."""
    if finding is None:
        return ""
    if finding.verdict == "UNKNOWN":
        return "?" if finding.refuted is None else f"?>{finding.refuted}"
    told = f"{'' if finding.exact else '≤'}{finding.depth}" if finding.verdict == "WIN" else "–"
    return told if finding.proof is not None else f"{told}?"


def _shapes(findings: Known) -> Iterator[str]:
    columns = [(kind, side) for kind in KINDS for side in ((3, 4, 5) if kind[0] else range(3, 8))]

    def cell(shape: object, kind: tuple[bool, bool], side: int) -> str:
        game = shape_game(shape, side, *kind)
        section = next((s for s in OF_SHAPES if Entry(s, game) in findings), "")
        return _cell(findings.get(Entry(section, game)))

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
        if other is not None and finding.proof and other.proof and _cell(finding) != _cell(other):
            yield f"| `{finding.game}` | {_cell(finding)} | {_cell(other)} |"


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
            there = [findings[entry] for entry in entries([section]) if entry in findings]
            yield from _table(
                ("game", "asked by", "result", "nodes", "proof"),
                (
                    (
                        f"`{finding.game}`",
                        finding.player,
                        _cell(finding),
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
