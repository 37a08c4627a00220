"""Reading drawn boards, and graphs on which a game of domination is played.

A drawn board is a game's name on the first line, then the rows of its board; it is the same as the
name with `board=`. A graph is read as a game of domination on it: edges, two vertices on a line, as
they are or in the form of DIMACS (`p edge 3 2`, `e 1 2`). Lines that begin with % are comments.
"""

import re
from collections.abc import Iterator

from skolemate.errors import UserError, brief
from skolemate.formats.source import Place, Source, Word
from skolemate.games.board import MAXIMUM_CELLS, Graph
from skolemate.games.family import FAMILIES, build, split_name
from skolemate.games.game import Game, turns, with_argument
from skolemate.games.goals import closed_neighbourhoods
from skolemate.games.positional import PositionalGame


def _lines(source: Source) -> Iterator[tuple[int, int, str]]:
    """Number, offset and text of every line that is neither empty nor a comment."""
    offset = 0
    for number, line in enumerate(source.text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("%"):
            yield number, offset, line
        offset += len(line) + 1


# --- boards ---------------------------------------------------------------------------------------


def is_drawn(source: Source) -> bool:
    """Whether the first line is the name of a game that can have a drawn board."""
    _, _, line = next(_lines(source), (0, 0, ""))
    return _drawable(line.partition("(")[0])


def _drawable(name: str) -> bool:
    name = name.strip().lower()
    return name in FAMILIES and any(p.name == "board" for p in FAMILIES[name].parameters)


def read_drawn(source: Source) -> Game:
    """The game that is named and drawn in a source.

    >>> print(read_drawn(Source.of("puzzle", "harary(shape=el)\\n. # .\\nX . O")))
    harary(shape=el, board=.#./X.O)
    """
    lines = list(_lines(source))
    if len(lines) < 2:
        raise source.error("a game's name and the rows of its board are missing", source.end)
    (first, _, name), *rows = lines
    try:
        if not _drawable(split_name(name)[0]):
            known = ", ".join(entry.name for entry in FAMILIES if _drawable(entry.name))
            raise UserError(f"{brief(name)} cannot be drawn as a board; use one of {known}")
        drawn = "/".join("".join(row.split()) for _, _, row in rows)
        return build(with_argument(name.strip(), f"board={drawn}"))
    except UserError as error:
        raise source.error(str(error), Place(first, 1)) from None


# --- graphs ---------------------------------------------------------------------------------------


_DIMACS = re.compile(r"^p[ \t]+\w+[ \t]+\w+", re.MULTILINE)
_VERTEX = re.compile(r"[\w.+-]{1,40}")


def read_graph(source: Source) -> PositionalGame:
    """The game of domination on the graph in a source.

    >>> game = read_graph(Source.of("path", "a b\\nb c"))
    >>> game.board.names, game.board.neighbours
    (('a', 'b', 'c'), ((1,), (0, 2), (1,)))
    """
    vertices: dict[str, None] = {}
    edges: list[tuple[str, str]] = []
    dimacs = _DIMACS.search(source.text) is not None  # elsewhere c may be a vertex
    for number, offset, line in _lines(source):
        words = list(source.words(offset, offset + len(line), number))
        if words[0].text.startswith("#") or (dimacs and words[0].text == "c"):
            continue
        if words[0].text == "p" and len(words) > 2:
            vertices |= dict.fromkeys(map(str, range(1, 1 + _vertex_count(source, words))))
            continue
        ends = words[1:] if words[0].text == "e" and len(words) == 3 else words
        if len(ends) != 2:
            raise source.error("an edge is two vertices, as in: 1 2", words[0].place)
        for end in ends:
            if not _VERTEX.fullmatch(end.text):
                message = f"{end.quoted} is not a name of a vertex; use letters and digits"
                raise source.error(message, end.place)
        one, other = (end.text for end in ends)
        if one == other:
            raise source.error(f"an edge joins {one} with itself; leave it out", words[0].place)
        vertices |= {one: None, other: None}
        edges.append((one, other))
        if len(vertices) > MAXIMUM_CELLS:
            raise source.error(f"more than {MAXIMUM_CELLS:,} vertices", words[0].place)
    if not vertices:
        raise source.error("no vertex; write edges, two vertices on a line", source.end)
    board = Graph.of(vertices, edges)
    sets = closed_neighbourhoods(board)
    return PositionalGame.of_sets(board, sets, turns(board.size), maker_breaker=True)


def _vertex_count(source: Source, words: list[Word]) -> int:
    """The number of vertices in a line such as `p edge 3 2`."""
    if not re.fullmatch("[0-9]{1,9}", words[2].text):
        raise source.error("write the line as in: p edge 3 2", words[0].place)
    if int(words[2].text) > MAXIMUM_CELLS:
        raise source.error(f"more than {MAXIMUM_CELLS:,} vertices", words[2].place)
    return int(words[2].text)
