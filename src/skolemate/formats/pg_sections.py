"""The outer form of a `.pg` file: sections of rows of words, and comments.

A line that begins with `#` names a section; the rows below belong to it. `%` begins a comment
anywhere. What the sections mean is in `pg`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from skolemate.errors import suggestion
from skolemate.formats.source import Place, Source, Word

__all__ = [
    "DERIVED",
    "EDGE_GOAL",
    "GRAPH_GOAL",
    "LISTED_GOALS",
    "SECTIONS",
    "STEP_GOAL",
    "Section",
    "split",
]

LISTED_GOALS = ("#blackwins", "#whitewins")
GRAPH_GOAL = ("#neighbours", "#startboarder", "#endboarder")  # the published spelling
EDGE_GOAL = ("#edges", "#source", "#target")
STEP_GOAL = ("#neighbours", "#blackgoal")
DERIVED = ("#distances", "#unreachablepairs")
SECTIONS = (
    *("#version", "#times", "#blackturns", "#positions", "#blackinitials", "#whiteinitials"),
    *("#firstmoves", *LISTED_GOALS, *GRAPH_GOAL, *EDGE_GOAL, "#blackgoal", *DERIVED),
)

_HEADING = re.compile(r"^[^\S\n]*#[^\n]*", re.MULTILINE)


@dataclass(frozen=True)
class Section:
    """A section: its name, where that stands, and the stretch of text that belongs to it."""

    source: Source
    name: str
    place: Place
    start: int
    end: int

    def rows(self) -> Iterator[Iterator[Word]]:
        """The words of each line that has any."""
        text = self.source.text
        position, line = self.start, self.place.line + 1
        while position < self.end:
            newline = text.find("\n", position, self.end)
            line_end = self.end if newline < 0 else newline
            comment = text.find("%", position, line_end)
            words = self._checked(
                self.source.words(position, line_end if comment < 0 else comment, line)
            )
            first = next(words, None)
            if first is not None:
                yield chain([first], words)
            position, line = line_end + 1, line + 1

    def words(self) -> Iterator[Word]:
        """All words, where lines do not matter."""
        return chain.from_iterable(self.rows())

    def is_empty(self) -> bool:
        return next(self.words(), None) is None

    def _checked(self, words: Iterator[Word]) -> Iterator[Word]:
        for word in words:
            if word.text.startswith("#"):
                raise self.source.error(
                    f"{word.quoted} stands inside a line; a section begins on a line of its own",
                    word.place,
                )
            yield word


def split(source: Source) -> Mapping[str, Section]:
    """The sections of a file by name, in the file's order.

    >>> found = split(Source.of("a.pg", "#times % none yet\\n t1 t2\\n#positions\\na1\\n"))
    >>> [word.text for word in found["#times"].words()], list(found)
    (['t1', 't2'], ['#times', '#positions'])
    """
    headings = _HEADING.finditer(source.text)
    heading = next(headings, None)
    _nothing_before(source, len(source.text) if heading is None else heading.start())
    if heading is None:
        what = "has no section" if source.text.strip() else "is empty"
        message = f"this file {what}; a .pg file begins with a section, such as #times"
        raise source.error(message, source.end)
    sections: dict[str, Section] = {}
    line, counted = 1, 0
    while heading is not None:
        line += source.text.count("\n", counted, heading.start())
        counted = heading.start()
        word = _name(source, heading, line)
        if word.text in sections:
            before = sections[word.text].place.line
            message = f"section {word.text} is there twice (first in line {before}); join them"
            raise source.error(message, word.place)
        following = next(headings, None)
        end = len(source.text) if following is None else following.start()
        start = min(heading.end() + 1, end)
        sections[word.text] = Section(source, word.text, word.place, start, end)
        heading = following
    return sections


def _nothing_before(source: Source, end: int) -> None:
    preamble = Section(source, "", Place(0, 1), 0, end)
    stray = next(preamble.words(), None)
    if stray is not None:
        raise source.error(
            f"{stray.quoted} stands before the first section; a .pg file begins with a section "
            "such as #times, and % begins a comment",
            stray.place,
        )


def _name(source: Source, heading: re.Match[str], line: int) -> Word:
    """The section that a heading names."""
    comment = source.text.find("%", heading.start(), heading.end())
    end = heading.end() if comment < 0 else comment
    words = source.words(heading.start(), end, line)
    name = next(words)
    extra = next(words, None)
    if name.text == "#" and extra is not None:
        near = suggestion(f"#{extra.text[:100]}", SECTIONS)
        message = f"no blank may follow the # of a section's name: {near}"
        raise source.error(message, name.place)
    if name.text not in SECTIONS:
        near = suggestion(name.text[:100], SECTIONS)
        raise source.error(f"unknown section {name.quoted}: {near}", name.place)
    if extra is not None:
        message = f"what belongs to {name.text} begins on the next line; move {extra.quoted} there"
        raise source.error(message, extra.place)
    return name
