"""Reading `.pg` files, in dialects that differ in how Black's goal is written.

- hypergraph: `#blackwins`, `#whitewins` list winning sets, stones already placed included
- board: `#neighbours #startboarder #endboarder`, a path between two borders, with stones
- Gex: the same sections, the stones contracted away
- EGF: `#edges #source #target`, that graph by its edges
- GTTT: `#neighbours #blackgoal`, shapes by steps `up` and `side` from cell to cell

`#times` names the plies in order, `#blackturns` those at which Black moves, `#firstmoves` the
cells allowed at the first ply, whoever moves then. Without `#blackturns` Black begins and the
players alternate; without `#times`, too, until the board is full, and the file asks for no
depth. Without `#whitewins` White is the Breaker.
`#misere`, a line without more, says that a listed set is a win when the opponent completes it.
Graphs may come with `#distances #unreachablepairs`: cells were left out of them through which
no path leads within the plies of the file (R-Gex); perhaps all cells.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import NamedTuple, NoReturn

from skolemate.errors import UserError, suggestion
from skolemate.formats import recognise
from skolemate.formats.source import Place, Source, Word
from skolemate.games.board import MAXIMUM_CELLS, Board
from skolemate.games.game import DEEPEST, Player, Schedule, continued, turns
from skolemate.games.goals import Connection, Goal, Sets, Shape
from skolemate.games.positional import PositionalGame
from skolemate.games.symmetry import mask_of

# --- sections -------------------------------------------------------------------------------------
# A line that begins with `#` names a section; the rows of words below belong to it. `%` begins a
# comment anywhere.


LISTED_GOALS = ("#blackwins", "#whitewins")
GRAPH_GOAL = ("#neighbours", "#startboarder", "#endboarder")  # the published spelling
EDGE_GOAL = ("#edges", "#source", "#target")
STEP_GOAL = ("#neighbours", "#blackgoal")
DERIVED = ("#distances", "#unreachablepairs")
SECTIONS = (
    *("#version", "#times", "#blackturns", "#positions", "#blackinitials", "#whiteinitials"),
    *("#firstmoves", "#misere", *LISTED_GOALS, *GRAPH_GOAL, *EDGE_GOAL, "#blackgoal", *DERIVED),
)

_HEADING = re.compile(r"^[^\S\n]*#[^\n]*", re.MULTILINE)


@dataclass(frozen=True)
class Section:
    """A section: its name, the place of that, and the part of the text that belongs to it."""

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


# --- reading --------------------------------------------------------------------------------------


LONGEST_NAME = 100  # characters of a cell's or a time's name
VERSION = "1.0"
NOWHERE = "na"  # stands for a neighbour that a cell does not have
STEPS = ("up", "side")
LONGEST_SHAPE = 1000  # steps from cell to cell

_STEP = re.compile(rf"({'|'.join(STEPS)})\((p\d{{1,4}}),(p\d{{1,4}})\)")


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
    (Grid(width=2, height=2, torus=False, holes=()), 3, None)
    """
    return read_pg(Source.of(file, text))


def read_pg(source: Source) -> PositionalGame:
    """The game that a source describes; named after the source."""
    file = _PgFile(source, split(source))
    file.check_version()
    schedule = file.schedule()
    names = file.names()
    rules = file.rules(names)
    black, white = file.stones(rules.cells)
    first_moves = file.first_moves(rules.cells, black | white)
    black, white = black | rules.black, white | rules.white
    open_cells = rules.board.size - (black | white).bit_count()
    # Where cells were left out for the depth's sake, another depth is another game.
    whole = bool(names) and not any(name in file.sections for name in DERIVED)
    if not whole:
        file.required("#times")
    stated = len(schedule) or None
    schedule = schedule or turns(open_cells)
    ahead = continued(schedule, open_cells) if whole else schedule
    try:
        return PositionalGame(
            name=source.file,
            board=rules.board,
            black_goal=rules.black_goal,
            white_goal=rules.white_goal,
            schedule=ahead,
            black=black,
            white=white,
            first_moves=first_moves,
            misere=file.misere(),
            polyomino=rules.shape,
            depth=stated,
            stated=stated,
            carried_on=whole and len(ahead) >= open_cells,
        )
    except UserError as error:  # each part is right, but not all of them together
        raise source.error(str(error), source.end) from None


