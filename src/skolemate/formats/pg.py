"""Reading `.pg` files, in four dialects that differ in how Black's goal is written.

- hypergraph: `#blackwins`, `#whitewins` list winning sets, stones already placed included
- board: `#neighbours #startboarder #endboarder`, a path between two borders, with stones
- Gex: the same sections, the stones contracted away
- EGF: `#edges #source #target`, that graph by its edges

`#times` names the plies in order, `#blackturns` those at which Black moves, `#firstmoves` the
cells allowed at the first ply, whoever moves then. Without `#whitewins` White is the Breaker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NoReturn

from skolemate.errors import UserError
from skolemate.formats.pg_sections import EDGE_GOAL, GRAPH_GOAL, LISTED_GOALS, Section, split
from skolemate.formats.recognise import (
    connection_board,
    connection_goals,
    numbering,
    sets_board,
)
from skolemate.formats.source import Source, Word
from skolemate.games.board import MAXIMUM_CELLS, Board
from skolemate.games.game import DEEPEST, Player
from skolemate.games.goals import Connection, Goal, Sets
from skolemate.games.polyomino import Shape
from skolemate.games.positional import PositionalGame
from skolemate.games.schedule import Schedule, continued

__all__ = ["parse_pg", "read_pg"]

LONGEST_NAME = 100  # characters of a cell's or a time's name


def parse_pg(text: str, file: str = "text.pg") -> PositionalGame:
    """The game that a text describes.

    >>> game = parse_pg('''#times
    ... t1 t2 t3
    ... #blackturns
    ... t1 t3
    ... #positions
    ... a1 a2 b1 b2
    ... #blackwins
    ... a1 a2
    ... b1 b2
    ... ''')
    >>> game.board, game.depth, game.white_goal
    (Grid(width=2, height=2, torus=False), 3, None)
    """
    return read_pg(Source.of(file, text))


def read_pg(source: Source) -> PositionalGame:
    """The game that a source describes; named after the source."""
    file = _File(source, split(source))
    schedule = file.schedule()
    names = list(file.declared("#positions", "cell", MAXIMUM_CELLS))
    cells = _Cells(source, numbering(names))
    board, black_goal, white_goal, shape = file.goals(cells, names)
    black, white = file.stones(cells)
    first_moves = file.first_moves(cells, black | white)
    open_cells = board.size - (black | white).bit_count()
    try:
        return PositionalGame(
            name=source.file,
            board=board,
            black_goal=black_goal,
            white_goal=white_goal,
            schedule=continued(schedule, open_cells),
            black=black,
            white=white,
            first_moves=first_moves,
            polyomino=shape,
            depth=len(schedule),
        )
    except UserError as error:  # each part is right, but not all of them together
        raise source.error(str(error), source.end) from None


@dataclass(frozen=True)
class _Cells:
    """The numbers of the cells, looked up for words of the file."""

    source: Source
    numbers: Mapping[str, int]

    def number(self, word: Word) -> int:
        found = self.numbers.get(word.text)
        if found is None:
            message = f"cell {word.quoted} is not declared; add it to #positions or correct it"
            raise self.source.error(message, word.place)
        return found

    def mask(self, words: Iterable[Word], where: str) -> int:
        """Distinct cells as a mask."""
        mask = 0
        for word in words:
            bit = 1 << self.number(word)
            if mask & bit:
                message = f"cell {word.quoted} is given twice in {where}; leave one out"
                raise self.source.error(message, word.place)
            mask |= bit
        return mask


@dataclass(frozen=True)
class _File:
    """The sections of a file, and what each of them says."""

    source: Source
    sections: Mapping[str, Section]

    def required(self, name: str) -> Section:
        if name not in self.sections:
            raise self.source.error(f"section {name} is missing; add it", self.source.end)
        return self.sections[name]

    def words(self, name: str) -> Iterator[Word]:
        """The words of a section that may be missing."""
        return self.sections[name].words() if name in self.sections else iter(())

    def declared(self, name: str, what: str, most: int) -> dict[str, int]:
        """New names, in order; none twice."""
        section = self.required(name)
        found: dict[str, int] = {}
        for word in section.words():
            if word.text in found:
                self._wrong(word, f"{what} {word.quoted} is declared twice; leave one out")
            if not word.text.isprintable():
                self._wrong(word, f"{word.quoted} has characters that cannot be printed")
            if len(word.text) > LONGEST_NAME:
                self._wrong(word, f"{word.quoted} is too long for the name of a {what}")
            if len(found) == most:
                self._wrong(word, f"{name} has more than {most} entries")
            found[word.text] = len(found)
        if not found:
            message = f"{name} names no {what}; list at least one below it"
            raise self.source.error(message, section.place)
        return found

    def schedule(self) -> Schedule:
        times = self.declared("#times", "time", DEEPEST)
        black: set[str] = set()
        for word in self.required("#blackturns").words():
            if word.text not in times:
                self._wrong(word, f"time {word.quoted} is not in #times; add it or correct it")
            if word.text in black:
                self._wrong(word, f"Black's turn {word.quoted} is given twice; leave one out")
            black.add(word.text)
        return tuple(Player.BLACK if time in black else Player.WHITE for time in times)

    def stones(self, cells: _Cells) -> tuple[int, int]:
        sections = "#blackinitials", "#whiteinitials"
        black, white = (cells.mask(self.words(name), name) for name in sections)
        for word in self.words("#whiteinitials"):
            if black >> cells.number(word) & 1:
                self._wrong(word, f"cell {word.quoted} has a stone of Black's already")
        return black, white

    def first_moves(self, cells: _Cells, stones: int) -> int | None:
        if "#firstmoves" not in self.sections:
            return None
        for word in self.words("#firstmoves"):
            if stones >> cells.number(word) & 1:
                self._wrong(word, f"{word.quoted} cannot be a first move: it has a stone")
        section = self.sections["#firstmoves"]
        if section.is_empty():
            message = "#firstmoves allows no cell; leave the section out to allow all"
            raise self.source.error(message, section.place)
        return cells.mask(section.words(), "#firstmoves")

    def goals(
        self, cells: _Cells, names: Sequence[str]
    ) -> tuple[Board, Goal | None, Goal | None, Shape | None]:
        """Board, goals and polyomino: they can only be told together."""
        kind = self._kind()
        if kind == LISTED_GOALS:
            black, white = (self._sets(cells, name) for name in LISTED_GOALS)
            board, shape = sets_board(names, [goal for goal in (black, white) if goal])
            return board, black, white, shape
        goal = self._borders(cells) if kind == GRAPH_GOAL else self._edges(cells)
        board = connection_board(names, goal.neighbours)
        return board, *connection_goals(board, goal), None

    def _kind(self) -> tuple[str, ...]:
        """Which sections state the goal."""
        used = [
            (section.place, name, kind)
            for kind in (LISTED_GOALS, GRAPH_GOAL, EDGE_GOAL)
            for name in kind
            if (section := self.sections.get(name)) is not None
            # Board files have an empty #blackwins beside their neighbours.
            if kind != LISTED_GOALS or not section.is_empty()
        ]
        if not used:
            choices = "#blackwins, or #neighbours with two borders, or #edges with #source, #target"
            raise self.source.error(f"nobody has a goal; add {choices}", self.source.end)
        used.sort()
        _, first, kind = used[0]
        for place, name, other in used:
            if other != kind:
                message = f"{first} and {name} state two kinds of goals; keep one of them"
                raise self.source.error(message, place)
        return kind

    def _sets(self, cells: _Cells, name: str) -> Sets | None:
        rows = self.sections[name].rows() if name in self.sections else iter(())
        sets = {cells.mask(row, "this set") for row in rows}
        return Sets.of(sets) if sets else None

    def _borders(self, cells: _Cells) -> Connection:
        section = self.required("#neighbours")
        start, end = (cells.mask(self.required(name).words(), name) for name in GRAPH_GOAL[1:])
        neighbours: dict[int, int] = {}
        for row in section.rows():
            word = next(row)
            cell = cells.number(word)
            if cell in neighbours:
                self._wrong(word, f"cell {word.quoted} has two rows of neighbours; join them")
            neighbours[cell] = cells.mask(row, "this row")
        for row in section.rows():
            word = next(row)
            cell = cells.number(word)
            for other in row:
                near = cells.number(other)
                if near == cell:
                    self._wrong(other, f"cell {other.quoted} cannot be its own neighbour")
                if not neighbours.get(near, 0) >> cell & 1:
                    message = f"{word.text} lists {other.text}, but not the other way round"
                    self._wrong(other, f"{message}; add {word.text} to the row of {other.text}")
        count = len(cells.numbers)
        return Connection(tuple(neighbours.get(cell, 0) for cell in range(count)), start, end)

    def _edges(self, cells: _Cells) -> Connection:
        section = self.required("#edges")
        source, target = (self._only(name, cells) for name in EDGE_GOAL[1:])
        if source.text == target.text:
            self._wrong(target, f"{target.quoted} is both source and target; name two")
        around = [0] * len(cells.numbers)
        borders = {source.text: 0, target.text: 0}
        for row in section.rows():
            ends = list(islice(row, 3))
            if len(ends) != 2:
                self._wrong(ends[-1], "an edge has two ends; write one edge a line")
            first = ends[0]
            near, far = sorted(ends, key=lambda end: end.text not in borders)
            if near.text == far.text:
                self._wrong(far, f"{far.quoted} cannot be its own neighbour")
            if far.text in borders:
                self._wrong(first, "an edge joins source and target: Black has won already")
            other = cells.number(far)
            joined = borders[near.text] if near.text in borders else around[cells.number(near)]
            if joined >> other & 1:
                self._wrong(first, "this edge is given twice; leave one out")
            if near.text in borders:
                borders[near.text] |= 1 << other
            else:
                cell = cells.number(near)
                around[cell] |= 1 << other
                around[other] |= 1 << cell
        return Connection(tuple(around), borders[source.text], borders[target.text])

    def _only(self, name: str, cells: _Cells) -> Word:
        """The one word of `#source` or `#target`, which is no cell."""
        section = self.required(name)
        found = list(islice(section.words(), 2))
        if len(found) != 1:
            message = f"{name} must name exactly one node; the edges join it to the border's cells"
            raise self.source.error(message, found[1].place if found else section.place)
        if found[0].text in cells.numbers:
            self._wrong(found[0], f"{found[0].quoted} is a cell of #positions; {name} must not be")
        return found[0]

    def _wrong(self, word: Word, message: str) -> NoReturn:
        raise self.source.error(message, word.place)