@dataclass(frozen=True)
class _Cells:
    """The numbers of the cells, looked up for words of the file."""

    source: Source
    numbers: Mapping[str, int]

    def number(self, word: Word) -> int:
        number = self.numbers.get(word.text)
        if number is None:
            message = f"cell {word.quoted} is not declared; add it to #positions or correct it"
            raise self.source.error(message, word.place)
        return number

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


class _Rules(NamedTuple):
    """The board with its cells, the goals and the polyomino: each depends on the others."""

    cells: _Cells
    board: Board
    black_goal: Goal | None
    white_goal: Goal | None
    shape: Shape | None = None
    black: int = 0  # stones on cells that the file does not name
    white: int = 0


@dataclass(frozen=True)
class _PgFile:
    """The sections of a file, and the part of the game that each of them states."""

    source: Source
    sections: Mapping[str, Section]

    def check_version(self) -> None:
        for word in self.words("#version"):
            if word.text != VERSION:
                self._wrong(word, f"version {word.quoted} is not known; {VERSION} is")

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
        numbers: dict[str, int] = {}
        for word in section.words():
            if word.text in numbers:
                self._wrong(word, f"{what} {word.quoted} is declared twice; leave one out")
            if not word.text.isprintable():
                self._wrong(word, f"{word.quoted} has characters that cannot be printed")
            if len(word.text) > LONGEST_NAME:
                self._wrong(word, f"{word.quoted} is too long for the name of a {what}")
            if len(numbers) == most:
                self._wrong(word, f"{name} has more than {most} entries")
            numbers[word.text] = len(numbers)
        return numbers

    def names(self) -> list[str]:
        """The cells. A graph may have none: then nothing was left of it."""
        names = list(self.declared("#positions", "cell", MAXIMUM_CELLS))
        if not names and self._kind() not in (GRAPH_GOAL, EDGE_GOAL):
            self._nothing_in("#positions", "cell")
        return names

    def _nothing_in(self, name: str, what: str) -> NoReturn:
        message = f"{name} names no {what}; list at least one below it"
        raise self.source.error(message, self.sections[name].place)

    def schedule(self) -> Schedule:
        """The turns that the file states; none if it does not name any."""
        if not {"#times", "#blackturns"} & set(self.sections):
            return ()
        times = self.declared("#times", "time", DEEPEST)
        if not times:
            self._nothing_in("#times", "time")
        if "#blackturns" not in self.sections:
            return turns(len(times))
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

    def misere(self) -> bool:
        """Whether who completes a set has lost."""
        section = self.sections.get("#misere")
        if section is None:
            return False
        for word in section.words():
            self._wrong(word, "nothing belongs to #misere; it says that completing a set loses")
        if self._kind() != LISTED_GOALS:
            message = f"#misere goes with {' or '.join(LISTED_GOALS)}, where sets are listed"
            raise self.source.error(message, section.place)
        return True

    def rules(self, names: Sequence[str]) -> _Rules:
        cells, kind = _Cells(self.source, recognise.numbering(names)), self._kind()
        if kind in (LISTED_GOALS, STEP_GOAL):
            for name in DERIVED:
                if name in self.sections:
                    message = f"{name} goes with a path between two borders, not with {kind[-1]}"
                    raise self.source.error(message, self.sections[name].place)
            listed = [self._sets(cells, name) for name in LISTED_GOALS]
            black, white = (self._shapes(cells), None) if kind == STEP_GOAL else listed
            board, shape = recognise.sets_board(names, [goal for goal in (black, white) if goal])
            return _Rules(cells, board, black, white, shape)
        goal = self._borders(cells) if kind == GRAPH_GOAL else self._edges(cells)
        self._check_derived(cells)
        board = recognise.connection_board(names, goal.neighbours)
        black_path, white_path = recognise.connection_goals(board, goal)
        rest = None
        if white_path is None:
            rest = recognise.hex_position(sorted(names, key=cells.numbers.__getitem__), goal)
        if rest is None:
            return _Rules(cells, board, black_path, white_path)
        cells = _Cells(self.source, {name: rest.board.cell(name) for name in names})
        paths = rest.black_goal, rest.white_goal
        return _Rules(cells, rest.board, *paths, black=rest.black, white=rest.white)

    def _kind(self) -> tuple[str, ...]:
        """Which sections state the goal."""
        kinds: list[tuple[str, ...]] = [LISTED_GOALS, EDGE_GOAL, GRAPH_GOAL]
        if "#blackgoal" in self.sections:  # then the neighbours are for it, not for a path
            kinds[2:] = [GRAPH_GOAL[1:], STEP_GOAL]
        used = [
            (section.place, name, kind)
            for kind in kinds
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

    def _shapes(self, cells: _Cells) -> Sets:
        """Winning sets given by shapes: `up(p0,p1)` says that p1 is the neighbour above p0."""
        steps: dict[str, dict[int, int]] = {}  # to the neighbour, and by a name with "-" back
        for row in self.required("#neighbours").rows():
            word, *near = row
            if len(near) != len(STEPS):
                columns = f"a cell, its neighbours {' and '.join(STEPS)}, {NOWHERE} for none"
                self._wrong(word, f"beside #blackgoal a row of neighbours is {columns}")
            for name, other in zip(STEPS, near, strict=True):
                if other.text == NOWHERE:
                    continue
                for step, one, two in ((name, word, other), (f"-{name}", other, word)):
                    neighbour = steps.setdefault(step, {}).setdefault(
                        *map(cells.number, (one, two))
                    )
                    if neighbour != cells.number(two):
                        self._wrong(one, f"the neighbour of {one.quoted} is given twice ({step})")
        sets = {
            placed
            for row in self.required("#blackgoal").rows()
            for placed in self._placements(row, steps, len(cells.numbers))
        }
        if not sets:
            message = "#blackgoal has no shape that fits on the board; add one"
            raise self.source.error(message, self.sections["#blackgoal"].place)
        return Sets.of(sets)

    def _placements(
        self, row: Iterator[Word], steps: Mapping[str, Mapping[int, int]], count: int
    ) -> Iterator[int]:
        """The sets of cells on which a shape fits; its first place fixes the others."""
        walk: list[tuple[str, str, str]] = []  # from a place that is known, a step to another
        waiting, known = list(islice(row, LONGEST_SHAPE)), set[str]()
        for word in row:
            self._wrong(word, f"a shape has at most {LONGEST_SHAPE} steps")
        while waiting:
            for word in waiting:
                match = _STEP.fullmatch(word.text)
                if match is None:
                    self._wrong(word, f"{word.quoted} is no step such as up(p0,p1) or side(p1,p2)")
                name, one, other = match.groups()
                if not known or one in known or other in known:
                    break
            else:
                self._wrong(word, f"{word.quoted} does not hang together with the steps before it")
            waiting.remove(word)
            back = known and one not in known
            walk.append((f"-{name}", other, one) if back else (name, one, other))
            known |= {one, other}
        for first in range(count):
            placed = {walk[0][1]: first}
            for name, one, other in walk:
                cell = steps.get(name, {}).get(placed[one])
                if cell is None or placed.setdefault(other, cell) != cell:
                    break
            else:
                yield mask_of(placed.values())

    def _check_derived(self, cells: _Cells) -> None:
        """Check that derived sections name known cells; all else in them follows from the graph."""
        for name in DERIVED:
            for row in self.sections[name].rows() if name in self.sections else ():
                cells.number(next(row))

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
        words = list(islice(section.words(), 2))
        if len(words) != 1:
            message = f"{name} must name exactly one node; the edges join it to the border's cells"
            raise self.source.error(message, words[1].place if words else section.place)
        if words[0].text in cells.numbers:
            self._wrong(words[0], f"{words[0].quoted} is a cell of #positions; {name} must not be")
        return words[0]

    def _wrong(self, word: Word, message: str) -> NoReturn:
        raise self.source.error(message, word.place)
